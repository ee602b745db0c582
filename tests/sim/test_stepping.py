"""Stepped motion against closed forms: rest, bounces, slides, stacks, rolling, stops, ropes, drivers, loops, soft contacts."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import routh as rt
from routh import compliant, forces, friction, impulses, joints, profiles, shapes

G = 9.81
FLOOR = shapes.HalfSpace("ground", normal=(0.0, 1.0))
FLOOR_3 = shapes.HalfSpace("ground", normal=(0.0, 0.0, 1.0))
ROUND_OFF = 1e-12
LAWS = [rt.Newton, rt.Poisson, rt.Stronge]


def step(model, start=None, t_end=1.0, h=1e-3, **options):
    return rt.simulate(model, start, t_end, options=rt.Options(engine="stepping", step=h, **options))


def ball(law, radius=0.2, gravity=(0.0, -G), mass=1.0):
    return rt.Model(space="planar", gravity=gravity, bodies=[rt.Body("ball", mass, 0.5 * mass * radius**2)],
                    contacts=[rt.Contact("bounce", FLOOR, shapes.Disk("ball", radius), law)])


def rectangle(name, width=0.4, height=0.2):
    x, y = 0.5 * width, 0.5 * height
    return shapes.Polygon(name, vertices=[(-x, -y), (x, -y), (x, y), (-x, y)])


def block(law, gravity=(0.0, -G), mass=2.0):
    """A planar block of 0.4 m by 0.2 m on a floor; as HalfSpace."""
    return rt.Model(space="planar", gravity=gravity, bodies=[rt.Body("block", mass, mass * (0.4**2 + 0.2**2) / 12.0)],
                    contacts=[rt.Contact("rub", FLOOR, rectangle("block"), law)])


def cuboid(law, gravity=(0.0, 0.0, -G), floor=FLOOR_3):
    """A box of 0.4 m by 0.3 m by 0.2 m on a floor of space."""
    return rt.Model(space="spatial", gravity=gravity, bodies=[rt.Body("block", 2.0, (0.03, 0.04, 0.05))],
                    contacts=[rt.Contact("rub", floor, shapes.Box("block", (0.4, 0.3, 0.2)), law)])


def tilted(angle):
    return G * math.sin(angle), -G * math.cos(angle)


# rest and bounces

@pytest.mark.parametrize("law", LAWS)
def test_a_dropped_ball_comes_to_rest_and_the_floor_carries_its_weight(law):
    result = step(ball(law(e=0.5, mu=0.3), mass=3.0), rt.State(ball={"y": 0.7}), 3.0)
    assert result["ball.y"][-1] == pytest.approx(0.2, abs=1e-9)
    assert result["ball.vy"][-1] == pytest.approx(0.0, abs=ROUND_OFF)
    assert result["bounce.force"][-1] == pytest.approx(3.0 * G, rel=ROUND_OFF)
    assert result["bounce.mode"][-1] > 0.0


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("e", [0.1, 0.5, 0.9, 1.0])
def test_a_blow_gives_back_e_times_the_speed_of_approach_under_every_law(law, e):
    result = step(ball(law(e=e, mu=0.0)), rt.State(ball={"y": 1.2}), 0.6, output=1e-3)
    vy = result["ball.vy"]
    hit = int(np.argmax(np.diff(vy)))
    rise, arrival = result.t[hit + 1] - math.sqrt(2.0 / G), math.sqrt(2.0 * G)
    assert vy[hit + 1] == pytest.approx(e * arrival - G * rise, rel=1e-3)


def test_a_ball_without_gravity_leaves_with_exactly_e_times_its_speed():
    for law in LAWS:
        result = step(ball(law(e=0.3, mu=0.4), gravity=(0.0, 0.0)), rt.State(ball={"y": 0.7, "vy": -2.0}), 0.5)
        assert result["ball.vy"][-1] == pytest.approx(0.6, rel=ROUND_OFF)
        assert result["ball.y"][-1] == pytest.approx(0.2 + 0.6 * 0.25, abs=1e-12)  # it met the floor within a step


def test_an_elastic_ball_keeps_its_energy_over_a_hundred_bounces():
    flight = 2.0 * math.sqrt(2.0 / G)
    result = step(ball(rt.Newton(e=1.0, mu=0.0)), rt.State(ball={"y": 1.2}), 100.0 * flight, h=2e-3)
    assert result.contact_sums["impacts"][0] == 100
    # a bounce loses or gains what gravity does in the step of the impact, h² at most; no trend
    assert np.abs(result.energy["total"] / result.energy["total"][0] - 1.0).max() < 1e-2


def test_the_tangential_impulse_of_a_blow_stops_the_slip_or_is_mu_times_the_normal_one():
    start = rt.State(ball={"y": 0.7, "vy": -2.0, "vx": 1.0, "omega": 0.0})
    for mu, stops in [(0.05, False), (0.5, True)]:
        result = step(ball(rt.Poisson(e=0.5, mu=mu), gravity=(0.0, 0.0)), start, 0.5)
        p = 1.0 / 3.0 if stops else mu * 3.0  # a disk: the slip stops with a third of it
        assert result["ball.vx"][-1] == pytest.approx(1.0 - p, rel=1e-9)
        assert result["ball.omega"][-1] == pytest.approx(-0.2 * p / 0.02, rel=1e-9)


def test_two_squares_that_meet_corner_to_corner_part_along_the_line_of_their_centres():
    squares = [shapes.Polygon(name, vertices=[(0.1, 0.0), (0.0, 0.1), (-0.1, 0.0), (0.0, -0.1)]) for name in "ab"]
    model = rt.Model(space="planar", bodies=[rt.Body(name, 1.0, 0.003) for name in "ab"],
                     contacts=[rt.Contact("meet", *squares, rt.Newton(e=0.5, mu=0.0))])
    result = step(model, rt.State(a={"vx": 1.0}, b={"x": 0.3007}), 0.3)
    assert [result["a.vx"][-1], result["b.vx"][-1]] == pytest.approx([0.25, 0.75], rel=1e-9)
    assert np.abs(result["a.vy"]).max() < ROUND_OFF
    assert result.statistics["deepest_penetration"] < 1e-9


def test_steps_name_the_bodies_of_a_contact_in_the_order_of_its_declaration():
    for a, b in [(FLOOR, rectangle("block")), (rectangle("block"), FLOOR)]:
        model = rt.Model(space="planar", gravity=(0.0, -G), bodies=[rt.Body("block", 2.0, 0.05)],
                         contacts=[rt.Contact("rub", a, b, rt.Newton(e=0.0, mu=0.3))])
        result = step(model, rt.State(block={"y": 0.1}), 0.01)
        assert set(result.contact_steps["a"]) == {a.body}
        assert set(result.contact_steps["b"]) == {b.body}
        weight = 2.0 * G if b.body == "block" else -2.0 * G
        assert result.contact_impulse("rub")[1] == pytest.approx(0.01 * weight, rel=1e-9)


# sliding

@pytest.mark.parametrize("build", [block, cuboid])
def test_a_sliding_block_stops_after_v_squared_over_two_mu_g(build):
    mu, v = 0.3, 2.0
    height = {"y": 0.1} if build is block else {"z": 0.1}
    result = step(build(rt.Poisson(e=0.0, mu=mu)), rt.State(block={"vx": v, **height}), 1.0)
    assert result["block.x"][-1] == pytest.approx(v * v / (2.0 * mu * G), rel=5e-3)
    assert np.abs(result["block.vx"][-200:]).max() < ROUND_OFF
    assert result.energy["friction"][-1] == pytest.approx(-0.5 * 2.0 * v * v, rel=5e-3)


@pytest.mark.parametrize("build", [block, cuboid])
def test_below_the_friction_angle_nothing_creeps_in_ten_seconds(build):
    angle = math.atan(0.5) - 1e-3
    x, y = tilted(angle)
    gravity, height = ((x, y), {"y": 0.1}) if build is block else ((x, 0.0, y), {"z": 0.1})
    result = step(build(rt.Newton(e=0.0, mu=0.5), gravity=gravity), rt.State(block=height), 10.0)
    assert np.abs(result["block.x"]).max() < 1e-9
    assert result["rub.force"][-1] == pytest.approx(2.0 * G * math.cos(angle), rel=1e-8)
    assert result.contact_impulse("rub", 9.0)[0] == pytest.approx(-2.0 * G * math.sin(angle), rel=1e-8)


@pytest.mark.parametrize("build", [block, cuboid])
def test_above_the_friction_angle_a_block_slides_with_g_sin_less_mu_g_cos(build):
    mu, angle = 0.3, 0.6
    x, y = tilted(angle)
    gravity, height = ((x, y), {"y": 0.1}) if build is block else ((x, 0.0, y), {"z": 0.1})
    result = step(build(rt.Newton(e=0.0, mu=mu), gravity=gravity), rt.State(block=height), 1.0)
    a = G * (math.sin(angle) - mu * math.cos(angle))
    assert result["block.x"] == pytest.approx(0.5 * a * result.t**2, abs=1e-6)
    assert result["block.vx"][-1] == pytest.approx(a, rel=1e-8)


def test_static_friction_holds_up_to_mu_s_and_sliding_friction_rules_after_it():
    ramp = forces.PointForce("pull", "block", (1.0, 0.0), profile=profiles.Polynomial((0.0, 10.0)))
    model = rt.Model(
        space="planar", gravity=(0.0, -G), bodies=[rt.Body("block", 2.0, 0.05)], forces=[ramp],
        contacts=[rt.Contact("rub", FLOOR, rectangle("block"), rt.Newton(e=0.0, mu=0.3, mu_s=0.5))])
    result = step(model, rt.State(block={"y": 0.1}), 1.5)
    breaks = 0.5 * 2.0 * G / 10.0
    assert np.abs(result["block.x"][result.t < breaks - 2e-3]).max() < 1e-12
    assert result["block.ax"][result.t > breaks + 4e-3] == pytest.approx(
        (10.0 * (result.t[result.t > breaks + 4e-3] - 0.5e-3) - 0.3 * 2.0 * G) / 2.0, abs=1e-6)


def test_friction_that_falls_with_the_slip_is_taken_at_each_steps_slip():
    law = friction.Stribeck(static=0.5, kinetic=0.2, speed=0.5)
    result = step(block(rt.Newton(e=0.0, mu=law)), rt.State(block={"y": 0.1, "vx": 2.0}), 0.5)
    mu = lambda v: 0.2 + 0.3 * math.exp(-((v / 0.5) ** 2))  # noqa: E731
    exact = solve_ivp(lambda t, v: [-mu(v[0]) * G], (0.0, 0.5), [2.0], rtol=1e-10, atol=1e-12)
    assert result["block.vx"][-1] == pytest.approx(exact.y[0, -1], abs=5e-3)  # mu of the start of a step: of first order


def test_a_sliding_ball_rolls_with_five_sevenths_of_its_speed():
    sphere = shapes.Sphere("ball", 0.1)
    model = rt.Model(space="spatial", gravity=(0.0, 0.0, -G), bodies=[rt.Body("ball", 1.0, (0.004,) * 3)],
                     contacts=[rt.Contact("roll", FLOOR_3, sphere, rt.Poisson(e=0.0, mu=0.2))])
    result = step(model, rt.State(ball={"z": 0.1, "vx": 1.4, "vy": 0.7}), 1.0)
    assert result["ball.vx"][-1] == pytest.approx(1.0, rel=1e-9)
    assert result["ball.vy"][-1] == pytest.approx(0.5, rel=1e-9)
    assert result["ball.wy"][-1] == pytest.approx(10.0, rel=1e-9)
    assert result["ball.wx"][-1] == pytest.approx(-5.0, rel=1e-9)


# stacks

def stack(n, space="spatial"):
    mass, law = 2.0, rt.Newton(e=0.0, mu=0.5)
    if space == "spatial":
        boxes = [shapes.Box(f"box{i}", (0.3, 0.2, 0.1)) for i in range(n)]
        model = rt.Model(space=space, gravity=(0.0, 0.0, -G), bodies=[rt.Body(b.body, mass, (0.01, 0.02, 0.03)) for b in boxes],
                         contacts=[rt.Contact("base", FLOOR_3, boxes[0], law),
                                   *(rt.Contact(f"face{i}", boxes[i - 1], boxes[i], law) for i in range(1, n))])
        return model, rt.State({f"box{i}": {"z": 0.05 + 0.1 * i} for i in range(n)})
    boxes = [rectangle(f"box{i}", 0.3, 0.1) for i in range(n)]
    model = rt.Model(space=space, gravity=(0.0, -G), bodies=[rt.Body(b.body, mass, 0.01) for b in boxes],
                     contacts=[rt.Contact("base", FLOOR, boxes[0], law),
                               *(rt.Contact(f"face{i}", boxes[i - 1], boxes[i], law) for i in range(1, n))])
    return model, rt.State({f"box{i}": {"y": 0.05 + 0.1 * i} for i in range(n)})


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_every_face_of_a_stack_carries_the_weight_above_it(space):
    model, start = stack(6, space)
    result = step(model, start, 2.0)
    up = "z" if space == "spatial" else "y"
    for i, name in enumerate(["base", *(f"face{k}" for k in range(1, 6))]):
        assert result[f"{name}.force"][-1] == pytest.approx((6 - i) * 2.0 * G, rel=1e-3)
    for i in range(6):
        assert result[f"box{i}.{up}"][-1] == pytest.approx(0.05 + 0.1 * i, abs=1e-6)
        assert result[f"box{i}.x"][-1] == pytest.approx(0.0, abs=1e-6)


def test_a_ball_on_two_balls_pushes_them_with_its_weight_over_root_three():
    disks = [shapes.Disk(name, 0.1) for name in ("left", "right", "top")]
    walls = [shapes.HalfSpace("ground", (1.0, 0.0), (-0.2, 0.0)), shapes.HalfSpace("ground", (-1.0, 0.0), (0.2, 0.0))]
    slick = rt.Newton(e=0.0, mu=0.0)
    model = rt.Model(space="planar", gravity=(0.0, -G), bodies=[rt.Body(d.body, 1.0, 0.005) for d in disks], contacts=[
        rt.Contact("floor_left", FLOOR, disks[0], slick), rt.Contact("floor_right", FLOOR, disks[1], slick),
        rt.Contact("wall_left", walls[0], disks[0], slick), rt.Contact("wall_right", walls[1], disks[1], slick),
        rt.Contact("on_left", disks[0], disks[2], slick),
        rt.Contact("on_right", disks[1], disks[2], slick)])
    start = rt.State(left={"x": -0.1, "y": 0.1}, right={"x": 0.1, "y": 0.1}, top={"y": 0.1 + 0.1 * math.sqrt(3.0)})
    result = step(model, start, 0.5)
    assert result["on_left.force"][-1] == pytest.approx(G / math.sqrt(3.0), rel=1e-6)
    assert result["wall_right.force"][-1] == pytest.approx(0.5 * G / math.sqrt(3.0), rel=1e-6)
    assert result["floor_left.force"][-1] == pytest.approx(1.5 * G, rel=1e-6)


# stops, ropes, drivers, loops, couplings, impulses

def pendulum(contacts=(), gravity=(0.0, -G), **more):
    return rt.Model(space="planar", gravity=gravity, bodies=[rt.Body("rod", 2.0, 2.0 / 3.0)], contacts=contacts,
                    joints=[joints.Revolute("pin", "ground", "rod", point_b=(-1.0, 0.0))], **more)


def test_a_pendulum_at_rest_on_its_stop_hangs_in_its_pin_as_statics_says():
    model = pendulum([rt.Stop("stop", "pin.angle", lower=-0.5, e=0.3)])
    result = step(model, rt.State(pin={"angle": 0.2}), 4.0)
    assert result["pin.angle"][-1] == pytest.approx(-0.5, abs=1e-9)
    assert result["stop.force"][-1] == pytest.approx(2.0 * G * math.cos(0.5), rel=1e-9)  # a moment
    assert result["pin.reaction"][-1] == pytest.approx([0.0, 2.0 * G], abs=1e-9)  # its rate is that of the contact tolerance


def test_reactions_of_the_first_step_at_rest_are_those_of_statics():
    model = pendulum([rt.Stop("stop", "pin.angle", lower=-0.5, e=0.3)])
    result = step(model, rt.State(pin={"angle": -0.5}), 1e-3)
    for reaction in result["pin.reaction"]:
        assert reaction == pytest.approx([0.0, 2.0 * G], abs=1e-9)


def test_a_stop_gives_back_e_times_the_rate():
    model = pendulum([rt.Stop("stop", "pin.angle", lower=-0.5, upper=0.5, e=0.8)], gravity=(0.0, 0.0))
    result = step(model, rt.State(pin={"angle": 0.0, "angle_rate": 1.0}), 1.2)
    assert result["pin.angle_rate"][-1] == pytest.approx(-0.8, rel=1e-12)
    assert result["pin.angle"][-1] == pytest.approx(0.5 - 0.8 * 0.7, abs=1e-12)


def test_a_beam_on_two_supports_shares_its_weight_by_the_levers():
    beam = rectangle("beam", 2.0, 0.1)
    posts = [shapes.Disk("ground", 0.1, (-0.8, -0.15)), shapes.Disk("ground", 0.1, (0.4, -0.15))]
    law = rt.Newton(e=0.0, mu=0.5)
    model = rt.Model(space="planar", gravity=(0.0, -G), bodies=[rt.Body("beam", 3.0, 1.0)],
                     contacts=[rt.Contact("left", posts[0], beam, law), rt.Contact("right", posts[1], beam, law)])
    result = step(model, rt.State(beam={"x": 0.0}), 1.0)
    assert result["left.force"][-1] == pytest.approx(3.0 * G * 0.4 / 1.2, rel=1e-6)
    assert result["right.force"][-1] == pytest.approx(3.0 * G * 0.8 / 1.2, rel=1e-6)
    assert result["beam.theta"][-1] == pytest.approx(0.0, abs=1e-9)


def test_a_rope_catches_a_falling_weight_and_carries_it():
    model = rt.Model(space="planar", gravity=(0.0, -G), bodies=[rt.Body("bob", 2.0, 0.1)],
                     contacts=[rt.Rope("rope", "ground", "bob", length=1.0, e=0.2)])
    result = step(model, rt.State(bob={"y": -0.5}), 2.0)
    assert result["bob.y"][-1] == pytest.approx(-1.0, abs=1e-8)
    assert result["rope.force"][-1] == pytest.approx(2.0 * G, rel=1e-9)
    assert result["bob.y"].min() > -1.0 - 1e-6


def on_a_rope():
    return rt.Rope("hold", "ground", "bob", length=1.0, e=0.0)


def in_a_bowl(mu=0.0):
    bowl = shapes.Polyline("ground", [(-1.1, 0.0), (1.1, 0.0)], (1.0,))  # half a circle
    return rt.Contact("hold", bowl, shapes.Disk("bob", 0.1), rt.Newton(e=0.0, mu=mu))


@pytest.mark.parametrize("contact", [on_a_rope(), in_a_bowl(), in_a_bowl(mu=0.5)], ids=["rope", "bowl", "rough bowl"])
def test_what_hangs_on_a_rope_or_rolls_in_a_bowl_swings_with_errors_of_second_order(contact):
    model = rt.Model(space="planar", gravity=(0.0, -G), bodies=[rt.Body("bob", 2.0, 0.01)], contacts=[contact])
    start = rt.State(bob={"x": math.sin(0.6), "y": -math.cos(0.6)})
    exact = rt.simulate(model, start, 1.0, options=rt.Options(rtol=1e-10, output=0.05))
    errors = []
    for h in (4e-3, 1e-3):
        result = step(model, start, 1.0, h=h, output=0.05)
        errors.append(np.abs(result["bob.x"] - exact["bob.x"]).max())
        assert result.contact_sums["impacts"][0] == 0  # a normal that turns is no impact
        assert result.contact_sums["duration"][0] == pytest.approx(1.0, rel=1e-9)
    assert errors[1] < errors[0] / 4.0**1.5
    assert errors[1] < 3e-5


def test_a_disk_slides_off_a_disk_where_it_has_fallen_by_a_third():
    model = rt.Model(space="planar", gravity=(0.0, -G), bodies=[rt.Body("bob", 2.0, 0.01)], contacts=[
        rt.Contact("slide", shapes.Disk("ground", 0.9), shapes.Disk("bob", 0.1), rt.Newton(e=0.0, mu=0.0))])
    start, leaves = rt.State(bob={"x": math.sin(0.1), "y": math.cos(0.1)}), []
    for h in (1e-3, 2.5e-4):
        result = step(model, start, 1.0, h=h)
        leaves.append(result.contact_steps["normal"][-1][1])
        assert result.contact_sums["impacts"][0] == 0
    assert leaves[1] == pytest.approx(2.0 / 3.0 * math.cos(0.1), abs=4.0 * 2.5e-4)  # that far it slides within a step
    assert abs(leaves[1] - 2.0 / 3.0 * math.cos(0.1)) < abs(leaves[0] - 2.0 / 3.0 * math.cos(0.1))


def test_a_ball_on_a_moving_floor_goes_up_with_it_and_presses_with_m_times_g_plus_a():
    floor = rectangle("table", 2.0, 0.2)
    model = rt.Model(space="planar", gravity=(0.0, -G), bodies=[rt.Body("table", 1.0, 1.0), rt.Body("ball", 2.0, 0.01)],
                     joints=[joints.Prismatic("lift", "ground", "table", axis=(0.0, 1.0))],
                     drivers=[rt.Driver("motor", "lift.shift", profiles.Polynomial((0.0, 0.0, 1.5)))],
                     contacts=[rt.Contact("rest", floor, shapes.Disk("ball", 0.1), rt.Newton(e=0.0, mu=0.5))])
    result = step(model, rt.State(ball={"y": 0.2}, lift={"shift": 0.0}), 1.0)
    assert result["ball.y"] == pytest.approx(0.2 + 1.5 * result.t**2, abs=5e-6)
    assert result["rest.force"][-1] == pytest.approx(2.0 * (G + 3.0), rel=1e-6)
    assert result["motor.force"][-1] == pytest.approx(3.0 * (G + 3.0), rel=1e-6)
    assert result["table.y"] == pytest.approx(1.5 * result.t**2, abs=1e-12)
    assert result.energy["drive"][-1] == pytest.approx(3.0 * (G + 3.0) * 1.5, rel=1e-3)


def test_a_ball_thrown_by_a_belt_takes_its_speed():
    belt = rectangle("belt", 20.0, 0.2)
    model = rt.Model(space="planar", gravity=(0.0, -G), bodies=[rt.Body("belt", 1.0, 1.0), rt.Body("crate", 2.0, 0.05)],
                     joints=[joints.Prismatic("run", "ground", "belt", axis=(1.0, 0.0))],
                     drivers=[rt.Driver("motor", "run.shift", profiles.ConstantRate(1.0))],
                     contacts=[rt.Contact("carry", belt, rectangle("crate"), rt.Newton(e=0.0, mu=0.4))])
    result = step(model, rt.State(crate={"y": 0.2}, run={"shift": 0.0}), 1.0)
    assert result["crate.vx"][-1] == pytest.approx(1.0, abs=1e-9)
    assert result["crate.x"][-1] == pytest.approx(1.0 - 0.5 / (0.4 * G), abs=1e-3)


def four_bar(contacts=()):
    """A crank, a coupler and a rocker, all of 1 kg; the crank is driven by a torque against gravity."""
    links = {"crank": 0.4, "coupler": 1.0, "rocker": 0.8}
    return rt.Model(
        space="planar", gravity=(0.0, -G), bodies=[rt.Body(n, 1.0, length**2 / 12.0) for n, length in links.items()],
        joints=[joints.Revolute("a", "ground", "crank", point_b=(-0.2, 0.0)),
                joints.Revolute("b", "crank", "coupler", point_a=(0.2, 0.0), point_b=(-0.5, 0.0)),
                joints.Revolute("c", "coupler", "rocker", point_a=(0.5, 0.0), point_b=(0.4, 0.0)),
                joints.Revolute("d", "ground", "rocker", point_a=(0.9, 0.0), point_b=(-0.4, 0.0))],
        contacts=contacts)


def test_a_four_bar_linkage_with_a_contact_moves_as_by_events():
    tip = shapes.Disk("crank", 0.02, (0.2, 0.0))
    floor = shapes.HalfSpace("ground", (0.0, 1.0), (0.0, -0.2))
    model = four_bar([rt.Contact("tap", floor, tip, rt.Newton(e=0.0, mu=0.0))])
    start = rt.State(a={"angle": 0.9})
    stepped, exact = step(model, start, 1.0), rt.simulate(model, start, 1.0, options=rt.Options(output=1e-3))
    assert stepped["crank.theta"][-1] == pytest.approx(exact["crank.theta"][-1], abs=1e-3)
    assert stepped["tap.force"][-1] == pytest.approx(exact["tap.force"][-1], rel=1e-2)
    assert stepped.statistics["worst_drift"] < 1e-8
    x = stepped["rocker.x"] - 0.9
    assert np.hypot(x, stepped["rocker.y"]) == pytest.approx(0.4, abs=1e-9)


def test_a_gear_passes_the_moment_of_a_contact_on():
    model = rt.Model(
        space="planar", gravity=(0.0, 0.0), bodies=[rt.Body("small", 1.0, 0.1), rt.Body("large", 1.0, 0.4)],
        joints=[joints.Revolute("s", "ground", "small"), joints.Revolute("l", "ground", "large", point_a=(3.0, 0.0)),
                joints.Gear("mesh", "s.angle", "l.angle", ratio=-2.0)],
        contacts=[rt.Stop("stop", "l.angle", upper=0.5, e=0.5)])
    start = rt.State(l={"angle": 0.0, "angle_rate": 1.0})
    stepped, exact = step(model, start, 1.0), rt.simulate(model, start, 1.0)
    assert stepped["l.angle_rate"][-1] == pytest.approx(-0.5, rel=1e-9)
    assert stepped["s.angle"][-1] == pytest.approx(exact["s.angle"][-1], abs=1e-9)


def test_a_scheduled_impulse_makes_the_velocity_jump_and_does_its_work():
    blow = impulses.Impulse("kick", "block", at=0.10037, impulse=(3.0, 0.0))
    model = rt.Model(space="planar", gravity=(0.0, -G), bodies=[rt.Body("block", 2.0, 0.05)], impulses=[blow],
                     contacts=[rt.Contact("rub", FLOOR, rectangle("block"), rt.Newton(e=0.0, mu=0.0))])
    result = step(model, rt.State(block={"y": 0.1}), 0.5)
    assert result["block.vx"][-1] == pytest.approx(1.5, rel=ROUND_OFF)
    assert result["block.x"][-1] == pytest.approx(1.5 * (0.5 - 0.10037), abs=1e-3)
    assert result.energy["applied"][-1] == pytest.approx(0.5 * 2.0 * 1.5**2, rel=1e-9)
    assert result.events["kind"].tolist() == ["impulse"]
    assert (result["block.vx"][result.t <= 0.10037] == 0.0).all()


def test_a_blow_on_a_block_that_rough_ground_holds_is_taken_by_friction():
    blow = impulses.Impulse("kick", "block", at=0.1, impulse=(1e-3, 0.0))
    model = rt.Model(space="planar", gravity=(0.0, -G), bodies=[rt.Body("block", 2.0, 0.05)], impulses=[blow],
                     contacts=[rt.Contact("rub", FLOOR, rectangle("block"), rt.Newton(e=0.0, mu=0.5))])
    result = step(model, rt.State(block={"y": 0.1}), 0.5)
    # friction can take mu m g h in the step after it, which is more
    assert np.abs(result["block.vx"]).max() < 1e-12


# soft contacts

def test_a_ball_on_a_linear_spring_sinks_in_by_m_g_over_k():
    law = rt.Compliant(compliant.Linear(k=1e4, c=100.0))
    result = step(ball(law), rt.State(ball={"y": 0.2}), 3.0)
    assert result["ball.y"][-1] == pytest.approx(0.2 - G / 1e4, rel=1e-9)
    assert result["bounce.force"][-1] == pytest.approx(G, rel=1e-6)


def test_a_soft_contact_that_steps_resolve_bounces_as_by_events():
    law = rt.Compliant(compliant.Linear(k=1e4))
    start, after = rt.State(ball={"y": 0.3}), []
    exact = rt.simulate(ball(law), start, 0.4)["ball.vy"][-1]
    for h in (2e-4, 1e-4):
        after.append(abs(step(ball(law), start, 0.4, h=h)["ball.vy"][-1] - exact))
    assert after[1] < 0.7 * after[0]
    assert after[1] < 0.06 * abs(exact)


@pytest.mark.parametrize("h", [1e-3, 1e-2])
def test_a_soft_contact_far_stiffer_than_the_step_stays_stable(h):
    law = rt.Compliant(compliant.Hertz(k=1e10))
    result = step(ball(law), rt.State(ball={"y": 0.5}), 2.0, h=h)
    assert result.energy["total"].max() < result.energy["total"][0] * (1.0 + 1e-9)
    assert result["ball.y"].min() > 0.2 - h * math.sqrt(2.0 * G * 0.3)  # it sinks in by no more than its way within a step
    assert result["ball.y"][-1] == pytest.approx(0.2 - (G / 1e10) ** (2.0 / 3.0), abs=1e-9)


# books

def test_the_impulse_of_the_floor_over_an_interval_is_weight_times_time():
    result = step(block(rt.Newton(e=0.0, mu=0.5)), rt.State(block={"y": 0.1}), 1.0)
    assert result.contact_impulse("rub", 0.2, 0.7) == pytest.approx([0.0, 2.0 * G * 0.5], rel=1e-9, abs=1e-12)
    assert result.contact_impulse("rub") == pytest.approx([0.0, 2.0 * G], rel=1e-9, abs=1e-12)


def test_sums_of_a_contact_are_the_sums_of_its_steps():
    result = step(ball(rt.Poisson(e=0.5, mu=0.3)), rt.State(ball={"y": 0.4, "vx": 1.0}), 1.5)
    sums, steps = result.contact_sums[0], result.contact_steps
    assert sums.impulse_n == pytest.approx(steps["p_n"].sum(), rel=1e-12)
    assert sums.impulse_t == pytest.approx(steps["p_t"].sum(), rel=1e-12)
    assert sums.work_impacts == pytest.approx(steps["work"][steps["hit"]].sum(), rel=1e-12)
    assert sums.work_friction == pytest.approx(steps["work"][~steps["hit"]].sum(), rel=1e-12)
    assert sums.peak_force == pytest.approx(steps["force"].max(), rel=1e-12)
    assert sums.t_peak == steps["t"][np.argmax(steps["force"])]
    assert sums.impacts == steps["hit"].sum()
    assert sums.duration == pytest.approx(steps["step"].sum(), rel=1e-9)
    by_contact = result.energy.by_contact["bounce"]
    assert by_contact["impacts"] == pytest.approx(result.energy["impacts"][-1], rel=1e-12)


def test_momentum_is_what_gravity_and_contacts_gave():
    result = step(ball(rt.Poisson(e=0.5, mu=0.3)), rt.State(ball={"y": 0.4, "vx": 1.0}), 0.8)
    gained = result.contact_impulse("bounce") + [0.0, -G * 0.8]
    assert [result["ball.vx"][-1] - 1.0, result["ball.vy"][-1]] == pytest.approx(gained, abs=1e-12)


def test_the_energy_account_adds_up_and_the_part_of_the_scheme_falls_with_the_step():
    lines = []
    for h in (4e-3, 2e-3, 1e-3, 5e-4):
        result = step(block(rt.Poisson(e=0.3, mu=0.3)), rt.State(block={"y": 0.3, "vx": 1.0, "theta": 0.2}), 1.5, h=h)
        assert np.abs(result.energy["error"]).max() < 1e-12 * result.energy["total"][0]
        lines.append(np.abs(result.energy["scheme"]).max())
    assert lines[-1] < lines[0] / 4.0  # of first order at least over eight times finer steps, with room for a bounce more
    assert lines[-1] < 0.01 * result.energy["total"][0]


# bounds

def test_a_fast_ball_does_not_tunnel_through_a_thin_wall_and_the_steps_say_so():
    wall = shapes.Box("ground", (0.01, 1.0, 1.0), (1.0, 0.0, 0.0))
    model = rt.Model(space="spatial", bodies=[rt.Body("bullet", 0.01, (1e-6,) * 3)],
                     contacts=[rt.Contact("hit", wall, shapes.Sphere("bullet", 0.005), rt.Newton(e=0.5, mu=0.0))])
    result = step(model, rt.State(bullet={"vx": 100.0}), 0.02, h=1e-3)
    assert result["bullet.x"].max() < 1.0 - 0.01 + 1e-9
    assert result["bullet.vx"][-1] == pytest.approx(-50.0, rel=1e-9)
    assert result.statistics["shortened_steps"] > 0
    assert result.statistics["shortest_step"] <= 0.01 / 100.0 * 1.5


def test_a_run_says_that_a_step_is_too_long_where_no_shortening_helps():
    paper = rt.shapes.Polyline("ground", [(1.0, -1.0), (1.0, 1.0)])
    model = rt.Model(space="planar", bodies=[rt.Body("bullet", 0.01, 1e-6)],
                     contacts=[rt.Contact("hit", paper, shapes.Disk("bullet", 1e-6), rt.Newton(e=0.5, mu=0.0))])
    with pytest.raises(rt.errors.SimulationError, match=r"shorter Options\.step") as caught:
        step(model, rt.State(bullet={"vx": 1000.0, "y": 0.0}), 0.02, h=1e-3)
    assert caught.value.status == "step too long"
    assert caught.value.result.t[-1] < 1e-3 + 1e-12
    kept = step(model, rt.State(bullet={"vx": 1000.0}), 0.02, h=1e-3, on_error="return")
    assert kept.status == "step too long"


# symmetries

def tumbling(law=None, shift=(0.0, 0.0), angle=0.0, length=1.0, mass=1.0, order=1, rate=1.0):
    """Two polygons and a disk on a floor, shifted, turned and scaled; `rate`: times are so much shorter."""
    c, s = math.cos(angle), math.sin(angle)
    turned = lambda x, y: (c * x - s * y, s * x + c * y)  # noqa: E731
    floor = shapes.HalfSpace("ground", turned(0.0, 1.0), shift)
    bits = [rectangle("a", 0.4 * length, 0.2 * length), rectangle("b", 0.2 * length, 0.3 * length),
            shapes.Disk("c", 0.1 * length)]
    law = law or rt.Poisson(e=0.2, mu=0.4)
    pairs = [(floor, bits[0]), (floor, bits[1]), (floor, bits[2]), (bits[0], bits[1]), (bits[1], bits[2]), (bits[0], bits[2])]
    contacts = [rt.Contact(f"{p.body}-{q.body}", p, q, law) for p, q in pairs][::order]
    bodies = [rt.Body(n, mass * m, mass * length**2 * i) for n, m, i in [("a", 1.0, 0.02), ("b", 0.7, 0.01), ("c", 0.4, 0.002)]]
    g = G * length * rate**2
    model = rt.Model(space="planar", gravity=turned(0.0, -g), bodies=bodies[::order], contacts=contacts)
    places = {"a": (0.0, 0.15, 0.1, 0.5), "b": (0.05, 0.5, 0.3, 0.0), "c": (0.3, 0.4, 0.0, -1.0)}
    start = {}
    for name, (x, y, theta, vx) in places.items():
        at, v = turned(length * x, length * y), turned(length * rate * vx, 0.0)
        start[name] = {"x": shift[0] + at[0], "y": shift[1] + at[1], "theta": theta + angle, "vx": v[0], "vy": v[1]}
    return model, rt.State(start)


def places_of(result, shift=(0.0, 0.0), angle=0.0, length=1.0):
    c, s = math.cos(angle), math.sin(angle)
    out = []
    for name in "abc":
        x, y = result[f"{name}.x"][-1] - shift[0], result[f"{name}.y"][-1] - shift[1]
        out += [(c * x + s * y) / length, (c * y - s * x) / length, result[f"{name}.theta"][-1] - angle]
    return np.array(out)


@pytest.mark.parametrize(("change", "tolerance"), [
    ({"shift": (1e3, -1e3)}, 1e-5),       # coordinates have lost three digits, and every impact amplifies that
    ({"angle": 0.7}, 1e-8),
    ({"length": 1e3}, 1e-8), ({"length": 1e-3}, 1e-8),
    ({"mass": 1e6}, 1e-9), ({"mass": 1e-6}, 1e-9),
    ({"order": -1}, 1e-6),                # other sweeps over the same contacts, to the tolerance of a step
])
def test_the_motion_is_the_same_in_other_units_and_places(change, tolerance):
    # where both corners of a box stick though it turns by 0.02 rad/s, sweeps leave 2e-6 m/s, and later impacts amplify that
    t_end = 0.2 if "order" in change else 0.8
    here = step(*tumbling(), t_end, contact_tolerance=1e-12)
    there = step(*tumbling(**change), t_end, contact_tolerance=1e-12)
    seen = {k: v for k, v in change.items() if k in ("shift", "angle", "length")}
    assert places_of(there, **seen) == pytest.approx(places_of(here), abs=tolerance)


def test_the_motion_is_the_same_in_other_units_of_time():
    here, there = step(*tumbling(), 0.8), step(*tumbling(rate=8.0), 0.1, h=1.25e-4)
    assert places_of(there) == pytest.approx(places_of(here), abs=1e-9)


def test_the_same_run_gives_the_same_bits():
    first, second = (step(*tumbling(), 0.8) for _ in range(2))
    for name in first.channels:
        assert np.array_equal(first[name], second[name], equal_nan=True), name
    assert first.statistics == second.statistics


def test_bodies_that_never_meet_move_as_alone():
    law = rt.Poisson(e=0.4, mu=0.3)
    disks = [shapes.Disk("a", 0.1), shapes.Disk("b", 0.1)]
    both = rt.Model(space="planar", gravity=(0.0, -G), bodies=[rt.Body("a", 1.0, 0.01), rt.Body("b", 2.0, 0.01)],
                    contacts=[rt.ContactGroup("all", [FLOOR, *disks], law=law)])
    alone = rt.Model(space="planar", gravity=(0.0, -G), bodies=[rt.Body("a", 1.0, 0.01)],
                     contacts=[rt.ContactGroup("all", [FLOOR, disks[0]], law=law)])
    place = {"x": 0.0, "y": 0.5, "vx": 0.3, "omega": 2.0}
    one = step(alone, rt.State(a=place), 1.0)
    two = step(both, rt.State(a=place, b={"x": 5.0, "y": 0.31}), 1.0)
    for key in ("x", "y", "theta", "vx", "vy", "omega"):
        assert np.array_equal(one[f"a.{key}"], two[f"a.{key}"])
