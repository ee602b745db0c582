"""Oblique impacts of a hard sphere, measured by Kharaz, Gorham and Salman [kharaz2001] and computed from material data alone.

A sphere of aluminium oxide, 5 mm across, meets a thick plate of glass at 3.9 m/s without spin, at angles of 2 to 85 degrees
to the normal. The measured angle is that of the contact point's velocity after the impact. Below 33 degrees the contact point
sticks for a while, and the tangential spring of the contact throws it back: measured angles are negative from 10 to 30 degrees.
A rigid tangent cannot do that.

| law | rms error, degrees | largest |
|---|---|---|
| `Stronge(e, mu)`, a rigid tangent | 2.9 | 8.5 |
| `Stronge(e, mu, tangential_stiffness=ratio)`, ratio from Young's moduli and Poisson's ratios | 1.1 | 2.0 |

From 33 degrees on the sphere slides through the whole impact, and its angle follows from e and mu alone. These six of eleven
rows have an rms error of 1.3 degrees under every Coulomb law with the measured e and mu, so that no such law comes below 0.96
over all rows.

    angles, rebounds = oblique_impact.measured()
    print(oblique_impact.rms(oblique_impact.compliant()), oblique_impact.rms(oblique_impact.rigid()))

The data are not part of this library. `data` reads `kharaz.json` from a path, or from `../shared/data` beside the checkout.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

import routh as rt
from routh.errors import ModelError
from routh.model.laws import stiffness_ratio

__all__ = ["compliant", "data", "figures", "floor_of_errors", "measured", "rebound", "rigid", "rms"]

BESIDE = Path(__file__).resolve().parents[4] / "shared" / "data" / "kharaz.json"


def data(path: str | Path | None = None) -> dict[str, Any]:
    """The measurements, and the numbers of sphere, plate and impact."""
    file = Path(path) if path is not None else BESIDE
    try:
        found: dict[str, Any] = json.loads(file.read_text())
    except OSError:
        raise ModelError(f"{file}: the measured impacts are not there; they are not part of this library") from None
    return found


def measured(path: str | Path | None = None) -> tuple[np.ndarray, np.ndarray]:
    """(angles of incidence, angles of rebound of the contact point) [degrees]."""
    rows = np.array(data(path)["measured"]["rows"], float)
    return rows[:, 0], rows[:, 1]


def compliant(path: str | Path | None = None) -> rt.Stronge:
    """The law with a compliant tangent: measured e and mu, and the ratio of stiffnesses of the two materials."""
    all_of = data(path)
    bodies = all_of["sphere"], all_of["plate"]
    ratio = stiffness_ratio((bodies[0]["young_Pa"], bodies[1]["young_Pa"]), (bodies[0]["poisson"], bodies[1]["poisson"]))
    return rt.Stronge(e=all_of["impact"]["e"], mu=all_of["impact"]["mu"], tangential_stiffness=ratio)


def rigid(path: str | Path | None = None) -> rt.Stronge:
    """The law with a rigid tangent."""
    impact = data(path)["impact"]
    return rt.Stronge(e=impact["e"], mu=impact["mu"])


def rebound(angle: float, law: rt.Stronge, speed: float = 3.9) -> float:
    """Angle of the contact point after the impact [degrees] of a sphere that comes without spin at `angle` [degrees].

    Per unit mass the inverse mass of a solid sphere is 1 along the normal and 1 + 5/2 along the tangent; mass drops out.
    """
    v = speed * np.array([-math.cos(math.radians(angle)), math.sin(math.radians(angle))])
    after = rt.resolve_impact(np.diag([1.0, 3.5]), v, law).velocity
    return math.degrees(math.atan2(after[1], after[0]))


def rms(law: rt.Stronge, path: str | Path | None = None) -> float:
    """Root mean square of the errors of all rows [degrees]."""
    angles, found = measured(path)
    return float(np.sqrt(np.mean([(rebound(a, law) - b) ** 2 for a, b in zip(angles, found, strict=True)])))


def floor_of_errors(path: str | Path | None = None) -> float:
    """Rms error over all rows [degrees] if only those that slide throughout had one: no Coulomb law comes below it."""
    angles, found = measured(path)
    law = rigid(path)
    slides = np.tan(np.radians(angles)) >= 3.5 * law.rest * (1.0 + law.restitution(0.0))
    errors = [(rebound(a, law) - b) ** 2 for a, b in zip(angles[slides], found[slides], strict=True)]
    return float(np.sqrt(np.sum(errors) / len(angles)))


def figures(folder: Path, path: str | Path | None = None) -> list[Path]:
    """Measured and computed angles of rebound over the angle of incidence."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    ax = figure.subplots()
    angles = np.linspace(0.5, 88.0, 200)
    for law, label in ((rigid(path), "rigid tangent"), (compliant(path), "compliant tangent, material data")):
        ax.plot(angles, [rebound(a, law) for a in angles], label=f"{label}: rms {rms(law, path):.1f}°")
    ax.plot(*measured(path), "ko", markersize=4, label="measured")
    ax.axhline(0.0, color="0.8", linewidth=0.6, zorder=0)
    ax.set(xlabel="angle of incidence [degrees]", ylabel="rebound of the contact point [degrees]")
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / "oblique_impact.png"
    figure.savefig(out, dpi=130)
    return [out]
