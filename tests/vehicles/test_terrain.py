"""Vehicles where the ground is not level, backwards, and by torque."""

import math

import numpy as np
import pytest

import routh as rt
from routh.model.compliant import Compliant, Linear
from routh.model.friction import Regularised
from routh.model.profiles import SmoothRamp, Table
from routh.model.tracks import HeightProfile
from routh.vehicles import excavator
from routh.vehicles.parts import SpeedDrive, TorqueDrive

ROUGH = Compliant(Linear(2e6, 5e3), Regularised(0.6, 0.02))
OPTIONS = rt.Options(method="order3", rtol=2e-3, atol=2e-3, max_step=1e-3, output=0.01)
SPEED, HEIGHT = 1.4026, 0.8966


def drive(t_end, **changes):
    """The excavator from its settled state."""
    return rt.simulate(excavator.vehicle(**changes).model(), excavator.settled(), t_end, options=OPTIONS)


def check_account(result):
    """Energy closes to what steps at this tolerance leave, and no pin opens."""
    flow = sum(np.ptp(result.energy[work]) for work in ("drive", "friction", "hysteresis", "applied"))
    assert np.abs(result.energy.error).max() < 2e-3 * flow
    assert result.statistics["worst_drift"] < 1e-9


def test_it_climbs_a_step_of_a_hand():
    r = drive(4.2, ground=HeightProfile(((2.2, 0.0), (2.25, 0.1))), ground_law=ROUGH)
    assert r["chassis.x"][-1] > 4.5
    late = r.t > 3.9
    assert r["chassis.y"][late].mean() == pytest.approx(HEIGHT + 0.1, abs=5e-3)
    assert r["chassis.vx"][late].mean() == pytest.approx(SPEED, rel=0.03)
    # half on the step it leans back; a rigid wheelbase of 1.98 m on an edge of 0.1 m cannot lean more than this
    assert 0.03 < r["chassis.theta"].max() < 0.2
    check_account(r)


DOWN = math.radians(20.0)
SLOPE = HeightProfile(((2.0, 0.0), (42.0, -40.0 * math.tan(DOWN))))


def test_down_a_steep_slope_it_is_held_by_its_sprocket():
    r = drive(5.0, ground=SLOPE, ground_law=ROUGH)
    late = r.t > 4.0
    along = r["chassis.vx"] * math.cos(DOWN) - r["chassis.vy"] * math.sin(DOWN)
    assert r["chassis.theta"][late].mean() == pytest.approx(-DOWN, abs=5e-3)
    # it must creep: friction by tan 20° of mu = 0.6 takes 0.7 v_reg under an even load, a few v_reg under this one
    assert SPEED + 0.7 * 0.02 < along[late].mean() < SPEED + 4.0 * 0.02
    assert r["drive.force"][late].mean() > 0.0  # forward is negative: the motor brakes
    # and takes what gravity gives, less what is lost on the way
    assert r["drive.force"][late].mean() * excavator.OMEGA < 6048.0 * 9.81 * SPEED * math.sin(DOWN)
    check_account(r)


def test_on_slippery_ground_it_slides_down_by_gravity_less_friction():
    r = drive(5.0, ground=SLOPE)
    late = (r["chassis.x"] > 4.5) & (r.t < 5.0)
    along = r["chassis.vx"] * math.cos(DOWN) - r["chassis.vy"] * math.sin(DOWN)
    assert late.sum() > 50
    assert np.polyfit(r.t[late], along[late], 1)[0] == pytest.approx(9.81 * (math.sin(DOWN) - 0.1 * math.cos(DOWN)), rel=0.02)
    check_account(r)


def test_it_reverses_on_the_other_flank():
    t = np.linspace(0.0, 4.0, 41)
    rate = -excavator.OMEGA * np.clip(np.minimum(t / 0.3, (2.0 - t) / 0.3), -1.0, 1.0)
    angle = np.concatenate([[0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1]) * np.diff(t))])
    r = drive(3.5, drive=SpeedDrive(Table(tuple(t), tuple(angle), ends="clamped")), ground_law=ROUGH)
    forward, back = (r.t > 1.0) & (r.t < 1.6), r.t > 2.8
    assert r["chassis.vx"][forward].mean() == pytest.approx(SPEED, rel=0.03)
    assert r["chassis.vx"][back].mean() == pytest.approx(-SPEED, rel=0.03)
    turning = (r.t > 2.0) & (r.t < 2.4)  # braking and speeding up backwards
    left, right = (r[f"track.sprocket.{side}"].sum(axis=1) for side in ("left", "right"))
    assert left[r.t < 0.3].mean() > right[r.t < 0.3].mean()
    assert right[turning].mean() > left[turning].mean()
    check_account(r)


def test_backwards_is_forwards_with_the_sign_changed():
    r = drive(2.5, drive=SpeedDrive(SmoothRamp(excavator.OMEGA, 0.1)))
    early = (r.t >= 0.3) & (r.t <= 1.2)
    assert np.polyfit(r.t[early], r["chassis.vx"][early], 1)[0] == pytest.approx(-0.98, rel=0.01)
    assert r["chassis.vx"][r.t > 2.0].mean() == pytest.approx(-SPEED, rel=0.01)


def test_a_torque_accelerates_vehicle_and_circulating_chain():
    """On grip, torque × turn goes into translation, the chain's circulation and losses; the motor's reaction is counted."""
    torque = -800.0
    r = drive(2.0, drive=TorqueDrive(torque), ground_law=ROUGH)
    turned = r["sprocket_axle.angle"][-1] - r["sprocket_axle.angle"][0]
    assert (r["drive.force"] == torque).all()
    assert r.energy.applied[-1] == pytest.approx(torque * turned, rel=1e-3)
    assert r["chassis.vx"][-1] > 0.3
    # translation of 6048 kg, and of 756 kg of links moving round at the same speed
    kinetic = 0.5 * (6048.0 + 756.0) * r["chassis.vx"][-1] ** 2
    assert kinetic < r.energy.applied[-1] < 2.0 * kinetic
    check_account(r)


def test_a_vehicle_on_a_profile_of_many_points_drives_as_on_the_line_they_lie_on():
    x = np.linspace(-3.0, 3.0, 301)
    fine = drive(0.3, ground=HeightProfile.from_table(x, np.zeros_like(x)))
    level = drive(0.3)
    assert np.abs(fine["chassis.vx"] - level["chassis.vx"]).max() < 1e-9


def test_links_beyond_the_ends_of_a_profile_are_on_level_ground():
    r = drive(0.2, ground=HeightProfile(((100.0, 0.0), (101.0, 5.0))))
    assert np.abs(r["chassis.y"] - drive(0.2)["chassis.y"]).max() < 1e-12


def test_without_a_drive_it_hardly_moves():
    """The lock of the drive held 30 N m, which now roll it: at most by 30 N m / 0.29 m over 6.8 t for half a second."""
    r = rt.simulate(excavator.vehicle(drive=None).model(), excavator.settled(), 0.5, options=OPTIONS)
    assert 0.0 < np.abs(r["chassis.vx"]).max() < 30.0 / 0.29 / 6800.0 * 0.5
