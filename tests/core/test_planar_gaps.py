"""Gaps in the plane: against outlines sampled and searched, then laws that every signed distance obeys."""

from __future__ import annotations

import math
import re
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import pytest
from gap_calls import gap
from scipy.optimize import minimize

from routh.compiler.pairs import gaps_of
from routh.compiler.planar_pairs import chains_of
from routh.core.gaps.planar_chain_gap import JOINT, chain_point
from routh.core.gaps.planar_ellipse_gap import ellipse_point
from routh.core.tables.layout import CONTACT, PLANAR_NODE, SMOOTH, VERTEX, WORLD, PlanarSystem, new_work
from routh.errors import ModelError
from routh.model.shapes import Capsule, Disk, Ellipse, HalfSpace, Polygon, Polyline

approx = pytest.approx

SHAPES: dict[str, Any] = {
    "half space": lambda body: HalfSpace(body, (0.3, 1.0), (0.1, -0.2)),
    "disk": lambda body: Disk(body, 0.7, (0.2, -0.1)),
    "point": lambda body: Disk(body, 0.0, (0.2, -0.1)),
    "ellipse": lambda body: Ellipse(body, (1.2, 0.4), (-0.1, 0.2), 0.4),
    "capsule": lambda body: Capsule(body, (-0.8, 0.1), (0.9, 0.3), 0.25),
    "rod": lambda body: Capsule(body, (-0.8, 0.1), (0.9, 0.3), 0.0),
    "polygon": lambda body: Polygon(body, ((-0.7, -0.5), (0.8, -0.6), (1.0, 0.3), (0.1, 0.9), (-0.6, 0.4))),
    "terrain": lambda body: Polyline(body, ((-9.0, 0.0), (-2.0, 0.0), (-1.0, 1.0), (0.0, 1.2), (0.5, -0.5), (1.5, 0.2),
                                            (9.0, 0.2))),
    "track": lambda body: Polyline(body, ((-9.0, 0.0), (-2.0, 0.0), (0.0, 2.0), (2.0, 2.0), (9.0, 1.0)),
                                   (0.0, math.tan(math.pi / 8.0), -0.3, 0.0)),
    "valley": lambda body: Polyline(body, ((-9.0, 0.0), (-2.0, 0.0), (2.0, 0.0), (5.0, 0.0), (9.0, 0.0)),
                                    (0.0, 0.2, -0.6, 0.0)),
    "hollow": lambda body: Polyline(body, ((-9.0, 0.0), (-2.0, 0.0), (2.0, 0.0), (9.0, 0.0)), (0.0, 0.5, 0.0)),
}

PAIRS = [("half space", "disk"), ("half space", "point"), ("half space", "ellipse"), ("half space", "capsule"),
         ("half space", "polygon"), ("disk", "disk"), ("disk", "point"), ("disk", "ellipse"), ("point", "ellipse"),
         ("disk", "capsule"), ("disk", "rod"), ("disk", "polygon"), ("point", "polygon"), ("ellipse", "ellipse"),
         ("ellipse", "capsule"), ("ellipse", "rod"), ("ellipse", "polygon"), ("capsule", "capsule"), ("capsule", "rod"),
         ("capsule", "polygon"), ("polygon", "polygon"), ("disk", "terrain"), ("point", "terrain"), ("disk", "track"),
         ("point", "track"), ("disk", "hollow"), ("ellipse", "terrain"), ("capsule", "terrain"), ("polygon", "terrain"),
         ("capsule", "hollow"), ("polygon", "hollow"), ("capsule", "track"), ("polygon", "track"), ("ellipse", "track"),
         ("polygon", "valley"), ("ellipse", "valley"), ("ellipse", "hollow")]


class Scene:
    """Two shapes on two free bodies: a PlanarSystem whose poses are set by hand."""

    def __init__(self, a, b):
        specs = gaps_of("planar", a, b)
        contact, corners, n = np.zeros(len(specs), CONTACT), [np.zeros((1, 3))], 1
        for o, spec in zip(contact, specs, strict=True):
            o["kind"], o["size"], (o["a"], o["b"]) = spec.kind, spec.size, ((2, 1) if spec.swapped else (1, 2))
            for side in "ab":
                for field in ("point", "turn", "size", "reach"):
                    o[f"{field}_{side}"] = getattr(spec, f"{field}_{side}")
                vertices = getattr(spec, f"vertices_{side}")
                corners.append(vertices)
                o[f"first_{side}"], o[f"last_{side}"] = n, n + len(vertices)
                n += len(vertices)
        empty = {name: np.zeros((0,) * axes, dtype) for name, (dtype, axes) in PlanarSystem.fields.items()}
        self.system = PlanarSystem(**{**empty, "node": np.zeros(3, PLANAR_NODE), "contact": contact,
                                      "world": np.zeros(1, WORLD), "vertex": np.concatenate(corners)})
        self.work = new_work(self.system)
        self.contact, self.size = contact, specs[0].size

    def __call__(self, *poses):
        """The touch table with bodies 1 and 2 at (x, y, angle)."""
        for frame, (x, y, angle) in zip(self.work.frame[1:], poses, strict=True):
            frame["x"], frame["y"], frame["th"], frame["c"], frame["s"] = x, y, angle, math.cos(angle), math.sin(angle)
        for c in range(len(self.contact)):
            gap(self.system, self.work, c)
        return self.work.touch.copy()


def scene(names):
    a, b = SHAPES[names[0]]("a"), SHAPES[names[1]]("b")
    return Scene(a, b), a, b


def arc(p, q, bulge, u):
    """Points of a piece, u from 0 to 1: an arc by the inscribed angle, as complex numbers."""
    p, q = complex(*p), complex(*q)
    if bulge == 0.0:
        return p + (q - p) * u
    angle = 4.0 * math.atan(bulge)
    centre = p + (q - p) / (1.0 - np.exp(1j * angle))
    return centre + (p - centre) * np.exp(1j * angle * u)


def outline(shape, u):
    """Points of a shape's boundary, u from 0 to 1, in the body's frame as complex numbers."""
    u = np.clip(u, 0.0, 1.0) if isinstance(shape, Polyline) else np.mod(u, 1.0)
    if isinstance(shape, HalfSpace):
        return complex(*shape.point) + 1j * complex(*shape.normal) * 60.0 * (u - 0.5)
    if isinstance(shape, Disk):
        return complex(*shape.point) + shape.radius * np.exp(2j * np.pi * u)
    if isinstance(shape, Ellipse):
        x, y = shape.axes[0] * np.cos(2.0 * np.pi * u), shape.axes[1] * np.sin(2.0 * np.pi * u)
        return complex(*shape.point) + (x + 1j * y) * np.exp(1j * shape.turn)
    if isinstance(shape, Capsule):
        p, q = complex(*shape.start), complex(*shape.end)
        side = -1j * (q - p) / abs(q - p) * shape.radius
        pieces = [(p + side, q + side, 0.0), (q + side, q - side, 1.0), (q - side, p - side, 0.0), (p - side, p + side, 1.0)]
        pieces = [((s.real, s.imag), (e.real, e.imag), b if shape.radius else 0.0) for s, e, b in pieces]
    elif isinstance(shape, Polygon):
        v = (*shape.vertices, shape.vertices[0])
        pieces = [(s, e, 0.0) for s, e in pairwise(v)]
    else:
        pieces = [(s, e, b) for (s, e), b in zip(pairwise(shape.vertices), shape.bulges, strict=True)]
    i = np.clip((u * len(pieces)).astype(int), 0, len(pieces) - 1)
    return np.select([i == k for k in range(len(pieces))], [arc(*piece, u * len(pieces) - k) for k, piece in enumerate(pieces)])


def in_world(pose, z):
    return complex(pose[0], pose[1]) + z * np.exp(1j * pose[2])


def searched(a, b, poses):
    """Distance of two outlines: a grid, then a simplex search from its best places."""
    u = np.linspace(0.0, 1.0, 301)
    distance = np.abs(in_world(poses[0], outline(a, u))[:, None] - in_world(poses[1], outline(b, u))[None, :])
    best = math.inf
    for flat in np.argsort(distance, axis=None)[[0, 20]]:
        start = u[list(np.unravel_index(flat, distance.shape))]
        found = minimize(lambda w: abs(in_world(poses[0], outline(a, w[0])) - in_world(poses[1], outline(b, w[1]))), start,
                         method="Nelder-Mead", options={"xatol": 1e-11, "fatol": 1e-15, "maxiter": 600,
                                                        "initial_simplex": start + np.array([[0, 0], [3e-3, 0], [0, 3e-3]])})
        best = min(best, found.fun)
    return best


def apart(rng, names, test, tries=60):
    """Random poses, moved along the normal of the nearest gap so that they are `test` apart, at most a few sizes."""
    made, _, _ = scene(names)
    turn = 0.6 if {"half space", "terrain", "track", "hollow", "valley"} & set(names) else math.pi
    for _ in range(tries):
        poses = np.column_stack([rng.uniform(-1.0, 1.0, (2, 2)), rng.uniform(-turn, turn, 2)])
        poses[0 if made.contact[0]["a"] == 2 else 1, :2] += rng.uniform(-1.5, 1.5), rng.uniform(2.0, 4.0)
        touch = made(*poses)
        near = touch[np.argmin(touch["g"])]
        if near["g"] < 0.02 or (test < 0.02 and near["sharp_a"] == near["sharp_b"] == VERTEX):
            continue  # two corners that meet have no normal
        way = 1.0 if made.contact[np.argmin(touch["g"])]["a"] == 1 else -1.0
        poses[1, :2] -= way * (near["g"] - test) * np.array([near["nx"], near["ny"]])
        touch = made(*poses)
        c = int(np.argmin(touch["g"]))
        if touch[c]["g"] < test - 1e-9:
            continue  # another place came nearer on the way
        yield made, poses, c, touch[c]


@pytest.mark.parametrize("names", PAIRS, ids=" - ".join)
def test_the_gap_is_the_distance_of_the_outlines(names):
    _, a, b = scene(names)
    n = 0
    for _, poses, _, touch in apart(np.random.default_rng(1), names, 0.1, tries=12):
        assert touch["g"] == approx(0.1, abs=1e-13)
        assert touch["g"] == approx(searched(a, b, poses), abs=1e-8)  # of the simplex search
        n += 1
    assert n >= 5


@pytest.mark.parametrize("names", PAIRS, ids=" - ".join)
def test_witness_points_are_a_gap_apart_along_a_unit_normal_and_on_the_outlines(names):
    _, a, b = scene(names)
    u = np.linspace(0.0, 1.0, 60001)
    for made, poses, c, touch in apart(np.random.default_rng(2), names, 0.05, tries=20):
        n, pa, pb = complex(touch["nx"], touch["ny"]), complex(touch["pax"], touch["pay"]), complex(touch["pbx"], touch["pby"])
        assert abs(n) == approx(1.0, abs=1e-14)
        assert abs(pb - pa - touch["g"] * n) < 1e-13
        first, second = (pb, pa) if made.contact[c]["a"] == 2 else (pa, pb)
        for shape, pose, point in ((a, poses[0], first), (b, poses[1], second)):
            assert np.abs(in_world(pose, outline(shape, u)) - point).min() < 2e-3  # half a spacing of the sampled outline


@pytest.mark.parametrize("names", PAIRS, ids=" - ".join)
def test_gap_and_normal_go_straight_through_touching(names):
    for made, poses, c, far in apart(np.random.default_rng(3), names, 1e-3):
        way = 1.0 if made.contact[c]["a"] == 1 else -1.0
        for depth in (1e-6, 1e-9, 0.0, -1e-9, -1e-6):
            moved = poses.copy()
            moved[1, :2] -= way * (1e-3 + depth) * np.array([far["nx"], far["ny"]])
            touch = made(*moved)[c]
            assert touch["g"] == approx(-depth, abs=2e-14)  # round-off of coordinates of size 5
            assert touch["nx"] * far["ny"] - touch["ny"] * far["nx"] == approx(0.0, abs=1e-11)
            assert touch["nx"] * far["nx"] + touch["ny"] * far["ny"] > 0.0


def rates(made, poses, velocity, c, h=3e-6):
    """Central differences of contact c along a rigid motion, or None where it changes its feature meanwhile."""
    early, late = (made(*(poses + k * h * velocity))[c] for k in (-1.0, 1.0))
    now = made(*poses)[c]
    for field in ("sharp_a", "sharp_b"):
        if not early[field] == now[field] == late[field]:
            return None
    for field in ("ka", "kb"):
        if max(early[field], late[field]) - min(early[field], late[field]) > 1e-2:
            return None
    return now, {f: (late[f] - early[f]) / (2.0 * h) for f in ("g", "pax", "pay", "pbx", "pby", "nx", "ny")}


@pytest.mark.parametrize("test", [0.0, 0.05])
@pytest.mark.parametrize("names", PAIRS, ids=" - ".join)
def test_the_gap_grows_at_the_normal_velocity_and_curvature_moves_the_witness_points(names, test):
    rng, n = np.random.default_rng(4), 0
    for made, poses, c, _ in apart(rng, names, test):
        velocity = rng.normal(size=(2, 3))
        found = rates(made, poses, velocity, c)
        if found is None:
            continue
        now, rate = found
        n += 1
        normal, tangent = np.array([now["nx"], now["ny"]]), np.array([-now["ny"], now["nx"]])
        turning = -now["ny"] * rate["nx"] + now["nx"] * rate["ny"]
        speed, creep, spin = {}, {}, {}
        for side in "ab":
            body = int(made.contact[c][side]) - 1
            arm = np.array([now[f"p{side}x"], now[f"p{side}y"]]) - poses[body, :2]
            spin[side] = velocity[body, 2]
            speed[side] = velocity[body, :2] + spin[side] * np.array([-arm[1], arm[0]])
            creep[side] = (np.array([rate[f"p{side}x"], rate[f"p{side}y"]]) - speed[side]) @ tangent
        assert rate["g"] == approx(normal @ (speed["b"] - speed["a"]), abs=1e-6)  # h² / g² of two corners 0.05 apart
        # walking by ds along an outline turns its normal by κ ds; on b the normal is -n
        for side, sense in (("a", 1.0), ("b", -1.0)):
            if now[f"sharp_{side}"] == SMOOTH:
                k = now[f"k{side}"]
                assert turning == approx(spin[side] + sense * k * creep[side], abs=1e-6 * max(1.0, abs(k)))
            else:
                assert creep[side] == approx(0.0, abs=1e-7)
    assert n >= 5


def test_a_point_anywhere_has_the_nearest_foot_on_an_ellipse():
    # on a grid that holds the centre, both axes, the cusps of the evolute and points of the curve itself
    u = np.linspace(0.0, 2.0 * np.pi, 200001)
    for a1, a2 in ((2.0, 1.0), (1.0, 2.0), (1.0, 1.0), (5.0, 0.05)):
        cusp = (a1 * a1 - a2 * a2) / a1
        for x in (0.0, 1e-9, 0.3 * a1, cusp, cusp + 1e-9, a1, 1.5 * a1, 40.0 * a1):
            for y in (0.0, 1e-9, 0.5 * a2, a2, 2.0 * a2, 40.0 * a2):
                g, nx, ny = ellipse_point(a1, a2, x, -y)
                nearest = np.hypot(a1 * np.cos(u) - x, a2 * np.sin(u) + y).min()
                assert abs(g) == approx(nearest, abs=2e-5 * a1)  # half a spacing of the samples, on a point inside the curve
                assert math.hypot(nx, ny) == approx(1.0)
                h = math.hypot(a1 * nx, a2 * ny)
                foot = (a1 * a1 * nx / h, a2 * a2 * ny / h)
                assert (foot[0] + g * nx, foot[1] + g * ny) == approx((x, -y), abs=1e-7 * a1)  # at a cusp feet are triple


def digits(axes_a, axes_b, d, turn, start):
    """Distance of two ellipses to 30 digits: Newton on the two eccentric angles whose chord is normal to both."""
    with mpmath.workdps(40):
        c, s = mpmath.cos(turn), mpmath.sin(turn)

        def points(u, v):
            x, y = axes_b[0] * mpmath.cos(v), axes_b[1] * mpmath.sin(v)
            return (axes_a[0] * mpmath.cos(u), axes_a[1] * mpmath.sin(u)), (d[0] + c * x - s * y, d[1] + s * x + c * y)

        def square(u, v):
            (px, py), (qx, qy) = points(u, v)
            ta = (-axes_a[0] * mpmath.sin(u), axes_a[1] * mpmath.cos(u))
            x, y = -axes_b[0] * mpmath.sin(v), axes_b[1] * mpmath.cos(v)
            tb = (c * x - s * y, s * x + c * y)
            return [(qx - px) * ta[0] + (qy - py) * ta[1], (qx - px) * tb[0] + (qy - py) * tb[1]]

        u, v = mpmath.findroot(square, start)
        (px, py), (qx, qy) = points(u, v)
        return float(mpmath.hypot(qx - px, qy - py))


@pytest.mark.parametrize("axes", [((2.0, 1.0), (1.0, 0.3)), ((1.0, 0.02), (0.5, 0.02)), ((1.0, 1.0), (3.0, 0.1))])
def test_two_ellipses_have_sixteen_digits_cold_and_warm(axes):
    rng = np.random.default_rng(5)
    made = Scene(Ellipse("a", axes[0]), Ellipse("b", axes[1]))
    n = 0
    for _ in range(60):
        pose = np.array([*rng.normal(size=2) * 1.5, rng.uniform(-3.0, 3.0)])
        cold_made = Scene(Ellipse("a", axes[0]), Ellipse("b", axes[1]))
        cold, warm = cold_made(np.zeros(3), pose)[0], made(np.zeros(3), pose)[0]
        if max(cold["g"], warm["g"]) < 1e-3:
            continue
        n += 1
        assert warm["g"] == approx(cold["g"], abs=1e-14)
        x, y = cold["pbx"] - pose[0], cold["pby"] - pose[1]
        c, s = math.cos(pose[2]), math.sin(pose[2])
        start = (math.atan2(cold["pay"] / axes[0][1], cold["pax"] / axes[0][0]),
                 math.atan2((c * y - s * x) / axes[1][1], (c * x + s * y) / axes[1][0]))
        assert cold["g"] == approx(digits(*axes, pose[:2], pose[2], start), abs=2e-14)
    assert n > 20


def test_overlapping_ellipses_always_have_an_answer():
    rng = np.random.default_rng(6)
    made = Scene(Ellipse("a", (1.0, 0.02)), Ellipse("b", (0.7, 0.1)))
    for _ in range(500):
        touch = made(np.zeros(3), np.array([*rng.normal(size=2) * 0.1, rng.uniform(-3.0, 3.0)]))[0]
        assert math.isfinite(touch["g"])
        assert math.hypot(touch["nx"], touch["ny"]) == approx(1.0)
    made(np.zeros(3), np.zeros(3))
    assert np.isfinite(made.work.touch["g"]).all()


def test_a_disk_in_a_notch_touches_both_walls():
    notch = Polyline("ground", ((-2.0, 2.0), (0.0, 0.0), (2.0, 2.0)))
    touch = Scene(Disk("b", 0.5), notch)((0.0, math.sqrt(0.5), 0.0), np.zeros(3))
    assert touch["g"] == approx([0.0, 0.0], abs=1e-15)
    assert sorted(touch["nx"]) == approx([-math.sqrt(0.5), math.sqrt(0.5)])


def test_a_disk_rolls_from_a_line_into_a_hollow_on_one_chain():
    track = Polyline("ground", ((-3.0, 0.0), (0.0, 0.0), (1.0, 1.0)), (0.0, math.tan(math.pi / 8.0)))
    made = Scene(Disk("b", 0.25), track)
    assert len(made.contact) == 1
    for x, y in ((-1.0, 0.25), (0.0, 0.25), (0.75 * math.sin(0.4), 1.0 - 0.75 * math.cos(0.4))):
        assert made((x, y, 0.0), np.zeros(3))[0]["g"] == approx(0.0, abs=1e-15)
    assert made.work.touch[0]["ka"] == approx(-1.0)


def test_a_disk_that_does_not_fit_into_a_hollow_bridges_its_lips():
    pit = Polyline("ground", ((-5.0, 0.0), (-1.0, 0.0), (1.0, 0.0), (5.0, 0.0)), (0.0, 1.0, 0.0))
    touch = Scene(Disk("b", 2.0), pit)((0.0, math.sqrt(3.0), 0.0), np.zeros(3))
    assert len(touch) == 2
    assert touch["g"] == approx([0.0, 0.0], abs=1e-15)
    assert (touch["sharp_a"] == VERTEX).all()


def test_a_sharp_point_in_a_hollow_corner_feels_both_faces():
    valley = Polyline("ground", ((-2.0, 0.5), (0.0, 0.0), (2.0, 0.5)))
    made = Scene(Disk("b", 0.0), valley)
    for x, y in ((0.0, 0.0), (1e-12, 0.0), (-1e-9, 1e-12), (0.0, -1e-9)):
        touch = made((x, y, 0.0), np.zeros(3))
        assert np.abs(touch["g"]).max() < 1e-8
        assert touch["ny"] == approx([4.0 / math.sqrt(17.0)] * 2)


def test_a_box_that_slides_over_the_edge_of_another_does_not_hit_it():
    box = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
    made = Scene(Polygon("a", box), Polygon("b", box))
    for x in (1.9, 1e-3, 1e-12, 0.0, -1e-12, -1e-3):
        for y in (2.0, 2.0 + 1e-13, 2.0 - 1e-13):
            touch = made(np.zeros(3), (x, y, 0.0))
            near = touch[touch["g"] < 1e-10]
            assert len(near) >= 2
            assert np.abs(near["ny"]) == approx(1.0)  # no normal points sideways


@pytest.mark.parametrize(("x", "y", "way", "gap", "off"), [
    (0.01, -0.005, -1.0, 0.0, 0),                # down on a face
    (1e-11, 0.0, -1.0, 1e-9, 1),                 # down on the ridge: either face could be met
    (0.5, -0.15, 1.0, 0.1 * math.sqrt(0.8), 1),  # up: it would meet the face from within its own body
])
def test_what_a_corner_cannot_meet_is_off(x, y, way, gap, off):
    """No motion closes the gap there, so a contact that slides into such a place has to let go."""
    roof, hole = np.array([[1.0, -0.5, 0.0], [0.0, 0.0, 0.0], [-1.0, -0.5, 0.0]]), 1e-9
    found = chain_point(roof, 0, 3, x, y, 0.0, way, 0.5, hole)
    assert found[0] == approx(gap, abs=2.0 * hole)
    assert found[5] == off


@pytest.mark.parametrize("y", [1e-16, 0.0, -1e-16, -1e-14])
def test_a_corner_on_the_floor_that_has_entered_a_box_on_it_overlaps_whichever_is_lower_by_round_off(y):
    box = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    half = math.sqrt(0.5)  # of its right angle: it can be pushed back by the side, and not down by the base
    gap, nx, ny, _, _, off = chain_point(box, 0, 5, 1e-3, y, half, -half, -0.6, 1e-9)
    assert (gap, nx, ny, off) == (-1e-3, -1.0, 0.0, 0)


def test_a_box_that_slides_onto_another_from_one_as_high_does_not_hit_its_edge():
    box = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
    made = Scene(Polygon("a", box), Polygon("b", box))
    for x in (2.0 + 1e-3, 2.0 + 1e-8, 2.0 + 1e-12, 2.0, 2.0 - 1e-12, 2.0 - 1e-8, 2.0 - 1e-3):
        for y in (2.0, 2.0 + 1e-13, 2.0 - 1e-13):
            touch = made(np.zeros(3), (x, y, 0.0))
            near = touch[touch["g"] < 1e-10]
            assert np.abs(near["ny"]) == approx(np.ones(len(near)))
            assert len(near) >= (2 if x < 2.0 - 5e-9 else 0)  # within the hole, sizes × 1e-9, nothing is met


def separation(a, b):
    """Of two convex polygons, corners as complex numbers: the greatest over the normals of all faces."""
    best = -math.inf
    for p, q in ((a, b), (b, a)):
        for start, end in zip(p, np.roll(p, -1), strict=True):
            normal = (end - start) / 1j / abs(end - start)
            best = max(best, float((np.conj(normal) * (q - start)).real.min()))
    return best


def test_polygons_that_overlap_a_little_have_a_gap_below_zero_and_no_others_do():
    rng, (made, a, b) = np.random.default_rng(7), scene(("polygon", "polygon"))
    va, vb = (np.array([complex(*v) for v in shape.vertices]) for shape in (a, b))
    n = 0
    for _ in range(1500):
        poses = np.column_stack([rng.uniform(-1.0, 1.0, (2, 2)), rng.uniform(-3.0, 3.0, 2)])
        depth = -separation(in_world(poses[0], va), in_world(poses[1], vb))
        if depth < 0.1:
            assert (made(*poses)["g"].min() < 0.0) == (depth > 0.0)
            n += 0.0 < depth
    assert n > 50


def test_a_disk_at_the_centre_of_a_hollow_has_a_normal():
    track = Polyline("ground", ((-1.0, 0.0), (1.0, 0.0)), (1.0,))
    (touch,) = Scene(Disk("b", 0.25), track)(np.zeros(3), np.zeros(3))
    assert (touch["g"], math.hypot(touch["nx"], touch["ny"])) == approx((0.75, 1.0))


def test_a_part_is_within_its_reach():
    u = np.linspace(0.0, 1.0, 2001)
    for name in ("disk", "ellipse", "capsule", "rod", "polygon", "track", "hollow"):
        shape = SHAPES[name]("a")
        (spec, *more) = gaps_of("planar", shape, Disk("b", 0.1))
        side = "b" if spec.swapped else "a"
        if not more:
            z = outline(shape, u) - complex(*getattr(spec, f"point_{side}")[:2])
            assert np.abs(z).max() <= getattr(spec, f"reach_{side}") * (1.0 + 1e-12)


def test_closed_curves_are_solids_or_containers():
    square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0))
    inside = Scene(Disk("b", 0.25), Polyline("ground", square))((0.5, 0.25, 0.0), np.zeros(3))
    assert sorted(inside["g"]) == approx([0.0, 0.25, 0.25, 0.5])
    (solid,) = Scene(Disk("b", 0.25), Polyline("ground", square[::-1]))((0.5, -0.5, 0.0), np.zeros(3))
    assert (solid["g"], solid["ny"]) == approx((0.25, -1.0))
    circle = Polyline("ground", ((-1.0, 0.0), (1.0, 0.0), (-1.0, 0.0)), (1.0, 1.0))
    (ring,) = Scene(Disk("b", 0.25), circle)((0.3, 0.4, 0.0), np.zeros(3))
    assert (ring["g"], ring["nx"], ring["ny"]) == approx((0.25, -0.6, -0.8))


def test_two_hills_above_a_deep_hollow_are_two_chains():
    bottle = Polyline("ground", ((-5.0, 1.0), (-0.5, 1.0), (-0.5, 0.8), (0.5, 0.8), (0.5, 1.0), (5.0, 1.0)),
                      (0.0, 0.0, 1.8, 0.0, 0.0))
    chains = chains_of(bottle, 0.51)
    assert len(chains) == 2
    assert len(chains_of(bottle, 0.0)) == 1  # a point touches one place at a time


@pytest.mark.parametrize(("a", "b", "message"), [
    ("half space", "half space", 'HalfSpace of body "a" and HalfSpace of body "b": neither has an end'),
    ("terrain", "half space", "Polyline of body \"a\" and HalfSpace"),
    ("terrain", "terrain", "give one of them a bounded shape"),
    ("point", "point", "neither has a surface; give one of them a radius"),
    ("rod", "rod", "neither has a surface; give one of them a radius"),
    ("rod", "polygon", "a corner would pass through a thin rod unseen"),
    ("rod", "terrain", "a hill would pass through a thin rod unseen"),
])
def test_a_pair_that_cannot_touch_is_refused(a, b, message):
    with pytest.raises(ModelError, match=re.escape(message)):
        gaps_of("planar", SHAPES[a]("a"), SHAPES[b]("b"))


def test_a_planar_shape_in_space_is_refused():
    with pytest.raises(ModelError, match="a Disk is not a spatial shape"):
        gaps_of("spatial", Disk("a", 1.0), HalfSpace("b", (0.0, 0.0, 1.0)))


def test_the_two_faces_of_a_rod_end_at_the_same_place():
    """Where one face ended before the other by round-off, a point beside the end of the rod was behind its far face."""
    rng = np.random.default_rng(3)
    for _ in range(3000):
        p, q = rng.uniform(-1.0, 1.0, (2, 2))
        length = np.linalg.norm(q - p)
        along = (q - p) / length
        x, y = q + 0.1 * np.array([-along[1], along[0]]) + (JOINT * length + rng.uniform(-2e-16, 2e-16)) * along
        vertex = np.array([[*p, 0.0], [*q, 0.0], [*p, 0.0]])
        assert chain_point(vertex, 0, 3, x, y, 1.0, 0.0, 2.0, 0.0)[0] == pytest.approx(0.1, abs=1e-15)


@pytest.mark.parametrize("names", [("ellipse", "terrain"), ("polygon", "terrain"), ("capsule", "terrain"),
                                   ("polygon", "polygon"), ("ellipse", "polygon"), ("capsule", "hollow"),
                                   ("polygon", "track"), ("capsule", "valley"), ("ellipse", "track"), ("ellipse", "valley")])
def test_what_has_begun_to_overlap_has_a_gap_that_is_no_larger_than_its_way_since(names):
    """So that a search for roots within a step, which trusts gaps at both ends, does not miss it."""
    made, _, _ = scene(names)
    rng, step, entered = np.random.default_rng(7), 5e-3, 0
    for _ in range(40):
        ground = names[1] in ("terrain", "hollow", "track", "valley")
        heading, turn, spin = rng.uniform(0.0, (1.0 if ground else 2.0) * math.pi), rng.uniform(-math.pi, math.pi), rng.normal()
        v, since = -np.array([math.cos(heading), math.sin(heading)]), 0.0
        place = rng.uniform(-1.0, 1.0, 2) - 4.0 * v
        if ground:
            place[1] = max(place[1], rng.uniform(2.2, 3.0) + 1.4 * (names[1] in ("track", "valley")))  # over its hills
        for _ in range(1600):
            gap = made((*place, turn), (0.0, 0.0, 0.0))["g"]
            since += step * (1.0 + 2.0 * abs(spin)) if since > 0.0 or gap.min() < 0.0 else 0.0
            assert since == 0.0 or np.abs(gap).min() <= since
            if since > 0.1:
                entered += 1
                break
            place, turn = place + step * v, turn + step * spin
    assert entered > 20
