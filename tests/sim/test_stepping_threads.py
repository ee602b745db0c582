"""A large pile is cut into domains that threads share: the same bits with any number of threads."""

import numpy as np

import routh as rt
from routh.core.stepping.domains import LARGE
from routh.gallery import sphere_pile

COUNT = 400


def test_any_number_of_threads_gives_the_same_bits():
    seen = {}
    for threads in (1, 2, 3):
        options = rt.Options(engine="stepping", step=2e-3, contact_tolerance=1e-4, max_sweeps=60, threads=threads, output=0.05)
        seen[threads] = sphere_pile.run(COUNT, t_end=0.25, options=options)
        assert seen[threads].statistics["most_contact_points"] > LARGE
    for threads in (2, 3):
        for name in ("ball1.x", "ball200.vy", f"ball{COUNT}.wz", "floor.force"):
            np.testing.assert_array_equal(seen[threads][name], seen[1][name])
