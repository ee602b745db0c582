"""Studies of motions and of impacts: their tables against single runs, wherever they are computed."""

import math

import numpy as np
import pytest

import routh as rt
from routh.errors import ModelError, RouthError
from routh.gallery import han_cho, han_rod, park
from routh.study import ImpactCase, Normal, Study, Uniform, read_table
from scenes import RECORD, START, drop, grid, height_at


def boom(run):
    raise ModelError("this quantity is refused")


@pytest.fixture(scope="module")
def table():
    return grid().run()


def test_rows_are_those_of_single_runs(table):
    for i in (0, 17, 59):
        point = table.point(i)
        run = rt.simulate(drop(point["bounce.law.e"], point["bounce.law.mu"]), START, 0.9, options=rt.Options(output=0.05))
        assert table["x"][i] == run["ball.x"][-1]
        assert table["hits"][i] == len(run.impacts)
        assert table["loss"][i] == run.impacts["energy_lost"].sum()


def test_recorded_heights_are_the_closed_form(table):
    expected = [0.03 + height_at(0.8, e) for e in table["bounce.law.e"]]
    flying = math.sqrt(2.0 / 9.81) * (1.0 + 2.0 * table["bounce.law.e"]) > 0.8  # before the second impact
    assert flying.sum() > 20
    assert np.abs(table["top"] - expected)[flying].max() < 1e-9


def test_a_pool_gives_the_same_table(table):
    assert grid().run(workers=2).arrow.equals(table.arrow)


def test_masses_speeds_and_start_values_are_varied_by_their_paths():
    vary = {"ball.mass": [0.1, 0.2], "ball.vy": [0.0, -1.0]}
    found = Study(drop(), START, 0.5, vary=vary, record={"p": "max(impacts.p_n)"}).run()
    expected = [1.8 * m * math.sqrt(2.0 * 9.81 + v * v) for m in (0.1, 0.2) for v in (0.0, -1.0)]
    assert found["p"] == pytest.approx(expected, rel=1e-9)


def test_without_record_the_end_of_every_body_is_kept():
    found = Study(drop(), START, 0.2, vary={"bounce.law.e": [0.5]}).run()
    assert found.quantities == ["ball.x", "ball.y", "ball.theta", "ball.vx", "ball.vy", "ball.omega", "impacts"]
    assert found.units["ball.omega"] == "rad/s"


def test_a_run_that_fails_is_a_row_with_its_status():
    vary = {"ball.y": [1.03, 0.0]}  # the second start overlaps the floor
    found = Study(drop(), START, 0.2, vary=vary, record={"y": "last(ball.y)", "two": "at(ball.y, [0.1, 0.2])"}).run()
    assert found["status"].tolist() == ["finished", "refused"]
    assert "overlap" in found["message"][1]
    assert math.isnan(found["y"][1])
    assert found["two"][1] is None
    assert found.failed.tolist() == [1]
    assert np.isnan(found.to_xarray()["two"].values[1]).all()


def test_tables_turn_into_those_of_other_libraries(table, tmp_path):
    frame = table.to_pandas()
    assert list(frame.columns[:2]) == ["bounce.law.mu", "bounce.law.e"]
    assert frame.attrs["units"]["loss"] == "J"
    cube = table.to_xarray()
    assert cube["loss"].dims == ("bounce.law.mu", "bounce.law.e")
    assert cube["path"].shape == (2, 30, 2)
    assert float(cube["loss"].sel({"bounce.law.mu": 0.3}).values[4]) == table["loss"][34]
    assert table.to_polars().shape == (60, 9)
    again = read_table(table.save(tmp_path / "table.parquet"))
    assert again.arrow.equals(table.arrow)
    assert again.to_xarray().equals(cube)


def test_what_is_not_a_table_is_refused(tmp_path):
    (tmp_path / "t.parquet").write_bytes(b"no table")
    with pytest.raises(RouthError, match="not the table of a study"):
        read_table(tmp_path / "t.parquet")


def test_figures_have_labels_with_units(table):
    figure = table.plot("loss", "bounce.law.e")
    assert figure.axes[0].get_ylabel() == "loss [J]"
    assert len(figure.axes[0].get_lines()) == 2
    assert table.heatmap("loss", "bounce.law.e", "bounce.law.mu").axes[0].get_xlabel() == "bounce.law.e"
    drawn = Study(drop(), START, 0.9, vary={"bounce.law.e": Uniform(0.4, 0.8), "bounce.law.mu": [0.1, 0.2]}, samples=8,
                  record=RECORD).run()
    assert drawn.histogram("loss").axes[0].get_xlabel() == "loss [J]"
    assert len(drawn.plot("loss", "bounce.law.mu").axes[0].collections) == 1  # the band of quantiles
    with pytest.raises(RouthError, match="list of numbers"):
        drawn.heatmap("loss", "bounce.law.e", "bounce.law.mu")
    with pytest.raises(RouthError, match="varied parameters"):
        table.plot("loss", "ball.mass")
    with pytest.raises(KeyError, match="did you mean"):
        table["los"]


def test_sobol_indices_of_a_linear_quantity_are_shares_of_variance():
    """x(t) = vx t + (terms without scatter), y(t) likewise: the variance of x + y splits in closed form."""
    model = rt.Model(space="planar", bodies=[rt.Body("dart", mass=1.0, inertia=1.0)])
    vary = {"dart.vx": Normal(1.0, 0.3), "dart.vy": Normal(0.0, 0.4)}
    found = Study(model, None, 1.0, vary=vary, samples=512, sampling="saltelli", seed=2,
                  record={"sum": "last(dart.x) + last(dart.y)"}, options=rt.Options(output=[])).run()
    shares = found.sobol_indices("sum")
    for path, share in (("dart.vx", 0.36), ("dart.vy", 0.64)):
        assert shares[path]["first"] == pytest.approx(share, abs=0.02)  # of 512 quasi-random points
        assert shares[path]["total"] == pytest.approx(share, abs=0.02)


def test_one_point_can_be_looked_at_as_a_whole(table):
    study = grid()
    run = study.run_point(17)
    assert run["ball.x"][-1] == table["x"][17]
    with pytest.raises(IndexError):
        study.run_point(60)


@pytest.mark.parametrize(("choices", "message"), [
    ({"vary": {"bounce.law.x": [1.0]}}, 'no field "x"'),
    ({"vary": {"bal.mass": [1.0]}}, '"bal"'),
    ({"vary": {"bounce.law.e": [2.0]}}, "outside"),
    ({"vary": {"ball.vz": [1.0]}}, "vz"),
    ({"record": {"q": "max(ball.q)"}}, "no channel"),
    ({"record": {"status": "max(ball.y)"}}, "call it otherwise"),
    ({"record": {}}, "names nothing"),
    ({"t_end": 0.0}, "later than"),
    ({"model": 3}, "neither a Model"),
])
def test_a_study_that_cannot_run_is_refused_before_the_first_run(choices, message):
    given = {"model": drop(), "start": START, "t_end": 0.2, "vary": {"bounce.law.e": [0.5]}} | choices
    with pytest.raises((ModelError, RouthError), match=message):
        Study(**given)


def test_bad_numbers_of_workers_and_quantities_that_fail_are_errors():
    study = Study(drop(), START, 0.2, vary={"bounce.law.e": [0.5]}, record={"b": boom})
    with pytest.raises(ModelError, match="workers"):
        study.run(workers=0)
    with pytest.raises(ModelError, match="this quantity is refused"):
        study.run()
    with pytest.raises(ModelError, match="top of a"):
        Study(drop(), START, 0.2, vary={"bounce.law.e": [0.5, 0.6]}, record={"b": lambda run: 1.0}).run(workers=2)


def test_impacts_over_three_parameters_are_those_of_single_impacts():
    case = ImpactCase(A=[[1.0, 0.2], [0.2, 3.0]], law=rt.Stronge(e=0.5, mu=0.3), speed=2.0)
    found = Study(case, vary={"law.mu": [0.1, 0.9], "law.e": [0.2, 0.7], "angle": [0.3, 1.0]}).run()
    for i in range(8):
        point = found.point(i)
        v = (-2.0 * math.cos(point["angle"]), 2.0 * math.sin(point["angle"]))
        hit = rt.resolve_impact(case.A, v, rt.Stronge(e=point["law.e"], mu=point["law.mu"]))
        assert [found["p_n"][i], found["p_t"][i]] == hit.impulse.tolist()
        assert found["energy_lost"][i] == hit.energy_lost
        assert found["kind"][i] == hit.kind.label


def test_impacts_in_space_are_varied_by_heading():
    A = np.diag([1.0, 3.0, 4.0])
    case = ImpactCase(A=A, law=rt.Newton(e=0.5, mu=0.3), speed=2.0, angle=0.7)
    found = Study(case, vary={"heading": [0.0, 1.0]}).run()
    v = 2.0 * np.array([-math.cos(0.7), math.sin(0.7) * math.cos(1.0), math.sin(0.7) * math.sin(1.0)])
    assert found["p_t2"][1] == pytest.approx(rt.resolve_impact(A, v, case.law).impulse[2], rel=1e-14)


@pytest.mark.parametrize(("make", "message"), [
    (lambda: Study(ImpactCase(A=np.eye(2), law=rt.Newton(0.5, 0.1)), vary={"heading": [0.1]}), "no parameter"),
    (lambda: Study(ImpactCase(A=np.eye(2), law=rt.Newton(0.5, 0.1)), vary={"law.e_t": [0.1]}), "no parameter"),
    (lambda: Study(ImpactCase(A=np.eye(2), law=rt.Newton(0.5, 0.1)), START, vary={"law.e": [0.1]}), "belong to motions"),
    (lambda: ImpactCase(A=np.eye(4), law=rt.Newton(0.5, 0.1)), "shape"),
    (lambda: ImpactCase(A=np.eye(2), law=0.5), "not an impact law"),
    (lambda: Study(ImpactCase(A=np.eye(2), law=rt.Newton(0.5, 0.1)), vary={"law.e": [0.1]}).run_point(0), "no motion"),
])
def test_impact_studies_that_make_no_sense_are_refused(make, message):
    with pytest.raises(ModelError, match=message):
        make()


def test_losses_of_the_diagonal_impacts_are_those_of_the_gallery():
    """Figs 8 and 9 of [hancho1996]: energy lost over e and mu."""
    es, mus = [0.0, 0.5, 1.0], np.linspace(0.0, 0.6, 13)
    for name in han_cho.EXAMPLES:
        v = han_cho.approach()
        case = ImpactCase(A=han_cho.example(name), law=rt.Poisson(e=0.5, mu=0.1), speed=float(np.linalg.norm(v)),
                          angle=math.atan2(math.hypot(v[1], v[2]), -v[0]), heading=math.atan2(v[2], v[1]))
        lost = Study(case, vary={"law.e": es, "law.mu": mus}).run()["energy_lost"]
        expected = [han_cho.percent_loss(name, e, mu) for e in es for mu in mus]
        assert 100.0 * lost / han_cho.energy_before(name) == pytest.approx(expected, abs=1e-11)


def test_losses_of_the_sliding_rod_are_those_of_the_gallery():
    """Fig 4 of [han1994]: the tangential impact of a rod at 75 degrees over e."""
    theta, r, mu, es = math.radians(75.0), 4.0, 0.55, np.linspace(0.0, 1.0, 11)
    case = ImpactCase(A=han_rod.rod(theta, r), law=rt.Poisson(e=0.5, mu=mu), speed=1.0, angle=0.5 * math.pi)
    one = han_rod.impact(theta, mu, r, 0.5)
    assert one.v == pytest.approx([0.0, 1.0], abs=1e-15) or one.v == pytest.approx([0.0, -1.0], abs=1e-15)
    if one.v[1] < 0.0:
        case = case.replace({"speed": -1.0})
    lost = Study(case, vary={"law.e": es}).run()["energy_lost"]
    reference = [han_rod.impact(theta, mu, r, e).energy_lost for e in es]
    assert lost == pytest.approx(reference, abs=1e-12)


@pytest.mark.parametrize("major", ["x", "y"])
def test_impulses_of_the_pendulums_are_those_of_the_gallery(major):
    """Fig 7 of [park2009]: impulses over the coefficient of restitution, bit for bit."""
    es = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    start = rt.State(pin1={"angle": -0.5 * math.pi}, pin2={"angle": 0.0})
    found = Study(park.pendulums(major=major), start, 0.8, vary={"hit.law.e": es}, options=park.SHARP,
                  record={"p_n": "first(impacts.p_n)", "p_t": "first(impacts.p_t)"}).run()
    impacts = [park.swing(major, e=e).impacts[0] for e in es]
    assert found["p_n"].tolist() == [impact.p_n for impact in impacts]
    assert found["p_t"].tolist() == [impact.p_t for impact in impacts]
    if major == "y":
        assert found["p_n"] / (1.0 + np.array(es)) == pytest.approx(np.full(6, 3.40136804431), abs=3e-9)  # the gallery's claim


def test_ratios_of_ball_and_bat_are_those_of_the_gallery():
    """Fig 12 of [park2009]: p_T / p_N over the height of the ball, with stick up to 0.06 m."""
    start = rt.State(handle={"angle": 0.0, "angle_rate": 0.0}, ball={"x": park.ARM, "y": 2.0, "vy": -10.0})
    found = Study(park.bat(), start, 0.25, vary={"ball.z": park.RATIOS}, options=park.SHARP,
                  record={"ratio": "first(impacts.p_t / impacts.p_n)"}).run()
    expected = [park.straight(z).impacts[0] for z in park.RATIOS]
    assert found["ratio"] == pytest.approx([impact.p_t / impact.p_n for impact in expected], abs=1e-13)
    published = [0.0444986108302, 0.191830399372, 0.32318730926, park.MU, park.MU]  # at five of them, as the gallery claims
    assert found["ratio"][[1, 4, 6, 7, 10]] == pytest.approx(published, abs=4e-11)


def test_one_parameter_has_no_sobol_indices():
    found = Study(drop(), START, 0.2, vary={"ball.vx": Normal(1.0, 0.1)}, samples=8, sampling="saltelli").run()
    with pytest.raises(RouthError, match="vary two"):
        found.sobol_indices("ball.x")
