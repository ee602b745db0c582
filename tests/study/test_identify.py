"""Parameters from measured motions: closed forms of least squares first, then coverage of intervals and what is not determined.

`ROUTH_REPEATS=100 pytest tests/study/test_identify.py -k interval` counts coverage over a hundred repeats.
"""

import os

import numpy as np
import pytest

import routh as rt
from routh import forces, joints, shapes
from routh.errors import FileError, ModelError
from routh.study import Measured, compare_laws, read_measured
from routh.study.residuals import Problem
from scenes import START, drop

REPEATS = int(os.environ.get("ROUTH_REPEATS", "8"))
T = np.linspace(0.0, 1.6, 61)
SPINNING = START.replace({"ball.vx": 0.9, "ball.omega": -200.0})  # it slides throughout its first impact, so that mu matters
TRUTH = {"bounce.law.e": 0.72, "bounce.law.mu": 0.1, "ball.vx": 0.9, "ball.inertia": 5.8e-5}
BOUNDS = {"bounce.law.e": (0.3, 0.95), "bounce.law.mu": (0.02, 0.5), "ball.vx": (0.0, 2.0), "ball.inertia": (2e-5, 1.5e-4)}


def dart():
    return rt.Model(space="planar", bodies=[rt.Body("dart", mass=1.0, inertia=1.0)])


@pytest.fixture(scope="module")
def clean():
    """The motion without noise: x, y and the angle of a spinning ball over two bounces."""
    result = rt.simulate(drop(0.72, 0.1), SPINNING, 1.6, options=rt.Options(output=T[1:]))
    return {name: result.sol(T, name)[name] for name in ("ball.x", "ball.y", "ball.theta")}


def noisy(clean, seed):
    """The same with noise of one percent of each channel's range."""
    rng = np.random.default_rng(seed)
    return Measured(T, {name: v + rng.normal(0.0, 0.01 * np.ptp(v), len(T)) for name, v in clean.items()}, SPINNING)


def test_a_straight_line_has_the_values_and_errors_of_the_textbook():
    """x = x0 + v t: the normal equations, and intervals by Student's quantile; the profile is exactly quadratic."""
    t, rng = np.linspace(0.0, 2.0, 40), np.random.default_rng(1)
    x = 0.3 + 1.7 * t + rng.normal(0.0, 0.05, 40)
    fit = rt.identify(dart(), Measured(t, {"dart.x": x}), {"dart.x": (-1.0, 1.0), "dart.vx": (0.0, 3.0)}, starts=2)
    A = np.column_stack([np.ones(40), t])
    expected, left = np.linalg.lstsq(A, x, rcond=None)[:2]
    covariance = left[0] / 38.0 * np.linalg.inv(A.T @ A)
    assert [fit.values["dart.x"], fit.values["dart.vx"]] == pytest.approx(expected, abs=1e-7)
    assert fit.covariance == pytest.approx(covariance, rel=1e-5)
    assert fit.noise["dart.x"] == pytest.approx(np.sqrt(left[0] / 38.0), rel=1e-5)
    for k, name in enumerate(("dart.x", "dart.vx")):
        half = 2.0243941 * np.sqrt(covariance[k, k])  # 97.5 % quantile of Student's t with 38 degrees of freedom
        assert fit.intervals[name] == pytest.approx((expected[k] - half, expected[k] + half), abs=5e-3 * half)
    assert fit.reduced_chi2 == pytest.approx(1.0, rel=1e-5)
    assert not fit.warnings


def test_start_values_of_each_motion_and_errors_by_motion():
    """Motions with speeds of their own: a shared speed is their mean, with the standard error of a mean."""
    rng, t = np.random.default_rng(2), np.linspace(0.1, 1.0, 5)
    speeds = 1.0 + rng.normal(0.0, 0.1, 12)
    motions = [Measured(t, {"dart.x": v * t}, begin=0.0, name=f"m{k}") for k, v in enumerate(speeds)]
    fit = rt.identify(dart(), motions, {"dart.vx": (0.0, 2.0)}, noise=0.01, by_motion=True, starts=1)
    assert fit.values["dart.vx"] == pytest.approx(speeds.mean(), abs=1e-8)
    assert fit.errors["dart.vx"] == pytest.approx(speeds.std(ddof=1) / np.sqrt(12.0), rel=1e-6)
    assert any("times the stated noise" in text for text in fit.warnings)
    own = rt.identify(dart(), motions[:3], {}, own={"dart.vx": (0.0, 2.0)}, noise=0.01, starts=1)
    assert list(own.values.values()) == pytest.approx(speeds[:3], abs=1e-8)


def test_exact_derivatives_are_those_of_differences(clean):
    motion = noisy(clean, 0)
    bounds = {name: BOUNDS[name] for name in TRUTH}
    noise, compiled = dict.fromkeys(motion.channels, 0.01), rt.compile_model(drop())
    by = {exact: Problem(compiled, [motion], bounds, {}, noise, rt.Options(), exact) for exact in (True, False)}
    x = np.array(list(TRUTH.values()))
    exact, differences = by[True].jacobian(x), by[False].jacobian(x)
    assert by[True].runs < by[False].runs  # so that the first were not made by the second
    assert exact == pytest.approx(differences, rel=1e-4, abs=1e-5 * np.abs(exact).max())


def test_an_interval_holds_the_truth_as_often_as_it_says(clean):
    """One percent of noise; e, mu, inertia and a start value together. The count of a hundred repeats is asked for as 90."""
    inside = dict.fromkeys(TRUTH, 0)
    for seed in range(REPEATS):
        fit = rt.identify(drop(), noisy(clean, 100 + seed), BOUNDS, starts=3, profile=REPEATS >= 100)
        for name, value in TRUTH.items():
            inside[name] += fit.intervals[name][0] <= value <= fit.intervals[name][1]
    print(inside)
    assert min(inside.values()) >= 0.9 * REPEATS - (REPEATS < 100)


def test_profiles_agree_with_the_covariance_where_noise_is_small(clean):
    fit = rt.identify(drop(), noisy(clean, 7), {name: BOUNDS[name] for name in ("bounce.law.e", "bounce.law.mu")}, starts=3)
    for name in fit.names:
        half = 1.973 * fit.errors[name]
        low, high = fit.intervals[name]
        assert low == pytest.approx(fit.values[name] - half, abs=0.15 * half)
        assert high == pytest.approx(fit.values[name] + half, abs=0.15 * half)
    assert fit.loss(0) == pytest.approx(3.0, rel=0.2)  # three channels, each with one unit of noise
    assert fit.model.contacts[0].law.e == fit.values["bounce.law.e"]
    assert np.abs(fit.residuals(0)["ball.y"]).mean() < 2.0 * fit.noise["ball.y"]
    assert len(fit.plot().axes) == 6
    assert "bounce.law.mu" in repr(fit)


def test_friction_that_only_has_to_hold_is_not_determined():
    """Where the ball sticks in every impact, any mu above the least one gives the same motion."""
    result = rt.simulate(drop(0.72, 0.3), START, 1.6, options=rt.Options(output=T[1:]))
    rng = np.random.default_rng(0)
    found = result.sol(T, "ball.x", "ball.y")
    motion = Measured(T, {name: values + rng.normal(0.0, 0.01, len(T)) for name, values in found.items()}, START)
    fit = rt.identify(drop(), motion, {"bounce.law.e": (0.3, 0.95), "bounce.law.mu": (0.2, 0.6)}, starts=2)
    assert '"bounce.law.mu" has no influence on what was measured' in fit.warnings
    assert fit.intervals["bounce.law.mu"] == (0.2, 0.6)
    assert fit.intervals["bounce.law.e"][0] < 0.72 < fit.intervals["bounce.law.e"][1]


def test_a_combination_that_alone_is_determined_is_named():
    """Free vibration tells the ratio of stiffness and mass only."""
    model = rt.Model(space="planar", bodies=[rt.Body("cart", mass=1.0, inertia=1.0)],
                     joints=[joints.Prismatic("rail", "ground", "cart", axis=(1.0, 0.0))],
                     forces=[forces.JointSpring("spring", "rail.shift", stiffness=4.0)])
    t = np.linspace(0.0, 5.0, 50)
    motion = Measured(t, {"cart.x": np.cos(2.0 * t)}, rt.State(rail={"shift": 1.0}))
    fit = rt.identify(model, motion, {"spring.stiffness": (1.0, 9.0), "cart.mass": (0.5, 2.0)}, noise=0.01, starts=1)
    assert any("only a combination of" in text for text in fit.warnings)
    assert fit.values["spring.stiffness"] / fit.values["cart.mass"] == pytest.approx(4.0, rel=1e-5)
    bound = rt.identify(model, motion, {"spring.stiffness": (4.5, 9.0)}, noise=0.01, starts=1)
    assert any("lies on a bound" in text for text in bound.warnings)


def rod(law):
    """A rod that falls on one end: restitution and friction are coupled, so that laws differ."""
    tip, floor = shapes.Capsule("rod", (-0.25, 0.0), (0.25, 0.0), 0.01), shapes.HalfSpace("ground", normal=(0.0, 1.0))
    return rt.Model(space="planar", gravity=(0.0, -9.81), bodies=[rt.Body("rod", mass=0.5, inertia=0.5 * 0.5**2 / 12.0)],
                    contacts=[rt.Contact("tip", tip, floor, law=law)])


def thrown(k, law, noise):
    """The rod thrown at an angle that differs from motion to motion, over its first impact."""
    rng = np.random.default_rng(k)
    start = rt.State(rod={"y": 0.35, "theta": 0.6 + 0.5 * rng.random(), "vx": 1.0 + rng.random(), "vy": -2.0})
    t = np.linspace(0.0, 0.12, 25)
    result = rt.simulate(rod(law), start, 0.12, options=rt.Options(output=t[1:]))
    channels = {name: result.sol(t, name)[name] + rng.normal(0.0, noise[name], len(t)) for name in noise}
    return Measured(t, channels, start, name=f"throw {k}")


def test_the_law_that_made_the_data_predicts_best():
    noise = {"rod.x": 5e-4, "rod.y": 5e-4, "rod.theta": 2e-3}
    truth = rt.Newton(e=0.6, mu=0.5)
    motions = [thrown(k, truth, noise) for k in range(12)]
    found = compare_laws(rod(rt.Poisson(e=0.5, mu=0.4)), motions[:6], "tip", [rt.Newton, rt.Poisson],
                         {"tip.law.e": (0.2, 0.95), "tip.law.mu": (0.1, 0.9)}, apart=motions[6:], noise=noise, starts=2,
                         profile=False)
    assert found.best == "Newton"
    assert "predicts better than Poisson" in found.verdict
    row = found.table()[0]
    assert row["loss apart"] == pytest.approx(3.0, rel=0.25)  # the noise alone
    low, high = found.fits["Newton"].intervals["tip.law.e"]
    assert low < 0.6 < high
    assert "Poisson" in repr(found)


def test_either_sign_of_a_quaternion_means_the_same():
    """A free body in space that turns more than once; signs of the measured quaternions are drawn at random."""
    model = rt.Model(space="spatial", bodies=[rt.Body("top", mass=1.0, inertia=(1.0, 1.0, 2.0))])
    t, rng = np.linspace(0.0, 2.0, 30), np.random.default_rng(3)
    run = rt.simulate(model, rt.State(top={"omega": (1.0, 0.5, 6.0)}), 2.0, options=rt.Options(output=t[1:]))
    names = [f"top.q{part}" for part in "wxyz"]
    sign = rng.choice([-1.0, 1.0], 30)
    motion = Measured(t, {name: sign * values for name, values in run.sol(t, *names).items()})
    for derivatives in ("exact", "differences"):
        start = Measured(motion.t, motion.channels, rt.State(top={"omega": (1.0, 0.5, 6.0)}))
        fit = rt.identify(model, start, {"top.x": (-1.0, 1.0), "top.vx": (-1.0, 1.0)}, noise=0.01, starts=1, profile=False,
                          derivatives=derivatives)
        assert max(np.abs(values).max() for values in fit.residuals(0).values()) < 1e-9


def test_motions_are_read_from_csv(tmp_path, clean):
    file = tmp_path / "drop.csv"
    lines = ["# measured on a table", "t, ball.y, ball.x"]
    for t, y, x in zip(T, clean["ball.y"], clean["ball.x"], strict=True):
        lines.append(f"{float(t)!r},{float(y)!r}," + ("" if t > 1.0 else repr(float(x))))
    file.write_text("\n".join(lines))
    motion = read_measured(file, SPINNING)
    assert motion.n == 61 + int((T <= 1.0).sum())
    fit = rt.identify(drop(0.6, 0.1), motion, {"bounce.law.e": (0.3, 0.9)}, noise=0.01, starts=1, profile=False)
    assert fit.values["bounce.law.e"] == pytest.approx(0.72, abs=1e-6)


@pytest.mark.parametrize(("text", "message"), [
    ("", "no head"), ("a,b\n1,2\n", 'must name "t"'), ("t,ball.y\n1\n", "1 fields"), ("t,ball.y\n1,x\n", "not a number"),
    ("t,ball.y\n1,2\n0,2\n", "increase"), ("t,ball.y\n0,\n1,\n", "no finite"),
])
def test_files_that_are_no_motion_are_refused(tmp_path, text, message):
    (tmp_path / "m.csv").write_text(text)
    with pytest.raises(FileError, match=message):
        read_measured(tmp_path / "m.csv")


@pytest.mark.parametrize(("change", "message"), [
    ({"vary": {}}, "names no parameter"),
    ({"vary": {"bounce.law.e": 0.5}}, "not two bounds"),
    ({"vary": {"bounce.law.e": (0.9, 0.1)}}, "the lower first"),
    ({"vary": {"bounce.law.x": (0.1, 0.9)}}, '"x"'),
    ({"noise": {"ball.x": 0.1}}, "says nothing of"),
    ({"noise": -1.0}, "positive"),
    ({"starts": 0}, "starts"),
    ({"level": 1.0}, "level"),
    ({"derivatives": "automatic"}, "neither"),
    ({"motions": []}, "must be a study.Measured"),
    ({"own": {"ball.mass": (0.1, 0.2)}}, "start value"),
    ({"by_motion": True}, "more motions"),
    ({"model": 3}, "not a Model"),
])
def test_a_fit_that_makes_no_sense_is_refused(change, message):
    given = {"model": drop(), "motions": Measured([0.0, 0.1, 0.2], {"ball.y": [1.03, 1.0, 0.8]}, START),
             "vary": {"bounce.law.e": (0.1, 0.9)}} | change
    with pytest.raises(ModelError, match=message):
        rt.identify(**given)
    with pytest.raises(KeyError, match="did you mean"):
        rt.identify(drop(), Measured([0.0, 0.1], {"ball.yy": [1.0, 1.0]}, START), {"bounce.law.e": (0.1, 0.9)})


@pytest.mark.parametrize(("make", "message"), [
    (lambda: Measured([0.0, 1.0], {}), "no channels"), (lambda: Measured([0.0, 1.0], {"a.x": [1.0]}), "at 2 times"),
    (lambda: Measured([0.0, "a"], {"a.x": [1.0, 2.0]}), "not numbers"), (lambda: Measured([[0.0]], {"a.x": [1.0]}), "shape"),
    (lambda: Measured([0.0, 1.0], {"a.x": [1.0, 2.0]}, begin=2.0), "begins"),
    (lambda: Measured([0.0, 1.0], {"a.x": [1.0, 2.0]}, start={}), "not a State"),
    (lambda: compare_laws(drop(), [], "roof", [rt.Newton], {}, apart=[]), "not a contact"),
    (lambda: compare_laws(drop(), [], "bounce", [rt.Newton], {}, apart=[]), "noise"),
    (lambda: compare_laws(3, [], "bounce", [rt.Newton], {}, apart=[]), "not a Model"),
])
def test_measurements_and_comparisons_that_make_no_sense_are_refused(make, message):
    with pytest.raises(ModelError, match=message):
        make()
