"""The gallery as scenes that run at once: a name for each model with its start and its run.

`scene("park_ball").simulate()`; `routh gallery park_ball --write ball.toml` makes a file of it.
"""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable
from dataclasses import dataclass

import routh as rt
from routh.errors import ModelError, did_you_mean
from routh.vehicles.tracked import OPTIONS

__all__ = ["SCENES", "Scene", "scene"]


@dataclass(frozen=True)
class Scene:
    """What a gallery module is asked for: its functions by name, and the time that the run takes."""

    about: str
    module: str
    t_end: float
    model: str = "model"
    start: str | Callable[[], rt.State] = "start"
    arguments: tuple[int, ...] = ()      # of both functions, for models of any size
    t_start: float = 0.0
    options: rt.Options | None = None


_FINE = rt.Options(rtol=1e-11, atol=1e-12)
_STACK = rt.Options(engine="stepping", step=5e-3, contact_tolerance=1e-10, max_sweeps=5000)
_GRAINS = rt.Options(engine="stepping", step=1e-3, contact_tolerance=1e-2)
_STONES = rt.Options(engine="stepping", step=2e-3, contact_tolerance=1e-10, max_sweeps=5000)

SCENES = {
    "simple_pendulum": Scene("a point mass on a massless rod", "simple_pendulum", 10.0),
    "four_bar": Scene("a four-bar that passes flat, singular positions", "four_bar", 10.0, arguments=(1,)),
    "bricard": Scene("Bricard's loop of six hinges, movable although overconstrained", "bricard", 10.0),
    "governor": Scene("a flyball governor with very stiff coupler springs", "governor", 10.0),
    "slider_crank": Scene("an engine run up by a motor and loaded by a gas pulse", "slider_crank", 0.8, start="assembled",
                          options=rt.Options(output=5e-4)),
    "chain": Scene("a hanging chain of ten links", "chain", 1.0, arguments=(10,)),
    "ring": Scene("a closed ring of 42 links, floating", "ring", 1.0, arguments=(42,)),
    "park_ball": Scene("a ball with spin dropped on the floor", "park", 5.0, "ball",
                       lambda: rt.State(ball={"y": 10.0, "omega": 1.0})),
    "park_pendulums": Scene("two pendulums that collide", "park", 0.8, "pendulums",
                            lambda: rt.State(pin1={"angle": -1.5707963267948966}, pin2={"angle": 0.0})),
    "park_bat": Scene("a ball pitched at a bat, in space", "park", 0.4, "bat",
                      lambda: rt.State(handle={"angle": 0.0, "angle_rate": 0.5},
                                       ball={"x": 0.5, "y": 2.0, "z": 0.1, "vy": -10.0, "omega_body": (1.0, 1.0, 1.0)})),
    "double_pendulum": Scene("two links let go from rest", "kim", 5.0, "double_pendulum",
                             lambda: rt.State(pinA={"angle": 1.2}, pinB={"angle": 0.6})),
    "double_pendulum_struck": Scene("two links at rest, hit by an impulse at 2.59 s", "kim", 5.0, "struck", "hanging",
                                    options=rt.Options(output=0.01)),
    "tank": Scene("a tank that settles on its springs", "kim", 3.0, "tank", "assembled"),
    "tank_shot": Scene("the tank fires: its pins take reaction impulses", "kim", 43.0, "shot_tank", "settled", t_start=38.0),
    "ellipsoids": Scene("two ellipsoids collide, and the slip turns", "han_cho", 0.2),
    "excavator": Scene("a tracked vehicle drives off", "shin", 3.0,
                       options=dataclasses.replace(OPTIONS, output=0.005)),
    "newtons_cradle": Scene("one ball in, one ball out", "newtons_cradle", 2.0,
                            options=rt.Options(rtol=1e-12, atol=1e-12)),
    "rocking_block": Scene("a block that rocks from corner to corner until it stands", "rocking_block", 5.0, options=_FINE),
    "slider_crank_clearance": Scene("a wrist pin with play: the journal flies, collides and slides in its hole",
                                    "slider_crank_clearance", 0.1),
    "dominoes": Scene("a row that falls in a wave", "dominoes", 0.37),
    "woodpecker": Scene("the toy that rattles down its pole", "woodpecker", 1.5, options=_FINE),
    "rope": Scene("a ball that falls until its rope is taut", "rope_and_stops", 2.0),
    "pendulum_with_stop": Scene("a rod that swings against an end stop", "rope_and_stops", 3.0, "pendulum",
                                lambda: rt.State(pin={"angle": 1.0, "angle_rate": 0.0})),
    "racket": Scene("a driven racket meets a ball", "rope_and_stops", 0.4, "racket",
                    lambda: rt.State(ball={"x": 1.5, "vx": -4.0})),
    "sliding_rod": Scene("a rod that slides and jams: an impact without approach", "sliding_rod", 0.1),
    "billiards": Scene("a break with sixteen balls", "billiards", 12.0),
    "eulers_disk": Scene("a coin that rolls round ever faster while it settles", "eulers_disk", 0.5),
    "tippe_top": Scene("a ball that turns upside down", "tippe_top", 4.0),
    "rattleback": Scene("a stone that turns back when spun the wrong way", "rattleback", 10.0),
    "box_stack": Scene("a tower of twenty boxes that stands", "box_stack", 10.0, options=_STACK),
    "arch": Scene("an arch of wedge stones that stands by its friction", "arch", 2.0, options=_STONES),
    "bolt_feeder": Scene("a bolt that slides down two rails by its head", "bolt_feeder", 0.5,
                         options=rt.Options(engine="stepping", contact_tolerance=1e-10)),
    "card_house": Scene("three storeys of cards that stand by their friction", "card_house", 1.0, options=_STONES),
    "sphere_pile": Scene("two hundred spheres poured into a box", "sphere_pile", 1.0,
                         options=rt.Options(engine="stepping", step=2e-3, contact_tolerance=1e-4)),
    "chain_over_edge": Scene("a chain that slides over the edge of a table", "chain_over_edge", 0.6,
                             options=rt.Options(engine="stepping", step=2.5e-4, contact_tolerance=1e-10)),
    "granular_column": Scene("a column of grains that collapses when its gate opens", "granular_column", 1.5, options=_GRAINS),
}  # fmt: skip


def scene(name: str) -> rt.ModelFile:
    """A model of the gallery with its start and its run."""
    if name not in SCENES:
        raise ModelError(f'no scene "{name}" in the gallery' + did_you_mean(name, SCENES))
    entry = SCENES[name]
    module = importlib.import_module(f"routh.gallery.{entry.module}")
    model = getattr(module, entry.model)(*entry.arguments)
    start = entry.start() if callable(entry.start) else getattr(module, entry.start)(*entry.arguments)
    return rt.ModelFile(model, start, entry.t_end, entry.t_start, entry.options or rt.Options())
