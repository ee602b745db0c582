"""What a user sees: results, tables, paths, and messages for bad input."""

import math

import numpy as np
import pytest

from routh.errors import ModelError, SimulationError
from routh.gallery.kane_pendulum import strike
from routh.model.laws import Brach, ImpactLaw, Newton, Poisson, Stronge
from routh.sim.impact import Kind, law_numbers, resolve_impact, resolve_impacts
from routh.sim.impact_path import Path

A2 = np.array([[2.5, -1.5], [-1.5, 2.5]])
A3 = np.array([[2.0, 0.5, 0.3], [0.5, 3.0, -0.4], [0.3, -0.4, 1.0]])
LAW = Poisson(0.5, 0.3)


@pytest.mark.parametrize(
    ("A", "v", "words"),
    [
        ([[1.0, 0.5], [0.2, 1.0]], [-1.0, 0.0], "A is not symmetric: |A - Aᵀ| reaches 0.3"),
        ([[1.0, 2.0], [2.0, 1.0]], [-1.0, 0.0], "A is not positive definite: its smallest eigenvalue is -1"),
        ([[0.0, 0.0], [0.0, 1.0]], [-1.0, 0.0], "not positive definite"),
        ([[1.0, 0.0], [0.0, -1.0]], [-1.0, 0.0], "not positive definite"),
        ([[1.0, 0.5], [0.5, 0.0]], [-1.0, 0.0], "not positive definite"),
        ([[1.0, 0.0], [0.0, 0.0]], [-1.0, 0.3], "not positive definite"),
        (A3 - 0.9 * np.eye(3), [-1.0, 0.0, 0.0], "not positive definite"),
        ([[1.0, 0.9, 0.9], [0.9, 1.0, 0.0], [0.9, 0.0, 1.0]], [-1.0, 0.0, 0.0], "not positive definite"),
        ([[1.0, math.nan], [0.0, 1.0]], [-1.0, 0.0], "not finite"),
        (A2, [-math.inf, 0.0], "not finite"),
        (np.eye(3), [-1.0, 0.0], "A has shape (3, 3) and v (2,)"),
        (np.eye(4), [-1.0, 0.0, 0.0, 0.0], "rows normal first"),
        (np.eye(2)[0], [-1.0, 0.0], "A has shape (2,)"),
    ],
)
def test_a_bad_contact_is_refused_with_its_numbers(A, v, words):
    with pytest.raises(ModelError) as error:
        resolve_impact(A, v, LAW)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Stronge(1.3, 0.1), "Stronge: e = 1.3 is outside [0, 1]; Stronge's e is the square root"),
        (lambda: Poisson(-0.1, 0.1), "Poisson: e = -0.1 is outside [0, 1]"),
        (lambda: Newton(math.nan, 0.1), "Newton: e = nan is not a finite number"),
        (lambda: Newton("1", 0.1), "Newton: e = '1' is not a finite number"),
        (lambda: Newton(0.5, -0.1), "Newton: mu = -0.1 is negative"),
        (lambda: Poisson(0.5, 0.4, mu_s=0.3), "mu_s = 0.3 is below mu = 0.4"),
        (lambda: Poisson(0.5, 0.4, mu_s=math.nan), "mu_s = nan is not a finite number"),
        (lambda: Newton(0.5, 0.3, form="fast"), "form = 'fast' is unknown"),
        (lambda: Brach(0.5, 0.3, e_t=2.0), "e_t = 2 is outside [-1, 1]"),
        (lambda: resolve_impact(A2, [-1.0, 0.0], "poisson"), "is not an impact law"),
        (lambda: resolve_impact(A2, [-1.0, 0.0], ImpactLaw(0.5, 0.3)), "is a bare ImpactLaw"),
    ],
)
def test_a_bad_law_is_refused_when_it_is_made(make, words):
    with pytest.raises(ModelError) as error:
        make()
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"law": "poison"}, 'no impact law "poison"; did you mean "poisson"?'),
        ({"v": np.zeros(2)}, "take v (n, d)"),
        ({"A": np.eye(3)}, "take v (n, d)"),
        ({"e": np.zeros(3)}, "e has shape (3,); take one number or 4"),
        ({"e": [0.5, 0.5, 1.5, 0.5]}, "impact 2: e = 1.5 is outside [0, 1]"),
        ({"mu": [0.5, -0.5, 0.5, 0.5]}, "impact 1: mu = -0.5 is negative"),
        ({"mu_s": 0.1}, "impact 0: mu_s = 0.1 is below mu = 0.3"),
        ({"e_t": 3.0}, "e_t = 3 is outside [-1, 1]"),
        ({"e": math.nan}, "impact 0: not finite"),
        ({"v": np.array([[-1.0, 0.0]] * 3 + [[math.nan, 0.0]])}, "impact 3: not finite"),
    ],
)
def test_a_bad_batch_names_the_first_bad_impact(change, words):
    use = {"A": A2, "v": np.tile([-1.0, 0.2], (4, 1)), "e": 0.5, "mu": 0.3} | change
    with pytest.raises(ModelError) as error:
        resolve_impacts(**use)
    assert words in str(error.value)


@pytest.mark.parametrize("d", [2, 3])
def test_the_batch_gives_what_single_calls_give(d):
    rng = np.random.default_rng(1)
    A, v = (A2, A3)[d - 2], rng.normal(size=(50, d))
    for name, law in (("newton", Newton), ("poisson", Poisson), ("stronge", Stronge), ("brach", Brach)):
        hits = resolve_impacts(A, v, 0.6, 0.4, name, mu_s=0.5)
        for i in range(50):
            hit = resolve_impact(A, v[i], law(0.6, 0.4, 0.5))
            assert hit.kind == hits.kind[i]
            assert np.array_equal(hit.impulse, hits.impulse[i])
            assert np.array_equal(hit.velocity, hits.velocity[i])
            assert hit.energy_lost == hits.energy_lost[i]
            assert hit.work_normal == hits.work_normal[i]
            assert hit.work_tangential == hits.work_tangential[i]
            assert hit.compression_impulse == hits.compression_impulse[i]
            assert np.array_equal(hit.stop_impulse, hits.stop_impulse[i], equal_nan=True)
            assert hit.creates_energy == hits.creates_energy[i]


def test_an_empty_batch_is_empty():
    hits = resolve_impacts(np.zeros((0, 2, 2)), np.zeros((0, 2)), 0.5, 0.3)
    assert len(hits) == 0
    assert hits.impulse.shape == (0, 2)


def test_compare_resolves_the_same_blow_under_every_law():
    table = resolve_impact(A2, [-1.0, 1.0], Stronge(0.9, 0.3)).compare()
    assert [row["law"] for row in table.rows()] == [
        "Newton",
        "Poisson",
        "Stronge",
        "Newton algebraic",
        "Brach",
        "Moreau",
    ]
    assert len(table) == 6
    assert table[0].velocity[0] == 0.9
    assert "creates energy" in str(table)
    brach = resolve_impact(A3, [-1.0, 0.1, 0.0], Brach(0.9, 0.3, e_t=0.5)).compare()
    assert brach[4].law.e_t == 0.5
    assert "v_t2" in repr(brach)


def test_a_result_prints_its_physics():
    text = repr(strike(0.9, Newton))
    assert text.startswith("Impact(reversal in restitution: impulse (")
    assert "creates energy" in text
    assert Kind.SLIP_FROM_REST.label == "slip from rest"


def test_the_losses_add_up():
    hit = resolve_impact(A3, [-1.0, 0.8, 0.3], LAW)
    assert hit.energy_lost == pytest.approx(hit.energy_lost_normal + hit.energy_lost_tangential, rel=1e-14)
    assert hit.energy_lost_normal > 0.0
    assert hit.energy_lost_tangential > 0.0


@pytest.mark.parametrize("law", [Newton, Poisson, Stronge])
@pytest.mark.parametrize("mu", [0.0, 0.1, 0.5, 2.0])
@pytest.mark.parametrize("v", [(-1.0, 0.2, 0.1), (-1.0, 0.0, 0.0), (-0.1, 3.0, -1.0), (-1.0, -0.4, 0.3)])
def test_a_path_stays_in_the_cone_and_obeys_momentum_all_the_way(law, mu, v):
    for A, before in ((A3, np.array(v)), (A2, np.array(v[:2]))):
        hit = resolve_impact(A, before, law(0.7, mu))
        path = hit.path
        assert np.all(np.diff(path.impulse[:, 0]) >= 0.0)
        steps = np.diff(path.impulse, axis=0)
        assert np.all(np.linalg.norm(steps[:, 1:], axis=1) <= mu * steps[:, 0] * (1 + 1e-9) + 1e-14)
        assert path.velocity == pytest.approx(before + path.impulse @ A, abs=1e-13)
        assert path.impulse[-1] == pytest.approx(hit.impulse, rel=1e-13, abs=1e-15)
        assert path.velocity[-1] == pytest.approx(hit.velocity, rel=1e-12, abs=1e-13)
        assert path.marks[0] == (0, "start")
        assert path.marks[-1] == (len(path) - 1, "end")
        assert path.velocity[path.at("end of compression"), 0] == 0.0
        assert path.slip.shape == (len(path), len(before) - 1)


def test_marks_tell_where_slip_stopped():
    path = resolve_impact(A2, [-1.0, 0.1], LAW).path
    assert path.velocity[path.at("slip stops"), 1] == 0.0
    assert path.at("compression resumes") == -1


def test_a_dead_tangent_has_the_path_of_the_plane():
    A = np.zeros((3, 3))
    A[np.ix_([0, 2], [0, 2])] = A2
    path = resolve_impact(A, [-1.0, 0.0, 0.1], LAW).path
    assert path.impulse[:, 2] == pytest.approx(
        resolve_impact(A2, [-1.0, 0.1], LAW).path.impulse[:, 1], abs=1e-16
    )
    assert resolve_impact(np.diag([1.0, 0.0, 0.0]), [-1.0, 0.0, 0.0], LAW).path.impulse[-1, 0] == 1.5


def test_algebraic_laws_know_only_the_ends_of_their_path():
    path = resolve_impact(A2, [-1.0, 0.1], Brach(0.5, 0.3)).path
    assert isinstance(path, Path)
    assert len(path) == 2
    assert len(resolve_impact(A3, [1.0, 0.0, 0.0], LAW).path) == 1


def test_compression_resumes_when_the_slip_turns_into_a_jam():
    A = np.array([[1.45, -0.6, 2.25], [-0.6, 4.07, -1.54], [2.25, -1.54, 6.05]])
    v = np.array([-0.34, 2.1, -0.55])
    for law in (Poisson, Stronge):
        hit = resolve_impact(A, v, law(0.9, 3.7))
        path = hit.path
        assert path.at("compression resumes") > path.at("end of compression")
        last = max(i for i, what in path.marks if what == "end of compression")
        assert path.impulse[last, 0] == pytest.approx(hit.compression_impulse, rel=1e-13)
        assert hit.velocity[0] > 0.0
        assert not hit.creates_energy
    assert resolve_impact(A, v, Poisson(0.9, 3.7)).impulse[0] == pytest.approx(
        1.9 * hit.compression_impulse, rel=1e-12
    )


def test_cases_of_the_ellipsoids_are_named():
    D = np.diag([1.0, 2.0, 5.0])
    assert resolve_impact(D, [-1.0, 0.3, 0.5], Poisson(0.5, 0.9)).case == "2-1"
    assert resolve_impact(D, [-1.0, 3.0, 5.0], Poisson(0.5, 0.1)).case == "2-2"
    assert resolve_impact(D, [-1.0, 0.3, 0.0], Poisson(0.5, 0.9)).case == "1-1"
    assert resolve_impact(D, [-1.0, 3.0, 0.0], Poisson(0.5, 0.1)).case == "1-2"
    assert resolve_impact(np.diag([1.0, 2.0, 2.0]), [-1.0, 3.0, 1.0], Poisson(0.5, 0.1)).case == "1-2"
    assert resolve_impact(D, [-1.0, 0.0, 0.0], Poisson(0.5, 0.1)).case == "1-1"
    assert resolve_impact(A3, [-1.0, 0.3, 0.0], Poisson(0.5, 0.1)).case == ""
    assert resolve_impact(D, [-1.0, 0.3, 0.0], Brach(0.5, 0.1)).case in ("", "1-2")


def test_a_stalled_march_hands_over_what_it_has(monkeypatch):
    monkeypatch.setattr("routh.sim.impact.entry", lambda *name: lambda *arguments: int(Kind.STALLED))
    with pytest.raises(SimulationError) as error:
        resolve_impact(A3, [-1.0, 0.1, 0.2], LAW)
    assert "did not end within its steps" in str(error.value)
    assert error.value.status == "stalled"
    assert error.value.result.kind == Kind.STALLED


def test_static_friction_defaults_to_the_sliding_one():
    assert LAW.static == 0.3
    assert Poisson(0.5, 0.3, 0.35).static == 0.35
    assert law_numbers(Newton(0.5, 0.3, form="algebraic"))[0] != law_numbers(Newton(0.5, 0.3))[0]
