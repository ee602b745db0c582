"""Robot files as they come: what is wrong in them by digits is mended, as little as possible, and said."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from routh.compiler.compile import compile_model
from routh.compiler.machine import Machine
from routh.compiler.regular import SingularError
from routh.model import joints
from routh.model.body import GROUND
from routh.model.contacts import Contact, Stop
from routh.model.forces import JointForce
from routh.model.model import Model
from routh.model.state import State
from routh.sim.assembly import assemble_arrays
from routh.sim.overlap import DEEP, overlaps

__all__ = ["few_corners", "mended", "possible_inertia"]

CORNERS = 48     # of a hull: supports in as many directions, evenly spread. Each is a possible contact point
LIFTS = 4        # times that a floating robot is lifted out of the ground; one is enough where the ground is a plane
CLEAR = 1e-6     # room that is left under it, against the size of the shape


def possible_inertia(inertia: np.ndarray) -> tuple[np.ndarray, float]:
    """The nearest inertia that a mass distribution has, and the change against the largest moment; 0 where it is possible.

    Such an inertia is tr(C) - C of a covariance C without negative eigenvalues.
    """
    scale = float(np.abs(inertia).max())
    if not (scale > 0.0 and np.isfinite(scale)):
        return inertia, 0.0
    covariance = 0.5 * np.trace(inertia) * np.eye(3) - inertia
    values, axes = np.linalg.eigh(covariance)
    if values[0] >= 0.0:
        return inertia, 0.0
    nearest = (axes * np.maximum(values, 0.0)) @ axes.T
    found = np.trace(nearest) * np.eye(3) - nearest
    change = float(np.abs(found - inertia).max() / scale)
    return (found, change) if change > 1e-12 else (inertia, 0.0)


def few_corners(corners: np.ndarray) -> np.ndarray:
    """The corners of a mesh that are farthest out in evenly spread directions: those of its hull, or enough of them."""
    k = np.arange(CORNERS) + 0.5
    up, turn = 1.0 - 2.0 * k / CORNERS, np.pi * (1.0 + np.sqrt(5.0)) * k
    across = np.sqrt(1.0 - up * up)
    ways = np.stack([across * np.cos(turn), across * np.sin(turn), up], axis=1)
    ways = np.concatenate([ways, np.eye(3), -np.eye(3)])
    kept: np.ndarray = corners[np.unique(np.argmax(corners @ ways.T, axis=0))]
    return kept


def mended(model: Model, start: State) -> tuple[Model, State, list[str]]:
    """The model and start with joints that move nothing fixed, and the start within its limits and out of the ground."""
    notes: list[str] = []
    model = _without_weightless_joints(model, start, notes)
    start = _within_limits(model, start, notes)
    return (*_out_of_ground(model, start, notes), notes)


def _without_weightless_joints(model: Model, start: State, notes: list[str]) -> Model:
    """Joints that move neither mass nor inertia become welds, with the forces and stops on them left out."""
    while True:
        try:
            compile_model(model)
            return model
        except SingularError as error:
            name = error.speed.partition(".")[0]
            joint = next((j for j in model.joints if j.name == name), None)
            if not isinstance(joint, joints.Joint):
                raise
            notes.append(f'joint "{name}" moves no mass, and is fixed')
            turn: Any = getattr(joint, "turn", None)
            if isinstance(joint, joints.Spherical) and name in start:
                turn = tuple(start[name][key] for key in joint.coordinates)
            weld = joints.Weld(joint.name, joint.a, joint.b, joint.point_a, joint.point_b, turn=turn)
            kept = [j for j in model.joints if not (isinstance(j, joints.Coupling) and name in _ends(j.first, j.second))]
            model = dataclasses.replace(
                model, joints=[weld if j is joint else j for j in kept],
                forces=[f for f in model.forces if not (isinstance(f, JointForce) and name in _ends(f.coordinate))],
                contacts=[c for c in model.contacts if not (isinstance(c, Stop) and name in _ends(c.coordinate))])


def _ends(*paths: str) -> set[str]:
    return {path.partition(".")[0] for path in paths}


def _within_limits(model: Model, start: State, notes: list[str]) -> State:
    for stop in model.contacts:
        if isinstance(stop, Stop):
            joint, k = model.coordinate(stop.where, stop.coordinate)
            key = joint.coordinates[k]
            value = start.get(joint.name, {}).get(key, 0.0)
            low, high = -np.inf if stop.lower is None else stop.lower, np.inf if stop.upper is None else stop.upper
            nearest = min(max(value, low), high)
            if nearest != value:
                notes.append(f'joint "{joint.name}" would start at {value:g}, outside its limits, and starts at {nearest:g}')
                start = start.replace({f"{joint.name}.{key}": float(nearest)})
    return start


def _out_of_ground(model: Model, start: State, notes: list[str]) -> tuple[Model, State]:
    """Robots that float are lifted out of what they overlap; contacts that still overlap are left out."""
    if not any(isinstance(contact, Contact) for contact in model.contacts):
        return model, start
    machine = Machine(compile_model(model))
    carrier = _carriers(machine, start)
    lifted: dict[str, float] = {}
    for _ in range(LIFTS):
        rise: dict[str, float] = {}
        for contact, depth in _deep(machine, start):
            root = carrier.get(contact.b.body)
            if root is not None:
                rise[root] = max(rise.get(root, 0.0), depth)
        for root, height in rise.items():
            start = start.replace({f"{root}.z": start.get(root, {}).get("z", 0.0) + height})
            lifted[root] = lifted.get(root, 0.0) + height
        if not rise:
            break
    notes += [f'"{root}" would start in the ground, and is lifted by {height:.6g} m' for root, height in lifted.items()]
    inside = {contact.name for contact, _ in _deep(machine, start)}
    if inside:
        names = ", ".join(sorted(inside)[:3]) + (", ..." if len(inside) > 3 else "")
        notes.append(f"left out: {len(inside)} contacts that overlap at the start ({names})")
        model = dataclasses.replace(model, contacts=[c for c in model.contacts if c.name not in inside])
    return model, start


def _carriers(machine: Machine, start: State) -> dict[str, str]:
    """The body of each floating robot whose pose the start gives, for every body that floats."""
    roots: dict[str, str] = {}
    for branch in machine.compiled.tree.branches:
        if branch.joint is None:
            roots[branch.child] = branch.child
        elif branch.parent != GROUND and branch.parent in roots:
            roots[branch.child] = roots[branch.parent]
    given = {roots[body]: body for body, values in start.items() if body in roots and "z" in values}
    return {body: given.get(root, root) for body, root in roots.items()}


def _deep(machine: Machine, start: State) -> list[tuple[Contact, float]]:
    """Contacts that overlap in a start, with what it takes to part them, and a little more."""
    q, u = assemble_arrays(machine, start, 0.0, False)
    contacts, table, gaps = machine.compiled.contacts, machine.system.contact, machine.gaps(q, u)
    found: dict[str, tuple[Contact, float]] = {}
    for record, gap in zip(table, gaps, strict=True):
        contact = contacts[record["owner"]]
        if isinstance(contact, Contact) and gap < -DEEP * record["size"]:
            found[contact.name] = (contact, max(CLEAR * record["size"] - gap, found.get(contact.name, (contact, 0.0))[1]))
    for contact, depth in overlaps(machine, q):
        found.setdefault(contact.name, (contact, depth * (1.0 + CLEAR)))
    return list(found.values())
