"""A Result as a mapping, between its samples, and as tables of other libraries."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from scipy.io import loadmat

import routh as rt
from routh import joints, shapes
from routh.errors import RouthError

PENDULUM = rt.Model("planar", [rt.Body("rod", 1.0, 0.1)], [joints.Revolute("pin", "ground", "rod", point_b=(0.0, 0.5))],
                    gravity=(0.0, -9.81))
TOP = rt.Model("spatial", [rt.Body("top", 1.0, (0.1, 0.2, 0.25))])
BALL = rt.Model(
    "planar", gravity=(0.0, -9.81), bodies=[rt.Body("ball", 1.0, 0.1)],
    contacts=[rt.Contact("bounce", shapes.HalfSpace("ground", normal=(0, 1)), shapes.Disk("ball", 0.1), rt.Newton(0.5, 0.0))])


def swing(spacing):
    return rt.simulate(PENDULUM, rt.State(pin={"angle": 1.0}), 1.0, options=rt.Options(output=spacing, rtol=1e-12, atol=1e-13))


@pytest.fixture(scope="module")
def swung():
    return swing(0.02)


@pytest.fixture(scope="module")
def bounced():
    return rt.simulate(BALL, rt.State(ball={"y": 1.1}), 1.0, options=rt.Options(output=0.05))


def test_a_result_is_a_mapping_of_its_channels(swung):
    assert isinstance(swung, Mapping)
    assert list(swung) == swung.keys() == swung.channels == swung._ipython_key_completions_()
    assert len(swung) == len(swung.channels)
    assert "rod.x" in swung
    assert "rod.z" not in swung
    assert swung.get("rod.z") is None
    assert dict(swung.items())["rod.x"] is swung["rod.x"]
    assert len(list(swung.values())) == len(swung)


@pytest.mark.parametrize(("channel", "order"), [("rod.x", 6), ("rod.theta", 6), ("rod.vy", 4), ("pin.angle", 4)])
def test_between_samples_the_error_falls_with_the_order_of_the_stored_rates(channel, order):
    fine = swing(0.005)
    errors = [np.abs(swing(h).sol(fine.t, channel)[channel] - fine[channel]).max() for h in (0.1, 0.05)]
    assert errors[1] < 1e-4
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.5)


def test_attitudes_between_samples_are_unit_quaternions_of_sixth_order():
    def run(h):
        return rt.simulate(TOP, rt.State(top={"wx": 0.1, "wy": 3.0, "wz": 0.2}), 1.0,
                           options=rt.Options(output=h, rtol=1e-12, atol=1e-13))

    fine, errors = run(0.005), []
    for h in (0.1, 0.05):
        found = run(h).sol(fine.t)
        q = np.stack([found[f"top.{k}"] for k in ("qw", "qx", "qy", "qz")])
        assert np.abs((q * q).sum(axis=0) - 1.0).max() < 1e-12
        errors.append(np.abs(q - np.stack([fine[f"top.{k}"] for k in ("qw", "qx", "qy", "qz")])).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(6.0, abs=0.7)


def test_free_flight_is_exact_between_samples_and_both_sides_of_an_impact_are_kept(bounced):
    hit = bounced.impacts.t[0]
    t = np.linspace(0.0, hit, 57)
    assert np.abs(bounced.sol(t, "ball.y", side="left")["ball.y"] - (1.1 - 0.5 * 9.81 * t * t)).max() < 1e-12
    before, after = (bounced.at(hit, side=side)["ball.vy"] for side in ("left", "right"))
    assert after == pytest.approx(-0.5 * before)
    for t in (bounced.t[0], bounced.t[-1]):
        assert bounced.at(t)["ball.y"] == bounced["ball.y"][0 if t == 0.0 else -1]


def test_times_outside_and_wrong_sides_are_refused(swung):
    for t in (-1e-9, 1.1, np.nan):
        with pytest.raises(ValueError, match="lies outside the result, 0 to 1 s"):
            swung.sol([0.5, t])
    with pytest.raises(ValueError, match="neither"):
        swung.at(0.5, side="up")
    with pytest.raises(ValueError, match="shape"):
        swung.sol(np.zeros((2, 2)))
    with pytest.raises(KeyError, match=r'no channel "rod\.z"'):
        swung.sol(0.5, "rod.z")


def test_peaks_are_the_largest_reactions_with_their_times(swung):
    peaks = swung.peaks()
    size = np.hypot(*swung["pin.reaction"].T)
    assert list(peaks.joint) == ["pin"]
    assert peaks.force[0] == size.max()
    assert peaks.t_force[0] == swung.t[np.argmax(size)]
    assert peaks.impulse[0] == 0.0
    assert peaks.unit("force") == "N"
    assert len(rt.simulate(TOP, t_end=0.1).peaks()) == 0


def test_peaks_hold_the_largest_impulse_of_a_joint():
    ground, tip = shapes.HalfSpace("ground", normal=(0, 1), point=(0.0, -0.9)), shapes.Disk("rod", 0.01, point=(0.0, -0.5))
    model = PENDULUM.replace({})
    model = rt.Model("planar", model.bodies, model.joints, gravity=(0.0, -9.81),
                     contacts=[rt.Contact("floor", ground, tip, rt.Newton(0.5, 0.0))])
    result = rt.simulate(model, rt.State(pin={"angle": 1.5}), 1.0)
    impulse = np.hypot(*result.impacts["pin.impulse"].T)
    assert result.peaks().impulse[0] == impulse.max() > 0.0
    assert result.peaks().t_impulse[0] == result.impacts.t[np.argmax(impulse)]


def test_tables_of_other_libraries_hold_the_same_numbers(swung):
    frame, data = swung.to_dataframe(), swung.to_xarray("rod.x", "pin.reaction")
    assert np.array_equal(frame["rod.x"], swung["rod.x"])
    assert np.array_equal(frame["pin.reaction[1]"], swung["pin.reaction"][:, 1])
    assert frame.attrs["units"]["pin.reaction[1]"] == "N"
    assert frame.index.name == "t"
    assert list(swung.to_dataframe("rod.x").columns) == ["rod.x"]
    assert np.array_equal(data["pin.reaction"], swung["pin.reaction"])
    assert data["rod.x"].attrs["units"] == "m"
    assert data.sel(t=slice(0.2, 0.4))["rod.x"].size > 5


def test_matlab_gets_a_struct_per_element(bounced, tmp_path):
    found = loadmat(bounced.export(tmp_path / "run.mat"), simplify_cells=True)
    assert np.array_equal(found["ball"]["y"], bounced["ball.y"])
    assert np.array_equal(found["t"], bounced.t)
    assert np.array_equal(found["impacts"]["p_n"], bounced.impacts.p_n)
    assert found["status"] == "finished"


def test_two_runs_are_drawn_into_one_axes(bounced, swung):
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    assert bounced.plot("ball.y", ax=ax) is ax.figure
    lines = len(ax.lines)
    swung.plot("rod.y", ax=ax, title="both")
    assert len(ax.lines) > lines > 0
    assert ax.get_ylabel() == "[m]"
    assert swung.plot("rod.y", "rod.vy").axes[0] is not ax


def test_what_is_no_motion_is_not_animated(swung, tmp_path):
    with pytest.raises(RouthError, match=r'no motion is written as "\.csv"'):
        swung.animate(tmp_path / "run.csv")
    assert swung.animate(str(tmp_path / "run.glb")).stat().st_size > 1000
    assert swung.export(str(tmp_path / "run.csv"), channels=["rod.x"]).read_text().startswith("t [s],rod.x [m]\n")


def test_success_and_message_say_how_a_run_ended(swung):
    assert swung.success
    assert swung.message == "The run reached its end, t = 1 s."
    broken = rt.simulate(PENDULUM, rt.State(pin={"angle": 1.0}), 1.0,
                         options=rt.Options(max_steps=3, max_step=1e-3, on_error="return"))
    assert not broken.success
    assert "Options.max_steps" in broken.message
