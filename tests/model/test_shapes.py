"""Shapes: what is stored, and every refusal by the words that the user reads."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

from routh.errors import ModelError
from routh.model import shapes

SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def refused(message: str) -> Any:
    """A block that must raise ModelError with `message`, letter by letter, somewhere in it."""
    return pytest.raises(ModelError, match=re.escape(message))


def test_shapes_are_values():
    assert shapes.Disk("b", 0.5) == shapes.Disk("b", radius=0.5)
    assert shapes.HalfSpace("ground", (0.0, 2.0)).normal == (0.0, 1.0)
    assert shapes.Ellipsoid("b", (1, 2, 3), turn=(2, 0, 0, 0)).turn == (1.0, 0.0, 0.0, 0.0)
    assert shapes.Ellipse("b", np.array([2.0, 1.0]), turn=0.3).axes == (2.0, 1.0)


def test_a_polygon_is_stored_counter_clockwise_from_its_first_corner():
    assert shapes.Polygon("b", SQUARE).vertices == SQUARE
    assert shapes.Polygon("b", SQUARE[:1] + SQUARE[:0:-1]).vertices == SQUARE


def test_a_hull_keeps_its_corners_and_is_stored_as_it_would_be_again():
    cube = [(x, y, z) for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)]
    hull = shapes.Hull("b", [(0.5, 0.5, 0.5), *cube])
    assert sorted(hull.points) == cube
    assert shapes.Hull("b", hull.points) == hull


def test_tangents_of_a_half_circle_are_opposite():
    ((start, end),) = shapes.Polyline("b", ((0.0, 0.0), (1.0, 0.0)), (1.0,)).directions()
    assert (start, end) == (-math.pi / 2, math.pi / 2)  # down first, turning left: a hollow


@pytest.mark.parametrize(("kind", "arguments", "message"), [
    ("Disk", {"radius": -1.0}, 'Disk of body "b": radius = -1 must be zero or positive'),
    ("Disk", {"radius": math.nan}, 'Disk of body "b": radius = nan is not finite'),
    ("Disk", {"radius": 1.0, "point": (1.0, 2.0, 3.0)}, "point = (1.0, 2.0, 3.0) has 3 components, expected 2"),
    ("Sphere", {"radius": 1.0, "point": (1.0, 2.0)}, "has 2 components, expected 3"),
    ("Sphere", {"radius": -1.0}, "radius = -1 must be zero or positive"),
    ("Ellipse", {"axes": (1.0, 0.0)}, 'Ellipse of body "b": axes[1] = 0 must be positive'),
    ("Ellipse", {"axes": (1.0, 2.0), "turn": (1.0, 0.0, 0.0, 0.0)}, "turn = (1.0, 0.0, 0.0, 0.0) is not a number"),
    ("Ellipsoid", {"axes": (1.0, 2.0, 3.0), "turn": 0.3}, "turn = 0.3 is not a vector"),
    ("HalfSpace", {"normal": (0.0, 0.0)}, "normal = (0.0, 0.0) has no direction"),
    ("HalfSpace", {"normal": (0.0, 1.0), "point": (0.0, 0.0, 1.0)},
     "normal has 2 components and point 3; a shape is in the plane or in space"),
    ("Capsule", {"start": (), "end": (1.0, 0.0), "radius": 0.1}, "start = () has 0 components, expected 2 or 3"),
    ("Capsule", {"start": (1.0, 0.0), "end": None, "radius": 0.1}, "end = None is not a vector"),
    ("Capsule", {"start": (1.0, 0.0), "end": (1.0, 0.0), "radius": 0.1}, "start and end are both (1.0, 0.0); use a Disk"),
    ("Capsule", {"start": (1.0, 0.0), "end": (1.0, 0.0, 0.0), "radius": 0.1}, "start has 2 components and end 3"),
    ("Capsule", {"start": (1.0, 0.0), "end": (2.0, 0.0), "radius": -0.1}, "radius = -0.1 must be zero or positive"),
    ("Polygon", {"vertices": SQUARE[:2]}, 'Polygon of body "b": vertices holds 2 points; give at least 3'),
    ("Polygon", {"vertices": 3}, "vertices = 3 is not a sequence of points"),
    ("Polygon", {"vertices": SQUARE[:3] + SQUARE[2:]}, "the corner (1.0, 1.0) comes twice"),
    ("Polygon", {"vertices": (*SQUARE, (0.0, 0.5))}, "the corner (0.0, 0.5) is on a line with its neighbours"),
    ("Polygon", {"vertices": (*SQUARE, (0.2, 0.5))}, "the corner (0.2, 0.5) points inwards"),
    ("Polygon", {"vertices": [(math.cos(0.8 * math.pi * i), math.sin(0.8 * math.pi * i)) for i in range(5)]},
     "the edges go round 2 times and cross"),
    ("Polyline", {"vertices": SQUARE[:1]}, "vertices holds 1 points; give at least 2"),
    ("Polyline", {"vertices": SQUARE, "bulges": (0.0, 1.0)}, "bulges = (0.0, 1.0) has 2 components, expected 3"),
    ("Polyline", {"vertices": SQUARE[:2] + SQUARE[1:]}, "vertices 1 and 2 are both (1.0, 0.0)"),
    ("Polyline", {"vertices": ((0.0, 0.0), (1.0, 0.0), (0.5, 0.0))}, "the curve turns back on itself at vertex 1, (1.0, 0.0)"),
    ("Cylinder", {"radius": 0.0, "length": 1.0, "axis": (0, 0, 1)}, "radius = 0 must be positive"),
    ("Box", {"size": (1.0, -1.0, 1.0)}, "size[1] = -1 must be positive"),
    ("Hull", {"points": [(x, y, 0.0) for x, y in SQUARE]}, "its 4 points are in one plane; a hull needs a volume"),
])
def test_a_shape_that_cannot_be_is_refused(kind, arguments, message):
    with refused(message):
        getattr(shapes, kind)("b", **arguments)


def test_a_shape_belongs_to_a_body_with_a_name():
    with refused('Disk "a.b": a name may hold no dot'):
        shapes.Disk("a.b", 1.0)
