"""The way of the pins: hulls of discs with known lengths, and chords along them."""

import math

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from routh.errors import ModelError
from routh.vehicles.hull import Disc, Hull


def test_two_equal_discs_make_a_stadium():
    hull = Hull([Disc("a", (0.0, 0.0), 0.3), Disc("b", (2.0, 0.0), 0.3)], start=math.radians(100.0))
    assert hull.length == pytest.approx(2.0 * 2.0 + 2.0 * math.pi * 0.3, rel=1e-14)


def test_two_unequal_discs_make_the_belt_of_the_textbook():
    r, R, d = 0.2, 0.5, 2.0
    hull = Hull([Disc("a", (0.0, 0.0), R), Disc("b", (d, 0.0), r)], start=math.pi)
    lean = math.asin((R - r) / d)
    assert hull.length == pytest.approx(2.0 * d * math.cos(lean) + math.pi * (R + r) + 2.0 * lean * (R - r), rel=1e-14)


@pytest.mark.parametrize("seed", range(8))
def test_any_discs_have_the_outline_of_their_points(seed):
    rng = np.random.default_rng(seed)
    discs = [Disc(f"d{i}", tuple(rng.uniform((-2.0, -0.4), (2.0, 0.4))), rng.uniform(0.05, 0.3)) for i in range(9)]
    discs.insert(0, Disc("first", (-3.0, 0.0), 0.3))
    hull = Hull(discs, start=math.pi)  # the leftmost point of all
    angle = np.linspace(0.0, 2.0 * math.pi, 20_000)
    points = np.concatenate([np.column_stack([d.center[0] + d.radius * np.cos(angle), d.center[1] + d.radius * np.sin(angle)])
                             for d in discs])
    assert hull.length == pytest.approx(ConvexHull(points).area, rel=1e-7)  # polygons inside circles: (2π/20000)²/24


def test_rollers_in_a_row_do_not_break_their_common_tangent():
    row = [Disc(f"r{i}", (0.33 * i, 0.0), 0.1) for i in range(7)]
    assert Hull(row, start=math.pi).length == pytest.approx(2.0 * 1.98 + 2.0 * math.pi * 0.1, rel=1e-14)


def test_chords_are_equal_and_stay_on_the_path():
    hull = Hull([Disc("a", (0.0, 0.0), 0.3), Disc("b", (2.0, 0.1), 0.2)], start=math.radians(100.0))
    s = hull.chords(0.11, 40)
    points = np.array([hull.point(x) for x in s])
    assert np.abs(np.diff(points)) == pytest.approx(np.full(40, 0.11), rel=1e-12)
    assert all(step >= 0.11 - 1e-12 for step in np.diff(s))  # an arc is longer than its chord


def test_pins_of_one_disc_lie_in_its_seats():
    n, pitch = 17, 0.1
    hull = Hull([Disc("a", (0.0, 0.0), 0.5 * pitch / math.sin(math.pi / n)), Disc("b", (0.0, 0.01), 0.01)], start=0.0)
    s = hull.chords(pitch, n)
    assert s[-1] == pytest.approx(hull.length, rel=1e-12)


def test_a_first_pin_off_the_outline_is_refused():
    with pytest.raises(ModelError, match='"a" at 0 degrees does not lie on the outline'):
        Hull([Disc("a", (0.0, 0.0), 0.3), Disc("b", (2.0, 0.0), 0.3)], start=0.0)


def test_a_wheel_inside_another_hides_and_a_sprocket_inside_one_is_refused():
    outer = [Disc("a", (0.0, 0.0), 0.3), Disc("b", (2.0, 0.0), 0.3)]
    hidden = Hull([*outer, Disc("c", (0.0, 0.05), 0.1)], start=math.pi)
    assert hidden.length == pytest.approx(Hull(outer, start=math.pi).length)
    with pytest.raises(ModelError, match='"c" lies inside "a"'):
        Hull([Disc("c", (0.0, 0.05), 0.1), *outer], start=math.pi)


def test_links_longer_than_the_path_are_refused():
    with pytest.raises(ModelError, match="too long for a path"):
        Hull([Disc("a", (0.0, 0.0), 0.3), Disc("b", (1.0, 0.0), 0.3)], start=math.pi).chords(2.0, 3)
