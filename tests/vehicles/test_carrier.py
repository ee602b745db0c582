"""The carrier: the template with sprung arms, a tensioner, a sprocket in front and another number of links."""

import numpy as np
import pytest

import routh as rt
from routh.model.tracks import HeightProfile
from routh.vehicles import carrier

OPTIONS = rt.Options(method="order3", rtol=1e-3, atol=1e-3, max_step=1e-3, output=0.01)
ARMS = [f"wheel{i + 1}" for i in range(carrier.WHEELS)]


@pytest.fixture(scope="module")
def settled():
    """At rest on level ground."""
    return carrier.vehicle().settle()


def test_it_stands_on_its_springs(settled):
    model = carrier.vehicle().model()
    r = rt.evaluate(model, settled)
    weight = 9.81 * sum(body.mass for body in model.bodies)
    assert r["track.ground.force"].sum() == pytest.approx(weight, rel=1e-3)
    assert r["chassis.ay"][0] == pytest.approx(0.0, abs=0.02)
    for name in ARMS:
        # moment of the spring about its pivot: what it carried as built, less its stiffness times the turn
        spring = 0.3 * carrier.LOAD - 8000.0 * r[f"{name}_pivot.angle"][0]
        assert r[f"{name}_spring.force"][0] == pytest.approx(spring, rel=1e-9)
        assert 0.5 * carrier.LOAD < r[f"track.{name}.force"].sum() < 2.0 * carrier.LOAD


def test_its_tensioner_keeps_the_chain_tight(settled):
    r = rt.evaluate(carrier.vehicle().model(), settled)
    assert r["tensioner.force"][0] == pytest.approx(1.2e4 - 2e6 * r["idler_axle.shift"][0], rel=1e-9)
    assert (r["track.tension"] > 1000.0).all()


def test_it_drives_at_the_speed_of_its_chain(settled):
    r = rt.simulate(carrier.vehicle().model(), settled, 4.0, options=OPTIONS)
    late = r.t > 2.5
    assert r["chassis.vx"][late].mean() == pytest.approx(11.0 * 0.152 * 8.0 / (2.0 * np.pi), rel=0.03)
    assert np.abs(r.energy.error).max() < 1e-3 * np.ptp(r.energy.drive)
    assert r.statistics["worst_drift"] < 1e-9


def test_its_arms_take_up_a_bump_that_would_throw_a_rigid_one(settled):
    """A bar of 80 mm under the track: the wheels go over it one after another, the chassis rises by a fraction of it."""
    bump = HeightProfile(((2.3, 0.0), (2.4, 0.08), (2.6, 0.08), (2.7, 0.0)))
    r = rt.simulate(carrier.vehicle(ground=bump).model(), settled, 3.5, options=OPTIONS)
    level = r["chassis.y"][0]
    swing = max(np.ptp(r[f"{name}_pivot.angle"]) for name in ARMS)
    assert r["chassis.x"][-1] > 2.5
    assert 0.3 * swing > 0.05                      # an arm of 0.3 m lets its wheel rise by most of the bar
    assert r["chassis.y"].max() - level < 0.05
    assert np.abs(r.energy.error).max() < 2e-3 * np.ptp(r.energy.drive)
