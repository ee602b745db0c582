"""Quantities of many runs at once: expressions over samples and impacts that lie one run after another.

The numbers have the bits of `Quantity.of` for each run by itself. Sums of runs with equally many entries are taken as rows of
one array, because NumPy sums pairwise: the order of additions depends on the number of entries.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from routh.sim.batch_run import Runs
from routh.sim.expression import FUNCTIONS, OPERATORS, dotted
from routh.sim.interpolate import within
from routh.sim.ledgers import impact_numbers
from routh.study.quantities import Quantity

__all__ = ["can_read", "read"]

EACH = ("abs", "sqrt", "norm")                      # functions of every entry
OVER = ("max", "min", "mean", "last", "first", "sum")  # functions of all entries of a run
OTHER_LEDGERS = ("events", "touches", "stretches", "contact_sums")
IMPACT_COLUMNS = ("t", "p_n", "p_t", "mu", "energy_lost", "energy_lost_normal", "energy_lost_tangential", "momentum_residual")


class Pieces:
    """Entries of all runs, those of run i from `first[i]` to `first[i + 1]`."""

    def __init__(self, values: np.ndarray, first: np.ndarray) -> None:
        self.values, self.first = values, first

    def like(self, values: np.ndarray) -> Pieces:
        """Other values of the same entries."""
        return Pieces(values, self.first)

    def spread(self, other: Any) -> Any:
        """What stands beside each entry in a formula: entries, one number per run, or one for all."""
        if isinstance(other, Pieces):
            return other.values
        return np.repeat(other, np.diff(self.first), axis=0) if np.ndim(other) else other

    def over(self, name: str) -> np.ndarray:
        """A function of all entries, for each run; not a number of none, their sum zero."""
        lengths = np.diff(self.first)
        values, some = self.values, lengths > 0
        shape = values.shape[1:] if name in ("first", "last") else ()
        out = np.full((len(lengths), *shape), 0.0 if name == "sum" else math.nan)
        at = self.first[:-1][some]
        if name in ("first", "last"):
            out[some] = values[at if name == "first" else self.first[1:][some] - 1]
        elif name in ("max", "min"):
            each = values if values.ndim == 1 else (values.max(axis=1) if name == "max" else values.min(axis=1))
            out[some] = (np.maximum if name == "max" else np.minimum).reduceat(each, at) if at.size else 0.0
        elif values.ndim > 1:  # all parts of a vector: the order of additions is that of memory
            function = FUNCTIONS[name]
            out[some] = [function(values[a:b]) for a, b in zip(at, self.first[1:][some], strict=True)]
        else:
            for length in np.unique(lengths[some]):
                rows = np.flatnonzero(lengths == length)
                table = values[self.first[rows][:, None] + np.arange(length)]
                out[rows] = table.sum(axis=1) if name == "sum" else table.mean(axis=1)
        return out


def can_read(quantities: Sequence[Quantity]) -> bool:
    """Whether all quantities can be read side by side."""
    trees = [q.expression.tree if q.expression is not None else None for q in quantities]
    return all(tree is not None and _readable(tree) and _one_per_run(tree) for tree in trees)


def _readable(node: ast.AST) -> bool:
    name = dotted(node)
    if name is not None:
        head, _, column = name.partition(".")
        return head not in OTHER_LEDGERS and (head != "impacts" or column in IMPACT_COLUMNS)
    if isinstance(node, ast.Call):
        function = ast.unparse(node.func)
        if function == "count":
            return dotted(node.args[0]) in ("impacts", "events")
        if function == "at":
            return not any(dotted(part) is not None for part in ast.walk(node.args[1]) if isinstance(part, ast.expr))
        return function in (*EACH, *OVER) and _readable(node.args[0])
    if isinstance(node, ast.List | ast.Tuple):
        return all(_readable(item) for item in node.elts)
    if isinstance(node, ast.BinOp):
        return _readable(node.left) and _readable(node.right)
    if isinstance(node, ast.Subscript):  # a part of a vector: of a list of samples it would be one of them
        return (dotted(node.value) or "").rpartition(".")[2] in ("reaction", "reaction_moment")
    return isinstance(node, ast.Constant) or (isinstance(node, ast.UnaryOp) and _readable(node.operand))


def _one_per_run(node: ast.AST) -> bool:
    """Whether an expression is one number, or a list, for each run, whatever the number of its samples."""
    if isinstance(node, ast.Call):
        function = ast.unparse(node.func)
        return function in (*OVER, "at", "count") or (function in EACH and _one_per_run(node.args[0]))
    if dotted(node) is not None:
        return dotted(node) == "pi"
    parts = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
    return not isinstance(node, ast.Subscript) and all(_one_per_run(part) for part in parts)


def read(quantity: Quantity, runs: Runs) -> np.ndarray:
    """(n,) or (n, k): the quantity of each run; meaningless where a run has no samples."""
    assert quantity.expression is not None
    return np.asarray(_Reader(runs).value(quantity.expression.tree), float)


class _Reader:
    def __init__(self, runs: Runs) -> None:
        self.runs, self.n = runs, len(runs.about)

    def value(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Constant):
            return np.full(self.n, float(node.value))  # type: ignore[arg-type]
        name = dotted(node)
        if name is not None:
            return self.named(name)
        if isinstance(node, ast.Call):
            function = ast.unparse(node.func)
            if function == "count":
                return (self.runs.n_events if dotted(node.args[0]) == "events" else np.diff(self.runs.impacts)).astype(float)
            if function == "at":
                return self.at(str(dotted(node.args[0])), node.args[1])
            inner = self.value(node.args[0])
            if function in OVER:
                return inner.over(function) if isinstance(inner, Pieces) else inner
            return inner.like(FUNCTIONS[function](inner.values)) if isinstance(inner, Pieces) else FUNCTIONS[function](inner)
        if isinstance(node, ast.BinOp):
            left, right = self.value(node.left), self.value(node.right)
            if isinstance(left, Pieces) or isinstance(right, Pieces):
                pieces: Pieces = left if isinstance(left, Pieces) else right
                return pieces.like(OPERATORS[type(node.op)](pieces.spread(left), pieces.spread(right)))
            return OPERATORS[type(node.op)](left, right)
        if isinstance(node, ast.UnaryOp):
            inner = self.value(node.operand)
            return inner.like(OPERATORS[type(node.op)](inner.values)) if isinstance(inner, Pieces) else \
                OPERATORS[type(node.op)](inner)
        if isinstance(node, ast.List | ast.Tuple):
            return np.stack([self.value(item) for item in node.elts], axis=1)
        subscript: Any = node
        inner = self.value(subscript.value)
        return inner.like(inner.values[..., subscript.slice.value])

    def named(self, name: str) -> Any:
        head, _, rest = name.partition(".")
        if name == "t" and name not in self.runs.result:
            return Pieces(self.runs.t, self.runs.samples)
        if name == "pi":
            return np.full(self.n, math.pi)
        if head == "impacts" and name not in self.runs.result:
            numbers = impact_numbers(self.runs.impact, 2 if self.runs.compiled.planar else 3)
            return Pieces(numbers[rest], self.runs.impacts)
        return Pieces(self.runs.result[name], self.runs.samples)

    def at(self, channel: str, times: ast.AST) -> np.ndarray:
        """A channel at times, as `Result.sol` has it: the limit from the right at a jump."""
        wanted = self.value(times)  # (n,) or (n, k), the same for all runs
        several = np.atleast_2d(wanted[0]) if wanted.ndim > 1 else wanted[:1][:, None]
        t, first = self.runs.t, self.runs.samples
        some = np.flatnonzero(np.diff(first) > 0)
        columns = []
        for moment in several[0]:
            past = np.add.reduceat((t <= moment).astype(np.int64), first[:-1][some])  # samples not later
            j = first[:-1][some] + np.clip(past, 1, np.diff(first)[some] - 1)
            h = t[j] - t[j - 1]
            with np.errstate(invalid="ignore", divide="ignore"):
                s = np.where(h > 0.0, (moment - t[j - 1]) / h, 1.0)
            found = within(self.runs.result, channel, j, s, h)
            column = np.full((self.n, *found.shape[1:]), math.nan)
            column[some] = found
            columns.append(column)
        return np.stack(columns, axis=1) if wanted.ndim > 1 else columns[0]


