"""The impact laboratory: one impact, its path and class, all laws side by side, and maps of what else could happen."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from nicegui import ui

from routh.analysis.painleve import ContactClass, critical_mu, sliding_map
from routh.app.elements import ImpactView, MapView, Slider
from routh.app.frame import frame
from routh.app.knobs import LAWS
from routh.errors import RouthError
from routh.gallery import han_cho, han_rod, kane_pendulum
from routh.sim.collide import FreeBody, collide, contact_matrix
from routh.sim.impact import Impact, Kind, LawTable, resolve_impact, resolve_impacts
from routh.view.document import impact_of

__all__ = ["register"]

GRAVITY = 9.81
BODY = "a body of your own"
MOST_FRICTION = 3.0
ARROWS = "Grey, blue: velocity of the contact point before and after. Orange: impulse on the body. Ring: mass centre."
GRID = (150, 220)  # rows and columns of a map

# contact space (A, v) of impacts from the gallery
CASES: dict[str, Callable[[], tuple[Any, Any]]] = {
    "rod at 45°, slides as it falls": lambda: (han_rod.rod(math.radians(45.0), math.sqrt(3.0)), (-1.0, -0.2)),
    "rod at 75°, jams without approach": lambda: (han_rod.rod(math.radians(75.0), math.sqrt(3.0)), (0.0, -1.0)),
    "Kane's double pendulum": lambda: _kane(),
    "space: a sphere on the ground": lambda: (han_cho.example("Ex1-1"), han_cho.approach()),
    "space: a lying cylinder on the ground": lambda: (han_cho.example("Ex1-3"), han_cho.approach()),
    "space: an upright and a lying cylinder": lambda: (han_cho.example("Ex3-1"), han_cho.approach()),
}


def _kane() -> tuple[Any, Any]:
    hit = kane_pendulum.strike(0.5, LAWS["Newton"])
    return hit.A, hit.v


def register() -> None:
    """Add the page."""
    ui.page("/impact")(Laboratory)


@dataclass
class Body:
    """The typed body: it collides with the ground (normal up) or a second body whose mass and inertia are given."""

    mass: float = 1.0
    inertia: float = 1.0 / 3.0
    offset_x: float = -0.71
    offset_y: float = -0.71
    vx: float = 0.8  # so that the slip reverses, where the laws differ
    vy: float = -1.0
    spin: float = 0.0
    other_mass: float = 0.0

    def collide(self, law: Any) -> Impact:
        """The impact at the contact point, which is the origin."""
        body = FreeBody(self.mass, self.inertia, (-self.offset_x, -self.offset_y), (self.vx, self.vy), self.spin)
        other = FreeBody(self.other_mass, math.inf, (0.0, -1.0), (0.0, 0.0), 0.0) if self.other_mass > 0.0 else None
        return collide(other, body, (0.0, 0.0), (0.0, 1.0), law).hit


FIELDS = {
    "mass": "mass [kg]",
    "inertia": "inertia about the mass centre [kg m²]",
    "offset_x": "contact from mass centre, x [m]",
    "offset_y": "contact from mass centre, y [m]",
    "vx": "velocity x [m/s]",
    "vy": "velocity y [m/s]",
    "spin": "spin [rad/s]",
    "other_mass": "mass of the other body [kg]; 0: the ground",
}


@dataclass
class Wish:
    """What the user has chosen."""

    case: str = BODY
    law: str = "Poisson"
    e: float = 0.5
    mu: float = 0.5
    body: Body = field(default_factory=Body)


class Laboratory:
    """The page."""

    def __init__(self) -> None:
        frame("Impact laboratory")
        self.wish = Wish()
        with ui.element("div").classes("laboratory"):
            with ui.element("div").classes("side"):
                ui.label("Impact laboratory").classes("title").props("role=heading aria-level=1")
                ui.select(
                    [BODY, *CASES], value=BODY, label="impact", on_change=lambda event: self._set("case", event.value)
                ).classes("wide")
                ui.select(
                    list(LAWS), value=self.wish.law, label="law", on_change=lambda event: self._set("law", event.value)
                ).classes("wide")
                Slider("restitution e", 0.0, 1.0, self.wish.e, partial(self._set, "e"))
                Slider("friction μ", 0.0, MOST_FRICTION, self.wish.mu, partial(self._set, "mu"))
                self.typed = ui.element("div").classes("wide")
                with self.typed:
                    for name, label in FIELDS.items():
                        ui.number(
                            label,
                            value=getattr(self.wish.body, name),
                            format="%g",
                            on_change=lambda event, name=name: self._type(name, event.value),
                        ).classes("wide").props("dense")
                self.trouble = ui.label().classes("trouble").props('role="alert"')
            with ui.element("div").classes("cards"):
                with ui.element("div").classes("laws"):
                    self.laws = ui.html("", sanitize=False)
                    self.jam = ui.label().classes("soft")
                with ui.element("div").classes("card-like") as self.sketch:
                    ui.label("the body at the impact").classes("called")
                    self.picture = ui.html("", sanitize=False)
                    ui.label(ARROWS).classes("soft")
                self.impact, self.classes, self.painleve = ImpactView(), MapView(), MapView()
        ui.timer(0.05, self.update, once=True)

    def _set(self, name: str, value: Any) -> None:
        setattr(self.wish, name, value)
        self.typed.set_visibility(self.wish.case == BODY)
        self.update()

    def _type(self, name: str, value: float | None) -> None:
        if value is not None:
            setattr(self.wish.body, name, float(value))
            self.update()

    def update(self) -> None:
        """Compute and draw everything again."""
        wish = self.wish
        law = LAWS[wish.law](wish.e, wish.mu)
        try:
            hit = wish.body.collide(law) if wish.case == BODY else resolve_impact(*CASES[wish.case](), law)
            table = hit.compare()
        except (RouthError, ValueError, ArithmeticError) as error:
            self.trouble.text = str(error)
            return
        self.trouble.text = ""
        self.impact.show(impact_of(hit))
        self.laws.content = _law_table(table)
        self.jam.text = _jam_text(hit)
        self.classes.show(*_impact_map(hit, wish))
        self.sketch.set_visibility(wish.case == BODY)
        if wish.case == BODY:
            self.picture.content = collision_picture(wish.body, hit)
        self.painleve.set_visibility(hit.v.size == 2 and wish.case == BODY)
        if hit.v.size == 2 and wish.case == BODY:
            self.painleve.show(*_painleve_map(wish))


def collision_picture(body: Body, hit: Impact) -> str:
    """The body on its contact point, with the velocity of that point before and after, and the impulse: SVG, y up."""
    cx, cy = -body.offset_x, -body.offset_y
    size = max(math.hypot(cx, cy), 1e-9)
    scale = 62.0 / size
    fast = 55.0 / max(float(np.linalg.norm(hit.v)), float(np.linalg.norm(hit.velocity)), 1e-12)
    strong = 80.0 / max(float(np.linalg.norm(hit.impulse)), 1e-12)

    def arrow(x: float, y: float, dx: float, dy: float, name: str) -> str:
        length = max(math.hypot(dx, dy), 1e-9)
        u, v, tip_x, tip_y = 7.0 * dx / length, 7.0 * dy / length, x + dx, y + dy
        back = f"{tip_x - 0.8 * u:.1f}", f"{tip_y - 0.8 * v:.1f}"
        sides = ((tip_x, tip_y), (tip_x - u - 0.5 * v, tip_y - v + 0.5 * u), (tip_x - u + 0.5 * v, tip_y - v - 0.5 * u))
        head = " ".join(f"{a:.1f},{b:.1f}" for a, b in sides)
        shaft = f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{back[0]}" y2="{back[1]}"/>'
        return f'<g class="{name}">{shaft}<polygon points="{head}"/></g>'

    (n0, t0), (n1, t1), (pn, pt) = (np.asarray(x, float)[:2] for x in (fast * hit.v, fast * hit.velocity, strong * hit.impulse))
    hatch = "".join(f'<line x1="{x}" y1="0" x2="{x - 8}" y2="9"/>' for x in range(-130, 140, 12))
    return (
        '<svg class="collision" viewBox="-150 -150 300 210" role="img" aria-label="the body, its velocity and the impulse">'
        f'<g class="floor"><line x1="-140" y1="0" x2="140" y2="0"/>{hatch}</g>'
        f'<line class="rod" x1="0" y1="0" x2="{2.0 * cx * scale:.1f}" y2="{-2.0 * cy * scale:.1f}"/>'
        f'<circle class="centre" cx="{cx * scale:.1f}" cy="{-cy * scale:.1f}" r="6"/>'
        + arrow(-t0, n0, t0, -n0, "before")  # it ends at the contact point
        + arrow(0.0, 0.0, t1, -n1, "after")
        + arrow(-22.0, 0.0, pt, -pn, "impulse")  # beside the others
        + "</svg>"
    )


def _law_table(table: LawTable) -> str:
    """All laws side by side; only our own words and numbers, so plain HTML is safe."""
    names = ("n", "t") if table[0].v.size == 2 else ("n", "t1", "t2")
    head = [
        "law",
        "class",
        *(f"p<sub>{k}</sub> [N s]" for k in names),
        *(f"v<sub>{k}</sub> after [m/s]" for k in names),
        "lost [J]",
        "to friction [J]",
        "",
    ]
    rows = [
        [
            row["law"],
            row["kind"],
            *(f"{x:.5g}" for x in (*row["impulse"], *row["velocity"], row["energy_lost"], row["energy_lost_tangential"])),
            "creates energy" if row["creates_energy"] else "",
        ]
        for row in table.rows()
    ]
    lines = ["".join(f"<th>{cell}</th>" for cell in head), *("".join(f"<td>{cell}</td>" for cell in row) for row in rows)]
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def _jam_text(hit: Impact) -> str:
    """From which friction on a sliding contact like this one jams."""
    if hit.v.size != 2:
        return ""
    right, left = (critical_mu(hit.A, way) for way in (1.0, -1.0))
    said = [f"sliding {name} jams above μ = {mu:.4g}" for name, mu in (("right", right), ("left", left)) if math.isfinite(mu)]
    return "Painlevé: " + ("; ".join(said) if said else "this contact jams at no friction") + "."


def _centres(low: float, high: float, n: int) -> np.ndarray:
    """Middles of n equal cells."""
    return low + (high - low) * (np.arange(n) + 0.5) / n


def _impact_map(hit: Impact, wish: Wish) -> tuple[Any, ...]:
    """The class of the impact over slip and friction, everything else as it is."""
    rows, columns = GRID
    approach, reach = float(hit.v[0]), max(1.5 * float(np.linalg.norm(hit.v[1:])), abs(float(hit.v[0])), 1e-6)
    slips, mus = _centres(-reach, reach, columns), _centres(0.0, MOST_FRICTION, rows)
    s, mu = (x.ravel() for x in np.meshgrid(slips, mus))
    v = np.zeros((s.size, hit.v.size))
    v[:, 0], v[:, 1] = approach, s
    v[:, 2:] = hit.v[2:]
    kinds = resolve_impacts(hit.A, v, wish.e, mu, wish.law.lower()).kind.reshape(rows, columns)
    mark = (float(hit.v[1]), wish.mu)
    return (
        "class of the impact",
        ("slip before, first tangent [m/s]" if hit.v.size == 3 else "slip before [m/s]", -reach, reach),
        ("friction μ", 0.0, MOST_FRICTION),
        kinds,
        [kind.label for kind in Kind],
        mark,
    )


def _painleve_map(wish: Wish) -> tuple[Any, ...]:
    """What the closed contact does while it slides as it does now, over the body's inclination and friction."""
    rows, columns = GRID
    body = wish.body
    length = math.hypot(body.offset_x, body.offset_y)
    way = math.copysign(1.0, body.vx - body.spin * body.offset_y)
    angles, mus = _centres(0.0, 180.0, columns), _centres(0.0, MOST_FRICTION, rows)
    classes = np.zeros((rows, columns), np.int64)
    for j, angle in enumerate(np.radians(angles)):
        offset = np.array([-math.cos(angle), -math.sin(angle)]) * length  # the body stands on its contact at this angle
        A = contact_matrix((math.inf, body.mass), (math.inf, body.inertia), ((0.0, 0.0), offset), (0.0, 1.0))
        free = -GRAVITY - body.spin**2 * offset[1]
        classes[:, j] = sliding_map(free, A[0, 0] - mus * A[0, 1] * way)[0]
    angle = math.degrees(math.atan2(-body.offset_y, -body.offset_x)) % 360.0
    mark = (angle, wish.mu) if angle <= 180.0 else None
    return (
        f"Painlevé map, sliding {'right' if way > 0.0 else 'left'}",
        ("inclination [deg]", 0.0, 180.0),
        ("friction μ", 0.0, MOST_FRICTION),
        classes,
        [kind.label for kind in ContactClass],
        mark,
    )
