"""Where the points of a study are computed: in this process, in a pool of processes, or on a Dask cluster.

Every backend yields (number of the stretch, its rows) in the order in which they are ready. A worker that dies takes its
stretches with it: they are given to another one, and a stretch whose workers die again and again becomes rows of status
"worker died".
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import pickle
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import numpy as np

from routh.errors import ModelError, RouthError
from routh.extras import need

__all__ = ["Stretches", "on_dask", "on_pool", "one_by_one"]

Rows = Mapping[str, Any]
Stretches = Mapping[int, Mapping[str, np.ndarray]]  # points of each stretch, by its number
ATTEMPTS = 3          # times that a stretch is given to a worker before it is given up
AHEAD = 2             # stretches that wait for each worker

_WORK: Any = None     # what a worker process computes with


def one_by_one(work: Any, stretches: Stretches) -> Iterator[tuple[int, Rows]]:
    """Compute in this process."""
    for number, columns in stretches.items():
        yield number, work.rows(columns)


def on_pool(work: Any, stretches: Stretches, workers: int, lost: Callable[[int], Rows]) -> Iterator[tuple[int, Rows]]:
    """Compute in a pool of processes; `lost(n)` are the rows of n points that were given up."""
    try:
        packed = pickle.dumps(work)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ModelError(f"study: cannot be sent to other processes: {error}. Define functions of your own at the top of a "
                         "module, or take workers=1") from None
    waiting, attempts = list(stretches), dict.fromkeys(stretches, 0)
    while waiting:
        # after a crash the stretches that were being computed go on one by one, so that only the guilty one suffers
        suspects = [number for number in waiting if attempts[number]]
        if suspects:
            number = suspects[0]
            waiting.remove(number)
            try:
                with _pool(packed, 1) as pool:
                    yield number, pool.submit(_rows, stretches[number]).result()
            except BrokenProcessPool:
                attempts[number] += 1
                if attempts[number] < ATTEMPTS:
                    waiting.insert(0, number)
                else:
                    yield number, lost(len(next(iter(stretches[number].values()))))
            continue
        running: dict[Future[Rows], int] = {}
        try:
            with _pool(packed, workers) as pool:
                try:
                    while waiting or running:
                        while waiting and len(running) < AHEAD * workers:
                            running[pool.submit(_rows, stretches[waiting[0]])] = waiting[0]
                            waiting.pop(0)
                        for future in wait(running, return_when=FIRST_COMPLETED).done:
                            rows = future.result()
                            yield running.pop(future), rows
                finally:
                    pool.shutdown(wait=False, cancel_futures=True)
        except BrokenProcessPool:
            for number in running.values():
                attempts[number] += 1
            waiting = [*running.values(), *waiting]


def on_dask(work: Any, stretches: Stretches, client: Any) -> Iterator[tuple[int, Rows]]:
    """Compute on a Dask cluster: a `dask.distributed.Client`, or the address of a scheduler."""
    need("distributed", what="a study on a Dask cluster")
    from dask.distributed import Client, as_completed

    own = isinstance(client, str)
    if own:
        try:
            client = Client(client, timeout=20)
        except (OSError, ValueError) as error:
            raise RouthError(f'no scheduler answers at "{client}": {error}') from None
    try:
        import cloudpickle

        shared = client.scatter(cloudpickle.dumps(work), broadcast=True)
        queue = list(stretches)
        most = AHEAD * max(sum(client.nthreads().values()), 1)
        numbers = {}

        def submit() -> Any:
            number = queue.pop(0)
            future = client.submit(_packed_rows, shared, stretches[number], pure=False, retries=ATTEMPTS)
            numbers[future.key] = number
            return future

        ready = as_completed([submit() for _ in range(min(most, len(queue)))])
        for future in ready:
            yield numbers.pop(future.key), future.result()
            if queue:
                ready.add(submit())
    finally:
        if own:
            client.close()


def _pool(packed: bytes, workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"), initializer=_begin,
                               initargs=(packed,))


def _begin(packed: bytes) -> None:
    """Make a worker ready. It ends with its parent, however that ends."""
    global _WORK
    _WORK = pickle.loads(packed)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)


def _rows(columns: Mapping[str, np.ndarray]) -> Rows:
    rows: Rows = _WORK.rows(columns)
    return rows


def _packed_rows(packed: bytes, columns: Mapping[str, np.ndarray]) -> Rows:
    """The same on a Dask worker, which keeps what it has unpacked."""
    global _WORK, _PACKED
    if _PACKED != packed:
        _WORK, _PACKED = pickle.loads(packed), packed
    return _rows(columns)


_PACKED = b""
