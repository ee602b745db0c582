"""Contacts of a track, one by one: closed forms, then agreement with formulas that skip nothing."""

import math

import numpy as np
import pytest

import routh as rt
from routh import joints
from routh.compiler.tracks import _stretches
from routh.core.contact.tracks import below
from routh.model.compliant import Compliant, HuntCrossley, Linear
from routh.model.friction import Regularised
from routh.model.tracks import HeightProfile, Rail, Shoes, Sprocket, Track, Wheel, closed_chain

K, C = 2e5, 300.0
SOFT = Linear(K, C)
RUBBED = Compliant(SOFT, Regularised(0.3, 0.01))


def plank(**parts):
    """A link that nothing holds, and a disc above it."""
    return rt.Model("planar", [rt.Body("link", 4.0, 0.3), rt.Body("disc", 2.0, 0.05)],
                    tracks=[Track("track", ("link",), rail=Rail(0.05, 0.2, 0.3), **parts)])


def at(model, link=(0.0, 0.0, 0.0), disc=(0.0, 0.0, 0.0), v_link=(0.0, 0.0, 0.0), v_disc=(0.0, 0.0, 0.0)):
    """The model evaluated at poses and velocities."""
    keys = ("x", "y", "theta", "vx", "vy", "omega")
    return rt.evaluate(model, rt.State(link=dict(zip(keys, (*link, *v_link), strict=True)),
                                       disc=dict(zip(keys, (*disc, *v_disc), strict=True))))


def test_a_wheel_presses_by_depth_and_rate_along_the_rail_normal():
    model = plank(wheels=[Wheel("disc", 0.1, SOFT)])
    depth, approach, along, turn = 1e-3, 0.02, 0.17, 0.6
    c, s = math.cos(turn), math.sin(turn)
    place = along, 0.15 - depth
    r = at(model, link=(0.0, 0.0, turn), disc=(c * place[0] - s * place[1], s * place[0] + c * place[1], 0.3),
           v_disc=(s * approach, -c * approach, 5.0))
    force = K * depth + C * approach
    assert r["track.disc.force"][0, 0] == pytest.approx(force, rel=1e-12)
    assert [r["disc.ax"][0], r["disc.ay"][0]] == pytest.approx([-s * force / 2.0, c * force / 2.0], rel=1e-12)
    assert [r["link.ax"][0], r["link.ay"][0]] == pytest.approx([s * force / 4.0, -c * force / 4.0], rel=1e-12)
    assert r["link.alpha"][0] == pytest.approx(-force * along / 0.3, rel=1e-12)
    assert r["disc.alpha"][0] == 0.0  # no friction: the wheel's spin never changes


def test_the_rate_of_the_depth_counts_the_turning_of_the_link():
    model = plank(wheels=[Wheel("disc", 0.1, SOFT)])
    r = at(model, disc=(0.2, 0.149, 0.0), v_link=(0.0, 0.0, 0.5))
    assert r["track.disc.force"][0, 0] == pytest.approx(K * 1e-3 + C * 0.5 * 0.2, rel=1e-9)


@pytest.mark.parametrize(("along", "touches"), [(-0.2001, False), (-0.1999, True), (0.2999, True), (0.3001, False)])
def test_a_wheel_touches_between_the_ends_of_the_rail_only(along, touches):
    r = at(plank(wheels=[Wheel("disc", 0.1, SOFT)]), disc=(along, 0.149, 0.0))
    assert (r["track.disc.force"][0, 0] > 0.0) == touches


def test_a_wheel_that_leaves_faster_than_the_spring_can_follow_is_not_pulled():
    r = at(plank(wheels=[Wheel("disc", 0.1, SOFT)]), disc=(0.0, 0.149, 0.0), v_disc=(0.0, 1.0, 0.0))
    assert r["track.disc.force"][0, 0] == 0.0
    assert r["disc.ay"][0] == 0.0


def test_a_wheel_behind_the_link_is_no_penetration():
    r = at(plank(wheels=[Wheel("disc", 0.1, SOFT)]), disc=(0.0, -0.2, 0.0))
    assert r["track.disc.force"][0, 0] == 0.0


SPROCKET = Sprocket("disc", teeth=12, pitch=0.1, pin=(-0.05, 0.01), pin_radius=0.012, seat=Linear(3e5, 100.0), flanks=SOFT,
                    phase=0.4, flank_angle=math.radians(15.0), play=0.001, flank=(-0.008, 0.02))


@pytest.mark.parametrize("seed", range(25))
def test_teeth_push_as_in_the_frames_of_the_paper(seed):
    """Second method: every gap is tried, the two flanks by the paper's chain of frames; forces, moments and rates."""
    rng = np.random.default_rng(seed)
    heading, spin = rng.uniform(-3.0, 3.0), rng.uniform(-4.0, 4.0)
    gap = rng.integers(12)
    alpha = heading + 0.4 + gap * 2.0 * math.pi / 12
    R_p = SPROCKET.pitch_radius
    d = turned(alpha) @ np.array([R_p + rng.uniform(-0.002, 0.012), rng.uniform(-0.006, 0.006)])
    turn, w = rng.uniform(-3.0, 3.0), rng.uniform(-3.0, 3.0)
    pin = turned(turn) @ np.array([-0.05, 0.01])
    v = rng.uniform(-0.3, 0.3, 2)
    model = plank(sprockets=[SPROCKET])
    r = at(model, link=(*(d - pin), turn), disc=(0.0, 0.0, heading), v_link=(*v, w), v_disc=(0.0, 0.0, spin))

    v_pin = v + w * np.array([-pin[1], pin[0]])
    force = {"seat": 0.0, "left": 0.0, "right": 0.0}
    total, moment = np.zeros(2), 0.0
    if np.hypot(*d) < R_p:
        n = d / np.hypot(*d)
        force["seat"] = max(0.0, 3e5 * (R_p - np.hypot(*d)) - 100.0 * n @ v_pin)
        total += force["seat"] * n
    psi = math.radians(15.0)
    for j in range(12):
        A_t = turned(heading + 0.4 + j * 2.0 * math.pi / 12)
        for name, beta, sigma in (("left", math.pi + psi, 1.0), ("right", -psi, -1.0)):
            n_gap = np.array([math.sin(psi), -sigma * math.cos(psi)])
            t_gap = np.array([math.cos(psi), sigma * math.sin(psi)])
            O_k = A_t @ (np.array([R_p, 0.0]) - (0.012 + 0.001) * n_gap + 0.006 * t_gap)
            A_k = A_t @ turned(beta)
            u = A_k.T @ (d - O_k)
            delta = u[1] - 0.012
            if abs(u[0]) <= 0.014 and -0.012 < delta < 0.0:
                n = A_k[:, 1]
                rate = n @ (v_pin - spin * np.array([-d[1], d[0]]))
                force[name] = max(0.0, -K * delta - C * rate)
                total += force[name] * n
                moment -= force[name] * (d[0] * n[1] - d[1] * n[0])
    for name, value in force.items():
        assert r[f"track.disc.{name}"][0, 0] == pytest.approx(value, rel=1e-9, abs=1e-6)
    assert [r["link.ax"][0], r["link.ay"][0]] == pytest.approx(total / 4.0, rel=1e-9, abs=1e-6)
    assert r["link.alpha"][0] == pytest.approx((pin[0] * total[1] - pin[1] * total[0]) / 0.3, rel=1e-9, abs=1e-6)
    assert r["disc.alpha"][0] == pytest.approx(moment / 0.05, rel=1e-9, abs=1e-6)


def turned(angle):
    """Rotation matrix."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s], [s, c]])


def test_pitch_radius_puts_seated_pins_a_pitch_apart():
    two = Sprocket("disc", 21, 0.175, (-0.0875, 0.0), 0.0265, SOFT, SOFT, teeth_per_link=2)
    a, b = (two.pitch_radius * np.exp(1j * 2.0 * math.pi * k / 21) for k in (0, 2))
    assert abs(a - b) == pytest.approx(0.175, rel=1e-14)
    assert two.pitch_radius == pytest.approx(0.296856535851752, rel=1e-14)


@pytest.mark.parametrize("slip", [-0.5, -0.004, 0.0, 0.002, 3.0])
def test_shoes_press_and_rub_against_their_own_sliding(slip):
    r = at(plank(shoes=Shoes(((0.1, -0.05),), RUBBED)), link=(0.0, 0.049, 0.0), v_link=(slip, 0.0, 0.0))
    force = K * 1e-3
    assert r["track.ground.force"][0, 0] == pytest.approx(force, rel=1e-9)
    assert r["track.ground.friction"][0, 0] == pytest.approx(-0.3 * force * math.tanh(slip / 0.01), rel=1e-9, abs=1e-9)
    assert r["link.ax"][0] == pytest.approx(r["track.ground.friction"][0, 0] / 4.0)


def test_a_slope_pushes_along_its_own_normal():
    slope = HeightProfile(((-10.0, 0.0), (10.0, 20.0 * math.tan(0.3))))
    centre = 10.0 * math.tan(0.3)
    r = at(plank(shoes=Shoes(((0.0, 0.0),), Compliant(Linear(K)), slope)), link=(0.0, centre - 1e-3, 0.0))
    force = K * 1e-3 * math.cos(0.3)
    pushed = [-force / 4.0 * math.sin(0.3), force / 4.0 * math.cos(0.3)]
    assert [r["link.ax"][0], r["link.ay"][0]] == pytest.approx(pushed, rel=1e-9)


def test_depth_below_a_profile_is_the_distance_to_its_nearest_point():
    """Second method: the least distance to all stretches, found by sampling them finely and clamping on each."""
    rng = np.random.default_rng(4)
    x = np.sort(rng.uniform(-2.0, 2.0, 12))
    profile = HeightProfile.from_table(x, rng.uniform(-0.4, 0.4, 12))
    ground = _stretches(profile)
    corners = np.array([(-1e7, profile.points[0][1]), *profile.points, (1e7, profile.points[-1][1])])
    for px, py in rng.uniform((-3.0, -0.8), (3.0, 0.5), (400, 2)):
        depth, nx, ny = below(ground, 0, len(ground), px, py)
        if py > profile.height(px):
            assert depth == -1.0
            continue
        a, e = corners[:-1], np.diff(corners, axis=0)
        part = np.clip(((np.array([px, py]) - a) * e).sum(1) / (e**2).sum(1), 0.0, 1.0)
        away = a + part[:, None] * e - [px, py]
        assert depth == pytest.approx(np.hypot(*away.T).min(), rel=1e-9, abs=1e-9)
        assert math.hypot(nx, ny) == pytest.approx(1.0)
        assert np.hypot(*(away - depth * np.array([nx, ny])).T).min() < 1e-6


def test_skipping_links_changes_nothing():
    """The same chain with its pins named (links are skipped) and unnamed (every link is looked at) gives the same bits."""
    rng = np.random.default_rng(1)
    bodies, pins = closed_chain(24, 0.1, 2.0, 0.01)
    wheels = [rt.Body(f"w{i}", 3.0, 0.1) for i in range(5)]
    parts = {"rail": Rail(0.02, 0.05, 0.05), "wheels": [Wheel(f"w{i}", 0.06 + 0.03 * i, SOFT) for i in range(4)],
             "sprockets": [Sprocket("w4", 12, 0.1, (-0.05, 0.0), 0.01, SOFT, SOFT)]}
    links = tuple(b.name for b in bodies)
    named, unnamed = (rt.Model("planar", [*bodies, *wheels], pins,
                               tracks=[Track("track", links, tuple(p.name for p in pins) if with_pins else (), **parts)])
                      for with_pins in (True, False))
    pressed = 0
    for _ in range(20):
        state = {f"w{i}": {"x": x, "y": y, "theta": a} for i, (x, y, a) in enumerate(rng.uniform(-0.35, 0.35, (5, 3)))}
        # a random closed polygon: symmetric pairs of turns
        turns = np.full(12, 2.0 * math.pi / 24) + rng.uniform(-0.15, 0.15, 12)
        turns += (math.pi - turns.sum()) / 12
        angle = np.cumsum(np.tile(turns, 2))
        rear = np.cumsum(0.1 * np.exp(1j * angle)) - 0.1 * np.exp(1j * angle)
        centre = rear + 0.05 * np.exp(1j * angle)
        centre -= centre.mean()
        state |= {name: {"x": c.real, "y": c.imag, "theta": a} for name, c, a in zip(links, centre, angle, strict=True)}
        a, b = rt.evaluate(named, rt.State(state)), rt.evaluate(unnamed, rt.State(state))
        for name in ("w0.force", "w1.force", "w2.force", "w3.force", "w4.seat", "w4.left", "w4.right"):
            assert np.array_equal(a[f"track.{name}"], b[f"track.{name}"])
            pressed += np.count_nonzero(a[f"track.{name}"])
    assert pressed > 20


def test_drag_stops_a_link_exponentially_and_takes_its_energy():
    model = rt.Model("planar", [rt.Body("link", 4.0, 0.3)], tracks=[Track("track", ("link",), drag=2.0)])
    r = rt.simulate(model, rt.State(link={"vx": 1.0, "omega": 3.0}), 1.0)
    assert [r["link.vx"][-1], r["link.omega"][-1]] == pytest.approx([math.exp(-2.0), 3.0 * math.exp(-2.0)], rel=1e-8)
    assert r.energy.dissipated[-1] == pytest.approx(-(0.5 * 4.0 + 0.5 * 0.3 * 9.0) * (1.0 - math.exp(-4.0)), rel=1e-7)


def test_a_moving_belt_carries_a_link_along():
    shoes = Shoes(((-0.1, -0.05), (0.1, -0.05)), RUBBED, belt=0.5)
    model = rt.Model("planar", [rt.Body("link", 4.0, 0.3)], gravity=(0.0, -9.81),
                     tracks=[Track("track", ("link",), shoes=shoes)])
    r = rt.simulate(model, rt.State(link={"y": 0.05 - 4.0 * 9.81 / (2.0 * K)}), 1.0)
    i = np.searchsorted(r.t, 0.1)
    assert r["link.vx"][i] == pytest.approx(0.3 * 9.81 * 0.1, rel=1e-3)  # slips: mu g
    assert r["link.vx"][-1] == pytest.approx(0.5, abs=1e-6)              # then goes along
    assert r.energy.friction[-1] == pytest.approx(r.energy.kinetic[-1], rel=1e-3)
    assert np.abs(r.energy.error).max() < 1e-7


def test_what_a_rail_had_stored_is_lost_when_the_wheel_leaves_its_end():
    """A wheel carried past the end of a rail at a fixed depth: the stored energy becomes a loss, the account still closes."""
    model = rt.Model("planar", [rt.Body("disc", 2.0, 0.1), rt.Body("link", 4.0, 0.3)],
                     joints=[joints.Weld("floor", "ground", "link"),
                             joints.Prismatic("slide", "ground", "disc", point_a=(0.0, 0.149), axis=(1.0, 0.0))],
                     tracks=[Track("track", ("link",), rail=Rail(0.05, 0.2, 0.2), wheels=[Wheel("disc", 0.1, Linear(K))])])
    r = rt.simulate(model, rt.State(slide={"shift": 0.0, "shift_rate": 1.0}), 0.4)
    stored = 0.5 * K * 1e-6
    assert r.energy.potential[0] == pytest.approx(stored, rel=1e-9)
    assert r.energy.potential[-1] == 0.0
    assert r.energy.hysteresis[-1] == pytest.approx(-stored, rel=1e-9)
    assert np.abs(r.energy.error).max() < 1e-9


def test_hunt_crossley_is_as_good_a_law_for_rails_as_any():
    r = at(plank(wheels=[Wheel("disc", 0.1, HuntCrossley(1e8, 0.4))]), disc=(0.0, 0.149, 0.0), v_disc=(0.0, -0.1, 0.0))
    assert r["track.disc.force"][0, 0] == pytest.approx(1e8 * 1e-3**1.5 * (1.0 + 0.4 * 0.1), rel=1e-9)
