"""A bouncing, spinning ball against its closed form; the cost of a bounce; a billiards break with 16 balls.

The ball of [park] has radius 0.2 m, falls from 10 m with a spin of 1 rad/s and bounces twice in 5 s, e = 0.8, mu = 0.3. Each
engine takes the largest step that keeps its height within 1e-4 m of the closed form. Time steppers meet the floor a fraction of
a step late at every bounce. MuJoCo has no coefficient of restitution; of Exudyn we use an end stop. For both a spring and a
damper stand in, tuned to e, so that an impact lasts a fixed number of steps.
"""

from __future__ import annotations

import math

import numpy as np

import routh as rt
from routh import shapes
from routh.bench.common import ROUTH, Curve, Row, best_time, cpu_time, curve_of, missing, peer, silent
from routh.gallery import billiards

GRAVITY, RADIUS, MASS, INERTIA = 9.81, 0.2, 1.0, 0.016
HEIGHT, SPIN, E, MU = 10.0, 1.0, 0.8, 0.3
T_END, ERROR = 5.0, 1e-4
SAMPLES = np.linspace(0.0, T_END, 501)[1:]
CASE, UNIT = "ball, error 1e-4 m", "ms/s"
BALL = "bouncing ball, 5 s"
PATIENCE = 6.0  # CPU seconds of one run, after which no finer step is tried
STEPS = [1e-3 * 0.5**k for k in range(20)]
SOFT = 30  # steps of a contact that a spring makes


def exact(t):
    """Height of the ball's centre."""
    t = np.asarray(t)
    speed = math.sqrt(2.0 * GRAVITY * (HEIGHT - RADIUS))
    begin, y = speed / GRAVITY, HEIGHT - 0.5 * GRAVITY * t * t
    while begin < T_END:
        speed *= E
        s = t - begin
        y = np.where(s > 0.0, RADIUS + speed * s - 0.5 * GRAVITY * s * s, y)
        begin += 2.0 * speed / GRAVITY
    return y


def model(e=E):
    floor = shapes.HalfSpace("ground", normal=(0.0, 1.0))
    return rt.Model(space="planar", gravity=(0.0, -GRAVITY), bodies=[rt.Body("ball", MASS, INERTIA)],
                    contacts=[rt.Contact("bounce", floor, shapes.Disk("ball", RADIUS), law=rt.Newton(e, MU))])


def routh_simulate():
    """A function that runs the ball by Routh at its default tolerance."""
    compiled = rt.compile_model(model())
    start, options = rt.State(ball={"y": HEIGHT, "omega": SPIN}), rt.Options(output=SAMPLES)

    def simulate():
        return rt.simulate(compiled, start, t_end=T_END, options=options)

    simulate().complete()  # compiled code is loaded once, not timed
    return simulate


def routh_run(_):
    """Routh, of which the height is read: all channels are observed, but ledgers and energy account are not made."""
    simulate = routh_simulate()

    def run():
        result = simulate()
        return result.t, result["ball.y"]

    return run


def scipy_run(rtol, height=HEIGHT, e=E, t_end=T_END, samples=SAMPLES):
    """A script: solve_ivp up to each root of the gap, then the impulse of a disk."""
    from scipy.integrate import solve_ivp

    def rates(t, y):
        return [y[3], y[4], y[5], 0.0, -GRAVITY, 0.0]

    def gap(t, y):
        return y[1] - RADIUS

    gap.terminal, gap.direction = True, -1.0

    def run():
        t, y, times, heights = 0.0, np.array([0.0, height, 0.0, 0.0, 0.0, SPIN]), [], []
        while t < t_end:
            part = solve_ivp(rates, (t, t_end), y, "DOP853", samples[samples > t], events=gap, rtol=rtol, atol=rtol)
            times.append(part.t)
            heights.append(part.y[1] if len(part.t) else [])
            if part.status == 0:
                break
            t, y = part.t_events[0][0], part.y_events[0][0]
            y[1] = RADIUS
            normal = -(1.0 + e) * y[4] * MASS
            slip = y[3] + RADIUS * y[5]
            tangent = -slip / (1.0 / MASS + RADIUS**2 / INERTIA)
            tangent = min(max(tangent, -MU * normal), MU * normal)
            y[3:] += [tangent / MASS, normal / MASS, RADIUS * tangent / INERTIA]
        return np.concatenate(times), np.concatenate(heights)

    return run


def stepped(step, height, h):
    """Run a time stepper; height() about every hundredth of a second."""
    n = round(T_END / h)
    every = max(1, round(n / SAMPLES.size))
    times, heights = [], []
    for k in range(n // every):
        for _ in range(every):
            step()
        times.append((k + 1) * every * h)
        heights.append(height())
    return times, heights


def pymunk_run(h):
    """Pymunk with no slop and one iteration, which is enough for one contact."""
    import pymunk

    def run():
        space = pymunk.Space()
        space.gravity, space.collision_slop, space.iterations = (0.0, -GRAVITY), 0.0, 1
        ball = pymunk.Body(MASS, INERTIA)
        ball.position, ball.angular_velocity = (0.0, HEIGHT), SPIN
        disk, floor = pymunk.Circle(ball, RADIUS), pymunk.Segment(space.static_body, (-10.0, -1.0), (10.0, -1.0), 1.0)
        disk.elasticity, disk.friction, floor.elasticity, floor.friction = E, MU, 1.0, 1.0  # products count
        space.add(ball, disk, floor)
        return stepped(lambda: space.step(h), lambda: ball.position.y, h)

    return run


def bullet_run(h):
    """PyBullet, without damping, and with restitution at every speed."""
    import pybullet as bullet

    def run():
        bullet.connect(bullet.DIRECT)
        bullet.setGravity(0.0, 0.0, -GRAVITY)
        bullet.setTimeStep(h)
        bullet.setPhysicsEngineParameter(restitutionVelocityThreshold=0.0, contactBreakingThreshold=1e-6)
        floor = bullet.createMultiBody(0.0, bullet.createCollisionShape(bullet.GEOM_PLANE))
        shape = bullet.createCollisionShape(bullet.GEOM_SPHERE, radius=RADIUS)
        ball = bullet.createMultiBody(MASS, shape, basePosition=[0.0, 0.0, HEIGHT])
        bullet.changeDynamics(floor, -1, restitution=1.0, lateralFriction=1.0)  # products count
        bullet.changeDynamics(ball, -1, restitution=E, lateralFriction=MU, linearDamping=0.0, angularDamping=0.0)
        bullet.resetBaseVelocity(ball, [0.0, 0.0, 0.0], [0.0, SPIN, 0.0])
        seen = stepped(bullet.stepSimulation, lambda: bullet.getBasePositionAndOrientation(ball)[0][2], h)
        bullet.disconnect()
        return seen

    return run


def mujoco_run(h):
    """MuJoCo's RK4; its contact pushes only, so the damper's contact ends where force, not overlap, comes to zero."""
    import mujoco
    from scipy.optimize import brentq

    def lacking(z):
        root = math.sqrt(1.0 - z * z)
        return math.exp(-z / root * (math.pi - math.atan2(2.0 * z * root, 1.0 - 2.0 * z * z))) - E

    damping = brentq(lacking, 1e-4, 0.7, xtol=1e-15)
    rate = math.pi / (SOFT * h * math.sqrt(1.0 - damping**2))
    world = mujoco.MjModel.from_xml_string(
        f'<mujoco><option gravity="0 0 {-GRAVITY}" timestep="{h!r}" integrator="RK4" cone="elliptic"/><default>'
        f'<geom solref="{-rate * rate!r} {-2.0 * damping * rate!r}" solimp="0.9999 0.9999 1e-6" friction="{MU} 0 0"/></default>'
        f'<worldbody><geom type="plane" size="0 0 1"/><body pos="0 0 {HEIGHT}"><joint type="slide" axis="1 0 0"/>'
        f'<joint type="slide" axis="0 0 1"/><joint type="hinge" axis="0 1 0"/>'
        f'<geom type="sphere" size="{RADIUS}" mass="{MASS}"/></body></worldbody></mujoco>')
    every = max(1, round(0.01 / h))

    def run():
        data = mujoco.MjData(world)
        data.qvel[2] = SPIN
        times, heights = [], []
        for _ in range(round(T_END / (every * h))):
            mujoco.mj_step(world, data, nstep=every)
            times.append(data.time)
            heights.append(HEIGHT + data.qpos[1])
        return times, heights

    return run


def exudyn_run(h):
    """Exudyn's RK44, height only: an end stop that holds on until the overlap has gone."""
    import exudyn as exu
    from exudyn.itemInterface import (
        MarkerNodeCoordinate,
        NodeGenericData,
        NodeGenericODE2,
        NodePointGround,
        ObjectConnectorCoordinateSpringDamperExt,
        ObjectGenericODE2,
        SensorNode,
    )

    damping = -math.log(E) / math.hypot(math.log(E), math.pi)
    rate = math.pi / (SOFT * h * math.sqrt(1.0 - damping**2))
    container = exu.SystemContainer()
    system = container.AddSystem()
    ball = system.AddNode(NodeGenericODE2(referenceCoordinates=[HEIGHT], initialCoordinates=[0.0],
                                          initialCoordinates_t=[0.0], numberOfODE2Coordinates=1))
    system.AddObject(ObjectGenericODE2(nodeNumbers=[ball], massMatrix=[[MASS]], forceVector=[-MASS * GRAVITY]))
    marks = [system.AddMarker(MarkerNodeCoordinate(nodeNumber=n, coordinate=0))
             for n in (system.AddNode(NodePointGround()), ball)]
    memory = system.AddNode(NodeGenericData(initialCoordinates=[0.0] * 3, numberOfDataCoordinates=3))
    system.AddObject(ObjectConnectorCoordinateSpringDamperExt(
        markerNumbers=marks, nodeNumber=memory, useLimitStops=True, limitStopsLower=RADIUS - HEIGHT, limitStopsUpper=1e3,
        limitStopsStiffness=MASS * rate * rate, limitStopsDamping=2.0 * MASS * damping * rate))
    sensor = system.AddSensor(SensorNode(nodeNumber=ball, outputVariableType=exu.OutputVariableType.Coordinates,
                                         storeInternal=True))
    system.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps, settings.timeIntegration.endTime = round(T_END / h), T_END
    settings.timeIntegration.verboseMode = 0
    settings.solution.file.write, settings.solution.sensors.writePeriod = False, 0.01

    def run():
        with silent():
            system.SolveDynamic(settings, solverType=exu.DynamicSolverType.RK44)
        seen = system.GetSensorStoredData(sensor)
        return seen[1:, 0], HEIGHT + seen[1:, 1]

    return run


PEERS = {
    "scipy script, DOP853": ("scipy", scipy_run, [10.0**-k for k in range(3, 12)]),
    "pymunk": ("pymunk", pymunk_run, STEPS),
    "exudyn RK44, spring": ("exudyn", exudyn_run, STEPS),
    "mujoco RK4, spring": ("mujoco", mujoco_run, STEPS),
    "pybullet": ("pybullet", bullet_run, STEPS),
}


def cheapest(engine, make, settings):
    """The row of the first setting, from coarse to fine, whose error is small enough; else the best error met."""
    best, at = math.inf, 0.0
    for setting in settings:
        run = make(setting)
        seen = []
        spent = cpu_time(lambda: seen.append(run()))  # noqa: B023
        times, heights = seen[0]
        error = float(np.abs(np.asarray(heights) - exact(times)).max())
        if error <= ERROR:
            spent = best_time(run) if spent < 0.1 else spent
            return Row(CASE, engine, 1e3 * spent / T_END, UNIT, f"step or tolerance {setting:.2g}, error {error:.1e} m")
        if error < best:
            best, at = error, setting
        if spent > PATIENCE:
            break
    return Row(CASE, engine, None, UNIT, f"best error {best:.1e} m, at a step of {at:.2g} s")


def measured(make):
    """A function of a setting: CPU seconds of the run that `make` gives, and the largest error of its height [m]."""
    def measure(setting):
        run, seen = make(setting), []
        spent = cpu_time(lambda: seen.append(run()))
        times, heights = seen[0]
        spent = best_time(run, seconds=0.2) if spent < 0.05 else spent
        return spent, float(np.abs(np.asarray(heights) - exact(times)).max())

    return measure


def routh_settings(**choices):
    """Routh with an option that is the setting, such as rtol or step."""
    compiled, start = rt.compile_model(model()), rt.State(ball={"y": HEIGHT, "omega": SPIN})
    (name,) = [key for key, value in choices.items() if value is None]

    def make(setting):
        options = rt.Options(output=SAMPLES, **{**choices, name: setting})

        def run():
            result = rt.simulate(compiled, start, t_end=T_END, options=options)
            return result.t, result["ball.y"]

        run()
        return run

    return make


def curves(patience):
    """Height of the bouncing ball: error against CPU time of every engine."""
    for engine, (module, make, settings) in PEERS.items():
        if peer(module):
            yield curve_of(BALL, engine, "m", settings, measured(make), patience)
        else:
            yield Curve(BALL, engine, "m", ())
    yield curve_of(BALL, "routh, events", "m", [1e-4, 1e-6, 1e-8, 1e-10], measured(routh_settings(rtol=None)), patience)
    stepping = routh_settings(engine="stepping", step=None)
    yield curve_of(BALL, "routh, stepping", "m", [0.01 * 0.5**k for k in range(12)], measured(stepping), patience)


DROP = 0.1  # m, of the ball that bounces without loss


def bouncing(n):
    """Time in which that ball bounces n times and is back at its height."""
    return 2.0 * n * math.sqrt(2.0 * DROP / GRAVITY)


def per_bounce(n):
    """Microseconds per bounce, and what n bounces do to the height."""
    compiled = rt.compile_model(model(e=1.0))
    start, options = rt.State(ball={"y": RADIUS + DROP, "omega": SPIN}), rt.Options(output=[])
    results = []
    spent = cpu_time(lambda: results.append(rt.simulate(compiled, start, t_end=bouncing(n), options=options)), rounds=5)
    if len(results[0].impacts) != n:
        raise RuntimeError(f"{len(results[0].impacts)} bounces, not {n}")
    error = abs(results[0]["ball.y"][-1] - RADIUS - DROP) / DROP
    return 1e6 * spent / n, f"height at the end off by {error:.1e} of itself"


def rows():
    for engine, (module, make, settings) in PEERS.items():
        yield cheapest(engine, make, settings) if peer(module) else missing(CASE, engine, UNIT)
    yield cheapest(ROUTH, routh_run, [1e-8])
    simulate = routh_simulate()
    spent = best_time(lambda: simulate().complete())
    yield Row("ball, all of its result", ROUTH, 1e3 * spent / T_END, UNIT, "channels, ledgers, energy account, declaration")

    n = 100
    script = scipy_run(1e-8, RADIUS + DROP, 1.0, bouncing(n), np.array([bouncing(n)]))
    yield Row("1000 bounces, e = 1", "scipy script, DOP853", 1e6 * cpu_time(script, rounds=3) / n, "us each", f"{n} bounces")
    for n in (1000, 10_000):
        value, note = per_bounce(n)
        yield Row(f"{n} bounces, e = 1", ROUTH, value, "us each", note)

    compiled, start = rt.compile_model(billiards.model()), billiards.start()
    for what, output, goal in (("", None, None), (", no samples", [], 50.0)):
        options, results = rt.Options(output=output), []
        spent = cpu_time(lambda: results.append(rt.simulate(compiled, start, t_end=12.0, options=options)), rounds=5)  # noqa: B023
        yield Row(f"16-ball break{what}", ROUTH, 1e3 * spent, "ms", f"{len(results[0].impacts)} impacts in 12 s", goal=goal)
