"""Random mechanisms in a random consistent state, plane and space, trees and loops.

Bodies are thrown at random poses first; each joint is then fitted to them: its coordinates are drawn, and
`point_b` and `turn` are what the poses make them. So a loop closes exactly where it is, and a tree needs no
kinematics. Velocities are random ones projected on joints, couplings and drivers. One seed, one mechanism.

    mechanism = draw(np.random.default_rng(7), "spatial", n_bodies=5, loops=1)
    mechanism.model, mechanism.start, mechanism.t, mechanism.poses, mechanism.velocities
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from reference import (
    Dense,
    across,
    plane_turn,
    profile_value,
    quaternion,
    rotation,
    turned,
)
from routh.model import forces, joints, profiles
from routh.model.body import GROUND, Body
from routh.model.drivers import Driver
from routh.model.model import Model
from routh.model.state import State

KINDS = {
    "planar": {"Revolute": 2, "Prismatic": 2, "PinInSlot": 1, "Weld": 3},
    "spatial": {
        "Revolute": 5,
        "Prismatic": 5,
        "Cylindrical": 4,
        "Screw": 5,
        "Spherical": 3,
        "Universal": 4,
        "Planar": 3,
        "Weld": 6,
    },
}  # joint -> how many freedoms it takes
SINGULAR = 2e-3  # smallest singular value of J (unit rows) that still leaves 1e-9 of relative accuracy


def stiffening_line(t, length, rate, parameters):
    return parameters[0] * (length - parameters[1]) ** 3 + parameters[2] * rate


def stiffening_joint(t, coordinate, rate, parameters):
    return -parameters[0] * coordinate**3 - parameters[1] * rate


def drag_plane(t, pose, velocity, parameters, out):
    for i in range(3):
        out[i] = -parameters[0] * velocity[i] - parameters[1] * pose[i]


def drag_space(t, pose, velocity, parameters, out):
    for i in range(6):
        out[i] = -parameters[0] * velocity[i]
    for i in range(3):
        out[i] -= parameters[1] * pose[i]


@dataclass(repr=False)
class Mechanism:
    """A model, an instant, and a state of it that satisfies every constraint."""

    model: Model
    t: float
    poses: np.ndarray
    velocities: np.ndarray
    coordinates: dict  # "pin.angle" -> value
    rates: dict  # "pin.angle_rate" -> value
    recipe: str = ""  # the call that makes it again

    def __repr__(self):
        return self.recipe

    def _repr_pretty_(self, printer, cycle):  # what hypothesis prints
        printer.text(self.recipe)

    def dense(self):
        return Dense(self.model, self.poses, self.velocities, self.t, self.coordinates)

    def reference(self, near=None):
        """The dense solve; `near` counts full turns of angles where a start by poses leaves them open."""
        return Dense(self.model, self.poses, self.velocities, self.t, near or self.coordinates).solve()

    @property
    def start(self):
        """Every body; in a tree also the joints, which count full turns (in a loop one of them follows)."""
        return State({**self.start_by_bodies, **({} if self.closed else self.start_by_joints)})

    @property
    def closed(self):
        return any(j.name.startswith("loop") for j in self.model.joints)

    @property
    def start_by_joints(self):
        """Joint coordinates and rates; and the pose of one body of each group that floats."""
        entries = {}
        for path, value in {**self.coordinates, **self.rates}.items():
            joint, _, name = path.partition(".")
            entries.setdefault(joint, {})[name] = value
        for body in floating(self.model):
            entries[body] = self.body_entry(body)
        return State(entries)

    @property
    def start_by_bodies(self):
        """The pose and the velocity of every body, and nothing else."""
        return State({body.name: self.body_entry(body.name) for body in self.model.bodies})

    def body_entry(self, name):
        i = [b.name for b in self.model.bodies].index(name)
        p, V = self.poses[i], self.velocities[i]
        if self.model.space == "planar":
            return dict(zip(("x", "y", "theta", "vx", "vy", "omega"), (*p, *V), strict=True))
        return {
            "x": p[0],
            "y": p[1],
            "z": p[2],
            "q": tuple(p[3:]),
            "vx": V[0],
            "vy": V[1],
            "vz": V[2],
            "omega": tuple(V[3:]),
        }


def floating(model):
    """The first body of each group that no joint ties to the ground."""
    group = {GROUND: GROUND, **{b.name: b.name for b in model.bodies}}

    def root(name):
        while group[name] != name:
            name = group[name]
        return name

    for joint in model.joints:
        if isinstance(joint, joints.Joint) and not isinstance(joint, joints.Free | joints.Rod):
            group[root(joint.b)] = root(joint.a)
    first = {}
    for body in model.bodies:
        if root(body.name) != root(GROUND):
            first.setdefault(root(body.name), body.name)
    return list(first.values())


def unit(rng, size):
    v = rng.normal(size=size)
    while np.linalg.norm(v) < 0.1:
        v = rng.normal(size=size)
    return v / np.linalg.norm(v)


def random_body(rng, name, space):
    mass = rng.uniform(0.5, 3.0)
    if space == "planar":
        return Body(name, mass, rng.uniform(0.05, 0.4))
    # second moments of area make a tensor that obeys the triangle inequality
    a, b, c = rng.uniform(0.03, 0.25, size=3)
    principal = np.array([b + c, a + c, a + b])
    if rng.random() < 0.5:
        return Body(name, mass, tuple(principal))
    R = rotation(unit(rng, 4))
    tensor = R @ np.diag(principal) @ R.T
    return Body(name, mass, (0.5 * (tensor + tensor.T)).tolist())


def random_pose(rng, space):
    if space == "planar":
        return np.array([*rng.uniform(-0.7, 0.7, 2), rng.uniform(-1.5, 1.5)])
    return np.concatenate([rng.uniform(-0.7, 0.7, 3), unit(rng, 4)])


def place(poses, name):
    """Origin and axes of a body."""
    if name == GROUND:
        d = 2 if len(next(iter(poses.values()))) == 3 else 3
        return np.zeros(d), np.eye(d)
    p = poses[name]
    return (p[:2], plane_turn(p[2])) if len(p) == 3 else (p[:3], rotation(p[3:]))


def fit(rng, kind, name, a, b, poses, given=None):
    """A joint of this kind between a and b where they are, and its coordinates; `given` ones are kept."""
    (xa, Ra), (xb, Rb) = place(poses, a), place(poses, b)
    d = len(xa)
    point_a = rng.uniform(-0.5, 0.5, d)
    cls = getattr(joints, kind)
    if kind == "Rod":
        point_b = rng.uniform(-0.5, 0.5, d)
        length = np.linalg.norm(xb + Rb @ point_b - xa - Ra @ point_a)
        return cls(name, a, b, tuple(point_a), tuple(point_b), length=length), {}
    value = {
        c: rng.uniform(-0.4, 0.4) if c.startswith("shift") else rng.uniform(-2.5, 2.5)
        for c in cls.coordinates
        if not cls.speeds
    }
    value.update(given or {})
    away, extra = np.zeros(d), {}
    if d == 2:
        theta = {GROUND: 0.0, **{k: p[2] for k, p in poses.items()}}
        axis = unit(rng, 2)
        if "shift" in value:
            away, extra["axis"] = value["shift"] * axis, tuple(axis)
        extra["turn"] = theta[b] - theta[a] - value.get("angle", 0.0)
    else:
        axis = unit(rng, 3)
        u, w = across(axis)
        seen, spin = Ra.T @ Rb, turned(axis, value.get("angle", 0.0))
        if kind == "Universal":
            axis_b = unit(rng, 3)
            spin = turned(axis, value["angle1"])
            turn = spin.T @ seen @ turned(axis_b, -value["angle2"])
            while abs(turn @ axis_b @ axis) > 0.7:
                axis_b = unit(rng, 3)
                turn = spin.T @ seen @ turned(axis_b, -value["angle2"])
            extra = {"axis": tuple(axis), "axis_b": tuple(axis_b), "turn": tuple(quaternion(turn))}
        elif kind != "Spherical":
            extra["turn"] = tuple(quaternion(spin.T @ seen))
            if kind != "Weld":
                extra["axis"] = tuple(axis)
        if kind == "Planar":
            phase = rng.uniform(-3.0, 3.0)
            tangent = np.cos(phase) * u + np.sin(phase) * w
            away, extra["tangent"] = (
                value["shift1"] * tangent + value["shift2"] * np.cross(axis, tangent),
                tuple(tangent),
            )
        elif kind == "Screw":
            extra["pitch"] = rng.uniform(-0.2, 0.2)
            away = extra["pitch"] * value["angle"] * axis
        elif "shift" in value:
            away = value["shift"] * axis
    point_b = Rb.T @ (xa + Ra @ (point_a + away) - xb)
    return cls(name, a, b, tuple(point_a), tuple(point_b), **extra), value


def random_motion(rng, smooth=False):
    """A profile that may drive a coordinate, of moderate value and speed; without edges if `smooth`."""
    r = rng.uniform
    return [
        lambda: profiles.ConstantRate(r(-1, 1), r(-1, 1)),
        lambda: profiles.Sine(r(0.2, 0.8), r(0.1, 0.4), r(-3, 3), r(-0.5, 0.5)),
        lambda: profiles.Polynomial(tuple(r(-0.5, 0.5, 5)), r(-0.5, 0.5)),
        lambda: profiles.SmoothRamp(r(-1, 1), r(0.5, 2.0), r(-0.5, 0.3), r(-0.5, 0.5)),
        lambda: profiles.CubicStep(r(-0.5, 0.0), r(1.0, 2.0), r(-1, 1)),
        lambda: profiles.Table((-1.0, -0.2, 0.5, 1.1, 2.5), tuple(r(-0.6, 0.6, 5))),
    ][rng.integers(3 if smooth else 6)]()


def random_profile(rng):
    r = rng.uniform
    pulse = [
        profiles.Rectangle,
        profiles.Triangle,
        profiles.CubicPulse,
        profiles.Haversine,
        profiles.CubicStep,
    ]
    if rng.random() < 0.3:
        return profiles.Constant(r(0.5, 1.5))
    if rng.random() < 0.3:
        return random_motion(rng)
    return pulse[rng.integers(5)](r(-0.5, 0.5), r(0.5, 2.0), r(0.5, 1.5))


def scalar_coordinates(model):
    """Coordinates of the joints that make the tree."""
    return [
        f"{j.name}.{c}"
        for j in model.joints
        if isinstance(j, joints.Joint) and not j.speeds and not j.name.startswith("loop")
        for c in j.coordinates
    ]


def random_forces(rng, model, poses, conservative=False, laws=True, smooth=False, grounded=True):
    """One force of most kinds; only springs where energy is to stay, and where nothing outside may act."""
    d, names = model.dimension, [b.name for b in model.bodies]
    paths, r = scalar_coordinates(model), rng.uniform
    c = 0.0 if conservative else 1.0

    def two():
        return rng.permutation([GROUND, *names] if grounded else names)[:2].tolist()

    def profile():
        return random_motion(rng, smooth) if smooth else random_profile(rng)

    def vec(size=1.0):
        return tuple(r(-size, size, d))

    def path():
        return paths[rng.integers(len(paths))]

    def line():  # far apart: no zero length
        a, b = two()
        return {"a": a, "b": b, "point_a": tuple(2.0 * unit(rng, d)), "point_b": vec(0.3)}

    turns = (lambda s: r(0, s)) if d == 2 else (lambda s: tuple(np.full(3, r(0, s))))
    made = [forces.SpringDamper("spring", **line(), stiffness=r(0, 20), damping=c * r(0, 2), free_length=r(0, 1))]
    a, b = two()
    twist = np.trace(place(poses, a)[1].T @ place(poses, b)[1])
    if twist > (0.0 if d == 2 else 1.0):  # a quarter turn: what a bushing is made for
        made.append(
            forces.Bushing(
                "bush",
                a,
                b,
                vec(0.3),
                vec(0.3),
                stiffness=tuple(r(0, 10, d)),
                damping=tuple(c * r(0, 2, d)),
                rotation_stiffness=turns(3),
                rotation_damping=turns(2.0 * c),
            )
        )
    if paths:
        made.append(forces.JointSpring("coil", path(), stiffness=r(0, 5), damping=c * r(0, 1), free=r(-1, 1)))
    if conservative:
        return tuple(made)
    body = names[rng.integers(len(names))]
    made.append(forces.PointForce("push", body, vec(5.0), vec(0.5), profile(), bool(rng.random() < 0.5)))
    body = names[rng.integers(len(names))]
    made.append(forces.Torque("twist", body, r(-2, 2) if d == 2 else vec(2.0), profile(), bool(rng.random() < 0.5)))
    if paths:
        made.append(forces.JointFriction("rub", path(), coefficient=r(0, 1)))
    if laws and rng.random() < 0.3:
        made.append(forces.LineLaw("line_law", **line(), law=stiffening_line, parameters=(r(0, 3), r(0, 1), r(0, 1))))
        if paths:
            made.append(forces.JointLaw("joint_law", path(), law=stiffening_joint, parameters=(r(0, 1), r(0, 1))))
        made.append(forces.BodyLaw("drag", body, law=drag_plane if d == 2 else drag_space, parameters=(r(0, 1), r(0, 3))))
    return tuple(made)


def draw(
    rng,
    space,
    n_bodies=4,
    loops=0,
    kinds=None,
    drivers=0,
    couplings=0,
    rods=0,
    float_share=0.15,
    conservative=False,
    laws=True,
    load=True,
    speed=1.0,
    at=None,
    smooth=False,
    grounded=True,
    regular=SINGULAR,
    without=(),
):
    """A random mechanism, or None where the throw came out near a singular position.

    `kinds` lists the tree joints by name (drawn at random without it); a body hangs on the ground or on an
    earlier body, or floats. Loop joints take no more freedoms than there are to spare. `at` is the instant;
    `smooth` allows no edges in time; what is not `grounded` floats as a whole and feels nothing from outside.
    `regular` bounds the singular values of the constraints from below; joints `without` are not used.
    """
    names = [f"b{i}" for i in range(n_bodies)]
    poses = {name: random_pose(rng, space) for name in names}
    t = float(rng.uniform(0.0, 0.8)) if at is None else at
    ground = [GROUND] if grounded else []
    table = {k: c for k, c in KINDS[space].items() if k not in without}
    dof, made, value, driven = 0, [], {}, []
    per_body = 3 if space == "planar" else 6
    moving = [k for k in table if k != "Weld"]

    # the tree, each joint declared in either direction; drivers prescribe coordinates as the joints are made
    for i, name in enumerate(names):
        dof += per_body
        if (i == 0 and not grounded) or (kinds is None and grounded and rng.random() < float_share):
            if rng.random() < 0.5:
                made.append(joints.Free(f"j{i}", GROUND, name))
            continue
        kind = kinds[i] if kinds else ("Weld" if rng.random() < 0.05 else moving[rng.integers(len(moving))])
        parents = ground + names[:i]
        parent = parents[max(0, len(parents) - 1 - int(rng.integers(3)))]
        a, b = (parent, name) if rng.random() < 0.7 else (name, parent)
        given = {}
        cls = getattr(joints, kind)
        if len(driven) < drivers and cls.coordinates and not cls.speeds and rng.random() < 0.6:
            c = cls.coordinates[rng.integers(len(cls.coordinates))]
            motion = random_motion(rng, smooth)
            given[c] = profile_value(motion, t)[0]
            driven.append(Driver(f"motor{i}", f"j{i}.{c}", motion))
        joint, found = fit(rng, kind, f"j{i}", a, b, poses, given)
        made.append(joint)
        value.update({f"j{i}.{c}": x for c, x in found.items()})
        dof -= table[kind]
    dof -= len(driven)

    # couplings of coordinates nobody drives
    free = [p for p in value if p not in {d.coordinate for d in driven}]
    for i in range(couplings):
        if len(free) < 2 or dof < 2:
            break
        first, second = (free[k] for k in rng.permutation(len(free))[:2])
        ratio = rng.uniform(0.4, 2.5) * rng.choice([-1.0, 1.0])
        phase = value[second] - ratio * value[first]
        rack = second.split(".")[1].startswith("shift")
        made.append(
            joints.Rack(f"rack{i}", first, second, radius=ratio, phase=phase)
            if rack
            else joints.Gear(f"gear{i}", first, second, ratio=ratio, phase=phase)
        )
        free.remove(second)
        dof -= 1

    # loops
    def closes_well(extra):
        trial = Model(space, bodies, made + [extra], drivers=driven)
        s = Dense(trial, list(poses.values()), np.zeros((n_bodies, per_body)), t).singular_values()
        return len(s) < n_bodies * per_body and s[-1] > regular

    bodies = [random_body(rng, name, space) for name in names]
    for i in range(loops + rods):
        for _ in range(12):
            a, b = rng.permutation([*ground, *names])[:2].tolist()
            allowed = [k for k in table if table[k] < dof]
            if (i >= loops and dof < 2) or (i < loops and not allowed):
                break
            kind = "Rod" if i >= loops else allowed[rng.integers(len(allowed))]
            joint, found = fit(rng, kind, f"loop{i}", a, b, poses)
            if closes_well(joint):
                made.append(joint)
                value.update({f"loop{i}.{c}": x for c, x in found.items()})
                dof -= table.get(kind, 1)
                break
        else:
            return None

    order = rng.permutation(n_bodies)  # the order of declaration says nothing
    bodies, P = [bodies[k] for k in order], np.array([poses[names[k]] for k in order])
    shuffled = [made[k] for k in rng.permutation(len(made))]
    gravity = tuple(rng.uniform(-10, 10, 2 if space == "planar" else 3))
    model = Model(space, bodies, shuffled, drivers=driven, gravity=gravity if load and grounded else ())
    if load:
        model = model.replace({"forces": random_forces(rng, model, poses, conservative, laws, smooth, grounded)})
    V = speed * rng.normal(size=(n_bodies, per_body))
    dense = Dense(model, P, V, t, value)
    if np.abs(dense.phi).max(initial=0.0) > 1e-13 or dense.singular_values()[-1] < regular:
        return None
    V = dense.project(V)
    return settled(Mechanism(model, t, P, V, dict(value), {}))


def settled(mechanism):
    """The mechanism with the rates of its joints filled in."""
    dense = mechanism.dense()
    for joint in mechanism.model.joints:
        if joint.name not in dense.local:
            continue
        if isinstance(joint, joints.Spherical):
            _, Ra = space_of(dense, joint.a)
            _, Rb = space_of(dense, joint.b)
            q = quaternion(Ra.T @ Rb)
            w = Rb.T @ (dense.velocity(joint.b)[3:] - dense.velocity(joint.a)[3:])
            mechanism.coordinates.update({f"{joint.name}.{c}": x for c, x in zip(joint.coordinates, q, strict=True)})
            mechanism.rates.update({f"{joint.name}.{c}": x for c, x in zip(joint.speeds, w, strict=True)})
        for c, (_, rate, _) in dense.values[joint.name][1].items():
            mechanism.rates[f"{joint.name}.{c}_rate"] = float(rate)
    return mechanism


def space_of(dense, name):
    pose = dense.pose(name)
    return pose[:3], rotation(pose[3:])


def draw_until(seed, space, **wanted):
    """The first throw of this seed that is well conditioned."""
    for k in range(50):
        mechanism = draw(np.random.default_rng([seed, k]), space, **wanted)
        if mechanism is not None:
            given = "".join(f", {k}={v!r}" for k, v in wanted.items())
            mechanism.recipe = f"draw_until({seed}, {space!r}{given})"
            return mechanism
    raise AssertionError(f"seed {seed}: no well-conditioned mechanism in 50 throws")


@st.composite
def mechanisms(draw_one, space, loops=False, max_bodies=8, **wanted):
    """Hypothesis: structure is drawn (and shrinks); the numbers come of a drawn seed."""
    n = draw_one(st.integers(2 if loops else 1, max_bodies))
    kinds = draw_one(st.one_of(st.none(), st.lists(st.sampled_from(list(KINDS[space])), min_size=n, max_size=n)))
    spare = {"drivers": draw_one(st.integers(0, 2)), "couplings": draw_one(st.integers(0, 1))} | wanted
    if loops:
        spare = {"loops": draw_one(st.integers(1, 2)), "rods": draw_one(st.integers(0, 1))} | spare
    return draw_until(draw_one(st.integers(0, 2**31)), space, n_bodies=n, kinds=kinds, **spare)


def embedded(mechanism):
    """A planar mechanism as one of space, in the plane z = 0: revolutes about z, everything else flat."""
    model = mechanism.model
    up, names = (0.0, 0.0, 1.0), {}

    def flat(v):
        return (*v, 0.0) if len(v) else v

    def spun(angle):
        return (np.cos(0.5 * angle), 0.0, 0.0, np.sin(0.5 * angle))

    def path(p):
        return names.get(p, p)

    made, extra = [], []
    for j in model.joints:
        if isinstance(j, joints.Coupling):
            continue
        points = (j.name, j.a, j.b, flat(j.point_a), flat(j.point_b))
        turn = {"turn": spun(j.turn or 0.0)} if hasattr(j, "turn") else {}
        match j:
            case joints.Revolute():
                made.append(joints.Revolute(*points, axis=up, **turn))
            case joints.Prismatic():
                made.append(joints.Prismatic(*points, axis=flat(j.axis), **turn))
            case joints.PinInSlot():  # a planar joint whose second shift is held
                made.append(joints.Planar(*points, axis=up, tangent=flat(j.axis), **turn))
                extra.append(Driver(f"{j.name}_slot", f"{j.name}.shift2", profiles.Constant(0.0)))
                names[f"{j.name}.shift"] = f"{j.name}.shift1"
            case joints.Rod():
                made.append(joints.Rod(*points, length=j.length))
            case _:
                made.append(type(j)(*points, **turn))
    for j in model.joints:
        if isinstance(j, joints.Gear):
            made.append(joints.Gear(j.name, path(j.first), path(j.second), ratio=j.ratio, phase=j.phase))
        elif isinstance(j, joints.Rack):
            made.append(joints.Rack(j.name, path(j.first), path(j.second), radius=j.radius, phase=j.phase))
    loads = tuple(lifted_force(f, flat, path) for f in model.forces)
    lifted = Model(
        "spatial",
        [Body(b.name, b.mass, (0.6 * b.inertia, 0.7 * b.inertia, b.inertia)) for b in model.bodies],
        made,
        loads,
        [Driver(d.name, path(d.coordinate), d.motion) for d in model.drivers] + extra,
        flat(model.gravity),
    )
    P = np.array([[x, y, 0.0, *spun(th)] for x, y, th in mechanism.poses])
    V = np.array([[vx, vy, 0.0, 0.0, 0.0, w] for vx, vy, w in mechanism.velocities])
    value = {path(p): x for p, x in mechanism.coordinates.items()}
    value.update({f"{d.coordinate}": 0.0 for d in extra})
    return settled(Mechanism(lifted, mechanism.t, P, V, value, {}, f"embedded({mechanism.recipe})"))


def lifted_force(f, flat, path):
    match f:
        case forces.PointForce():
            return forces.PointForce(f.name, f.body, flat(f.force), flat(f.point), f.profile, f.follows)
        case forces.Torque():
            return forces.Torque(f.name, f.body, (0.0, 0.0, f.torque), f.profile, f.follows)
        case forces.SpringDamper():
            return forces.SpringDamper(
                f.name, f.a, f.b, flat(f.point_a), flat(f.point_b), f.stiffness, f.damping, f.free_length
            )
        case forces.LineLaw():
            return forces.LineLaw(f.name, f.a, f.b, flat(f.point_a), flat(f.point_b), f.law, f.parameters)
        case forces.JointSpring():
            return forces.JointSpring(f.name, path(f.coordinate), f.stiffness, f.damping, f.free)
        case forces.JointFriction():
            return forces.JointFriction(f.name, path(f.coordinate), f.coefficient)
        case forces.JointLaw():
            return forces.JointLaw(f.name, path(f.coordinate), f.law, f.parameters)
        case forces.Bushing():
            return forces.Bushing(
                f.name,
                f.a,
                f.b,
                flat(f.point_a),
                flat(f.point_b),
                flat(f.stiffness),
                flat(f.damping),
                (0.0, 0.0, f.rotation_stiffness),
                (0.0, 0.0, f.rotation_damping),
            )
    raise TypeError(f"{type(f).__name__} has no twin in space")


__all__ = ["KINDS", "Mechanism", "draw", "draw_until", "embedded", "mechanisms", "settled"]
