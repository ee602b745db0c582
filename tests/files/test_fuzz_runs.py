"""Mutated models that are read are also run: each ends with a status or an error of one line, and never "finished" with numbers
that are not finite."""

import copy
import json
import random
import warnings

import numpy as np
import pytest
from fuzz import places

import routh as rt
from routh.gallery.scenes import scene

NAMES = ("park_ball", "rope", "pendulum_with_stop", "racket", "double_pendulum", "simple_pendulum", "slider_crank")
LIMITS = {"max_steps": 300, "output": [], "progress": False, "on_error": "return", "max_memory": 1e8, "fallback": "none"}


def scaled(rng, data):
    """The data with one or two of their numbers changed, most by a factor."""
    data = copy.deepcopy(data)
    spots = [(holder, key) for holder, key in places({k: v for k, v in data.items() if k not in ("run", "format")})
             if isinstance(holder[key], float | int) and not isinstance(holder[key], bool)]
    for holder, key in rng.sample(spots, rng.randint(1, 2)):
        holder[key] = rng.choice([-1.0, 0.0, 0.5, 2.0, 1e-9, 1e9, 1e200]) * holder[key] + rng.choice([0.0, 0.0, 1e-12, 1.0])
    return data


@pytest.mark.parametrize("name", NAMES)
def test_runs_of_mutated_scenes_end_well(name):
    rng = random.Random(name)
    data = json.loads(rt.format_model(scene(name), language="json"))
    data["run"] = {"t_end": 0.05} | {key: value for key, value in LIMITS.items() if key != "output"}
    ended, messages = 0, []
    for _ in range(60):
        text = json.dumps(scaled(rng, data))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # numbers that overflow on the way to an error
            try:
                result = rt.parse_model(text, "json").simulate()
            except rt.errors.RouthError as error:
                messages.append(str(error).strip())
                continue
            ended += 1
            if result.success:
                assert np.isfinite(result.energy.total).all(), text
                assert all(np.isfinite(result[f"{body}.x"]).all() for body in ("ball",) if f"{body}.x" in result), text
    assert ended > 3
    assert not any("\n" in message for message in messages)
