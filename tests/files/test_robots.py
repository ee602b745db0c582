"""Robots from URDF and MJCF move as MuJoCo, which reads both formats itself, says they do."""

from __future__ import annotations

import dataclasses
import importlib
import os

import numpy as np
import pytest

import routh as rt
from routh import shapes
from routh.errors import FileError, ModelError
from routh.files.modelfile import law_of

os.environ.setdefault("MUJOCO_GL", "disable")  # nothing is drawn, and a test machine has no screen
mujoco = importlib.import_module("mujoco")

URDF = """<?xml version="1.0"?>
<robot name="arm">
  <link name="world"/>
  <link name="shoulder">
    <inertial><origin xyz="0.02 0.01 0.2" rpy="0.3 -0.2 0.5"/><mass value="3.0"/>
      <inertia ixx="0.05" iyy="0.06" izz="0.03" ixy="0.004" ixz="-0.002" iyz="0.001"/></inertial>
    <collision><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.05" length="0.4"/></geometry></collision>
    <visual><geometry><mesh filename="../../secret.stl"/></geometry></visual>
  </link>
  <link name="flange"/>
  <link name="forearm">
    <inertial><origin xyz="0.1 0 0"/><mass value="1.5"/>
      <inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><mesh filename="forearm.stl"/></geometry></collision>
  </link>
  <link name="tool">
    <inertial><mass value="0.5"/><inertia ixx="0.001" iyy="0.002" izz="0.0015" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.04"/></geometry></collision>
  </link>
  <link name="weight">
    <inertial><mass value="0.2"/><inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0.05 0 0" rpy="0 0 0.7"/><geometry><box size="0.1 0.2 0.3"/></geometry></collision>
  </link>
  <joint name="turn" type="continuous"><parent link="world"/><child link="shoulder"/>
    <origin xyz="0.1 0.2 0.3" rpy="0.1 0.2 0.3"/><axis xyz="0 1 1"/></joint>
  <joint name="mount" type="fixed"><parent link="shoulder"/><child link="flange"/><origin xyz="0 0 0.4" rpy="0 0.5 0"/></joint>
  <joint name="elbow" type="revolute"><parent link="flange"/><child link="forearm"/>
    <origin xyz="0.05 0 0" rpy="1.0 0 0"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="10" velocity="3"/>
    <dynamics damping="0.4"/></joint>
  <joint name="reach" type="prismatic"><parent link="forearm"/><child link="tool"/>
    <origin xyz="0.3 0 0.1" rpy="0 0 0.4"/><axis xyz="1 0 0"/><limit lower="-0.2" upper="0.2" effort="1" velocity="1"/></joint>
  <joint name="glue" type="fixed"><parent link="tool"/><child link="weight"/><origin xyz="0 0.1 0" rpy="0.2 0 0"/></joint>
  <transmission name="gear"/>
</robot>
"""

MJCF = """<mujoco model="walker">
  <compiler angle="degree" boundmass="0"/>
  <option gravity="0.5 0 -9.81"/>
  <default>
    <geom density="800"/>
    <default class="limb"><joint damping="0.3" axis="0 1 0"/><geom type="capsule" size="0.04"/></default>
  </default>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <light pos="0 0 3"/>
    <body name="torso" pos="0.1 0 1.2" euler="10 20 30">
      <joint name="slide_x" type="slide" axis="1 0 0"/>
      <joint name="slide_z" type="slide" axis="0 0 1"/>
      <joint name="pitch" type="hinge" axis="0 -1 0"/>
      <geom type="box" size="0.2 0.1 0.15" pos="0 0 0.05"/>
      <geom type="sphere" size="0.1" pos="0 0 0.3" mass="2"/>
      <body name="thigh" pos="0.1 0 -0.1" quat="0.9 0.1 0.2 0" childclass="limb">
        <joint name="hip" pos="0 0 0.02" stiffness="5" springref="20" range="-60 60"/>
        <geom fromto="0 0 0 0.05 0 -0.4"/>
        <site name="mark"/>
        <body name="shin" pos="0.05 0 -0.4" axisangle="0 0 1 25">
          <joint name="knee1" axis="0 1 0"/>
          <joint name="knee2" axis="1 0 0"/>
          <geom fromto="0 0 0 0 0 -0.35"/>
          <body name="foot" pos="0 0 -0.4" xyaxes="1 0.2 0 0 1 0.1">
            <inertial pos="0.05 0 0" mass="0.7" fullinertia="0.004 0.005 0.006 0.0005 0 0.0002"/>
            <joint name="ankle" type="ball" damping="0"/>
            <geom class="limb" type="ellipsoid" size="0.1 0.05 0.03" density="0"/>
          </body>
        </body>
      </body>
      <body name="rail" pos="-0.2 0 0" zaxis="1 0 1">
        <joint name="drill_shift" type="slide" axis="0 0 1"/>
        <joint name="drill_turn" type="hinge" axis="0 0 1"/>
        <geom type="cylinder" size="0.05 0.1"/>
        <body name="cap" pos="0 0 0.15"><geom type="sphere" size="0.03"/></body>
        <body name="frame" pos="0 0 -0.2"><site name="nothing"/></body>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="hip"/></actuator>
</mujoco>
"""


def accelerations(spec, data):
    """Accelerations of the frames' origins and angular ones, world axes, as MuJoCo has them."""
    mujoco.mj_forward(spec, data)
    mujoco.mj_rnePostConstraint(spec, data)
    out = {}
    for i in range(1, spec.nbody):
        six = np.zeros(6)
        mujoco.mj_objectAcceleration(spec, data, mujoco.mjtObj.mjOBJ_XBODY, i, six, 0)
        out[spec.body(i).name] = np.concatenate([six[3:] + spec.opt.gravity, six[:3]])
    return out


def ours(file, start):
    seen = rt.evaluate(file.model, start)
    keys = ("ax", "ay", "az", "alphax", "alphay", "alphaz")
    return {body.name: np.array([seen[f"{body.name}.{k}"][0] for k in keys]) for body in file.model.bodies if body.mass}


def agree(file, start, expected):
    found = ours(file, start)
    scale = max(np.abs(a).max() for a in expected.values())
    for name, value in found.items():
        assert np.abs(value - expected[name]).max() < 1e-9 * scale, name  # round-off of two recursions over five bodies
    return found


@pytest.mark.parametrize("seed", range(3))
def test_an_urdf_arm_accelerates_as_in_mujoco(seed):
    rng = np.random.default_rng(seed)
    file = rt.parse_model(URDF, "urdf", name="arm.urdf")
    spec = mujoco.MjModel.from_xml_string(
        URDF.replace(
            '<robot name="arm">',
            '<robot name="arm"><mujoco><compiler fusestatic="false" discardvisual="true" balanceinertia="false"/></mujoco>',
        )
        .replace('<visual><geometry><mesh filename="../../secret.stl"/></geometry></visual>', "")
        .replace('<collision><geometry><mesh filename="forearm.stl"/></geometry></collision>', "")
    )
    spec.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_LIMIT
    data = mujoco.MjData(spec)
    data.qpos[:], data.qvel[:] = rng.uniform(-1.0, 1.0, 3), rng.uniform(-2.0, 2.0, 3)
    keys = {"turn": "angle", "elbow": "angle", "reach": "shift"}
    start = rt.State({j: {k: data.joint(j).qpos[0], f"{k}_rate": data.joint(j).qvel[0]} for j, k in keys.items()})
    expected = accelerations(spec, data)
    assert set(agree(file, start, expected)) == {"shoulder", "forearm", "tool", "weight"}
    assert sum(b.mass for b in file.model.bodies) == pytest.approx(spec.body_mass.sum(), rel=1e-14)


@pytest.mark.parametrize("seed", range(3))
def test_an_mjcf_walker_accelerates_as_in_mujoco(seed):
    rng = np.random.default_rng(seed)
    file = rt.parse_model(MJCF, "mjcf", name="walker.xml")
    spec = mujoco.MjModel.from_xml_string(MJCF)
    spec.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_LIMIT
    data = mujoco.MjData(spec)
    data.qpos[:], data.qvel[:] = rng.uniform(-0.5, 0.5, spec.nq), rng.uniform(-2.0, 2.0, spec.nv)
    ball = data.joint("ankle").qpos
    ball /= np.linalg.norm(ball)
    fixed, whole = spec.body("foot").quat, np.zeros(4)
    mujoco.mju_mulQuat(whole, fixed, ball)
    names = {
        "slide_x": ("slide_x", "shift"),
        "slide_z": ("slide_z", "shift"),
        "pitch": ("pitch", "angle"),
        "hip": ("hip", "angle"),
        "knee1": ("knee1", "angle"),
        "knee2": ("knee2", "angle"),
        "drill_shift": ("drill_shift", "shift"),
        "drill_turn": ("drill_turn", "angle"),
    }
    start = {
        "ankle": dict(zip(("qw", "qx", "qy", "qz"), whole, strict=True))
        | dict(zip(("wx", "wy", "wz"), data.joint("ankle").qvel, strict=True))
    }
    for theirs, (joint, key) in names.items():
        start.setdefault(joint, {}).update({key: data.joint(theirs).qpos[0], f"{key}_rate": data.joint(theirs).qvel[0]})
    expected = accelerations(spec, data)
    assert set(agree(file, rt.State(start), expected)) == {"torso", "thigh", "shin", "foot", "rail", "cap"}
    assert sum(b.mass for b in file.model.bodies) == pytest.approx(spec.body_mass.sum(), rel=1e-14)


def test_what_was_left_out_is_noted():
    notes = " ".join(rt.parse_model(URDF, "urdf").notes)
    for words in (
        "visuals",
        "collision shape <mesh>",
        "<transmission>",
        "limits of joints: give a law for them (2)",
        "shapes: give a law",
    ):
        assert words in notes
    notes = " ".join(rt.parse_model(MJCF, "mjcf").notes)
    for words in ("<actuator>", "<site> (2)", "boundmass of <compiler>", "limits of joints", "shapes: give a law"):
        assert words in notes


def test_with_a_law_limits_become_stops_and_shapes_touch_the_ground():
    law = law_of({"type": "Newton", "e": 0.25, "mu": 0.8})
    assert law == rt.Newton(0.25, 0.8)
    arm = rt.parse_model(URDF, "urdf", law=law).model
    assert [(c.coordinate, c.lower, c.upper, c.e) for c in arm.contacts] == [
        ("elbow.angle", -2.0, 2.0, 0.25),
        ("reach.shift", -0.2, 0.2, 0.25),
    ]
    walker = rt.parse_model(MJCF, "mjcf", law=law).model
    touching = [c for c in walker.contacts if isinstance(c, rt.Contact)]
    assert {type(c.b).__name__ for c in touching} <= {"Sphere", "Capsule", "Ellipsoid", "Box", "Cylinder"}
    assert all(c.a == shapes.HalfSpace("ground", (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)) and c.law == law for c in touching)
    assert {c.b.body for c in touching} == {"torso", "thigh", "shin", "foot", "rail", "cap"}


def test_a_geom_sits_where_mujoco_puts_it():
    spec = mujoco.MjModel.from_xml_string(MJCF)
    data = mujoco.MjData(spec)
    mujoco.mj_kinematics(spec, data)
    walker = rt.parse_model(MJCF, "mjcf", law=rt.Newton(0.0, 0.5))
    seen = rt.evaluate(dataclasses.replace(walker.model, contacts=()), walker.start)
    from routh.compiler.geometry import matrix_of

    for contact in (c for c in walker.model.contacts if isinstance(c, rt.Contact) and isinstance(c.b, shapes.Capsule)):
        body = contact.b.body
        x, q = (np.array([seen[f"{body}.{k}"][0] for k in keys]) for keys in (("x", "y", "z"), ("qw", "qx", "qy", "qz")))
        middle = x + matrix_of(q) @ (0.5 * (np.array(contact.b.start) + np.array(contact.b.end)))
        geom = spec.body(body).geomadr[0]
        assert np.abs(middle - data.geom_xpos[geom]).max() < 1e-12


def test_a_root_link_with_mass_floats():
    text = (
        '<robot name="ball"><link name="ball"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
        "</link></robot>"
    )
    file = rt.parse_model(text, "urdf")
    assert isinstance(file.model.joints[0], rt.joints.Free)
    assert "has mass, so it floats" in file.notes[0]


def test_mimic_becomes_a_gear():
    finger = (
        '<link name="{0}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link><joint name="j{0}" '
        'type="revolute"><parent link="hand"/><child link="{0}"/><axis xyz="0 0 1"/>{1}</joint>'
    )
    text = (
        '<robot name="hand"><link name="hand"/>'
        + finger.format("a", "")
        + finger.format("b", '<mimic joint="ja" multiplier="-2" offset="0.1"/>')
        + "</robot>"
    )
    assert rt.parse_model(text, "urdf").model.joints[-1] == rt.joints.Gear("jb_mimic", "ja.angle", "jb.angle", -2.0, 0.1)


def test_a_connect_closes_a_loop():
    link = (
        '<body name="{0}" pos="{1} 0 0"><joint name="h{0}" axis="0 1 0"/><geom type="box" size="0.1 0.1 0.5" pos="0 0 -0.5"/>'
    )
    text = (
        "<mujoco><worldbody>"
        + link.format("a", 0)
        + '<body name="bar" pos="0 0 -1"><joint name="hb" axis="0 1 0"/><geom type="box" '
        'size="0.5 0.1 0.1" pos="0.5 0 0"/></body></body>' + link.format("c", 1) + "</body></worldbody><equality>"
        '<connect body1="bar" body2="c" anchor="1 0 0"/><weld body1="a"/></equality></mujoco>'
    )
    file = rt.parse_model(text, "mjcf")
    loop = file.model.joints[-1]
    assert (loop.a, loop.b) == ("bar", "c")
    assert np.allclose(loop.point_a, (1.0, 0.0, 0.0), atol=1e-15)
    assert np.allclose(loop.point_b, (0.0, 0.0, -1.0), atol=1e-15)
    assert rt.degrees_of_freedom(file.model, file.start).freedom == 1
    assert any("equality <weld>" in note for note in file.notes)


def test_a_robot_can_be_written_and_changed(tmp_path):
    (tmp_path / "walker.xml").write_text(MJCF)
    changed = rt.read_model(tmp_path / "walker.xml", {"foot.mass": "900 g", "t_end": 2.0})
    assert changed.model["foot"].mass == 0.9
    assert changed.t_end == 2.0
    assert changed.notes == rt.parse_model(MJCF, "mjcf").notes
    written = rt.write_model(tmp_path / "walker.toml", changed)
    assert rt.read_model(written).model == changed.model


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><robot name="&b;"/>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY secret SYSTEM "file:///etc/passwd">]><mujoco model="&secret;"/>'
LINK = '<link name="{}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>'


@pytest.mark.parametrize(
    ("text", "language", "words"),
    [
        (BOMB, "urdf", "a DTD or an entity is not taken"),
        (OUTSIDE, "mjcf", "a DTD or an entity is not taken"),
        ("<robot", "urdf", "not XML"),
        ("", "mjcf", "not XML"),
        ("<robot name='x'/>", "mjcf", "its root is not <mujoco>"),
        ("<mujoco/>", "urdf", "its root is not <robot>"),
        ("<mujoco/>", "mjcf", "no body with mass"),
        ("<mujoco>" * 300 + "</mujoco>" * 300, "mjcf", "nested deeper than 200"),
        ("<?xml version='1.0' encoding='klingon'?><robot/>", "urdf", "not XML"),
        ('<robot name="x"><link name="a"/><link name="a"/></robot>', "urdf", "comes twice"),
        ('<robot name="x"><link/></robot>', "urdf", "a name is missing"),
        ('<robot name="x"><link name="a"/><link name="b"/></robot>', "urdf", "2 links have no parent"),
        (
            '<robot name="x"><link name="a"/><joint name="j"><parent link="a"/><child link="b"/></joint></robot>',
            "urdf",
            'no link "b"',
        ),
        (
            '<robot name="x"><link name="a"/><link name="b"/>'
            '<joint name="j" type="revolute"><parent link="a"/><child link="b"/></joint></robot>',
            "urdf",
            '"j.angle" moves no mass',
        ),
        (
            f'<robot name="x"><link name="a"/>{LINK.format("b")}'
            '<joint name="j" type="magnetic"><parent link="a"/><child link="b"/></joint></robot>',
            "urdf",
            'no joint of type "magnetic"',
        ),
        (
            f'<robot name="x"><link name="a"/>{LINK.format("b")}'
            '<joint name="j" type="revolute"><parent link="a"/><child link="b"/>'
            '<axis xyz="0 0 0"/></joint></robot>',
            "urdf",
            "has no direction",
        ),
        (
            '<robot name="x"><link name="a"><inertial><mass value="nan"/><inertia/></inertial></link></robot>',
            "urdf",
            "not finite",
        ),
        (
            '<robot name="x"><link name="a"><inertial><mass value="heavy"/><inertia/></inertial></link></robot>',
            "urdf",
            "are not numbers",
        ),
        (
            '<robot name="x"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="9"/>'
            '</inertial></link></robot>',
            "urdf",
            "triangle inequality",
        ),
        ('<robot name="x"><link name="a"><inertial/></link></robot>', "urdf", "<mass> is missing"),
        ("<mujoco><worldbody><body><joint/></body></worldbody></mujoco>", "mjcf", "moves no mass"),
        (
            '<mujoco><worldbody><body><joint/><joint type="free"/><geom size="1"/></body></worldbody></mujoco>',
            "mjcf",
            "a free joint cannot be one of several",
        ),
        (
            '<mujoco><worldbody><body><joint type="screw"/><geom size="1"/></body></worldbody></mujoco>',
            "mjcf",
            'no joint of type "screw"',
        ),
        ('<mujoco><worldbody><body><geom class="x" size="1"/></body></worldbody></mujoco>', "mjcf", 'no default class "x"'),
        ('<mujoco><worldbody><body quat="0 0 0 0"><geom size="1"/></body></worldbody></mujoco>', "mjcf", "length zero"),
        (
            '<mujoco><worldbody><body quat="1 0 0 0" euler="0 0 0"><geom size="1"/></body></worldbody></mujoco>',
            "mjcf",
            "both say an orientation",
        ),
        ('<mujoco><worldbody><body><geom type="box" size="1"/></body></worldbody></mujoco>', "mjcf", "a box needs 3 numbers"),
    ],
)
def test_a_bad_robot_is_refused_with_a_reason(text, language, words):
    with pytest.raises(ModelError, match=words) as caught:
        rt.compile_model(rt.parse_model(text, language, name="robot.xml", strict=True).model)
    assert isinstance(caught.value, FileError) or "moves no mass" in words


ARM = """<robot name="arm"><link name="base"/>
  <link name="a"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.2001"/></inertial>
    <collision><geometry><sphere radius="0.3"/></geometry></collision></link>
  <link name="hinge"/><link name="tip"/>
  <joint name="turn" type="revolute"><parent link="base"/><child link="hinge"/><axis xyz="0 1 0"/>
    <limit lower="0.5" upper="1.0"/></joint>
  <joint name="roll" type="revolute"><parent link="hinge"/><child link="a"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="0"/></joint>
  <joint name="nod" type="revolute"><parent link="a"/><child link="tip"/><axis xyz="0 1 0"/></joint></robot>"""


def test_what_a_file_has_wrong_by_digits_is_mended_and_noted():
    file = rt.parse_model(ARM, "urdf", law=rt.Poisson(0.0, 0.5))
    notes = " | ".join(file.notes)
    assert 'body "a": its inertia is that of no mass distribution, and was changed by 0.00025' in notes
    assert 'joint "nod" moves no mass, and is fixed' in notes
    assert 'joint "turn" would start at 0, outside its limits, and starts at 0.5' in notes
    assert "limits of joints with lower = upper" in notes
    assert isinstance(file.model["nod"], rt.joints.Weld)
    moments = np.linalg.eigvalsh(file.model["a"].inertia_matrix())
    assert moments[2] == pytest.approx(moments[0] + moments[1], rel=1e-12)
    assert moments == pytest.approx((0.10005, 0.10005, 0.2001), rel=1e-12)  # the least change of the covariance
    assert file.start["turn"]["angle"] == 0.5
    with pytest.raises(FileError, match="triangle inequality"):
        rt.parse_model(ARM, "urdf", law=rt.Poisson(0.0, 0.5), strict=True)


BALL = """<robot name="ball"><link name="ball"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
  <collision><geometry><sphere radius="0.25"/></geometry></collision>
  <collision><geometry><mesh filename="{0}"/></geometry></collision></link></robot>"""


def test_a_robot_in_the_floor_is_lifted_and_its_mesh_is_a_hull(tmp_path):
    corners = [(x, y, z) for x in (-0.4, 0.4) for y in (-0.1, 0.1) for z in (-0.3, 0.3)]
    (tmp_path / "part.obj").write_text("\n".join(f"v {x} {y} {z}" for x, y, z in corners))
    path = tmp_path / "ball.urdf"
    path.write_text(BALL.format("part.obj"))
    file = rt.read_model(path, law=rt.Poisson(0.0, 0.5), floor=0.1)
    assert {type(c.b) for c in file.model.contacts} == {shapes.Sphere, shapes.Hull}
    assert any("would start in the ground, and is lifted by 0.4" in note for note in file.notes)
    assert file.start["ball"]["z"] == pytest.approx(0.4, abs=1e-6)
    assert rt.simulate(file.model, file.start, 0.2).success
    for elsewhere in ("../part.obj", "/etc/part.obj", "package://nobody/part.obj", "file:///part.obj", "part.dae"):
        path.write_text(BALL.format(elsewhere))
        notes = rt.read_model(path, law=rt.Poisson(0.0, 0.5)).notes
        assert any("meshes whose files are not there" in note for note in notes)


def test_a_mesh_of_a_package_is_found_above_the_robot(tmp_path):
    folder = tmp_path / "arm_description" / "urdf"
    folder.mkdir(parents=True)
    corners = [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]
    (tmp_path / "arm_description" / "part.obj").write_text("\n".join(f"v {x} {y} {z}" for x, y, z in corners))
    (folder / "arm.urdf").write_text(BALL.format("package://arm_description/part.obj"))
    file = rt.read_model(folder / "arm.urdf", law=rt.Poisson(0.0, 0.5), floor=-3.0)
    assert any(isinstance(c.b, shapes.Hull) for c in file.model.contacts)


def test_the_masses_of_an_mjcf_add_up_to_what_it_says():
    text = ('<mujoco><compiler settotalmass="7"/><worldbody><body><freejoint/><geom size="0.1"/><body pos="0.3 0 0"><joint/>'
            '<geom size="0.2"/></body></body></worldbody></mujoco>')
    masses = [b.mass for b in rt.parse_model(text, "mjcf").model.bodies]
    assert sum(masses) == pytest.approx(7.0, rel=1e-14)
    assert masses[1] == pytest.approx(8.0 * masses[0], rel=1e-12)


def test_a_reference_of_an_mjcf_joint_shifts_its_range_and_spring():
    text = ('<mujoco><compiler angle="radian"/><worldbody><body><joint name="h" ref="0.3" range="-1 1" stiffness="2" '
            'springref="0.5"/><geom size="0.1"/></body></worldbody></mujoco>')
    model = rt.parse_model(text, "mjcf", law=rt.Newton(0.0, 0.0)).model
    assert (model["h_stop"].lower, model["h_stop"].upper) == pytest.approx((-1.3, 0.7))
    assert model["h_spring"].free == pytest.approx(0.2)
