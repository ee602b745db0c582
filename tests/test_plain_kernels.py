"""Kernels that run as plain Python do what compiled ones do."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import routh as rt
from random_scenes import draw_scene
from scene_checks import TIGHT

TESTS = Path(__file__).parent


def test_a_scene_runs_plain_as_it_does_compiled():
    """A capsule that hits a wall: the instant of the blow."""
    command = [sys.executable, TESTS / "plain_kernels.py", "planar", "1970", "0.54", "0.55"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert said[0].startswith("finished")
    scene = draw_scene(1970, "planar")
    blows = rt.simulate(scene.model, scene.start, 0.55, options=rt.Options(**TIGHT)).impacts
    assert float(said[1].split()[0]) == pytest.approx(blows.t[np.argmax(blows.t > 0.54)], abs=1e-12)
