"""Balls and blocks on compliant floors, in the plane and in space: what the tests of compliant contacts share."""

import numpy as np

import routh as rt
from routh import shapes

PLANAR, SPATIAL = "planar", "spatial"
SHARP = rt.Options(rtol=1e-11, atol=1e-13)


def ball_on_floor(law, *, space=PLANAR, mass=1.0, inertia=1e-3, radius=0.05, gravity=0.0, **more):
    """A ball above the floor y = 0."""
    up = (0.0, 1.0) if space == PLANAR else (0.0, 1.0, 0.0)
    round_one = shapes.Disk("ball", radius) if space == PLANAR else shapes.Sphere("ball", radius)
    body = rt.Body("ball", mass, inertia if space == PLANAR else (inertia,) * 3)
    contact = rt.Contact("floor", shapes.HalfSpace("ground", normal=up), round_one, law=law)
    return rt.Model(space, [body], gravity=tuple(-gravity * x for x in up), contacts=[contact], **more)


def throw(law, speed, *, height=0.01, t_end=0.05, options=SHARP, radius=0.05, start=None, **scene):
    """A ball thrown straight at the floor."""
    state = {"y": radius + height, "vy": -speed, **(start or {})}
    return rt.simulate(ball_on_floor(law, radius=radius, **scene), rt.State(ball=state), t_end=t_end, options=options)


def closes_to(result, part):
    """Whether the energy account closes to this part of what was there or came and went."""
    scale = max(np.abs(result.energy.kinetic).max(), sum(abs(result.energy[w][-1]) for w in result.energy.WORKS))
    return np.abs(result.energy.error).max() <= part * scale
