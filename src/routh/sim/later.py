"""Later: an attribute that is computed when it is first read, from a function that stands in its place until then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeAlias, TypeVar, overload

__all__ = ["Later", "Part"]

T = TypeVar("T")

Part: TypeAlias = T | Callable[[], T]
"""A value, or a function without arguments that makes it."""


class Later(Generic[T]):
    """An attribute that is set to a Part: a function is called at the first reading, once."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Later[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        value = instance.__dict__[self.name]
        if callable(value):
            value = instance.__dict__[self.name] = value()
        return value

    def __set__(self, instance: object, value: Part[T]) -> None:
        instance.__dict__[self.name] = value
