"""Thousands of random scenes: `python tests/sweep.py 10000`. Prints every fault with its seed, and a table.

| `--kind` | scenes of |
|---|---|
| scenes | `random_scenes`: mechanisms and free bodies among floors, walls and obstacles |
| fast | the same with restitutions that depend on the approach speed, and Moreau's rule |
| heaps | `random_heaps`: one to three convex bodies settle in a box with strong friction |
| dense | `random_heaps`: four to seven of them |
| machines | `random_machines`: cams, ratchets, latches, clearances, gears |
| linkages | `random_machines`: chains and loops in space with stops, ropes and obstacles |

The table has per kind and space: scenes that finished, with the share of their time that was stepped; early stops with a
physical cause (a driver that is proved to be blocked, a loop that its driver pulls into a dead point, a law that makes energy);
early stops without one; scenes that broke a law. The last two must be zero.

Each worker is a process of its own, so that a run that never comes back is found, and ended.
"""

from __future__ import annotations

import argparse
import multiprocessing
import signal
import sys
import time
from collections import Counter
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from scene_checks import PHYSICAL

mp = multiprocessing.get_context("spawn")
PATIENCE = 60.0  # seconds of computing for one scene; those that end with too many steps take half of that
KINDS = {"scenes": ("random_scenes", "draw_scene"), "fast": ("random_scenes", "draw_fast_scene"),
         "heaps": ("random_heaps", "draw_heap"), "dense": ("random_heaps", "draw_dense_heap"),
         "machines": ("random_machines", "draw_machine"), "linkages": ("random_machines", "draw_linkage")}
SPACES = {"machines": ("planar",), "linkages": ("spatial",)}
COLUMNS = ("finished", "stepped", "physical stop", "early stop", "law broken")


def work(pipe, kind, space):
    """Run the scenes whose seeds come through the pipe."""
    from scene_checks import examine

    module, name = KINDS[kind]
    draw = getattr(import_module(module), name)
    patience = 10.0 * PATIENCE  # the first scene may have to compile
    while (seed := pipe.recv()) is not None:
        began = time.perf_counter()
        signal.setitimer(signal.ITIMER_PROF, patience)  # of computing: other load on the machine does not count
        patience = PATIENCE
        try:
            status, faults, stepped = examine(draw(seed, space))
        except Exception as error:  # a crash is a finding like any other
            status, faults, stepped = "crash", [f"crash: {type(error).__name__}: {error}"], 0.0
        pipe.send((seed, status, faults, stepped, time.perf_counter() - began))


class Worker:
    """A process and the seed it is at."""

    def __init__(self, kind, space):
        self.kind, self.space, self.seed = kind, space, None
        self.start()

    def start(self):
        self.pipe, other = mp.Pipe()
        self.process = mp.Process(target=work, args=(other, self.kind, self.space), daemon=True)
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
        return self.seed, what, [f"{what}: after {time.monotonic() - self.since:.0f} s"], 0.0, PATIENCE


class Tally:
    """Counts over the scenes of one kind and space."""

    def __init__(self, name):
        self.name, self.statuses, self.kinds, self.slow = name, Counter(), Counter(), []
        self.n = self.early = self.physical = self.broken = 0
        self.stepped = 0.0

    def add(self, seed, status, faults, stepped, spent):
        self.n += 1
        self.statuses[status] += 1
        self.stepped += stepped
        self.slow = sorted([*self.slow, (round(spent, 2), seed)])[-5:]
        self.kinds.update(fault.partition(":")[0] for fault in faults)
        early = any(fault.startswith(f"{status}:") for fault in faults)
        self.early += early
        self.physical += status in PHYSICAL and not early
        self.broken += len(faults) > early

    def row(self):
        """The numbers under COLUMNS."""
        share = 100.0 * self.stepped / max(self.statuses["finished"], 1)
        return [self.statuses["finished"], f"{share:.2f} %", self.physical, self.early, self.broken]


def sweep(kind, space, seeds, workers=1, show=print):
    """The Tally over the seeds."""
    crew = [Worker(kind, space) for _ in range(workers)]
    seeds, tally, busy = iter(seeds), Tally(f"{kind}, {space}"), []
    for worker in crew:
        if (seed := next(seeds, None)) is not None:
            worker.give(seed)
            busy.append(worker)
    while busy:
        for worker in list(busy):
            if (found := worker.result()) is None:
                continue
            tally.add(*found)
            for fault in found[2]:
                show(f"{kind} seed {found[0]} {space}: {fault}")
            if (seed := next(seeds, None)) is None:
                busy.remove(worker)
            else:
                worker.give(seed)
        time.sleep(0.002)
    for worker in crew:
        worker.pipe.send(None)
    return tally


def table(tallies):
    """The rows of all tallies as text."""
    rows = [["scenes", "drawn", *COLUMNS]] + [[t.name, t.n, *t.row()] for t in tallies]
    width = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(f"{value!s:>{w}}" for value, w in zip(row, width, strict=True)) for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, nargs="?", default=300, help="scenes of each kind, half of them planar")
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--space", choices=("planar", "spatial"), action="append")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--kind", choices=tuple(KINDS), action="append")
    given = parser.parse_args()
    tallies = []
    for kind in given.kind or ["scenes"]:
        spaces = [s for s in SPACES.get(kind, ("planar", "spatial")) if s in (given.space or ("planar", "spatial"))]
        for space in spaces:
            n = given.count // len(spaces)
            tally = sweep(kind, space, range(given.first, given.first + n), given.workers, lambda line: print(line, flush=True))
            print(f"{tally.name}: {dict(tally.statuses)}; faults {dict(tally.kinds)}; slowest [s, seed] {tally.slow}",
                  flush=True)
            tallies.append(tally)
    print(table(tallies))
    print('again: cd tests && python -c "from random_scenes import *; from scene_checks import *; '
          "print(faults_of(draw_scene(SEED, 'planar')))\"")
    return 1 if any(t.early or t.broken for t in tallies) else 0


if __name__ == "__main__":
    sys.exit(main())
