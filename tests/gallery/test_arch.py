"""An arch of wedge stones against the limits of statics."""

import numpy as np
import pytest

from routh.gallery import arch


def test_the_claims_hold():
    for claim in arch.claims():
        assert claim.holds, claim


def test_the_springings_carry_the_weight():
    result = arch.run()
    weight = arch.GRAVITY * sum(stone.mass for stone in arch.stones())
    np.testing.assert_allclose(result["springings.force"][5:], weight, rtol=1e-6)


def test_the_stones_make_a_half_ring_of_straight_sides():
    """Area and mass centre of the ring between two half polygons of 2 n corners."""
    n, inner, outer = arch.COUNT, 0.9, 1.1
    area = 0.5 * n * np.sin(np.pi / n) * (outer**2 - inner**2)
    assert sum(s.mass for s in arch.stones()) == pytest.approx(arch.DENSITY * area, rel=1e-12)
    assert sum(s.mass * s.centre[0] for s in arch.stones()) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("limited", ["thickness", "mu"])
def test_runs_and_statics_agree_within_a_thousandth(limited):
    limit = arch.thickness_limit() if limited == "thickness" else arch.friction_limit()
    assert abs(arch.crown_drop(arch.run(**{limited: 1.001 * limit}, t_end=1.0))) < 1e-6
    assert arch.crown_drop(arch.run(**{limited: 0.999 * limit}, t_end=2.0)) > 0.01


def test_more_friction_than_needed_makes_an_arch_no_thinner():
    """Hinges do not care for friction: the least thickness is the same with every coefficient that is large enough."""
    assert arch.thickness_limit(mu=5.0) == pytest.approx(arch.thickness_limit(mu=0.8), abs=1e-6)


def test_the_energy_of_a_falling_arch_never_grows():
    result = arch.run(mu=0.1, t_end=1.0)
    total = result.energy.total
    assert (np.diff(total) < 1e-6 * total[0]).all()


def test_the_figure_is_drawn(tmp_path):
    assert all(path.stat().st_size > 1000 for path in arch.figures(tmp_path))
