"""Hand-over between the elementary gaps of a pair: one rule, tested on the gaps themselves.

A gap that is met (`off` = 0) is the signed distance of two features along their common normal. One that is not met is no
smaller than the distance of the two shapes, and |g| - slack changes no faster than the bodies move: only so can a search for
roots leave out what is far. A closed contact keeps to its own features beyond their ends: a projection that closes it does not
pull it to others.
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from shape_statements import NAMES, PAIRS, UPRIGHT
from spatial_scenes import moved, random_pose, scene

from routh.core.tables.layout import OPEN, SLIP
from routh.core.tables.pairs import RIM_END, RIM_PLANE, RIM_POLYHEDRON
from routh.model.shapes import Box, Capsule, Cylinder, Ellipsoid, HalfSpace, Hull, Sphere

DISK = Cylinder("b", 0.5, 0.8, (0.0, 0.0, 1.0))
UNDER = {  # what the disk lies on, and how far from the middle of it
    "plane": (HalfSpace("a", (0.0, 0.0, 1.0)), 1.0),
    "table": (Box("a", (4.0, 4.0, 1.0), (0.0, 0.0, -0.5)), 2.6),
    "rail": (Box("a", (4.0, 0.6, 1.0), (0.0, 0.0, -0.5)), 0.9),
    "post": (Box("a", (0.2, 0.3, 1.0), (0.0, 0.0, -0.5)), 0.9),
    "pyramid": (Hull("a", [(1, 0, 0), (-1, 0.2, 0), (0, 1, 0), (0, -1, 0), (0, 0, -1)]), 1.1),
    "can": (Cylinder("a", 0.5, 0.2, (0.0, 0.0, 1.0), (0.0, 0.0, -0.1)), 1.1),
    "pin": (Cylinder("a", 0.2, 0.2, (0.0, 0.0, 1.0), (0.0, 0.0, -0.1)), 0.8),
}


def away(touch):
    """How far each gap is, at least, from touching."""
    return np.maximum(np.abs(touch["g"]) - np.where(touch["off"] == 1, touch["slack"], 0.0), 0.0)


@pytest.mark.parametrize("name", UNDER)
def test_the_gap_of_a_rim_changes_no_faster_than_the_bodies_move(name):
    """The lowest point of a disk that is all but flat runs round its rim in no time, and on and off what is under it."""
    under, room = UNDER[name]
    rng, s = np.random.default_rng(1), scene(under, DISK)
    rims, changed = np.isin(s.system.contact["kind"], (RIM_PLANE, RIM_POLYHEDRON, RIM_END)), 0
    for _ in range(60):
        tilt = 10.0 ** rng.uniform(-9.0, -2.0) * np.array([*rng.standard_normal(2), 0.0])
        R = Rotation.from_rotvec(tilt).as_matrix() @ Rotation.from_rotvec([0.0, 0.0, rng.uniform(0.0, 6.0)]).as_matrix()
        pose = np.array([*rng.uniform(-room, room, 2), 0.4 + rng.choice([0.0, 1e-6, -1e-6])]), R
        v, w = 1e-5 * rng.standard_normal((2, 3))
        w *= rng.choice([1.0, 1e-3])
        last, off = None, None
        for dt in np.linspace(0.0, 1.0, 41):
            s.gaps((np.zeros(3), UPRIGHT), moved(pose, v, w, dt))
            now, now_off = away(s.work.touch)[rims], s.work.touch["off"][rims].copy()
            if last is not None:
                way = (np.linalg.norm(v) + 2.0 * np.linalg.norm(w)) / 40.0  # its points are within 1 of its middle
                assert np.max(np.abs(now - last)) <= way + 1e-15
                changed += int(np.any(now_off != off))
            last, off = now, now_off
    assert changed > 0 or name == "plane"


@pytest.mark.parametrize("mode", [OPEN, SLIP])
def test_a_closed_rim_keeps_to_the_plane_of_its_face_and_an_open_one_goes_to_what_is_nearest(mode):
    s = scene(UNDER["rail"][0], DISK)
    R = Rotation.from_rotvec([0.0, 0.01, 0.0]).as_matrix()  # it leans towards +x, where the rail has an end at x = 2
    for x in (1.4, 1.6):  # the lowest point over the rail, and beyond its end
        low = R @ [0.5, 0.0, -0.4]
        s.work.touch["mode"] = mode
        s.gaps((np.zeros(3), UPRIGHT), (np.array([x, 0.0, -low[2] + 1e-3]), R))
        (i,) = np.flatnonzero((s.system.contact["kind"] == RIM_POLYHEDRON) & (s.system.contact["size_a"][:, 1] == 1.0)
                              & (s.system.contact["turn_a"][:, 2, 2] < 0.0))
        touch = s.work.touch[i]
        beyond = max(x + low[0] - 2.0, 0.0)
        assert touch["off"] == (beyond > 0.0)
        if mode == SLIP or beyond == 0.0:
            assert touch["g"] == pytest.approx(1e-3, abs=1e-14)
            assert touch["n"] == pytest.approx([0.0, 0.0, -1.0], abs=1e-14)
        else:
            assert np.hypot(beyond, 1e-3) <= touch["g"] < np.hypot(beyond, 1e-3) + 0.01
            assert touch["g"] - touch["slack"] == pytest.approx(1e-3, abs=1e-14)


def test_a_closed_edge_stays_closed_where_its_rim_tilts_past_it():
    """A disk over the edge of a table, x = 2: flat to 1e-9 the edge meets its rim twice, tilted over to the table nowhere."""
    s = scene(UNDER["table"][0], DISK)
    s.gaps((np.zeros(3), UPRIGHT), (np.array([1.9, 0.2, 0.4]), UPRIGHT))
    chord = 0.2 + np.sqrt(0.5 ** 2 - 0.1 ** 2)
    (i,) = np.flatnonzero((np.abs(s.work.touch["g"]) < 1e-12) & (s.work.touch["off"] == 0) & (s.work.touch["sharp_b"] == 1)
                          & (np.linalg.norm(s.work.touch["pa"] - [2.0, chord, 0.0], axis=1) < 1e-6))
    for tilt in (1e-8, 1e-6, 1e-4):
        R = Rotation.from_rotvec([0.0, -tilt, 0.0]).as_matrix()  # about the edge's direction, down on the table
        x = np.array([2.0, 0.2, 0.0]) + R @ [-0.1, 0.0, 0.4]
        s.work.touch["mode"] = SLIP
        s.gaps((np.zeros(3), UPRIGHT), (x, R))
        assert s.work.touch["off"][i] == 1
        assert abs(s.work.touch["g"][i]) < 1e-15 + tilt * tilt
        s.work.touch["mode"] = OPEN
        s.gaps((np.zeros(3), UPRIGHT), (x, R))
        assert s.work.touch["g"][i] >= 0.0


def scaled(shape, k):
    """The same shape k times as large."""
    def times(v):
        return tuple(k * np.array(v)) if len(v) else v
    if isinstance(shape, HalfSpace):
        return HalfSpace(shape.body, shape.normal, times(shape.point))
    if isinstance(shape, Sphere):
        return Sphere(shape.body, k * shape.radius, times(shape.point))
    if isinstance(shape, Ellipsoid):
        return Ellipsoid(shape.body, times(shape.axes), times(shape.point), shape.turn)
    if isinstance(shape, Capsule):
        return Capsule(shape.body, times(shape.start), times(shape.end), k * shape.radius)
    if isinstance(shape, Cylinder):
        return Cylinder(shape.body, k * shape.radius, k * shape.length, shape.axis, times(shape.point))
    if isinstance(shape, Box):
        return Box(shape.body, times(shape.size), times(shape.point), shape.turn)
    return Hull(shape.body, (k * np.array(shape.points)).tolist())


@pytest.mark.parametrize("k", [1e-6, 1e6])
@pytest.mark.parametrize("pair", PAIRS, ids=NAMES)
def test_gaps_of_shapes_that_are_scaled_are_the_same_gaps(pair, k):
    """To round-off of positions that are a few sizes large; curvatures to that of the normal, which follows by its root."""
    rng, s, large = np.random.default_rng(12), scene(*pair), scene(*(scaled(shape, k) for shape in pair))
    for _ in range(20):
        poses = [random_pose(rng, 1.5), random_pose(rng, 1.5)]
        gaps, grown = s.gaps(*poses), large.gaps(*[(k * x, R) for x, R in poses])
        if gaps.min() < 1e-3:
            continue
        assert grown / k == pytest.approx(gaps, abs=1e-12)
        i = int(np.argmin(gaps))
        one, other = s.work.touch[i], large.work.touch[i]
        assert other["n"] == pytest.approx(one["n"], abs=1e-7)
        assert (other["sharp_a"], other["sharp_b"], other["off"]) == (one["sharp_a"], one["sharp_b"], one["off"])
        for side in ("ka", "kb"):
            assert other[side] * k == pytest.approx(one[side], rel=1e-6, abs=1e-6)
