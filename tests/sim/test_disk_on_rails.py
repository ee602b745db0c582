"""A disk thrown on two rails: an end of a cylinder over edges, where its lowest point runs on and off what is under it."""

import numpy as np
import pytest

import routh as rt
from routh import shapes

RADIUS, HEIGHT, MASS = 6.5e-3, 4e-3, 4.1e-3


def model():
    across, along = MASS * (3.0 * RADIUS**2 + HEIGHT**2) / 12.0, 0.5 * MASS * RADIUS**2
    disk = shapes.Cylinder("disk", RADIUS, HEIGHT, (0.0, 0.0, 1.0))
    rails = {side: shapes.Box("ground", (4e-3, 0.2, 10e-3), (x, 0.0, -5e-3)) for side, x in (("left", -6e-3), ("right", 6e-3))}
    return rt.Model("spatial", [rt.Body("disk", MASS, (across, across, along))], gravity=(0.0, 0.0, -9.81),
                    contacts=[rt.Contact(side, disk, rail, rt.Newton(e=0.3, mu=0.3)) for side, rail in rails.items()])


@pytest.mark.parametrize("i", range(10))
def test_a_disk_thrown_on_two_rails_comes_to_lie_on_them(i):
    start = rt.State(disk={"x": 0.3e-3, "y": 0.0, "z": 0.5 * HEIGHT + 3e-3, "omega": (2.0 + 1.3 * i, 1.0 + 0.4 * i, 0.0)})
    result = rt.simulate(model(), start, t_end=0.2, options=rt.Options(on_error="return"))
    assert result.t[-1] == pytest.approx(0.2)
    fall = 9.81 * 1e-3**2  # in a millisecond: stretches of time steps, where there are no contact modes, sink by less
    assert result["disk.z"][-1] == pytest.approx(0.5 * HEIGHT, abs=fall)
    assert np.hypot(result["disk.qx"][-1], result["disk.qy"][-1]) < fall / RADIUS
    assert abs(result["disk.x"][-1]) < 1e-3
