"""The same scene in other units, or begun at another time, has the same events: times and impulses only change their units."""

import numpy as np
import pytest

import routh as rt
from routh import shapes

FLOOR = shapes.HalfSpace("ground", normal=(0.0, 1.0))


def ball(length, time, mass):
    """A spinning ball bounces to rest and rolls: model, start and end."""
    body = rt.Body("ball", mass=mass, inertia=0.4 * mass * (0.2 * length) ** 2)
    model = rt.Model(space="planar", gravity=(0.0, -9.81 * length / time**2), bodies=[body],
                     contacts=[rt.Contact("bounce", shapes.Disk("ball", radius=0.2 * length), FLOOR,
                                          law=rt.Newton(e=0.6, mu=0.3))])
    return model, rt.State(ball={"y": length, "vx": 0.5 * length / time, "omega": 3.0 / time}), 3.0 * time


def box(length, time, mass):
    """A tilted box falls on a corner, rattles, slides and rests."""
    corners = [(x * length, y * length) for x, y in ((-0.2, -0.1), (0.2, -0.1), (0.2, 0.1), (-0.2, 0.1))]
    model = rt.Model(space="planar", gravity=(0.0, -9.81 * length / time**2),
                     bodies=[rt.Body("box", mass=mass, inertia=0.0167 * mass * length**2)],
                     contacts=[rt.Contact("rub", shapes.Polygon("box", vertices=corners), FLOOR,
                                          law=rt.Poisson(e=0.3, mu=0.3))])
    return model, rt.State(box={"y": 0.4 * length, "theta": 0.3, "vx": 0.7 * length / time}), time


def events(scene, length=1.0, time=1.0, mass=1.0, begin=0.0):
    """(kinds of events, their times and the normal impulses, in the units given)."""
    model, start, end = scene(length, time, mass)
    options = rt.Options(rtol=1e-11, atol=1e-13 * min(length, length / time, 1.0, 1.0 / time), output=[])
    result = rt.simulate(model, start, t_start=begin, t_end=begin + end, options=options)
    return list(result.events.kind), (result.events.t - begin) / time, result.impacts.p_n * time / (mass * length)


@pytest.mark.parametrize("units", [{"length": 1e-6}, {"length": 1e6}, {"time": 1e-6}, {"time": 1e6}, {"mass": 1e-6},
                                   {"mass": 1e6}, {"begin": 1e3}, {"begin": 1e6}], ids=str)
@pytest.mark.parametrize("scene", [ball, box], ids=["ball", "box"])
def test_events_do_not_depend_on_units_nor_on_the_time_of_the_start(scene, units):
    kinds, times, impulses = events(scene)
    kinds_too, times_too, impulses_too = events(scene, **units)
    assert len(kinds) > 20
    assert kinds_too == kinds
    assert times_too == pytest.approx(times, rel=1e-8)
    assert np.abs(impulses_too - impulses).max() <= 1e-8 * np.abs(impulses).max()
