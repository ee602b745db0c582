"""MJCF, MuJoCo's model format: bodies, joints, inertias and primitive shapes as a Model.

| MJCF | becomes |
|---|---|
| body with inertial or geoms | Body; mass and inertia from the geoms where no inertial is given |
| hinge, slide, ball, free, none | Revolute, Prismatic, Spherical, Free, Weld |
| slide and hinge along one axis; two hinges; two slides and a hinge across | Cylindrical; Universal; Planar |
| stiffness, damping, springref | JointSpring |
| range | Stop, if a law is given |
| plane, sphere, capsule, cylinder, ellipsoid, box | HalfSpace, Sphere, Capsule, Cylinder, Ellipsoid, Box |
| connect of equality | Spherical that closes a loop |

Defaults and their classes are followed. Actuators, tendons, sensors, meshes and whatever else is left out and noted; other
files are never read.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from routh.compiler.geometry import quaternion_of
from routh.files.mjcf_frames import ORIENTATIONS, Frames, to_axis, unit
from routh.files.modelfile import ModelFile
from routh.files.robot import Frame, Robot, numbers
from routh.files.safe_xml import Element, parse_xml
from routh.files.solids import Solid, total
from routh.model import forces, joints, shapes
from routh.model.laws import ImpactLaw

__all__ = ["read_mjcf"]

READ = {"compiler", "option", "default", "worldbody", "equality", "size", "visual", "statistic", "asset"}
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}
SETTINGS = {"angle", "eulerseq", "coordinate", "inertiafromgeom", "autolimits", "meshdir", "texturedir", "assetdir",
            "strippath", "discardvisual", "fitaabb", "usethread"}  # of <compiler>: followed, or without effect here
BODY = {"name", "pos", "childclass", "user", *ORIENTATIONS}


def read_mjcf(text: bytes, name: str = "", law: ImpactLaw | None = None) -> ModelFile:
    """The model of an MJCF text; `law` is that of contacts with the world's geoms and of joint ranges."""
    root = parse_xml(text, name)
    robot = Robot(name, root.get("model"), law)
    if root.tag != "mujoco":
        raise robot.fail(root, "this is no MJCF: its root is not <mujoco>")
    return _Import(robot, root).model()


class _Import:
    def __init__(self, robot: Robot, root: Element) -> None:
        self.robot, self.root = robot, root
        compiler = root.first("compiler") or Element("compiler", {}, root.line)
        self.degrees = compiler.get("angle", "degree") != "radian"
        self.frames = Frames(robot, self.degrees, compiler.get("eulerseq", "xyz"))
        self.weighs_geoms = compiler.get("inertiafromgeom", "auto") == "true"
        if compiler.get("coordinate", "local") != "local":
            raise robot.fail(compiler, "global coordinates are not read; MuJoCo itself has given them up")
        self._note_attributes(compiler, SETTINGS)
        self.count = 0
        self.defaults: dict[str, dict[str, dict[str, str]]] = {}
        for element in root.all("default"):
            self._read_defaults(element, {}, element.get("class", "main"))

    def model(self) -> ModelFile:
        """Walk the tree of bodies, then what ties it together."""
        for child in self.root.children:
            if child.tag not in READ:
                self.robot.leave_out(f"<{child.tag[:40]}>")
        option = self.root.first("option") or Element("option", {}, self.root.line)
        for medium in ("wind", "magnetic", "density", "viscosity"):
            if medium in option.attributes:
                self.robot.leave_out(f"{medium} of <option>")
        gravity = numbers(self.robot, option, "gravity", "0 0 -9.81", (3,))
        self.robot.add_ground("world")
        for world in self.root.all("worldbody"):
            left: list[tuple[Element, str, str]] = [(world, "", "main")]
            while left:  # a stack, because chains are deep
                element, parent, inherited = left.pop()
                link = self._body(element, parent, inherited) if parent else "world"
                if not parent:
                    self._geoms(element, "world", inherited)
                style = element.get("childclass", inherited)
                left += [(child, link, style) for child in reversed(element.all("body"))]
        for equality in self.root.all("equality"):
            self._equality(equality)
        return self.robot.finish(gravity)

    def _note_attributes(self, element: Element, known: set[str]) -> None:
        """Settings that would change the model, and are not followed."""
        for name in element.attributes:
            if name not in known:
                self.robot.leave_out(f"{name[:40]} of <{element.tag}>")

    def _read_defaults(self, element: Element, inherited: dict[str, dict[str, str]], called: str) -> None:
        own = {tag: dict(values) for tag, values in inherited.items()}
        for child in element.children:
            if child.tag != "default":
                own[child.tag] = own.get(child.tag, {}) | child.attributes
        self.defaults[called] = own
        for child in element.all("default"):
            self._read_defaults(child, own, child.get("class"))

    def _full(self, element: Element, inherited: str) -> Element:
        """An element with the defaults of its class filled in."""
        style = element.get("class", inherited)
        if style not in self.defaults and style != "main":
            raise self.robot.fail(element, f'no default class "{style[:60]}"')
        filled = self.defaults.get(style, {}).get(element.tag, {}) | element.attributes
        return Element(element.tag, filled, element.line, element.children)

    def _body(self, element: Element, parent: str, inherited: str) -> str:
        """One body with its joints; the name of its link."""
        robot, style = self.robot, element.get("childclass", inherited)
        self.count += 1
        link = f"{element.get('name') or f'body{self.count}'}"
        if link in robot.links:
            raise robot.fail(element, f'the name "{link[:60]}" comes twice')
        frame = self.frames.of(element)
        self._note_attributes(element, BODY)
        freedoms = [self._full(j, style) for j in element.all("joint")]
        free = element.first("freejoint")
        if free is not None:
            freedoms.append(Element("joint", free.attributes | {"type": "free"}, free.line))
        for tag in ("site", "camera", "light", "composite", "flexcomp", "include"):
            for _ in element.all(tag):
                robot.leave_out(f"<{tag}>")
        whole = self._mass(element, style)
        if whole is None:
            if freedoms:
                raise robot.fail(element, "it moves but has no mass; give it an <inertial>, or geoms with density")
            robot.add_part(link, parent, frame)
        else:
            robot.add_body(element, link, whole.mass, whole.centre, whole.inertia)
            self._joint(element, freedoms, parent, link, frame)
        self._geoms(element, link, style)
        return link

    def _joint(self, body: Element, freedoms: list[Element], parent: str, link: str, frame: Frame) -> None:
        """The joint that several elementary ones of a body make together."""
        robot, outer = self.robot, self.robot.links[parent]
        kinds = [j.get("type", "hinge") for j in freedoms]
        named = freedoms[0].get("name") if freedoms else ""
        spots = [numbers(robot, j, "pos", "0 0 0", (3,)) for j in freedoms]
        axes = [unit(robot, j, numbers(robot, j, "axis", "0 0 1", (3,))) for j in freedoms]
        order: list[int] = []
        match sorted(kinds):
            case []:
                robot.joint(body, joints.Weld, f"{link}_weld", outer, link, frame)
            case ["free"]:
                robot.joint(body, joints.Free, named, outer, link, frame)
            case ["ball"]:
                made = robot.joint(body, joints.Spherical, named, outer, link, frame, spots[0])
                self._passive(freedoms[0], made, None)
            case ["hinge"] | ["slide"]:
                kind = joints.Revolute if kinds[0] == "hinge" else joints.Prismatic
                made = robot.joint(body, kind, named, outer, link, frame, spots[0], axes[0])
                order = [0]
            case ["hinge", "slide"] if not _across(axes) and axes[0] @ axes[1] > 0.0:
                turn = kinds.index("hinge")
                made = robot.joint(body, joints.Cylindrical, named, outer, link, frame, spots[turn], axes[turn])
                order = [1 - turn, turn]
            case ["hinge", "hinge"] if _across(axes) and np.abs(spots[1] - spots[0]).max() < 1e-12:
                made = robot.joint(body, joints.Universal, named, outer, link, frame, spots[0], axes[0], axis_b=tuple(axes[1]))
                order = [0, 1]
            case ["hinge", "slide", "slide"] if kinds[2] == "hinge" and (found := _planar(axes)) is not None:
                order = found
                tangent = outer.frame.then(frame).turn @ axes[order[0]]
                made = robot.joint(body, joints.Planar, named, outer, link, frame, spots[order[2]], axes[order[2]],
                                   tangent=tuple(tangent))
            case _:
                moves = " + ".join(kinds)[:100]
                raise robot.fail(body, f"no joint of Routh moves like {moves} with these axes; put bodies between them")
        for i, coordinate in zip(order, made.coordinates if order else (), strict=True):
            self._passive(freedoms[i], made, coordinate)

    def _passive(self, element: Element, joint: Any, coordinate: str | None) -> None:
        """Springs, dampers and ranges of one elementary joint."""
        robot = self.robot
        stiffness, damping, free = (float(numbers(robot, element, key, "0", (1,))[0]) for key in
                                    ("stiffness", "damping", "springref"))
        for key in ("armature", "frictionloss", "ref"):
            if float(numbers(robot, element, key, "0", (1,))[0]):
                robot.leave_out(f"{key} of joints")
        if coordinate is None:
            if stiffness or damping:
                robot.leave_out("springs and dampers of ball joints")
            return
        path, turns = f"{joint.name}.{coordinate}", "angle" in coordinate
        scale = math.radians(1.0) if turns and self.degrees else 1.0
        if stiffness or damping:
            name = robot.unique(joint.name, "spring")
            robot.forces.append(robot.made(element, lambda: forces.JointSpring(name, path, stiffness, damping, free * scale)))
        limited = element.get("limited", "auto")
        if "range" in element.attributes and limited != "false":
            lower, upper = scale * numbers(robot, element, "range", sizes=(2,))
            robot.limit(element, path, float(lower), float(upper))

    def _mass(self, element: Element, style: str) -> Solid | None:
        """Mass, centre and inertia of a body: its inertial, or what its geoms weigh."""
        robot, inertial = self.robot, element.first("inertial")
        if inertial is None or self.weighs_geoms:
            return total([self._solid(g) for g in (self._full(g, style) for g in element.all("geom")) if self._is_solid(g)])
        frame = self.frames.of(inertial)
        mass = float(numbers(robot, inertial, "mass", sizes=(1,))[0])
        if "fullinertia" in inertial.attributes:
            xx, yy, zz, xy, xz, yz = numbers(robot, inertial, "fullinertia", sizes=(6,))
            tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        else:
            tensor = np.diag(numbers(robot, inertial, "diaginertia", sizes=(3,)))
        return Solid(mass, frame.at, frame.turn @ tensor @ frame.turn.T)

    def _is_solid(self, geom: Element) -> bool:
        return geom.get("type", "sphere") in SIZES

    def _solid(self, geom: Element) -> Solid:
        """What a geom weighs, in the frame of its body."""
        kind, size, frame = self._measures(geom)
        density = float(numbers(self.robot, geom, "density", "1000", (1,))[0])
        given = float(numbers(self.robot, geom, "mass", sizes=(1,))[0]) if "mass" in geom.attributes else None
        return Solid.of(kind, size, density, given).placed(frame.at, frame.turn)

    def _measures(self, geom: Element) -> tuple[str, np.ndarray, Frame]:
        """Kind, sizes and frame of a geom; `fromto` says where the ends of its axis are."""
        robot, kind = self.robot, geom.get("type", "sphere")
        size = numbers(robot, geom, "size")
        if "fromto" not in geom.attributes:
            if len(size) < SIZES[kind]:
                raise robot.fail(geom, f"a {kind} needs {SIZES[kind]} numbers of size, got {len(size)}")
            return kind, size[: SIZES[kind]], self.frames.of(geom)
        ends = numbers(robot, geom, "fromto", sizes=(6,))
        way = ends[:3] - ends[3:]
        length = float(np.linalg.norm(way))
        if not (length > 0.0 and len(size) >= 1 and kind != "sphere"):
            raise robot.fail(geom, "fromto needs two different points, a size, and a geom with an axis")
        frame = Frame(0.5 * (ends[:3] + ends[3:]), to_axis(way / length))
        across = [size[0]] if kind in ("capsule", "cylinder") else [size[0], size[0]]
        return kind, np.array([*across, 0.5 * length]), frame

    def _geoms(self, element: Element, link: str, style: str) -> None:
        """Shapes of a body or of the world."""
        for geom in (self._full(g, style) for g in element.all("geom")):
            kind = geom.get("type", "sphere")
            if geom.get("contype", "1") == "0" and geom.get("conaffinity", "1") == "0":
                self.robot.leave_out("geoms that touch nothing")
            elif kind == "plane":
                self.robot.shape(geom, link, _floor, self.frames.of(geom))
            elif kind in SIZES:
                kind, size, frame = self._measures(geom)
                self.robot.shape(geom, link, _maker(kind, size), frame)
            else:
                self.robot.leave_out(f"geoms of type {kind[:40]}")

    def _equality(self, equality: Element) -> None:
        robot = self.robot
        for element in equality.children:
            ends = [element.get("body1"), element.get("body2", "world")]
            if element.tag != "connect" or "anchor" not in element.attributes or not all(end in robot.links for end in ends):
                robot.leave_out(f"equality <{element.tag[:40]}>")
                continue
            first, second = (robot.links[end].body for end in ends)
            anchor = numbers(robot, element, "anchor", sizes=(3,))
            in_world = robot.world[first].then(robot.links[ends[0]].frame).point(anchor)
            name = robot.unique(element.get("name") or "connect", "joint")
            points = [tuple(robot.world[b].turn.T @ (in_world - robot.world[b].at) - robot.centres[b]) for b in (first, second)]
            robot.joints.append(robot.made(element, partial(joints.Spherical, name, first, second, *points)))


def _floor(body: str, frame: Frame) -> shapes.Shape:
    return shapes.HalfSpace(body, tuple(frame.turn[:, 2]), tuple(frame.at))


def _maker(kind: str, size: np.ndarray) -> Any:
    """A function (body, frame) → shape; MuJoCo gives half lengths."""
    if kind == "sphere":
        return lambda body, f: shapes.Sphere(body, float(size[0]), tuple(f.at))
    if kind == "capsule":
        half = np.array([0.0, 0.0, size[1]])
        return lambda body, f: shapes.Capsule(body, tuple(f.point(-half)), tuple(f.point(half)), float(size[0]))
    if kind == "cylinder":
        return lambda body, f: shapes.Cylinder(body, float(size[0]), 2.0 * float(size[1]), tuple(f.turn[:, 2]), tuple(f.at))
    if kind == "ellipsoid":
        return lambda body, f: shapes.Ellipsoid(body, tuple(size), tuple(f.at), tuple(quaternion_of(f.turn)))
    return lambda body, f: shapes.Box(body, tuple(2.0 * size), tuple(f.at), tuple(quaternion_of(f.turn)))


def _across(axes: list[np.ndarray]) -> bool:
    return float(np.linalg.norm(np.cross(axes[0], axes[1]))) > 1e-6


def _planar(axes: list[np.ndarray]) -> list[int] | None:
    """Two slides and a hinge in the order in which the second slide is across the first; None where none is."""
    for order in ([0, 1, 2], [1, 0, 2]):
        if np.linalg.norm(np.cross(axes[2], axes[order[0]]) - axes[order[1]]) < 1e-9:
            return order
    return None
