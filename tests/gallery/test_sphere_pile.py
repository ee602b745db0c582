"""Spheres in a box: weight on the floor, rest, no overlap."""

import numpy as np

import routh as rt
from routh.gallery import sphere_pile as pile


def test_the_claims_hold():
    for claim in pile.claims():
        assert claim.holds, claim


def test_the_energy_of_the_pile_grows_less_with_a_shorter_step():
    """Largest growth from sample to sample: 1.6e-4 of the potential energy with steps of 2 ms, 1.7e-8 with 0.5 ms."""
    grown = []
    for step in (2e-3, 5e-4):
        total = pile.run(30, t_end=0.4, options=rt.Options(engine="stepping", step=step)).energy.total
        grown.append(np.diff(total).max() / total[0])
    assert grown[1] < 1e-6
    assert grown[1] < 0.1 * grown[0]


def test_the_thousand_spheres_of_the_scene_start_apart():
    rows = pile.start()
    places = np.array([[rows[f"ball{i}"][axis] for axis in "xyz"] for i in range(1, pile.COUNT + 1)])
    assert pile.overlap(places) == 0.0


def test_the_figure_is_drawn(tmp_path):
    assert all(path.stat().st_size > 1000 for path in pile.figures(tmp_path))
