"""Where MJCF puts things: a place, and an orientation given in one of five ways."""

from __future__ import annotations

import math

import numpy as np

from routh.compiler.geometry import matrix_of
from routh.files.robot import Frame, Robot, numbers
from routh.files.safe_xml import Element

__all__ = ["ORIENTATIONS", "Frames", "to_axis", "unit"]

ORIENTATIONS = {"quat": 4, "axisangle": 4, "euler": 3, "xyaxes": 6, "zaxis": 3}  # how many numbers each takes


class Frames:
    """Reads frames by the settings of a file: degrees or radians, and the order of Euler's angles."""

    def __init__(self, robot: Robot, degrees: bool, sequence: str) -> None:
        self.robot, self.sequence = robot, sequence
        self.angle = math.radians(1.0) if degrees else 1.0

    def of(self, element: Element) -> Frame:
        """The frame of an element: its `pos`, and the orientation that it gives, if any."""
        robot, at = self.robot, numbers(self.robot, element, "pos", "0 0 0", (3,))
        given = [key for key in ORIENTATIONS if key in element.attributes]
        if len(given) > 1:
            raise robot.fail(element, f"{given[0]} and {given[1]} both say an orientation")
        if not given:
            return Frame(at)
        values = numbers(robot, element, given[0], sizes=(ORIENTATIONS[given[0]],))
        match given[0]:
            case "quat":
                turn = matrix_of(unit(robot, element, values))
            case "axisangle":
                turn = _about(unit(robot, element, values[:3]), values[3] * self.angle)
            case "euler":
                turn = self._euler(element, values)
            case "xyaxes":
                x = unit(robot, element, values[:3])
                y = unit(robot, element, values[3:] - x * (x @ values[3:]))
                turn = np.column_stack([x, y, np.cross(x, y)])
            case _:
                turn = to_axis(unit(robot, element, values))
        return Frame(at, turn)

    def _euler(self, element: Element, values: np.ndarray) -> np.ndarray:
        """Turns one after another, about the turned axes (small letters) or the fixed ones (capitals)."""
        turn = np.eye(3)
        for letter, angle in zip(self.sequence, values, strict=False):
            if letter.lower() not in "xyz":
                raise self.robot.fail(element, f'eulerseq = "{self.sequence[:20]}" is not made of x, y, z')
            step = _about(np.eye(3)["xyz".index(letter.lower())], angle * self.angle)
            turn = turn @ step if letter.islower() else step @ turn
        return turn


def unit(robot: Robot, element: Element, v: np.ndarray) -> np.ndarray:
    """A direction, or a quaternion, of length one."""
    length = float(np.linalg.norm(v))
    if not length > 1e-12:
        raise robot.fail(element, "a direction or quaternion of length zero")
    return v / length


def to_axis(z: np.ndarray) -> np.ndarray:
    """The shortest turn that brings the z axis to a unit vector."""
    w = 1.0 + float(z[2])
    return matrix_of([w, -z[1], z[0], 0.0]) if w > 1e-12 else np.diag([1.0, -1.0, -1.0])


def _about(axis: np.ndarray, angle: float) -> np.ndarray:
    """The turn by an angle about a unit vector."""
    return matrix_of([math.cos(0.5 * angle), *(math.sin(0.5 * angle) * axis)])
