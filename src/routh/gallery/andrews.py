"""Andrews' squeezing mechanism (seven-body mechanism), geometry as in [hairer1996], section VII.7.

Seven planar bodies on the pivots O, A, B and the spring's anchor C, no gravity, driven by a constant torque
on K1; three loops close at the point E of K2. The published parameters are an argument, by the names that
the source gives them:

| body | turns about | its x axis points along | carries |
|---|---|---|---|
| K1 | O | beta | pin F at rr |
| K2 | F of K1 | beta + Theta | E at -d |
| K3 | B | gamma | E at (0, -ss), spring at D (sd, -sc) |
| K5 | A | delta | pin G at zt |
| K4 | G of K5 | delta + Phi | E at (0, -e) |
| K7 | A | epsilon | pin H at (0, -u) |
| K6 | H of K7 | epsilon + Omega | E at zf |

So the seven published angles are the angles of seven pins: `ANGLES`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

import routh as rt
from routh import forces, joints

ANGLES = {"beta": "pinO", "Theta": "pinF", "gamma": "pinB", "Phi": "pinG", "delta": "pinA5", "Omega": "pinH",
          "epsilon": "pinA7"}


def model(p: Mapping[str, float]) -> rt.Model:
    """The mechanism with parameters `p` (m1 ... m7, i1 ... i7, xa, ya, ..., mom) in SI units."""
    A, B, C = ((p[f"x{k}"], p[f"y{k}"]) for k in "abc")
    # mass centres from each body's own pivot, in its own axes
    G1, G2, G3 = (p["ra"], 0.0), (-p["da"], 0.0), (p["sb"], -p["sa"])
    G4, G5 = (0.0, p["ea"] - p["e"]), (p["ta"], p["tb"])
    G6, G7 = (p["zf"] - p["fa"], 0.0), (-p["ub"], -p["ua"])

    def at(point: Sequence[float], centre: Sequence[float]) -> tuple[float, float]:
        return point[0] - centre[0], point[1] - centre[1]

    pivot = (0.0, 0.0)
    E2 = at((-p["d"], 0.0), G2)
    return rt.Model(
        name="andrews",
        space="planar",
        bodies=[rt.Body(f"K{i}", p[f"m{i}"], p[f"i{i}"]) for i in range(1, 8)],
        joints=[
            joints.Revolute("pinO", "ground", "K1", point_b=at(pivot, G1)),
            joints.Revolute("pinF", "K1", "K2", point_a=at((p["rr"], 0.0), G1), point_b=at(pivot, G2)),
            joints.Revolute("pinB", "ground", "K3", point_a=B, point_b=at(pivot, G3)),
            joints.Revolute("pinA5", "ground", "K5", point_a=A, point_b=at(pivot, G5)),
            joints.Revolute("pinG", "K5", "K4", point_a=at((p["zt"], 0.0), G5), point_b=at(pivot, G4)),
            joints.Revolute("pinA7", "ground", "K7", point_a=A, point_b=at(pivot, G7)),
            joints.Revolute("pinH", "K7", "K6", point_a=at((0.0, -p["u"]), G7), point_b=at(pivot, G6)),
            joints.Revolute("pinE3", "K2", "K3", point_a=E2, point_b=at((0.0, -p["ss"]), G3)),
            joints.Revolute("pinE4", "K2", "K4", point_a=E2, point_b=at((0.0, -p["e"]), G4)),
            joints.Revolute("pinE6", "K2", "K6", point_a=E2, point_b=at((p["zf"], 0.0), G6)),
        ],
        forces=[
            forces.Torque("drive", "K1", torque=p["mom"]),
            forces.SpringDamper("spring", "ground", "K3", point_a=C, point_b=at((p["sd"], -p["sc"]), G3),
                                stiffness=p["c0"], free_length=p["l0"]),
        ],
    )


def start(angles: Sequence[float]) -> rt.State:
    """At rest at the seven published angles, in the order of `ANGLES`."""
    pins = zip(ANGLES.values(), angles, strict=True)
    return rt.State({pin: {"angle": angle, "angle_rate": 0.0} for pin, angle in pins})


def run(parameters: Mapping[str, float], angles: Sequence[float], t_end: float = 0.03,
        options: rt.Options | None = None) -> rt.Result:
    """The published 30 milliseconds."""
    return rt.simulate(model(parameters), start(angles), t_end=t_end, options=options or rt.Options())


def angles(result: rt.Result) -> np.ndarray:
    """The seven angles over time, (n, 7), in the order of `ANGLES`."""
    return np.stack([result[f"{pin}.angle"] for pin in ANGLES.values()], axis=-1)
