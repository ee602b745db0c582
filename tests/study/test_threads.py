"""Runs side by side in compiled calls: the bits and the statuses of runs one by one."""

import math

import numpy as np
import pytest

import routh as rt
from routh import joints, shapes
from routh.errors import ModelError
from routh.gallery import park
from routh.sim import audit
from routh.study import Normal, Study, Uniform
from routh.study.threads import SideBySide
from scenes import START, G, drop, grid

MANY = {"loss": "sum(impacts.energy_lost)", "peak": "max(impacts.p_n)", "share": "mean(impacts.p_t / impacts.p_n)",
        "hits": "count(impacts)", "events": "count(events)", "x": "last(ball.x)", "y": "at(ball.y, [0.2, 0.7, 1.1])",
        "last": "last(impacts.t) - first(impacts.t)", "force": "last(bounce.force) + 2 * abs(last(ball.ax))",
        "left": "last(energy.total) / first(energy.kinetic + energy.potential)"}


def spatial_ball():
    ball, floor = shapes.Sphere("ball", radius=0.03), shapes.HalfSpace("ground", normal=(0.0, 0.0, 1.0))
    return rt.Model(space="spatial", gravity=(0.0, 0.0, -G), bodies=[rt.Body("ball", mass=0.16, inertia=(5.8e-5,) * 3)],
                    contacts=[rt.Contact("bounce", floor, ball, law=rt.Stronge(e=0.8, mu=0.3))])


def pendulum():
    """A pendulum with a spring that hits a stop, with its reaction as a channel of two parts."""
    return rt.Model(space="planar", gravity=(0.0, -G), bodies=[rt.Body("rod", mass=2.0, inertia=0.1)],
                    joints=[joints.Revolute("pin", "ground", "rod", point_b=(0.0, 0.5))],
                    contacts=[rt.Stop("peg", "pin.angle", upper=0.5, e=0.6)],
                    forces=[rt.forces.JointSpring("spring", "pin.angle", stiffness=3.0, damping=0.1)])


STUDIES = {
    "until rest, with a log that grows": lambda: Study(
        drop(), START, 5.0, samples=24, record=MANY,
        vary={"bounce.law.e": Uniform(0.4, 0.81), "bounce.law.mu": Uniform(0.05, 0.4)}),
    "masses and starts": lambda: Study(
        drop(), START, 1.2, vary={"ball.mass": [0.1, 0.16, 0.3], "ball.y": Uniform(0.5, 1.5), "ball.omega": Normal(0.0, 20.0)},
        samples=8, record=MANY),
    "without friction at one end": lambda: Study(drop(), START, 1.2, vary={"bounce.law.mu": [0.0, 0.1, 0.3]}, record=MANY),
    "refused at some points": lambda: Study(
        drop(), START, 1.2, vary={"ball.y": [1.03, 0.01, 0.8], "bounce.law.e": [0.5, 1.2]}, record=MANY),
    "all samples": lambda: Study(drop(), START, 1.2, vary={"bounce.law.e": np.linspace(0.1, 0.9, 9)},
                                 record={"top": "max(ball.y)", "mean": "mean(ball.vy)", "least": "min(ball.y - 0.03)"}),
    "no impact at some": lambda: Study(drop(), START, 0.5, vary={"ball.y": [0.5, 5.0]},
                                       record={"n": "count(impacts)", "p": "max(impacts.p_n)", "s": "sum(impacts.p_n)"}),
    "space": lambda: Study(spatial_ball(), rt.State(ball={"z": 1.03, "vx": 0.5, "omega": (0.0, 30.0, 5.0)}), 2.0,
                           vary={"bounce.law.mu": Uniform(0.02, 0.3), "ball.vy": Uniform(-1.0, 1.0)}, samples=12,
                           record={"x": "last(ball.x)", "y": "at(ball.y, 1.0)", "q": "last(ball.qx)", "p": "sum(impacts.p_t)"}),
    "joints, stops and springs": lambda: Study(
        pendulum(), rt.State(pin={"angle": -1.0}), 20.0, vary={"spring.stiffness": Uniform(1.0, 4.0), "peg.e": [0.3, 0.9]},
        samples=6, record={"r": "last(pin.reaction)", "size": "last(norm(pin.reaction))", "hits": "count(impacts)",
                           "at": "at(pin.reaction, 3.0)", "up": "first(pin.reaction[1])"}),
    "many steps, looked at on the way": lambda: Study(
        park.pendulums(park.law(0.5)), park.swing(e=0.5).state(0), 4.0, options=park.SHARP, record={"p": "sum(impacts.p_n)"},
        vary={f"{park.pendulums(park.law(0.5)).contacts[0].name}.law.e": [0.3, 0.6, 0.9]}),
}


def same(one, other):
    """Whether two tables are equal bit for bit; what is not a number is equal to itself."""
    assert one.arrow.schema == other.arrow.schema
    return repr(one.arrow.to_pylist()) == repr(other.arrow.to_pylist())


@pytest.mark.parametrize("name", STUDIES)
def test_runs_side_by_side_have_the_bits_of_single_runs(name):
    study = STUDIES[name]()
    together, single = study.run(backend="threads"), study.run(backend="processes")
    assert same(together, single)
    assert same(study.run(backend="threads", workers=2), single)


def test_most_of_these_runs_need_no_second_look():
    """Only points that are refused, or whose contact has no friction, are run one by one."""
    for name, alone in (("until rest, with a log that grows", 0), ("masses and starts", 0), ("space", 0),
                        ("refused at some points", 4), ("without friction at one end", 1), ("joints, stops and springs", 0),
                        ("many steps, looked at on the way", 0)):
        study = STUDIES[name]()
        work = SideBySide.of(study.work, study.design.columns)
        calls = []
        object.__setattr__(study.work, "row", lambda point, calls=calls, study=study: (
            calls.append(point), type(study.work).row(study.work, point))[1])
        work.rows(0, len(study))
        assert len(calls) == alone, name


def test_a_bounce_is_that_of_the_closed_form():
    """Height of the second apex: e² of the first, with the time that a fall from there takes."""
    es = np.linspace(0.3, 0.8, 11)
    study = Study(drop(), START, 1.2, vary={"bounce.law.e": es}, record={"t": "first(impacts.t)", "n": "count(impacts)",
                                                                        "y": "at(ball.y, 0.7)"})
    found, fall = study.run(backend="threads"), math.sqrt(2.0 / G)
    assert found["t"] == pytest.approx(np.full(11, fall), abs=1e-12)
    once = fall + 2.0 * es * fall > 0.7  # still in its first rebound
    rise = es * G * fall * (0.7 - fall) - 0.5 * G * (0.7 - fall) ** 2
    assert found["y"][once] == pytest.approx(0.03 + rise[once], abs=1e-9)


@pytest.mark.parametrize(("constant", "value"), [("PENETRATION", -10.0), ("FORCE", -1e-3), ("DRIFT", -1.0), ("MOMENTUM", -1e3),
                                                 ("DASH", -1e6)])
def test_every_law_of_the_auditor_is_screened(monkeypatch, constant, value):
    """With a bound that nothing keeps, the auditor of single runs decides on all of them."""
    monkeypatch.setattr(audit, constant, value)
    study = Study(drop(), START, 5.0, vary={"bounce.law.e": [0.3, 0.6]}, record={"x": "last(ball.x)"})
    found = study.run(backend="threads")
    assert found["status"].tolist() == ["law broken"] * 2
    assert found.arrow.equals(study.run(backend="processes").arrow)


def test_a_bound_that_is_broken_at_a_look_only_is_found(monkeypatch):
    """The account is audited after every 200 steps, too, with the energies of that instant."""
    study = STUDIES["many steps, looked at on the way"]()
    look = audit.Auditor.look
    monkeypatch.setattr(audit, "DRIFT", -1.0)
    assert set(study.run(backend="threads")["status"]) == {"law broken"}
    monkeypatch.undo()
    assert audit.Auditor.look is look
    assert set(study.run(backend="threads")["status"]) == {"finished"}


@pytest.mark.parametrize(("study", "why"), [
    (lambda: Study(drop(), START, 0.2, vary={"bounce.law.e": [0.5]}, record={"b": len}), "neither a channel"),
    (lambda: Study(drop(), START, 0.2, vary={"bounce.law.e": [0.5]}, record={"y": "last(ball.y)"},
                   options=rt.Options(engine="stepping", step=1e-3)), "engine"),
    (lambda: Study(drop(), START, 0.2, vary={"bounce.a.radius": [0.02, 0.025]}), "compiled for each"),
])
def test_studies_that_threads_cannot_serve_say_why(study, why):
    with pytest.raises(ModelError, match=why):
        study().run(backend="threads")
    assert study().run().n_points  # and are computed otherwise


def test_backends_have_names_and_times_lie_within_the_run():
    with pytest.raises(ModelError, match="neither"):
        grid(20).run(backend="cluster")
    with pytest.raises(ModelError, match="outside the run"):
        Study(drop(), START, 0.2, vary={"bounce.law.e": [0.5]}, record={"y": "at(ball.y, 0.5)"})


def test_threads_store_rows_and_resume(tmp_path):
    whole = grid(60).run(backend="processes")
    assert grid(60).run(backend="threads", workers=2, store=tmp_path / "rows").arrow.equals(whole.arrow)
    for k in (3, 4, 40):
        (tmp_path / "rows" / f"part-{k:06d}.parquet").unlink()
    assert grid(60).run(backend="threads", store=tmp_path / "rows").arrow.equals(whole.arrow)
