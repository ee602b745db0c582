"""A start: what the user says of positions and speeds, by name; the rest is found by assembly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from routh.errors import StateError
from routh.model import checks

__all__ = ["State"]


class State(Mapping[str, Mapping[str, Any]]):
    """Positions and speeds by name: `State(ball={"y": 1.0, "vx": 0.5}, crank={"angle": 0.3})`. Immutable, comparable.

    Parameters
    ----------
    entries, **named
        For each body or joint a mapping of quantities. A body takes x, y [m], theta [rad], vx, vy [m/s], omega [rad/s] in the
        plane; x, y, z, vx, vy, vz, q (unit quaternion w, x, y, z), omega (world axes) or omega_body in space. A joint takes its
        coordinates and their rates ("angle", "angle_rate").

    Examples
    --------
    >>> start = rt.State(ball={"y": 1.0, "vx": 0.5})
    >>> start["ball"]["vx"]
    0.5
    """

    def __init__(self, entries: Mapping[str, Mapping[str, Any]] | None = None, /, **named: Mapping[str, Any]) -> None:
        merged: dict[str, dict[str, Any]] = {}
        for source in (entries if entries is not None else {}), named:
            if not isinstance(source, Mapping):
                raise StateError(f'start: {source!r} is not a mapping of names such as {{"ball": {{"x": 0.0}}}}')
            for name, values in source.items():
                if not isinstance(values, Mapping):
                    raise StateError(f'start of "{name}": {values!r} is not a mapping such as {{"x": 0.0}}')
                merged.setdefault(name, {}).update({k: _value(name, k, v) for k, v in values.items()})
        self._entries = merged

    def __getitem__(self, name: str) -> Mapping[str, Any]:
        return MappingProxyType(self._entries[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._entries == other._entries

    def __hash__(self) -> int:
        return hash(tuple((n, tuple(v.items())) for n, v in self._entries.items()))

    def __repr__(self) -> str:
        return "State(" + ", ".join(f"{n}={v}" for n, v in self._entries.items()) + ")"

    def replace(self, changes: Mapping[str, Any]) -> State:
        """A new State with values changed by path: `start.replace({"ball.y": 2.0})`."""
        merged = {n: dict(v) for n, v in self._entries.items()}
        for path, value in changes.items():
            name, _, key = path.partition(".")
            if not key:
                raise StateError(f'path "{path}" names no quantity; write it as "{path}.x" or the like')
            merged.setdefault(name, {})[key] = value
        return State(merged)


def _value(name: str, key: str, value: Any) -> Any:
    """A finite number, or a tuple of them."""
    try:
        if hasattr(value, "__len__") and not isinstance(value, str):
            return checks.vector(f'start of "{name}"', key, value, sizes=(2, 3, 4))
        return checks.number(f'start of "{name}"', key, value)
    except ValueError as err:
        raise StateError(str(err)) from None
