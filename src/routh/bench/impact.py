"""Single impacts: the cost of each in a batch, by class, beside a SciPy script of the same impact; the cost of one call.

Input is made outside the clock; checking it is inside, because every caller pays for it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator

import numpy as np
from scipy.integrate import solve_ivp

from routh.bench.common import ROUTH, Row
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


def each(hits: dict, law: str = "poisson") -> float:
    """CPU microseconds of an impact."""
    resolve_impacts(**hits, law=law)
    return 1e6 * best(lambda: resolve_impacts(**hits, law=law), time.process_time) / len(hits["v"])


def pick(hits: dict, where: np.ndarray) -> dict:
    return {name: np.ascontiguousarray(x[where]) for name, x in hits.items()}


def scipy_impact(A: np.ndarray, v: np.ndarray, e: float, mu: float) -> np.ndarray:
    """The Poisson impulse of a sliding impact by a script: solve_ivp to v_n = 0, then to (1 + e) p_c."""

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


def rows() -> Iterator[Row]:
    plane = contacts(2, 300_000)
    for law in ("newton", "poisson", "stronge", "newton-algebraic", "brach"):
        yield Row(f"impact in the plane, {law}", ROUTH, each(plane, law), "us", goal=0.2)
    flat = contacts(3, 100_000, diagonal=True)
    kinds = resolve_impacts(**flat).kind
    sticks = (kinds == Kind.STICK_COMPRESSION) | (kinds == Kind.STICK_RESTITUTION)
    yield Row("impact in space, diagonal A, slip stops", ROUTH, each(pick(flat, sticks)), "us", goal=1.0)
    yield Row("impact in space, diagonal A, slides", ROUTH, each(pick(flat, kinds == Kind.SLIDING)), "us", goal=5.0)
    deep = contacts(3, 40_000)
    for law in ("newton", "poisson", "stronge"):
        yield Row(f"impact in space, {law}", ROUTH, each(deep, law), "us", goal=10.0)

    # the same impacts by a SciPy script, in the same run
    slides = pick(deep, resolve_impacts(**deep).kind == Kind.SLIDING)
    few = {name: x[:40] for name, x in slides.items()}
    begin = time.process_time()
    script = np.array([scipy_impact(*(few[name][i] for name in ("A", "v", "e", "mu"))) for i in range(40)])
    theirs = (time.process_time() - begin) / 40
    exact = resolve_impacts(**few).impulse
    off = np.linalg.norm(script - exact, axis=1) / np.linalg.norm(exact, axis=1)
    case = "impact in space, sliding"
    yield Row(case, "scipy script, DOP853", 1e6 * theirs, "us", f"impulses differ from Routh's by at most {off.max():.0e}")
    yield Row(case, ROUTH, each(slides), "us", goal_ratio=1.0 / 500.0)

    one = Poisson(0.5, 0.3)
    for name, hits in (("plane", plane), ("space", deep)):
        A, v = hits["A"][0], hits["v"][0]
        resolve_impact(A, v, one)
        single = best(lambda: [resolve_impact(A, v, one) for _ in range(2000)]) / 2000  # noqa: B023
        yield Row(f"one call of resolve_impact, {name}", ROUTH, 1e6 * single, "us", goal=15.0)
