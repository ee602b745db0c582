"""Events of the user's own: roots of an expression of channels, looked for while a run goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from routh.errors import ModelError
from routh.sim.expression import LEDGERS, Expression

__all__ = ["Event", "events_of_user"]

OVER_A_RUN = ("max", "min", "mean", "last", "first", "sum", "count", "at")  # functions that leave no value per instant


@dataclass(frozen=True)
class Event:
    """An instant at which an expression of channels passes through zero, such as "ball.y - 0.5".

    Parameters
    ----------
    name
        What `result.events` calls it.
    expression
        Written in names of channels, as in `routh.sim.expression`, with one value per instant: "ball.y - 0.5",
        "norm(pin.reaction) - 200", "floor.gap - 0.01", "t - 0.3".
    terminal
        Whether the run ends there. Default: False.
    direction
        1: only where the expression rises through zero; -1: only where it falls; 0: both. Default: 0.
    count
        How many times a terminal event happens before the run ends. Default: 1.

    Examples
    --------
    >>> half_way = rt.Event("half way", "ball.y - 5.0", terminal=True, direction=-1)
    >>> result = rt.simulate(park.ball(), rt.State(ball={"y": 10.0}), t_end=5.0, events=[half_way])
    >>> round(float(result.t[-1]), 6), result.success                     # sqrt(2 * 5 / 9.81) [s]
    (1.009638, True)
    """

    name: str
    expression: str
    terminal: bool = False
    direction: int = 0
    count: int = 1

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip() or not self.name.isprintable():
            raise ModelError(f"event: a name must be non-empty text on one line, not {self.name!r:.100}")
        if not isinstance(self.terminal, bool):
            raise ModelError(f"{self.where}: terminal = {self.terminal!r} is neither True nor False")
        if self.direction not in (-1, 0, 1) or isinstance(self.direction, bool):
            raise ModelError(f"{self.where}: direction = {self.direction!r} is none of -1, 0, 1")
        if not isinstance(self.count, int) or isinstance(self.count, bool) or self.count < 1:
            raise ModelError(f"{self.where}: count = {self.count!r} must be a positive whole number")
        if not isinstance(self.expression, str):
            raise ModelError(f'{self.where}: expression = {self.expression!r} is not text such as "ball.y - 0.5"')
        parsed = self.parsed
        for function in parsed.functions:
            if function in OVER_A_RUN:
                raise ModelError(f"{self.where}: {function}(...) is one number of a whole run; an event needs a value at every "
                                 'instant, such as "ball.y - 0.5"')
        for name in parsed.names:
            if name.partition(".")[0] in LEDGERS:
                raise ModelError(f'{self.where}: "{name}" is a table of the whole run; an event needs a value at every '
                                 'instant, such as "ball.y - 0.5"')

    @property
    def where(self) -> str:
        """What errors call it."""
        return f'event "{self.name}"'

    @property
    def parsed(self) -> Expression:
        """The expression, ready to be evaluated."""
        return Expression(self.where, self.expression)


def events_of_user(given: Sequence[Event | str]) -> tuple[Event, ...]:
    """Events as declared; a text is an event that has its expression as name. ModelError where names repeat."""
    if isinstance(given, str | Event):
        raise ModelError(f"events = {given!r:.100} is not a list; write events=[...]")
    out = []
    for one in given:
        if not isinstance(one, Event | str):
            raise ModelError(f'events: {one!r:.100} is neither an rt.Event nor an expression such as "ball.y - 0.5"')
        out.append(Event(one, one) if isinstance(one, str) else one)
    names = [event.name for event in out]
    for name in names:
        if names.count(name) > 1:
            raise ModelError(f'events: two are called "{name}"')
    return tuple(out)
