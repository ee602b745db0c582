"""The colours of bodies and of the ground, and one per kind of event: the same in figures, reports and the app."""

from __future__ import annotations

__all__ = ["BODIES", "EVENTS", "GROUND", "OTHER_EVENT", "event_colour"]

BODIES = ("#3d85c6", "#e08e3c", "#4aa37a", "#c25b8b", "#8672c4", "#c9a93a", "#46aab0", "#b56b4a")
GROUND = "#8a929e"
EVENTS = {
    "impact": "#d13f36",
    "tangential impact": "#a3238e",
    "impulse": "#d98200",
    "stick": "#2f8f4e",
    "slip": "#2b6cb0",
    "close": "#6b7a8c",
    "lift-off": "#12a5b5",
    "rest": "#1d5c35",
    "painleve": "#7a1fa2",
    "choice": "#9c6b30",
    "touch": "#d66a7c",
    "release": "#5aa9e0",
    "stepped": "#777777",
}
OTHER_EVENT = "#8a8f98"


def event_colour(kind: str) -> str:
    """The colour of a kind of event."""
    return EVENTS.get(kind, OTHER_EVENT)
