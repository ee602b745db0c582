"""Two links are let go from the horizontal: CPU time of 10 s to an error of 1e-7 rad in both angles.

Each engine runs with finer settings until its error against one common reference, computed in extended precision, is small
enough. The flow amplifies errors by some thousands within this time.
"""

from __future__ import annotations

import math

import numpy as np

import routh as rt
from routh.bench.common import ROUTH, Curve, Row, cpu_time, curve_of, missing, peer, silent
from routh.gallery import chain

T_END = 10.0
ERROR = 1e-7
CASE = "double pendulum to 1e-7"
PENDULUM = "double pendulum, 10 s"
UNIT = "ms"
START = (0.5 * math.pi, 0.0)  # joint angles; both links point along +x
GOAL_RATIO = 1.0 / 20.0


def reference():
    """Joint angles at the end by extrapolation in extended precision; two step sizes agree to 1e-10."""
    coarse, fine = (_extrapolated(n) for n in (1000, 1300))
    if np.abs(coarse - fine).max() > 1e-10:
        raise RuntimeError(f"the reference is not converged: {coarse} and {fine}")
    return np.array([fine[0], fine[1] - fine[0]], dtype=float)


def _extrapolated(n_steps, columns=8):
    """Absolute angles at the end, and their rates."""
    real = np.longdouble
    m, l, g = real(chain.MASS), real(chain.LENGTH), real(chain.GRAVITY)
    J = m * (l * l + real(chain.WIDTH) ** 2) / 12 + m * l * l / 4  # about a link's upper end
    m11, m22 = J + m * l * l, J

    def rates(y):
        a, b, wa, wb = y
        m12, s = m * l * l * np.cos(a - b) / 2, m * l * l * np.sin(a - b) / 2
        fa = -s * wb * wb - 3 * m * g * l * np.sin(a) / 2
        fb = s * wa * wa - m * g * l * np.sin(b) / 2
        det = m11 * m22 - m12 * m12
        return np.array([wa, wb, (m22 * fa - m12 * fb) / det, (m11 * fb - m12 * fa) / det])

    y = np.array([START[0], START[0] + START[1], 0, 0], dtype=real)
    H = real(T_END) / n_steps
    for _ in range(n_steps):
        table = []
        for k in range(1, columns + 1):
            h, before = H / (2 * k), y
            now = y + h * rates(y)
            for _ in range(2 * k - 1):
                before, now = now, before + 2 * h * rates(now)
            row = [(before + now + h * rates(now)) / 2]  # Gragg's smoothing
            for j in range(1, k):
                row.append(row[-1] + (row[-1] - table[-1][j - 1]) / (real(k) ** 2 / real(k - j) ** 2 - 1))
            table.append(row)
        y = table[-1][-1]
    return y


def pinocchio_run(rtol):
    """Pinocchio's accelerations, SciPy's DOP853."""
    import pinocchio as pin
    from scipy.integrate import solve_ivp

    from routh.bench.chain import pinocchio_model

    model, data = pinocchio_model(2, "planar")
    tau = np.zeros(2)

    def rates(t, y):
        return np.concatenate([y[2:], pin.aba(model, data, y[:2], y[2:], tau)])

    start = [*START, 0.0, 0.0]
    return lambda: solve_ivp(rates, (0.0, T_END), start, method="DOP853", rtol=rtol, atol=rtol).y[:2, -1]


def mujoco_run(n_steps):
    """MuJoCo's RK4 at a fixed step; all steps in one compiled call."""
    import mujoco
    from mujoco import rollout

    l, moments = chain.LENGTH, " ".join(map(str, chain.inertia()))
    link = (f'<joint type="hinge" axis="0 0 1"/><inertial pos="0 {-0.5 * l} 0" mass="{chain.MASS}" '
            f'diaginertia="{moments}"/>')
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option gravity="0 {-chain.GRAVITY} 0" timestep="{T_END / n_steps!r}" integrator="RK4"/>'
        f'<worldbody><body>{link}<body pos="0 {-l} 0">{link}</body></body></worldbody></mujoco>')
    data = mujoco.MjData(model)
    data.qpos[:] = START
    state = np.empty(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
    mujoco.mj_getState(model, data, state, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    first = 1  # of the positions: the state begins with the time

    def run():
        states, _ = rollout.rollout(model, data, state[None], nstep=n_steps)
        return states[0, -1, first:first + 2]

    return run


def exudyn_run(n_steps):
    """Exudyn's kinematic tree with its explicit RK67 at a fixed step."""
    import exudyn as exu
    from exudyn.itemInterface import NodeGenericODE2, ObjectKinematicTree

    container = exu.SystemContainer()
    system = container.AddSystem()
    node = system.AddNode(NodeGenericODE2(referenceCoordinates=[0.0, 0.0], initialCoordinates=list(START),
                                          initialCoordinates_t=[0.0, 0.0], numberOfODE2Coordinates=2))
    l = chain.LENGTH
    eye, inertia = np.eye(3), np.diag(chain.inertia())
    system.AddObject(ObjectKinematicTree(
        nodeNumber=node, gravity=[0.0, -chain.GRAVITY, 0.0], jointTypes=[exu.JointType.RevoluteZ] * 2,
        linkParents=[-1, 0], jointTransformations=exu.Matrix3DList([eye, eye]),
        jointOffsets=exu.Vector3DList([[0.0, 0.0, 0.0], [0.0, -l, 0.0]]),
        linkInertiasCOM=exu.Matrix3DList([inertia, inertia]),
        linkCOMs=exu.Vector3DList([[0.0, -0.5 * l, 0.0]] * 2), linkMasses=[chain.MASS] * 2))
    system.Assemble()
    settings = exudyn_settings(exu, n_steps)

    def run():
        with silent():
            system.SolveDynamic(settings, solverType=exu.DynamicSolverType.RK67)
        return np.array(system.systemData.GetODE2Coordinates())

    return run


def exudyn_settings(exu, n_steps, t_end=T_END):
    """Fixed steps, nothing written to files."""
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = n_steps
    settings.timeIntegration.endTime = t_end
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.explicit.computeEndOfStepAccelerations = False
    settings.solution.file.write = False
    settings.solution.sensors.active = False
    return settings


def routh_run(rtol):
    """Routh's explicit method on the compiled model, everything after compilation included."""
    model = rt.compile_model(chain.model(2))
    start = rt.State(pin0={"angle": START[0]}, pin1={"angle": START[1]})
    options = rt.Options(rtol=rtol, atol=rtol, method="explicit", output=(T_END,))

    def run():
        result = rt.simulate(model, start, t_end=T_END, options=options)
        return np.array([result["pin0.angle"][-1], result["pin1.angle"][-1]])

    return run


TOLERANCES = [10.0 ** (-0.5 * k) for k in range(14, 29)]
STEPS = [round(500 * 1.2**k) for k in range(30)]
PEERS = {
    "exudyn RK67": ("exudyn", exudyn_run, STEPS),
    "pinocchio + scipy DOP853": ("pinocchio", pinocchio_run, TOLERANCES),
    "mujoco RK4": ("mujoco", mujoco_run, STEPS),
}


def cheapest(engine, make, settings, exact, goal_ratio=None):
    """The row of the first setting, from coarse to fine, whose error is small enough."""
    for setting in settings:
        run = make(setting)
        error = np.abs(run() - exact).max()
        if error <= ERROR:
            value = 1e3 * cpu_time(run, rounds=5)
            note = f"{'steps' if setting > 1 else 'tolerance'} {setting:g}, error {error:.1e}"
            return Row(CASE, engine, value, UNIT, note, goal_ratio=goal_ratio)
    return Row(CASE, engine, None, UNIT, f"best error {error:.1e}")


def curves(patience):
    """Angles after 10 s: error against CPU time of every engine."""
    exact = reference()

    def measured(make):
        def measure(setting):
            run = make(setting)
            error = float(np.abs(run() - exact).max())
            return cpu_time(run, rounds=3), error

        return measure

    coarse = [10.0**-k for k in range(3, 14)]
    for engine, (module, make, settings) in PEERS.items():
        if peer(module):
            chosen = coarse if settings is TOLERANCES else [250 * 2**k for k in range(12)]
            yield curve_of(PENDULUM, engine, "rad", chosen, measured(make), patience)
        else:
            yield Curve(PENDULUM, engine, "rad", ())
    yield curve_of(PENDULUM, ROUTH, "rad", coarse, measured(routh_run), patience)


def rows():
    exact = reference()
    for engine, (module, make, settings) in PEERS.items():
        yield cheapest(engine, make, settings, exact) if peer(module) else missing(CASE, engine, UNIT)
    yield cheapest(ROUTH, routh_run, TOLERANCES, exact, GOAL_RATIO)
