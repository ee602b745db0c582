"""Building machine code: entry points compiled in parallel processes, linked where there is a linker, kept in the cache.

`make_library` builds the library that the wheel carries.
"""

from __future__ import annotations

import json
import logging
import os
import platform
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from routh.core.tables.entries import ENTRIES, Entry
from routh.errors import RouthError
from routh.native import store
from routh.native.levels import levels_of
from routh.native.sources import compilers, source_digest, tree_digest
from routh.whole_file import write_whole

__all__ = ["build", "make_library"]

# seconds that entry points take, as far as they differ from one: for the order of work and the time left
SECONDS = {"strike": 18.0, "run_events": 13.0, "accelerate": 12.0, "solve": 10.0, "choose": 5.0, "impact_space": 5.0,
           "run_implicit": 4.6, "gap_ellipsoid": 3.2, "project": 3.0, "observe": 3.0, "gap_cylinder": 2.8, "gap_ellipse": 2.3,
           "run_explicit": 2.3, "gap_polyhedron": 2.0}
STAGES = {"gap": "gaps", "run": "runs", "impact": "impacts", "impacts": "impacts", "strike": "impacts",
          "choose": "contact modes", "solve": "contact forces"}

log = logging.getLogger("routh")


def cost(entry: Entry) -> float:
    """Seconds that an entry point takes to compile, roughly."""
    return SECONDS.get(entry.name, 0.4) * (1.2 if entry.space == "spatial" else 1.0)


def stage(entry: Entry) -> str:
    """What an entry point is for, in words."""
    kind = STAGES.get(entry.name) or STAGES.get(entry.name.split("_")[0], "mechanics")
    return kind if entry.space == "any" else f"{entry.space} {kind}"


def link(objects: list[Path], target: Path) -> None:
    """Link objects into a shared library; RouthError where the linker fails."""
    flags = ["-shared", "-O1", "-s"] if sys.platform != "darwin" else ["-dynamiclib"]
    command = [str(store.linker()), *flags, "-o", str(target), *map(str, objects), "-lm"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        raise RouthError(f"{command[0]} could not link {target.name}: {run.stderr.strip()[:500]}")


class _Work:
    """Entry points still to compile, shared out so that neighbours, which share functions, go to the same process."""

    def __init__(self, entries: list[Entry], workers: int) -> None:
        rest = sorted(entries, key=lambda entry: entry.space)  # in a space, in the order of the table
        share, self.parts = sum(map(cost, rest)) / workers, [[] for _ in range(workers)]  # type: ignore[var-annotated]
        taken, part = 0.0, 0
        for entry in rest:
            if taken + 0.5 * cost(entry) >= share * (part + 1) and part + 1 < workers:
                part += 1
            self.parts[part].append(entry)
            taken += cost(entry)
        self.lock = threading.Lock()

    def next(self, worker: int) -> Entry | None:
        """The next of a worker's own part, or the last of the largest part left.

        The last two of a part stay where most of what they reach has been compiled already.
        """
        with self.lock:
            if self.parts[worker]:
                return self.parts[worker].pop(0)
            fullest = max(self.parts, key=lambda part: sum(map(cost, part)))
            return fullest.pop() if len(fullest) > 2 else None


@contextmanager
def _progress(entries: list[Entry]) -> Iterator[Any]:
    """A bar on standard error with the stage and the time left; plain lines where it is no terminal."""
    total, workers = sum(map(cost, entries)), min(os.cpu_count() or 1, len(entries))
    if sys.stderr is None or not sys.stderr.isatty():
        log.warning("routh: compiling %d kernels for this machine, once (about %.0f s) ...", len(entries),
                    max(total / workers, 1.0))
        yield lambda entry, finished: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn
    from rich.text import Text

    class Left(ProgressColumn):
        """Seconds left: by the table of costs at first, then by what has been done."""

        def render(self, task: Any) -> Any:
            elapsed = task.elapsed or 0.0
            whole = total / workers if task.completed < 0.2 * total else elapsed * total / task.completed
            return Text(f"about {max(whole - elapsed, 1.0):.0f} s left")

    with Progress(TextColumn("routh: compiling kernels, once on this machine:"), BarColumn(), Left(),
                  TextColumn("{task.description}"), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)

        def show(entry: Entry, finished: bool) -> None:
            bar.update(task, advance=cost(entry) if finished else 0.0, description=stage(entry))

        yield show


def _serve(index: int, work: _Work, levels: list[str], folder: Path, answers: queue.Queue[Any], started: list[Any]) -> None:
    """Feed one compiling process until nothing is left."""
    path = os.pathsep.join(filter(None, [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH")]))
    process = subprocess.Popen([sys.executable, "-P", "-m", "routh.native.worker"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True,
                               env=os.environ | {"PYTHONPATH": path, "NUMBA_DISABLE_JIT": "0"})
    started.append(process)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        while (entry := work.next(index)) is not None:
            task = {"name": entry.name, "space": entry.space, "levels": levels, "folder": str(folder)}
            answers.put((entry, {"begun": True}))
            print(json.dumps(task), file=process.stdin, flush=True)
            line = process.stdout.readline()
            if not line:
                answers.put((entry, {"error": f"the compiling process ended ({process.wait()})"}))
                return
            answers.put((entry, json.loads(line)))
    except BaseException as error:
        answers.put((None, {"error": repr(error)}))
    finally:
        process.stdin.close()
        process.terminate()
        process.wait()
        answers.put((None, {}))


def compile_all(entries: list[Entry], levels: list[str], folder: Path, watch: Any) -> None:
    """Compile entry points into object files in `folder`; `watch(entry, seconds)` is told of each, with None as it begins."""
    if not compilers():
        raise RouthError("this installation has no compiled kernels for what is asked, and Numba is not installed to compile "
                         "them: pip install 'routh[compile]'")
    workers = max(1, min(os.cpu_count() or 1, len(entries)))
    work, answers = _Work(entries, workers), queue.Queue()  # type: ignore[var-annotated]
    started: list[Any] = []
    threads = [threading.Thread(target=_serve, args=(i, work, levels, folder, answers, started), daemon=True)
               for i in range(workers)]
    for thread in threads:
        thread.start()
    running, done = workers, 0
    try:
        while running:
            entry, answer = answers.get()
            if "error" in answer:
                raise RouthError(f"compiling kernels failed: {answer['error']}")
            if entry is None:
                running -= 1
                continue
            done += "seconds" in answer
            watch(entry, answer.get("seconds"))
    finally:  # an error, or Ctrl-C: nobody needs the rest
        work.parts = [[] for _ in range(workers)]
        for process in started:
            process.kill()
    if done < len(entries):
        raise RouthError(f"compiling kernels failed: {len(entries) - done} of {len(entries)} are missing")


def build(entries: list[Entry], levels: list[str]) -> None:
    """Compile entry points into the cache."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="routh-build-") as name, _progress(entries) as show:
        folder = Path(name)

        def keep(entry: Entry, seconds: float | None) -> None:
            show(entry, seconds is not None)
            if seconds is None:
                return
            for level in levels:
                made = folder / f"{entry.symbol}-{level}{store.OBJECT}"
                store.put(entry, level, made)
                if store.linker():
                    link([made], made.with_suffix(store.SHARED))
                    store.put(entry, level, made.with_suffix(store.SHARED))
            log.debug("routh: compiled %s in %.1f s", entry.symbol, seconds)

        compile_all(entries, levels, folder, keep)
    store.prune()
    log.info("routh: compiled %d kernels in %.0f s", len(entries), time.perf_counter() - began)


def make_library(folder: Path = store.LIBRARY, levels: tuple[str, ...] = ()) -> dict[str, Any]:
    """Build the library of each level, with all entry points, and its manifest; what the cache holds is not compiled again."""
    if not store.linker():
        raise RouthError("a library needs a C compiler to link it (cc, gcc or clang on PATH)")
    levels = levels or levels_of(platform.machine())
    entries = list(ENTRIES.values())
    missing = [e for e in entries if any(store.find_cached(e, level, linked=False) is None for level in levels)]
    if missing:
        build(missing, list(levels))
    folder.mkdir(parents=True, exist_ok=True)
    manifest: dict[str, Any] = {"machine": f"{sys.platform} {platform.machine()}", "compilers": compilers(),
                                "tree": tree_digest(), "entries": {e.symbol: source_digest(e) for e in entries},
                                "libraries": {}}
    with tempfile.TemporaryDirectory(prefix="routh-build-") as name:
        for level in levels:
            target = Path(name) / f"routh-{level}{store.SHARED}"
            link([store.find_cached(e, level, linked=False) for e in entries], target)  # type: ignore[misc]
            data = target.read_bytes()
            write_whole(folder / target.name, data)
            (folder / target.name).chmod(0o755)
            manifest["libraries"][level] = {"file": target.name, "digest": store.digest_of(data)}
    write_whole(folder / "manifest.json", json.dumps(manifest, indent=1).encode())
    (folder / "manifest.json").chmod(0o644)
    return manifest | {"compiled": [e.symbol for e in missing]}


if __name__ == "__main__":
    made = make_library()
    sizes = ", ".join(f"{level} {(store.LIBRARY / one['file']).stat().st_size / 1e6:.2f} MB"
                      for level, one in made["libraries"].items())
    print(f"{len(made['entries'])} kernels ({len(made['compiled'])} compiled now): {sizes}")
