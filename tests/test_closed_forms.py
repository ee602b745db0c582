"""Motions known in closed form, or by a quadrature, or in higher precision."""

import numpy as np
import pytest
from scipy.special import ellipk

import routh as rt
from precise import double_pendulum
from reference import rotation
from routh.model import forces, joints, profiles
from routh.model.body import Body
from routh.model.drivers import Driver
from routh.model.model import Model
from routh.model.state import State

approx = pytest.approx
G = 9.81
UP = (0.0, 0.0, 1.0)


def run(model, start, t_end, output=None, rtol=1e-12, atol=1e-13):
    return rt.simulate(model, start, t_end, options=rt.Options(rtol=rtol, atol=atol, output=output))


def test_a_projectile_flies_its_parabola_and_spins_on():
    model = Model("planar", [Body("stone", 0.3, 0.01)], gravity=(0.0, -G))
    result = run(model, State(stone={"y": 2.0, "vx": 3.0, "vy": 4.0, "omega": 7.0}), 1.5, output=0.1)
    t = result.t
    assert t[-1] == 1.5
    assert result["stone.x"] == approx(3.0 * t, abs=1e-12)  # a polynomial of degree two: round-off only
    assert result["stone.y"] == approx(2.0 + 4.0 * t - 0.5 * G * t * t, abs=1e-12)
    assert result["stone.theta"] == approx(7.0 * t, abs=1e-12)
    assert result["stone.ay"] == approx(-G)


def test_a_projectile_of_space_flies_the_same_parabola():
    model = Model("spatial", [Body("stone", 0.3, (0.01, 0.01, 0.01))], gravity=(0.0, 0.0, -G))
    result = run(model, State(stone={"z": 2.0, "vx": 3.0, "vz": 4.0, "omega": (0.0, 0.0, 7.0)}), 1.5, output=0.1)
    t = result.t
    assert result["stone.x"] == approx(3.0 * t, abs=1e-11)
    assert result["stone.z"] == approx(2.0 + 4.0 * t - 0.5 * G * t * t, abs=1e-11)
    assert np.abs(result["stone.qw"]) == approx(np.abs(np.cos(3.5 * t)), abs=1e-10)  # a sphere spins evenly


@pytest.mark.parametrize("damping", [0.0, 0.02])
def test_a_torsion_pendulum_swings_as_a_damped_cosine(damping):
    J, k, start = 0.05, 0.8, 2.5
    model = Model(
        "planar",
        [Body("disk", 1.0, J)],
        [joints.Revolute("wire", "ground", "disk")],
        [forces.JointSpring("twist", "wire.angle", stiffness=k, damping=damping)],
    )
    result = run(model, State(wire={"angle": start}), 10.0, output=0.5)
    decay = 0.5 * damping / J
    w = np.sqrt(k / J - decay**2)
    exact = start * np.exp(-decay * result.t) * (np.cos(w * result.t) + decay / w * np.sin(w * result.t))
    assert result["wire.angle"] == approx(exact, abs=1e-10)  # rtol times some fifty radians of phase
    assert result["twist.force"] == approx(-k * exact - damping * result["wire.angle_rate"], abs=1e-9)


@pytest.mark.parametrize("amplitude", [0.5, 1.5, 2.9])
def test_a_compound_pendulum_has_the_period_of_the_elliptic_integral(amplitude):
    m, J, a = 1.3, 0.2, 0.6
    model = Model(
        "planar",
        [Body("bar", m, J)],
        [joints.Revolute("pin", "ground", "bar", (), (0.0, a))],
        gravity=(0.0, -G),
    )
    w0 = np.sqrt(m * G * a / (J + m * a * a))
    period = 4.0 * ellipk(np.sin(0.5 * amplitude) ** 2) / w0
    result = run(model, State(pin={"angle": amplitude}), 1.25 * period, rtol=1e-13, atol=1e-14)
    fastest = 2.0 * w0 * np.sin(0.5 * amplitude)
    assert abs(result["pin.angle"][-1] / fastest) <= 1e-10 * 1.25 * period  # time error at the lowest point
    assert result["pin.angle_rate"][-1] == approx(-fastest, rel=1e-10)
    assert result["pin.reaction"][-1] == approx([0.0, m * (G + a * fastest**2)], abs=1e-7)


def test_a_free_asymmetric_rotor_keeps_energy_and_angular_momentum_for_a_hundred_seconds():
    inertia = np.diag([1.0, 1.8, 2.4])
    model = Model("spatial", [Body("rotor", 2.0, (1.0, 1.8, 2.4))])
    result = run(model, State(rotor={"omega": (0.02, 3.0, 0.01)}), 100.0, output=1.0, rtol=1e-13, atol=1e-14)
    q = np.column_stack([result[f"rotor.{c}"] for c in ("qw", "qx", "qy", "qz")])
    w = np.column_stack([result[f"rotor.{c}"] for c in ("wx", "wy", "wz")])
    tensor = [rotation(x) @ inertia @ rotation(x).T for x in q]
    L = np.einsum("nij,nj->ni", tensor, w)
    E = 0.5 * np.einsum("ni,ni->n", L, w)
    middle = [rotation(x)[:, 1] @ y for x, y in zip(q, w, strict=True)]
    assert np.ptp(middle) > 5.9  # it does tumble: the middle axis is unstable
    assert np.linalg.norm(q, axis=1) == approx(1.0, abs=1e-12)
    assert np.abs(E / E[0] - 1.0).max() < 1e-10
    assert np.linalg.norm(L - L[0], axis=1).max() < 1e-10 * np.linalg.norm(L[0])


@pytest.mark.parametrize(("precession", "spin"), [(0.0, 40.0), (3.0, 35.0), (-2.0, 30.0)])
def test_a_heavy_top_nods_and_precesses_by_its_quadrature(precession, spin):
    m, arm, A, C, tilt = 0.5, 0.1, 1.2e-3, 8.0e-4, 1.0
    model = Model(
        "spatial",
        [Body("top", m, (A, A, C))],
        [joints.Spherical("tip", "ground", "top", (), (0.0, 0.0, -arm))],
        gravity=(0.0, 0.0, -G),
    )
    axis = np.array([np.sin(tilt), 0.0, np.cos(tilt)])
    period, advance, lowest = top_quadrature(m * G * arm, A + m * arm**2, C, tilt, precession, spin)
    q = (np.cos(0.5 * tilt), 0.0, np.sin(0.5 * tilt), 0.0)
    rate = rotation(q).T @ (precession * np.array(UP) + spin * axis)
    start = State(
        tip={
            **dict(zip(("qw", "qx", "qy", "qz"), q, strict=True)),
            **dict(zip(("wx", "wy", "wz"), rate, strict=True)),
        }
    )
    result = run(model, start, period, output=[0.0, 0.5 * period, period])
    assert result["top.z"] / arm == approx([np.cos(tilt), lowest, np.cos(tilt)], abs=1e-9)
    turned = np.exp(1j * advance) * np.sin(tilt)
    assert result["top.x"][-1] / arm == approx(turned.real, abs=1e-9)
    assert result["top.y"][-1] / arm == approx(turned.imag, abs=1e-9)


def top_quadrature(weight, A, C, tilt, precession, spin):
    """Period of nutation, precession in it, and the other turning point of u = cos(tilt).

    u̇² = f(u), a cubic with the roots u1 <= u2 < 1 < u3; u = mean + half cos s removes both end points, and
    the trapezoidal rule converges faster than any power on what is left.
    """
    u0 = np.cos(tilt)
    along = C * (spin + precession * u0)  # momentum about the axis of the top
    upright = A * precession * np.sin(tilt) ** 2 + along * u0  # momentum about the vertical
    energy = 0.5 * A * (precession * np.sin(tilt)) ** 2 + weight * u0
    P = np.polynomial.Polynomial
    f = 2.0 / A * P([energy, -weight]) * P([1.0, 0.0, -1.0]) - (P([upright, -along]) / A) ** 2
    other = (f // P([-u0, 1.0])).roots().real
    u1, u3 = min(other), max(other)
    s = np.linspace(0.0, np.pi, 401)
    u = 0.5 * (u0 + u1) + 0.5 * (u0 - u1) * np.cos(s)
    time = 2.0 / np.sqrt(2.0 * weight / A * (u3 - u))
    rate = (upright - along * u) / (A * (1.0 - u * u))
    return np.trapezoid(time, s), np.trapezoid(time * rate, s), u1


def test_a_double_pendulum_from_the_horizontal_is_right_after_ten_seconds():
    bar = {"mass": 1.0, "inertia": 1.0 / 12.0}
    model = Model(
        "planar",
        [Body("upper", **bar), Body("lower", **bar)],
        [
            joints.Revolute("shoulder", "ground", "upper", (0.0, 0.0), (0.0, 0.5)),
            joints.Revolute("elbow", "upper", "lower", (0.0, -0.5), (0.0, 0.5)),
        ],
        gravity=(0.0, -G),
    )
    result = run(model, State(shoulder={"angle": 0.5 * np.pi}, elbow={"angle": 0.0}), 10.0, rtol=1e-13, atol=1e-13)
    exact = double_pendulum((0.5 * np.pi, 0.5 * np.pi), (1.0, 1.0), (1.0, 1.0), (1.0 / 12.0, 1.0 / 12.0), (0.5, 0.5), G, 10.0)
    found = [result[c][-1] for c in ("upper.theta", "lower.theta")]
    assert found == approx(exact[:2], abs=1e-7)  # tolerance 1e-13 times the 1e6 by which the flow amplifies


def slider_crank(r, length, m, J, phi, w):
    """x of the slider, its speed, and the crank's torque d(kinetic + potential)/dphi at constant speed w."""
    m1, m2, m3 = m
    h = 1e-30  # complex step: exact derivatives

    def energy(p):
        x_p = -r * np.sin(p) - r * r * np.sin(p) * np.cos(p) / np.sqrt(length**2 - (r * np.sin(p)) ** 2)
        tilt_p = -r * np.cos(p) / np.sqrt(length**2 - (r * np.sin(p)) ** 2)  # sin(tilt) = -r sin(phi) / length
        v2 = (0.5 * (x_p - r * np.sin(p))) ** 2 + (0.5 * r * np.cos(p)) ** 2
        kinetic = 0.5 * w * w * (J[0] + m1 * r * r / 4 + m2 * v2 + J[1] * tilt_p**2 + m3 * x_p**2)
        return kinetic + G * np.sin(p) * 0.5 * r * (m1 + m2), x_p * w

    x = r * np.cos(phi) + np.sqrt(length**2 - (r * np.sin(phi)) ** 2)
    return x, energy(phi)[1], energy(phi + 1j * h)[0].imag / h


def test_a_driven_slider_crank_follows_its_geometry_and_takes_the_power_it_needs():
    r, length, w, phi0 = 0.1, 0.35, 20.0, 0.3
    m, J = (0.4, 0.6, 0.8), (5e-4, 7e-3)
    model = Model(
        "planar",
        [Body("crank", m[0], J[0]), Body("rod", m[1], J[1]), Body("slider", m[2], 1e-3)],
        [
            joints.Revolute("shaft", "ground", "crank", (), (-r / 2, 0)),
            joints.Revolute("knee", "crank", "rod", (r / 2, 0), (-length / 2, 0)),
            joints.Prismatic("guide", "ground", "slider", axis=(1, 0)),
            joints.Revolute("wrist", "rod", "slider", (length / 2, 0), ()),
        ],
        drivers=[Driver("motor", "shaft.angle", profiles.ConstantRate(w, phi0))],
        gravity=(0.0, -G),
    )
    start = State(shaft={"angle": phi0}, knee={"angle": -np.arcsin(r * np.sin(phi0) / length) - phi0})
    result = run(model, start, 0.4, output=0.01)  # more than one turn
    x, v, torque = slider_crank(r, length, m, J, phi0 + w * result.t, w)
    assert result["slider.x"] == approx(x, abs=1e-10)  # the drift that assembly leaves
    assert result["slider.vx"] == approx(v, abs=1e-9)
    assert result["motor.force"] == approx(torque, abs=1e-8 * np.abs(torque).max())


def test_a_gear_pair_turns_with_the_inertia_seen_through_its_ratio():
    J1, J2, n, torque = 0.02, 0.09, -2.5, 1.7
    model = Model(
        "planar",
        [Body("pinion", 1.0, J1), Body("wheel", 3.0, J2)],
        [
            joints.Revolute("shaft1", "ground", "pinion"),
            joints.Revolute("shaft2", "ground", "wheel", (0.3, 0)),
            joints.Gear("mesh", "shaft1.angle", "shaft2.angle", ratio=n),
        ],
        [forces.Torque("motor", "pinion", torque)],
    )
    result = run(model, State(), 1.0, output=0.25)
    alpha = torque / (J1 + n * n * J2)
    assert result["pinion.alpha"] == approx(alpha, rel=1e-12)
    assert result["shaft2.angle"] == approx(n * 0.5 * alpha * result.t**2, abs=1e-11)
    assert result["mesh.force"] == approx(J2 * n * alpha, rel=1e-12)


def test_a_rack_falls_against_the_inertia_of_its_pinion():
    J, m, r = 0.004, 1.2, 0.05
    model = Model(
        "planar",
        [Body("pinion", 0.7, J), Body("rack", m, 0.01)],
        [
            joints.Revolute("shaft", "ground", "pinion"),
            joints.Prismatic("guide", "ground", "rack", (r, 0), axis=(0, 1)),
            joints.Rack("mesh", "shaft.angle", "guide.shift", radius=r),
        ],
        gravity=(0.0, -G),
    )
    result = run(model, State(), 1.0, output=0.25)
    a = -m * G / (m + J / r**2)
    assert result["guide.shift"] == approx(0.5 * a * result.t**2, abs=1e-11)
    assert result["pinion.omega"] == approx(a / r * result.t, abs=1e-10)
    assert result["mesh.force"] == approx(m * (a + G), rel=1e-12)
    assert result["shaft.reaction"] == approx(np.tile([0.0, 0.7 * G], (5, 1)), abs=1e-11)


def test_a_nut_sinks_along_its_screw_as_slowly_as_its_spin_allows():
    m, J, pitch = 0.9, 3e-2, 0.02
    model = Model(
        "spatial",
        [Body("nut", m, (2e-2, 2e-2, J))],
        [joints.Screw("thread", "ground", "nut", axis=UP, pitch=pitch)],
        gravity=(0.0, 0.0, -G),
    )
    result = run(model, State(), 2.0, output=0.5)
    alpha = -m * G * pitch / (J + m * pitch**2)
    assert result["thread.angle"] == approx(0.5 * alpha * result.t**2, rel=1e-11)
    assert result["nut.z"] == approx(0.5 * pitch * alpha * result.t**2, rel=1e-11)
    assert result["thread.reaction"] == approx(np.tile([0, 0, m * (G + pitch * alpha)], (5, 1)), abs=1e-11)
    assert result["thread.reaction_moment"] == approx(np.tile([0, 0, J * alpha], (5, 1)), abs=1e-11)


def test_a_conical_pendulum_circles_at_the_speed_that_holds_its_tilt():
    m, arm, J, tilt = 0.8, 0.5, 1e-3, 0.7
    model = Model(
        "spatial",
        [Body("bob", m, (J, J, J))],
        [joints.Spherical("hook", "ground", "bob", (), (0.0, 0.0, arm))],
        gravity=(0.0, 0.0, -G),
    )
    # about the hook: (J' - J) w² sin cos = m g arm sin, with J' = J + m arm² across the rod and J along it
    w = np.sqrt(m * G * arm / (m * arm**2 * np.cos(tilt)))
    q = (np.cos(0.5 * tilt), 0.0, -np.sin(0.5 * tilt), 0.0)
    start = State(
        bob={
            "x": arm * np.sin(tilt),
            "z": -arm * np.cos(tilt),
            "q": q,
            "omega": (0.0, 0.0, w),
            "vy": arm * w * np.sin(tilt),
        }
    )
    result = run(model, start, 3.0, output=0.5)
    radius = arm * np.sin(tilt)
    assert result["bob.x"] == approx(radius * np.cos(w * result.t), abs=1e-9)
    assert result["bob.y"] == approx(radius * np.sin(w * result.t), abs=1e-9)
    assert np.linalg.norm(result["hook.reaction"], axis=1) == approx(m * np.hypot(G, radius * w * w), rel=1e-9)


def test_a_cart_feels_every_edge_of_a_short_rectangular_push():
    m, force = 2.0, 3.0
    model = Model(
        "planar",
        [Body("cart", m, 0.1)],
        [joints.Prismatic("rail", "ground", "cart", axis=(1, 0))],
        [forces.PointForce("push", "cart", (force, 0), profile=profiles.Rectangle(0.3, 1e-3))],
    )
    result = run(model, State(), 1.0)
    v = force / m * 1e-3  # one millisecond that no step may pass over
    assert result["cart.vx"][-1] == approx(v, rel=1e-12)
    assert result["cart.x"][-1] == approx(v * (0.7 - 0.5e-3), rel=1e-11)
