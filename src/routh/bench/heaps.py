"""Heaps of spheres dropped into a box: Routh's time-stepping engine beside PyBullet and MuJoCo.

CPU time per simulated second while the spheres fall, collide and settle. The deepest penetration of spheres and floor is looked
at twenty times in the second, with positions only, the same way for every engine. Peers run with their default solvers at their
usual steps: PyBullet at 1/240 s, MuJoCo at 2 ms. MuJoCo has no coefficient of restitution. Then the cost of a step against the
number of contacts, and two threads against one, of a heap that has come together.
"""

from __future__ import annotations

import math
import time

import numpy as np

import routh as rt
from routh import shapes
from routh.bench.common import CORES, ROUTH, Row, missing, peer, pin_to, silent

RADIUS, MASS, E, MU = 0.05, 1.0, 0.3, 0.5
LOOKS = 20  # at penetrations, per simulated second
SWEEPS = (10, 50)  # at most; PyBullet's solver makes 50
PEERS_STEP = {"pybullet": 1.0 / 240.0, "mujoco": 0.002}


def side_of(n):
    """Side of the box [m]: about one and a half times as many layers as spheres along a side."""
    return 0.25 if n <= 16 else 2.1 * RADIUS * round((n / 1.5) ** (1.0 / 3.0))


def places(n):
    """Centres (n, 3): a loose grid, disturbed a little."""
    rng, across = np.random.default_rng(0), int((side_of(n) - 0.1 * RADIUS) // (2.1 * RADIUS))
    grid = np.array([(i % across, i // across % across, i // across**2) for i in range(n)], float)
    return grid * 2.1 * RADIUS + 1.1 * RADIUS + 0.02 * RADIUS * rng.uniform(-1.0, 1.0, (n, 3)) + (0.0, 0.0, 0.1)


def walls(n):
    """(normal, point) of floor and sides."""
    side = side_of(n)
    return [((0.0, 0.0, 1.0), (0.0, 0.0, 0.0)), ((1.0, 0.0, 0.0), (0.0, 0.0, 0.0)), ((-1.0, 0.0, 0.0), (side, 0.0, 0.0)),
            ((0.0, 1.0, 0.0), (0.0, 0.0, 0.0)), ((0.0, -1.0, 0.0), (0.0, side, 0.0))]


def penetration(x):
    """Deepest overlap of spheres with each other or the floor, against the radius."""
    from scipy.spatial import cKDTree

    pairs = cKDTree(x).query_pairs(2.0 * RADIUS, output_type="ndarray")
    deep = (2.0 * RADIUS - np.linalg.norm(x[pairs[:, 0]] - x[pairs[:, 1]], axis=1)).max() if len(pairs) else 0.0
    return max(deep, float((RADIUS - x[:, 2]).max()), 0.0) / RADIUS


def model(n):
    """Bodies s0, s1, ... in a box."""
    names, inertia = [f"s{i}" for i in range(n)], 0.4 * MASS * RADIUS**2
    balls = [shapes.Sphere(name, RADIUS) for name in names]
    box = [shapes.HalfSpace("ground", normal, point) for normal, point in walls(n)]
    law = rt.Newton(e=E, mu=MU)
    return rt.Model(space="spatial", gravity=(0.0, 0.0, -9.81), bodies=[rt.Body(name, MASS, (inertia,) * 3) for name in names],
                    contacts=[rt.ContactGroup("heap", balls, law=law), rt.ContactGroup("box", balls, box, law=law)])


def start(n):
    return rt.State({f"s{i}": dict(zip("xyz", x, strict=True)) for i, x in enumerate(places(n))})


def ours(n, **choices):
    """(CPU seconds per simulated second, deepest penetration, the options in words)."""
    compiled, begin = rt.compile_model(model(n), "stepping"), start(n)
    rt.simulate(compiled, begin, t_end=choices["step"], options=rt.Options(engine="stepping", output=[], **choices))
    options = rt.Options(engine="stepping", output=1.0 / LOOKS, progress=False, **choices)
    spent = []
    for _ in range(1 if n > 100 else 3):
        before = time.process_time()
        result = rt.simulate(compiled, begin, t_end=1.0, options=options)
        spent.append(time.process_time() - before)
    x = np.stack([[result[f"s{i}.{axis}"] for axis in "xyz"] for i in range(n)])  # (n, 3, samples)
    deep = max(penetration(x[:, :, k]) for k in range(x.shape[2]))
    return min(spent), deep, f"step {choices['step']:g} s"


def bullet(n, engine):
    """The same of PyBullet."""
    step, x = PEERS_STEP["pybullet"], places(n)
    engine.connect(engine.DIRECT)
    engine.setGravity(0.0, 0.0, -9.81)
    engine.setTimeStep(step)
    for normal, point in walls(n):
        shape = engine.createCollisionShape(engine.GEOM_PLANE, planeNormal=normal)
        plane = engine.createMultiBody(0, shape, basePosition=point)
        engine.changeDynamics(plane, -1, lateralFriction=1.0, restitution=1.0)  # it multiplies those of two bodies
    ball = engine.createCollisionShape(engine.GEOM_SPHERE, radius=RADIUS)
    bodies = [engine.createMultiBody(MASS, ball, basePosition=list(place)) for place in x]
    for body in bodies:
        engine.changeDynamics(body, -1, lateralFriction=MU, restitution=E, rollingFriction=0.0, spinningFriction=0.0,
                              linearDamping=0.0, angularDamping=0.0, activationState=engine.ACTIVATION_STATE_DISABLE_SLEEPING)

    def positions():
        return np.array([engine.getBasePositionAndOrientation(body)[0] for body in bodies])

    found = march(lambda: engine.stepSimulation(), positions, step)
    engine.disconnect()
    return found


def mujoco(n, engine):
    """The same of MuJoCo."""
    text = [f'<mujoco><option timestep="{PEERS_STEP["mujoco"]}" gravity="0 0 -9.81"/><size memory="2G"/><worldbody>']
    number = "{:.17g} {:.17g} {:.17g}".format
    text += [f'<geom type="plane" size="0 0 1" pos="{number(*point)}" zaxis="{number(*normal)}" friction="{MU} 0 0"/>'
             for normal, point in walls(n)]
    ball = f'<freejoint/><geom type="sphere" size="{RADIUS}" mass="{MASS}" friction="{MU} 0 0"/>'
    text += [f'<body pos="{number(*x)}">{ball}</body>' for x in places(n)]
    compiled = engine.MjModel.from_xml_string("".join(text) + "</worldbody></mujoco>")
    data = engine.MjData(compiled)
    return march(lambda: engine.mj_step(compiled, data), lambda: data.qpos.reshape(n, 7)[:, :3], PEERS_STEP["mujoco"])


def march(advance, positions, step):
    """(CPU seconds, deepest penetration) of one simulated second."""
    spent, deep, steps = 0.0, 0.0, round(1.0 / step)
    for look in range(LOOKS):
        before = time.process_time()
        for _ in range(steps * look // LOOKS, steps * (look + 1) // LOOKS):
            advance()
        spent += time.process_time() - before
        deep = max(deep, penetration(positions()))
    return spent, deep


def settled(n, h=0.004, sweeps=20):
    """A run of n spheres that have come together, ready to step on."""
    from routh.sim.assembly import assemble_arrays
    from routh.sim.step_run import StepRun

    compiled = rt.compile_model(model(n), "stepping")
    options = rt.Options(engine="stepping", step=h, output=[], contact_tolerance=1e-12, max_sweeps=sweeps, progress=False)
    run = StepRun(compiled, options)
    run.begin(*assemble_arrays(run.machine, start(n), 0.0, keep=True), 0.0, 100.0)
    advance(run, round((0.3 + math.sqrt(2.0 * side_of(n) / 9.81)) / h))
    return run


def advance(run, steps):
    run.control["budget"] = int(run.control["steps"]) + steps
    run._call()


def rows():
    """CPU per simulated second; slope; threads.

    The goal is half of PyBullet's time at a penetration no worse than MuJoCo's. It is judged at PyBullet's own step with the
    fewest sweeps of SWEEPS. The other rows tell what more sweeps and other steps cost.
    """
    engines = {"pybullet": bullet, "mujoco": mujoco}
    seconds, deep, words = ours(8, step=1e-3)
    yield Row("8 spheres in a box", ROUTH, seconds, "s/s", f"{words}, penetration {deep:.1e} radii", goal=0.05)
    for n in (100, 1000):
        case = f"{n} spheres in a box"
        for step, sweeps in ((PEERS_STEP["pybullet"], SWEEPS[0]), (PEERS_STEP["pybullet"], SWEEPS[1]), (1e-3, SWEEPS[0]),
                             (5e-3, SWEEPS[0])):
            judged = step == PEERS_STEP["pybullet"] and sweeps == SWEEPS[0]
            seconds, deep, words = ours(n, step=step, contact_tolerance=1e-3, max_sweeps=sweeps)
            yield Row(case if judged else f"{case}, {words}, {sweeps} sweeps", ROUTH, seconds, "s/s",
                      f"{words}, {sweeps} sweeps, penetration {deep:.1e} radii", goal_ratio=0.5 if judged else None)
        for name, run in engines.items():
            with silent():
                engine = peer(name)
                found = None if engine is None or (n == 1000 and name == "mujoco") else run(n, engine)
            if found is None:
                yield missing(case, name, "s/s") if engine is None else Row(case, name, None, "s/s", "minutes; left out")
            else:
                yield Row(case, name, found[0], "s/s", f"step {PEERS_STEP[name]:.2g} s, penetration {found[1]:.1e} radii")
    cost = {}
    for n in (100, 1000, 10_000):
        run = settled(n)
        before = time.process_time()
        advance(run, max(4000 // n, 2))
        cost[n] = ((time.process_time() - before) / max(4000 // n, 2), int(run.control["n_point"]))
        yield Row(f"{n} spheres, settled", ROUTH, 1e3 * cost[n][0], "ms/step", f"{cost[n][1]} contact points, 20 sweeps")
    (few, points), (many, more) = cost[100], cost[10_000]
    yield Row("cost against contacts", ROUTH, math.log(many / few) / math.log(more / points), "slope", goal=1.15)
    pin_to(CORES)
    run.machine.need("help_steps")
    for sweeps in (20, 100, 1000):  # 1000 is the default; a pile of 10,000 takes them all
        spent = {}
        run.control["most_sweeps"] = sweeps
        for threads in (1, 2) * (3 if sweeps < 1000 else 1):
            run.options = rt.Options(engine="stepping", threads=threads)
            before = time.perf_counter()
            advance(run, 4 if sweeps < 1000 else 1)
            spent[threads] = min(spent.get(threads, math.inf), time.perf_counter() - before)
        yield Row(f"10000 spheres, {sweeps} sweeps", ROUTH, spent[2] / spent[1], "of one", "wall time of two threads",
                  goal=1.0 / 1.6)
    pin_to(set(sorted(CORES)[:1]))
