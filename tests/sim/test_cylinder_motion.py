"""Cylinders on boxes, rails and each other, against closed forms and against the half space in the same plane."""

import math

import numpy as np
import pytest

import routh as rt
from routh import shapes

G = 9.81
MASS, RADIUS, LENGTH = 2.0, 0.1, 0.3
ROLL, TIP = 0.5 * MASS * RADIUS ** 2, MASS * (RADIUS ** 2 / 4.0 + LENGTH ** 2 / 12.0)
CHANNELS = ("x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz")
TABLE = shapes.Box("ground", (2.0, 2.0, 0.5), (0.0, 0.0, -0.25))  # its top is z = 0
PLANE = shapes.HalfSpace("ground", (0.0, 0.0, 1.0))
FINE = rt.Options(rtol=1e-11, atol=1e-14)


def can(grounds, axis, law, gravity=(0.0, 0.0, -G)):
    """One cylinder with an axis along x, y or z, and what lies in its way."""
    inertia = tuple(ROLL if a else TIP for a in axis)
    shape = shapes.Cylinder("can", RADIUS, LENGTH, axis)
    return rt.Model(space="spatial", gravity=gravity, bodies=[rt.Body("can", mass=MASS, inertia=inertia)],
                    contacts=[rt.Contact(f"on{i}", ground, shape, law=law) for i, ground in enumerate(grounds)])


@pytest.mark.parametrize("start", [{"z": RADIUS, "vx": 0.6, "vy": 0.1, "wz": 0.4}, {"z": 0.2, "vx": 0.3, "wx": 0.8, "wy": 2.0}])
def test_a_cylinder_on_a_box_moves_as_on_a_half_space(start):
    law, axis = rt.Newton(e=0.3, mu=0.2), (0.0, 1.0, 0.0)
    runs = [rt.simulate(can([ground], axis, law), rt.State(can=start), t_end=0.5) for ground in (TABLE, PLANE)]
    for name in CHANNELS:
        ours, theirs = (run[f"can.{name}"][-1] for run in runs)
        assert ours == pytest.approx(theirs, abs=1e-9), name
    assert [len(run.impacts) for run in runs] == [len(runs[1].impacts)] * 2
    assert runs[0].impacts.t == pytest.approx(runs[1].impacts.t, abs=1e-10)


@pytest.mark.parametrize("width", [2.0, 0.2])
@pytest.mark.parametrize("shape", [shapes.Cylinder("can", RADIUS, LENGTH, (0.0, 1.0, 0.0)),
                                   shapes.Capsule("can", (0.0, -0.5 * LENGTH, 0.0), (0.0, 0.5 * LENGTH, 0.0), RADIUS)])
@pytest.mark.parametrize("mu", [0.0, 0.2, 0.5])
def test_what_rolls_off_a_table_sideways_moves_as_a_disk_in_the_plane(shape, width, mu):
    """Over an edge along its side, which is longer than it or shorter: it pivots, slips and parts."""
    table, law = shapes.Box("ground", (2.0, width, 0.5), (0.0, 0.0, -0.25)), rt.Newton(e=0.0, mu=mu)
    model = rt.Model(space="spatial", gravity=(0.0, 0.0, -G), bodies=[rt.Body("can", MASS, (TIP, ROLL, TIP))],
                     contacts=[rt.Contact("on", table, shape, law=law)])
    run = rt.simulate(model, rt.State(can={"x": 0.9, "z": RADIUS, "vx": 0.4, "wy": 4.0}), t_end=0.7)
    corners = [(1.0, 0.0), (-1.0, 0.0), (-1.0, -0.5), (1.0, -0.5)]
    flat = rt.Model(space="planar", gravity=(0.0, -G), bodies=[rt.Body("can", MASS, ROLL)],
                    contacts=[rt.Contact("on", shapes.Polygon("ground", corners), shapes.Disk("can", RADIUS), law=law)])
    disk = rt.simulate(flat, rt.State(can={"x": 0.9, "y": RADIUS, "vx": 0.4, "omega": -4.0}), t_end=0.7)
    assert run["can.z"][-1] < -0.1
    for ours, theirs in (("x", "x"), ("z", "y"), ("vx", "vx"), ("vz", "vy")):
        assert run[f"can.{ours}"][-1] == pytest.approx(disk[f"can.{theirs}"][-1], abs=1e-8), ours
    assert run["can.wy"][-1] == pytest.approx(-disk["can.omega"][-1], abs=1e-7)
    assert abs(run["can.y"][-1]) < 1e-9


def test_a_cylinder_that_stands_on_a_box_stays():
    result = rt.simulate(can([TABLE], (0.0, 0.0, 1.0), rt.Newton(e=0.2, mu=0.4)),
                         rt.State(can={"x": 0.3, "z": 0.5 * LENGTH}), t_end=1.0)
    assert np.abs(result["can.z"] - 0.5 * LENGTH).max() < 1e-12
    assert np.ptp(result["can.x"]) < 1e-12
    assert result["on0.force"][-1] == pytest.approx(MASS * G)


@pytest.mark.parametrize("heading", [0.0, 0.3, 1.0, 2.0, 3.0])
@pytest.mark.parametrize("ground", [TABLE, PLANE])
def test_a_can_on_a_slope_tips_where_its_middle_is_over_its_rim_whichever_way_the_slope_falls(ground, heading):
    """tan(slope) = 2 R / L; friction holds. Just below it stands, just above it falls down the slope.

    It falls at 1e-4 rad/s: its direction is known to 1e-6 where steps are accurate to much less than 1e-10 rad/s.
    """
    for part in (1.0 - 1e-5, 1.0 + 1e-5):
        slope = part * math.atan(2.0 * RADIUS / LENGTH)
        down = np.array([math.cos(heading), math.sin(heading)])
        gravity = G * np.array([*(math.sin(slope) * down), -math.cos(slope)])
        model = can([ground], (0.0, 0.0, 1.0), rt.Newton(e=0.0, mu=3.0), tuple(gravity))
        result = rt.simulate(model, rt.State(can={"z": 0.5 * LENGTH}), t_end=0.3, options=FINE)
        tilting = np.array([result["can.wy"][-1], -result["can.wx"][-1]])
        if part < 1.0:
            assert np.abs(tilting).max() == 0.0
        else:
            assert tilting @ down > 1e-5
            assert abs(tilting @ (-down[1], down[0])) < 1e-6 * (tilting @ down)
            assert np.abs(result.energy.error).max() < 1e-9


@pytest.mark.parametrize("ground", [TABLE, PLANE])
@pytest.mark.parametrize("e", [0.0, 0.3, 0.8])
def test_a_can_that_lands_flat_bounces_without_sinking_or_gaining(ground, e):
    """On a half space its three points come down level; on a table rim and edges have points of their own."""
    model, start = can([ground], (0.0, 0.0, 1.0), rt.Newton(e=e, mu=0.5)), rt.State(can={"z": 0.5 * LENGTH + 0.01})
    result = rt.simulate(model, start, t_end=0.5)
    assert result["on0.gap"].min() > -1e-9
    assert np.abs(result.energy.error).max() < 1e-8
    assert result.impacts.energy_lost.min() > -1e-9
    assert result["can.z"].max() <= 0.5 * LENGTH + 0.01


def test_a_cylinder_rolls_down_two_rails_at_two_thirds_of_the_slope():
    slope = 0.2
    rails = [shapes.Capsule("ground", (-1.0, y, -0.02), (3.0, y, -0.02), 0.02) for y in (-0.1, 0.1)]
    gravity = (G * math.sin(slope), 0.0, -G * math.cos(slope))
    result = rt.simulate(can(rails, (0.0, 1.0, 0.0), rt.Newton(e=0.0, mu=0.3), gravity), rt.State(can={"z": RADIUS}), t_end=0.8)
    assert result["can.x"][-1] == pytest.approx(0.5 * 2.0 / 3.0 * G * math.sin(slope) * 0.8 ** 2, abs=1e-9)
    assert result["can.z"][-1] == pytest.approx(RADIUS, abs=1e-11)
    assert result["on0.force"][-1] == pytest.approx(0.5 * MASS * G * math.cos(slope))


@pytest.mark.parametrize("offset", [0.0, 0.08])
def test_crossed_cylinders_strike_with_the_inverse_mass_of_their_point(offset):
    """`offset`: of the point from the middle of the first one, along its axis."""
    e, speed = 0.5, 2.0
    one, two = shapes.Cylinder("one", RADIUS, LENGTH, (1.0, 0.0, 0.0)), shapes.Cylinder("two", RADIUS, LENGTH, (0.0, 1.0, 0.0))
    model = rt.Model(space="spatial", contacts=[rt.Contact("strike", one, two, law=rt.Newton(e=e, mu=0.0))],
                     bodies=[rt.Body("one", MASS, (ROLL, TIP, TIP)), rt.Body("two", MASS, (TIP, ROLL, TIP))])
    result = rt.simulate(model, rt.State(two={"x": offset, "z": 0.3, "vz": -speed}), t_end=0.1)
    assert result.impacts.t == pytest.approx([0.05])
    blow = (1.0 + e) * speed / (2.0 / MASS + offset ** 2 / TIP)
    assert result.impacts.p_n == pytest.approx([blow])
    assert result["one.vz"][-1] == pytest.approx(-blow / MASS)
    assert result["one.wy"][-1] == pytest.approx(offset * blow / TIP, abs=1e-12)
    assert result["two.vz"][-1] == pytest.approx(blow / MASS - speed)


def test_a_tower_of_cans_falls_to_rest_and_stays():
    cans = [shapes.Cylinder(name, RADIUS, LENGTH, (0.0, 0.0, 1.0)) for name in ("low", "high")]
    law = rt.Newton(e=0.0, mu=0.5)
    model = rt.Model(space="spatial", gravity=(0.0, 0.0, -G), bodies=[rt.Body(c.body, MASS, (TIP, TIP, ROLL)) for c in cans],
                     contacts=[rt.Contact("floor", TABLE, cans[0], law=law), rt.Contact("stack", *cans, law=law)],
                     impacts="simultaneous")
    for x in (0.0, 1e-6, 0.04):
        start = rt.State(low={"z": 0.5 * LENGTH + 0.01}, high={"x": x, "z": 1.5 * LENGTH + 0.03})
        result = rt.simulate(model, start, t_end=0.5)
        assert result["high.z"][-1] == pytest.approx(1.5 * LENGTH, abs=1e-10)
        assert result["high.x"][-1] == pytest.approx(x, abs=1e-10)
        assert result["stack.force"][-1] == pytest.approx(MASS * G)
        assert result["floor.force"][-1] == pytest.approx(2.0 * MASS * G)


def test_a_can_rolls_across_a_can_that_lies_and_over_its_end_without_sinking_in():
    shape = shapes.Cylinder("can", RADIUS, LENGTH, (0.0, 1.0, 0.0))
    post = shapes.Cylinder("ground", 0.2, 0.4, (0.0, 0.0, 1.0), (0.0, 0.0, -0.2))
    model = rt.Model(space="spatial", gravity=(0.0, 0.0, -G), bodies=[rt.Body("can", MASS, (TIP, ROLL, TIP))],
                     contacts=[rt.Contact("on", post, shape, law=rt.Newton(e=0.0, mu=0.0))])
    result = rt.simulate(model, rt.State(can={"x": -0.1, "z": RADIUS, "vx": 1.0}), t_end=0.5)
    before = result.t < 0.3 - 1e-9
    assert np.abs(result["can.z"][before] - RADIUS).max() < 1e-9
    assert result["can.z"][-1] < 0.0  # it fell over the rim
    assert result["on.gap"].min() > -1e-9
    assert np.abs(result.energy.error).max() < 1e-7


@pytest.mark.parametrize(("axis", "height"), [((1.0, 0.0, 0.0), RADIUS), ((0.0, 0.0, 1.0), 0.5 * LENGTH)])
def test_a_cylinder_that_slides_over_the_end_of_a_table_tips_where_its_middle_passes_the_edge(axis, height):
    start = rt.State(can={"x": 0.7, "z": height, "vx": 1.0})
    result = rt.simulate(can([TABLE], axis, rt.Newton(e=0.0, mu=0.0)), start, t_end=0.6)
    before = result.t < 0.3 - 1e-9
    assert np.abs(result["can.z"][before] - height).max() < 1e-10
    assert np.abs(result["can.wy"][before]).max() < 1e-7  # for 1e-9 of its size on the edge it touches neither there nor beside
    assert result["can.wy"][-1] > 0.1
    assert np.abs(result.energy.error).max() < 1e-8
