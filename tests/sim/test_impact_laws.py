"""Laws of mechanics over 100,000 random impacts each, in plane and space."""

import numpy as np
import pytest

from routh.sim.impact import Kind, resolve_impacts

N = 100_000
MARCHED = ["newton", "poisson", "stronge"]
ALL = [*MARCHED, "newton-algebraic", "brach"]


class Blows:
    """Random contacts with every nastiness that the physics allows, the same for every test."""

    def __init__(self, d, n=N, seed=0, decades=1.0, mu_decades=(-2.0, 1.0)):
        rng = np.random.default_rng([seed, d])
        Q = np.linalg.qr(rng.normal(size=(n, d, d)))[0]
        A = (Q * 10.0 ** rng.uniform(-decades, decades, (n, 1, d))) @ Q.transpose(0, 2, 1)
        self.A = 0.5 * (A + A.transpose(0, 2, 1))
        self.v = rng.normal(size=(n, d)) * 10.0 ** rng.uniform(-1.0, 1.0, (n, d))
        self.v[:, 0] = -np.abs(self.v[:, 0])
        self.v[rng.random(n) < 0.05, 0] = 0.0  # tangential, or no impact
        self.v[rng.random(n) < 0.05, 0] *= -1.0  # separating
        self.v[rng.random(n) < 0.05, 1:] = 0.0  # no slip
        self.e = np.where(rng.random(n) < 0.2, rng.integers(0, 2, n), rng.random(n))
        self.mu = np.where(rng.random(n) < 0.05, 0.0, 10.0 ** rng.uniform(*mu_decades, n))
        self.mu_s = self.mu * np.where(rng.random(n) < 0.5, 1.0, 1.0 + rng.random(n))
        self.d = d

    def hit(self, law, **change):
        use = {"A": self.A, "v": self.v, "e": self.e, "mu": self.mu, "mu_s": self.mu_s} | change
        return resolve_impacts(use["A"], use["v"], use["e"], use["mu"], law, mu_s=use["mu_s"])


BLOWS = {d: Blows(d) for d in (2, 3)}
both = pytest.mark.parametrize("d", [2, 3])


def size(x):
    return np.linalg.norm(x, axis=-1)


def energy_terms(blows, hits):
    """Work of the impulse from its definition, and the size of its terms."""
    p, v = hits.impulse, blows.v
    push = np.einsum("nij,nj->ni", blows.A, p)
    work = np.sum(p * (v + 0.5 * push), axis=1)
    return work, np.sum(np.abs(p) * (np.abs(v) + np.abs(push)), axis=1)


@both
@pytest.mark.parametrize("law", ["poisson", "stronge"])
def test_poisson_and_stronge_never_create_energy(d, law):
    hits = BLOWS[d].hit(law)
    work, terms = energy_terms(BLOWS[d], hits)
    assert np.all(work <= 1e-13 * terms)
    assert not hits.creates_energy.any()


@both
@pytest.mark.parametrize("law", ["newton", "newton-algebraic"])
def test_newton_is_flagged_exactly_when_it_creates_energy(d, law):
    hits = BLOWS[d].hit(law)
    work, terms = energy_terms(BLOWS[d], hits)
    clear = np.abs(work) > 1e-12 * terms
    assert np.array_equal(hits.creates_energy[clear], work[clear] > 0.0)
    assert hits.creates_energy.sum() > 100


@both
@pytest.mark.parametrize("law", ALL)
def test_momentum_is_balanced_to_round_off(d, law):
    blows = BLOWS[d]
    hits = blows.hit(law)
    push = np.einsum("nij,nj->ni", blows.A, hits.impulse)
    scale = size(blows.v) + np.einsum("nij,nj->ni", np.abs(blows.A), np.abs(hits.impulse)).max(axis=1)
    gap = size(hits.velocity - blows.v - push) / np.maximum(scale, 1e-300)
    solved = hits.kind != Kind.NO_SOLUTION
    assert gap[solved].max() <= 2e-13  # a few hundred roundings along the longest marches


@both
@pytest.mark.parametrize("law", ALL)
def test_the_impulse_pushes_and_stays_in_the_static_cone(d, law):
    hits = BLOWS[d].hit(law)
    p = hits.impulse[hits.kind != Kind.NO_SOLUTION]
    limit = BLOWS[d].mu_s[hits.kind != Kind.NO_SOLUTION] * p[:, 0]
    assert np.all(p[:, 0] >= 0.0)
    assert np.all(size(p[:, 1:]) <= limit * (1.0 + 1e-13))


@both
@pytest.mark.parametrize("law", MARCHED)
def test_bodies_separate_and_every_march_ends(d, law):
    hits = BLOWS[d].hit(law)
    assert np.all(hits.velocity[:, 0] >= 0.0)
    assert not np.any(hits.kind == Kind.STALLED)
    assert np.all(hits.work_tangential <= 1e-13 * energy_terms(BLOWS[d], hits)[1])


@both
def test_every_class_occurs(d):
    kinds = set(np.unique(BLOWS[d].hit("stronge").kind))
    assert kinds == {int(k) for k in Kind} - {Kind.STOPPED, Kind.NO_SOLUTION, Kind.STALLED}


@both
def test_plastic_laws_are_one(d):
    zero = np.zeros(N)
    hits = [BLOWS[d].hit(law, e=zero) for law in MARCHED]
    for other in hits[1:]:
        assert np.array_equal(hits[0].impulse, other.impulse)
    assert np.all(hits[0].velocity[hits[0].impulse[:, 0] > 0.0, 0] == 0.0)


@both
def test_elastic_stronge_returns_the_normal_work(d):
    hits = BLOWS[d].hit("stronge", e=np.ones(N))
    assert np.all(np.abs(hits.work_normal) <= 1e-13 * energy_terms(BLOWS[d], hits)[1])


@both
@pytest.mark.parametrize("law", MARCHED)
def test_units_do_not_matter(d, law):
    blows = BLOWS[d]
    plain = blows.hit(law)
    scaled = blows.hit(law, A=blows.A * 2.0**-11, v=blows.v * 2.0**7)
    assert np.array_equal(plain.kind, scaled.kind)
    gap = size(scaled.impulse * 2.0**-18 - plain.impulse)
    assert np.all(gap <= 1e-12 * size(plain.impulse))


def test_planar_impacts_do_not_know_left_from_right():
    blows = BLOWS[2]
    mirror = np.array([1.0, -1.0])
    plain, turned = (
        blows.hit("stronge"),
        blows.hit("stronge", A=blows.A * np.outer(mirror, mirror), v=blows.v * mirror),
    )
    assert np.array_equal(plain.impulse, turned.impulse * mirror)


@pytest.mark.parametrize("law", MARCHED)
def test_the_choice_of_tangents_does_not_matter(law):
    blows = Blows(3, seed=5, decades=0.5, mu_decades=(-1.0, 0.3))
    angle = np.random.default_rng(6).uniform(0.0, 2.0 * np.pi, N)
    R = np.zeros((N, 3, 3))
    R[:, 0, 0] = 1.0
    R[:, 1, 1] = R[:, 2, 2] = np.cos(angle)
    R[:, 1, 2], R[:, 2, 1] = -np.sin(angle), np.sin(angle)
    A = R @ blows.A @ R.transpose(0, 2, 1)
    A = 0.5 * (A + A.transpose(0, 2, 1))
    plain, turned = blows.hit(law), blows.hit(law, A=A, v=np.einsum("nij,nj->ni", R, blows.v))
    same = plain.kind == turned.kind  # round-off may move a blow across a boundary, where both answers meet
    gap = size(turned.impulse - np.einsum("nij,nj->ni", R, plain.impulse)) / np.maximum(
        size(plain.impulse), 1e-300
    )
    gap[plain.impulse[:, 0] == 0.0] = 0.0
    equal_cone = blows.mu == blows.mu_s
    assert same.mean() > 0.9999
    assert gap[same | equal_cone].max() <= 1e-9


def test_the_laws_agree_in_the_plane_when_slip_never_stops():
    hits = [BLOWS[2].hit(law) for law in MARCHED]
    slides = np.all([hit.kind == Kind.SLIDING for hit in hits], axis=0)
    for other in hits[1:]:
        gap = size(other.impulse - hits[0].impulse)[slides]
        assert np.all(gap <= 1e-13 * size(hits[0].impulse)[slides])


@both
def test_the_laws_agree_when_normal_and_tangent_are_uncoupled(d):
    blows = BLOWS[d]
    A = blows.A.copy()
    A[:, 0, 1:] = A[:, 1:, 0] = 0.0
    hits = [blows.hit(law, A=A) for law in MARCHED]
    for other in hits[1:]:
        assert np.all(size(other.impulse - hits[0].impulse) <= 2e-13 * size(hits[0].impulse))


@pytest.mark.parametrize("law", ALL)
@pytest.mark.parametrize("third", [0.0, 3.0])
def test_a_planar_impact_is_a_spatial_one_with_a_dead_third_row(law, third):
    blows = BLOWS[2]
    A, v = np.zeros((N, 3, 3)), np.zeros((N, 3))
    A[:, :2, :2], A[:, 2, 2], v[:, :2] = blows.A, third, blows.v
    flat, deep = blows.hit(law), blows.hit(law, A=A, v=v)
    # without slip the algebraic law has a tangent to hold in the plane, but none in space
    same = (v[:, 1] != 0.0) | (law != "newton-algebraic") | (third == 0.0)
    assert np.array_equal(flat.kind[same], deep.kind[same])
    assert np.all((size(deep.impulse[:, :2] - flat.impulse) <= 1e-12 * size(flat.impulse))[same])
    assert not deep.impulse[:, 2].any()


@pytest.mark.parametrize("law", MARCHED)
def test_a_planar_impact_turned_in_space_is_the_same(law):
    blows = Blows(2, seed=8, decades=0.5, mu_decades=(-1.0, 0.3))
    A, v = np.zeros((N, 3, 3)), np.zeros((N, 3))
    A[:, :2, :2], A[:, 2, 2], v[:, :2] = blows.A, 0.7, blows.v
    R = np.array([[1.0, 0.0, 0.0], [0.0, 0.6, -0.8], [0.0, 0.8, 0.6]])
    flat = blows.hit(law)
    deep = blows.hit(law, A=R @ A @ R.T, v=v @ R.T)
    gap = size(deep.impulse @ R - np.pad(flat.impulse, ((0, 0), (0, 1))))
    rough = blows.mu > 0.0  # without friction a slip through zero is nothing special: space does not name it
    assert (flat.kind == deep.kind)[rough].mean() > 0.9999
    assert np.all(gap <= 1e-9 * size(flat.impulse))


@both
@pytest.mark.parametrize("law", MARCHED)
def test_impulses_are_continuous_across_classes(d, law):
    n = 20_000 if d == 2 else 4_000
    blows = Blows(d, n=n, seed=9, decades=0.3, mu_decades=(-1.0, 0.3))
    blows.mu_s = blows.mu  # with mu_s > mu the onset of stick is a jump, as it is in nature
    approach = blows.v[:, 0] < 0.0
    low, high = blows.v.copy(), np.roll(blows.v, 1, axis=0)
    high[:, 0] = low[:, 0]
    first, last = blows.hit(law, v=low).kind, blows.hit(law, v=high).kind
    for _ in range(60):  # close in on a boundary between two classes
        middle = 0.5 * (low + high)
        same = (blows.hit(law, v=middle).kind == first)[:, None]
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    cross = approach & (first != last)
    a, b = blows.hit(law, v=low), blows.hit(law, v=high)
    gap = size(a.impulse - b.impulse)[cross] / size(a.impulse)[cross]
    assert len(set(zip(a.kind[cross], b.kind[cross], strict=True))) >= 10
    assert gap.max() <= 1e-9
