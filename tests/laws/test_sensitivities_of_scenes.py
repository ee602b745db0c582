"""Derivatives of scenes of the gallery through their impacts agree with differences of order 8 of whole runs."""

import numpy as np
import pytest

import routh as rt
from routh.gallery.scenes import scene

EIGHT = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}  # central differences of order 8
STEP = 1e-4        # of a parameter: beside it, order 8 leaves round-off of the runs only, 1e-13 / 1e-4
AGREE = 1e-7       # of the largest derivative
MOTION = (".x", ".y", ".z", ".theta", ".vx", ".vy", ".vz", ".omega", ".wx", ".wz")

CASES = {
    "park_pendulums": (0.6, ["pin1.angle", "hit.law.e"]),
    "park_bat": (0.6, ["handle.angle_rate", "ball.x", "hit.law.e"]),
    "woodpecker": (0.2, ["guide.angle", "guide.shift_rate", "beak.law.e"]),
    "rope": (0.6, ["ball.x"]),
    "pendulum_with_stop": (0.6, ["pin.angle"]),
    "racket": (0.6, ["ball.x", "ball.vx", "hit.law.e"]),
    "newtons_cradle": (0.6, ["pin1.angle"]),
}


def value_of(file, path):
    name, _, key = path.partition(".")
    if name in file.start and key in file.start[name]:
        return file.start[name][key]
    contact = next(c for c in file.model.contacts if c.name == name)
    return contact.law.e


def final(file, t_end, path=None, value=0.0):
    """(channels at the end, number of impacts) of a run with another value of a parameter."""
    model, start = file.model, file.start
    if path is not None:
        name, _, key = path.partition(".")
        if name in start and key in start[name]:
            start = start.replace({path: value})
        else:
            model = model.replace({path: value})
    result = rt.simulate(model, start, t_end, options=rt.Options(rtol=1e-13, atol=1e-15, output=[t_end]))
    return np.array([result[c][-1] for c in result if c.endswith(MOTION)]), len(result.impacts)


@pytest.mark.parametrize("name", CASES)
def test_derivatives_of_a_scene_agree_with_differences_of_runs(name):
    file, (t_end, paths) = scene(name), CASES[name]
    result = rt.simulate(file.model, file.start, t_end, sensitivities=paths,
                         options=rt.Options(rtol=1e-13, atol=1e-15, output=[t_end]))
    assert result.sensitivities.status == "exact"
    assert len(result.impacts) > 0
    for k, path in enumerate(paths):
        value = value_of(file, path)
        h, expected = STEP * abs(value), 0.0
        for i, weight in EIGHT.items():
            (above, more), (below, fewer) = (final(file, t_end, path, value + side * i * h) for side in (1.0, -1.0))
            assert more == fewer == len(result.impacts)  # else the differences are no reference
            expected = expected + weight * (above - below) / h
        found = np.array([result.sensitivities.final[c][k] for c in result if c.endswith(MOTION)])
        np.testing.assert_allclose(found, expected, rtol=0.0, atol=AGREE * np.abs(expected).max())
