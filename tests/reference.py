"""Accelerations and reactions by one dense solve in maximal coordinates: the check of the recursions.

Nothing here calls the code under test: a Model is read as a declaration, and every body has its own pose
and velocity. A joint is a set of functions that vanish, written from the table of `routh.model.joints`; their
time derivatives are exact: they are evaluated on second-order Taylor polynomials in time (`Jet`).

    M A = h + Jᵀ λ,   J A = γ,   γ = -Φ̈ at A = 0        A = accelerations of all bodies, world axes

Poses are (n, 3) rows x, y, theta in the plane and (n, 7) rows x, y, z, qw, qx, qy, qz in space; velocities
are (n, 3) rows vx, vy, omega and (n, 6) rows v, omega in world axes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot

import numpy as np

from routh.model import forces, joints

SPIN = np.array([[0.0, -1.0], [1.0, 0.0]])  # a quarter turn of the plane
RANK = 1e-9  # singular values below this share of the largest mean a redundant row


class Jet:
    """A quantity and its first and second time derivative; arrays with a leading batch axis."""

    __slots__ = ("a", "v", "x")

    def __init__(self, x, v=0.0, a=0.0):
        self.x = np.asarray(x, float)
        self.v = np.broadcast_to(v, self.x.shape) if np.ndim(v) == 0 else v
        self.a = np.broadcast_to(a, self.x.shape) if np.ndim(a) == 0 else a

    def __add__(self, other):
        o = jet(other)
        return Jet(self.x + o.x, self.v + o.v, self.a + o.a)

    def __sub__(self, other):
        return self + (-1.0) * jet(other)

    def __mul__(self, other):
        return bilinear(np.multiply, self, other)

    __radd__, __rmul__ = __add__, __mul__

    def __getitem__(self, key):
        return Jet(self.x[key], self.v[key], self.a[key])

    def apply(self, f, df, ddf):
        """f(self) for a scalar function with its two derivatives, all given as values."""
        return Jet(f, df * self.v, ddf * self.v**2 + df * self.a)


def jet(x):
    return x if isinstance(x, Jet) else Jet(x)


def bilinear(f, p, q):
    """The product f(p, q) by Leibniz' rule."""
    p, q = jet(p), jet(q)
    return Jet(f(p.x, q.x), f(p.v, q.x) + f(p.x, q.v), f(p.a, q.x) + 2.0 * f(p.v, q.v) + f(p.x, q.a))


def apply(R, x):
    return bilinear(lambda A, b: np.einsum("...ij,...j->...i", A, b), R, x)


def apply_back(R, x):
    return bilinear(lambda A, b: np.einsum("...ji,...j->...i", A, b), R, x)


def compose_back(R, S):
    return bilinear(lambda A, B: np.einsum("...ki,...kj->...ij", A, B), R, S)


def compose(R, S):
    return bilinear(lambda A, B: np.einsum("...ij,...jk->...ik", A, B), R, S)


def dot(x, y):
    return bilinear(lambda a, b: np.einsum("...i,...i->...", a, b), x, y)


def norm(x):
    square = dot(x, x)
    r = np.sqrt(square.x)
    return square.apply(r, 0.5 / r, -0.25 / r**3)


def angle_of(y, x):
    """atan2(y, x)."""
    square = x.x**2 + y.x**2
    rate = (x.x * y.v - y.x * x.v) / square
    return Jet(
        np.arctan2(y.x, x.x),
        rate,
        (x.x * y.a - y.x * x.a) / square - 2.0 * rate * (x.x * x.v + y.x * y.v) / square,
    )


def stack(*parts):
    """One jet of shape (batch, rows) from scalars and vectors."""
    wide = [p if p.x.ndim == 2 else p[:, None] for p in parts]
    return Jet(*(np.concatenate([np.broadcast_to(getattr(p, s), p.x.shape) for p in wide], axis=1) for s in "xva"))


def cross_matrix(w):
    """The matrix of w × ..., batched."""
    zero = np.zeros_like(w[..., 0])
    return np.stack(
        [
            np.stack([zero, -w[..., 2], w[..., 1]], -1),
            np.stack([w[..., 2], zero, -w[..., 0]], -1),
            np.stack([-w[..., 1], w[..., 0], zero], -1),
        ],
        -2,
    )


def rotation(q):
    """The matrix of the unit quaternion (w, x, y, z): from the turned frame to the frame it is seen from."""
    w, x, y, z = np.asarray(q, float) / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion(R):
    """The unit quaternion of a rotation matrix, w >= 0."""
    K = np.array(
        [
            [R[0, 0] - R[1, 1] - R[2, 2], 0, 0, 0],
            [R[0, 1] + R[1, 0], R[1, 1] - R[0, 0] - R[2, 2], 0, 0],
            [R[0, 2] + R[2, 0], R[1, 2] + R[2, 1], R[2, 2] - R[0, 0] - R[1, 1], 0],
            [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1], np.trace(R)],
        ]
    )
    x, y, z, w = np.linalg.eigh(K)[1][:, -1]  # eigh reads the lower triangle
    return np.array([w, x, y, z]) * (1.0 if w >= 0.0 else -1.0)


def turned(axis, angle):
    """The rotation matrix about a unit axis."""
    K = cross_matrix(np.asarray(axis, float))
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K


def plane_turn(angle):
    return np.cos(angle) * np.eye(2) + np.sin(angle) * SPIN


def across(axis):
    """Unit vectors u, w with u × w = axis."""
    axis = np.asarray(axis, float)
    u = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    u /= np.linalg.norm(u)
    return u, np.cross(axis, u)


@dataclass
class Frame:
    """Where a body is: origin, axes, and in the plane its angle."""

    p: Jet
    R: Jet
    theta: Jet | None = None

    def at(self, point):
        return self.p + apply(self.R, np.asarray(point, float))


def frame(pose, V):
    """The body at `pose` with the batch of velocities V (batch, d) and no acceleration."""
    n = V.shape[0]

    def many(x):
        return np.broadcast_to(x, (n, *np.shape(x)))

    if len(pose) == 3:
        R, w = plane_turn(pose[2]), V[:, 2, None, None]
        return Frame(
            Jet(many(pose[:2]), V[:, :2]),
            Jet(many(R), w * (SPIN @ R), -w * w * R),
            Jet(many(pose[2]), V[:, 2]),
        )
    R, W = rotation(pose[3:]), cross_matrix(V[:, 3:])
    return Frame(Jet(many(pose[:3]), V[:, :3]), Jet(many(R), W @ R, W @ W @ R))


def point(x, d):
    return np.asarray(x if len(x) else (0.0,) * d, float)


def geometry(joint, A, B, near=None):
    """(rows that vanish, coordinates by name) of a joint between the frames A and B."""
    d = A.p.x.shape[1]
    away = apply_back(A.R, B.at(point(joint.point_b, d)) - A.at(point(joint.point_a, d)))  # in the axes of a
    kind = type(joint).__name__
    if kind == "Rod":
        return norm(away) - joint.length, {}
    rows, coordinates = (plane_geometry if d == 2 else space_geometry)(kind, joint, A, B, away)
    for name, value in coordinates.items():
        if d == 3 and near and name.startswith("angle") and f"{joint.name}.{name}" in near:
            turns = np.round((near[f"{joint.name}.{name}"] - value.x[0]) / (2.0 * np.pi))
            coordinates[name] = value + 2.0 * np.pi * turns
    if kind == "Screw":  # after the full turns have been counted
        rows = stack(rows, dot(away, np.asarray(joint.axis)) - joint.pitch * coordinates["angle"])
    return rows, coordinates


def plane_geometry(kind, joint, A, B, away):
    angle = B.theta - A.theta - (getattr(joint, "turn", None) or 0.0)
    if kind == "Revolute":
        return away, {"angle": angle}
    if kind == "Weld":
        return stack(away, angle), {}
    along = np.asarray(joint.axis)
    if kind == "Prismatic":
        return stack(dot(away, SPIN @ along), angle), {"shift": dot(away, along)}
    assert kind == "PinInSlot", kind
    return stack(dot(away, SPIN @ along)), {"shift": dot(away, along), "angle": angle}


def space_geometry(kind, joint, A, B, away):
    seen = compose_back(A.R, B.R)  # b seen from a
    if kind == "Spherical":
        return away, {}
    turn = getattr(joint, "turn", None)
    T = np.eye(3) if turn is None else rotation(turn)
    moved = compose(seen, T.T)  # the identity where the coordinates are zero
    skew = 0.5 * stack(moved[:, 2, 1] - moved[:, 1, 2], moved[:, 0, 2] - moved[:, 2, 0], moved[:, 1, 0] - moved[:, 0, 1])
    if kind == "Weld":
        return stack(away, skew), {}
    axis = np.asarray(joint.axis)
    if kind == "Universal":
        second, zero = apply(seen, np.asarray(joint.axis_b)), T @ np.asarray(joint.axis_b)
        first, start = apply_back(seen, axis), T.T @ axis
        angles = {
            "angle1": swing(second, zero, axis),
            "angle2": swing(first, start, -np.asarray(joint.axis_b)),
        }
        return stack(away, dot(second, axis) - zero @ axis), angles
    u, w = across(axis)
    tilt = apply(moved, axis)
    tilts = stack(dot(tilt, u), dot(tilt, w))
    spun = apply(moved, u)
    angle, shift = angle_of(dot(spun, w), dot(spun, u)), dot(away, axis)
    offsets = stack(dot(away, u), dot(away, w))
    if kind == "Revolute":
        return stack(away, tilts), {"angle": angle}
    if kind == "Prismatic":
        return stack(offsets, skew), {"shift": shift}
    if kind == "Cylindrical":
        return stack(offsets, tilts), {"shift": shift, "angle": angle}
    if kind == "Screw":
        return stack(offsets, tilts), {"angle": angle}
    assert kind == "Planar", kind
    tangent = u if joint.tangent is None else np.asarray(joint.tangent)
    slides = {"shift1": dot(away, tangent), "shift2": dot(away, np.cross(axis, tangent))}
    return stack(shift, tilts), {**slides, "angle": angle}


def swing(moved, start, axis):
    """The angle about `axis` from the fixed vector `start` to the moved one."""
    u = start - axis * (axis @ start)
    return angle_of(dot(moved, np.cross(axis, u)), dot(moved, u))


def profile_value(profile, t):
    """Value, rate and second derivative of a profile, from its docstring's formula where it has one."""
    kind = type(profile).__name__
    if kind == "Constant":
        return profile.value, 0.0, 0.0
    if kind == "ConstantRate":
        return profile.offset + profile.rate * t, profile.rate, 0.0
    if kind == "Sine":
        w = 2.0 * np.pi * profile.frequency
        s, c = (
            profile.amplitude * np.sin(w * t + profile.phase),
            profile.amplitude * np.cos(w * t + profile.phase),
        )
        return profile.offset + s, w * c, -w * w * s
    if kind == "Polynomial":
        p = np.polynomial.Polynomial(profile.coefficients)
        return tuple(float(q(t - profile.start)) for q in (p, p.deriv(1), p.deriv(2)))
    if kind == "SmoothRamp":
        s = np.clip((t - profile.start) / profile.ramp_time, 0.0, 1.0)
        after = max(t - profile.start - profile.ramp_time, 0.0)
        return (
            profile.offset + profile.rate * (profile.ramp_time * (s**3 - 0.5 * s**4) + after),
            profile.rate * s * s * (3.0 - 2.0 * s),
            profile.rate * 6.0 * s * (1.0 - s) / profile.ramp_time,
        )
    if kind == "Table":
        from scipy.interpolate import CubicSpline

        spline = CubicSpline(profile.times, profile.values, bc_type=profile.ends)
        return tuple(float(spline(t, k)) for k in range(3))
    s = (t - profile.start) / profile.width
    if kind == "CubicStep":
        s = np.clip(s, 0.0, 1.0)
        return tuple(
            profile.height
            * np.array(
                [
                    s * s * (3 - 2 * s),
                    6 * s * (1 - s) / profile.width,
                    (6 - 12 * s) / profile.width**2 if 0 < s < 1 else 0.0,
                ]
            )
        )
    inside = 0.0 <= s < 1.0  # the pulses serve forces only: their value is enough
    rise = 1.0 - abs(2.0 * s - 1.0)
    shape = {
        "Rectangle": 1.0,
        "Triangle": rise,
        "CubicPulse": rise * rise * (3.0 - 2.0 * rise),
        "Haversine": 0.5 * (1.0 - np.cos(2.0 * np.pi * s)),
    }[kind]
    return profile.height * shape * inside, np.nan, np.nan


@dataclass
class Solution:
    """What the dense solve gives. Wrenches: force then moment about point_b on body b, world axes."""

    accelerations: np.ndarray  # (n, d)
    reactions: dict = field(default_factory=dict)  # joint name -> wrench (d,)
    forces: dict = field(default_factory=dict)  # driver, coupling and force names -> number; rods -> tension
    coordinates: dict = field(default_factory=dict)  # "pin.angle" -> (value, rate, acceleration)
    redundant: int = 0
    condition: float = 1.0  # of the rows that count, scaled by the masses
    kinetic: float = 0.0
    potential: float = 0.0
    power: dict = field(default_factory=dict)  # applied, dissipated, drive


class Dense:
    """A Model in maximal coordinates at one instant."""

    def __init__(self, model, poses, velocities, t=0.0, near=None):
        self.model, self.t, self.near = model, t, near
        self.index = {body.name: i for i, body in enumerate(model.bodies)}
        self.d = 3 if model.space == "planar" else 6
        self.poses, self.V = np.asarray(poses, float), np.asarray(velocities, float)
        self.n = len(model.bodies)
        self.local = {}  # joint -> (J of rows, {coordinate: J}) for velocities of a and b, ground included
        self.values = {}  # joint -> (rows, coordinates) along the actual motion
        for joint in model.joints:
            if isinstance(joint, joints.Joint) and not isinstance(joint, joints.Free):
                self._differentiate(joint)
        self._collect_rows()

    def pose(self, name):
        rest = (0.0, 0.0, 0.0) if self.d == 3 else (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
        return self.poses[self.index[name]] if name in self.index else np.array(rest)

    def velocity(self, name):
        return self.V[self.index[name]] if name in self.index else np.zeros(self.d)

    def frames(self, a, b):
        """Frames of two bodies, batched: the actual motion, then unit velocities of a and of b."""
        d = self.d
        V = np.zeros((1 + 2 * d, 2 * d))
        V[0] = np.concatenate([self.velocity(a), self.velocity(b)])
        V[1:] = np.eye(2 * d)
        return frame(self.pose(a), V[:, :d]), frame(self.pose(b), V[:, d:])

    def spread(self, a, b, J):
        """Columns for the velocities of all bodies from those for a and b (rows, 2 d)."""
        full = np.zeros((J.shape[0], self.n * self.d))
        for k, name in enumerate((a, b)):
            if name in self.index:
                i = self.index[name] * self.d
                full[:, i : i + self.d] += J[:, k * self.d : (k + 1) * self.d]
        return full

    def _differentiate(self, joint):
        rows, coordinates = geometry(joint, *self.frames(joint.a, joint.b), self.near)
        rows = stack(rows)
        self.local[joint.name] = rows.v[1:].T, {c: y.v[1:][None, :] for c, y in coordinates.items()}
        self.values[joint.name] = (
            (rows.x[0], rows.v[0], rows.a[0]),
            {c: (y.x[0], y.v[0], y.a[0]) for c, y in coordinates.items()},
        )

    def coordinate(self, path):
        """(value, rate, second derivative at A = 0, row of J, joint) of a joint coordinate."""
        joint, k = self.model.coordinate("reference", path)
        name = joint.coordinates[k]
        J = self.spread(joint.a, joint.b, self.local[joint.name][1][name])[0]
        return (*self.values[joint.name][1][name], J, joint, name)

    def _collect_rows(self):
        """Φ, Φ̇, γ, J and whose rows they are."""
        phi, rate, bias, J, self.owner = [], [], [], [], []
        for joint in self.model.joints:
            if isinstance(joint, joints.Coupling):
                x1, v1, a1, J1, *_ = self.coordinate(joint.first)
                x2, v2, a2, J2, *_ = self.coordinate(joint.second)
                r = joint.factor()
                add = ([x2 - r * x1 - joint.phase], [v2 - r * v1], [a2 - r * a1], (J2 - r * J1)[None, :])
            elif joint.name in self.local:
                add = (*self.values[joint.name][0], self.spread(joint.a, joint.b, self.local[joint.name][0]))
            else:
                continue
            self._append(joint.name, add, phi, rate, bias, J)
        for driver in self.model.drivers:
            x, v, a, Jx, _, name = self.coordinate(driver.coordinate)
            f, df, ddf = profile_value(driver.motion, self.t)
            gap = x - f
            if name.startswith("angle") and self.d == 6 and self.near is None:
                gap -= 2.0 * np.pi * np.round(gap / (2.0 * np.pi))
            self._append(driver.name, ([gap], [v - df], [a - ddf], Jx[None, :]), phi, rate, bias, J)
        wide = self.n * self.d
        self.phi, self.phi_rate, self.bias = (np.concatenate([*x, []]) for x in (phi, rate, bias))
        self.J = np.concatenate([*J, np.zeros((0, wide))])

    def _append(self, name, add, *lists):
        self.owner += [name] * len(add[0])
        for part, into in zip(add, lists, strict=True):
            into.append(np.asarray(part, float))

    def mass(self):
        """The mass matrix, block by block (n, d, d), world axes."""
        M = np.zeros((self.n, self.d, self.d))
        for i, body in enumerate(self.model.bodies):
            k = self.d // 2 if self.d == 6 else 2
            M[i, :k, :k] = body.mass * np.eye(k)
            if self.d == 3:
                M[i, 2, 2] = body.inertia
            else:
                R = rotation(self.poses[i, 3:])
                M[i, 3:, 3:] = R @ body.inertia_matrix() @ R.T
        return M

    def solve(self):
        """Accelerations, reactions, energies and powers."""
        M = self.mass()
        loads = Loads(self)
        h = loads.wrench.copy()
        if self.d == 6:
            for i in range(self.n):
                w = self.V[i, 3:]
                h[i, 3:] -= np.cross(w, M[i, 3:, 3:] @ w)

        # scale by the Cholesky factor of M: the condition of J alone, not of the masses, decides the accuracy
        L = np.linalg.cholesky(M)
        wide = self.n * self.d
        inverse = np.zeros((wide, wide))
        for i in range(self.n):
            s = slice(i * self.d, (i + 1) * self.d)
            inverse[s, s] = np.linalg.inv(L[i])
        scaled, push = self.J @ inverse.T, inverse @ h.ravel()
        U, S, Wt = np.linalg.svd(scaled, full_matrices=False)
        keep = S > RANK * S.max(initial=0.0)
        need = (U.T @ (-self.bias - scaled @ push))[keep]
        A = inverse.T @ (push + Wt[keep].T @ (need / S[keep]))
        self.multipliers = U[:, keep] @ (need / S[keep] ** 2)

        out = Solution(
            A.reshape(self.n, self.d),
            redundant=int((~keep).sum()) + max(len(self.phi) - wide, 0),
            condition=float(S[keep].max(initial=1.0) / S[keep].min(initial=1.0)),
        )
        out.forces.update(loads.channels)
        self._share_out(out)
        out.kinetic = 0.5 * float(np.einsum("ni,nij,nj", self.V, M, self.V))
        out.potential, out.power = loads.potential, dict(loads.power)
        out.power["drive"] = sum(out.forces[d.name] * profile_value(d.motion, self.t)[1] for d in self.model.drivers)
        for joint in self.local:
            for c, (x, v, a) in self.values[joint][1].items():
                path = f"{joint}.{c}"
                out.coordinates[path] = x, v, a + float(self.coordinate(path)[3] @ A)
        return out

    def _share_out(self, out):
        """Multipliers into reactions, driver forces and coupling forces."""
        owner = np.array(self.owner)
        for name in dict.fromkeys(self.owner):
            lam = self.multipliers[owner == name]
            if name not in self.local:
                out.forces[name] = float(lam[0])
                continue
            joint = self.model[name]
            wrench = self.local[name][0][:, self.d :].T @ lam  # on b about its mass centre
            out.reactions[name] = self.at_point_b(joint, wrench)
            if isinstance(joint, joints.Rod):
                out.forces[name] = -float(lam[0])

    def at_point_b(self, joint, wrench):
        """The wrench on b moved from its mass centre to point_b."""
        pose = self.pose(joint.b)
        if self.d == 3:
            arm = plane_turn(pose[2]) @ point(joint.point_b, 2)
            return np.array([*wrench[:2], wrench[2] - (arm[0] * wrench[1] - arm[1] * wrench[0])])
        arm = rotation(pose[3:]) @ point(joint.point_b, 3)
        return np.concatenate([wrench[:3], wrench[3:] - np.cross(arm, wrench[:3])])

    def project(self, V):
        """The velocities nearest to V that satisfy every joint, coupling and driver."""
        V = np.asarray(V, float).ravel()
        drift = self.J @ V - (self.J @ self.V.ravel() - self.phi_rate)
        return (V - np.linalg.pinv(self.J, rcond=RANK) @ drift).reshape(self.n, self.d)

    def singular_values(self):
        """Of J with rows scaled to length one: how far from a singular position."""
        if not len(self.J):
            return np.ones(1)
        return np.linalg.svd(self.J / np.linalg.norm(self.J, axis=1)[:, None], compute_uv=False)


class Loads:
    """Applied forces as wrenches at the mass centres, with their energies, powers and channels."""

    def __init__(self, dense):
        self.at = dense
        self.wrench = np.zeros((dense.n, dense.d))
        self.potential, self.power, self.channels = 0.0, {"applied": 0.0, "dissipated": 0.0}, {}
        g = np.asarray(dense.model.gravity)
        for i, body in enumerate(dense.model.bodies):
            self.wrench[i, : len(g)] += body.mass * g
            self.potential -= body.mass * float(g @ dense.poses[i, : len(g)])
        for load in dense.model.forces:
            for kind, act in (
                (forces.LineForce, self._line),
                (forces.JointForce, self._joint),
                (forces.PointForce, self._point),
                (forces.Torque, self._torque),
                (forces.Bushing, self._bushing),
                (forces.BodyLaw, self._body_law),
            ):
                if isinstance(load, kind):
                    act(load)

    def _axes(self, name):
        pose = self.at.pose(name)
        return plane_turn(pose[2]) if self.at.d == 3 else rotation(pose[3:])

    def _push(self, name, arm, force, moment=0.0):
        """A force at `arm` from the mass centre (world axes) and a moment; returns its power."""
        if name not in self.at.index:
            return 0.0
        turn = arm[0] * force[1] - arm[1] * force[0] if self.at.d == 3 else np.cross(arm, force)
        wrench = np.concatenate([force, np.atleast_1d(turn + moment)])
        self.wrench[self.at.index[name]] += wrench
        return float(wrench @ self.at.velocity(name))

    def _point(self, load):
        R, size = self._axes(load.body), self.at.d // 2 + self.at.d % 2
        force = np.asarray(load.force) * profile_value(load.profile, self.at.t)[0]
        arm = R @ point(load.point, size)
        self.power["applied"] += self._push(load.body, arm, R @ force if load.follows else force)

    def _torque(self, load):
        factor, zero = profile_value(load.profile, self.at.t)[0], np.zeros(2 if self.at.d == 3 else 3)
        torque = np.asarray(load.torque) * factor
        if load.follows and self.at.d == 6:
            torque = self._axes(load.body) @ torque
        self.power["applied"] += self._push(load.body, zero, zero, torque)

    def _body_law(self, load):
        out = np.zeros(self.at.d)
        i = self.at.index[load.body]
        load.law(self.at.t, self.at.poses[i], self.at.V[i], np.asarray(load.parameters), out)
        self.wrench[i] += out
        self.power["applied"] += float(out @ self.at.V[i])

    def _line(self, load):
        A, B = self.at.frames(load.a, load.b)
        size = A.p.x.shape[1]
        a, b = A.at(point(load.point_a, size)), B.at(point(load.point_b, size))
        away = b - a
        length = norm(away)
        x, v = float(length.x[0]), float(length.v[0])
        if isinstance(load, forces.SpringDamper):
            stretch = x - load.free_length
            tension = load.stiffness * stretch + load.damping * v
            self.potential += 0.5 * load.stiffness * stretch**2
            self.power["dissipated"] += load.damping * v * v
        else:
            tension = load.law(self.at.t, x, v, np.asarray(load.parameters))
            self.power["applied"] -= tension * v
        pull = tension * away.x[0] / x
        self._push(load.a, (a - A.p).x[0], pull)
        self._push(load.b, (b - B.p).x[0], -pull)
        self.channels[load.name] = tension
        self.channels[f"{load.name}.length"] = x

    def _joint(self, load):
        x, v, _, J, *_ = self.at.coordinate(load.coordinate)
        if isinstance(load, forces.JointSpring):
            Q = -load.stiffness * (x - load.free) - load.damping * v
            self.potential += 0.5 * load.stiffness * (x - load.free) ** 2
            self.power["dissipated"] += load.damping * v * v
        elif isinstance(load, forces.JointFriction):
            Q = -load.coefficient * v
            self.power["dissipated"] += load.coefficient * v * v
        else:
            Q = load.law(self.at.t, x, v, np.asarray(load.parameters))
            self.power["applied"] += Q * v
        self.wrench += Q * J.reshape(self.wrench.shape)
        self.channels[load.name] = Q

    def _bushing(self, load):
        A, B = self.at.frames(load.a, load.b)
        size = A.p.x.shape[1]
        b = B.at(point(load.point_b, size))
        away = apply_back(A.R, b - A.at(point(load.point_a, size)))
        k, c = (point(x, size) for x in (load.stiffness, load.damping))
        Ra = self._axes(load.a)
        force = Ra @ (k * away.x[0] + c * away.v[0])
        if size == 2:
            turn, spin = (B.theta - A.theta).x[0], (B.theta - A.theta).v[0]
            axes = 1.0
        else:
            turn, axes = rotation_vector(Ra.T @ self._axes(load.b)), Ra
            spin = Ra.T @ (self.at.velocity(load.b)[3:] - self.at.velocity(load.a)[3:])
        kr, cr = np.asarray(load.rotation_stiffness), np.asarray(load.rotation_damping)
        moment = np.dot(axes, kr * turn + cr * spin)
        self._push(load.b, (b - B.p).x[0], -force, -moment)
        self._push(load.a, (b - A.p).x[0], force, moment)  # at the same point of space: no net moment
        self.potential += 0.5 * float(k @ away.x[0] ** 2 + np.sum(kr * turn**2))
        self.power["dissipated"] += float(c @ away.v[0] ** 2 + np.sum(cr * spin**2))


def rotation_vector(R):
    """Axis times angle of a rotation matrix, angle below half a turn."""
    q = quaternion(R)
    s = hypot(*q[1:])
    return 2.0 * q[1:] if s < 1e-12 else 2.0 * np.arctan2(s, q[0]) * q[1:] / s


def solve(model, poses, velocities, t=0.0, near=None):
    """The Solution at one instant."""
    return Dense(model, poses, velocities, t, near).solve()


def momentum(model, poses, velocities):
    """Linear momentum and angular momentum about the origin, all bodies."""
    dense = Dense(model.replace({"forces": (), "drivers": (), "joints": ()}), poses, velocities)
    k = 2 if dense.d == 3 else 3
    P = np.einsum("nij,nj->ni", dense.mass(), dense.V)
    x = dense.poses[:, :k]
    orbit = x[:, 0] * P[:, 1] - x[:, 1] * P[:, 0] if k == 2 else np.cross(x, P[:, :3])
    return P[:, :k].sum(0), (orbit + (P[:, 2] if k == 2 else P[:, 3:])).sum(0)


def imbalance(model, poses, velocities, t, accelerations, wrenches, multipliers, near=None):
    """M A - h - (reactions): what Newton and Euler leave over, body by body (n, d).

    `wrenches` are those on b at point_b by joint name, `multipliers` the forces of drivers and couplings.
    Holds also where redundant joints leave the reactions undetermined.
    """
    dense = Dense(model, poses, velocities, t, near)
    M, rest = dense.mass(), -Loads(dense).wrench
    rest += np.einsum("nij,nj->ni", M, np.asarray(accelerations, float))
    if dense.d == 6:
        for i in range(dense.n):
            w = dense.V[i, 3:]
            rest[i, 3:] += np.cross(w, M[i, 3:, 3:] @ w)
    k = 2 if dense.d == 3 else 3
    for name, wrench in wrenches.items():
        joint = model[name]
        R = plane_turn(dense.pose(joint.b)[2]) if k == 2 else rotation(dense.pose(joint.b)[3:])
        at = dense.pose(joint.b)[:k] + R @ point(joint.point_b, k)
        for body, way in ((joint.a, -1.0), (joint.b, 1.0)):
            if body in dense.index:
                arm, f = at - dense.pose(body)[:k], way * np.asarray(wrench[:k])
                turn = arm[0] * f[1] - arm[1] * f[0] if k == 2 else np.cross(arm, f)
                rest[dense.index[body]] -= np.concatenate([f, np.atleast_1d(turn + way * np.asarray(wrench[k:])).ravel()])
    for name, value in multipliers.items():
        rest -= value * dense.J[dense.owner.index(name)].reshape(rest.shape)
    return rest
