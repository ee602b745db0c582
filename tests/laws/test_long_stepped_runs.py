"""A hundred thousand steps: energy that is left plus energy that was lost never exceeds what there was."""

import numpy as np

import routh as rt
from routh import shapes
from routh.gallery import sphere_pile

LONG = rt.Options(engine="stepping", step=1e-3, output=0.05)
STEPS = 100_000


def risen(result):
    """Largest rise of the total energy above an earlier sample, over that of the start."""
    total = result.energy.total
    return float((total - np.minimum.accumulate(total)).max() / total[0])


def test_a_pile_at_rest_gains_no_energy():
    """The contact tolerance of 1e-8 lets energy rise by less than that."""
    result = sphere_pile.run(8, t_end=100.0, options=LONG)
    assert result.statistics["steps"] >= STEPS
    assert risen(result) < 1e-8
    assert result.energy.total.max() == result.energy.total[0]


def test_balls_that_bounce_and_roll_between_walls_gain_no_energy():
    names = [f"ball{i}" for i in range(8)]
    balls = [shapes.Sphere(name, 0.05) for name in names]
    law = rt.Newton(e=0.8, mu=0.3)
    walls = [shapes.HalfSpace("ground", normal, point) for normal, point in (
        ((0.0, 0.0, 1.0), (0.0, 0.0, 0.0)), ((1.0, 0.0, 0.0), (-0.4, 0.0, 0.0)), ((-1.0, 0.0, 0.0), (0.4, 0.0, 0.0)),
        ((0.0, 1.0, 0.0), (0.0, -0.4, 0.0)), ((0.0, -1.0, 0.0), (0.0, 0.4, 0.0)))]
    model = rt.Model(space="spatial", gravity=(0.0, 0.0, -9.81), bodies=[rt.Body(name, 1.0, (1e-3,) * 3) for name in names],
                     contacts=[rt.ContactGroup("balls", balls, law=law), rt.ContactGroup("walls", balls, walls, law)])
    start = rt.State({name: {"x": 0.2 * (i % 3 - 1), "y": 0.2 * (i // 3 - 1), "z": 0.3 + 0.15 * i, "vx": 1.0 - 0.3 * i,
                             "vy": 0.5 * (i % 2)} for i, name in enumerate(names)})
    result = rt.simulate(model, start, 100.0, options=LONG)
    assert result.statistics["steps"] >= STEPS
    assert risen(result) < 1e-12
    assert 0.0 < result.energy.kinetic[-1] < 1e-3 * result.energy.total[0]  # some still roll: nothing brakes them
    spent = result.energy.total[0] - result.energy.total[-1]
    sums = result.contact_sums
    np.testing.assert_allclose(-sums.work_impacts.sum() - sums.work_friction.sum(), spent, rtol=1e-3)
