"""Starts whose contacts touch to the digits in print only: `assemble` closes their gaps by the least displacement."""

import math

import numpy as np
import pytest

import routh as rt
from routh import joints, shapes
from routh.errors import StateError

FLOOR = shapes.HalfSpace("ground", normal=(0.0, 1.0))
LAW = rt.Newton(e=0.0, mu=0.3)
OFF = 3.5e-8


def two_balls(light=1.0, heavy=3.0):
    """Two balls on one vertical line, the lower one on no floor."""
    low, high = shapes.Disk("low", radius=0.1), shapes.Disk("high", radius=0.1)
    return rt.Model(space="planar", gravity=(0.0, 0.0),
                    bodies=[rt.Body("low", mass=heavy, inertia=0.01), rt.Body("high", mass=light, inertia=0.01)],
                    contacts=[rt.Contact("pair", low, high, law=LAW)])


def box_on_floor():
    box = shapes.Polygon("box", vertices=[(-0.2, -0.1), (0.2, -0.1), (0.2, 0.1), (-0.2, 0.1)])
    return rt.Model(space="planar", gravity=(0.0, -9.81), bodies=[rt.Body("box", mass=2.0, inertia=0.05)],
                    contacts=[rt.Contact("rub", box, FLOOR, law=LAW)])


def test_a_start_that_overlaps_by_printed_digits_names_the_way_to_settle_it():
    start = rt.State(box={"y": 0.1 - OFF})
    with pytest.raises(StateError, match=r"overlaps by 3\.5e-08 m.*rt\.assemble\(model, start, contacts=True\)"):
        rt.simulate(box_on_floor(), start, t_end=0.1)
    settled = rt.assemble(box_on_floor(), start, contacts=True)
    result = rt.simulate(box_on_floor(), settled, t_end=0.1)
    assert result.status == "finished"
    assert len(result.impacts) == 0
    assert np.ptp(result["box.y"]) == 0.0


def test_both_corners_of_a_tilted_box_are_closed_and_the_correction_is_reported():
    settled = rt.assemble(box_on_floor(), rt.State(box={"y": 0.1 + OFF, "theta": 1e-7, "vx": 0.5}), contacts="rub")
    assert settled["box"]["y"] == pytest.approx(0.1, abs=1e-15)
    assert settled["box"]["theta"] == pytest.approx(0.0, abs=1e-15)
    assert settled["box"]["vx"] == 0.5
    assert settled.closed == {"rub": pytest.approx(OFF + 0.2e-7, rel=1e-6)}
    assert settled.moved["box.y"] == pytest.approx(-OFF, rel=1e-6)
    assert settled.moved["box.theta"] == pytest.approx(-1e-7, rel=1e-6)


def test_the_lighter_of_two_bodies_moves_further_by_the_ratio_of_masses():
    settled = rt.assemble(two_balls(), rt.State(low={"y": 0.0}, high={"y": 0.2 - 4e-8}), contacts=["pair"])
    assert settled["high"]["y"] - settled["low"]["y"] == pytest.approx(0.2, abs=1e-16)
    assert settled.moved["high.y"] / settled.moved["low.y"] == pytest.approx(-3.0, rel=1e-6)


def test_loops_stay_closed_while_a_contact_is_settled():
    """A parallelogram whose coupler's corner meets a floor: one freedom, all of it goes to the contact."""
    height = 0.5 * math.sqrt(0.75)
    model = rt.Model(
        space="planar", gravity=(0.0, -9.81),
        bodies=[rt.Body(n, mass=1.0, inertia=0.1) for n in ("left", "right", "bar")],
        joints=[joints.Revolute("a", "ground", "left"), joints.Revolute("b", "ground", "right", point_a=(1.0, 0.0)),
                joints.Revolute("c", "left", "bar", point_a=(0.5, 0.0), point_b=(-0.5, 0.0)),
                joints.Revolute("d", "right", "bar", point_a=(0.5, 0.0), point_b=(0.5, 0.0))],
        contacts=[rt.Contact("foot", shapes.Disk("bar", 0.02),
                             shapes.HalfSpace("ground", normal=(0.0, 1.0), point=(0.0, -height - 0.02)), law=LAW)])
    start = rt.State(a={"angle": -1.0471976}, b={"angle": -1.0471976}, c={"angle": 1.0471976}, d={"angle": 1.0471976})
    settled = rt.assemble(model, start, contacts=True)
    assert settled["a"]["angle"] == pytest.approx(-math.pi / 3.0, abs=1e-13)
    assert rt.simulate(model, settled, t_end=0.01).status == "finished"


def test_contacts_that_are_unknown_or_far_apart_are_named():
    with pytest.raises(StateError, match=r'assemble: no contact "rubb"; did you mean "rub"'):
        rt.assemble(box_on_floor(), rt.State(box={"y": 0.1}), contacts=["rubb"])
    with pytest.raises(StateError, match=r'assemble: contact "rub" does not nearly touch: its gap is 0\.4 m'):
        rt.assemble(box_on_floor(), rt.State(box={"y": 0.5}), contacts=["rub"])


def test_gaps_that_exclude_each_other_are_named():
    """A ball between two walls that are a little too near to each other."""
    walls = [shapes.HalfSpace("ground", normal=(s, 0.0), point=(-s * (0.1 - 1e-6), 0.0)) for s in (1.0, -1.0)]
    ball = shapes.Disk("ball", radius=0.1)
    model = rt.Model(space="planar", gravity=(0.0, 0.0), bodies=[rt.Body("ball", mass=1.0, inertia=0.01)],
                     contacts=[rt.Contact(f"wall{i}", ball, w, law=LAW) for i, w in enumerate(walls)])
    with pytest.raises(StateError, match=r'contact "wall\d" cannot be closed together .* -1e-06 m .* is left'):
        rt.assemble(model, rt.State(ball={"x": 0.0}), contacts=True)
