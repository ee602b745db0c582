"""Problems in contact space for the tests of many contacts: tables for the kernels, and rows of simple bodies."""

from functools import cache

import numpy as np

import routh as rt
from routh.core.calls import N_STATUS
from routh.core.tables.impact_codes import NEWTON
from routh.core.tables.runs import BLOCK, BLOW, new_solver
from routh.native.load import connect_solver, entry


def blocks(counts, mu=0.0, mu_s=None, e=0.0, law=NEWTON, sliding=False, way=(1.0, 0.0)):
    """The block table of contacts with so many rows each; numbers or one per contact."""
    table = np.zeros(len(counts), BLOCK)
    table["count"], table["first"] = counts, np.cumsum([0, *counts[:-1]])
    table["mu"], table["mu_s"] = mu, mu if mu_s is None else mu_s
    table["e"], table["law"], table["friction"] = e, law, sliding
    table["wx"], table["wy"] = np.transpose(np.broadcast_to(way, (len(counts), 2)))
    return table


def forces(A, b, block):
    """((status, contact), λ, a) of a complementarity problem; modes and directions are in `block`."""
    n = len(b)
    lam, a = np.zeros(n), np.zeros(n)
    code = entry("solve", "any")(new_solver(n), np.ascontiguousarray(A, float), np.array(b, float), block, lam, a)
    return (code % N_STATUS, code // N_STATUS - 1), lam, a


@cache
def some_system(space):
    """A System of the plane or of space: the kernels are chosen by its type."""
    return rt.compile_model(rt.Model(space, [rt.Body("body", 1.0, 1.0 if space == "planar" else (1.0, 1.0, 1.0))])).system


def impacts(how, A, v, block, room=4000):
    """((status, blows, contact), p, v⁺, table of blows) of one instant."""
    n = len(v)
    p, after, blow = np.zeros(n), np.zeros(n), np.zeros(room, BLOW)
    solver = new_solver(n)
    connect_solver(solver)
    space = "spatial" if block["count"].max() > 2 else "planar"
    end = how(some_system(space), solver, np.ascontiguousarray(A), np.array(v, float), block, 0.0, 0.0, p, after, blow)
    return end, p, after, blow[: end[1]]


def plane_rows(points):
    """Rows (normal y, tangent x) of a body's points over a fixed floor, for speeds (vx, vy, ω)."""
    return np.array([row for x, y in points for row in ((0.0, 1.0, x), (1.0, 0.0, -y))])


def space_rows(points):
    """Rows (normal z, tangents x, y) of a body's points over a fixed floor, for speeds (v, ω)."""
    rows = []
    for point in points:
        for axis in ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)):
            rows.append([*axis, *np.cross(point, axis)])
    return np.array(rows)


def random_problem(rng, counts, rank, spread=0.0):
    """(J, f): A = J Jᵀ of at most this rank, b = J f reachable; `spread` decades between the sizes of the masses."""
    J = rng.normal(size=(sum(counts), rank)) * 10.0 ** rng.uniform(-0.5 * spread, 0.0, rank)
    return J, rng.normal(size=rank)
