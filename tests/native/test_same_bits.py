"""The library of the package and kernels that are compiled and loaded one by one give the same bits."""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
SCENES = 100  # random scenes of each space

SCRIPT = f"""
import dataclasses, hashlib, sys
sys.path.insert(0, {str(TESTS)!r})
import numpy as np
import routh as rt
from random_scenes import draw_scene
from routh.gallery.scenes import SCENES, scene
from routh.native import load

def say(name, result):
    digest = hashlib.sha256(f"{{result.status}} {{len(result.events)}}".encode())
    for channel in result.channels:
        digest.update(np.ascontiguousarray(result[channel]).tobytes())
    digest.update(np.ascontiguousarray(result.impacts["t"]).tobytes())
    print(name, digest.hexdigest())

for name in SCENES:
    file = scene(name)
    stepped = file.options.engine == "stepping"
    short = min(file.t_end, file.t_start + (0.05 if stepped else 0.5))
    options = dataclasses.replace(file.options, on_error="return", output=0.05, max_steps=3000)
    say(name, rt.simulate(file.model, file.start, short, options=options))
for space in ("planar", "spatial"):
    for seed in range({SCENES}):
        drawn = draw_scene(seed, space)
        options = rt.Options(on_error="return", output=[drawn.t_end], max_steps=3000)
        say(f"{{space}} {{seed}}", rt.simulate(drawn.model, drawn.start, drawn.t_end, options=options))
print("routh.native.build" in sys.modules, len(load._kept))
"""


def lines(**environment):
    return subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=os.environ | environment)


def test_the_library_and_kernels_loaded_one_by_one_give_the_same_bits():
    one = lines()
    other = lines(ROUTH_KERNELS="compile", ROUTH_LINKER="none")
    (a, error), (b, more) = one.communicate(timeout=300), other.communicate(timeout=300)
    assert one.returncode == 0, error
    assert other.returncode == 0, more
    *a, by_library = a.splitlines()
    *b, by_objects = b.splitlines()
    assert by_library == "False 0"
    built, loaded = by_objects.split()  # objects are in the cache where the library was made from them
    assert built == "False"
    assert int(loaded) > 30
    assert len(a) > 2 * SCENES
    assert [x for x, y in zip(a, b, strict=True) if x != y] == []
