"""The excavator of [shin]: settled, driving, and against a second program written with dense matrices."""

import dataclasses

import numpy as np
import pytest

import routh as rt
import vehicle_reference as reference
from routh.gallery import shin
from routh.vehicles import excavator
from routh.vehicles.tracked import OPTIONS

WEIGHT = 6048.0 * 9.81
NAMES = ("chassis", *(f"link{i}" for i in range(1, 43)))
QUICK = rt.Options(method="order3", rtol=3e-3, atol=3e-3, max_step=1e-3, output=0.005)


@pytest.fixture(scope="module")
def drive():
    """Five seconds from the settled state."""
    return shin.run()


def table(result, k, *keys):
    """(43, 3) values of chassis and links at sample k."""
    return np.array([[result[f"{name}.{key}"][k] for key in keys] for name in NAMES])


def test_as_built_the_chain_closes_where_the_idler_was_found():
    vehicle = excavator.vehicle()
    assert vehicle.idler_taut == pytest.approx(1.381355774045888, abs=1e-13)
    assert vehicle.hull(vehicle.idler_taut).length == pytest.approx(7.376493413399809, abs=1e-12)
    built = rt.evaluate(vehicle.model(), vehicle.built())
    assert table(built, 0, "x", "y", "theta")[1] == pytest.approx([-1.476919360575, 0.679746652143, -2.755126890648], abs=1e-12)


def test_it_has_the_freedom_that_counting_gives():
    counted = rt.degrees_of_freedom(shin.model())
    assert (counted.bodies, counted.coordinates, counted.constraints, counted.freedom) == (53, 159, 105, 54)


def test_settled_it_stands_on_its_weight():
    r = rt.evaluate(shin.model(), shin.start())
    assert r["track.ground.force"].sum() == pytest.approx(WEIGHT, abs=0.05)
    assert r["track.pin_force"].max() == pytest.approx(6514.158, abs=0.01)
    assert np.abs(table(r, 0, "ax", "ay", "alpha")).max() < 0.01  # m/s²: what was left to creep when it was stopped


def test_its_own_settling_ends_in_the_stored_state():
    model, stored = shin.model(), rt.evaluate(shin.model(), shin.start())
    found = rt.evaluate(model, excavator.vehicle().settle())
    away = table(found, 0, "x", "y", "theta") - table(stored, 0, "x", "y", "theta")
    assert np.abs(away).max() < 1e-5
    assert np.abs(away[:, 1]).max() < 1e-8                  # heights, and with them the sag
    assert found["track.tension"] == pytest.approx(stored["track.tension"], abs=0.1)


def test_accelerations_and_pin_forces_are_those_of_the_second_program(drive):
    for k in np.linspace(0, len(drive.t) - 1, 15).astype(int):
        a, pins = reference.accelerations(drive.t[k], table(drive, k, "x", "y", "theta"), table(drive, k, "vx", "vy", "omega"))
        ours = np.array([drive[f"pin{i}.reaction"][k] for i in range(1, 43)])
        # of forces of 10 kN and accelerations of 500 m/s²: round-off, and stiffness times the 12 digits of a pose
        assert np.abs(table(drive, k, "ax", "ay", "alpha") - a).max() < 1e-6
        assert np.abs(ours - pins).max() < 1e-5


def test_the_first_milliseconds_are_those_of_the_second_program():
    """Its fixed steps pass over the jumps of the laws, so it is of first order: ours must lie where it converges to."""
    ours = rt.simulate(shin.model(), shin.start(), 0.005, options=rt.Options(output=0.005))
    begin = table(ours, 0, "x", "y", "theta"), table(ours, 0, "vx", "vy", "omega")
    (q1, v1), (q2, v2) = (reference.march(*begin, 0.005, h) for h in (1e-4, 5e-5))
    for found, coarse, fine in ((table(ours, -1, "x", "y", "theta"), q1, q2), (table(ours, -1, "vx", "vy", "omega"), v1, v2)):
        assert 0.0 < np.abs(found - fine).max() < 1.2 * np.abs(coarse - fine).max()
    assert np.abs(table(ours, -1, "x", "y", "theta") - q2).max() < 1e-7


def test_the_quick_method_follows_the_exact_one():
    """Order 3 at its usual tolerance against order 8 at 1e-8, until the whole track has been set in motion."""
    exact = rt.simulate(shin.model(), shin.start(), 0.4, options=rt.Options(output=0.005))
    quick = rt.simulate(shin.model(), shin.start(), 0.4, options=dataclasses.replace(OPTIONS, output=0.005))
    for name, bound in (("chassis.vx", 2e-4), ("chassis.y", 2e-5), ("chassis.omega", 2e-3)):
        assert np.abs(quick[name] - exact[name]).max() < bound
    assert np.abs(exact.energy.error).max() < 1e-6 * np.ptp(exact.energy.drive)


def test_friction_alone_accelerates_it(drive):
    early = (drive.t >= 0.3) & (drive.t <= 1.2)
    assert np.polyfit(drive.t[early], drive["chassis.vx"][early], 1)[0] == pytest.approx(0.98, rel=0.01)


def test_it_reaches_the_speed_of_its_chain(drive):
    speed = 10.5 * 0.175 * excavator.OMEGA / (2.0 * np.pi)
    reached = drive.t[np.argmax(drive["chassis.vx"] > 0.98 * speed)]
    assert 1.40 <= reached <= 1.47
    assert 1.395 <= drive["chassis.vx"][drive.t > 2.0].mean() <= 1.41


def test_it_vibrates_with_the_links_that_pass(drive):
    assert shin.frequency(drive) == pytest.approx(8.01, abs=0.02)
    assert shin.frequency(drive, "chassis.y") == pytest.approx(8.01, abs=0.02)


def test_body_39_leaves_the_last_lower_roller_at_two_and_a_half_seconds(drive):
    assert drive.t[shin.roller_force(drive) > 0.0].max() == pytest.approx(2.5, abs=0.02)


def test_a_link_goes_round_in_the_time_of_its_chain(drive):
    """42 links at link-passing frequency: 5.24 s; link 27 is then where it was, so at 5 s it is on its way there."""
    steps = (drive["sprocket_axle.angle"][-1] - drive["sprocket_axle.angle"][0]) / (-2.0 * np.pi) * 10.5
    assert steps / 42.0 == pytest.approx((5.0 - 0.05) / 5.24, rel=1e-3)


def test_on_average_the_ground_carries_its_weight(drive):
    late = drive.t > 2.0
    assert drive["track.ground.force"].sum(axis=1)[late].mean() == pytest.approx(WEIGHT, rel=2e-3)


def test_free_wheels_never_turn_and_pins_stay_closed(drive):
    assert all(np.abs(drive[f"{wheel}.omega"]).max() < 1e-12 for wheel in ("idler", *(f"roller{i}" for i in range(1, 9))))
    x, y, theta = (np.stack([drive[f"link{i}.{key}"] for i in range(1, 43)]) for key in ("x", "y", "theta"))
    middle, half = x + 1j * y, 0.0875 * np.exp(1j * theta)
    assert np.abs(np.roll(middle + half, 1, axis=0) - (middle - half)).max() < 1e-9


def test_the_energy_account_closes(drive):
    """All that motor, contacts and friction did, against what is in the bodies: note's audit."""
    assert np.abs(drive.energy.error).max() < 1e-4 * np.ptp(drive.energy.drive)
    assert drive.energy.friction[-1] < 0.0
    assert (np.diff(drive.energy.friction) < 1e-6).all()  # the ground never drives: it stands still


def test_channels_add_up(drive):
    """Momentum of the whole vehicle: weight, ground and nothing else."""
    k = len(drive.t) // 3
    bodies = shin.model().bodies
    ax, ay = (sum(b.mass * drive[f"{b.name}.{key}"][k] for b in bodies) for key in ("ax", "ay"))
    assert ax == pytest.approx(drive["track.ground.friction"][k].sum(), rel=1e-9)
    assert ay == pytest.approx(drive["track.ground.force"][k].sum() - WEIGHT, rel=1e-9)
    # a link's tension lies between the forces of its pins, and the motor's moment is that of the flanks
    reach = np.maximum(drive["track.pin_force"], np.roll(drive["track.pin_force"], -1, axis=1))
    assert (np.abs(drive["track.tension"]) <= reach + 1e-6).all()
    assert drive["track.ground.pressure"][k] == pytest.approx(drive["track.ground.force"][k] / (0.175 * 0.5))


def test_a_run_repeats_bit_for_bit():
    first, second = (rt.simulate(shin.model(), shin.start(), 0.3, options=QUICK) for _ in range(2))
    assert all(np.array_equal(first[name], second[name]) for name in first.channels)


def test_pauses_of_the_loop_leave_no_trace(monkeypatch):
    from routh.sim import run

    whole = rt.simulate(shin.model(), shin.start(), 0.1, options=QUICK)
    monkeypatch.setattr(run, "SLICE", 1e-9)  # back to Python after every few steps
    assert np.array_equal(rt.simulate(shin.model(), shin.start(), 0.1, options=QUICK)["chassis.vx"], whole["chassis.vx"])


def test_friction_as_printed_pushes_for_ever():
    swept = shin.literal(t_end=2.0)
    late = swept.t > 0.5
    assert np.polyfit(swept.t[late], swept["chassis.vx"][late], 1)[0] == pytest.approx(-0.981, rel=0.01)
