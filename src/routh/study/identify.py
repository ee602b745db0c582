"""`identify`: parameters of a model that explain measured motions best, with intervals, by least squares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from routh.compiler.compile import compile_model
from routh.errors import ModelError
from routh.model.model import Model
from routh.sim.options import Options
from routh.study.fit import Fit
from routh.study.measured import Measured, read_measured
from routh.study.residuals import FAR, STEP, Problem

__all__ = ["identify"]

SCREEN = 4            # points that are looked at for each local search
ROUNDS = 2            # times that unknown noise is estimated from what a fit leaves
AT_BOUND = 1e-3       # of the width of the bounds: a fit this near to one lies on it
TIED = 0.98           # correlation of two parameters beyond which the data tell hardly more than a combination of them
LOOSE = 1e-6          # singular value against the largest, of derivatives by parameters in widths of their bounds
NAMED = 0.1           # part of a parameter, in a unit direction, from which the direction is about it
PROFILE_STEPS = 12    # refits in search of one end of an interval
SHARP = 2e-3          # of the half width of an interval: how near its end is found
BETTER = 0.5          # units of the variance by which another minimum must be lower to count


def identify(model: Model, motions: Any, vary: Mapping[str, Sequence[float]], *,
             own: Mapping[str, Sequence[float]] | None = None, noise: float | Mapping[str, float] | None = None,
             starts: int = 4, seed: int = 0, level: float = 0.95, profile: bool = True, by_motion: bool = False,
             derivatives: str | float = "exact", options: Options | None = None) -> Fit:
    """Fit parameters of a model, of its laws or of the start to measured motions by least squares.

    Parameters
    ----------
    model
        What moved.
    motions
        A `study.Measured`, the path of a CSV file (see `study.read_measured`), or a list of them.
    vary
        Bounds of each parameter by its path: `{"bounce.law.e": (0.1, 0.9), "ball.inertia": (1e-5, 1e-4), "ball.vx": (0, 1)}`.
        A path that names no field of an element is a value of the start, the same in all motions.
    own
        Bounds of start values that every motion has for itself. Default: none.
    noise
        Standard deviation of the measurement, one number or one per channel. Default: estimated per channel from what the fit
        leaves.
    starts
        Local searches, from the model's own values and from the best of a Latin hypercube over the bounds. Default: 4.
    seed
        Of the Latin hypercube. Default: 0.
    level
        Probability of the intervals. Default: 0.95.
    profile
        Intervals by profile likelihood, of parameters in `vary`; else from the covariance. Default: True.
    by_motion
        Let the covariance treat motions, not single samples, as independent, as it must be where errors of the model exceed
        the noise. Needs several motions; intervals are then those of the covariance. Default: False.
    derivatives
        "exact" ones through all events, "differences", or the step of differences as a part of the width of the bounds: a wide
        one, such as 0.02, for motions whose outcome jumps, as where a cube falls on another face. Default: "exact".
    options
        Tolerances of the runs. Default: `Options()`.

    Returns
    -------
    Fit
        Values, intervals, covariance, residuals, warnings.

    Examples
    --------
    >>> t = np.linspace(0.0, 2.5, 60)
    >>> truth = rt.simulate(park.ball(), rt.State(ball={"y": 10.0}), 2.5, options=rt.Options(output=t[1:]))
    >>> noisy = truth.sol(t, "ball.y")["ball.y"] + np.random.default_rng(0).normal(0.0, 0.1, 60)
    >>> drop = rt.study.Measured(t, {"ball.y": noisy}, rt.State(ball={"y": 10.0}))
    >>> fit = rt.identify(park.ball(), drop, {"bounce.law.e": (0.2, 0.9)}, starts=2)
    >>> low, high = fit.intervals["bounce.law.e"]
    >>> low < park.ball().contacts[0].law.e < high
    True
    """
    if not isinstance(model, Model):
        raise ModelError(f"identify: {model!r:.60} is not a Model")
    if not isinstance(starts, int) or starts < 1:
        raise ModelError(f"identify: starts = {starts!r} must be a positive whole number")
    if not 0.0 < level < 1.0:
        raise ModelError(f"identify: level = {level!r} must lie between 0 and 1")
    if not (derivatives in ("exact", "differences") or (isinstance(derivatives, float) and 0.0 < derivatives < 0.5)):
        raise ModelError(f'identify: derivatives = {derivatives!r} are neither "exact" nor "differences", nor a step below 0.5')
    measured = motions_of(motions)
    if not vary and not own:
        raise ModelError('identify: vary names no parameter; give it as {"bounce.law.e": (0.1, 0.9)}')
    problem = Problem(compile_model(model), measured, _bounds(vary), _bounds(own or {}), _first_noise(measured, noise),
                      options or Options(), derivatives == "exact",
                      derivatives if isinstance(derivatives, float) else STEP)
    problem.check()
    if problem.n <= len(problem.names):
        raise ModelError(f"identify: {problem.n} measured numbers do not determine {len(problem.names)} parameters")
    if by_motion and len(measured) <= len(problem.shared) + 1:
        raise ModelError(f"identify: by_motion=True needs more motions than parameters, not {len(measured)}")
    searches = _search(problem, starts, seed)
    x, _ = searches[0]
    for _ in range(ROUNDS if noise is None else 0):
        problem.noise = _left(problem, x)
        x = _local(problem, x)[0]
    for _ in range(starts + 1):
        try:
            return _finish(problem, x, searches, noise is not None, level, profile, by_motion)
        except _LowerError as found:  # another minimum, met along a profile
            x, cost = _local(problem, found.x)
            searches.insert(0, (x, cost))
            problem.noise = _left(problem, x) if noise is None else problem.noise
    return _finish(problem, x, searches, noise is not None, level, False, by_motion)


def motions_of(motions: Any) -> list[Measured]:
    """Measured motions from whatever the user gave, each with a name of its own."""
    given = [motions] if isinstance(motions, Measured | str | Path) else list(motions)
    found = [read_measured(one) if isinstance(one, str | Path) else one for one in given]
    if not found or not all(isinstance(one, Measured) for one in found):
        raise ModelError("identify: motions must be a study.Measured, the path of a CSV file, or a list of them")
    if len({motion.name for motion in found}) < len(found):
        for number, motion in enumerate(found):
            found[number] = Measured(motion.t, motion.channels, motion.start, motion.begin, f"motion {number}")
    return found


def _bounds(vary: Mapping[str, Sequence[float]]) -> dict[str, tuple[float, float]]:
    out = {}
    for path, pair in vary.items():
        try:
            low, high = (float(end) for end in pair)
        except (TypeError, ValueError):
            raise ModelError(f'identify: "{path}": {pair!r:.60} are not two bounds, such as (0.1, 0.9)') from None
        out[path] = (low, high)
    return out


def _first_noise(motions: Sequence[Measured], noise: float | Mapping[str, float] | None) -> dict[str, float]:
    """Noise of every channel: as given, or the scatter of its values until a fit tells better."""
    channels = list(dict.fromkeys(name for motion in motions for name in motion.channels))
    out = {}
    for name in channels:
        given = noise.get(name) if isinstance(noise, Mapping) else noise
        if given is None and noise is not None:
            raise ModelError(f'identify: noise says nothing of "{name}"; give it for every channel, or for none')
        if given is None:
            values = np.concatenate([motion.channels[name] for motion in motions if name in motion.channels])
            given = float(np.nanstd(values)) or 1.0
        if not (np.isfinite(given) and given > 0.0):
            raise ModelError(f'identify: noise of "{name}" = {given!r} must be a positive number')
        out[name] = float(given)
    return out


def _local(problem: Problem, x: np.ndarray, free: np.ndarray | None = None) -> tuple[np.ndarray, float]:
    """(parameters, sum of squares) of a local search, in which only the `free` parameters move."""
    from scipy.optimize import least_squares

    free = np.ones(len(x), bool) if free is None else free
    x = np.clip(x, problem.low, problem.high)
    if not free.any():
        return x, float(np.sum(problem.residuals(x) ** 2))

    def whole(part: np.ndarray) -> np.ndarray:
        out = x.copy()
        out[free] = part
        return out

    inner = 1e-9 * (problem.high - problem.low)[free]  # a search begins strictly within its bounds
    begin = np.clip(x[free], problem.low[free] + inner, problem.high[free] - inner)
    found = least_squares(lambda part: problem.residuals(whole(part)), begin,
                          jac=lambda part: problem.jacobian(whole(part))[:, free],
                          bounds=(problem.low[free], problem.high[free]), x_scale=(problem.high - problem.low)[free],
                          xtol=1e-8, ftol=1e-9, gtol=1e-9, max_nfev=60)
    return whole(found.x), 2.0 * float(found.cost)


def _search(problem: Problem, starts: int, seed: int) -> list[tuple[np.ndarray, float]]:
    """(parameters, sum of squares) of every local search, the best first."""
    width = problem.high - problem.low
    first = problem.low + 0.5 * width
    for k, name in enumerate(problem.shared):
        own = _own_value(problem, name)
        first[k] = np.clip(own, problem.low[k], problem.high[k]) if own is not None else first[k]
    points = [first]
    if starts > 1:
        from scipy.stats import qmc

        cube = qmc.LatinHypercube(len(first), seed=seed).random(SCREEN * (starts - 1))
        drawn = [problem.low + row * width for row in cube]
        costs = [float(np.sum(problem.residuals(x) ** 2)) for x in drawn]
        points += [drawn[i] for i in np.argsort(costs, kind="stable")[: starts - 1]]
    found = [_local(problem, x) for x in points]
    return sorted(found, key=lambda one: one[1])


def _own_value(problem: Problem, path: str) -> float | None:
    """What the model itself says of a parameter."""
    item: Any = next((element for element in problem.compiled.model.elements() if element.name == path.partition(".")[0]), None)
    for key in path.split(".")[1:]:
        item = getattr(item, key, None)
    return float(item) if isinstance(item, int | float) else None


def _left(problem: Problem, x: np.ndarray) -> dict[str, float]:
    """Standard deviation of what a fit leaves of each channel."""
    squares, counts = dict.fromkeys(problem.noise, 0.0), dict.fromkeys(problem.noise, 0)
    for m, motion in enumerate(problem.motions):
        for name, values in (problem.differences(problem.point(x, m), motion) or {}).items():
            known = np.isfinite(values)
            squares[name] += float(np.sum(values[known] ** 2))
            counts[name] += int(known.sum())
    share = 1.0 - len(x) / problem.n  # of the degrees of freedom that the parameters leave
    return {name: max(np.sqrt(squares[name] / max(counts[name] * share, 1.0)), 1e-12 * noise)
            for name, noise in problem.noise.items()}


def _finish(problem: Problem, x: np.ndarray, searches: list[tuple[np.ndarray, float]], known: bool, level: float, profile: bool,
            by_motion: bool) -> Fit:
    """Covariance, intervals and warnings of a fit."""
    from scipy.special import stdtrit

    residual, J = problem.residuals(x), problem.jacobian(x)
    if (np.abs(residual) >= FAR).all():
        raise ModelError("identify: no run within the bounds reaches the end of the measurement; see simulate at such a point")
    width = problem.high - problem.low
    names, freedom = problem.names, problem.n - len(x)
    variance = float(residual @ residual) / freedom
    scale = max(variance, 1.0) if known else variance
    _, s, vt = np.linalg.svd(J * width, full_matrices=False)
    weak = s < LOOSE * max(s[0], 1e-300)
    inverse = (vt[~weak].T / s[~weak] ** 2) @ vt[~weak] * np.outer(width, width)
    if by_motion:
        ends = np.cumsum([motion.n for motion in problem.motions])[:-1]
        scores = np.array([j.T @ r for j, r in zip(np.split(J, ends), np.split(residual, ends), strict=True)])
        count = len(problem.motions)
        covariance = inverse @ (scores.T @ scores) @ inverse * count / max(count - len(problem.shared), 1)
        freedom = count - len(problem.shared)
    else:
        covariance = scale * inverse
    loose = (np.abs(vt[weak]) > NAMED).any(axis=0)  # parameters of which only combinations are determined, or nothing
    covariance[loose, loose] = np.inf
    error = np.sqrt(np.diag(covariance))
    reach = float(stdtrit(freedom, 0.5 + 0.5 * level))
    warnings = _warnings(problem, x, J, vt[weak], covariance, error, reach)
    if known and variance > 4.0:
        warnings.append(f"what is left is {np.sqrt(variance):.2g} times the stated noise: the model does not explain the data, "
                        "and intervals are widened accordingly")
    best = searches[0][1]
    if len(searches) > 1 and sum(cost < 1.5 * best + 1e-12 for _, cost in searches) == 1:
        warnings.append(f"only one of {len(searches)} searches came to this minimum; take more starts, or narrower bounds")
    intervals = {name: (float(x[k] - reach * error[k]), float(x[k] + reach * error[k])) for k, name in enumerate(names)}
    intervals |= {names[i]: (float(problem.low[i]), float(problem.high[i])) for i in np.flatnonzero(loose)}
    if profile and not by_motion:
        for k, name in enumerate(problem.shared):
            if loose[k]:
                continue
            least = float(residual @ residual)
            sides = [_profile_end(problem, x, k, way, covariance, reach, scale, least) for way in (-1.0, 1.0)]
            for end, bound, word in zip(sides, (problem.low[k], problem.high[k]), ("lower", "upper"), strict=True):
                if end is None:
                    warnings.append(f'"{name}": the data do not bound it on the side of its {word} bound, {bound:g}')
            intervals[name] = (sides[0] if sides[0] is not None else float(problem.low[k]),
                               sides[1] if sides[1] is not None else float(problem.high[k]))
    return Fit(problem, x, covariance, intervals, level, residual, variance, warnings,
               [(dict(zip(names, map(float, point), strict=True)), cost) for point, cost in searches])


def _warnings(problem: Problem, x: np.ndarray, J: np.ndarray, weak: np.ndarray, covariance: np.ndarray, error: np.ndarray,
              reach: float) -> list[str]:
    """What the data do not tell."""
    names, width, out = problem.names, problem.high - problem.low, []
    change = np.linalg.norm(J, axis=0) * width  # of what was measured, over the bounds of each parameter
    felt = change > LOOSE * change.max(initial=0.0)
    for k, name in enumerate(names):
        if not felt[k]:
            out.append(f'"{name}" has no influence on what was measured')
        elif min(x[k] - problem.low[k], problem.high[k] - x[k]) < AT_BOUND * width[k]:
            out.append(f'"{name}" = {x[k]:g} lies on a bound; widen it, or the model is wrong')
        elif width[k] < reach * error[k] < np.inf:
            out.append(f'"{name}": its interval is wider than its bounds: the data do not determine it')
    for direction in weak:
        parts = [names[k] for k in np.argsort(-np.abs(direction)) if abs(direction[k]) > NAMED and felt[k]]
        if len(parts) > 1:
            out.append(f"only a combination of {', '.join(parts)} is determined; fix one of them")
    with np.errstate(invalid="ignore", divide="ignore"):
        tied = np.nan_to_num(covariance / np.outer(error, error))
    for i, j in zip(*np.nonzero(np.triu(np.abs(tied) > TIED, 1)), strict=True):
        out.append(f'"{names[i]}" and "{names[j]}" are correlated by {tied[i, j]:.3f}: each alone is poorly determined')
    return out


class _LowerError(Exception):
    """A search on the way along a profile came to a smaller sum of squares than the fit, at `x`."""

    def __init__(self, x: np.ndarray) -> None:
        super().__init__()
        self.x = x


def _profile_end(problem: Problem, x: np.ndarray, k: int, way: float, covariance: np.ndarray, reach: float, scale: float,
                 least: float) -> float | None:
    """Where the sum of squares, least over all other parameters, has risen by the quantile; None where it never does."""
    bound = problem.high[k] if way > 0.0 else problem.low[k]
    free = np.arange(len(x)) != k
    along = np.nan_to_num(covariance[:, k] / covariance[k, k]) if covariance[k, k] > 0.0 else np.where(free, 0.0, 1.0)
    last = x

    def excess(value: float) -> float:
        """Root of the rise in units of the variance, less the quantile: a straight line where the model is linear."""
        nonlocal last
        guess = last + along * (value - last[k])
        guess[k] = value
        last, cost = _local(problem, guess, free)
        if cost < least - BETTER * scale:
            raise _LowerError(last)
        return float(np.sqrt(max(cost - least, 0.0) / scale)) - reach

    step = reach * float(np.sqrt(covariance[k, k])) or 0.01 * (problem.high[k] - problem.low[k])
    inner, below = float(x[k]), -reach
    for _ in range(PROFILE_STEPS):
        outer = float(np.clip(x[k] + way * step, problem.low[k], problem.high[k]))
        above = excess(outer)
        if above >= 0.0:
            break
        if outer == bound:
            return None
        inner, below, step = outer, above, 1.6 * step
    else:
        return None
    wide = abs(outer - inner)
    for _ in range(PROFILE_STEPS):  # false position, with a bisection where it would creep
        if abs(outer - inner) < SHARP * wide or above < SHARP * reach:
            break
        part = float(np.clip(-below / (above - below), 0.1, 0.9))
        middle = inner + part * (outer - inner)
        value = excess(middle)
        inner, below, outer, above = (inner, below, middle, value) if value >= 0.0 else (middle, value, outer, above)
    return outer
