"""Events of contact motion: none is missed, none depends on the steps, on the order of declaration, or on where a run began."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import brentq

import routh as rt
from measured import poses, velocities
from reference import plane_turn
from routh import forces, joints, profiles, shapes

approx = pytest.approx
SHARP = {"rtol": 1e-12, "atol": 1e-13}
GROUND = "ground"


def run(model, start, t_end, t_start=0.0, **options):
    return rt.simulate(model, start, t_end, t_start=t_start, options=rt.Options(**(SHARP | {"output": 0.05} | options)))


def last(result, model):
    return np.concatenate([poses(result, model).ravel(), velocities(result, model).ravel()])


SHORT_DIPS = (1, 16, 17, 75, 82, 153, 175, 196, 205, 223, 237, 241, 426, 482, 569, 592, 664)  # which were missed


# a bullet is never missed


def to_convex(corners, x):
    """Distance of points (n, 2) to a convex polygon, counter-clockwise; zero inside."""
    a = np.array(corners)
    e = np.roll(a, -1, axis=0) - a
    r = x[:, None, :] - a
    s = np.clip((r * e).sum(axis=2) / (e * e).sum(axis=1), 0.0, 1.0)
    d = np.linalg.norm(r - s[:, :, None] * e, axis=2).min(axis=1)
    return np.where((e[:, 0] * r[:, :, 1] >= e[:, 1] * r[:, :, 0]).all(axis=1), 0.0, d)


def first_root(gap, t_end, samples=20_001):
    """(instant of the first touch or None, least gap) of a gap over an array of times: sampled densely, dips refined."""
    t = np.linspace(0.0, t_end, samples)
    g = gap(t)
    dips = np.flatnonzero((g[1:-1] <= g[:-2]) & (g[1:-1] <= g[2:]) & (g[1:-1] < 0.01)) + 1
    least = math.inf
    for i in sorted({*dips.tolist(), *np.flatnonzero(g < 0.0)[:1].tolist()}):
        inside = t[i]
        for width in (t[1], 1e-2 * t[1], 1e-4 * t[1], 1e-6 * t[1]):
            if gap(np.array([inside]))[0] < 0.0:
                break
            near = np.linspace(inside - width, inside + width, 201)
            inside = near[np.argmin(gap(near))]
        least = gap(np.array([inside]))[0]
        if least < 0.0:
            return brentq(lambda x: gap(np.array([x]))[0], t[i - 1], inside, xtol=1e-16, rtol=1e-15), least
    return None, least


def flight(point, v, t, g=0.0):
    """Points (n, 2) of a free flight."""
    return np.add(point, np.outer(t, v)) - np.outer(0.5 * g * t * t, (0.0, 1.0))


@pytest.mark.parametrize("seed", range(30))
def test_a_fast_thin_disk_that_grazes_a_corner_or_a_disk_is_never_missed(seed):
    rng = np.random.default_rng(seed)
    radius, speed, off = 1e-3, 10.0 ** rng.uniform(0.0, 3.0), 10.0 ** rng.uniform(-6.0, -3.0) * rng.choice([-1.0, 1.0])
    angle = rng.uniform(0.0, 6.0)
    corners = [(0.2 * math.cos(a), 0.2 * math.sin(a)) for a in angle + np.array([0.0, 1.9, 4.0])]
    way = plane_turn(rng.uniform(0.0, 6.0))  # flies along way[:, 0] past the farthest point of the obstacle along way[:, 1]
    round_one = seed % 3 == 0
    top = 0.2 if round_one else max(way[:, 1] @ c for c in corners)
    obstacle = shapes.Disk(GROUND, 0.2) if round_one else shapes.Polygon(GROUND, corners)
    begin = way @ (-1.0, top + radius + off)
    model = rt.Model("planar", [rt.Body("bullet", 0.01, 1e-8)],
                     contacts=[rt.Contact("hit", shapes.Disk("bullet", radius), obstacle, rt.Newton(0.5, 0.1))])
    v = speed * way[:, 0]
    start = rt.State(bullet={"x": begin[0], "y": begin[1], "vx": v[0], "vy": v[1]})
    result = run(model, start, 2.0 / speed, output=1.0 / speed)

    def gap(t):
        x = flight(begin, v, t)
        return (np.linalg.norm(x, axis=1) - 0.2 if round_one else to_convex(corners, x)) - radius

    t, least = first_root(gap, 2.0 / speed)
    assert len(result.impacts) == (off < 0.0)
    if off < 0.0:
        assert least < 0.0
        assert result.impacts.t[0] == approx(t, abs=1e-9 / speed)  # a graze of 1e-6 makes the root that flat


CIRCLE = np.exp(2j * math.pi * np.arange(2880) / 2880)
TRIANGLE = (-0.03 - 0.02j, 0.03 - 0.02j, 0.04j)
BULLETS = {  # shapes and their outlines
    "disk": (shapes.Disk("p", 0.02), 0.02 * CIRCLE),
    "ellipse": (shapes.Ellipse("p", (0.06, 0.01)), 0.06 * CIRCLE.real + 0.01j * CIRCLE.imag),
    "capsule": (shapes.Capsule("p", (-0.05, 0.0), (0.05, 0.0), 0.01),
                np.concatenate([0.01 * CIRCLE + x for x in np.linspace(-0.05, 0.05, 9)])),
    "triangle": (shapes.Polygon("p", [(z.real, z.imag) for z in TRIANGLE]),
                 np.concatenate([np.linspace(a, b, 400) for a, b in itertools.pairwise((*TRIANGLE, TRIANGLE[0]))])),
}


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("kind", BULLETS)
def test_a_bullet_does_not_fly_through_a_terrain_with_ends(kind, seed):
    """Behind such a terrain the gap is the distance of a far end: where a step ends there, it says nothing of the way."""
    rng = np.random.default_rng(seed)
    terrain = np.column_stack([np.linspace(-1.0, 1.0, 5), rng.uniform(-0.5, 0.5, 5)])
    speed, heading, omega = 10.0 ** rng.uniform(0.0, 3.0), rng.uniform(-0.6, 0.6), rng.uniform(-20.0, 20.0)
    v, t_aim = -1j * speed * np.exp(1j * heading), rng.uniform(1.0, 5.0) / speed
    at = rng.uniform(-0.2, 0.2) - v * t_aim
    shape, outline = BULLETS[kind]
    model = rt.Model("planar", [rt.Body("p", 1.0, 1e-3)], contacts=[
        rt.Contact("hit", shape, shapes.Polyline(GROUND, terrain), rt.Newton(0.5, 0.0))])
    start = rt.State(p={"x": at.real, "y": at.imag, "vx": v.real, "vy": v.imag, "omega": omega})
    result = run(model, start, 2.0 * t_aim, output=t_aim, max_step=rng.uniform(0.02, 0.5) / speed)
    t = np.linspace(max(0.0, t_aim - 1.0 / speed), t_aim + 1.0 / speed, 2001)
    z = at + v * t[:, None] + np.exp(1j * omega * t[:, None]) * outline
    below = (z.imag < np.interp(z.real, *terrain.T)).any(axis=1)
    first = t[np.argmax(below)]
    assert result.impacts.t[0] == approx(first, abs=2e-3 / speed)


@pytest.mark.parametrize("seed", range(20))
def test_a_whirling_blade_meets_a_peg_when_its_free_flight_says_so(seed):
    rng = np.random.default_rng(seed)
    w, h = 0.5, 0.02
    corners = np.array([(-w, -h), (w, -h), (w, h), (-w, h)])
    omega, v, peg = rng.uniform(5.0, 80.0), rng.uniform(-2.0, 2.0, 2), rng.uniform(0.45, 0.6)
    model = rt.Model("planar", [rt.Body("blade", 1.0, 0.1)], gravity=(0.0, -9.81), contacts=[
        rt.Contact("clip", shapes.Polygon("blade", corners), shapes.Disk(GROUND, 0.01, (peg, 0.0)), rt.Poisson(0.5, 0.2))])
    theta = rng.uniform(0.3, 2.8)
    start = rt.State(blade={"theta": theta, "vx": v[0], "vy": v[1], "omega": omega})

    def gap(t):
        (x, y), c, s = ((peg, 0.0) - flight((0.0, 0.0), v, t, 9.81)).T, np.cos(theta + omega * t), np.sin(theta + omega * t)
        return to_convex(corners, np.column_stack([c * x + s * y, c * y - s * x])) - 0.01

    t, least = first_root(gap, 0.4)
    assert t is not None or least > 1e-7  # none of these grazes by less than the reference resolves
    result = run(model, start, 0.4)
    if t is None:
        assert not len(result.impacts)
    else:
        assert result.impacts.t[0] == approx(t, abs=1e-9)


@pytest.mark.parametrize("seed", range(36))
def test_a_spinning_rod_that_drifts_towards_an_obstacle_is_not_missed_however_often_it_turns_in_a_step(seed):
    """Free of forces it turns evenly: error control sees nothing, and one step may hold a hundred turns."""
    rng = np.random.default_rng(seed)
    omega, drift, height, theta = rng.uniform(5.0, 200.0), rng.uniform(0.05, 3.0), rng.uniform(1.1, 3.0), rng.uniform(0.0, 6.0)
    slab = shapes.Polygon(GROUND, [(-3.0, -1.0), (3.0, -1.0), (3.0, 0.0), (-3.0, 0.0)])
    obstacle = [shapes.HalfSpace(GROUND, (0.0, 1.0)), slab, shapes.Disk(GROUND, 0.5, (0.3, -0.5)),
                shapes.Ellipse(GROUND, (0.5, 0.5), (0.3, -0.5))][seed % 4]
    model = rt.Model("planar", [rt.Body("rod", 1.0, 0.33)], contacts=[
        rt.Contact("hit", obstacle, shapes.Capsule("rod", (-1.0, 0.0), (1.0, 0.0), 0.02), rt.Newton(0.5, 0.2))])
    start = rt.State(rod={"y": height, "theta": theta, "omega": omega, "vy": -drift})

    def gap(t):
        y, c, s = height - drift * t, np.cos(theta + omega * t), np.sin(theta + omega * t)
        if seed % 4 < 2:
            return y - np.abs(s) - 0.02
        along = np.clip(0.3 * c - (0.5 + y) * s, -1.0, 1.0)
        return np.hypot(0.3 - along * c, -0.5 - y - along * s) - 0.52

    t, _ = first_root(gap, height / drift, int(40.0 * omega * height / drift) + 1000)  # forty samples a radian
    result = run(model, start, height / drift, output=height / drift)
    assert result.impacts.t[0] == approx(t, abs=1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_a_driven_crank_meets_a_ball_that_drifts_by_however_often_it_turns_in_a_step(seed):
    rng = np.random.default_rng(seed)
    arm, omega, height, drift = rng.uniform(0.05, 0.3), rng.uniform(5.0, 60.0), rng.uniform(0.4, 2.0), rng.uniform(0.02, 1.0)
    tip, ball = shapes.Disk("crank", 0.02, (arm, 0.0)), shapes.Disk("ball", 0.05)
    model = rt.Model("planar", [rt.Body("crank", 1.0, 1.0), rt.Body("ball", 1.0, 0.01)],
                     joints=[joints.Revolute("pin", GROUND, "crank")],
                     drivers=[rt.Driver("motor", "pin.angle", profiles.ConstantRate(omega))],
                     contacts=[rt.Contact("hit", tip, ball, rt.Newton(0.5, 0.0))])

    def gap(t):
        return np.hypot(arm * np.cos(omega * t), height - drift * t - arm * np.sin(omega * t)) - 0.07

    t, least = first_root(gap, height / drift, int(40.0 * omega * height / drift) + 1000)
    result = run(model, rt.State(ball={"y": height, "vy": -drift}), height / drift, output=height / drift)
    assert t is not None or least > 1e-7
    assert result.impacts.t[:1].tolist() == ([] if t is None else approx([t], abs=1e-9))


@pytest.mark.parametrize("seed", range(20))
def test_a_fast_sphere_that_grazes_a_spinning_box_is_never_missed(seed):
    rng = np.random.default_rng(seed)
    half, radius = rng.uniform(0.05, 0.2, 3), 2e-3
    spin, speed = rng.uniform(-20.0, 20.0), 10.0 ** rng.uniform(0.0, 2.0)
    i = int(rng.integers(3))
    j, k = (i + 1) % 3, (i + 2) % 3
    aim = np.append(-1.0, rng.uniform(-0.2, 0.2, 2))
    model = rt.Model("spatial", [rt.Body("box", 1.0, (0.1, 0.1, 0.1)), rt.Body("bullet", 1e-3, (1e-9,) * 3)], contacts=[
        rt.Contact("hit", shapes.Box("box", 2.0 * half), shapes.Sphere("bullet", radius), rt.Poisson(0.5, 0.2))])
    start = rt.State(box={"omega": spin * np.eye(3)[i]}, bullet={"x": aim[0], "y": aim[1], "z": aim[2], "vx": speed})

    def gap(t):
        x, c, s = np.tile(aim, (len(t), 1)), np.cos(spin * t), np.sin(spin * t)
        x[:, 0] += speed * t
        x[:, j], x[:, k] = c * x[:, j] + s * x[:, k], c * x[:, k] - s * x[:, j]
        return np.linalg.norm(np.maximum(np.abs(x) - half, 0.0), axis=1) - radius

    t, least = first_root(gap, 2.0 / speed)
    assert t is not None or least > 1e-7  # none of these grazes by less than the reference resolves
    result = run(model, start, 2.0 / speed, output=1.0 / speed)
    if t is None:
        assert not len(result.impacts)
    else:
        assert result.impacts.t[0] == approx(t, abs=1e-9)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("kind", ["capsule", "cylinder"])
def test_rods_that_are_all_but_parallel_are_not_missed_where_their_crossing_runs_along_them(kind, seed):
    """It passes over both within a step, far faster than the rods move."""
    rng = np.random.default_rng(seed)
    half, omega = rng.uniform(0.3, 0.8), np.array([0.0, rng.uniform(-5.0, 5.0), rng.uniform(-1.0, 1.0)])
    tilt, yaw, speed = rng.uniform(-0.3, 0.3), rng.uniform(-0.2, 0.2), rng.uniform(0.1, 2.0)
    axis = np.array([math.cos(tilt) * math.cos(yaw), math.cos(tilt) * math.sin(yaw), math.sin(tilt)])
    at = np.array([rng.uniform(-0.5, 0.5), rng.uniform(-0.1, 0.1), rng.uniform(0.5, 0.8)])
    lying = {"capsule": shapes.Capsule(GROUND, (-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.2),
             "cylinder": shapes.Cylinder(GROUND, 0.2, 2.0, (1.0, 0.0, 0.0))}[kind]
    model = rt.Model("spatial", [rt.Body("rod", 1.0, (0.1, 0.1, 0.1))], contacts=[
        rt.Contact("hit", lying, shapes.Capsule("rod", -half * axis, half * axis, 0.05), rt.Newton(0.5, 0.1))])
    start = rt.State(rod={"x": at[0], "y": at[1], "z": at[2], "vz": -speed, "omega": omega})
    w = np.linalg.norm(omega)
    k, side = omega / w, np.cross(omega, axis) / w

    def distance(t, s):
        turned = np.outer(np.cos(w * t), axis - k * (k @ axis)) + np.outer(np.sin(w * t), side) + k * (k @ axis)
        x = at - np.outer(speed * t, (0.0, 0.0, 1.0)) + s[:, None] * turned
        outside = np.maximum(np.abs(x[:, 0]) - 1.0, 0.0)
        if kind == "cylinder":
            return np.hypot(np.maximum(np.hypot(x[:, 1], x[:, 2]) - 0.2, 0.0), outside) - 0.05
        return np.sqrt(x[:, 1]**2 + x[:, 2]**2 + outside**2) - 0.25

    def gap(t):
        low, high = np.full(len(t), -half), np.full(len(t), half)
        for _ in range(90):  # convex along the rod
            a, b = low + (high - low) / 3.0, high - (high - low) / 3.0
            left = distance(t, a) < distance(t, b)
            low, high = np.where(left, low, a), np.where(left, b, high)
        return distance(t, 0.5 * (low + high))

    t_end = 1.5 / speed
    t, _ = first_root(gap, t_end, 4001)
    result = run(model, start, t_end, output=t_end, max_step=rng.uniform(0.002, 0.05))
    if t is None:
        assert not len(result.impacts)
    else:
        assert result.impacts.t[0] == approx(t, abs=1e-8)


@pytest.mark.parametrize("over", [10.0**-k for k in range(1, 10)])
def test_a_throw_whose_top_is_just_over_the_ceiling_touches_it_though_both_roots_are_in_one_step(over):
    g, v = 9.81, 5.0
    top = v * v / (2.0 * g) - over
    model = rt.Model("planar", [rt.Body("ball", 1.0, 0.1)], gravity=(0.0, -g), contacts=[
        rt.Contact("tap", shapes.Disk("ball", 0.1), shapes.HalfSpace(GROUND, (0.0, -1.0), (0.0, top + 0.1)), rt.Newton(1, 0))])
    result = run(model, rt.State(ball={"vy": v}), 2.0 * v / g, output=1.0)
    assert len(result.impacts) == 1
    late = 1e-14 / math.sqrt(2.0 * g * over)  # round-off of the height, over the speed there
    assert result.impacts.t[0] == approx(v / g - math.sqrt(2.0 * over / g), abs=late + 1e-14)


def test_of_two_obstacles_that_one_step_would_pass_the_first_is_met_first():
    pegs = [shapes.Disk(GROUND, 0.01, (x, 0.0)) for x in (0.3, 0.1, 0.2)]
    model = rt.Model("planar", [rt.Body("bullet", 1.0, 0.1)], contacts=[
        rt.Contact(f"peg{i}", shapes.Disk("bullet", 0.001), peg, rt.Newton(0.0, 0.0)) for i, peg in enumerate(pegs)])
    result = run(model, rt.State(bullet={"x": -1.0, "y": 1e-3, "vx": 300.0}), 0.01, output=0.01)
    assert list(result.impacts.contact) == ["peg1"]
    assert result.impacts.t[0] == approx((1.1 - math.sqrt(0.011**2 - 1e-6)) / 300.0, rel=1e-13)


def triangle(rng):
    """Corners on a circle of 0.1 m about the mass centre, in it, as complex numbers."""
    while True:
        angles = np.sort(rng.uniform(0.0, 2.0 * math.pi, 3))
        if np.diff([*angles, angles[0] + 2.0 * math.pi]).max() < 0.9 * math.pi:
            return 0.1 * np.exp(1j * angles)


def separation(a, b):
    """Of convex polygons, corners (n, 3) as complex numbers at n instants: the greatest over the normals of all faces."""
    best = np.full(len(a), -math.inf)
    for p, q in ((a, b), (b, a)):
        for i in range(3):
            side = np.roll(p, -1, axis=1)[:, i] - p[:, i]
            normal = side / 1j / abs(side)
            best = np.maximum(best, (np.conj(normal)[:, None] * (q - p[:, i, None])).real.min(axis=1))
    return best


def meeting_triangles(rng):
    """(two triangles, their turns, spins, place and velocity of the second, separation at instants) in free flight.

    Corner to corner, all but, at 1 s; drawn again where they overlap from the start.
    """
    while True:
        a, b = triangle(rng), triangle(rng)
        spin, turn = 3.0 * rng.normal(size=2), rng.uniform(0.0, 6.0, 2)
        i, j = rng.integers(3, size=2)
        v, beside = complex(*rng.normal(size=2)), 10.0 ** rng.uniform(-6.0, -2.0) * np.exp(1j * rng.uniform(0.0, 6.0))
        x0 = a[i] * np.exp(1j * (turn[0] + spin[0])) - b[j] * np.exp(1j * (turn[1] + spin[1])) + beside - v

        def gap(t, a=a, b=b, spin=spin, turn=turn, x0=x0, v=v):
            turns = np.exp(1j * (turn + np.outer(t, spin)))
            return separation(turns[:, :1] * a, turns[:, 1:] * b + (x0 + np.outer(t, v)))

        if gap(np.zeros(1))[0] > 0.0:
            return a, b, turn, spin, x0, v, gap


@pytest.mark.parametrize("seed", range(40))
def test_spinning_triangles_whose_corners_nearly_meet_touch_when_their_free_flight_says_so(seed):
    """Past a corner the touch is another contact's: each of them may be met for a millionth of a step only."""
    rng = np.random.default_rng(SHORT_DIPS[seed] if seed < len(SHORT_DIPS) else 1000 + seed)
    a, b, turn, spin, x0, v, gap = meeting_triangles(rng)
    first, least = first_root(gap, 1.5)
    assert first is not None or least >= 1e-9  # or they overlap by less than the reference sees
    polygons = [shapes.Polygon(name, [(z.real, z.imag) for z in corners]) for name, corners in (("a", a), ("b", b))]
    model = rt.Model("planar", [rt.Body("a", 1.0, 0.004), rt.Body("b", 2.0, 0.006)],
                     contacts=[rt.Contact("click", *polygons, rt.Newton(1.0, 0.0))])
    start = rt.State(a={"theta": turn[0], "omega": spin[0]},
                     b={"x": x0.real, "y": x0.imag, "vx": v.real, "vy": v.imag, "theta": turn[1], "omega": spin[1]})
    result = run(model, start, 1.5, output=0.5)
    assert result["click.gap"].min() > -1e-12
    assert (result.impacts.t[0] if len(result.impacts) else None) == (first if first is None else approx(first, abs=1e-12))


# scenes with every kind of contact motion, none of them chaotic


def stick_slip():
    """A block on a belt, held by a spring and upright by a guide: sticks, is torn off, slides back, sticks."""
    belt, sole = shapes.HalfSpace("belt", (0.0, 1.0)), shapes.Disk("block", 0.05)
    model = rt.Model(
        "planar", [rt.Body("belt", 1.0, 0.1), rt.Body("guide", 0.2, 0.01), rt.Body("block", 1.0, 0.01)],
        [joints.Prismatic("track", GROUND, "belt", axis=(1, 0)), joints.Prismatic("rail", GROUND, "guide", axis=(1, 0)),
         joints.Prismatic("lift", "guide", "block", axis=(0, 1))],
        [forces.JointSpring("spring", "rail", stiffness=40.0)], [rt.Driver("motor", "track", profiles.ConstantRate(0.4))],
        gravity=(0.0, -9.81), contacts=[rt.Contact("rub", belt, sole, rt.Poisson(0.0, 0.2, 0.4))])
    return model, rt.State(rail={"shift_rate": 0.4}, lift={"shift": 0.05}), 3.0


def pendulum_on_wall():
    """A pendulum that bounces off a rough wall until it leans on it."""
    model = rt.Model(
        "planar", [rt.Body("arm", 1.0, 0.1)], [joints.Revolute("pin", GROUND, "arm", (0, 0), (0, 1))], gravity=(0.0, -9.81),
        contacts=[rt.Contact("knock", shapes.Disk("arm", 0.1, (0.0, -0.2)), shapes.HalfSpace(GROUND, (-1.0, 0.0), (-0.1, 0.0)),
                             rt.Stronge(0.4, 0.3))])
    return model, rt.State(pin={"angle": -0.6}), 2.0


def thrown_ellipse():
    """An ellipse that tumbles on a slope: flies, bounces, slides, rolls."""
    model = rt.Model("planar", [rt.Body("egg", 1.0, 0.02)], gravity=(0.0, -9.81), contacts=[
        rt.Contact("tumble", shapes.Ellipse("egg", (0.2, 0.15)), shapes.HalfSpace(GROUND, (0.1, 1.0)), rt.Poisson(0.4, 0.5))])
    return model, rt.State(egg={"y": 0.6, "vx": 0.5, "omega": 1.0}), 1.0


def skidding_ball():
    """A ball that bounces in space with back spin, skids, and rolls."""
    model = rt.Model("spatial", [rt.Body("ball", 1.0, (0.004,) * 3)], gravity=(0.0, 0.0, -9.81), contacts=[
        rt.Contact("bounce", shapes.Sphere("ball", 0.1), shapes.HalfSpace(GROUND, (0.0, 0.0, 1.0)), rt.Poisson(0.5, 0.3))])
    return model, rt.State(ball={"z": 0.5, "vx": 2.0, "omega": (10.0, -30.0, 5.0)}), 2.5


def three_disks():
    """Three disks and a rope above a floor: blows between bodies, and a taut rope."""
    bodies = [rt.Body(f"d{i}", 1.0 + i, 0.02) for i in range(3)]
    disks = [shapes.Disk(f"d{i}", 0.2) for i in range(3)]
    floor = shapes.HalfSpace(GROUND, (0.0, 1.0))
    laws = [rt.Newton(0.7, 0.2), rt.Poisson(0.5, 0.4), rt.Stronge(0.6, 0.1)]
    pairs = [rt.Contact(f"f{i}", disk, floor, law) for i, (disk, law) in enumerate(zip(disks, laws, strict=True))]
    pairs += [rt.Contact(f"p{i}{j}", disks[i], disks[j], laws[i]) for i, j in ((0, 1), (1, 2), (0, 2))]
    model = rt.Model("planar", bodies, gravity=(0.0, -9.81),
                     contacts=[*pairs, rt.Rope("leash", GROUND, "d2", 1.0, (1.2, 1.5), (0.0, 0.1), e=0.3)])
    start = rt.State(d0={"y": 0.7, "vx": 2.0}, d1={"x": 0.9, "y": 0.6, "vx": -1.0}, d2={"x": 1.5, "y": 0.9, "vx": -1.0})
    return model, start, 0.9


SCENES = [stick_slip, pendulum_on_wall, thrown_ellipse, skidding_ball, three_disks]
scenes = pytest.mark.parametrize("scene", SCENES, ids=lambda f: f.__name__)


@scenes
def test_a_motion_through_events_converges_with_the_tolerance(scene):
    model, start, t_end = scene()
    exact = last(run(model, start, t_end, rtol=1e-13, atol=1e-14), model)
    errors = []
    for rtol in (1e-6, 1e-8, 1e-10, 1e-12):
        errors.append(np.abs(last(run(model, start, t_end, rtol=rtol, atol=rtol), model) - exact).max())
        assert errors[-1] <= 1e3 * rtol * max(1.0, np.abs(exact).max())  # some hundred steps, amplified by the blows
    assert errors[-1] < 1e-9


@scenes
def test_a_run_goes_on_from_the_middle_of_a_contact_as_if_it_had_not_stopped(scene):
    model, start, t_end = scene()
    whole = run(model, start, t_end, output=t_end / 40)
    modes = {c.name: whole[f"{c.name}.mode"] for c in model.contacts}
    seen = {}
    for i in range(1, len(whole.t) - 1):
        seen.setdefault(tuple(int(m[i]) for m in modes.values()), []).append(i)
    assert seen
    for samples in seen.values():
        i = samples[len(samples) // 2]
        rest = run(model, whole.state(i), t_end, t_start=whole.t[i])
        assert last(rest, model) == approx(last(whole, model), abs=1e-10, rel=1e-10), f"from t = {whole.t[i]}"


@scenes
def test_two_runs_give_the_same_bits(scene):
    model, start, t_end = scene()
    one, two = run(model, start, t_end), run(model, start, t_end)
    assert all(np.array_equal(one[name], two[name]) for name in one.channels)
    assert np.array_equal(one.impacts.impulse, two.impacts.impulse)


@scenes
def test_pauses_of_the_loop_leave_no_trace(scene, monkeypatch):
    from routh.sim import run as module

    model, start, t_end = scene()
    whole = run(model, start, t_end)
    monkeypatch.setattr(module, "SLICE", 1e-9)  # ten steps a slice
    paused = run(model, start, t_end)
    assert all(np.array_equal(whole[name], paused[name]) for name in whole.channels)


def strong(impacts):
    """Impacts but the last of endless sequences, whose number is a matter of round-off."""
    return impacts[impacts.p_n > 1e-4 * impacts.p_n.max()]


def test_the_order_of_bodies_and_contacts_says_nothing():
    model, start, t_end = three_disks()
    one = run(model, start, t_end)
    for order in itertools.islice(itertools.permutations(range(3)), 1, 6, 2):
        turned = rt.Model("planar", [model.bodies[i] for i in order], gravity=model.gravity, contacts=model.contacts[::-1])
        two = run(turned, start, t_end)
        assert strong(two.impacts).p_n == approx(strong(one.impacts).p_n, abs=1e-9)
        assert list(strong(two.impacts).contact) == list(strong(one.impacts).contact)
        assert strong(two.impacts).t == approx(strong(one.impacts).t, abs=1e-10)
        for body in model.bodies:
            for c in ("x", "y", "theta", "vx", "vy", "omega"):
                assert two[f"{body.name}.{c}"][-1] == approx(one[f"{body.name}.{c}"][-1], abs=1e-9)


def test_a_block_on_a_belt_is_torn_off_where_the_spring_passes_static_friction():
    model, start, t_end = stick_slip()
    events = run(model, start, t_end).events
    torn = events.t[events.kind == "slip"]
    # mu_s m g / (k v); a force is over its limit by 1e-10 of the load before it counts
    assert torn[0] == approx(0.4 * 9.81 / (40.0 * 0.4), abs=2e-10 * 9.81 / (40.0 * 0.4))
    # sliding about x0 = mu m g / k from rest on the belt, until it is as fast as the belt again
    w, x0, x = math.sqrt(40.0 / 1.2), 0.2 * 9.81 / 40.0, 0.4 * 9.81 / 40.0
    again = events.t[(events.kind == "stick") & (events.t > torn[0])][0]
    assert again - torn[0] == approx(2.0 * (math.pi - math.atan2((x - x0) * w, 0.4)) / w, rel=1e-9)


def test_two_feet_are_torn_off_together_where_the_load_passes_the_static_limit_of_both():
    # how they share the load is indeterminate: that some share is within both cones is all that matters
    feet = [(-0.1, -0.05), (0.1, -0.05), (0.1, 0.05), (-0.1, 0.05)]
    model = rt.Model(
        "planar", [rt.Body("belt", 1.0, 0.1), rt.Body("block", 1.0, 0.01)],
        [joints.Prismatic("track", GROUND, "belt", axis=(1.0, 0.0))],
        [forces.SpringDamper("spring", GROUND, "block", (-2.0, 0.05), (), stiffness=40.0, free_length=2.0)],
        [rt.Driver("motor", "track", profiles.ConstantRate(0.4))], gravity=(0.0, -9.81),
        contacts=[rt.Contact("rub", shapes.HalfSpace("belt", (0.0, 1.0)), shapes.Polygon("block", feet),
                             rt.Poisson(0.0, 0.2, 0.4))])
    events = run(model, rt.State(block={"y": 0.05, "vx": 0.4}), 0.3).events
    torn = events.t[events.kind == "slip"]
    assert len(torn) == 2
    # a force is over its limit by 1e-10 of the load before it counts
    assert torn == approx(0.4 * 9.81 / (40.0 * 0.4), rel=1e-9)


# the plane inside space


def lifted(shape):
    match shape:
        case shapes.Disk():
            return shapes.Sphere(shape.body, shape.radius, (*shape.point, 0.0) if shape.point else ())
        case shapes.HalfSpace():
            return shapes.HalfSpace(shape.body, (*shape.normal, 0.0), (*shape.point, 0.0) if shape.point else ())
        case shapes.Capsule():
            return shapes.Capsule(shape.body, (*shape.start, 0.0), (*shape.end, 0.0), shape.radius)
        case shapes.Ellipse():
            a, b = shape.axes
            return shapes.Ellipsoid(shape.body, (a, b, 0.5 * (a + b)), (*shape.point, 0.0) if shape.point else ())
    raise TypeError(f"{type(shape).__name__} has no twin in space")


def in_space(model):
    """The model in the plane z = 0 of space; contacts of smooth shapes only."""
    bodies = [rt.Body(b.name, b.mass, (0.7 * b.inertia, 0.8 * b.inertia, b.inertia)) for b in model.bodies]
    pins = [joints.Revolute(j.name, j.a, j.b, (*j.point_a, 0.0), (*j.point_b, 0.0), axis=(0.0, 0.0, 1.0)) for j in model.joints]
    made = []
    for c in model.contacts:
        if isinstance(c, rt.Rope):
            made.append(rt.Rope(c.name, c.a, c.b, c.length, (*c.point_a, 0.0), (*c.point_b, 0.0), e=c.e))
        else:
            made.append(rt.Contact(c.name, lifted(c.a), lifted(c.b), c.law))
    return rt.Model("spatial", bodies, pins, gravity=(*model.gravity, 0.0), contacts=made)


def start_in_space(start):
    def entry(v):
        out = {k: x for k, x in v.items() if k not in ("theta", "omega")}
        if "omega" in v:
            out["omega"] = (0.0, 0.0, v["omega"])
        if "theta" in v:
            out["q"] = (math.cos(0.5 * v["theta"]), 0.0, 0.0, math.sin(0.5 * v["theta"]))
        return out

    return rt.State({name: entry(v) for name, v in start.items()})


def tossed_rod():
    """A capsule that falls on a disk and on the floor."""
    rod, ball = shapes.Capsule("rod", (-0.3, 0.0), (0.3, 0.0), 0.05), shapes.Disk("ball", 0.15)
    floor = shapes.HalfSpace(GROUND, (0.0, 1.0))
    model = rt.Model("planar", [rt.Body("rod", 1.0, 0.03), rt.Body("ball", 2.0, 0.05)], gravity=(0.0, -9.81), contacts=[
        rt.Contact("end", rod, floor, rt.Newton(0.5, 0.3)), rt.Contact("side", rod, ball, rt.Poisson(0.5, 0.2)),
        rt.Contact("foot", ball, floor, rt.Stronge(0.3, 0.6))])
    return model, rt.State(rod={"y": 0.8, "theta": 0.4, "vx": 0.2}, ball={"x": 0.2, "y": 0.3, "vy": 1.0}), 0.6


@pytest.mark.parametrize("scene", [pendulum_on_wall, thrown_ellipse, three_disks, tossed_rod], ids=lambda f: f.__name__)
def test_a_planar_scene_moves_in_space_as_it_does_in_the_plane(scene):
    model, start, t_end = scene()
    flat, deep = run(model, start, t_end), run(in_space(model), start_in_space(start), t_end)
    assert list(strong(deep.impacts).contact) == list(strong(flat.impacts).contact)
    assert strong(deep.impacts).t == approx(strong(flat.impacts).t, abs=1e-10)
    assert strong(deep.impacts).p_n == approx(strong(flat.impacts).p_n, abs=1e-9)
    for body in model.bodies:
        for c, d in zip(("x", "y", "vx", "vy", "omega"), ("x", "y", "vx", "vy", "wz"), strict=True):
            assert deep[f"{body.name}.{d}"][-1] == approx(flat[f"{body.name}.{c}"][-1], abs=1e-9)
        for c in ("z", "vz", "wx", "wy"):
            assert deep[f"{body.name}.{c}"][-1] == approx(0.0, abs=1e-10)
