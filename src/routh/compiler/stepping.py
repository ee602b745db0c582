"""A model as the stepping engine reads it: shapes, who collides with whom, gap templates of pairs of forms."""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from routh.compiler.bounds import bounds_of
from routh.compiler.contacts import fill_part
from routh.compiler.geometry import in_space
from routh.compiler.pairs import gaps_of, length_of
from routh.compiler.spatial_pairs import corners_of, polyhedron_rows
from routh.core.tables.layout import CONTACT
from routh.core.tables.pairs import FAMILIES
from routh.core.tables.stepping import BALL, N_BIN, N_DOMAIN, N_GROUP, OTHER, PLANE, REST, SHAPE, WHOLE, Stepping, new_map
from routh.errors import ModelError
from routh.model.contacts import Contact, ContactGroup
from routh.model.shapes import Box, Capsule, Cylinder, Disk, HalfSpace, Hull, Polygon, Shape, Sphere
from routh.native.load import address

if TYPE_CHECKING:
    from routh.compiler.compile import Compiled

__all__ = ["ShapeTables", "new_stepping"]

LEVELS = 40        # of the grid: sizes of shapes may differ by twelve orders of magnitude
FORMS = 1 << 30    # keys of pairs of forms, see `look_up_templates`


class ShapeTables:
    """Shapes of all contacts and groups of a model, each once, and the templates of their gaps, which grow as pairs meet."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.shapes: list[Shape] = []
        self.index: dict[Shape, int] = {}
        self.forms: dict[Any, int] = {}
        self.records: list[np.ndarray] = []
        self.group: list[int] = []
        pairs: dict[int, int] = {}
        declared = [(i, c) for i, c in enumerate(compiled.contacts) if isinstance(c, Contact)]
        for i, contact in enumerate(compiled.contacts):
            if isinstance(contact, ContactGroup):
                self._add_group(i, contact)
        ends, checked = [], set()
        for i, contact in declared:
            a, b = self._add(contact.a), self._add(contact.b)
            self.records[a]["declared"] = self.records[b]["declared"] = 1
            ends.append((i, a, b))
            forms = (int(self.records[a]["form"]), int(self.records[b]["form"]))
            if forms not in checked:
                self._refuse_without_gap(contact.where, contact.a, contact.b)
                checked.add(forms)
        for i, a, b in ends:
            key = min(a, b) * len(self.shapes) + max(a, b)
            if key in pairs:
                first, second = compiled.contacts[pairs[key] >> 1], compiled.contacts[i]
                raise ModelError(f"{second.where}: is between the same two shapes as {first.where}; take one of them away")
            pairs[key] = 2 * i + (0 if a < b else 1)
        self.pairs = new_map(pairs)
        self.shape = np.array(self.records, SHAPE) if self.records else np.zeros(0, SHAPE)

        self.template: list[np.ndarray] = []
        self.address: list[int] = []
        self.known: dict[int, int] = {}
        self.vertices: list[np.ndarray] = [compiled.system.vertex]
        self.n_vertex = len(compiled.system.vertex)
        self.n_hull = 0  # rows of the largest polyhedron
        self.polyhedra: dict[int, tuple[np.ndarray, float, np.ndarray]] = {}  # of each form: rows, thickness, middle
        self.placed: dict[int, int] = {}  # vertex tables by identity: forms that are alike share them

    def _add(self, shape: Shape) -> int:
        if shape in self.index:
            return self.index[shape]
        place = self.compiled.bodies[shape.body]
        centre, reach, thickness = bounds_of(shape)
        record = np.zeros((), SHAPE)
        kind = BALL if isinstance(shape, Sphere | Disk) else PLANE if isinstance(shape, HalfSpace) else OTHER
        values = tuple(getattr(shape, f.name) for f in dataclasses.fields(shape) if f.name != "body")
        form = (type(shape), values, place.point.tobytes())
        record["node"], record["kind"] = place.node, kind
        record["form"] = self.forms.setdefault(form, len(self.forms))
        record["point"], record["reach"], record["thickness"] = centre - place.point, reach, thickness
        lever = float(np.linalg.norm(record["point"]))
        record["arm"] = lever if kind == BALL else 0.0 if kind == PLANE and place.node == 0 else lever + reach
        if isinstance(shape, HalfSpace):
            record["normal"] = in_space(shape.normal)
        self.records.append(record)
        self.shapes.append(shape)
        self.index[shape] = len(self.shapes) - 1
        return self.index[shape]

    def _add_group(self, rule: int, group: ContactGroup) -> None:
        if len(self.group) == N_GROUP:
            raise ModelError(f"{group.where}: is one too many; the stepping engine takes {N_GROUP} groups")
        bit = 1 << len(self.group)
        self.group.append(rule)
        for shape in group.a:
            self.records[self._add(shape)]["first"] |= bit
        for shape in group.b or group.a:
            self.records[self._add(shape)]["second"] |= bit
        for a in _one_of_each(group.a):
            for b in _one_of_each(group.b or group.a):
                if not (isinstance(a, HalfSpace) and isinstance(b, HalfSpace)):  # two of the ground never meet
                    self._refuse_without_gap(group.where, a, b)

    def _refuse_without_gap(self, where: str, a: Shape, b: Shape) -> None:
        try:
            gaps_of(self.compiled.space, a, b)
        except ModelError as error:
            raise ModelError(f"{where}: {error}") from None

    def learn(self, i: int, j: int) -> None:
        """Make the gap templates of the forms of shapes i and j."""
        compiled = self.compiled
        first, second = self.shapes[i], self.shapes[j]
        begin = len(self.template)
        if _has_corners(first) and _has_corners(second):
            self._learn_whole(first, second)
        gaps = list(gaps_of(compiled.space, first, second)) if len(self.template) == begin else []
        if gaps and (isinstance(first, Cylinder) or isinstance(second, Cylinder)) and not isinstance(second, HalfSpace):
            # gaps of rims hold next to touching; the round core of a cylinder stops what a step has brought beyond that
            gaps += gaps_of(compiled.space, _core(first), _core(second))
        for gap in gaps:
            record = np.zeros((), CONTACT)
            record["kind"], record["size"], record["sheet"] = gap.kind, gap.size, gap.sheet
            record["sense"] = -1.0 if gap.swapped else 1.0
            sides = (("a", second if gap.swapped else first), ("b", first if gap.swapped else second))
            for side, shape in sides:
                fill_part(record, side, gap, compiled.bodies[shape.body].point)
                vertices = getattr(gap, f"vertices_{side}")
                record[f"first_{side}"], record[f"last_{side}"] = self._place(vertices)
            if not np.isfinite(gap.size):
                nodes = [compiled.system.node[compiled.bodies[shape.body].node] for _, shape in sides]
                record["size"] = length_of((record["point_a"], nodes[0]), (record["point_b"], nodes[1]))
            family = next(name for name, kinds in FAMILIES[compiled.space].items() if gap.kind in kinds)
            self.template.append(record)
            self.address.append(address(family, compiled.space))
        key = int(self.shape["form"][i]) * FORMS + int(self.shape["form"][j])
        self.known[key] = begin << 10 | len(self.template) - begin

    def _learn_whole(self, first: Any, second: Any) -> None:
        """The one template of two polygons or polyhedra."""
        record = np.zeros((), CONTACT)
        record["kind"], record["sense"] = WHOLE, 1.0
        sizes = []
        for side, shape in (("a", first), ("b", second)):
            if isinstance(shape, Polygon):
                rows, thickness, middle = in_rows(shape), bounds_of(shape)[2], np.zeros(3)
            else:
                rows, thickness, middle = self._polyhedron(shape)
                self.n_hull = max(self.n_hull, len(rows))
            record[f"point_{side}"], record[f"turn_{side}"] = middle - self.compiled.bodies[shape.body].point, np.eye(3)
            record[f"first_{side}"], record[f"last_{side}"] = self._place(rows)
            sizes.append(thickness)
        record["size"] = min(sizes)
        self.template.append(record)
        self.address.append(0)

    def _polyhedron(self, shape: Box | Hull) -> tuple[np.ndarray, float, np.ndarray]:
        """(rows of the vertex table, thickness, middle) of a form, made once."""
        form = int(self.shape["form"][self.index[shape]])
        if form not in self.polyhedra:
            corners = corners_of(shape)
            middle = corners.mean(axis=0)
            self.polyhedra[form] = *polyhedron_rows(tuple(map(tuple, corners - middle))), middle
        return self.polyhedra[form]

    def _place(self, vertices: np.ndarray) -> tuple[int, int]:
        """Slice of the vertex table that holds these corners."""
        if not len(vertices):
            return self.n_vertex, self.n_vertex
        if id(vertices) not in self.placed:
            self.placed[id(vertices)] = self.n_vertex
            self.vertices.append(vertices)  # kept alive, so that its identity stays its own
            self.n_vertex += len(vertices)
        first = self.placed[id(vertices)]
        return first, first + len(vertices)

    def tables(self) -> dict[str, np.ndarray]:
        """Templates and the way to them."""
        keys, values = new_map(self.known)
        return {"template": np.array(self.template, CONTACT) if self.template else np.zeros(0, CONTACT),
                "gap_at": np.array(self.address, np.int64), "form_key": keys, "form_at": values}

    def vertex_table(self) -> np.ndarray:
        """All corners."""
        return np.vstack(self.vertices)


def _has_corners(shape: Shape) -> bool:
    """Whether it is a convex polygon or polyhedron."""
    return isinstance(shape, Polygon | Box | Hull)


def _core(shape: Shape) -> Shape:
    """The capsule or sphere within a cylinder that touches its side, or its ends where it is flat; other shapes as they are."""
    if not isinstance(shape, Cylinder):
        return shape
    half, axis, middle = 0.5 * shape.length - shape.radius, np.array(shape.axis), in_space(shape.point)
    if half <= 0.0:
        return Sphere(shape.body, 0.5 * shape.length, tuple(map(float, middle)))
    return Capsule(shape.body, tuple(map(float, middle - half * axis)), tuple(map(float, middle + half * axis)), shape.radius)


@lru_cache(maxsize=1024)
def in_rows(polygon: Polygon) -> np.ndarray:
    """Corners of a polygon as rows of the vertex table."""
    return np.array([in_space(v) for v in polygon.vertices])


def _one_of_each(shapes: Any) -> list[Shape]:
    """One shape of each type."""
    return list({type(shape): shape for shape in shapes}.values())


def new_stepping(compiled: Compiled, shapes: ShapeTables, width: int) -> Stepping:
    """State and scratch of a run; `width` numbers of a wrench (3 or 6)."""
    system = compiled.system
    node, n_u = system.node, compiled.n_u
    n_shape, n_fixed = len(shapes.shape), system.contact.size - N_DOMAIN
    component = np.full(node.size, -1, np.int64)
    count = 0
    for i in range(1, node.size):
        parent = int(node["parent"][i])
        component[i] = component[parent] if parent else count
        count += parent == 0
    neighbour = sorted({tuple(sorted(compiled.bodies[b].node for b in pair)) for pair in compiled.model.joined_bodies})
    bucket = 16
    while bucket < 2 * n_shape:
        bucket *= 2
    room = 64 + 8 * n_shape + n_fixed
    stepping = Stepping(
        control=1, shape=shapes.shape.copy(), plane=np.flatnonzero(shapes.shape["kind"] == PLANE), rule=compiled.rules,
        group=np.array(shapes.group, np.int64), key=shapes.pairs[0], owner=shapes.pairs[1], **shapes.tables(),
        neighbour=np.array(neighbour, np.int64).reshape(-1, 2), component=component, parent=max(count, 1), level=LEVELS,
        bucket=bucket, pair=room, pair_new=room, start=n_shape + 2, point=room, last=room, order=room, cone=room,
        island=max(count, 1) + 2, hull=(0, 4), turn=(3, 3), dof=12 * room + 2 * n_u, row=36 * room + 4 * n_u,
        answer=(N_DOMAIN, n_u), w=n_u, shift=n_u, tau=max(count, 1), touched=max(count, 1), q=compiled.n_q,
        q_mid=compiled.n_q, u_mid=n_u, u_free=n_u, u_new=n_u, udot=n_u, udot_new=n_u, given=3 * room,
        joint=(node.size, width), loop=(system.row.size, width), drive=system.driver.size, reading=(system.force.size, 2),
        sum=len(compiled.rules), record=0, stops=0, sample=0, domain=max(count, 1), cut=REST + 2, reorder=room,
        bins=N_BIN, partial=N_DOMAIN + 1, sync=40)
    control = stepping.control[0]
    control["fresh"], control["stale"], control["shortest"] = 1, 1, np.inf
    return stepping

