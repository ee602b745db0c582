"""MJCF, MuJoCo's model format: bodies, joints, inertias and primitive shapes as a Model.

| MJCF | becomes |
|---|---|
| body with inertial or geoms | Body; mass and inertia from the geoms where no inertial is given |
| hinge, slide, ball, free, none | Revolute, Prismatic, Spherical, Free, Weld |
| several of them on one body | the same, with massless bodies between them |
| stiffness, damping, springref, ref | JointSpring |
| range | Stop, if a law is given |
| plane, sphere, capsule, cylinder, ellipsoid, box | HalfSpace, Sphere, Capsule, Cylinder, Ellipsoid, Box |
| connect of equality | Spherical that closes a loop |

| mesh | Hull, if a law is given and its STL or OBJ file is there |

Coordinates count from where the file draws the bodies, as joints with ref = 0 do in MuJoCo. Defaults and their classes are
followed. Actuators, tendons, sensors and whatever else is left out and noted; other files than meshes are never read.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from routh.compiler.geometry import quaternion_of
from routh.files.mjcf_frames import ORIENTATIONS, Frames, to_axis, unit
from routh.files.modelfile import ModelFile, Reading
from routh.files.robot import Frame, Robot, numbers
from routh.files.safe_xml import Element, parse_xml
from routh.model import forces, joints, shapes
from routh.model.mass import Spread, lumped, spread_of

__all__ = ["read_mjcf"]

READ = {"compiler", "option", "default", "worldbody", "equality", "size", "visual", "statistic", "asset"}
JOINTS: dict[str, type[Any]] = {
    "hinge": joints.Revolute, "slide": joints.Prismatic, "ball": joints.Spherical, "free": joints.Free}
Solid = tuple[float, np.ndarray, np.ndarray]  # mass [kg], centre [m], inertia about it [kg m²]
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}
SETTINGS = {"angle", "eulerseq", "coordinate", "inertiafromgeom", "inertiagrouprange", "settotalmass", "autolimits",
            "meshdir", "texturedir", "assetdir", "strippath", "discardvisual", "fitaabb", "usethread",
            "balanceinertia"}  # of <compiler>: followed, or without effect here
BODY = {"name", "pos", "childclass", "user", *ORIENTATIONS}


def read_mjcf(text: bytes, name: str, reading: Reading) -> ModelFile:
    """The model of an MJCF text."""
    root = parse_xml(text, name)
    robot = Robot(name, root.get("model"), reading)
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
        self.groups = numbers(robot, compiler, "inertiagrouprange", "0 5", (2,))
        self.total = float(numbers(robot, compiler, "settotalmass", "-1", (1,))[0])
        folder = compiler.get("meshdir", compiler.get("assetdir"))
        self.meshes = {called: (f"{folder}/{mesh.get('file')}" if folder else mesh.get("file"), mesh)
                       for asset in root.all("asset") for mesh in asset.all("mesh")
                       for called in [mesh.get("name") or mesh.get("file").rpartition("/")[2].rpartition(".")[0]]}
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
        if self.total > 0.0:
            self.robot.scale_masses(self.total)
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
        if whole is None and not freedoms:
            robot.add_part(link, parent, frame)
        else:
            robot.add_body(element, link, *(whole or (0.0, np.zeros(3), np.zeros((3, 3)))))
            self._joints(element, freedoms, parent, link, frame)
        self._geoms(element, link, style)
        return link

    def _joints(self, body: Element, freedoms: list[Element], parent: str, link: str, frame: Frame) -> None:
        """The joints of a body: the last one moves it, each one before it a massless body between."""
        robot, outer = self.robot, self.robot.links[parent]
        if not freedoms:
            robot.joint(body, joints.Weld, f"{link}_weld", outer, link, frame)
        for i, element in enumerate(freedoms):
            kind, spot = element.get("type", "hinge"), numbers(robot, element, "pos", "0 0 0", (3,))
            if kind not in JOINTS:
                raise robot.fail(element, f'no joint of type "{kind[:60]}"; MJCF has {", ".join(JOINTS)}')
            if kind == "free" and len(freedoms) > 1:
                raise robot.fail(element, "a free joint cannot be one of several")
            axis = unit(robot, element, numbers(robot, element, "axis", "0 0 1", (3,))) if kind in ("hinge", "slide") else None
            inner = link
            if i + 1 < len(freedoms):
                inner = f"{link}_{element.get('name') or i + 1}_frame"
                robot.add_body(element, inner, 0.0, np.zeros(3), np.zeros((3, 3)))
            made = robot.joint(element, JOINTS[kind], element.get("name"), outer, inner, frame, spot, axis)
            self._passive(element, made, made.coordinates[0] if axis is not None else None)
            outer, frame = robot.links[inner], Frame()

    def _passive(self, element: Element, joint: Any, coordinate: str | None) -> None:
        """Springs, dampers and ranges of one elementary joint."""
        robot = self.robot
        stiffness, damping, free, ref = (float(numbers(robot, element, key, "0", (1,))[0]) for key in
                                         ("stiffness", "damping", "springref", "ref"))
        for key in ("armature", "frictionloss"):
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
            robot.forces.append(robot.made(element, lambda: forces.JointSpring(
                name, path, stiffness, damping, (free - ref) * scale)))
        limited = element.get("limited", "auto")
        if "range" in element.attributes and limited != "false":
            lower, upper = scale * (numbers(robot, element, "range", sizes=(2,)) - ref)
            robot.limit(element, path, float(lower), float(upper))

    def _mass(self, element: Element, style: str) -> Solid | None:
        """Mass, centre and inertia of a body: its inertial, or what its geoms weigh; None where there is no mass."""
        robot, inertial = self.robot, element.first("inertial")
        if inertial is None or self.weighs_geoms:
            found = [self._weighed(geom) for geom in (self._full(g, style) for g in element.all("geom")) if self._weighs(geom)]
            mass, centre, inertia = lumped(found) if found else (0.0, np.zeros(3), np.zeros((3, 3)))
            return (mass, centre, inertia) if mass > 0.0 else None
        frame = self.frames.of(inertial)
        mass = float(numbers(robot, inertial, "mass", sizes=(1,))[0])
        if "fullinertia" in inertial.attributes:
            xx, yy, zz, xy, xz, yz = numbers(robot, inertial, "fullinertia", sizes=(6,))
            tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        else:
            tensor = np.diag(numbers(robot, inertial, "diaginertia", sizes=(3,)))
        return mass, frame.at, frame.turn @ tensor @ frame.turn.T

    def _weighs(self, geom: Element) -> bool:
        """Whether a geom has mass; that of meshes is not known here."""
        group = int(numbers(self.robot, geom, "group", "0", (1,))[0])
        if geom.get("type", "sphere") == "mesh" and "mass" not in geom.attributes:
            self.robot.leave_out("masses of meshes")
        return geom.get("type", "sphere") in SIZES and self.groups[0] <= group <= self.groups[1]

    def _weighed(self, geom: Element) -> tuple[float, Spread]:
        """Mass of a geom, and how it is spread, in the frame of its body."""
        kind, size, frame = self._measures(geom)
        spread = spread_of(self.robot.made(geom, lambda: _maker(kind, size)("geom", frame)))
        density = float(numbers(self.robot, geom, "density", "1000", (1,))[0])
        given = float(numbers(self.robot, geom, "mass", sizes=(1,))[0]) if "mass" in geom.attributes else None
        return density * spread.size if given is None else given, spread

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
            elif kind == "mesh" and self.robot.law is not None and geom.get("mesh") in self.meshes:
                file, mesh = self.meshes[geom.get("mesh")]
                self.robot.hull(geom, link, file, numbers(self.robot, mesh, "scale", "1 1 1", (3,)), self.frames.of(geom))
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
            points = [tuple(robot.world[b].turn.T @ (in_world - robot.world[b].at)) for b in (first, second)]
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
