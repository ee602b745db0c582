"""Random heaps, plane and space: a few convex bodies with strong friction are thrown into a box, and settle on each other.

Where `random_scenes` draws many kinds of motion, these draw one to its end: blows fade, feet stick and slide together, jam, and
come to rest.

    heap = draw_heap(7, "planar")
    heap.model, heap.start, heap.t_end
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import routh as rt
from random_mechanisms import unit
from random_scenes import Scene, random_shape, start_gaps
from routh import contacts, shapes
from routh.model.body import GROUND

DENSE = (4, 8)   # number of bodies of a dense heap, the last one excluded
WIDE = 1.6       # [m] of the box; bodies are a fifth of that


def random_box(rng, space):
    """Floor and walls, some of which lean."""
    d = 2 if space == "planar" else 3
    up, lean = np.eye(d)[-1], float(rng.choice([0.0, 0.0, 0.3, 0.6]))
    sides = [s * e for e in np.eye(d)[:-1] for s in (-1.0, 1.0)]
    if lean and rng.random() < 0.5:  # a trough without a floor
        return [shapes.HalfSpace(GROUND, tuple(lean * side + up)) for side in sides]
    floor = shapes.HalfSpace(GROUND, tuple(up), tuple(0.0 * up))
    return [floor] + [shapes.HalfSpace(GROUND, tuple(side + lean * up), tuple(-0.5 * WIDE * side)) for side in sides]


def heap_law(rng):
    """Restitution of all kinds, friction that holds."""
    e, mu = float(rng.choice([0.0, 0.3, rng.uniform()])), float(rng.choice([0.3, 0.6, 1.2, rng.uniform(0.2, 1.5)]))
    kind = [rt.Newton, rt.Poisson, rt.Stronge][rng.integers(3)]
    return kind(e, mu, mu * 1.2 if rng.random() < 0.3 else None)


def random_start(rng, d, height):
    """Anywhere over the floor at about this height, turned, thrown and spinning."""
    at = {"xyz"[k]: float(rng.uniform(-0.3, 0.3)) for k in range(d - 1)} | {"xyz"[d - 1]: height}
    at |= {f"v{k}": float(v) for k, v in zip("xyz", rng.normal(size=d), strict=False)}
    if d == 2:
        return at | {"theta": float(rng.uniform(-3.0, 3.0)), "omega": float(3.0 * rng.normal())}
    return at | {"q": tuple(unit(rng, 4)), "omega": tuple(3.0 * rng.normal(size=3))}


def throw_heap(rng, space, few):
    """A heap, or None where bodies overlap at the start, or one is a mere point or line."""
    d, n = 2 if space == "planar" else 3, int(rng.integers(*few))
    bodies, own, start = [], [], {}
    for i in range(n):
        name, mass, size = f"b{i}", rng.uniform(0.5, 2.0), rng.uniform(0.1, 0.25)
        inertia = 0.5 * mass * size * size * rng.uniform(0.5, 1.0)
        bodies.append(rt.Body(name, mass, inertia if d == 2 else (inertia,) * 3))
        own.append(random_shape(rng, name, space, size, np.zeros(d)))
        start[name] = random_start(rng, d, 0.6 + 0.55 * i)
    law = heap_law(rng)
    pairs = contacts.between("c", own, [*own, *random_box(rng, space)], law=law)
    if any(getattr(shape, "radius", 1.0) == 0.0 for shape in own):
        return None
    at_once = rng.random() < 0.2 and not isinstance(law, rt.Stronge)
    model = rt.Model(space=space, gravity=tuple(-9.81 * np.eye(d)[-1]), bodies=bodies, contacts=pairs,
                     impacts="simultaneous" if at_once else "sequential")
    return Scene(model, rt.State(start), 2.0, "") if min(start_gaps(model, rt.State(start))) > 0.0 else None


def draw_heap(seed, space, few=None):
    """The first throw of this seed that starts apart; `few` are the least number of bodies and one more than the most."""
    few = few or ((1, 4) if space == "planar" else (1, 3))
    for k in range(50):
        heap = throw_heap(np.random.default_rng([seed, k, 1]), space, few)
        if heap is not None:
            return replace(heap, recipe=f"draw_heap({seed}, {space!r}, {few})")
    raise AssertionError(f"seed {seed}: bodies overlap in 50 throws")


def draw_dense_heap(seed, space):
    """Four to seven bodies."""
    return draw_heap(seed, space, DENSE)


__all__ = ["draw_dense_heap", "draw_heap"]
