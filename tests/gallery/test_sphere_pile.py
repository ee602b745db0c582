"""Spheres in a box: weight on the floor, rest, no overlap."""

import numpy as np

import routh as rt
from routh.gallery import sphere_pile as pile


def test_the_claims_hold():
    for claim in pile.claims():
        assert claim.holds, claim


def test_the_energy_of_the_pile_does_not_grow_but_for_the_order_of_the_scheme():
    for step in (2e-3, 5e-4):
        total = pile.run(30, t_end=0.4, options=rt.Options(engine="stepping", step=step)).energy.total
        assert np.diff(total).max() < 1e-6 * total[0]


def test_a_thousand_spheres_start_apart():
    rows = pile.start(pile.MANY)
    places = np.array([[rows[f"ball{i}"][axis] for axis in "xyz"] for i in range(1, pile.MANY + 1)])
    assert pile.overlap(places) == 0.0


def test_a_cubic_lattice_fills_a_sixth_of_pi():
    n = 1000
    k = pile.side(n)
    layers = n // k**2
    grid = np.stack(np.meshgrid(*(np.arange(m) for m in (k + 2, layers, k + 2)), indexing="ij"), axis=-1).reshape(-1, 3)
    assert abs(pile.packing(pile.RADIUS * (1.0 + 2.0 * grid), n) - np.pi / 6.0) < 0.02


def test_the_figure_is_drawn(tmp_path):
    assert all(path.stat().st_size > 1000 for path in pile.figures(tmp_path))
