"""Roots and minima from values: the parabola through three points, and what is done where there is none."""

import math

import pytest

from routh.core.bracket import between, narrow, vertex


def lowest(f, a, m, b, trials):
    """Where f is lowest between a and b, by so many parabolas."""
    for _ in range(trials):
        x, _least = vertex(a, f(a), m, f(m), b, f(b))
        if x == m:
            break
        if f(x) <= f(m):
            a, m, b = (m, x, b) if x > m else (a, x, m)
        else:
            a, b = (a, x) if x > m else (x, b)
    return m


def test_the_vertex_of_a_parabola_is_met_at_once():
    x, least = vertex(-1.0, 3.0 * 1.7**2 + 2.0, 0.5, 3.0 * 0.2**2 + 2.0, 4.0, 3.0 * 3.3**2 + 2.0)
    assert (x, least) == pytest.approx((0.7, 2.0), rel=1e-14)


def test_parabolas_come_to_the_minimum_of_a_smooth_function():
    assert lowest(lambda x: -math.cos(x) + 0.1 * x, -1.5, 0.4, 1.2, 20) == pytest.approx(-math.asin(0.1), abs=1e-7)


def test_three_equal_values_are_divided_by_golden_section():
    x, least = vertex(0.0, 1.0, 0.25, 1.0, 1.0, 1.0)
    assert x == pytest.approx(0.25 + 0.75 * 0.381966, abs=1e-6)
    assert least == 1.0


def test_a_vertex_at_the_middle_point_is_not_given_twice():
    x, _ = vertex(0.0, 1.0, 0.5, 0.0, 1.0, 1.0)
    assert x != 0.5
    assert 0.0 < x < 1.0


def test_false_position_and_halving_come_to_a_root():
    f = lambda x: math.exp(x) - 1e-3  # noqa: E731
    a, fa, b, fb, side = -10.0, f(-10.0), 1.0, f(1.0), 0
    for trial in range(100):
        x = between(a, fa, b, fb, trial)
        a, fa, b, fb, side = narrow(a, fa, b, fb, side, x, f(x))
    assert b == pytest.approx(math.log(1e-3), rel=1e-14)
