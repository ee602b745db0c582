"""Dominoes: the first arrival by quadrature, similarity, and a wave that forgets its push."""

import numpy as np
import pytest

from routh.gallery import dominoes


@pytest.fixture(scope="module")
def row():
    return dominoes.run()


def test_the_claims_hold():
    for claim in dominoes.claims():
        assert claim.holds, claim


def test_angles_and_losses_of_a_larger_row_are_those_of_a_small_one(row):
    """Froude: all angles are the same at corresponding times; energies grow with size at equal mass."""
    large = dominoes.run(size=4.0)
    for i in range(1, dominoes.COUNT + 1):
        assert large[f"domino{i}.theta"][-1] == pytest.approx(row[f"domino{i}.theta"][-1], abs=1e-6)
    assert large.energy.impacts[-1] == pytest.approx(4.0 * row.energy.impacts[-1], rel=1e-6)
    assert large.energy.friction[-1] == pytest.approx(4.0 * row.energy.friction[-1], rel=1e-6)


def test_the_wave_quickens_towards_a_steady_speed(row):
    interval = np.diff(dominoes.arrivals(row))
    gain = interval[:-1] / interval[1:]
    assert (gain > 1.0).all()
    assert (np.diff(gain) < 0.0).all()
    assert gain[-1] < 1.08


def test_no_domino_sinks_into_another_or_the_floor_and_the_account_closes(row):
    gaps = [c for c in row.channels if c.endswith(".gap")]
    assert len(gaps) == 2 * dominoes.COUNT - 1
    assert min(row[c].min() for c in gaps) > -1e-11
    assert np.abs(row.energy.error).max() < 1e-9 * row.energy.total[0]


def test_a_push_too_weak_topples_nothing():
    """Below the speed that lifts the mass centre over the corner the first domino falls back."""
    inertia = (dominoes.HEIGHT**2 + dominoes.THICKNESS**2) / 3.0
    rise = 0.5 * (np.hypot(dominoes.HEIGHT, dominoes.THICKNESS) - dominoes.HEIGHT)
    needed = np.sqrt(2.0 * dominoes.GRAVITY * rise / inertia)
    weak = dominoes.run(2, push=0.99 * needed, t_end=0.2)
    assert "hit1" not in set(weak.impacts.contact)
    assert abs(weak["domino1.theta"][-1]) < dominoes.tipping_angle()
    strong = dominoes.run(2, push=1.01 * needed, t_end=0.35)
    assert "hit1" in set(strong.impacts.contact)


def test_the_figure_is_drawn(tmp_path):
    assert all(path.stat().st_size > 1000 for path in dominoes.figures(tmp_path))
