"""A rigid body: mass, mass centre and inertia, given or found from shapes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from routh.errors import ModelError
from routh.model import checks
from routh.model.checks import Vector
from routh.model.mass import MassProperties, lumped, spread_of
from routh.model.shapes import Shape

__all__ = ["GROUND", "Body"]

GROUND = "ground"
"""The name of the body that does not move."""

ROUND_OFF = 1e-9
"""A principal moment may be this much below zero, or above the sum of the others, against the largest: digits in print."""


@dataclass(frozen=True)
class Body:
    """A rigid body with a frame of its own, in which shapes, joint points, force points and `centre` are given.

    Either `mass` [kg] and `inertia` [kg m²] are given, or `shapes` with a `density` [kg/m³] or a `mass`.

    `inertia` is about the mass centre, along the frame's axes: one number in a planar model; in a spatial one the three
    principal moments or the symmetric 3 by 3 matrix. Zero makes a point mass, mass zero a massless frame; every speed must
    still move some mass. `centre` is the mass centre in the frame [m]; left out, it is the frame's origin.

    With `shapes`, mass, centre and inertia are those of all shapes together; where two overlap, the mass counts twice.
    `density` is a number, or one per shape: a negative one cuts a hole. A planar body is `thickness` thick [m]. A `mass` is
    spread evenly over the volume of the shapes; where none has a volume, over their area (thin discs) or length (thin rods).

    `visual` holds shapes of this body that pictures show beside the others, and that have no mass and touch nothing.

    Examples
    --------
    >>> rt.Body("ball", mass=0.16, inertia=5.8e-5).mass
    0.16
    >>> pin = rt.Body("pin", shapes=[shapes.Cylinder("pin", radius=0.01, length=0.1, axis=(0.0, 0.0, 1.0))], density=7850.0)
    >>> round(pin.mass_properties().mass, 4)
    0.2466
    """

    name: str
    mass: float | None = None
    inertia: Any = None
    centre: Vector = ()
    shapes: Sequence[Shape] = ()
    density: float | Vector | None = None
    thickness: float = 1.0
    visual: Sequence[Shape] = ()

    def __post_init__(self) -> None:
        where = f'body "{checks.name_of("body", self.name)}"'
        if self.name == GROUND:
            raise ModelError(f'body "{GROUND}": this name is taken by the body that does not move')
        if self.mass is not None:
            checks.set_field(self, "mass", checks.positive(where, "mass", self.mass, zero_too=True))
        if not checks.left_out(self.centre):
            checks.set_field(self, "centre", checks.vector(where, "centre", self.centre))
        checks.set_field(self, "thickness", checks.positive(where, "thickness", self.thickness))
        try:
            checks.set_field(self, "shapes", tuple(self.shapes))
        except TypeError:
            raise ModelError(f"{where}: shapes = {self.shapes!r} is not a list of shapes") from None
        self._check_visual(where)
        found = self._of_shapes(where) if self.shapes else self._as_given(where)
        object.__setattr__(self, "_properties", found)

    def _check_visual(self, where: str) -> None:
        shapes = (self.visual,) if isinstance(self.visual, Shape) else tuple(self.visual)
        for shape in shapes:
            if not isinstance(shape, Shape):
                raise ModelError(f"{where}: visual holds {shape!r}, which is no shape; see routh.shapes")
            if shape.body != self.name:
                raise ModelError(f'{where}: visual holds a {type(shape).__name__} of body "{shape.body}"')
        checks.set_field(self, "visual", shapes)

    def mass_properties(self) -> MassProperties:
        """Mass [kg], mass centre in the body's frame [m] and inertia about it [kg m²], given or found from the shapes."""
        properties: MassProperties = self.__dict__["_properties"]
        return properties

    def inertia_matrix(self) -> np.ndarray:
        """The 3 by 3 inertia matrix of a spatial body about its mass centre."""
        array = np.asarray(self.mass_properties().inertia, dtype=float)
        return array if array.ndim == 2 else np.diag(array * np.ones(3))

    def _as_given(self, where: str) -> MassProperties:
        if self.density is not None:
            raise ModelError(f"{where}: density = {self.density} needs shapes to fill")
        if self.mass is None or self.inertia is None:
            raise ModelError(f"{where}: give mass and inertia, or shapes with a density or a mass; inertia = 0 makes a point "
                             "mass")
        array = np.asarray(self.inertia, dtype=object)
        if array.shape == ():
            value: Any = checks.positive(where, "inertia", self.inertia, zero_too=True)
        elif array.shape == (3,):
            value = checks.vector(where, "inertia", self.inertia, sizes=(3,))
            _check_tensor(where, np.diag(value))
        elif array.shape == (3, 3):
            value = tuple(checks.vector(where, f"inertia row {i}", row, sizes=(3,))
                          for i, row in enumerate(self.inertia))
            _check_tensor(where, np.array(value))
        else:
            raise ModelError(f"{where}: inertia has shape {array.shape}; give a number (plane), "
                             "three principal moments or a 3 by 3 matrix (space)")
        checks.set_field(self, "inertia", value)
        return MassProperties(self.mass, self.centre, value)

    def _of_shapes(self, where: str) -> MassProperties:
        for shape in self.shapes:
            if not isinstance(shape, Shape):
                raise ModelError(f"{where}: shapes holds {shape!r}, which is no shape; see routh.shapes")
            if shape.body != self.name:
                raise ModelError(f'{where}: its shapes hold a {type(shape).__name__} of body "{shape.body}"')
        given = [field for field in ("inertia", "centre") if not checks.left_out(getattr(self, field) or ())]
        if given or (self.mass is None) == (self.density is None):
            what = f"{' and '.join(given)} follow from the shapes; leave out what is given twice" if given else \
                "with shapes give either density or mass"
            raise ModelError(f"{where}: {what}")
        if len({shape.dimension for shape in self.shapes}) > 1:
            raise ModelError(f"{where}: its shapes are in the plane and in space; give all in one")
        spreads = [spread_of(shape) for shape in self.shapes]
        masses = self._masses(where, spreads, self.shapes[0].dimension)
        mass, centre, inertia = lumped(list(zip(masses, spreads, strict=True)))
        if not (mass > 0.0 and np.isfinite(inertia).all()):
            raise ModelError(f"{where}: its shapes make a mass of {mass:g} kg; holes must be smaller than what they are cut "
                             "from")
        if inertia.ndim == 0:
            return MassProperties(mass, tuple(map(float, centre)), checks.positive(where, "inertia", inertia, zero_too=True))
        _check_tensor(where, inertia)
        return MassProperties(mass, tuple(map(float, centre)), tuple(tuple(map(float, row)) for row in inertia))

    def _masses(self, where: str, spreads: list[Any], dimension: int) -> list[float]:
        """The mass of each shape."""
        if self.density is None:
            most = max(spread.fills for spread in spreads)
            sizes = [spread.size if spread.fills == most else 0.0 for spread in spreads]
            return [float(self.mass or 0.0) * size / sum(sizes) for size in sizes]
        several = np.ndim(np.asarray(self.density, dtype=object)) > 0
        if several:
            density = checks.vector(where, "density", self.density, sizes=(len(spreads),))
            checks.set_field(self, "density", density)
        else:
            checks.set_field(self, "density", checks.positive(where, "density", self.density))
            density = (float(self.density),) * len(spreads)  # type: ignore[arg-type]
        for shape, spread in zip(self.shapes, spreads, strict=True):
            if spread.fills < dimension:
                raise ModelError(f"{where}: the {type(shape).__name__} has no {'area' if dimension == 2 else 'volume'} that a "
                                 "density could fill; give the mass of the body instead")
        thick = self.thickness if dimension == 2 else 1.0
        return [rho * thick * spread.size for rho, spread in zip(density, spreads, strict=True)]


def _check_tensor(where: str, tensor: np.ndarray) -> None:
    """Symmetric, not negative, and possible for a distribution of positive mass."""
    scale = np.abs(tensor).max()
    if np.abs(tensor - tensor.T).max() > 1e-12 * scale:
        raise ModelError(f"{where}: inertia is not symmetric")
    moments = np.linalg.eigvalsh(tensor)
    if moments[0] < -ROUND_OFF * moments[2]:
        raise ModelError(f"{where}: inertia is not positive definite; its principal moments are "
                         f"{moments[0]:.6g}, {moments[1]:.6g}, {moments[2]:.6g}")
    if moments[2] - moments[1] - moments[0] > ROUND_OFF * moments[2]:
        raise ModelError(
            f"{where}: inertia violates the triangle inequality: principal moment {moments[2]:.6g} exceeds the "
            f"sum {moments[0]:.6g} + {moments[1]:.6g} of the others, which no mass distribution can have")
