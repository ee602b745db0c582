"""The tracked excavator of [shin]: CPU seconds per simulated second of 53 bodies with 42 links and some 60 shoe points.

All channels are sampled every 10 ms. The speed is compared with order 8 and error control at 1e-8 over five seconds. Other
engines run a bare ring of links without contacts.
"""

from __future__ import annotations

import dataclasses

import numpy as np

import routh as rt
from routh.bench.common import ROUTH, Row, cpu_time, missing, peer, silent
from routh.bench.evaluation import Evaluation
from routh.bench.ring import mujoco_ring
from routh.gallery import ring, shin
from routh.vehicles import excavator
from routh.vehicles.tracked import OPTIONS

T_END = 5.0
SAMPLE = 0.01  # s
STEP = 1e-3  # s, of the peers
UNIT = "s/s"
CHAIN = "ring of 42 links, 1 s"
LINKS = (42, 84, 168, 336)
FINE = dataclasses.replace(OPTIONS, output=SAMPLE)
COARSE = rt.Options(method="order3", rtol=0.02, atol=0.02, max_step=9e-4, output=SAMPLE)  # short of the stability limit
EXACT = rt.Options(output=SAMPLE)  # order 8, error control at 1e-8


def drive(model, options, rounds=1):
    """One run of the vehicle, and its CPU time per simulated second: the best of some rounds."""
    runs = []
    seconds = cpu_time(lambda: runs.append(rt.simulate(model, shin.start(), T_END, options=options)), rounds=rounds)
    return runs[0], seconds / T_END


def vehicle_rows():
    """Time per simulated second, all channels included, with the largest error of the speed over five seconds."""
    model = rt.compile_model(shin.model())
    rt.simulate(model, shin.start(), 0.01, options=FINE)  # compiled code is loaded once, not timed
    exact, seconds = drive(model, EXACT)
    yield Row("vehicle, error control 1e-8", ROUTH, seconds, UNIT, "the reference of the next two")
    for options, bound, goal in ((FINE, 2e-4, 0.25), (COARSE, 1e-3, 0.05)):
        result, seconds = drive(model, options, rounds=5)
        error = np.abs(np.interp(exact.t, result.t, result["chassis.vx"]) - exact["chassis.vx"]).max()
        yield Row(f"vehicle within {bound:g} m/s", ROUTH, seconds if error <= bound else None, UNIT,
                  f"speed off by {error:.1e} m/s", goal=goal)


def refined(count):
    """The excavator with `count` links on the same wheels: each part of a link and of a tooth as much smaller."""
    vehicle, times = excavator.vehicle(), count // 42
    links, sprocket = vehicle.links, vehicle.sprocket
    half = 0.5 * links.pitch / times
    return dataclasses.replace(
        vehicle,
        links=dataclasses.replace(links, count=count, pitch=2.0 * half, mass=links.mass / times,
                                  inertia=links.inertia / times**2, rail=dataclasses.replace(links.rail, back=half, front=half),
                                  pin_radius=links.pin_radius / times, shoes=tuple((x / times, y) for x, y in links.shoes)),
        sprocket=dataclasses.replace(sprocket, teeth=sprocket.teeth * times, play=sprocket.play / times,
                                     flank=tuple(x / times for x in sprocket.flank)))


def growth_rows():
    """Microseconds per evaluation of the accelerations, and the power of the number of links that they grow with."""
    spent = []
    for count in LINKS:
        vehicle = refined(count).locked()
        model = vehicle.model()
        fallen = rt.simulate(model, vehicle.built(), 0.05, options=dataclasses.replace(OPTIONS, output=0.05))
        spent.append(Evaluation(model, fallen.final_state).seconds())
        yield Row(f"vehicle, {count} links", ROUTH, 1e6 * spent[-1], "us")
    slope = np.polyfit(np.log(LINKS), np.log(spent), 1)[0]
    yield Row(f"growth, {LINKS[0]} to {LINKS[-1]} links", ROUTH, float(slope), "", "power of the number of links", goal=1.1)


def mujoco_second():
    """MuJoCo, a bare ring closed by an equality constraint, a second in steps of 1 ms."""
    import mujoco

    model, data = mujoco_ring(STEP)
    return cpu_time(lambda: mujoco.mj_step(model, data, nstep=round(1.0 / STEP)), rounds=2)


def exudyn_ring():
    """Exudyn, the same ring with all its pins as constraints, generalised-alpha, sparse, steps of 1 ms."""
    import exudyn as exu
    from exudyn.itemInterface import (
        LoadMassProportional,
        MarkerBodyMass,
        MarkerBodyPosition,
        NodeRigidBody2D,
        ObjectJointRevolute2D,
        ObjectRigidBody2D,
    )

    container = exu.SystemContainer()
    system = container.AddSystem()
    links = []
    for values in ring.start().values():
        node = system.AddNode(NodeRigidBody2D(referenceCoordinates=[values["x"], values["y"], values["theta"]],
                                              initialVelocities=[values["vx"], values["vy"], values["omega"]]))
        body = system.AddObject(ObjectRigidBody2D(mass=ring.MASS, inertia=ring.MASS * ring.LENGTH**2 / 12.0, nodeNumber=node))
        mark = system.AddMarker(MarkerBodyMass(bodyNumber=body))
        system.AddLoad(LoadMassProportional(markerNumber=mark, loadVector=[0.0, -ring.GRAVITY, 0.0]))
        links.append(body)
    for i, link in enumerate(links):
        marks = [system.AddMarker(MarkerBodyPosition(bodyNumber=body, localPosition=[x, 0.0, 0.0]))
                 for body, x in ((links[i - 1], 0.5 * ring.LENGTH), (link, -0.5 * ring.LENGTH))]
        system.AddObject(ObjectJointRevolute2D(markerNumbers=marks))
    system.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(1.0 / STEP)
    settings.timeIntegration.endTime = 1.0
    settings.timeIntegration.verboseMode = 0
    settings.solution.file.write = False
    settings.linearSolver.solverType = exu.LinearSolverType.EigenSparse

    def run():
        with silent():
            system.SolveDynamic(settings, solverType=exu.DynamicSolverType.GeneralizedAlpha)

    return cpu_time(run)


def rows():
    for engine, module, run in (("mujoco, 1 ms", "mujoco", mujoco_second), ("exudyn, 1 ms", "exudyn", exudyn_ring)):
        yield Row(CHAIN, engine, run(), UNIT, "no contact") if peer(module) else missing(CHAIN, engine, UNIT)
    model, options = rt.compile_model(ring.model()), rt.Options(output=SAMPLE)
    rt.simulate(model, ring.start(), 0.01, options=options)
    yield Row(CHAIN, ROUTH, cpu_time(lambda: rt.simulate(model, ring.start(), 1.0, options=options), rounds=2), UNIT,
              "no contact, error control 1e-8")
    yield from vehicle_rows()
    yield from growth_rows()
