"""What compliant laws promise before anything moves: restitution, damping, stiffness, and refusals."""

import math

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq
from scipy.special import lambertw

import routh as rt
from routh import compliant, friction, shapes
from routh.errors import ModelError

approx = pytest.approx
K = 1e8


def by_quadrature(d):
    """e of k x^n (1 + chi x'), d = chi v: ∫ x dx / (1 + d x) from -e to 1 vanishes, where m v dv = -F dx is separated."""
    def work(e):
        return quad(lambda x: x / (1.0 + d * x), -e, 1.0, epsabs=1e-12, epsrel=1e-12, limit=200)[0]

    return brentq(work, 0.0, min(1.0, 0.999999 / d), xtol=1e-14)


@pytest.mark.parametrize("d", [1e-3, 0.1, 0.5, 2.0, 10.0])
def test_restitution_of_hunt_and_crossley_is_the_root_of_its_energy_integral(d):
    e = compliant.HuntCrossley(K, chi=d).restitution(1.0)
    assert e == approx(by_quadrature(d), abs=1e-11)
    inner = -(1.0 + d) * math.exp(-(1.0 + d))  # the same root by Lambert's function, ill-conditioned for small d
    assert e == approx((1.0 + lambertw(inner).real) / d, abs=1e-8)


def test_a_small_loss_is_two_thirds_of_the_damping():
    assert [1.0 - compliant.HuntCrossley(K, chi=d).restitution(1.0) for d in (1e-9, 1e-6, 1e-4)] == approx(
        [2e-9 / 3, 2e-6 / 3, 2e-4 / 3], rel=1e-4)  # the next term is of the order d²


@pytest.mark.parametrize("e", [0.05, 0.3, 0.7, 0.95, 1.0])
def test_the_damping_for_a_restitution_gives_that_restitution(e):
    assert compliant.HuntCrossley.for_restitution(K, e, speed=2.5).restitution(2.5) == approx(e, abs=1e-10)
    assert compliant.Linear.for_restitution(K, e, mass=0.3).restitution(1.0, mass=0.3) == approx(e, abs=1e-10)


@pytest.mark.parametrize("zeta", [0.0, 0.1, 0.7, 1.0, 3.0])
def test_restitution_of_spring_and_damper_is_the_speed_where_the_force_has_come_to_zero(zeta):
    def pull(t, y):
        return [y[1], -y[0] - 2.0 * zeta * y[1]]

    def force(t, y):
        return y[0] + 2.0 * zeta * y[1]

    force.terminal, force.direction = True, -1
    motion = solve_ivp(pull, (0.0, 50.0), [1e-14, 1.0], events=force, rtol=1e-12, atol=1e-14)
    assert compliant.Linear(1.0, 2.0 * zeta).restitution(1.0, mass=1.0) == approx(-motion.y_events[0][0][1], abs=1e-9)


def test_the_damper_of_khulief_and_shabana_takes_the_wanted_energy_along_the_undamped_half_wave():
    k, e, mass, v = 3e5, 0.6, 0.7, 1.9
    w = math.sqrt(k / mass)
    c = compliant.KhuliefShabana(k, e, mass).c
    taken = quad(lambda t: c * (v * math.cos(w * t)) ** 2, 0.0, math.pi / w)[0]
    assert taken == approx(0.5 * mass * v * v * (1.0 - e * e), rel=1e-12)


@pytest.mark.parametrize(("law", "d"), [(compliant.LankaraniNikravesh, 0.75 * (1 - 0.36)), (compliant.Flores, 3.2 / 3.0)])
def test_published_factors_of_damping(law, d):
    assert law(K, e=0.6).factor == approx(d)
    assert law(K, e=0.6).restitution(0.2) == law(K, e=0.6).restitution(20.0) == approx(by_quadrature(d), abs=1e-11)
    assert law(K, e=0.6, speed=2.0).restitution(2.0) == approx(by_quadrature(d), abs=1e-11)


def test_flores_is_nearer_to_the_wanted_restitution_than_lankarani_and_nikravesh_except_near_one():
    off = {law: [abs(law(K, e).restitution(1.0) - e) for e in (0.1, 0.5, 0.9, 0.99)]
           for law in (compliant.Flores, compliant.LankaraniNikravesh)}
    nearer = np.less(off[compliant.Flores], off[compliant.LankaraniNikravesh])
    assert nearer.tolist() == [True, True, True, False]
    assert compliant.LankaraniNikravesh(K, 0.0).restitution(1.0) == approx(0.66, abs=0.005)  # as its docstring says


def test_stiffness_of_hertz():
    # two spheres of one material: R* = R/2, E* = E / (2 (1 - nu²))
    E, nu, R = 2.1e11, 0.3, 0.02
    assert compliant.hertz_stiffness((R, R), (E, E), (nu, nu)) == approx(4 / 3 * E / (2 * (1 - nu**2)) * math.sqrt(R / 2))
    flat = compliant.hertz_stiffness((R, math.inf), (E, math.inf), (nu, 0.0))
    assert flat == approx(4 / 3 * E / (1 - nu**2) * math.sqrt(R))


BALL, FLOOR = shapes.Disk("ball", radius=0.05), shapes.HalfSpace("ground", normal=(0.0, 1.0))


def test_a_law_is_a_value_that_paths_reach_into():
    law = rt.Compliant(compliant.Hertz(K), friction.Regularised(mu=0.3, v_reg=1e-3))
    model = rt.Model("planar", [rt.Body("ball", 1.0, 1e-3)], contacts=[rt.Contact("c", FLOOR, BALL, law=law)])
    other = model.replace({"c.law.normal.k": 2e8, "c.law.friction.mu": 0.1})["c"].law
    assert other == rt.Compliant(compliant.Hertz(2e8), friction.Regularised(0.1, 1e-3))
    assert model["c"].law == law
    assert hash(law) == hash(rt.Compliant(compliant.Hertz(K), friction.Regularised(0.3, 1e-3)))


@pytest.mark.parametrize(("make", "message"), [
    (lambda: compliant.Hertz(0.0), "compliant Hertz: k = 0 must be positive"),
    (lambda: compliant.Hertz(math.nan), "compliant Hertz: k = nan is not finite"),
    (lambda: compliant.Hertz(K, power=0.5), r"power = 0\.5 is outside \[1, 4\]"),
    (lambda: compliant.Linear(K, -1.0), "c = -1 must be zero or positive"),
    (lambda: compliant.Linear.for_restitution(K, 0.0, 1.0), r"e = 0 is outside \(0, 1\]"),
    (lambda: compliant.Linear(K).restitution(1.0), "mass = nan is not finite"),
    (lambda: compliant.HuntCrossley.for_restitution(K, 1.2, 1.0), r"e = 1\.2 is outside \(0, 1\]"),
    (lambda: compliant.LankaraniNikravesh(K, -0.1), r"e = -0\.1 is outside \[0, 1\]"),
    (lambda: compliant.LankaraniNikravesh(K, 0.5, speed=0.0), "speed = 0 must be positive"),
    (lambda: compliant.Flores(K, 0.0), "e = 0 needs damping without bound"),
    (lambda: compliant.KhuliefShabana(K, 0.5, 0.0), "mass = 0 must be positive"),
    (lambda: compliant.hertz_stiffness((math.inf, math.inf), (1e9, 1e9), (0.3, 0.3)), "both surfaces are flat"),
    (lambda: compliant.hertz_stiffness((1.0, 1.0), (math.inf, math.inf), (0.3, 0.3)), "both bodies are rigid"),
    (lambda: compliant.hertz_stiffness((1.0, 1.0), (1e9, -1e9), (0.3, 0.3)), "take positive radii and moduli"),
    (lambda: compliant.hertz_stiffness(1.0, (1e9, 1e9), (0.3, 0.3)), "must be two numbers each"),
    (lambda: friction.Regularised(-0.1, 1e-3), r"friction Regularised: mu = -0\.1 must be zero or positive"),
    (lambda: friction.Regularised(0.1, 0.0), "v_reg = 0 must be positive"),
    (lambda: friction.LuGre(0.1, 0.0), "sigma0 = 0 must be positive"),
    (lambda: friction.LuGre(0.1, 1e5, sigma2=-1.0), "sigma2 = -1 must be zero or positive"),
    (lambda: friction.Stiction(0.1, 1e5, grip=1.0), r"grip = 1 is outside \[0, 1\)"),
    (lambda: rt.Compliant(rt.Newton(0.5, 0.1)), "is not a normal law; take one of routh.compliant"),
    (lambda: rt.Compliant(compliant.Hertz(K), 0.3), "friction = 0.3 is no friction of a compliant contact"),
    (lambda: rt.Contact("c", FLOOR, BALL, law=compliant.Hertz(K)), "take Newton, Poisson, Stronge, Moreau, Brach or Compliant"),
])
def test_refusals_say_what_is_wrong(make, message):
    with pytest.raises(ModelError, match=message):
        make()
