"""assemble(..., hold=...): held values come out to the last digit, and all others follow."""

import math

import numpy as np
import pytest

import routh as rt
from routh import joints
from routh.errors import StateError

ROCKER = 1.5


def four_bar():
    """Crank 1 m, coupler 2 m, rocker 1.5 m on pivots 2 m apart; frames at the mass centres in the middle of each bar."""
    bars = {"crank": 1.0, "coupler": 2.0, "rocker": ROCKER}
    ends = {name: ((-0.5 * length, 0.0), (0.5 * length, 0.0)) for name, length in bars.items()}
    return rt.Model(
        space="planar", bodies=[rt.Body(name, mass=1.0, inertia=0.1) for name in bars],
        joints=[joints.Revolute("A", "ground", "crank", point_b=ends["crank"][0]),
                joints.Revolute("B", "crank", "coupler", point_a=ends["crank"][1], point_b=ends["coupler"][0]),
                joints.Revolute("C", "coupler", "rocker", point_a=ends["coupler"][1], point_b=ends["rocker"][1]),
                joints.Revolute("D", "ground", "rocker", point_a=(2.0, 0.0), point_b=ends["rocker"][0])])


def rocker_angle(crank):
    """Freudenstein: the angle at which the rocker's end is 2 m from the crank's end, above the base."""
    x, y = math.cos(crank) - 2.0, math.sin(crank)
    reach = math.hypot(x, y)
    return math.atan2(y, x) - math.acos((ROCKER**2 + reach**2 - 4.0) / (2.0 * ROCKER * reach))


def test_the_crank_is_held_and_the_rocker_follows_its_closed_form():
    guess = rt.State(A={"angle": 1.0, "angle_rate": 2.0}, D={"angle": 1.5})
    found = rt.assemble(four_bar(), guess, hold=["A.angle", "A.angle_rate"])
    now = rt.evaluate(four_bar(), found)
    assert found["A"]["angle"] == 1.0
    assert found["A"]["angle_rate"] == pytest.approx(2.0, abs=1e-12)
    assert float(now["rocker.theta"][0]) == pytest.approx(rocker_angle(1.0), abs=1e-9)
    rate = 2.0 * (rocker_angle(1.0 + 1e-5) - rocker_angle(1.0 - 1e-5)) / 2e-5
    assert float(now["rocker.omega"][0]) == pytest.approx(rate, rel=1e-8)


def test_without_hold_all_values_move():
    found = rt.assemble(four_bar(), rt.State(A={"angle": 1.0}, B={"angle": -1.0}, D={"angle": 1.5}))
    assert np.abs(found["A"]["angle"] - 1.0) > 1e-3


def test_what_cannot_be_held_is_told():
    model = four_bar()
    with pytest.raises(StateError, match=r'hold names "A\.angel", which the start does not give; did you mean "A\.angle"'):
        rt.assemble(model, rt.State(A={"angle": 1.0}), hold="A.angel")
    with pytest.raises(StateError, match="give hold or contacts, not both"):
        rt.assemble(model, rt.State(A={"angle": 1.0}), hold="A.angle", contacts=True)
    with pytest.raises(StateError, match=r"cannot be assembled|contradicts"):  # longest plus shortest: D turns by half only
        rt.assemble(model, rt.State(A={"angle": 0.0}, D={"angle": -0.4}), hold=["A.angle", "D.angle"])
