"""Time profiles through the compiled kernel: closed forms, exact edges, areas, continuity."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import routh as rt
from routh import forces, profiles
from routh.core.tree.profile import choose_pieces, value

ROUND_OFF = 1e-13


def system_of(profile):
    """The System of a body pushed by `profile`, doubled so that it is never the constant one."""
    force = forces.PointForce("push", "b", force=(1.0, 0.0), profile=profile)
    return rt.compile_model(rt.Model("planar", [rt.Body("b", 1.0, 1.0)], forces=[force]))


def evaluated(profile, t):
    """(value, rate, acceleration) at each time, the right-hand limit at an edge."""
    system = system_of(profile).system
    chosen = np.zeros(1, np.int64)
    out = []
    for moment in np.atleast_1d(t):
        choose_pieces(system, moment, chosen)
        out.append(value(system.piece, chosen[0], moment))
    return np.array(out).T


S = np.linspace(0.013, 0.987, 40)  # inside the window, in parts of it


def window(f, f1, f2):
    """Values of a pulse that starts at 2 s and lasts 0.4 s, by its shape on [0, 1]; height 3."""
    return 2.0 + 0.4 * S, 3.0 * f(S), 3.0 * f1(S) / 0.4, 3.0 * f2(S) / 0.16


def tent(s):
    return 1.0 - np.abs(2.0 * s - 1.0)


def bump(s):
    x = np.where(s < 0.5, 2.0 * s, 2.0 - 2.0 * s)
    return x * x * (3.0 - 2.0 * x)


def bump_rate(s):
    x = np.where(s < 0.5, 2.0 * s, 2.0 - 2.0 * s)
    return 6.0 * x * (1.0 - x) * np.where(s < 0.5, 2.0, -2.0)


def bump_acceleration(s):
    return 4.0 * (6.0 - 12.0 * np.where(s < 0.5, 2.0 * s, 2.0 - 2.0 * s))


def flat(x):
    return lambda s: np.full_like(s, x)


TAU = 2.0 * math.pi
SHAPES = {
    profiles.Rectangle: (flat(1.0), flat(0.0), flat(0.0)),
    profiles.Triangle: (tent, lambda s: 2.0 * np.sign(0.5 - s), flat(0.0)),
    profiles.CubicStep: (lambda s: s * s * (3 - 2 * s), lambda s: 6 * s * (1 - s), lambda s: 6 - 12 * s),
    profiles.CubicPulse: (bump, bump_rate, bump_acceleration),
    profiles.Haversine: (lambda s: 0.5 - 0.5 * np.cos(TAU * s), lambda s: 0.5 * TAU * np.sin(TAU * s),
                         lambda s: 0.5 * TAU**2 * np.cos(TAU * s)),
}


@pytest.mark.parametrize("kind", SHAPES)
def test_a_pulse_has_its_closed_form_inside_the_window(kind):
    t, *wanted = window(*SHAPES[kind])
    for got, want in zip(evaluated(kind(2.0, 0.4, 3.0), t), wanted, strict=True):
        assert_allclose(got, want, rtol=1e-11, atol=1e-11 * np.abs(want).max() + 1e-300)


@pytest.mark.parametrize("kind", SHAPES)
def test_a_pulse_is_zero_before_and_rests_after_its_window(kind):
    end = 3.0 if kind is profiles.CubicStep else 0.0
    before, after = evaluated(kind(2.0, 0.4, 3.0), [-50.0, np.nextafter(2.0, 0.0)]), evaluated(
        kind(2.0, 0.4, 3.0), [np.nextafter(2.4, 3.0), 1e6])
    assert (before == 0.0).all()
    assert (after == np.array([[end] * 2, [0.0] * 2, [0.0] * 2])).all()


@pytest.mark.parametrize(("kind", "area"), [(profiles.Rectangle, 1.0), (profiles.Triangle, 0.5),
                                            (profiles.CubicPulse, 0.5), (profiles.Haversine, 0.5)])
def test_the_area_of_a_pulse_is_its_share_of_width_times_height(kind, area):
    points, weights = np.polynomial.legendre.leggauss(20)
    halves = [2.0 + 0.4 * (0.25 * points + centre) for centre in (0.25, 0.75)]  # an edge lies in the middle
    total = sum(0.1 * weights @ evaluated(kind(2.0, 0.4, 3.0), half)[0] for half in halves)
    assert total == pytest.approx(area * 0.4 * 3.0, rel=1e-12)


@pytest.mark.parametrize(("profile", "edges"), [
    (profiles.Constant(2.0), []),
    (profiles.Sine(1.0, 2.0), []),
    (profiles.Polynomial((1.0, 2.0), start=5.0), []),
    (profiles.Rectangle(2.0, 0.4), [2.0, 2.4]),
    (profiles.Triangle(2.0, 0.4), [2.0, 2.2, 2.4]),
    (profiles.CubicStep(2.0, 0.4), [2.0, 2.4]),
    (profiles.CubicPulse(2.0, 0.4), [2.0, 2.2, 2.4]),
    (profiles.Haversine(2.0, 0.4), [2.0, 2.4]),
    (profiles.SmoothRamp(1.0, 0.5, start=1.0), [1.0, 1.5]),
    (profiles.Table((0.0, 1.0, 2.0, 4.0), (0.0, 1.0, 0.0, 3.0)), [1.0, 2.0]),
])
def test_edges_are_the_instants_that_were_declared(profile, edges):
    assert system_of(profile).edges.tolist() == edges


@pytest.mark.parametrize(("profile", "f"), [
    (profiles.Constant(2.5), lambda t: (2.5, 0.0, 0.0)),
    (profiles.ConstantRate(-3.0, 0.5), lambda t: (0.5 - 3.0 * t, -3.0, 0.0)),
    (profiles.Sine(2.0, 1.5, 0.3, -1.0), lambda t: (
        -1 + 2 * math.sin(3 * math.pi * t + 0.3), 6 * math.pi * math.cos(3 * math.pi * t + 0.3),
        -18 * math.pi**2 * math.sin(3 * math.pi * t + 0.3))),
    (profiles.Polynomial((1, -2, 3, -4, 5, -6), start=0.5), lambda t: tuple(
        np.polynomial.Polynomial([1, -2, 3, -4, 5, -6]).deriv(k)(t - 0.5) for k in range(3))),
])
@pytest.mark.parametrize("t", [-1.3, 0.0, 0.7, 4.0])
def test_a_smooth_profile_has_its_closed_form_at_all_times(profile, f, t):
    assert_allclose(evaluated(profile, t)[:, 0], f(t), rtol=ROUND_OFF, atol=1e-12)


@pytest.mark.parametrize(("t", "wanted"), [
    (0.0, (0.2, 0.0, 0.0)),
    (1.25, (0.2 + 2.0 * 0.5 * (0.5**3 - 0.5 * 0.5**4), 1.0, 2.0 * 1.5 / 0.5)),  # half-way: s = 1/2
    (1.5, (0.2 + 0.5 * 2.0 * 0.5, 2.0, 0.0)),
    (3.5, (0.2 + 0.5 * 2.0 * 0.5 + 2.0 * 2.0, 2.0, 0.0)),
])
def test_a_smooth_ramp_gains_half_a_ramp_of_way_and_then_keeps_its_rate(t, wanted):
    ramp = profiles.SmoothRamp(rate=2.0, ramp_time=0.5, start=1.0, offset=0.2)
    assert_allclose(evaluated(ramp, t)[:, 0], wanted, rtol=ROUND_OFF, atol=ROUND_OFF)


SMOOTH = [profiles.Table((0.0, 0.7, 1.0, 2.2, 3.0), (0.0, 2.0, -1.0, 1.0, 4.0), ends=ends)
          for ends in ("not-a-knot", "natural", "clamped")]
SMOOTH += [profiles.SmoothRamp(2.0, 0.5, start=1.0), profiles.CubicStep(1.0, 0.5, 2.0), profiles.Haversine(1.0, 0.5),
           profiles.CubicPulse(1.0, 0.5), profiles.Triangle(1.0, 0.5), profiles.Rectangle(1.0, 0.5)]


@pytest.mark.parametrize("profile", SMOOTH, ids=lambda p: type(p).__name__)
def test_a_profile_is_as_smooth_at_its_edges_as_it_says(profile):
    compiled = system_of(profile)
    piece = compiled.system.piece
    jumps = np.array([np.subtract(value(piece, i, piece[i]["start"]), value(piece, i - 1, piece[i]["start"]))
                      for i in range(1, piece.size)])
    continuous = profile.smoothness() + 1
    assert np.abs(jumps[:, :continuous]).max(initial=0.0) < 1e-11
    if continuous < 3:
        assert np.abs(jumps[:, continuous]).max() > 0.1


def test_a_table_meets_its_points_and_its_ends():
    times, values = (0.0, 0.7, 1.0, 2.2, 3.0), (0.0, 2.0, -1.0, 1.0, 4.0)
    natural, clamped = (profiles.Table(times, values, ends) for ends in ("natural", "clamped"))
    assert_allclose(evaluated(natural, times)[0], values, atol=1e-12)
    assert_allclose(evaluated(natural, [0.0, 3.0])[2], 0.0, atol=1e-10)
    assert_allclose(evaluated(clamped, [0.0, 3.0])[1], 0.0, atol=1e-10)


def test_a_table_of_a_cubic_is_that_cubic():
    t = np.array([0.0, 0.3, 1.1, 2.0, 2.7])
    table = profiles.Table(t, 1 - t + 2 * t**2 - 0.5 * t**3)
    x = np.linspace(0.0, 2.7, 31)
    assert_allclose(evaluated(table, x)[0], 1 - x + 2 * x**2 - 0.5 * x**3, atol=1e-12)
    assert_allclose(evaluated(table, x)[2], 4 - 3 * x, atol=1e-10)


def test_profiles_are_values():
    assert profiles.Rectangle(1, 2) == profiles.Rectangle(1.0, 2.0, 1.0)
    assert profiles.Table([0, 1, 2, 3], [0, 1, 2, 3]) == profiles.Table((0, 1, 2, 3), np.arange(4))
