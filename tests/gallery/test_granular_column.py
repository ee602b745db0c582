"""A column of grains that collapses: the run-out, the weight on the floor, the energy."""

import math

import numpy as np
import pytest

from routh.gallery import granular_column as column


def test_the_claims_hold():
    for claim in column.claims():
        assert claim.holds, claim


def test_smooth_grains_run_out_farther():
    rough, smooth = (column.collapse(column.run(6, 8, mu=mu), 6, 8).run_out for mu in (0.4, 0.1))
    assert smooth > 1.5 * rough


def test_the_floor_that_grains_cover_has_no_gaps_in_it():
    square = column.RADIUS * np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    places = np.array([square + [x * column.RADIUS, 0.0] for x in (0.0, 7.0, 0.5, 2.5)])
    assert column.covered(places) == pytest.approx(3.5 * column.RADIUS)


def test_the_floor_carries_all_grains_over_the_run_and_no_energy_comes_from_nowhere():
    """Walls are smooth, so that the floor has the impulse of the weight. Only gravity and the driver of the gate do work."""
    result = column.run(6, 6)
    weight = column.GRAVITY * sum(body.mass for body in column.model(6, 6).bodies if body.name != "plate")
    assert result.contact_sums.impulse_n[0] == pytest.approx(weight * result.t[-1], rel=1e-3)  # from rest to rest
    kept = result.energy.total - result.energy.drive
    assert np.diff(kept).max() < 1e-5 * kept[0]


def test_a_regular_pentagon_has_the_inertia_of_its_triangles():
    """Each triangle about its tip: m (3 h² + (c / 2)²) / 6 with height h and base c."""
    body, radius = column.model(1, 2).bodies[1], column.grains(2)[0][0]
    high, base = radius * math.cos(math.pi / 5), 2.0 * radius * math.sin(math.pi / 5)
    assert body.inertia == pytest.approx(body.mass * (3.0 * high**2 + 0.25 * base**2) / 6.0)


def test_the_figure_is_drawn(tmp_path):
    assert all(path.stat().st_size > 1000 for path in column.figures(tmp_path))
