"""Forty coupled four-bars pass through their flat, singular positions: CPU seconds per simulated second.

The note has the largest energy drift.
"""

from __future__ import annotations

import numpy as np

import routh as rt
from routh.bench.common import ROUTH, Row, cpu_time, missing, peer, silent
from routh.gallery import four_bar

N = 40
T_END = 10.0
STEP = 1e-3  # s, of the peers, which have fixed steps here
SAMPLE = 0.05  # s, between looks at the energy
CASE = f"four-bar N={N}"
UNIT = "s/s"
GOAL = 0.05
LENGTH, MASS, INERTIA = four_bar.LENGTH, four_bar.MASS, four_bar.MASS * four_bar.LENGTH**2 / 12.0
RATE = -four_bar.TIP_SPEED / LENGTH


def exact_energy():
    """Of the start, in joules."""
    kinetic = 0.5 * MASS * LENGTH**2 * ((N + 1) / 3.0 + N) * RATE**2
    return kinetic + MASS * four_bar.GRAVITY * LENGTH * (0.5 * (N + 1) + N)


def note(energies, coupler_angles):
    """What a run is worth: its largest drift, and whether it left the parallelogram."""
    drift = np.abs(np.asarray(energies) - exact_energy()).max()
    angle = np.abs(coupler_angles).max()
    branch = f", branched off by {angle:.1g} rad" if angle > 0.01 else ""
    return f"drift {drift:.1e} J of {exact_energy():.0f} J{branch}"


def mujoco_run():
    """MuJoCo, RK4, loops closed by its stiffest stable equality constraints."""
    import mujoco

    def rod(name, where, child="", euler=""):
        return (f'<body name="{name}" pos="{where}"{euler}><joint name="{name}" type="hinge" axis="0 0 1"/>'
                f'<inertial pos="{0.5 * LENGTH} 0 0" mass="{MASS}" diaginertia="1e-3 {INERTIA} {INERTIA}"/>'
                f"{child}</body>")

    bodies, loops = "", ""
    for i in range(N + 1):
        tip = rod(f"coupler{i + 1}", f"{LENGTH} 0 0") if i < N else ""
        bodies += rod(f"rod{i}", f"{i * LENGTH} 0 0", tip)
        if i:
            loops += f'<connect body1="coupler{i}" body2="rod{i}" anchor="{LENGTH} 0 0"/>'
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option gravity="0 {-four_bar.GRAVITY} 0" timestep="{STEP}" integrator="RK4">'
        f'<flag energy="enable" contact="disable"/></option><default><equality solref="{2 * STEP} 1" '
        f'solimp="0.9999 0.9999 0.001"/></default><worldbody>{bodies}</worldbody>'
        f"<equality>{loops}</equality></mujoco>")
    data = mujoco.MjData(model)
    for i in range(N + 1):
        data.joint(f"rod{i}").qpos, data.joint(f"rod{i}").qvel = 0.5 * np.pi, RATE
        if i < N:
            data.joint(f"coupler{i + 1}").qpos, data.joint(f"coupler{i + 1}").qvel = -0.5 * np.pi, -RATE

    rods = [model.joint(f"rod{i}").qposadr[0] for i in range(N)]
    couplers = [model.joint(f"coupler{i + 1}").qposadr[0] for i in range(N)]
    energies, angles = [], []

    def run():
        for _ in range(round(T_END / SAMPLE)):
            mujoco.mj_step(model, data, nstep=round(SAMPLE / STEP))
            energies.append(data.energy.sum())  # of the last step's start
            angles.append(data.qpos[rods] + data.qpos[couplers])

    return cpu_time(run), note(energies, angles)


def exudyn_run():
    """Exudyn, generalised-alpha, sparse; its undamped rules do not get past the first flat position."""
    import exudyn as exu
    from exudyn.itemInterface import (
        LoadMassProportional,
        MarkerBodyMass,
        MarkerBodyPosition,
        NodeRigidBody2D,
        ObjectGround,
        ObjectJointRevolute2D,
        ObjectRigidBody2D,
        SensorNode,
    )

    container = exu.SystemContainer()
    system = container.AddSystem()
    kinds = exu.OutputVariableType.Coordinates, exu.OutputVariableType.Coordinates_t
    sensors, heights = [], []
    ground = system.AddObject(ObjectGround())

    def add(x, y, angle, vx, omega):
        node = system.AddNode(NodeRigidBody2D(referenceCoordinates=[x, y, angle],
                                              initialVelocities=[vx, 0.0, omega]))
        heights.append(y)
        items = (SensorNode(nodeNumber=node, outputVariableType=kind, storeInternal=True) for kind in kinds)
        sensors.append([system.AddSensor(item) for item in items])
        body = system.AddObject(ObjectRigidBody2D(mass=MASS, inertia=INERTIA, nodeNumber=node))
        mark = system.AddMarker(MarkerBodyMass(bodyNumber=body))
        system.AddLoad(LoadMassProportional(markerNumber=mark, loadVector=[0.0, -four_bar.GRAVITY, 0.0]))
        return body

    def pin(a, point_a, b, point_b):
        marks = [system.AddMarker(MarkerBodyPosition(bodyNumber=body, localPosition=[*point, 0.0]))
                 for body, point in ((a, point_a), (b, point_b))]
        system.AddObject(ObjectJointRevolute2D(markerNumbers=marks))

    back, front = (-0.5 * LENGTH, 0.0), (0.5 * LENGTH, 0.0)
    couplers, before = [], None
    for i in range(N + 1):
        rod = add(i * LENGTH, 0.5 * LENGTH, 0.5 * np.pi, -0.5 * LENGTH * RATE, RATE)
        pin(ground, (i * LENGTH, 0.0), rod, back)
        if before is not None:
            couplers.append(len(sensors))
            coupler = add((i - 0.5) * LENGTH, LENGTH, 0.0, -LENGTH * RATE, 0.0)
            pin(before, front, coupler, back)
            pin(coupler, front, rod, front)
        before = rod
    system.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(T_END / STEP)
    settings.timeIntegration.endTime = T_END
    settings.timeIntegration.verboseMode = 0
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = SAMPLE
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.8
    settings.linearSolver.solverType = exu.LinearSolverType.EigenSparse

    def run():
        with silent():
            system.SolveDynamic(settings, solverType=exu.DynamicSolverType.GeneralizedAlpha)

    seconds = cpu_time(run)
    # sensors store columns (time, x - x0, y - y0, angle - angle0) and their rates
    moved, rates = (np.array([system.GetSensorStoredData(s)[:, 1:] for s in column])
                    for column in zip(*sensors, strict=True))
    heights = np.array(heights)[:, None] + moved[:, :, 1]
    energies = (0.5 * rates**2 @ [MASS, MASS, INERTIA] + MASS * four_bar.GRAVITY * heights).sum(axis=0)
    return seconds, note(energies, moved[couplers, :, 2])


def routh_run():
    """Routh at its default tolerance."""
    model, start = rt.compile_model(four_bar.model(N)), four_bar.start(N)
    options = rt.Options(output=SAMPLE)
    rt.simulate(model, start, t_end=SAMPLE, options=options)  # compiled code is loaded once, not timed
    results = []
    seconds = cpu_time(lambda: results.append(rt.simulate(model, start, t_end=T_END, options=options)))
    result = results[0]
    return seconds, note(result.energy["total"], [result[f"coupler{i}.theta"] for i in range(1, N + 1)])


PEERS = {"mujoco RK4": ("mujoco", mujoco_run), "exudyn generalised-alpha": ("exudyn", exudyn_run)}


def row(engine, seconds, remark, goal=None):
    """A run that leaves the parallelogram has no time to show: it computed another motion."""
    value = None if "branched" in remark else seconds / T_END
    return Row(CASE, engine, value, UNIT, remark, goal=goal)


def rows():
    for engine, (module, run) in PEERS.items():
        if not peer(module):
            yield missing(CASE, engine, UNIT)
            continue
        yield row(engine, *run())
    yield row(ROUTH, *routh_run(), goal=GOAL)
