"""Random machines in the plane, and linkages with stops in space.

Where `random_scenes` throws bodies among obstacles, these have functions: a cam lifts a follower, a pawl falls into a
ratchet, a latch snaps, a pin rattles in its clearance, two gears have backlash, a linkage in space runs against its stops.
Sizes, speeds, laws and springs are drawn.

    machine = draw_machine(7)
    linkage = draw_linkage(7)
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

import routh as rt
from random_mechanisms import unit
from random_scenes import Scene, start_gaps
from routh import forces, joints, profiles, shapes
from routh.errors import ModelError, StateError

G = (0.0, -9.81)


def some_law(rng, bouncing=0.6):
    """A law of impact with friction."""
    kind = [rt.Newton, rt.Poisson, rt.Stronge][rng.integers(3)]
    mu = float(rng.choice([0.0, 0.1, 0.3, rng.uniform(0.0, 0.6)]))
    return kind(float(rng.choice([0.0, rng.uniform(0.0, bouncing)])), mu, 1.2 * mu if rng.random() < 0.2 else None)


def turned(corners, angle):
    c, s = math.cos(angle), math.sin(angle)
    return [(c * x - s * y, s * x + c * y) for x, y in corners]


def bar(name, mass, length):
    return rt.Body(name, mass, mass * length**2 / 12.0)


def cam(rng):
    """An eccentric disk, an ellipse or a triangle turns under a follower with a roller, a corner or a flat foot."""
    r, lift = rng.uniform(0.03, 0.06), rng.uniform(0.1, 0.5)
    axle = [shapes.Disk("cam", r, (lift * r, 0.0)), shapes.Ellipse("cam", (r, r * (1.0 - 0.5 * lift)), (0.2 * lift * r, 0.0)),
            shapes.Polygon("cam", turned([(r, 0.0), (-0.5 * r, 0.8 * r), (-0.5 * r, -0.8 * r)], rng.uniform(0.0, 6.0)))]
    wheel = axle[rng.integers(3)]
    foot = [shapes.Disk("follower", 0.4 * r, (0.0, 0.0)), shapes.Polygon("follower", [(0.0, 0.0), (0.2 * r, r), (-0.2 * r, r)]),
            shapes.Polygon("follower", [(-2.0 * r, 0.0), (2.0 * r, 0.0), (2.0 * r, 0.3 * r), (-2.0 * r, 0.3 * r)])]
    tappet = foot[rng.integers(3)]
    speed = rng.uniform(5.0, 80.0)
    height = (1.9 if tappet is not foot[0] else 2.3) * r
    model = rt.Model(
        space="planar", gravity=G, bodies=[rt.Body("cam", 0.5, 5e-4), rt.Body("follower", rng.uniform(0.05, 0.3), 1e-4)],
        joints=[joints.Revolute("axle", "ground", "cam"), joints.Prismatic("guide", "ground", "follower", axis=(0.0, 1.0))],
        forces=[forces.JointSpring("spring", "guide.shift", stiffness=rng.uniform(50.0, 2000.0), free=rng.uniform(0.0, r),
                                   damping=float(rng.choice([0.0, 0.5])))],
        drivers=[rt.Driver("motor", "axle.angle", profiles.ConstantRate(speed))] if rng.random() < 0.7 else [],
        contacts=[rt.Contact("lift", wheel, tappet, law=some_law(rng))])
    start = {"guide": {"shift": height}} | ({} if model.drivers else {"axle": {"angle_rate": speed}})
    return model, start, rng.uniform(2.0, 5.0) * 2.0 * math.pi / speed


def ratchet(rng):
    """A wheel with saw teeth turns under a pawl on a spring."""
    n, r = int(rng.integers(5, 12)), 0.1
    depth = rng.uniform(0.1, 0.25) * r
    corners = []
    for k in range(n):
        a = 2.0 * math.pi * k / n
        corners += [(r * math.cos(a), r * math.sin(a)),
                    ((r - depth) * math.cos(a + 0.9 * 2.0 * math.pi / n), (r - depth) * math.sin(a + 0.9 * 2.0 * math.pi / n))]
    corners.append(corners[0])
    wheel = shapes.Polyline("wheel", corners[::-1])  # what is free is on the left of a line that is walked
    tip = shapes.Disk("pawl", 0.08 * r, (-r, 0.0))
    model = rt.Model(
        space="planar", gravity=G, bodies=[rt.Body("wheel", 1.0, 5e-3), bar("pawl", 0.05, r)],
        joints=[joints.Revolute("axle", "ground", "wheel"), joints.Revolute("pivot", "ground", "pawl", point_a=(r, 1.2 * r))],
        forces=[forces.JointSpring("spring", "pivot.angle", stiffness=rng.uniform(0.1, 2.0), free=rng.uniform(0.2, 0.6))],
        contacts=[rt.Contact("tooth", wheel, tip, law=some_law(rng)),
                  rt.Stop("rest", "pivot.angle", lower=-1.0, upper=1.2, e=0.2)])
    speed = rng.uniform(2.0, 20.0) * rng.choice([-1.0, 1.0])
    return model, {"axle": {"angle_rate": speed}, "pivot": {"angle": rng.uniform(-0.6, 0.0)}}, 0.6


def latch(rng):
    """A bolt is thrown against a spring latch with a slope, and snaps behind it or bounces off."""
    a = rng.uniform(0.3, 0.9)
    hook = shapes.Polygon("latch", [(0.0, 0.0), (0.04, 0.0), (0.04, 0.02), (0.0, 0.02 - 0.03 * math.tan(0.5 * a))])
    nose = [(-0.03, -0.01), (0.0, -0.01), (0.012, 0.0), (0.0, 0.01), (-0.03, 0.01)]
    bolt = [shapes.Disk("bolt", 0.01), shapes.Polygon("bolt", nose)]
    model = rt.Model(
        space="planar", gravity=(0.0, 0.0),
        bodies=[rt.Body("latch", 0.05, 1e-5), rt.Body("bolt", rng.uniform(0.05, 0.5), 1e-5)],
        joints=[joints.Prismatic("up", "ground", "latch", axis=(0.0, 1.0), point_a=(0.0, -0.02)),
                joints.Prismatic("slot", "ground", "bolt", axis=(1.0, 0.0), point_a=(0.0, 0.002))],
        forces=[forces.JointSpring("spring", "up.shift", stiffness=rng.uniform(100.0, 3000.0), free=rng.uniform(0.0, 0.01))],
        contacts=[rt.Contact("snap", hook, bolt[rng.integers(2)], law=some_law(rng)),
                  rt.Stop("seat", "up.shift", lower=-0.03, upper=0.0, e=float(rng.choice([0.0, 0.3]))),
                  rt.Stop("wall", "slot.shift", lower=-0.12, upper=0.1, e=float(rng.choice([0.0, 0.5])))])
    return model, {"slot": {"shift": -0.06, "shift_rate": rng.uniform(0.3, 4.0)}}, 0.3


def clearance(rng):
    """A crank drives a rod by a pin with clearance in its eye."""
    gap, r = float(rng.choice([1e-4, 5e-4, 2e-3])), 0.01
    bulge = math.tan(math.pi / 12.0)  # of arcs over a sixth of a turn
    eye = [((r + gap) * math.cos(a) - 0.15, (r + gap) * math.sin(a)) for a in np.linspace(0.0, 2.0 * math.pi, 7)]
    hole = shapes.Polyline("rod", [*eye[:-1], eye[0]], (bulge,) * 6)
    pin = shapes.Disk("crank", r, (0.05, 0.0))
    speed = rng.uniform(5.0, 40.0)
    model = rt.Model(
        space="planar", gravity=G, bodies=[rt.Body("crank", 0.3, 2e-4), bar("rod", 0.2, 0.3), rt.Body("slider", 0.4, 1e-4)],
        joints=[joints.Revolute("axle", "ground", "crank"), joints.Prismatic("guide", "ground", "slider", axis=(1.0, 0.0)),
                joints.Revolute("wrist", "slider", "rod", point_b=(0.15, 0.0))],
        drivers=[rt.Driver("motor", "axle.angle", profiles.ConstantRate(speed))],
        contacts=[rt.Contact("pin", pin, hole, law=some_law(rng, 0.8))])
    return model, {"guide": {"shift": 0.35}}, rng.uniform(0.5, 2.0) * 2.0 * math.pi / speed


def gears(rng):
    """Two wheels with a few straight teeth and backlash; one is driven or spun."""
    r, n = 0.05, int(rng.integers(6, 10))
    height, width = 0.35 * r, rng.uniform(0.25, 0.38) * 2.0 * math.pi / n
    backlash = rng.uniform(0.02, 0.15) * r

    def teeth(name, phase):
        made = []
        for k in range(n):
            a = 2.0 * math.pi * k / n + phase
            flank = [(r, -0.5 * width), (r + height, -0.15 * width), (r + height, 0.15 * width), (r, 0.5 * width)]
            made.append(shapes.Polygon(name, [(q * math.cos(a + b), q * math.sin(a + b)) for q, b in flank]))
        return made

    apart = 2.0 * r + height + backlash
    driver, driven = teeth("driver", 0.0), teeth("driven", math.pi - math.pi / n)
    law = some_law(rng)
    pairs = [rt.Contact(f"t{i}_{j}", a, b, law) for i, a in enumerate(driver) for j, b in enumerate(driven)]
    model = rt.Model(
        space="planar", gravity=(0.0, 0.0),
        bodies=[rt.Body("driver", 0.5, 6e-4), rt.Body("driven", 0.5, rng.uniform(3e-4, 3e-3))],
        joints=[joints.Revolute("first", "ground", "driver"),
                joints.Revolute("second", "ground", "driven", point_a=(apart, 0.0))],
        forces=[forces.JointFriction("brake", "second.angle", coefficient=rng.uniform(0.0, 5e-3))][:int(rng.random() < 0.5)],
        contacts=pairs)
    return model, {"first": {"angle_rate": rng.uniform(3.0, 30.0)}, "second": {"angle_rate": rng.uniform(-3.0, 3.0)}}, 0.3


def escapement(rng):
    """An anchor on a pendulum stops and frees a wheel that is wound by a weight."""
    n, r = int(rng.integers(8, 14)), 0.05
    pins = [shapes.Disk("wheel", 0.03 * r, (r * math.cos(2.0 * math.pi * k / n), r * math.sin(2.0 * math.pi * k / n)))
            for k in range(n)]
    spread = 2.0 * math.pi / n * (n // 4 + 0.5)
    across, down, low = r * math.sin(0.5 * spread), r * math.cos(0.5 * spread), 0.1 - 1.5 * r
    pallets = [shapes.Capsule("anchor", (s * across, low + down), (1.25 * s * across, low + 1.15 * down), 0.02 * r)
               for s in (-1.0, 1.0)]
    law = some_law(rng, 0.3)
    model = rt.Model(
        space="planar", gravity=G, bodies=[rt.Body("wheel", 0.05, 5e-5), rt.Body("anchor", 0.2, 4e-4)],
        joints=[joints.Revolute("arbor", "ground", "wheel"),
                joints.Revolute("pivot", "ground", "anchor", point_a=(0.0, 1.5 * r), point_b=(0.0, 0.1))],
        forces=[forces.Torque("weight", "wheel", torque=rng.uniform(0.001, 0.01))],
        contacts=[rt.Contact(f"p{i}_{j}", pallet, pin, law) for i, pallet in enumerate(pallets) for j, pin in enumerate(pins)])
    return model, {"pivot": {"angle": rng.uniform(-0.3, 0.3)}, "arbor": {"angle": rng.uniform(0.0, 6.0)}}, 1.0


MACHINES = (cam, ratchet, latch, clearance, gears, escapement)


def joint_in_space(rng, name, a, b, at, length):
    """A joint with one to three freedoms between two bars."""
    kind = rng.integers(5)
    axis, points = tuple(unit(rng, 3)), {"point_a": at, "point_b": (-0.5 * length, 0.0, 0.0)}
    if kind == 0:
        return joints.Spherical(name, a, b, **points)
    if kind == 1:
        return joints.Prismatic(name, a, b, axis=axis, **points)
    return joints.Revolute(name, a, b, axis=axis, **points)


def linkage(rng):
    """A chain of bars in space; its joints have stops, its ends a rope, its bars capsules over a floor or a post."""
    n = int(rng.integers(2, 6))
    lengths = rng.uniform(0.2, 0.5, n)
    names = [f"bar{i}" for i in range(n)]
    bodies, made, more, start = [], [], [], {}
    for i, name in enumerate(names):
        m, length = rng.uniform(0.2, 1.0), lengths[i]
        bodies.append(rt.Body(name, m, (0.02 * m * length**2, m * length**2 / 12.0, m * length**2 / 12.0)))
        at = (0.0, 0.0, 1.0) if i == 0 else (0.5 * lengths[i - 1], 0.0, 0.0)
        joint = joint_in_space(rng, f"j{i}", "ground" if i == 0 else names[i - 1], name, at, length)
        made.append(joint)
        coordinate = next((k for k in joint.coordinates if k in ("angle", "shift")), None)
        if coordinate is not None:
            reach = 0.8 if coordinate == "angle" else 0.15
            start[f"j{i}"] = {coordinate: rng.uniform(-0.5, 0.5) * reach,
                              f"{coordinate}_rate": rng.normal() * (3.0 if reach > 0.5 else 0.5)}
            if rng.random() < 0.8:
                more.append(rt.Stop(f"stop{i}", f"j{i}.{coordinate}", lower=-reach, upper=reach,
                                    e=float(rng.choice([0.0, 0.5, 1.0, rng.uniform()]))))
    law = some_law(rng, 0.9)
    floor = shapes.HalfSpace("ground", (0.0, 0.0, 1.0), (0.0, 0.0, float(rng.choice([0.0, 0.4]))))
    post = shapes.Capsule("ground", (0.3, 0.3, -1.0), (0.3, 0.3, 2.0), 0.05)
    for i, name in enumerate(names):
        capsule = shapes.Capsule(name, (-0.4 * lengths[i], 0.0, 0.0), (0.4 * lengths[i], 0.0, 0.0), 0.02)
        for k, other in enumerate((floor, post)):
            if rng.random() < 0.5:
                more.append(rt.Contact(f"c{i}_{k}", capsule, other, law))
    if rng.random() < 0.4:
        more.append(rt.Rope("rope", "ground", names[-1], float(lengths.sum() * rng.uniform(0.7, 0.95)), point_a=(0.0, 0.0, 1.0),
                            e=float(rng.choice([0.0, 0.4]))))
    springs = [forces.JointSpring(f"s{i}", f"j{i}.angle", stiffness=rng.uniform(0.1, 3.0), damping=rng.uniform(0.0, 0.05))
               for i, j in enumerate(made) if "angle" in j.coordinates and rng.random() < 0.3]
    model = rt.Model(space="spatial", gravity=(0.0, 0.0, -9.81), bodies=bodies, joints=made, forces=springs, contacts=more,
                     impacts="simultaneous" if rng.random() < 0.2 and not isinstance(law, rt.Stronge) else "sequential")
    return model, start, 1.0


def _drawn(seed, kinds, space, tag):
    for k in range(60):
        rng = np.random.default_rng([seed, k, tag])
        try:
            model, start, t_end = kinds[seed % len(kinds)](rng)
            scene = Scene(model, rt.State(start), float(t_end), "")
            if not model.contacts or min(start_gaps(model, scene.start), default=1.0) < -1e-12:
                continue
        except (StateError, ModelError):
            continue
        name = "draw_machine" if space == "planar" else "draw_linkage"
        return replace(scene, recipe=f"{name}({seed})")
    raise AssertionError(f"seed {seed}: bodies overlap in 60 throws")


def draw_machine(seed, space="planar"):
    """The first machine of this seed whose parts start apart."""
    return _drawn(seed, MACHINES, space, 2)


def draw_linkage(seed, space="spatial"):
    """The first linkage of this seed whose parts start apart."""
    return _drawn(seed, (linkage,), space, 3)


__all__ = ["draw_linkage", "draw_machine"]
