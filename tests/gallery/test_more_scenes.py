"""Scenes of the papers that run at once: struck pendulum, shot tank, ellipsoids, excavator."""

import numpy as np
import pytest

import routh as rt
from routh.gallery import han_cho, kim
from routh.gallery.scenes import scene

approx = pytest.approx


def test_the_struck_pendulum_has_the_velocity_of_equation_21():
    result = scene("double_pendulum_struck").simulate()
    after = result.at(kim.STRIKE, side="right")
    assert (after["link1.omega"], after["link2.omega"]) == approx(kim.velocity_jump(), rel=1e-9)


def test_the_shot_tank_jumps_by_its_impulse():
    result = scene("tank_shot").simulate()
    assert [row.contact for row in result.impacts] == ["gun"]
    before, after = result.at(kim.FIRE, side="left"), result.at(kim.FIRE, side="right")
    assert after["hull.vx"] - before["hull.vx"] == approx(0.0975674711070, rel=1e-6)


@pytest.mark.parametrize("name", sorted(han_cho.EXAMPLES))
def test_ellipsoids_that_meet_in_a_run_have_the_impulse_of_the_single_impact(name):
    result = rt.simulate(han_cho.model(name), han_cho.start(name), 0.1)
    blow, alone = result.impacts[0], han_cho.hit(name, 0.5, 0.1)
    assert blow.t == approx(0.05, abs=1e-9)
    assert blow.p_n == approx(alone.impulse[0], rel=1e-8)
    assert blow.p_t == approx(np.hypot(*alone.impulse[1:]), rel=1e-6)
    assert blow.energy_lost == approx(alone.energy_lost, rel=1e-6)


def test_an_integrator_that_does_not_know_the_edges_misses_the_shortest_pulse():
    ends = [kim.unaware(width)[1][-1] for width in (0.02, 0.01, 0.005)]
    ours = kim.strike("rectangle", 0.005, t_end=3.0)["link2.vx"][-1]
    assert ends[0] == approx(ours, rel=0.05)
    assert ends[1] == approx(ours, rel=0.05)
    assert ends[2] == 0.0
