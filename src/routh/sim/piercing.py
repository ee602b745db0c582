"""Polyhedra that go through each other: an edge of one within the other.

The gaps of corners and of edges that cross are right where shapes are apart or touch. Where an edge goes in through one face
and out through another, all of them may be positive.
"""

from __future__ import annotations

import numpy as np

from routh.sim.kernels import Machine


class Polyhedron:
    """Edges and faces in world axes; a capsule is one edge."""

    def __init__(self, machine: Machine, contact: np.void, side: str) -> None:
        vertex, first = machine.system.vertex, int(contact[f"first_{side}"])
        frame = machine.work.frame[int(contact[side])]
        turn = frame["R"] @ contact[f"turn_{side}"]
        at = frame["x"] + frame["R"] @ contact[f"point_{side}"]
        corners, edges, faces = vertex[first].astype(int)
        start = first + 1 + corners
        edge = vertex[start:start + 4 * edges].reshape(edges, 4, 3)
        face = vertex[start + 4 * edges:start + 4 * edges + 2 * faces].reshape(faces, 2, 3)
        self.middle, self.direction, self.half = at + edge[:, 2] @ turn.T, edge[:, 3] @ turn.T, edge[:, 1, 2]
        self.normal = face[:, 0] @ turn.T
        self.offset = face[:, 1, 0] + self.normal @ at

    def depth_of(self, other: Polyhedron, least: float) -> float:
        """How deep an edge of the other one is inside, in the middle of what is deeper than `least`; 0 where none is."""
        room = self.offset - least - other.middle @ self.normal.T    # (edges, faces) that is left to each face
        slope = other.direction @ self.normal.T
        if not room.size:
            return 0.0
        with np.errstate(divide="ignore", invalid="ignore"):
            at = room / slope
        last = np.minimum(np.where(slope > 0.0, at, np.inf).min(axis=1), other.half)
        first = np.maximum(np.where(slope < 0.0, at, -np.inf).max(axis=1), -other.half)
        inside = (first < last) & ((slope != 0.0) | (room > 0.0)).all(axis=1)
        depth = (room - 0.5 * (first + last)[:, None] * slope).min(axis=1)
        return float(np.where(inside, depth, 0.0).max(initial=0.0))


def deepest_piercing(machine: Machine, share: float) -> tuple[int, float]:
    """(elementary contact, depth) of the deepest edge in a rigid contact, or -1; bodies are placed.

    An edge that is in by less than a share of the size of the smaller shape is not.
    """
    from routh.core.spatial_gaps import EDGE_EDGE

    contact = machine.system.contact
    worst, where = 0.0, -1
    if machine.compiled.model.space == "spatial":
        edges = np.flatnonzero((contact["kind"] == EDGE_EDGE) & (contact["law"] >= 0))
        for c in edges[np.unique(contact["owner"][edges], return_index=True)[1]]:
            a, b = (Polyhedron(machine, contact[c], side) for side in "ab")
            depth = max(a.depth_of(b, share * contact[c]["size"]), b.depth_of(a, share * contact[c]["size"]))
            if depth > worst:
                worst, where = depth, int(c)
    return where, worst
