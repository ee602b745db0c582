"""The excavator of [shin] a second time: absolute coordinates, dense matrices, NumPy only. Slow, and independent.

Chassis, sprocket and wheels are one rigid group (wheels feel no torque about their axles and keep their orientation, the
sprocket turns by a given angle against the chassis), the links are free bodies with Lagrange multipliers at all 42 pins.
Contact formulas are written in the paper's frames. Every number is typed anew.
"""

from __future__ import annotations

import numpy as np

G, MU, V_REG = 9.81, 0.1, 0.01
N, PITCH, LINK_MASS, LINK_INERTIA = 42, 0.175, 18.0, 0.12
RAIL, PIN_RADIUS = 0.045, 0.0265
SHOES = np.array([[-0.06, -0.07], [0.0, -0.07], [0.06, -0.07]])
CHASSIS = np.array([0.0, 0.9])
CHASSIS_MASS, CHASSIS_INERTIA = 5000.0, 6500.0
TEETH, PSI, PLAY, FOOT = 21, np.deg2rad(20.0), 0.0005, (-0.01, 0.022)
PHASE = np.deg2rad(95.0)
OMEGA, RAMP = -4.796, 0.1
PITCH_RADIUS = 0.5 * PITCH / np.sin(2.0 * np.pi / TEETH)
SPROCKET = (np.array([-1.37, 0.417]), 60.0, 2.4)
IDLER_X = 1.379355774045888
# place as built, mass, radius, stiffness, damping
WHEELS = [(np.array([IDLER_X, 0.398]), 80.0, 0.24, 5e6, 1e4),
          *((np.array([-0.99 + 0.33 * i, 0.195]), 20.0, 0.08, 5e6, 2e4) for i in range(7)),
          (np.array([0.0, 0.615]), 12.0, 0.06, 5e6, 2e4)]


def cross(a, b):
    """z component of a cross product of planar vectors, on the last axis."""
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def turned(theta):
    """Rotation matrices (..., 2, 2)."""
    c, s = np.cos(theta), np.sin(theta)
    return np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], -2)


def perp(v):
    """v turned by a right angle: ω × r = ω perp(r)."""
    return np.stack([-v[..., 1], v[..., 0]], -1)


def drive(t):
    """Angle, rate and acceleration of the sprocket against the chassis."""
    s = t / RAMP
    if s >= 1.0:
        return OMEGA * (t - 0.5 * RAMP), OMEGA, 0.0
    return OMEGA * RAMP * (s**3 - 0.5 * s**4), OMEGA * (3.0 * s**2 - 2.0 * s**3), OMEGA / RAMP * (6.0 * s - 6.0 * s**2)


def normal(k, c, delta, rate):
    """N = max(0, k g + c g') while g = -δ >= 0."""
    return np.where(delta <= 0.0, np.maximum(-k * delta - c * rate, 0.0), 0.0)


def accelerations(t, q, v):
    """Accelerations (43, 3) of chassis and links, and the pins' forces (42, 2), at poses q and velocities v (43, 3)."""
    angle, turn_rate, turn_acceleration = drive(t)
    frame, omega = turned(q[0, 2]), v[0, 2]
    force = np.zeros((N + 1, 3))
    force[1:, 1] = -LINK_MASS * G
    R, V, theta, W = q[1:, :2], v[1:, :2], q[1:, 2], v[1:, 2]
    A = turned(theta)
    inward = A[:, :, 1]

    # wheels on rails; group: force at the wheel's place on the chassis
    mass = np.diag([CHASSIS_MASS, CHASSIS_MASS, CHASSIS_INERTIA])
    force[0, 1] = -CHASSIS_MASS * G
    for place, m, radius, k, c in WHEELS:
        arm = frame @ (place - CHASSIS)
        centre, velocity = q[0, :2] + arm, v[0, :2] + omega * perp(arm)
        u = np.einsum("nij,ni->nj", A, centre - R)
        delta = u[:, 1] - radius - RAIL
        rate = np.einsum("ni,ni->n", inward, velocity - V) - W * u[:, 0]
        N_i = np.where(np.abs(u[:, 0]) <= 0.5 * PITCH, normal(k, c, delta, rate), 0.0)
        push = N_i[:, None] * inward
        force[1:, :2] -= push
        force[1:, 2] -= N_i * u[:, 0]
        add_mass(mass, force[0], m, arm, omega)
        total = push.sum(axis=0)
        force[0] += [*total, cross(arm, total)]

    # sprocket on pins, in the paper's frames: gap frame, then surface frame
    place, m, inertia = SPROCKET
    arm = frame @ (place - CHASSIS)
    centre, velocity = q[0, :2] + arm, v[0, :2] + omega * perp(arm)
    add_mass(mass, force[0], m, arm, omega)
    mass[2, 2] += inertia
    force[0, 2] -= inertia * turn_acceleration
    pin = np.einsum("nij,j->ni", A, np.array([-0.5 * PITCH, 0.0]))
    d = R + pin - centre
    r = np.hypot(d[:, 0], d[:, 1])
    relative = V + W[:, None] * perp(pin) - velocity
    out = d / r[:, None]
    seat = normal(1e7, 1e4, r - PITCH_RADIUS, np.einsum("ni,ni->n", out, relative))[:, None] * out
    push_pins(force, pin, arm, d, seat)
    heading = q[0, 2] + angle
    gap = np.round((np.arctan2(d[:, 1], d[:, 0]) - heading - PHASE) / (2.0 * np.pi / TEETH))
    tooth = turned(heading + PHASE + gap * 2.0 * np.pi / TEETH)
    seen = relative - (omega + turn_rate) * perp(d)
    for beta, sigma in ((np.pi + PSI, 1.0), (-PSI, -1.0)):
        n_gap = np.array([np.sin(PSI), -sigma * np.cos(PSI)])
        t_gap = np.array([np.cos(PSI), sigma * np.sin(PSI)])
        origin = np.array([PITCH_RADIUS, 0.0]) - (PIN_RADIUS + PLAY) * n_gap + np.mean(FOOT) * t_gap
        surface = tooth @ turned(beta)
        u = np.einsum("nij,ni->nj", surface, d - tooth @ origin)
        flank = surface[:, :, 1]
        reach = np.abs(u[:, 0]) <= 0.5 * (FOOT[1] - FOOT[0])
        delta = u[:, 1] - PIN_RADIUS
        N_i = np.where(reach & (delta > -PIN_RADIUS), normal(1e7, 1e4, delta, np.einsum("ni,ni->n", flank, seen)), 0.0)
        push_pins(force, pin, arm, d, N_i[:, None] * flank)

    # shoes on the ground
    for point in SHOES:
        lever = np.einsum("nij,j->ni", A, point)
        at, speed = R + lever, V + W[:, None] * perp(lever)
        N_i = normal(2e6, 5e3, at[:, 1], speed[:, 1])
        push = np.stack([-MU * N_i * np.tanh(speed[:, 0] / V_REG), N_i], axis=1)
        force[1:, :2] += push
        force[1:, 2] += cross(lever, push)

    # chassis group, then the chain by Lagrange multipliers: front end of the link before = rear end
    out = np.zeros((N + 1, 3))
    out[0] = np.linalg.solve(mass, force[0])
    i = np.arange(N)
    before = np.roll(i, 1)
    J = np.zeros((2, N, 2, 3))  # of the link before the pin, and of the link after it
    J[0, :, :, :2], J[0, :, :, 2] = np.eye(2), perp(A[before] @ [0.5 * PITCH, 0.0])
    J[1, :, :, :2], J[1, :, :, 2] = -np.eye(2), -perp(A @ [-0.5 * PITCH, 0.0])
    weight = 1.0 / np.array([LINK_MASS, LINK_MASS, LINK_INERTIA])
    free = weight * force[1:]
    # cyclic, block by block: neighbouring pins share a link
    matrix = np.zeros((N, 2, N, 2))
    matrix[i, :, i, :] = np.einsum("anik,k,anjk->nij", J, weight, J)
    matrix[i, :, (i + 1) % N, :] += (shared := np.einsum("nik,k,njk->nij", J[1], weight, np.roll(J[0], -1, axis=0)))
    matrix[(i + 1) % N, :, i, :] += shared.transpose(0, 2, 1)
    lever = np.einsum("nij,j->ni", A, np.array([0.5 * PITCH, 0.0]))
    bias = -W[before, None] ** 2 * lever[before] - W[:, None] ** 2 * lever
    lack = np.einsum("nik,nk->ni", J[0], free[before]) + np.einsum("nik,nk->ni", J[1], free) + bias
    multiplier = np.linalg.solve(matrix.reshape(2 * N, 2 * N), -lack.ravel()).reshape(N, 2)
    pull = np.einsum("anik,ni->ank", J, multiplier)
    out[1:] = free + weight * (np.roll(pull[0], -1, axis=0) + pull[1])
    return out, -multiplier


def add_mass(mass, force, m, arm, omega):
    """A point mass m on the chassis, at `arm` from its mass centre."""
    lever = perp(arm)
    mass[:2, :2] += m * np.eye(2)
    mass[:2, 2] += m * lever
    mass[2, :2] += m * lever
    mass[2, 2] += m * arm @ arm
    pull = np.array([0.0, -m * G]) + m * omega**2 * arm
    force += [*pull, cross(arm, pull)]


def push_pins(force, pin, arm, d, push):
    """`push` (42, 2) on the pins of the links, and back on the sprocket where they touch it."""
    force[1:, :2] += push
    force[1:, 2] += cross(pin, push)
    force[0, :2] -= push.sum(axis=0)
    force[0, 2] -= cross(arm + d, push).sum()


def march(q, v, t_end, h):
    """Poses and velocities after `t_end` by the classical Runge-Kutta method with step h."""
    t = 0.0
    for _ in range(round(t_end / h)):
        a1, _ = accelerations(t, q, v)
        a2, _ = accelerations(t + 0.5 * h, q + 0.5 * h * v, v + 0.5 * h * a1)
        a3, _ = accelerations(t + 0.5 * h, q + 0.5 * h * (v + 0.5 * h * a1), v + 0.5 * h * a2)
        a4, _ = accelerations(t + h, q + h * (v + 0.5 * h * a2), v + h * a3)
        q = q + h * v + h * h / 6.0 * (a1 + a2 + a3)
        v = v + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
        t += h
    return q, v
