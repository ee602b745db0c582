"""What a track looks like: links, wheels and sprockets as parts of their bodies, and the ground below them."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from routh.model.body import GROUND
from routh.view.parts import Part, parts_of

__all__ = ["gear", "track_parts"]

FAR = 1000.0  # m of level ground beyond both ends of its profile
TIP = 0.3  # of a tooth's pitch that its tip takes


def track_parts(track: Part) -> Iterator[tuple[str, Part]]:
    """(body, part) of everything in a Track, given as the plain data of a `Result.declaration`."""
    rail, shoes = track["rail"], track["shoes"]
    outline = []
    if shoes:
        outline += [[x, y, 0.0] for x, y in sorted(shoes["points"])]
    if rail:
        outline += [[rail["front"], rail["height"], 0.0], [-rail["back"], rail["height"], 0.0]]
    if len(outline) > 2:
        for link in track["links"]:
            yield link, {"kind": "polygon", "points": outline}
    for wheel in track["wheels"]:
        for part in parts_of({"kind": "Disk", "body": wheel["body"], "radius": wheel["radius"], "point": []}):
            yield wheel["body"], part
    for sprocket in track["sprockets"]:
        yield sprocket["body"], gear(sprocket)
    if shoes:
        points = shoes["ground"]["points"]
        level = [[points[0][0] - FAR, points[0][1]], *points, [points[-1][0] + FAR, points[-1][1]]]
        yield GROUND, {"kind": "curve", "points": [[x, y, 0.0] for x, y in level]}


def gear(sprocket: Part) -> Part:
    """Base circle with teeth between the gaps; gap 0 lies at the angle `phase`."""
    teeth = sprocket["teeth"]
    pitch_radius = 0.5 * sprocket["pitch"] / math.sin(math.pi * sprocket["teeth_per_link"] / teeth)
    root, tip = pitch_radius - sprocket["pin_radius"], pitch_radius + max(sprocket["flank"][1], 0.0)
    step = 2.0 * math.pi / teeth
    rim = []
    for k in range(teeth):
        middle = sprocket["phase"] + (k + 0.5) * step  # of a tooth, between gaps k and k + 1
        for turn, radius in ((-0.35, root), (-0.5 * TIP, tip), (0.5 * TIP, tip), (0.35, root)):
            angle = middle + turn * step
            rim.append([radius * math.cos(angle), radius * math.sin(angle), 0.0])
    return {"kind": "polygon", "points": np.round(rim, 6).tolist()}
