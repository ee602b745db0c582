"""A mechanism that moves in a plane strikes by the same laws in space, whichever way the plane is turned."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import routh as rt
from routh import joints, shapes
from routh.gallery import park

LAWS = [park.law(), rt.Brach(0.8, 0.3, 0.35, e_t=0.2), rt.Newton(0.8, 0.3, 0.35), rt.Poisson(0.8, 0.3, 0.35),
        rt.Stronge(0.8, 0.3, 0.35)]
SHARP = rt.Options(rtol=1e-12, atol=1e-13)


def pendulums_in_space(law, turn):
    """The two pendulums of [park], their plane turned: a ball and an ellipsoid."""
    frame = Rotation.from_rotvec(turn)

    def turned(*x):
        return tuple(frame.apply(x))

    spin = tuple(frame.as_quat(scalar_first=True))
    return rt.Model(
        "spatial", gravity=turned(park.GRAVITY, 0.0, 0.0),
        bodies=[rt.Body("body1", 1.0, (0.3, 0.3, 0.3)), rt.Body("body2", 2.0, (1.0, 1.0, 1.0))],
        joints=[joints.Revolute("pin1", "ground", "body1", point_b=turned(-park.ARM, 0.0, 0.0), axis=turned(0.0, 0.0, 1.0)),
                joints.Revolute("pin2", "ground", "body2", point_a=turned(0.0, 0.3, 0.0), point_b=turned(-park.ARM, 0.0, 0.0),
                                axis=turned(0.0, 0.0, 1.0))],
        contacts=[rt.Contact("blow", shapes.Sphere("body1", 0.1),
                             shapes.Ellipsoid("body2", (park.LONG, park.SHORT, 0.2), turn=spin), law)])


@pytest.mark.parametrize("turn", [(0.0, 0.0, 0.0), (0.3, -0.7, 1.1)])
@pytest.mark.parametrize("law", LAWS, ids=lambda law: f"{type(law).__name__}{getattr(law, 'form', '')}")
def test_two_pendulums_in_space_strike_as_those_of_the_plane(law, turn):
    plane = park.swing("x", rule=law, options=SHARP).impacts[0]
    start = rt.State(pin1={"angle": -0.5 * np.pi}, pin2={"angle": 0.0})
    space = rt.simulate(pendulums_in_space(law, turn), start, t_end=0.8, options=SHARP).impacts[0]
    assert space.t == pytest.approx(plane.t, abs=1e-12)
    assert space["class"] == plane["class"]
    assert space.p_n == pytest.approx(plane.p_n, rel=1e-11)
    assert space.energy_lost == pytest.approx(plane.energy_lost, rel=1e-10)
    back = Rotation.from_rotvec(turn).inv()
    assert back.apply(space.impulse @ space.frame) == pytest.approx([*(plane.impulse @ plane.frame), 0.0], abs=1e-10)
    assert back.apply(np.array(space["pin1.impulse"])) == pytest.approx([*plane["pin1.impulse"], 0.0], abs=1e-10)
