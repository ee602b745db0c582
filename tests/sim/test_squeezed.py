"""Drivers and contacts: what a prescribed motion lets go, and what it squeezes where nothing gives way."""

import math

import numpy as np
import pytest

import routh as rt
from routh import joints, profiles, shapes
from routh.errors import SimulationError, StateError

G = 9.81


def test_a_ball_on_a_shaken_table_parts_where_the_table_falls_faster():
    amplitude, omega, phase, r = 0.05, 20.0, 0.2, 0.1
    model = rt.Model(
        space="planar", gravity=(0.0, -G),
        bodies=[rt.Body("table", mass=5.0, inertia=1.0), rt.Body("ball", mass=1.0, inertia=0.004)],
        joints=[joints.Prismatic("lift", "ground", "table", axis=(0.0, 1.0))],
        drivers=[rt.Driver("shake", "lift.shift", profiles.Sine(amplitude, omega / (2.0 * math.pi), phase))],
        contacts=[rt.Contact("rest", shapes.Disk("ball", radius=r), shapes.HalfSpace("table", normal=(0.0, 1.0)),
                             law=rt.Newton(e=0.0, mu=0.0))])
    start = rt.State(ball={"y": r + amplitude * math.sin(phase), "vy": amplitude * omega * math.cos(phase)})
    result = rt.simulate(model, start, t_end=0.1)
    off = result.events[result.events.kind == "lift-off"].t
    assert off == pytest.approx([(math.asin(G / (amplitude * omega**2)) - phase) / omega], abs=1e-11)
    free = result.t > off[0] + 1e-9
    flight = result.t[free] - off[0]
    turn = omega * off[0] + phase
    y, v = r + amplitude * math.sin(turn), amplitude * omega * math.cos(turn)
    assert result["ball.y"][free] == pytest.approx(y + v * flight - 0.5 * G * flight**2, abs=1e-11)


def test_a_stop_in_the_way_of_a_driver_blocks_the_run():
    """A crank is driven, and a stop on the slider that it moves is in the way."""
    model = rt.Model(
        space="planar", gravity=(0.0, 0.0),
        bodies=[rt.Body(name, mass=1.0, inertia=0.1) for name in ("crank", "rod", "slider")],
        joints=[joints.Revolute("axle", "ground", "crank"),
                joints.Revolute("pin", "crank", "rod", point_a=(1.0, 0.0)),
                joints.Revolute("wrist", "rod", "slider", point_a=(1.0, 0.0)),
                joints.Prismatic("guide", "ground", "slider", axis=(1.0, 0.0))],
        drivers=[rt.Driver("motor", "axle.angle", profiles.Polynomial([1.0, 1.0]))],
        contacts=[rt.Stop("end", "guide.shift", lower=0.9, e=0.0)])
    with pytest.raises(SimulationError, match="drivers press bodies together") as stopped:
        rt.simulate(model, rt.State(axle={"angle": 1.0}, pin={"angle": -2.0}, wrist={"angle": 1.0}), t_end=1.0)
    result = stopped.value.result
    assert result.status == "blocked"
    # where crank and rod of one length make a slider at 2 cos of the crank's angle
    assert 1.0 + result.t[-1] == pytest.approx(math.acos(0.45), abs=1e-9)
    assert np.isfinite(result["slider.x"]).all()


def test_a_blow_that_turns_back_a_contact_about_to_part_is_followed_by_its_own():
    """A ball that has just left a wall is thrown back at it by a rope that tightens at the same instant."""
    r, e = 0.1, 0.5
    wall = shapes.HalfSpace("ground", normal=(1.0, 0.0), point=(-r, 0.0))
    model = rt.Model(space="planar", gravity=(0.0, 0.0), bodies=[rt.Body("ball", mass=2.0, inertia=0.01)],
                     contacts=[rt.Contact("wall", shapes.Disk("ball", radius=r), wall, law=rt.Newton(e=0.0, mu=0.0)),
                               rt.Rope("rope", "ground", "ball", length=1.0, point_a=(-0.6, 0.8), e=e)])
    result = rt.simulate(model, rt.State(ball={"x": 0.0, "y": 0.0, "vx": 0.2, "vy": -1.0}), t_end=0.1)
    # the rope pulls along (-0.6, 0.8); the wall takes what of it leads into the wall
    assert set(result.impacts.contact) == {"rope", "wall"}
    pushed = 2.0 * np.array([result["ball.vx"][1] - 0.2, result["ball.vy"][1] + 1.0])
    rows = result.impacts[result.impacts.t == 0.0]
    told = sum(row.p_n * (np.array([-0.6, 0.8]) if row.contact == "rope" else np.array([1.0, 0.0])) for row in rows)
    assert pushed == pytest.approx(told, abs=1e-12)
    assert result["ball.vx"][1] >= -1e-12
    assert -0.6 * result["ball.vx"][1] + 0.8 * result["ball.vy"][1] >= -1e-12


BAR = ((-1.0, -0.1), (1.0, -0.1), (1.0, 0.1), (-1.0, 0.1))
TALL = ((-0.1, -1.0), (0.1, -1.0), (0.1, 1.0), (-0.1, 1.0))


@pytest.mark.parametrize(("space", "a", "b", "depth"), [
    ("planar", shapes.Polygon("a", BAR), shapes.Polygon("b", TALL), 1.1),
    ("planar", shapes.Capsule("a", (-1.0, 0.0), (1.0, 0.0), 0.05), shapes.Polygon("b", TALL), 1.05),
    ("planar", shapes.Polyline("ground", ((-1.0, 0.0), (1.0, 0.0))), shapes.Polygon("b", TALL), 1.0),
    ("spatial", shapes.Box("a", (2.0, 0.2, 0.2)), shapes.Box("b", (0.2, 2.0, 0.2)), 0.2),
    ("spatial", shapes.Cylinder("a", 0.1, 2.0, (1.0, 0.0, 0.0)), shapes.Box("b", (0.2, 2.0, 0.2)), 0.2),
    ("spatial", shapes.Cylinder("a", 0.1, 2.0, (1.0, 0.0, 0.0)), shapes.Cylinder("b", 0.2, 2.0, (0.0, 1.0, 0.0)), 0.3),
])
def test_shapes_that_lie_across_each_other_are_refused(space, a, b, depth):
    names = [name for name in ("a", "b") if name in (a.body, b.body)]
    inertia = 1.0 if space == "planar" else (1.0, 1.0, 1.0)
    model = rt.Model(space=space, bodies=[rt.Body(name, mass=1.0, inertia=inertia) for name in names],
                     contacts=[rt.Contact("cross", a, b, law=rt.Newton(e=0.5, mu=0.1))])
    with pytest.raises(StateError, match=r"cross.*overlaps by") as refused:
        rt.evaluate(model)
    assert float(str(refused.value).split("overlaps by ")[1].split()[0]) == pytest.approx(depth, abs=1e-9)


def test_endless_bounces_on_a_rising_table_lose_what_the_table_sees():
    """All of the energy of the first approach in the table's frame; the work of its motor is not a loss."""
    rise, drop, r = 3.0, 0.1, 0.1
    model = rt.Model(
        space="planar", gravity=(0.0, -G),
        bodies=[rt.Body("table", mass=5.0, inertia=1.0), rt.Body("ball", mass=2.0, inertia=0.004)],
        joints=[joints.Prismatic("lift", "ground", "table", axis=(0.0, 1.0))],
        drivers=[rt.Driver("motor", "lift.shift", profiles.ConstantRate(rise))],
        contacts=[rt.Contact("rest", shapes.Disk("ball", radius=r), shapes.HalfSpace("table", normal=(0.0, 1.0)),
                             law=rt.Newton(e=0.05, mu=0.0))])
    result = rt.simulate(model, rt.State(ball={"y": r + drop, "vy": rise}), t_end=0.5)
    assert "rest" in result.events.kind
    assert result.energy["impacts"][-1] == pytest.approx(-2.0 * G * drop, abs=1e-9)
    assert np.abs(result.energy["error"]).max() < 1e-8
