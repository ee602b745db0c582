"""Every pair of shapes takes a compliant law: pressed together it pushes by its depths, and on both bodies alike."""

import contextlib
import itertools

import numpy as np
import pytest

import routh as rt
from routh import compliant, friction, shapes
from routh.compiler.machine import Machine
from routh.compiler.pairs import gaps_of
from routh.errors import ModelError
from routh.sim.assembly import assemble_arrays

SQUARE = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
PLANE = {
    "half space": lambda body: shapes.HalfSpace(body, normal=(0.0, 1.0)),
    "polyline": lambda body: shapes.Polyline(body, vertices=((-9.0, 0.0), (0.0, -1.0), (9.0, 0.0))),
    "disk": lambda body: shapes.Disk(body, radius=1.0),
    "ellipse": lambda body: shapes.Ellipse(body, axes=(2.0, 1.0)),
    "capsule": lambda body: shapes.Capsule(body, start=(0.0, 0.0), end=(1.0, 0.0), radius=0.5),
    "polygon": lambda body: shapes.Polygon(body, vertices=SQUARE),
}
SPACE = {
    "half space": lambda body: shapes.HalfSpace(body, normal=(0.0, 1.0, 0.0)),
    "sphere": lambda body: shapes.Sphere(body, radius=1.0),
    "ellipsoid": lambda body: shapes.Ellipsoid(body, axes=(3.0, 2.0, 1.0)),
    "capsule": lambda body: shapes.Capsule(body, start=(0.0, 0.0, 0.0), end=(1.0, 0.0, 0.0), radius=0.5),
    "cylinder": lambda body: shapes.Cylinder(body, radius=1.0, length=1.0, axis=(0.0, 0.0, 1.0)),
    "box": lambda body: shapes.Box(body, size=(1.0, 1.0, 1.0)),
}
K, DEPTH = 1e6, 5e-3
LAW = rt.Compliant(compliant.Linear(K), friction.Regularised(0.3, 1e-3))
MASS = {"one": 2.0, "two": 3.0}


def pairs():
    """(space, first shape, second shape) of all that have gaps."""
    found = []
    for space, kinds in (("planar", PLANE), ("spatial", SPACE)):
        for a, b in itertools.combinations_with_replacement(kinds, 2):
            with contextlib.suppress(ModelError):
                gaps_of(space, kinds[a]("one"), kinds[b]("two"))
                found.append(pytest.param(space, kinds[a]("one"), kinds[b]("two"), id=f"{space}-{a}-{b}"))
    return found


def test_no_pair_has_got_lost():
    assert len(pairs()) == 18 + 20


def pressed(machine, turned):
    """The state with the second body lowered on the first until they touch, and DEPTH further; and all gaps there."""
    height = 12.0
    for more in (*[0.0] * 100, DEPTH):
        height -= more
        state = rt.State(one={}, two={"x": 0.1, "y": height, **turned, "vx": 0.2})
        gaps = machine.gaps(*assemble_arrays(machine, state, 0.0, keep=True))
        height -= max(gaps.min(), 0.0)  # a distance is safe to fall
    return state, gaps


@pytest.mark.parametrize(("space", "one", "two"), pairs())
def test_a_pressed_pair_pushes_by_its_depths_and_both_bodies_alike(space, one, two):
    inertia = 1.0 if space == "planar" else (1.0, 1.2, 1.5)
    compiled = rt.compile_model(rt.Model(space, [rt.Body(name, mass, inertia) for name, mass in MASS.items()],
                                         contacts=[rt.Contact("press", one, two, law=LAW)]))
    turned = {"theta": 0.3} if compiled.planar else {"q": (0.8, 0.0, 0.36, 0.48)}
    machine = Machine(compiled)
    state, gaps = pressed(machine, turned)
    now = rt.evaluate(compiled, state)
    assert 0.0 < -gaps.min() <= DEPTH * (1.0 + 1e-9)
    assert now["press.force"][0] == pytest.approx(K * np.maximum(-gaps, 0.0).sum(), rel=1e-9)
    assert now["press.depth"][0] == pytest.approx(-gaps.min(), rel=1e-9)
    assert 0.0 < now["press.friction"][0] <= 0.3 * now["press.force"][0] * (1.0 + 1e-9)
    for axis in "xy" if compiled.planar else "xyz":
        assert sum(m * now[f"{name}.a{axis}"][0] for name, m in MASS.items()) == pytest.approx(0.0, abs=1e-6)
