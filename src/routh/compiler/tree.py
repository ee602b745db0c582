"""The spanning tree: which joints carry the bodies, which close loops. Chosen for the user."""

from __future__ import annotations

import heapq
from collections import defaultdict
from dataclasses import dataclass

from routh.errors import ModelError
from routh.model.body import GROUND
from routh.model.contacts import Stop
from routh.model.forces import Clutch, JointForce
from routh.model.joints import Coupling, Free, Joint, Rod
from routh.model.model import Model

__all__ = ["Tree", "span"]


@dataclass(frozen=True)
class Branch:
    """One step outward: `child` hangs on `parent` by `joint` (None: the child is free)."""

    child: str
    parent: str
    joint: Joint | None

    @property
    def reversed(self) -> bool:
        """Whether the tree runs against the joint, from its body b to its body a."""
        return self.joint is not None and self.joint.b == self.parent


@dataclass(frozen=True)
class Tree:
    """Branches from the ground outward, and the joints left over, which close loops."""

    branches: tuple[Branch, ...]
    closures: tuple[Joint, ...]


def span(model: Model) -> Tree:
    """A spanning tree that holds every joint with a driver or coupling, then prefers those with forces, then those that bind.

    Cutting the joints that bind least leaves the fewest loop equations; among equals the tree grows shallow.
    """
    required, liked = required_joints(model), liked_joints(model)
    edges = [j for j in model.joints if isinstance(j, Joint) and not isinstance(j, Free | Rod)]
    at: dict[str, list[int]] = defaultdict(list)
    for i, joint in enumerate(edges):
        at[joint.a].append(i)
        at[joint.b].append(i)

    def cost(i: int) -> tuple[int, int]:
        joint = edges[i]
        return (0 if joint.name in required else 1 if joint.name in liked else 2, len(joint.rates()))

    reached, used, branches = {GROUND}, set(), []
    heap: list[tuple[tuple[int, int], int, int, str]] = []

    def grow_from(body: str, depth: int) -> None:
        for i in at[body]:
            if i not in used:
                heapq.heappush(heap, (cost(i), depth + 1, i, body))

    def grow() -> None:
        while heap:
            _, depth, i, parent = heapq.heappop(heap)
            joint = edges[i]
            child = joint.b if joint.a == parent else joint.a
            if child in reached:
                continue
            used.add(i)
            reached.add(child)
            branches.append(Branch(child, parent, joint))
            grow_from(child, depth)

    grow_from(GROUND, 0)
    grow()
    # whatever hangs on nothing floats: its heaviest body is free and carries the others
    for body in sorted(model.bodies, key=lambda b: -b.mass_properties().mass):
        if body.name not in reached:
            reached.add(body.name)
            branches.append(Branch(body.name, GROUND, None))
            grow_from(body.name, 0)
            grow()

    rods: list[Joint] = [j for j in model.joints if isinstance(j, Rod)]
    left = [j for i, j in enumerate(edges) if i not in used]
    for joint in left:
        if joint.name in required:
            raise ModelError(
                f'{joint.where}: closes a loop of joints whose coordinates are all in use, so its own coordinate, used by '
                f'"{required[joint.name]}", is not free; take the driver, coupling, clutch or stop off one joint of the loop')
    return Tree(tuple(branches), tuple(left + rods))


def required_joints(model: Model) -> dict[str, str]:
    """Joints whose coordinates a driver, coupling, clutch or stop needs, with one user each."""
    users: dict[str, str] = {}
    for driver in model.drivers:
        users[model.coordinate(driver.where, driver.coordinate)[0].name] = driver.name
    for clutch in model.forces:
        if isinstance(clutch, Clutch):
            for path in (clutch.first, clutch.second):
                users[model.coordinate(clutch.where, path)[0].name] = clutch.name
    for stop in model.contacts:
        if isinstance(stop, Stop):
            users[model.coordinate(stop.where, stop.coordinate)[0].name] = stop.name
    for coupling in model.joints:
        if isinstance(coupling, Coupling):
            for path in (coupling.first, coupling.second):
                users[model.coordinate(coupling.where, path)[0].name] = coupling.name
    return users


def liked_joints(model: Model) -> set[str]:
    """Joints on whose coordinates forces act: cheaper, and counting full turns, in the tree."""
    return {model.coordinate(force.where, force.coordinate)[0].name for force in model.forces if isinstance(force, JointForce)}
