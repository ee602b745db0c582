"""Thousands of random scenes: `python tests/sweep.py 10000`. Prints every fault with its seed and a line that makes it again.

`--heaps` settles heaps of `random_heaps` instead of the scenes of `random_scenes`.

Each worker is a process of its own, so that a run that never comes back is found, and ended.
"""

from __future__ import annotations

import argparse
import multiprocessing
import signal
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from scene_checks import DEAD_ENDS

mp = multiprocessing.get_context("spawn")
PATIENCE = 60.0  # seconds of computing for one scene; those that end with too many steps take half of that
RARE = 300       # of the scenes at most one in so many may stop early, with a status that says why


def work(pipe, space, heaps):
    """Run the scenes whose seeds come through the pipe."""
    from random_heaps import draw_heap
    from random_scenes import draw_scene
    from scene_checks import faults_of

    draw = draw_heap if heaps else draw_scene
    patience = 10.0 * PATIENCE  # the first scene may have to compile
    while (seed := pipe.recv()) is not None:
        began = time.perf_counter()
        signal.setitimer(signal.ITIMER_PROF, patience)  # of computing: other load on the machine does not count
        patience = PATIENCE
        try:
            status, faults = faults_of(draw(seed, space))
        except Exception as error:  # a crash is a finding like any other
            status, faults = "crash", [f"crash: {type(error).__name__}: {error}"]
        pipe.send((seed, status, faults, time.perf_counter() - began))


class Worker:
    """A process and the seed it is at."""

    def __init__(self, space, heaps):
        self.space, self.heaps, self.seed = space, heaps, None
        self.start()

    def start(self):
        self.pipe, other = mp.Pipe()
        self.process = mp.Process(target=work, args=(other, self.space, self.heaps), daemon=True)
        self.process.start()
        other.close()

    def give(self, seed):
        self.seed, self.since = seed, time.monotonic()
        self.pipe.send(seed)

    def result(self):
        """What came back, or None; a worker that died, or was ended for lack of an answer, is replaced."""
        if self.process.is_alive():
            return self.pipe.recv() if self.pipe.poll() else None
        what = "hang" if self.process.exitcode == -signal.SIGPROF else "died"
        self.start()
        return self.seed, what, [f"{what}: after {time.monotonic() - self.since:.0f} s"], PATIENCE


def sweep(space, seeds, workers=1, show=print, heaps=False):
    """Count of statuses and of faults over the seeds."""
    crew = [Worker(space, heaps) for _ in range(workers)]
    seeds, statuses, kinds, slow = iter(seeds), Counter(), Counter(), []
    busy = []
    for worker in crew:
        if (seed := next(seeds, None)) is not None:
            worker.give(seed)
            busy.append(worker)
    while busy:
        for worker in list(busy):
            if (found := worker.result()) is None:
                continue
            seed, status, faults, spent = found
            statuses[status] += 1
            slow = sorted([*slow, (round(spent, 2), seed)])[-5:]
            for fault in faults:
                kinds[fault.partition(":")[0]] += 1
                show(f"seed {seed} {space}: {fault}")
            if (seed := next(seeds, None)) is None:
                busy.remove(worker)
            else:
                worker.give(seed)
        time.sleep(0.002)
    for worker in crew:
        worker.pipe.send(None)
    return statuses, kinds, slow


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=300, help="scenes, half of them planar")
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--space", choices=("planar", "spatial"), action="append")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--heaps", action="store_true", help="settle heaps with strong friction")
    given = parser.parse_args()
    bad = 0
    spaces = given.space or ["planar", "spatial"]
    for space in spaces:
        n = given.count // len(spaces)
        statuses, kinds, slow = sweep(space, range(given.first, given.first + n), given.workers,
                                      lambda line: print(line, flush=True), given.heaps)
        print(f"{space}: {n} scenes; {dict(statuses)}; faults {dict(kinds)}; slowest [s, seed] {slow}", flush=True)
        bad += sum(count for kind, count in kinds.items() if kind not in DEAD_ENDS)
        bad += sum(statuses[status] for status in DEAD_ENDS) * RARE > n
    module, draw = ("random_heaps", "draw_heap") if given.heaps else ("random_scenes", "draw_scene")
    print(f'again: cd tests && python -c "from {module} import *; from scene_checks import *; '
          f"print(faults_of({draw}(SEED, 'planar')))\"")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
