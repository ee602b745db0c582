"""Bricard's mechanism: overconstrained by one, and yet it moves and keeps its energy."""

import numpy as np
import pytest

import routh as rt
from routh.gallery import bricard


@pytest.fixture(scope="module")
def result():
    return bricard.run(options=rt.Options(output=0.05, rtol=1e-9, atol=1e-11))


def test_one_constraint_is_redundant_and_named_and_one_freedom_is_left():
    report = rt.degrees_of_freedom(bricard.model(), bricard.start())
    assert report.freedom == 1
    [(name, count)] = report.redundant.items()
    assert count == 1
    assert name in {f"P{i}" for i in range(6)}


def test_energy_is_kept_for_ten_seconds(result):
    total = result.energy["total"]
    scale = bricard.MASS * bricard.GRAVITY * bricard.LENGTH  # J; the start is at rest
    assert result.t[-1] == 10.0
    assert np.abs(total - total[0]).max() < 1e-6 * scale


def test_the_loop_stays_closed(result):
    centre = np.stack([result[f"rod5.{k}"] for k in "xyz"], axis=-1)
    tip = centre + 0.5 * bricard.LENGTH * turned(result, "rod5", bricard.RODS[4])
    np.testing.assert_allclose(tip, np.tile(bricard.CORNERS[5], (len(result.t), 1)), atol=1e-9)


def test_the_angles_obey_bricards_equation(result):
    """Hinges alternate: P0 = P2 = P4 = a, P1 = P3 = P5 = b, and sin a + sin b + sin a sin b = 0."""
    a, b = result["P0.angle"], result["P1.angle"]
    for i in (2, 4):
        np.testing.assert_allclose(result[f"P{i}.angle"], a, atol=1e-8)
    for i in (3, 5):
        np.testing.assert_allclose(np.sin(result[f"P{i}.angle"]), np.sin(b), atol=1e-8)
    np.testing.assert_allclose(np.sin(a) + np.sin(b) + np.sin(a) * np.sin(b), 0.0, atol=1e-8)


def test_the_fall_returns_to_its_height(result):
    """One freedom from rest without friction: the potential energy never exceeds its first value."""
    potential = result.energy["potential"]
    assert potential.max() - potential[0] < 1e-6
    assert potential.min() < potential[0] - 1.0


def turned(result, body, vector):
    """A vector of the body's frame in world axes, (n, 3)."""
    w, *v = (result[f"{body}.q{k}"][:, None] for k in "wxyz")
    v = np.hstack(v)
    u = np.cross(v, vector)
    return np.asarray(vector) + 2.0 * (w * u + np.cross(v, u))
