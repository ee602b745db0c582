"""Public robot files as they come: imported with a report, with the mass, mass centre and mass matrix that MuJoCo finds.

Looked for in the installed packages gymnasium, dm_control and example-robot-data, and below the folder ROUTH_ROBOTS.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import os
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

import routh as rt
from routh.compiler.geometry import matrix_of
from routh.sim.assembly import assemble_arrays

os.environ.setdefault("MUJOCO_GL", "disable")
mujoco = importlib.import_module("mujoco")

PLACES = {"gymnasium": "envs/mujoco/assets/*.xml", "dm_control": "suite/*.xml"}
NO_ROBOTS = {"lqr.xml": "is filled by a program", "ur3.urdf": "has no link"}
FREE, BALL, SLIDE, HINGE = range(4)  # kinds of joints in MuJoCo


def found() -> list[Path]:
    files: list[Path] = []
    roots = [Path(os.environ["ROUTH_ROBOTS"])] if "ROUTH_ROBOTS" in os.environ else []
    for package, pattern in PLACES.items():
        spec = importlib.util.find_spec(package)
        folders = list(spec.submodule_search_locations or ()) if spec else [root / package for root in roots]
        files += [file for folder in folders for file in sorted(Path(folder).glob(pattern))]
    for root in [*roots, Path(sys.prefix), *map(Path, sys.path)]:
        robots = root / "cmeel.prefix/share/example-robot-data/robots"
        if robots.is_dir():
            files += sorted(robots.rglob("*.urdf"))
            break
    return [file for file in files if file.name not in NO_ROBOTS]


ROBOTS = found()
needs_robots = pytest.mark.skipif(not ROBOTS, reason="none of gymnasium, dm_control, example-robot-data is installed")


def theirs(file: Path) -> object:
    """MuJoCo's model; of a URDF only what has to do with mass."""
    if file.suffix == ".xml":
        return mujoco.MjModel.from_xml_path(str(file))
    root = ET.parse(file).getroot()
    for link in root.iter("link"):
        for child in [*link.findall("visual"), *link.findall("collision")]:
            link.remove(child)
    children = {joint.find("child").get("link") for joint in root.iter("joint") if joint.find("child") is not None}
    base = next(link for link in root.iter("link") if link.get("name") not in children)
    if base.find("inertial") is not None and float(base.find("inertial").find("mass").get("value")) > 0.0:
        ET.SubElement(root, "link", name="world")
        joint = ET.SubElement(root, "joint", name=f"{base.get('name')}_free", type="floating")
        ET.SubElement(joint, "parent", link="world")
        ET.SubElement(joint, "child", link=base.get("name"))
    settings = ET.Element("mujoco")
    ET.SubElement(settings, "compiler", fusestatic="false", discardvisual="true", balanceinertia="false")
    root.insert(0, settings)
    return mujoco.MjModel.from_xml_string(ET.tostring(root, encoding="unicode"))


@needs_robots
@pytest.mark.parametrize("file", ROBOTS, ids=lambda f: f"{f.parent.name}/{f.name}")
def test_mass_centre_and_mass_matrix_are_those_of_mujoco(file):
    ours = rt.read_model(file)
    try:
        spec = theirs(file)
    except ValueError as error:
        pytest.skip(f"MuJoCo does not read it: {str(error).splitlines()[0][:80]}")
    reasons = [note for note in ours.notes if "and was changed" in note or "is fixed" in note or "masses of meshes" in note]
    if reasons:
        pytest.skip(f"its mass was mended, or is that of meshes: {reasons[0][:80]}")
    data = mujoco.MjData(spec)
    rng = np.random.default_rng(1)
    start, speeds = {name: dict(values) for name, values in ours.start.items()}, []
    known = {joint.name for joint in ours.model.joints}
    for j in range(spec.njnt):
        name, kind, iq = _clean(spec.joint(j).name), int(spec.jnt_type[j]), spec.jnt_qposadr[j]
        body = _clean(spec.body(spec.jnt_bodyid[j]).name)
        if kind in (HINGE, SLIDE):
            key, step = ("angle" if kind == HINGE else "shift"), rng.uniform(-0.4, 0.4)
            name = name if name in known else f"{name}_joint"  # where a body is called alike
            start[name] = {key: step}
            data.qpos[iq] = spec.qpos0[iq] + step
            speeds.append((name, f"{key}_rate", 1.0))
        elif kind == FREE:
            speeds += [(body, key, 1.0) for key in ("vx", "vy", "vz")]
            speeds += [(body, "omega_body", tuple(row)) for row in np.eye(3)]
        else:
            speeds += [(name, key, 1.0) for key in ("wx", "wy", "wz")]
    mujoco.mj_forward(spec, data)
    # gears of mimicking joints would tie speeds that are to be varied one by one
    apart = [joint for joint in ours.model.joints if not isinstance(joint, rt.joints.Coupling)]
    compiled = rt.compile_model(dataclasses.replace(ours.model, joints=apart))
    if len(speeds) != compiled.n_u:
        pytest.skip("MuJoCo has other degrees of freedom")
    q, _ = assemble_arrays(compiled._machine, rt.State(start), 0.0, False)

    def ours_for(name, key, value):
        """Our speeds for a unit of one of theirs: the two choose other bodies to float."""
        still = {n: {"vx": 0.0, "vy": 0.0, "vz": 0.0, "omega_body": (0.0,) * 3} for n, values in start.items() if "q" in values}
        rates = {n: {f"{k}_rate": 0.0 for k in values} for n, values in start.items() if {"angle", "shift"} & set(values)}
        state = {n: values | still.get(n, {}) | rates.get(n, {}) for n, values in start.items()}
        state[name] = state[name] | {key: value}
        return assemble_arrays(compiled._machine, rt.State(state), 0.0, False)[1]

    T = np.column_stack([ours_for(*speed) for speed in speeds])
    expected = _mass_matrix(spec, data) - np.diag(spec.dof_armature)  # rotors are left out here
    assert np.abs(T.T @ compiled.mass_matrix(q) @ T - expected).max() < 1e-9 * np.abs(expected).max()
    mass = sum(b.mass_properties().mass for b in ours.model.bodies)
    assert mass == pytest.approx(spec.body_mass[1:].sum(), rel=1e-9)
    poses = compiled._machine.place(q)
    first = np.zeros(3)
    for body in ours.model.bodies:
        found, at = body.mass_properties(), poses[compiled.bodies[body.name].node]
        first += found.mass * (at[:3] + matrix_of(at[3:7]) @ np.array(found.centre or (0.0, 0.0, 0.0)))
    assert np.abs(first / mass - data.subtree_com[0]).max() < 1e-9 * (1.0 + np.abs(data.xipos).max())


def _clean(name: str) -> str:
    return re.sub(r"[./\s]|[^\x20-\x7e\w]", "_", name)


def _mass_matrix(spec, data):
    """Column by column: M e."""
    out = np.zeros((spec.nv, spec.nv))
    for k in range(spec.nv):
        unit, answer = np.zeros(spec.nv), np.zeros(spec.nv)
        unit[k] = 1.0
        mujoco.mj_mulM(spec, data, answer, unit)
        out[:, k] = answer
    return out


# the fastest eigenvalue of M⁻¹ D with MuJoCo's mass matrix, rotors taken off: 1 1/s and 12 1/s with them
ROTORS_LEFT_OUT = {("ant.xml", "events"): "its contacts chatter on joints damped at 408 1/s",
                   ("pusher.xml", "stepping"): "a joint is damped at 1.2e9 1/s, and explicit steps would be nanoseconds",
                   ("pusher_v5.xml", "stepping"): "a joint is damped at 1.2e9 1/s, and explicit steps would be nanoseconds"}
WALKERS = [file for file in ROBOTS if "gymnasium" in str(file)]


@pytest.mark.slow
@pytest.mark.skipif(not WALKERS, reason="gymnasium is not installed")
@pytest.mark.parametrize("engine", ["events", "stepping"])
@pytest.mark.parametrize("file", WALKERS, ids=lambda f: f.name)
def test_a_walker_stands_or_falls_on_its_floor_for_a_second(file, engine):
    if (file.name, engine) in ROTORS_LEFT_OUT:
        pytest.skip(f"its rotor inertias (armature) are left out; without them {ROTORS_LEFT_OUT[file.name, engine]}")
    robot = rt.read_model(file, law=rt.Poisson(0.0, 0.8))
    result = rt.simulate(robot.model, robot.start, 1.0, options=rt.Options(engine=engine, step=5e-4, output=0.1))
    assert result.success
    gaps = [np.nanmin(result[f"{c.name}.gap"], initial=np.inf) for c in robot.model.contacts if isinstance(c, rt.Contact)]
    # by events nothing sinks in; by steps no further than a body falls within a few of them
    # (steps do not know the gap of what is far away)
    assert min(gaps, default=0.0) > (-1e-7 if engine == "events" else -2e-3)
