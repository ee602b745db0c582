"""What a browser is given of a run: one JSON document with names, tables and packed numbers.

Arrays are base64 of little-endian numbers: `{"type": "f4", "shape": [...], "data": "..."}`. Samples are thinned for drawing;
both values at a jump are kept. Channels that would make the document too large are left out, and it says how many.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from routh.errors import RouthError, did_you_mean
from routh.sim.declaration import plain
from routh.sim.impact import Impact
from routh.sim.ledger import Row
from routh.sim.result import Result
from routh.version import __version__
from routh.view.contact_forces import contact_forces, on_ground
from routh.view.palette import BODIES, EVENTS, OTHER_EVENT
from routh.view.scene import scene_of
from routh.view.stories import first_plots

__all__ = ["document_of", "impact_of", "packed"]

BUDGET = 2_500_000  # bytes of numbers: a third more as text, and the page itself leaves a report below 5 MB
SAMPLES = 1500  # what a plot a screen wide can show
ROWS = 1000  # of a ledger that are listed
POINTS = 80  # of a slip path
LEDGER = ("t", "contact", "kind", "class", "p_n", "p_t", "energy_lost")


def document_of(
    result: Result, title: str = "", plots: Sequence[Sequence[str]] | None = None, budget: int = BUDGET
) -> dict[str, Any]:
    """The document of one run. `plots` names the channels of each plot that is shown at first; `budget` is in bytes."""
    scene = scene_of(result)
    shown = [list(group) for group in plots] if plots is not None else first_plots(result)
    for name in (name for group in shown for name in group):
        if name not in result:
            raise RouthError(f'no channel "{name}"' + did_you_mean(name, result.channels))
    pose_bytes = 4 * 7 * max(1, len(scene.bodies))
    keep = thinned(result.t, max(50, min(SAMPLES, budget // (2 * pose_bytes))))
    names = _channels_within(result, [name for group in shown for name in group], (budget // len(keep) - pose_bytes) // 4)
    held = {contact["name"] for contact in result.declaration["model"]["contacts"] if on_ground(contact.get("b"))}
    first, at, force = contact_forces(result, scene.poses, keep)
    columns = {name: result[name][keep].reshape(len(keep), -1) for name in names}
    return {
        "title": title or result.model, "model": result.model, "status": result.status, "success": result.success,
        "message": result.message, "exact_share": result.statistics.get("exact_share", 1.0), "space": result.space,
        "version": __version__, "t": packed(result.t[keep], "f8"),
        "palette": {"bodies": BODIES, "events": EVENTS, "other": OTHER_EVENT},
        "scene": {"up": scene.up, "bodies": scene.bodies, "parts": plain(scene.parts), "links": plain(scene.links),
                  "low": scene.low, "high": scene.high, "span": scene.span, "colours": scene.colours,
                  "radius": scene.radius, "joints": scene.joints, "journey": scene.journey, "tracks": scene.tracks,
                  "offset": scene.offset,
                  "poses": packed(scene.poses[keep].reshape(len(keep), -1), "f4")},
        "channels": [{"name": name, "unit": result.unit(name), "size": columns[name].shape[1]} for name in names],
        "values": packed(np.hstack(list(columns.values())).T if columns else np.zeros((0, len(keep))), "f4"),
        "left_out": len(result.channels) - len(names), "plots": shown,
        "contact_forces": {"first": packed(first, "f8"), "at": packed(at, "f4"), "force": packed(force, "f4")},
        "impacts": [_impact_row(row, held) for row in result.impacts[:ROWS]], "impact_count": len(result.impacts),
        "impact_units": {name: result.impacts.unit(name) for name in LEDGER},
        "events": [{"t": row.t, "kind": row.kind, "contact": row.contact, "text": row.text} for row in result.events[:ROWS]],
        "event_count": len(result.events),
        "energy": [[name, number(value)] for name, value in result.energy.lines()] if len(result.t) else [],
        "reactions": _reactions(result), "statistics": {k: number(v) for k, v in result.statistics.items()},
        "declaration": plain(result.declaration),
    }  # fmt: skip


def packed(values: np.ndarray, kind: str) -> dict[str, Any]:
    """An array as base64 of little-endian floats, "f4" or "f8"."""
    with np.errstate(over="ignore"):  # too large for a picture: shown as infinite
        raw = np.ascontiguousarray(values, dtype=f"<{kind}")
    return {"type": kind, "shape": list(raw.shape), "data": base64.b64encode(raw.tobytes()).decode("ascii")}


def number(value: Any) -> float | None:
    """A number that JSON has; None for the others."""
    return float(value) if math.isfinite(value) else None


def thinned(t: np.ndarray, most: int) -> np.ndarray:
    """Indices of at most about `most` samples: the ends, both sides of jumps (as many as half of them), evenly the rest."""
    n = len(t)
    if n <= most:
        return np.arange(n)
    jumps = np.flatnonzero(np.diff(t) == 0.0)
    if 4 * len(jumps) > most:
        jumps = jumps[np.linspace(0, len(jumps) - 1, most // 4).astype(int)]
    even = np.linspace(0, n - 1, max(2, most - 2 * len(jumps))).astype(int)
    return np.unique(np.concatenate([even, jumps, jumps + 1]))


def impact_of(hit: Impact) -> dict[str, Any]:
    """An impact as the browser draws it: what went in, what came out, and the way between."""
    path = hit.path
    pick = np.unique(
        np.concatenate([np.linspace(0, len(path) - 1, min(len(path), POINTS)).astype(int), [i for i, _ in path.marks]])
    )
    where = {int(i): k for k, i in enumerate(pick)}
    return {
        "A": hit.A.tolist(),
        "v": hit.v.tolist(),
        "mu": hit.mu,
        "e": hit.law.restitution(-float(hit.v[0])),
        "law": type(hit.law).__name__,
        "class": hit.kind.label,
        "impulse": hit.impulse.tolist(),
        "velocity": hit.velocity.tolist(),
        "lost": hit.energy_lost,
        "lost_normal": hit.energy_lost_normal,
        "lost_friction": hit.energy_lost_tangential,
        "creates_energy": hit.creates_energy,
        "path": {
            "impulse": path.impulse[pick].tolist(),
            "velocity": path.velocity[pick].tolist(),
            "marks": [[where[i], what] for i, what in path.marks],
        },
    }


def _impact_row(row: Row, held: set[str]) -> dict[str, Any]:
    out = {name: row[name] if isinstance(row[name], str) else number(row[name]) for name in LEDGER}
    out["point"] = [number(x) for x in row.point]
    out["vector"] = _world_impulse(row, row.contact in held)
    try:
        out["impact"] = plain(impact_of(row.replay()))
    except RouthError as reason:  # a stop, a rope, a scheduled impulse, several at once
        out["why_no_path"] = str(reason)
    return out


def _world_impulse(row: Row, held: bool) -> list[float] | None:
    """The impulse on the second body, or on the first where the second one is `held`; None where it has no direction."""
    scheduled = row.kind == "impulse"
    vector = np.asarray(row.impulse, float) if scheduled else np.asarray(row.impulse, float) @ np.asarray(row.frame, float)
    vector = -vector if held else vector
    return [*map(float, vector), 0.0][:3] if np.isfinite(vector).all() and np.any(vector) else None


def _channels_within(result: Result, first: list[str], columns: int) -> list[str]:
    """Names of the channels that fit: those that are shown, then energies, reactions and coordinates, last what bodies do."""
    bodies = {body["name"] for body in result.declaration["model"]["bodies"]}

    tracks = result.declaration["model"].get("tracks", [])
    coloured = {f"{track['name']}.{key}" for track in tracks for key in ("ground.force", "ground.pressure", "tension")}

    def rank(name: str) -> int:
        owner, _, key = name.partition(".")
        if name in first or owner == "energy" or name in coloured:
            return 0
        if owner not in bodies:
            return 1
        return 4 if key.startswith(("a", "q")) else 3 if key.startswith(("v", "w", "o")) else 2

    chosen = set()
    for name in sorted(result.channels, key=rank):
        columns -= int(np.prod(result[name].shape[1:]))
        if columns < 0:
            break
        chosen.add(name)
    return [name for name in result.channels if name in chosen]


def _reactions(result: Result) -> list[dict[str, Any]]:
    """The largest reaction force and moment of every joint, when, and its largest reaction impulse."""
    out = []
    for name in result.channels:
        joint, _, key = name.rpartition(".")
        if key != "reaction":
            continue
        force, moment = (
            np.linalg.norm(np.nan_to_num(result[f"{joint}.{k}"]).reshape(len(result.t), -1), axis=1)
            for k in ("reaction", "reaction_moment")
        )
        jumps = result.impacts[f"{joint}.impulse"] if f"{joint}.impulse" in result.impacts.columns else np.zeros((0, 2))
        impulse = float(np.linalg.norm(np.nan_to_num(jumps), axis=1).max()) if len(jumps) else 0.0
        i = int(force.argmax())
        out.append(
            {
                "joint": joint,
                "force": number(force[i]),
                "t": float(result.t[i]),
                "moment": number(moment.max()),
                "impulse": number(impulse),
            }
        )
    return out
