"""Piles come to rest: kinetic energy below 1e-10 of the potential energy at the start, overlap below 1e-5 of the size.

The piles lie in a hopper with rough walls, where every body leans on three points or more. In a box physics itself does not
bring all to rest: a sphere on the floor rolls, or spins about the vertical, for ever by Coulomb's law. A box that rocks on a
sphere does so, too. Large mixed piles have such boxes now and then, and are left out.
"""

import numpy as np
import pytest

import random_piles
import routh as rt

STILL, OVERLAP = 1e-10, 1e-5


@pytest.mark.parametrize(("kind", "n"), [("balls", 48), ("boxes", 24), ("mixed", 32)])
def test_every_step_of_a_pile_at_rest_is_solved(kind, n):
    pile, missed = random_piles.hopper(1, n, kind), []
    for t_end in (1.5, 2.0):
        result = rt.simulate(pile.model, pile.start, t_end, options=rt.Options(engine="stepping", step=2e-3, output=0.25))
        missed.append(result.statistics["unconverged_steps"])
    assert missed[0] == missed[1]
    assert missed[1] < 200  # while the bodies come down


def overlap_of_spheres(pile, result):
    """Deepest overlap of two spheres, or of a sphere and a wall, by their centres alone; in radii of the smaller."""
    parts = [s for s in pile.model.contacts[1].a if hasattr(s, "radius")]
    x = np.array([[result[f"{s.body}.{axis}"][-1] for axis in "xyz"] for s in parts])
    r = np.array([s.radius for s in parts])
    between = np.linalg.norm(x[:, None] - x[None], axis=2) - r[:, None] - r[None] + 9.0 * np.eye(len(r))
    walls = [x @ np.array(w.normal) - r for w in pile.model.contacts[0].a]
    return max(-between.min(), -np.min(walls), 0.0) / r.min()


@pytest.mark.parametrize(("kind", "n"), [("balls", n) for n in (24, 48, 54, 60, 64, 80, 100)]
                         + [("boxes", 12), ("boxes", 24), ("boxes", 48), ("mixed", 16), ("mixed", 32)])
def test_a_pile_in_a_hopper_comes_to_rest(kind, n):
    pile = random_piles.hopper(1, n, kind)
    result = rt.simulate(pile.model, pile.start, 2.5, options=rt.Options(engine="stepping", step=2e-3, output=0.25))
    assert result.energy.kinetic[-1] < STILL * result.energy.potential[0]
    assert min(result["walls.gap"][-1], result["touch.gap"][-1]) > -OVERLAP * pile.size
    if kind == "balls":
        assert overlap_of_spheres(pile, result) < OVERLAP
