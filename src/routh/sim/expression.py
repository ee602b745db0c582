"""Expressions in names of channels and ledgers: what studies record, and whose roots are events of a run.

| written | means |
|---|---|
| `max(ball.y)`, `min`, `mean`, `last`, `first` | of a channel over all samples |
| `at(ball.y, 0.5)`, `at(ball.y, [0.1, 0.2])` | of a channel at times [s], between samples too; not a number outside the run |
| `pin.reaction[0]`, `norm(pin.reaction)` | a component of a vector channel, its length at every sample |
| `sum(impacts.energy_lost)`, `max(impacts.p_n)` | of a column of a ledger: impacts, events, touches, stretches |
| `count(impacts)`, `count(events)` | rows of a ledger |
| `last(energy.kinetic)` | the energy account |
| `t` | the times of the samples [s] |
| `channel("left-foot.y")` | a channel whose name is not a word of this language |
| `+ - * / **`, `abs`, `sqrt`, numbers, `pi` | arithmetic |

The largest of an empty column is not a number, its sum is zero.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from routh.errors import ModelError, did_you_mean
from routh.sim.ledger import Ledger
from routh.sim.result import Result

__all__ = ["FUNCTIONS", "LEDGERS", "OPERATORS", "Expression", "dotted"]

LEDGERS = ("impacts", "events", "touches", "stretches", "contact_sums")
LONGEST = 10_000  # characters of an expression
OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: np.divide, ast.Pow: np.power,
    ast.USub: operator.neg, ast.UAdd: operator.pos}


def _over(function: Callable[[np.ndarray], Any]) -> Callable[[Any], Any]:
    """A function of all samples or rows, not a number where there are none."""
    return lambda values: function(np.asarray(values)) if np.size(values) else math.nan


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "max": _over(np.max), "min": _over(np.min), "mean": _over(np.mean), "last": _over(lambda v: v[-1]),
    "first": _over(lambda v: v[0]), "sum": np.sum, "abs": np.abs, "sqrt": np.sqrt,
    "norm": lambda v: np.linalg.norm(v, axis=-1), "count": len}


class Expression:
    """A text of the language above, checked when it is made; `where` begins its complaints."""

    def __init__(self, where: str, text: str) -> None:
        self.where, self.text = where, text
        try:
            if len(text) > LONGEST:
                raise SyntaxError("it is too long")
            self.tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise ModelError(f"{self.where}: {text!r:.200} is not an expression: {error}") from None
        self._check(self.tree)

    def value(self, result: Result) -> Any:
        """Its value of a run: a number, or an array."""
        return self._value(self.tree, result)

    @property
    def names(self) -> list[str]:
        """Channels, ledgers and columns that it names."""
        return list(_names(self.tree))

    @property
    def functions(self) -> list[str]:
        """Functions that it calls."""
        return [ast.unparse(node.func) for node in ast.walk(self.tree) if isinstance(node, ast.Call)]

    def times(self) -> list[float] | None:
        """Times [s] at which a run must have samples for it; None where it asks for all of its samples."""
        return _times(self.tree, False)

    def check_names(self, result: Result) -> None:
        """ModelError where it names something that results of this model do not have."""
        for name in self.names:
            self._named(name, result)

    def unit(self, result: Result) -> str:
        """The unit of an expression that is one channel or column, at an instant or over the run; "" where it is not known."""
        node: Any = self.tree
        while isinstance(node, ast.Call | ast.Subscript | ast.UnaryOp) and dotted(node) is None:
            if isinstance(node, ast.Call):
                if ast.unparse(node.func) in ("count", "sqrt"):
                    return ""
                node = node.args[0]
            else:
                node = node.value if isinstance(node, ast.Subscript) else node.operand
        name = dotted(node)
        if name is None:
            return ""
        head, _, rest = name.partition(".")
        if name in result:
            return result.unit(name)
        if head in LEDGERS and rest:
            ledger: Ledger = getattr(result, head)
            return ledger.unit(rest)
        return "J" if head == "energy" else ""

    def _check(self, node: ast.AST) -> None:
        """Refuse everything that is not in the table above."""
        if isinstance(node, ast.Constant):
            if isinstance(node.value, bool) or not isinstance(node.value, int | float):
                raise ModelError(f"{self.where}: {node.value!r:.60} is not a number")
        elif dotted(node) is not None:
            return
        elif isinstance(node, ast.Call):
            known = (*FUNCTIONS, "at", "channel")
            if not isinstance(node.func, ast.Name) or node.func.id not in known or node.keywords:
                called = ast.unparse(node.func)
                raise ModelError(f'{self.where}: no function "{called}"' + did_you_mean(called, known))
            if len(node.args) != (2 if node.func.id == "at" else 1):
                raise ModelError(f"{self.where}: {ast.unparse(node)!r} has {len(node.args)} arguments; "
                                 + ("at(channel, time)" if node.func.id == "at" else f"{node.func.id} takes one"))
            if node.func.id == "at" and dotted(node.args[0]) is None:
                raise ModelError(f'{self.where}: at takes a channel and a time, such as "at(ball.y, 0.5)"')
            for argument in node.args:
                self._check(argument)
        elif isinstance(node, ast.BinOp | ast.UnaryOp):
            if type(node.op) not in OPERATORS:
                raise ModelError(f"{self.where}: {ast.unparse(node)!r} is not arithmetic")
            for part in (node.left, node.right) if isinstance(node, ast.BinOp) else (node.operand,):
                self._check(part)
        elif isinstance(node, ast.List | ast.Tuple):
            for item in node.elts:
                self._check(item)
        elif isinstance(node, ast.Subscript):
            index = node.slice
            if not (isinstance(index, ast.Constant) and isinstance(index.value, int)):
                raise ModelError(f"{self.where}: {ast.unparse(node)!r} needs a whole number in its brackets")
            self._check(node.value)
        else:
            raise ModelError(f"{self.where}: {ast.unparse(node)!r:.100} may not stand in an expression")

    def _value(self, node: ast.AST, result: Result) -> Any:
        if isinstance(node, ast.Constant):
            return float(node.value)  # type: ignore[arg-type]  # checked when it was parsed
        named = dotted(node)
        if named is not None:
            return self._named(named, result)
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if name == "at":
                channel, times = str(dotted(node.args[0])), self._value(node.args[1], result)
                asked = np.atleast_1d(np.asarray(times, float))
                inside = (asked >= result.t[0]) & (asked <= result.t[-1])  # a run may have been ended by an event
                found = result.sol(asked[inside], channel)[channel]
                values = np.full((len(asked), *found.shape[1:]), np.nan)
                values[inside] = found
                return values if np.ndim(times) else values[0]
            return FUNCTIONS[name](self._value(node.args[0], result))
        if isinstance(node, ast.BinOp):
            return OPERATORS[type(node.op)](self._value(node.left, result), self._value(node.right, result))
        if isinstance(node, ast.UnaryOp):
            return OPERATORS[type(node.op)](self._value(node.operand, result))
        if isinstance(node, ast.List | ast.Tuple):
            return np.array([self._value(item, result) for item in node.elts])
        inner: Any = node  # a subscript: nothing else is left
        return np.asarray(self._value(inner.value, result))[..., inner.slice.value]

    def _named(self, name: str, result: Result) -> Any:
        """A channel, a ledger, one of its columns, a column of the energy account, or pi."""
        head, _, rest = name.partition(".")
        if name in result:
            return result[name]
        if head == "energy" and rest in result.energy:
            return result.energy[rest]
        if head in LEDGERS:
            ledger: Ledger = getattr(result, head)
            if not rest:
                return ledger
            if rest in ledger.columns:
                return ledger[rest]
            raise ModelError(f'{self.where}: {head} has no column "{rest}"' + did_you_mean(rest, ledger.columns))
        if name == "t":
            return result.t
        if name == "pi":
            return math.pi
        raise ModelError(f'{self.where}: no channel "{name}"' + did_you_mean(name, [*result.channels, *LEDGERS]))


def _times(node: ast.AST, ends_only: bool) -> list[float] | None:
    """Times at which an expression reads channels; None where it reads all samples. First and last ones are always there."""
    if dotted(node) is not None:
        return [] if ends_only or str(dotted(node)).partition(".")[0] in (*LEDGERS, "pi") else None
    if isinstance(node, ast.Call):
        function = ast.unparse(node.func)
        if function == "at":
            try:
                return [float(t) for t in np.atleast_1d(ast.literal_eval(node.args[1]))]
            except (ValueError, TypeError):
                return None
        ends_only = function in ("first", "last") or (ends_only and function in ("abs", "sqrt", "norm"))
        return _times(node.args[0], ends_only)
    found: list[float] = []
    for part in ast.iter_child_nodes(node):
        inner = _times(part, ends_only) if isinstance(part, ast.expr) else []
        if inner is None:
            return None
        found += inner
    return found


def _names(node: ast.AST) -> Iterator[str]:
    """Channels, ledgers and columns that an expression names."""
    name = dotted(node)
    if name is not None:
        yield name
        return
    for part in node.args if isinstance(node, ast.Call) else ast.iter_child_nodes(node):
        yield from _names(part)


def dotted(node: ast.AST) -> str | None:
    """"ball.y" of the attribute y of the name ball, or of channel("ball.y"); None of anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "channel" and len(node.args) == 1:
        text = node.args[0]
        return text.value if isinstance(text, ast.Constant) and isinstance(text.value, str) else None
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return None if inner is None else f"{inner}.{node.attr}"
    return None
