"""What a CPU level costs: the same work with the kernels of level v2, of v3, and compiled for the very CPU of this machine.

Each level runs in a process of its own. The processes take turns, and each gives the least CPU time of its rounds.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys

from routh.bench.common import ROUTH, Row
from routh.native.levels import levels_of

ROUNDS = 9
GOALS = {"v2": 1.2, "v3": 1.05}

WORK = """
import json, sys, time
import numpy as np
import routh as rt
from routh.gallery import chain, shin
from routh.gallery.scenes import scene
from routh.vehicles.tracked import OPTIONS

links = rt.compile_model(chain.model(50))._machine
q, u = np.linspace(0.1, 0.3, links.compiled.n_q), np.linspace(-1.0, 1.0, links.compiled.n_u)
ball = scene("park_ball")
compiled = rt.compile_model(ball.model)
start, quiet = ball.start, rt.Options(output=[])
rng = np.random.default_rng(1)
B = rng.normal(size=(20_000, 3, 3))
A, v = B @ B.transpose(0, 2, 1) + 0.3 * np.eye(3), rng.normal(size=(20_000, 3))
v[:, 0] = -abs(v[:, 0])
vehicle, tracks = rt.compile_model(shin.model()), shin.start()

work = {
    "chain of 50": lambda: links.call("repeat", 0.0, q, u.copy(), 2000),
    "ball": lambda: [rt.simulate(compiled, start, 5.0, options=quiet) for _ in range(20)],
    "vehicle": lambda: rt.simulate(vehicle, tracks, 0.5, options=OPTIONS),
    "impacts": lambda: rt.resolve_impacts(A, v, 0.5, 0.3, law="stronge"),
}
for what, function in work.items():
    function()
for line in sys.stdin:
    begin = time.process_time()
    work[line.strip()]()
    print(time.process_time() - begin, flush=True)
"""
CASES = ("chain of 50", "ball", "vehicle", "impacts")


def rows():
    levels = [*levels_of(platform.machine()), "host"]
    processes = {level: subprocess.Popen([sys.executable, "-c", WORK], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                         env=os.environ | {"ROUTH_CPU": level}) for level in levels}
    for case in CASES:
        best = dict.fromkeys(levels, float("inf"))
        for _ in range(ROUNDS):
            for level, process in processes.items():
                print(case, file=process.stdin, flush=True)
                best[level] = min(best[level], json.loads(process.stdout.readline()))
        for level in levels[:-1]:
            yield Row(f"{case}, level {level}", ROUTH, best[level] / best["host"], "x host", f"{best[level] * 1e3:.2f} ms",
                      goal=GOALS.get(level))
    for process in processes.values():
        process.stdin.close()
        process.wait()
