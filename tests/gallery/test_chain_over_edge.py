"""A chain over an edge: start geometry, closed form, friction."""

import numpy as np
import pytest

from routh.gallery import chain_over_edge as chain


def test_the_claims_hold():
    for claim in chain.claims():
        assert claim.holds, claim


def test_all_pins_lie_on_the_path_a_link_apart_at_the_start():
    ends = chain.pins(30)
    np.testing.assert_allclose(np.linalg.norm(np.diff(ends, axis=0), axis=1), chain.LENGTH / 30, rtol=1e-12)
    assert chain.BEAD - ends[0, 1] == pytest.approx(chain.OVERHANG * chain.LENGTH)
    assert np.isclose(ends, [chain.BEND, -chain.EDGE], atol=1e-12).all(axis=1).any()  # links hang straight below the edge
    on_edge = ends[(ends[:, 0] > 0.0) & (ends[:, 1] > -chain.EDGE)]
    np.testing.assert_allclose(np.hypot(on_edge[:, 0], on_edge[:, 1] + chain.EDGE), chain.BEND, rtol=1e-12)


def test_a_sharp_edge_holds_the_overhang_of_the_textbooks(monkeypatch):
    monkeypatch.setattr(chain, "BEND", 0.0)
    assert chain.holding_overhang(0.5) == pytest.approx(1.0 / 3.0)


def test_the_figure_is_drawn(tmp_path):
    assert all(path.stat().st_size > 1000 for path in chain.figures(tmp_path))
