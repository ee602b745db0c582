"""How fast impacts are resolved, how exactly, and how that compares with a SciPy script of the same blow.

    python bench/bench_impact.py            all tables; about a minute
    python bench/bench_impact.py --json F   also as data

Rates are the best of several runs. Those of one thread are per second of processor time, so that a busy
machine does not blur them; the gain of two threads and the single calls are wall time. Input is made outside
the clock; checking it is inside, because every caller pays for it.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable

import numba
import numpy as np
from scipy.integrate import solve_ivp

from routh.model.laws import Poisson
from routh.sim.impact import Kind, resolve_impact, resolve_impacts

REPEATS = 7


def best(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Shortest time of a few runs [s]."""
    times = []
    for _ in range(REPEATS):
        start = clock()
        work()
        times.append(clock() - start)
    return min(times)


def contacts(d: int, n: int, seed: int = 0, diagonal: bool = False) -> dict:
    """Random contacts of bodies: coupled or diagonal."""
    rng = np.random.default_rng([seed, d])
    if diagonal:
        A = np.zeros((n, d, d))
        A[:, range(d), range(d)] = 10.0 ** rng.uniform(-0.7, 0.7, (n, d))
    else:
        M = rng.normal(size=(n, d, d))
        A = M @ M.transpose(0, 2, 1) + 0.1 * np.eye(d)
        A = 0.5 * (A + A.transpose(0, 2, 1))
    v = rng.normal(size=(n, d))
    v[:, 0] = -np.abs(v[:, 0])
    return {"A": A, "v": v, "e": rng.uniform(0.0, 1.0, n), "mu": rng.uniform(0.0, 1.0, n)}


def rate(blows: dict, law: str = "poisson", clock: Callable[[], float] = time.process_time) -> float:
    """Impacts per second."""
    resolve_impacts(**blows, law=law)
    return len(blows["v"]) / best(lambda: resolve_impacts(**blows, law=law), clock)


def pick(blows: dict, where: np.ndarray) -> dict:
    return {name: np.ascontiguousarray(x[where]) for name, x in blows.items()}


def scipy_impact(A: np.ndarray, v: np.ndarray, e: float, mu: float) -> np.ndarray:
    """The Poisson impulse of a sliding blow by a script: solve_ivp to v_n = 0, then to (1 + e) p_c."""

    def rates(_: float, y: np.ndarray) -> np.ndarray:
        size = math.hypot(y[1], y[2])
        t = y[1:3] / size if size > 1e-12 else np.zeros(2)
        return np.concatenate([A @ [1.0, -mu * t[0], -mu * t[1]], -mu * t])

    def compressed(_: float, y: np.ndarray) -> float:
        return float(y[0])

    compressed.terminal, compressed.direction = True, 1.0  # type: ignore[attr-defined]
    options = {"method": "DOP853", "rtol": 1e-10, "atol": 1e-12}
    first = solve_ivp(rates, (0.0, 1e3), [*v, 0.0, 0.0], events=compressed, **options)
    p_c = first.t[-1]
    second = solve_ivp(rates, (p_c, (1.0 + e) * p_c), first.y[:, -1], **options)
    return np.array([(1.0 + e) * p_c, *second.y[3:, -1]])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--json")
    target = parser.parse_args().json
    rows: list[dict] = []

    def row(what: str, value: float, unit: str, wanted: float | None, at_most: bool = False) -> None:
        met = None if wanted is None else (value <= wanted if at_most else value >= wanted)
        rows.append({"what": what, "value": value, "unit": unit, "wanted": wanted, "met": met})
        aim = (
            ""
            if wanted is None
            else f"   wanted {'<=' if at_most else '>='} {wanted:,g}: {'met' if met else 'NOT MET'}"
        )
        print(f"{what:<58}{value:>14,.6g} {unit}{aim}", flush=True)

    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    plane = contacts(2, 1_000_000)
    for law in ("newton", "poisson", "stronge", "newton-algebraic", "brach"):
        row(f"plane, {law}", rate(plane, law), "/s", 5e6 if law in ("newton", "poisson", "stronge") else None)

    flat = contacts(3, 100_000, diagonal=True)
    kinds = resolve_impacts(**flat).kind
    sticks = (kinds == Kind.STICK_COMPRESSION) | (kinds == Kind.STICK_RESTITUTION)
    row("space, diagonal A, slip stops (no root)", rate(pick(flat, sticks)), "/s", 1e6)
    row("space, diagonal A, slides to the end (root)", rate(pick(flat, kinds == Kind.SLIDING)), "/s", 2e5)

    deep = contacts(3, 40_000)
    for law in ("newton", "poisson", "stronge"):
        row(f"space, coupled A, {law}", rate(deep, law), "/s", 1e5)
    kinds = resolve_impacts(**deep).kind
    for kind in (Kind.SLIDING, Kind.STICK_COMPRESSION, Kind.REVERSAL_COMPRESSION, Kind.JAM):
        row(
            f"  of these, {kind.label} ({np.mean(kinds == kind):.0%})",
            rate(pick(deep, kinds == kind)),
            "/s",
            None,
        )

    # the same blows by a SciPy script, in the same run
    slides = pick(deep, kinds == Kind.SLIDING)
    few = {name: x[:40] for name, x in slides.items()}
    ours = 1.0 / rate(slides)
    start = time.process_time()
    script = np.array([scipy_impact(*(few[name][i] for name in ("A", "v", "e", "mu"))) for i in range(40)])
    theirs = (time.process_time() - start) / 40
    exact = resolve_impacts(**few).impulse
    gap = np.linalg.norm(script - exact, axis=1) / np.linalg.norm(exact, axis=1)
    row("SciPy solve_ivp script, same sliding blows", 1.0 / theirs, "/s", None)
    row("  times faster than the script", theirs / ours, "x", 500.0)
    row("  largest difference from the script (its rtol 1e-10)", float(gap.max()), "", 1e-6, at_most=True)

    numba.set_num_threads(min(2, threads))
    if threads >= 2:
        for name, blows in (("plane", plane), ("space, coupled", deep)):
            numba.set_num_threads(1)
            one = rate(blows, clock=time.perf_counter)
            numba.set_num_threads(2)
            row(f"two threads over one, {name}", rate(blows, clock=time.perf_counter) / one, "x", 1.8)

    law = Poisson(0.5, 0.3)
    for name, blows in (("plane", plane), ("space, coupled", deep)):
        A, v = blows["A"][0], blows["v"][0]
        resolve_impact(A, v, law)
        single = best(lambda: [resolve_impact(A, v, law) for _ in range(2000)]) / 2000  # noqa: B023
        row(f"one resolve_impact call, {name}", 1e6 * single, "us", 15.0, at_most=True)
    if target:
        with open(target, "w") as out:
            json.dump(rows, out, indent=1)


if __name__ == "__main__":
    main()
