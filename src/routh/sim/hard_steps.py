"""Contact problems of steps that the sweeps of the stepping engine do not solve: they go to the methods of `solve_friction`.

Sweeps pass impulses on from neighbour to neighbour. Contacts that hold each other by friction, as wedged spheres do, can need
more sweeps than anybody waits for, and Newton's or the interior-point method solves them in a few steps.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from routh.sim.cone_errors import Problem
from routh.sim.contact_problem import solve

__all__ = ["solve_step"]

ITERATIONS = 200  # of each method


def solve_step(tables: Any, dimension: int) -> None:
    """Write the impulses of the present contact points into `given`; islands that sweeps have solved keep theirs."""
    control = tables.control[0]
    n = int(control["n_point"])
    cone, given = tables.cone[:n], tables.given[: 3 * n].reshape(n, 3)
    given[:] = cone["p"]
    rows = _rows(tables, cone, dimension)
    free = cone["free"][:, :dimension].copy()
    free[:, 0] -= cone["target"]
    free[np.arange(dimension) >= cone["n_row"][:, None]] = 0.0
    mu = np.where(cone["n_row"] > 1, cone["mu"], 0.0)
    edges = tables.island[: int(control["n_island"]) + 1]
    for first, last in pairwise(edges):
        part = slice(dimension * first, dimension * last)
        A = _inverse_mass(rows[part], cone["soft"][first:last], dimension)
        problem = Problem(A, free[first:last].ravel(), mu[first:last], dimension)
        start = given[first:last, :dimension].ravel()
        if max(problem.residuals(start)) > control["tolerance"]:
            found = solve(problem, start, "auto", 0.1 * float(control["tolerance"]), ITERATIONS)
            given[first:last, :dimension] = found.impulse.reshape(-1, dimension)


def _rows(tables: Any, cone: Any, dimension: int) -> Any:
    """Whitened rows of all contact points as a sparse matrix; rows that a point does not have are empty."""
    from scipy import sparse

    length = np.where(np.arange(dimension) < cone["n_row"][:, None], cone["n_dof"].astype(int)[:, None], 0).ravel()
    start = np.concatenate([[0], np.cumsum(length)])
    within = np.arange(start[-1]) - np.repeat(start[:-1], length)
    row = cone["row"].astype(int)[:, None] + np.arange(dimension) * cone["n_dof"].astype(int)[:, None]
    value = tables.row[np.repeat(row.ravel(), length) + within]
    column = tables.dof[np.repeat(np.repeat(cone["dof"].astype(int), dimension), length) + within].astype(int)
    return sparse.csr_matrix((value, column, start), shape=(length.size, tables.w.size))


def _inverse_mass(rows: Any, soft: np.ndarray, dimension: int) -> Any:
    """A of the contact points of one island, compliance of the normal directions included."""
    from scipy import sparse

    diagonal = np.zeros((soft.size, dimension))
    diagonal[:, 0] = soft
    A = (rows @ rows.T + sparse.diags(diagonal.ravel())).tocsr()
    A.sum_duplicates()
    return A
