"""Which channels tell the story of a run: what moves most, what spins, what pushes or nearly touches, and the energies."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from routh.sim.result import Result

__all__ = ["first_plots"]

MOST = 3  # curves in a plot, vectors count once
FAR = 0.1  # of the largest squared way, from which on a body counts as one that travels
CLOSED = 1e-6  # of the way of the bodies, below which a gap stays closed
SMALL = 0.05  # of the largest change in a plot, below which a curve is left out


def first_plots(result: Result) -> list[list[str]]:
    """Groups of channels, one per plot, for the first look at a run."""
    model = result.declaration["model"]
    bodies = [body["name"] for body in model["bodies"]]
    planar = result.space == "planar"
    places, spins = (("x", "y"), ("omega",)) if planar else (("x", "y", "z"), ("wx", "wy", "wz"))
    chained = {link for track in model.get("tracks", []) for link in track["links"]}
    free = [name for name in bodies if name not in chained] or bodies
    reach = {name: sum(_change(result, f"{name}.{k}") ** 2 for k in places) for name in free}
    masses = {body["name"]: float(body["mass"] or 0.0) for body in model["bodies"]}
    far = max(reach.values())
    hero = max((name for name in free if reach[name] >= FAR * far), key=masses.__getitem__)  # the heaviest of those that travel
    moving = _largest(result, (f"{hero}.{k}" for k in places))
    turning = _largest(result, (f"{name}.{k}" for name in (free if planar else [hero]) for k in spins))
    pushes = _peaks(result, (name for name in result.channels if name.endswith(".reaction")))
    names = [contact["name"] for contact in model["contacts"] if f"{contact['name']}.gap" in result]
    struck, counts = np.unique(result.impacts["contact"], return_counts=True)
    hits = dict(zip(struck.tolist(), counts.tolist(), strict=True))
    gaps = [f"{name}.gap" for name in sorted(names, key=lambda name: -hits.get(name, 0))[:MOST]]
    gaps = [name for name in gaps if _change(result, name) > CLOSED * math.sqrt(far)]
    drives = [f"{driver['name']}.force" for driver in model["drivers"]][:MOST]
    energies = ["energy.kinetic", "energy.potential", "energy.total"]
    pushes = pushes or drives
    gaps = gaps if len(names) <= 60 else []
    chosen = [[] if pushes and gaps else moving, turning, pushes, gaps, energies]
    return [group for group in chosen if group and all(name in result for name in group)]


def _change(result: Result, name: str) -> float:
    values = result[name]
    values = values[np.isfinite(values)]
    return float(np.ptp(values)) if values.size else 0.0


def _largest(result: Result, names: Iterable[str]) -> list[str]:
    """The few channels that change most, in their own order."""
    changes = {name: _change(result, name) for name in names}
    top = sorted(changes, key=lambda name: -changes[name])[:MOST]
    return [name for name in changes if name in top and changes[name] > SMALL * max(changes[top[0]], 1e-12)]


def _peaks(result: Result, names: Iterable[str]) -> list[str]:
    """The two joints with the largest reaction forces."""
    peaks = {name: float(np.linalg.norm(np.nan_to_num(result[name]), axis=1).max(initial=0.0)) for name in names}
    return sorted(sorted(peaks, key=lambda name: -peaks[name])[:2]) if any(peaks.values()) else []
