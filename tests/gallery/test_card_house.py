"""A house of cards against its critical friction coefficient."""

import math

import numpy as np
import pytest

from routh.gallery import card_house as house


def test_the_claims_hold():
    for claim in house.claims():
        assert claim.holds, claim


def test_two_cards_stand_and_slide_within_a_thousandth_of_the_closed_form():
    assert abs(house.sunk(house.run(1, 1.001 * house.frame_mu()), 1)) < 1e-9
    assert house.sunk(house.run(1, 0.999 * house.frame_mu()), 1) > 0.4


def test_thin_cards_need_half_the_tangent_of_their_lean():
    assert house.frame_mu() == pytest.approx(0.5 * math.tan(house.LEAN), rel=2.0 * house.RADIUS / house.LENGTH)


@pytest.mark.parametrize("storeys", [1, 2, 3])
def test_the_floor_carries_the_weight_of_a_house_that_stands(storeys):
    result = house.run(storeys)
    weight = house.GRAVITY * sum(card.mass for card in house.cards(storeys))
    np.testing.assert_allclose(result["floor.force"][5:], weight, rtol=1e-6)


@pytest.mark.parametrize("storeys", [1, 2, 3])
def test_the_cards_touch_where_statics_says(storeys):
    """Every contact point of the linear program is on both of its cards, and there are no others."""
    placed = {card.name: card for card in house.cards(storeys)}
    for touch in house.touches(storeys):
        for name in {touch.a, touch.b} - {"ground"}:
            c = placed[name]
            dx, dy = touch.point[0] - c.x, touch.point[1] - c.y
            along = dx * math.cos(c.theta) + dy * math.sin(c.theta)
            across = -dx * math.sin(c.theta) + dy * math.cos(c.theta)
            beyond = max(abs(along) - 0.5 * c.length, 0.0)
            assert math.hypot(beyond, across) == pytest.approx(house.RADIUS, abs=1e-12)
    assert house.run(storeys, t_end=0.01).statistics["most_contact_points"] == len(house.touches(storeys))


def test_the_energy_of_a_falling_house_never_grows():
    total = house.run(mu=0.2, t_end=0.5).energy.total
    assert (np.diff(total) < 1e-4 * total[0]).all()  # of a step: order h² of the scheme, while impacts change velocities


def test_the_figure_is_drawn(tmp_path):
    assert all(path.stat().st_size > 1000 for path in house.figures(tmp_path))
