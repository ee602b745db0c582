"""Reads a Result back into maximal coordinates, so that the reference can look at it."""

import numpy as np

from reference import Dense
from routh.model import joints

POSE = {"planar": ("x", "y", "theta"), "spatial": ("x", "y", "z", "qw", "qx", "qy", "qz")}
VELOCITY = {"planar": ("vx", "vy", "omega"), "spatial": ("vx", "vy", "vz", "wx", "wy", "wz")}
ACCELERATION = {
    "planar": ("ax", "ay", "alpha"),
    "spatial": ("ax", "ay", "az", "alphax", "alphay", "alphaz"),
}


def table(result, model, names, i):
    return np.array([[result[f"{body.name}.{c}"][i] for c in names[model.space]] for body in model.bodies])


def poses(result, model, i=-1):
    return table(result, model, POSE, i)


def velocities(result, model, i=-1):
    return table(result, model, VELOCITY, i)


def accelerations(result, model, i=-1):
    return table(result, model, ACCELERATION, i)


def wrenches(result, model, i=-1):
    """Reaction force and moment of every joint, by name."""
    found = {}
    for joint in model.joints:
        if isinstance(joint, joints.Rod):
            moment = 0.0 if model.space == "planar" else np.zeros(3)
        elif isinstance(joint, joints.Free | joints.Coupling):
            continue
        else:
            moment = result[f"{joint.name}.reaction_moment"][i]
        found[joint.name] = np.concatenate([result[f"{joint.name}.reaction"][i], np.atleast_1d(moment)])
    return found


def multipliers(result, model, i=-1):
    """Forces of drivers and couplings, by name."""
    couplings = [j for j in model.joints if isinstance(j, joints.Coupling)]
    return {e.name: float(result[f"{e.name}.force"][i]) for e in (*couplings, *model.drivers)}


def coordinates(result, model, i=-1):
    """Every joint coordinate that is a number of its own, by path."""
    found = {}
    for joint in model.joints:
        if isinstance(joint, joints.Joint) and not joint.speeds:
            found.update({f"{joint.name}.{c}": float(result[f"{joint.name}.{c}"][i]) for c in joint.coordinates})
    return found


def dense(result, model, i=-1):
    """The reference at sample i."""
    near = coordinates(result, model, i)
    return Dense(model, poses(result, model, i), velocities(result, model, i), float(result.t[i]), near)
