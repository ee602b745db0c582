"""A tower of boxes: weight, alignment, and the harmonic stack."""

import numpy as np
import pytest

import routh as rt
from routh.gallery import box_stack

G, SIDE, MASS = box_stack.GRAVITY, box_stack.SIDE, box_stack.MASS


def test_the_claims_hold():
    for claim in box_stack.claims():
        assert claim.holds, claim


def test_the_mass_centre_of_the_upper_boxes_of_a_harmonic_stack_lies_above_an_edge():
    x = box_stack.overhang(9)
    for k in range(1, 9):
        assert x[-k:].mean() == pytest.approx(x[-k - 1] + 0.5, abs=1e-14)


@pytest.mark.parametrize("step", [1e-3, 5e-3])
def test_the_floor_carries_the_weight_at_every_step(step):
    """Force of the floor at each sample after the first steps, not only its mean."""
    result = box_stack.run(5, t_end=0.5, options=rt.Options(engine="stepping", step=step, contact_tolerance=1e-10))
    np.testing.assert_allclose(result["floor.force"][5:], 5.0 * MASS * G, rtol=1e-6)


def test_a_tower_on_a_frictionless_floor_keeps_its_sideways_momentum():
    """Without friction no force acts sideways: a tower set in motion glides as one body, and no energy is lost."""
    model = box_stack.model(5).replace({"floor.law.mu": 0.0})
    start = rt.State({f"box{i + 1}": {"y": (i + 0.5) * SIDE, "vx": 0.3} for i in range(5)})
    result = rt.simulate(model, start, t_end=1.0, options=box_stack.STEPS)
    for i in range(1, 6):
        assert result[f"box{i}.x"][-1] == pytest.approx(0.3, abs=1e-6 * SIDE)
    assert result.energy.kinetic[-1] == pytest.approx(0.5 * 5.0 * MASS * 0.3**2, rel=1e-7)


def test_the_figure_is_drawn(tmp_path):
    assert all(path.stat().st_size > 1000 for path in box_stack.figures(tmp_path))
