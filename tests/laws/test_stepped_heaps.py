"""Random piles by the stepping engine: every run ends, nothing sinks in, friction stays in its cone, momentum balances."""

import numpy as np
import pytest

import random_piles

STEP = 5e-4
SINK = 0.1            # of the smaller body: the way of the fastest corner within a step
GROWTH = 1e-3         # of the weight times the size of a body: steps of an impact are of first order
CONE = 1e-2           # of the largest impulse, in a step that stops at max_sweeps
REST = 1e-5           # of the smaller body, where balls lie still
ROUND_OFF = 1e-11


@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize("kind", random_piles.KINDS)
@pytest.mark.parametrize("n", [2, 4, 8, 16])
def test_a_pile_falls_by_the_laws_of_mechanics(n, kind, space):
    for seed in range(100, 102):
        pile = random_piles.draw(seed, n, kind, space)
        result = pile.run(0.3, step=STEP, contact_log="steps", output=STEP)
        found = random_piles.faults_of(pile, result, STEP)
        assert result.status == "finished"
        assert found["depth"] < SINK
        assert found["growth"] < GROWTH
        assert found["cone"] < CONE
        assert found["pull"] <= 0.0
        assert found["momentum"] < ROUND_OFF


@pytest.mark.parametrize(("n", "space"), [(32, "planar"), (32, "spatial"), (100, "spatial")])
def test_momentum_of_every_ball_and_step_is_what_weight_and_contacts_gave(n, space):
    pile = random_piles.draw(7, n, "balls", space)
    result = pile.run(0.2, step=1e-3, contact_log="steps", output=1e-3)
    assert random_piles.momentum_missing(pile.model, result) < ROUND_OFF
    assert result.statistics["deepest_penetration"] < 1e-3


def test_three_hundred_balls_take_their_first_steps():
    pile = random_piles.draw(1, 300, "balls", "spatial")
    result = pile.run(0.02, step=1e-3, output=1e-2)
    assert result.status == "finished"
    assert result.statistics["steps"] >= 20


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_a_heap_of_balls_comes_to_rest_and_the_ground_carries_it(space):
    pile = random_piles.draw(3, 12, "balls", space)  # a funnel
    result = pile.run(6.0, step=2e-3, output=0.5)
    weight = sum(b.mass for b in pile.model.bodies) * random_piles.G
    assert result.energy["kinetic"][-1] < 1e-2 * weight * pile.size  # nothing brakes a ball that rolls
    up = "y" if space == "planar" else "z"
    radius = {s.body: s.radius for s in pile.model.contacts[0].a}
    place = {b.name: np.array([result[f"{b.name}.{k}"][-1] for k in "xyz"[: pile.model.dimension]]) for b in pile.model.bodies}
    gaps = [np.linalg.norm(place[a] - place[b]) - radius[a] - radius[b] for a in place for b in place if a < b]
    assert min(gaps) > -REST * pile.size
    assert min(result[f"{n}.{up}"][-1] - radius[n] for n in place) > -REST * pile.size


@pytest.mark.parametrize("kind", ["boxes", "mixed"])
def test_a_thousand_bodies_of_different_shapes_take_their_first_steps(kind):
    pile = random_piles.draw(1, 1000, kind, "spatial")
    result = pile.run(0.06, step=1e-3, contact_log="steps", output=2e-2, max_sweeps=100)
    assert result.status == "finished"
    assert result.statistics["most_contact_points"] > 0
    assert result.statistics["deepest_penetration"] < SINK
    total = result.energy["total"]
    weight = sum(b.mass for b in pile.model.bodies) * random_piles.G
    assert float((total - np.minimum.accumulate(total)).max()) < GROWTH * weight * pile.size
