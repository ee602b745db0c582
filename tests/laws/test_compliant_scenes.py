"""Two bodies that fall on a floor and on each other, with laws drawn at random: the account closes, nothing is missed."""

import numpy as np
import pytest

import routh as rt
from compliant_scenes import closes_to
from routh import compliant, friction, shapes

SQUARE = ((-0.06, -0.04), (0.06, -0.04), (0.06, 0.04), (-0.06, 0.04))
ROUND = (lambda body: shapes.Disk(body, 0.05), lambda body: shapes.Ellipse(body, (0.08, 0.04)))
LAWS = (
    lambda rng, k: compliant.Linear(k, rng.choice([0.0, 10.0 ** rng.uniform(0, 3)])),
    lambda rng, k: compliant.Hertz(k, rng.uniform(1.0, 2.5)),
    lambda rng, k: compliant.HuntCrossley(k, 10.0 ** rng.uniform(-2, 1)),
    lambda rng, k: compliant.LankaraniNikravesh(k, rng.uniform(0, 1)),
    lambda rng, k: compliant.Flores(k, rng.uniform(0.05, 1)),
    lambda rng, k: compliant.KhuliefShabana(k, rng.uniform(0, 1), 1.0),
)
RUBBING = (
    lambda rng, mu: None,
    lambda rng, mu: friction.Regularised(mu, 10.0 ** rng.uniform(-3, -1)),
    lambda rng, mu: friction.LuGre(mu, 10.0 ** rng.uniform(2, 4), 10.0 ** rng.uniform(-1, 1), 0.1),
    lambda rng, mu: friction.Stiction(mu, 10.0 ** rng.uniform(2, 4), 10.0 ** rng.uniform(-1, 1), rng.choice([0.0, 0.9])),
)


def draw(rng, several):
    return several[rng.integers(len(several))]


def compliant_law(rng, k):
    return rt.Compliant(draw(rng, LAWS)(rng, k), draw(rng, RUBBING)(rng, rng.choice([0.0, 0.3, 1.5])))


def scene(seed, kinds, rigid=0.2, stiff=(5.0, 8.0)):
    """A model of two bodies and its start."""
    rng = np.random.default_rng(seed)
    laws = [rt.Poisson(e=0.5, mu=0.3) if rng.random() < rigid else compliant_law(rng, 10.0 ** rng.uniform(*stiff))
            for _ in range(3)]
    one, two, floor = draw(rng, kinds)("one"), draw(rng, kinds)("two"), shapes.HalfSpace("ground", normal=(0.0, 1.0))
    pairs = (("low", floor, one), ("high", floor, two), ("between", one, two))
    model = rt.Model("planar", [rt.Body("one", 1.0, 1e-3), rt.Body("two", 0.5, 5e-4)], gravity=(0.0, -9.81),
                     contacts=[rt.Contact(name, a, b, law=law) for (name, a, b), law in zip(pairs, laws, strict=True)])
    start = rt.State(one={"y": 0.1, "vx": rng.normal(), "omega": 5.0 * rng.normal(), "theta": rng.normal()},
                     two={"y": 0.3, "x": 0.02 * rng.normal(), "vy": -rng.uniform(0, 3), "omega": 5.0 * rng.normal()})
    return model, start


@pytest.mark.parametrize("seed", range(40))
def test_round_bodies_lose_no_energy_without_account(seed):
    result = rt.simulate(*scene(seed, ROUND), t_end=0.4)
    assert closes_to(result, 5e-6)  # a dozen contacts, each to some ten tolerances of 1e-8
    for name in ("hysteresis", "impacts"):  # friction may: bristles spring back
        assert np.all(np.diff(result.energy[name]) < 1e-7), f"{name} gives energy"


@pytest.mark.parametrize("seed", range(10))
def test_sharp_bodies_come_to_the_end(seed):
    result = rt.simulate(*scene(seed, (lambda body: shapes.Polygon(body, SQUARE),), stiff=(6.0, 8.0)), t_end=0.2)
    assert result.status == "finished"
    assert result["low.gap"].min() > -0.01
