"""URDF: links, joints, inertias and primitive shapes as a Model. The root link is the ground; one with mass floats.

| URDF | becomes |
|---|---|
| link with inertial | Body; one without, if it is fixed, part of its parent, else a massless body |
| revolute, continuous, prismatic, fixed, floating, planar | Revolute, Prismatic, Weld, Free, Planar |
| limit | Stop, if a law is given |
| damping of dynamics, mimic | JointFriction, Gear |
| box, sphere, cylinder of collision | Box, Sphere, Cylinder |
| mesh of collision | Hull, if a law is given and its STL or OBJ file is there |

Visuals, Coulomb friction, transmissions and whatever else is left out and noted.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from routh.compiler.geometry import quaternion_of
from routh.files.modelfile import ModelFile, Reading
from routh.files.robot import Frame, Link, Robot, numbers
from routh.files.safe_xml import Element, parse_xml
from routh.model import forces, joints, shapes

__all__ = ["read_urdf"]

GRAVITY = (0.0, 0.0, -9.81)
KINDS: dict[str, type[Any]] = {
    "revolute": joints.Revolute, "continuous": joints.Revolute, "prismatic": joints.Prismatic, "fixed": joints.Weld,
    "floating": joints.Free, "planar": joints.Planar}  # fmt: skip
IGNORED = {"transmission", "gazebo", "sensor", "ros2_control"}


def read_urdf(text: bytes, name: str, reading: Reading) -> ModelFile:
    """The robot of a URDF text."""
    root = parse_xml(text, name)
    robot = Robot(name, root.get("name"), reading)
    if root.tag != "robot":
        raise robot.fail(root, "this is no URDF: its root is not <robot>")
    links = _named(robot, root.all("link"))
    arms = _named(robot, root.all("joint"))
    for child in root.children:
        if child.tag in IGNORED:
            robot.leave_out(f"<{child.tag}>")
    carriers = _carriers(robot, links, arms)
    for link in _outward(robot, links, carriers):
        _add_link(robot, links[link], carriers.get(link))
    for link, element in links.items():
        _add_shapes(robot, link, element)
    made = {joint.name: joint for joint in robot.joints}
    for element in arms.values():
        _add_mimic(robot, element, made)
    return robot.finish(GRAVITY)


def _named(robot: Robot, elements: list[Element]) -> dict[str, Element]:
    found: dict[str, Element] = {}
    for element in elements:
        called = element.get("name")
        if not called or called in found:
            raise robot.fail(element, f'the name "{called[:60]}" comes twice' if called else "a name is missing")
        found[called] = element
    return found


def _carriers(robot: Robot, links: dict[str, Element], arms: dict[str, Element]) -> dict[str, Element]:
    """The joint that carries each link."""
    out: dict[str, Element] = {}
    for element in arms.values():
        ends = [_only(robot, element, side).get("link") for side in ("parent", "child")]
        for end in ends:
            if end not in links:
                raise robot.fail(element, f'no link "{end[:60]}"')
        if ends[1] in out:
            raise robot.fail(element, f'link "{ends[1][:60]}" has two parents; URDF is a tree')
        out[ends[1]] = element
    return out


def _outward(robot: Robot, links: dict[str, Element], carriers: dict[str, Element]) -> list[str]:
    """Links from the root outward."""
    roots = [link for link in links if link not in carriers]
    if len(roots) != 1:
        at = next(iter(links.values()), Element("robot", {}, 1))
        raise robot.fail(at, f"{len(roots)} links have no parent; URDF has one root")
    below: dict[str, list[str]] = {}
    for link, element in carriers.items():
        below.setdefault(_only(robot, element, "parent").get("link"), []).append(link)
    order, i = roots, 0
    while i < len(order):
        order += below.get(order[i], [])
        i += 1
    if len(order) != len(links):
        raise robot.fail(links[next(n for n in links if n not in order)], "joints run in a circle; URDF is a tree")
    return order


def _add_link(robot: Robot, link: Element, carrier: Element | None) -> None:
    called = link.get("name")
    inertial = link.first("inertial")
    mass = float(numbers(robot, _only(robot, inertial, "mass"), "value", sizes=(1,))[0]) if inertial is not None else 0.0
    if carrier is None:
        robot.add_ground(called)
        if inertial is None or mass == 0.0:
            return
        carrier = Element("joint", {"name": f"{called}_free", "type": "floating"}, link.line)
        parent, frame = called, Frame()
        robot.note(f'the root link "{called[:60]}" has mass, so it floats; weld it to the ground if it should not')
    else:
        parent, frame = _only(robot, carrier, "parent").get("link"), _origin(robot, carrier)
    kind = KINDS.get(carrier.get("type"))
    if kind is None:
        raise robot.fail(carrier, f'no joint of type "{carrier.get("type")[:60]}"; URDF has {", ".join(KINDS)}')
    ground = robot.links[parent]  # kept: a root that floats takes the place of the ground under its name
    tensor = _tensor(robot, _only(robot, inertial, "inertia")) if inertial is not None else np.zeros((3, 3))
    if inertial is None or (mass == 0.0 and not tensor.any()):
        if kind is joints.Weld:
            robot.add_part(called, parent, frame)
            return
        robot.add_body(link, called, 0.0, np.zeros(3), np.zeros((3, 3)))
    else:
        at = _origin(robot, inertial)
        robot.add_body(link, called, mass, at.at, at.turn @ tensor @ at.turn.T)
    _add_joint(robot, carrier, kind, ground, called, frame)


def _add_joint(robot: Robot, element: Element, kind: type[Any], parent: Link, child: str, frame: Frame) -> None:
    axis = None
    if kind in (joints.Revolute, joints.Prismatic, joints.Planar):
        given = element.first("axis")
        axis = numbers(robot, given, "xyz", "1 0 0", (3,)) if given is not None else np.array([1.0, 0.0, 0.0])
    made = robot.joint(element, kind, element.get("name"), parent, child, frame, axis=axis)
    element.attributes["routh"] = made.name
    coordinate = f"{made.name}.{made.coordinates[0]}" if made.coordinates else ""
    limit, dynamics = element.first("limit"), element.first("dynamics")
    if limit is not None and element.get("type") in ("revolute", "prismatic"):
        robot.limit(limit, coordinate, *(float(numbers(robot, limit, key, "0", (1,))[0]) for key in ("lower", "upper")))
    if dynamics is not None and len(made.coordinates) == 1:
        damping, friction = (float(numbers(robot, dynamics, key, "0", (1,))[0]) for key in ("damping", "friction"))
        if damping:
            name = robot.unique(made.name, "damping")
            robot.forces.append(robot.made(dynamics, lambda: forces.JointFriction(name, coordinate, damping)))
        if friction:
            robot.leave_out("dry friction of joints")


def _add_mimic(robot: Robot, element: Element, made: dict[str, Any]) -> None:
    mimic = element.first("mimic")
    if mimic is None or "routh" not in element.attributes:
        return
    leader = next((j for j in made.values() if j.name == mimic.get("joint")), None)
    joint = made[element.attributes["routh"]]
    if not joint.coordinates or (leader is not None and not leader.coordinates):
        robot.leave_out("mimic of or by a fixed joint")
        return
    if leader is None and not robot.reading.strict:
        robot.note(f'joint "{joint.name}" would mimic "{mimic.get("joint")[:60]}", which is not there, and moves freely')
        return
    if leader is None or len(leader.coordinates) != 1 or len(joint.coordinates) != 1:
        raise robot.fail(mimic, f'no joint "{mimic.get("joint")[:60]}" with one coordinate to mimic')
    ratio, phase = (float(numbers(robot, mimic, *entry, (1,))[0]) for entry in (("multiplier", "1"), ("offset", "0")))
    name = robot.unique(joint.name, "mimic")
    robot.joints.append(robot.made(mimic, lambda: joints.Gear(
        name, f"{leader.name}.{leader.coordinates[0]}", f"{joint.name}.{joint.coordinates[0]}", ratio, phase)))


def _add_shapes(robot: Robot, link: str, element: Element) -> None:
    for _ in element.all("visual"):
        robot.leave_out("visuals")
    for collision in element.all("collision"):
        geometry = collision.first("geometry")
        solid = geometry.children[0] if geometry is not None and geometry.children else None
        if solid is not None and solid.tag == "mesh" and robot.law is not None and solid.get("filename"):
            scale = numbers(robot, solid, "scale", "1 1 1", (1, 3))
            robot.hull(solid, link, solid.get("filename"), scale, _origin(robot, collision))
            continue
        if solid is None or solid.tag not in ("box", "sphere", "cylinder", "capsule"):
            robot.leave_out(f"collision shape <{'none' if solid is None else solid.tag[:40]}>")
            continue
        robot.shape(solid, link, _maker(robot, solid), _origin(robot, collision))


def _maker(robot: Robot, solid: Element) -> Any:
    """A function (body, frame) → shape."""
    if solid.tag == "box":
        size = tuple(numbers(robot, solid, "size", sizes=(3,)))
        return lambda body, f: shapes.Box(body, size, tuple(f.at), tuple(quaternion_of(f.turn)))
    radius = float(numbers(robot, solid, "radius", sizes=(1,))[0])
    if solid.tag == "sphere":
        return lambda body, f: shapes.Sphere(body, radius, tuple(f.at))
    length = float(numbers(robot, solid, "length", sizes=(1,))[0])
    if solid.tag == "cylinder":
        return lambda body, f: shapes.Cylinder(body, radius, length, tuple(f.turn[:, 2]), tuple(f.at))
    half = np.array([0.0, 0.0, 0.5 * length])
    return lambda body, f: shapes.Capsule(body, tuple(f.point(-half)), tuple(f.point(half)), radius)


def _only(robot: Robot, element: Element, tag: str) -> Element:
    found = element.first(tag)
    if found is None:
        raise robot.fail(element, f"<{tag}> is missing in it")
    return found


def _origin(robot: Robot, element: Element) -> Frame:
    origin = element.first("origin")
    if origin is None:
        return Frame()
    roll, pitch, yaw = numbers(robot, origin, "rpy", "0 0 0", (3,))
    (cr, sr), (cp, sp), (cy, sy) = ((math.cos(a), math.sin(a)) for a in (roll, pitch, yaw))
    turn = np.array([[cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
                     [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr], [-sp, cp * sr, cp * cr]])
    return Frame(numbers(robot, origin, "xyz", "0 0 0", (3,)), turn)


def _tensor(robot: Robot, element: Element) -> np.ndarray:
    keys = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    xx, xy, xz, yy, yz, zz = (float(numbers(robot, element, key, "0", (1,))[0]) for key in keys)
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
