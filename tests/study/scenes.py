"""Models that studies are tested with. Worker processes and killed ones import them from here."""

from __future__ import annotations

import math

import routh as rt
from routh import shapes
from routh.study import Study

G = 9.81


def drop(e: float = 0.8, mu: float = 0.3) -> rt.Model:
    """A disk above the floor."""
    disk, floor = shapes.Disk("ball", radius=0.03), shapes.HalfSpace("ground", normal=(0.0, 1.0))
    return rt.Model(space="planar", gravity=(0.0, -G), bodies=[rt.Body("ball", mass=0.16, inertia=5.8e-5)],
                    contacts=[rt.Contact("bounce", disk, floor, law=rt.Stronge(e=e, mu=mu))])


START = rt.State(ball={"y": 1.03, "vx": 0.5, "omega": -40.0})
RECORD = {"top": "at(ball.y, 0.8)", "loss": "sum(impacts.energy_lost)", "x": "last(ball.x)", "hits": "count(impacts)",
          "path": "at(ball.x, [0.25, 0.5])"}


def grid(n: int = 60) -> Study:
    """A study of n points: restitutions over two coefficients of friction."""
    es = [0.3 + 0.5 * i / n for i in range(n // 2)]
    return Study(drop(), START, 0.9, vary={"bounce.law.mu": [0.1, 0.3], "bounce.law.e": es},
                 record=RECORD, options=rt.Options(output=0.05))


def height_at(t: float, e: float) -> float:
    """Height of the disk above the floor between its first and second impact: closed form."""
    fall = math.sqrt(2.0 / G)
    return e * G * fall * (t - fall) - 0.5 * G * (t - fall) ** 2
