"""Dense contact in event-driven runs: stretches of time steps where events lead no further, and what results say of them."""

import numpy as np
import pytest

import routh as rt
from routh import contacts, shapes
from routh.errors import ModelError

R, WIDTH = 0.05, 0.25


def spheres_in_a_box(n=8, e=0.3, mu=0.5):
    """Spheres dropped one after another into a narrow box."""
    rng = np.random.default_rng(0)
    names = [f"s{i}" for i in range(n)]
    balls = [shapes.Sphere(name, radius=R) for name in names]
    walls = [shapes.HalfSpace("ground", (0.0, 0.0, 1.0))]
    walls += [shapes.HalfSpace("ground", tuple(s * np.eye(3)[k]), tuple(-0.5 * s * WIDTH * np.eye(3)[k]))
              for k in range(2) for s in (1.0, -1.0)]
    model = rt.Model(space="spatial", gravity=(0.0, 0.0, -9.81), bodies=[rt.Body(name, 1.0, (1e-3,) * 3) for name in names],
                     contacts=contacts.between("c", balls, [*balls, *walls], law=rt.Newton(e=e, mu=mu)))
    start = rt.State({name: {"x": rng.uniform(-R, R), "y": rng.uniform(-R, R), "z": 0.06 + 0.11 * i}
                      for i, name in enumerate(names)})
    return model, start


@pytest.fixture(scope="module")
def box():
    model, start = spheres_in_a_box()
    return [rt.simulate(model, start, t_end=1.0) for _ in range(2)]


def test_eight_spheres_in_a_box_finish_and_say_what_share_was_exact(box):
    result = box[0]
    assert result.status == "finished"
    assert result.t[-1] == 1.0
    share = result.statistics["exact_share"]
    assert 0.0 < share < 1.0
    stepped = (result.stretches.end - result.stretches.begin).sum()
    assert share == pytest.approx(1.0 - stepped, abs=1e-12)
    assert f"{len(result.stretches)} stretches by time steps" in repr(result)
    assert (result.events.kind == "stepped").sum() == len(result.stretches) == result.statistics["stretches"]


def test_the_energy_account_closes_over_stretches_of_time_steps(box):
    result, energy = box[0], box[0].energy
    scale = np.abs(energy["impacts"]).max()
    assert np.abs(energy["error"]).max() < 1e-6 * scale
    assert energy["scheme"][-1] == pytest.approx(result.stretches.scheme.sum(), abs=1e-12 * scale)
    for work in ("impacts", "friction"):
        told = sum(shares[work] for shares in energy.by_contact.values())
        assert told == pytest.approx(energy[work][-1], abs=1e-9 * scale)


def test_a_run_with_stretches_is_the_same_bit_for_bit_twice(box):
    first, second = box
    assert all(np.array_equal(first[name], second[name]) for name in first.channels)


def test_forces_of_a_heap_at_rest_carry_its_weight_whichever_engine_found_them(box):
    result = box[0]
    floor = [name for name in result.channels if name.endswith("-ground.force")]
    assert sum(result[name][-1] for name in floor) <= 8.0 * 9.81 * 1.1
    lowest = min(result[name].min() for name in result.channels if name.endswith(".gap"))
    assert lowest > -1e-3 * R


def test_an_unknown_fallback_is_refused():
    with pytest.raises(ModelError, match='fallback = "steping"; did you mean "stepping"'):
        rt.Options(fallback="steping")


def test_a_run_that_needs_no_fallback_is_the_same_with_and_without_it():
    model, start = spheres_in_a_box(n=2)
    stepping, events = (rt.simulate(model, start, t_end=0.5, options=rt.Options(fallback=kind))
                        for kind in ("stepping", "none"))
    assert stepping.statistics["exact_share"] == 1.0
    assert "exact" not in repr(stepping)
    assert all(np.array_equal(stepping[name], events[name]) for name in events.channels)
