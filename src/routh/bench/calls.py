"""Python around the kernels, for the ball of the README: a run, a changed number, a direct call, memory of many small steps."""

from __future__ import annotations

import statistics
import time
from pathlib import Path

import routh as rt
from routh import shapes
from routh.bench.common import ROUTH, Row
from routh.sim.run import EventRun

ROUNDS = 300


def ball():
    """The model of the README."""
    disk, floor = shapes.Disk("ball", radius=0.03), shapes.HalfSpace("ground", normal=(0.0, 1.0))
    return rt.Model(space="planar", gravity=(0.0, -9.81), bodies=[rt.Body("ball", mass=0.16, inertia=5.8e-5)],
                    contacts=[rt.Contact("bounce", floor, disk, law=rt.Stronge(e=0.8, mu=0.3))])


def overhead(run):
    """Median microseconds of `run(i)` besides the compiled loop."""
    call, inside = EventRun._call, []

    def timed(self, implicit):
        begin = time.perf_counter()
        code = call(self, implicit)
        inside.append(time.perf_counter() - begin)
        return code

    EventRun._call = timed
    spent = []
    try:
        for i in range(ROUNDS):
            inside.clear()
            begin = time.perf_counter()
            run(i)
            spent.append(time.perf_counter() - begin - sum(inside))
    finally:
        EventRun._call = call
    return 1e6 * statistics.median(spent)


def resident():
    """Megabytes that this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def rows():
    compiled, quiet = rt.compile_model(ball()), rt.Options(output=[])
    start = rt.State(ball={"y": 1.03, "vx": 0.5, "omega": -40.0})
    rt.simulate(compiled, start, 5.0, options=quiet)
    yield Row("simulate, besides the loop", ROUTH, overhead(lambda i: rt.simulate(compiled, start, 5.0, options=quiet)), "us",
              goal=120.0)

    def changed(i):
        other = compiled.replace({"bounce.law.e": 0.5 + 1e-4 * i})
        return rt.simulate(other, start, 5.0, options=quiet)

    yield Row("the same, e changed", ROUTH, overhead(changed), "us", goal=150.0)
    q, u = [0.0, 1.0, 0.0], [0.5, 0.0, -40.0]
    begin = time.perf_counter()
    for _ in range(20_000):
        compiled.accelerations(0.0, q, u)
    yield Row("accelerations", ROUTH, (time.perf_counter() - begin) / 20_000 * 1e6, "us", goal=5.0)
    sim = rt.Simulator(compiled, start).advance(1e-4)
    before = resident()
    for _ in range(100_000):
        sim.advance(5e-5)
    yield Row("1e5 advances, memory", ROUTH, resident() - before, "MB", goal=20.0)
