"""A track and its wheels as they stand at one sample of a run."""

from __future__ import annotations

from typing import Any

import numpy as np

from routh.model.model import Model
from routh.model.shapes import Polygon
from routh.model.tracks import Track
from routh.sim.declaration import plain
from routh.sim.result import Result
from routh.view.track_parts import gear

__all__ = ["draw_track"]

AROUND = 10.0  # m of ground drawn beyond both ends of the picture
GROUND_COLOUR, LINK_COLOUR, WHEEL_COLOUR, HULL_COLOUR = "#8a6d3b", "#222222", "#3b6ea5", "#eee8d5"


def draw_track(axes: Any, model: Model, result: Result, sample: int = -1, track: str | None = None) -> None:
    """Draw hull, links, wheels, sprocket teeth and ground of the model's track (the first, or `track` by name) at a sample."""
    from matplotlib.collections import LineCollection, PatchCollection
    from matplotlib.patches import Circle
    from matplotlib.patches import Polygon as Patch

    shown: Track = model.tracks[0] if track is None else model[track]

    def pose(body: str) -> tuple[np.ndarray, float]:
        at = np.array([result[f"{body}.x"][sample], result[f"{body}.y"][sample]])
        return at, float(result[f"{body}.theta"][sample])

    lines = []
    joints = [model[name] for name in shown.pins]
    for link in shown.links:
        at, theta = pose(link)
        turn = np.array([[np.cos(theta), -np.sin(theta)], [np.sin(theta), np.cos(theta)]])
        ends = [joint.point_a if joint.a == link else joint.point_b for joint in joints if link in (joint.a, joint.b)]
        ends = sorted(ends) if len(ends) == 2 else [(-0.5 * _width(shown), 0.0), (0.5 * _width(shown), 0.0)]
        lines.append([at + turn @ np.array(end) for end in ends])
        if shown.shoes is not None:
            sole = [at + turn @ np.array(point) for point in shown.shoes.points]
            lines += [[sole[0], sole[-1]]]
    axes.add_collection(LineCollection(lines, colors=LINK_COLOUR, linewidths=0.9))

    outlines = [placed(pose(body.name), shape.vertices) for body in model.bodies for shape in body.visual
                if isinstance(shape, Polygon)]
    axes.add_collection(PatchCollection([Patch(outline) for outline in outlines], facecolor=HULL_COLOUR, edgecolor="0.6",
                                        linewidths=0.6, zorder=0))
    teeth = [placed(pose(s.body), np.array(gear(plain(s))["points"])[:, :2]) for s in shown.sprockets]
    axes.add_collection(PatchCollection([Patch(rim) for rim in teeth], facecolor="none", edgecolor=WHEEL_COLOUR,
                                        linewidths=0.9))

    circles = [(wheel.body, wheel.radius) for wheel in shown.wheels]
    patches, spokes = [], []
    for body, radius in circles:
        at, theta = pose(body)
        patches.append(Circle(tuple(at), radius))
        spokes.append([at, at + radius * np.array([np.cos(theta), np.sin(theta)])])
    axes.add_collection(PatchCollection(patches, facecolor="none", edgecolor=WHEEL_COLOUR, linewidths=0.9))
    axes.add_collection(LineCollection(spokes, colors=WHEEL_COLOUR, linewidths=0.7))

    axes.set_aspect("equal")
    axes.autoscale_view()
    if shown.shoes is not None:
        view = axes.get_xlim()
        left, right = view[0] - AROUND, view[1] + AROUND
        inner = [x for x, _ in shown.shoes.ground.points if left < x < right]
        corners = [(x, shown.shoes.ground.height(x)) for x in (left, *inner, right)]
        axes.plot(*zip(*corners, strict=True), color=GROUND_COLOUR, linewidth=1.2)
        axes.set_xlim(view)


def placed(pose: tuple[np.ndarray, float], points: Any) -> np.ndarray:
    """Points (n, 2) of a body in world axes."""
    at, theta = pose
    turn = np.array([[np.cos(theta), -np.sin(theta)], [np.sin(theta), np.cos(theta)]])
    return np.asarray(at + np.array(points, float) @ turn.T)


def _width(track: Track) -> float:
    """Length to draw a link with that no two pins hold."""
    return track.rail.front + track.rail.back if track.rail is not None else 0.1
