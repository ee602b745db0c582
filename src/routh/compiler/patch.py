"""Changes of numbers in the tables of a compiled model, without compiling it again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from routh.compiler.laws import law_code
from routh.model import forces as f
from routh.model.body import Body
from routh.model.contacts import Contact, Rope, Stop, Unilateral
from routh.model.friction import Friction
from routh.model.laws import ImpactLaw
from routh.model.model import replaced
from routh.model.restitution import Restitution

if TYPE_CHECKING:
    from routh.compiler.compile import Compiled

__all__ = ["patched_tables"]

# fields of forces that are nothing but numbers in their record
NUMBERS: dict[type, tuple[str, ...]] = {
    f.PointForce: ("force",), f.Torque: ("torque",), f.SpringDamper: ("stiffness", "damping", "free_length"),
    f.JointSpring: ("stiffness", "damping", "free"), f.JointFriction: ("coefficient",),
    f.Drag: ("constant", "linear", "quadratic", "slow"), f.SpinDrag: ("constant", "linear", "quadratic", "slow"),
    f.Motor: ("force", "no_load_speed"), f.Servo: ("stiffness", "damping", "limit"), f.SpeedServo: ("gain", "limit"),
    f.Bushing: ("stiffness", "damping", "rotation_stiffness", "rotation_damping")}


def patched_tables(compiled: Compiled, changes: Mapping[str, Any]) -> tuple[dict[str, np.ndarray], dict[str, Any]] | None:
    """(tables that changes of numbers touch, as changed copies; changed elements); None where a change is more than a number.

    A changed declaration checks itself as it does when it is made.
    """
    tables: dict[str, np.ndarray] = {}
    changed: dict[str, Any] = {}  # elements that earlier changes made
    for path, value in changes.items():
        name, _, rest = path.partition(".")
        old = changed.get(name) or compiled.elements.get(name)
        if old is None or not rest:
            return None
        new = changed[name] = replaced(old, rest.split("."), value, path)
        if not _patch(compiled, tables, old, new, rest):
            return None
    return (tables, changed) if "node" not in tables or _same_tree(compiled, changed) else None


def _same_tree(compiled: Compiled, changed: Mapping[str, Any]) -> bool:
    """Whether the masses leave the spanning tree as it is: it begins with the heaviest body of whatever floats."""
    bodies = compiled.model.bodies
    before = [-body.mass_properties().mass for body in bodies]
    after = [-changed.get(body.name, body).mass_properties().mass for body in bodies]
    return sorted(range(len(bodies)), key=before.__getitem__) == sorted(range(len(bodies)), key=after.__getitem__)


def _table(compiled: Compiled, tables: dict[str, np.ndarray], name: str) -> np.ndarray:
    """The copy of a table that is being changed."""
    if name not in tables:
        table = getattr(compiled.system, name)
        tables[name] = table.view(np.uint8).copy().view(table.dtype)  # a copy record by record takes ten times as long
    return tables[name]


def _patch(compiled: Compiled, tables: dict[str, np.ndarray], old: Any, new: Any, field: str) -> bool:
    """Write a changed element into the tables; False where that is not enough."""
    if compiled.engine != "events" and isinstance(new, Unilateral):
        return False
    if isinstance(new, Contact) and field.startswith("law.") and isinstance(new.law, ImpactLaw):
        return _patch_law(compiled, tables, old, new)
    if isinstance(new, Stop | Rope) and field == "e":
        contact = _table(compiled, tables, "contact")
        contact["e"][contact["owner"] == compiled.owners[new.name]] = new.e
        return True
    if isinstance(new, Body) and field in ("mass", "inertia", "density") and not compiled.system.row.size:
        before, after = old.mass_properties(), new.mass_properties()
        if np.shape(after.inertia) != np.shape(before.inertia) or after.centre != before.centre or not after.mass > 0.0 \
                or not np.linalg.eigvalsh(new.inertia_matrix())[0] > 0.0:
            return False
        node = _table(compiled, tables, "node")[compiled.bodies[new.name].node]
        node["mass"] = after.mass
        node["inertia"] = after.inertia if compiled.planar else new.inertia_matrix()
        return True
    if field in NUMBERS.get(type(new), ()) and np.shape(getattr(new, field)) == np.shape(getattr(old, field)):
        from routh.compiler.compile import write_numbers

        write_numbers(_table(compiled, tables, "force")[compiled.owners[new.name]], new, compiled.planar)
        return True
    return False


def _patch_law(compiled: Compiled, tables: dict[str, np.ndarray], old: Contact, new: Contact) -> bool:
    """Write the numbers of an impact law; False where friction begins, ends or a coefficient depends on the speed."""
    before: Any = old.law
    law: Any = new.law
    if isinstance(law.e, Restitution) or isinstance(before.e, Restitution):
        return False
    if isinstance(law.mu, Friction) or isinstance(before.mu, Friction) or (law.static == 0.0) != (before.static == 0.0):
        return False
    code, e_t = law_code(law)
    contact = _table(compiled, tables, "contact")
    own = np.flatnonzero(contact["owner"] == compiled.owners[new.name])
    for field, value in (("law", code), ("e", law.e), ("e_t", e_t), ("mu", law.rest), ("mu_s", max(law.static, law.rest))):
        contact[field][own] = value
    return True
