"""Ledgers and the energy account: rows, columns, files, and a blow replayed from its row."""

from __future__ import annotations

import copy
import pickle

import h5py
import numpy as np
import pytest
import xarray as xr

import routh as rt
from made_results import sealed
from routh.errors import RouthError
from routh.sim.impact import law_name, law_numbers
from routh.sim.ledger import Ledger, no_events, no_impacts
from routh.sim.result import Energy

LAWS = [rt.Newton(0.5, 0.3), rt.Newton(0.5, 0.3, form="algebraic"), rt.Poisson(0.7, 0.4, mu_s=0.6), rt.Stronge(1.0, 0.0),
        rt.Brach(0.5, 0.3, e_t=0.2)]


def blows(laws=LAWS, d=2, seed=1):
    """One random blow per law, and the ledger that a run would keep of them."""
    random = np.random.default_rng(seed)
    B = random.normal(size=(len(laws), d, d))
    A = B @ B.transpose(0, 2, 1) + 0.1 * np.eye(d)
    v = random.normal(size=(len(laws), d))
    v[:, 0] = -1.0 - random.random(len(laws))
    hits = [rt.resolve_impact(*blow) for blow in zip(A, v, laws, strict=True)]
    codes = [law_numbers(law, before) for law, before in zip(laws, v, strict=True)]
    p = np.array([hit.impulse for hit in hits])
    n = len(laws)
    columns = {
        "t": 0.1 * np.arange(1, n + 1), "contact": [f"blow{i}" for i in range(n)], "kind": ["impact"] * n,
        "point": random.normal(size=(n, d)), "normal": np.eye(d)[np.ones(n, int)], "v_before": v,
        "v_after": [hit.velocity for hit in hits], "impulse": p, "p_n": p[:, 0], "p_t": np.linalg.norm(p[:, 1:], axis=1),
        "class": [hit.kind.label for hit in hits], "law": [law_name(law) for law in laws], "e": [c[1] for c in codes],
        "e_t": [c[2] for c in codes], "mu": [c[3] for c in codes], "mu_s": [c[4] for c in codes],
        "energy_lost": [hit.energy_lost for hit in hits], "energy_lost_normal": [hit.energy_lost_normal for hit in hits],
        "energy_lost_tangential": [hit.energy_lost_tangential for hit in hits],
        "creates_energy": [hit.creates_energy for hit in hits], "momentum_residual": np.full(n, 1e-17),
        "method": ["single"] * n, "sequence": np.zeros(n, int), "A": A,
        "pin.impulse": random.normal(size=(n, d)), "pin.impulse_moment": random.normal(size=(n, 3)[: d - 1]),
    }
    return hits, Ledger(columns)


EVENTS = Ledger({"t": [0.1, 0.2], "kind": ["impact", "stick"], "contact": ["bounce", ""], "text": ["é µ", ""],
                 "p_n": [0.3, np.nan], "energy_lost": [1.0 / 3.0, np.nan]})


def same(one, other):
    return one.columns == other.columns and all(
        np.array_equal(one[c], other[c], equal_nan=one[c].dtype.kind == "f") and one[c].dtype.kind == other[c].dtype.kind
        and one.unit(c) == other.unit(c) for c in one.columns)


def run(impacts=None, events=None, by_contact=None, space="planar"):
    """A ball that loses 3 J of its 10 J to two contacts; 1e-9 J are missing."""
    works = np.array([[0.0] * 5, [0.0, 0.0, 0.0, -1.0, -2.0]])
    energy = Energy(np.array([10.0, 4.0]), np.array([0.0, 3.0 - 1e-9]), works, by_contact)
    return rt.Result(t=np.array([0.0, 1.0]), channels={"ball.x": (np.array([0.0, 1.0]), "m")}, energy=energy, status="finished",
                     space=space, impacts=impacts, events=events)


# a table


def test_rows_columns_masks_and_slices():
    hits, ledger = blows()
    assert len(ledger) == len(list(ledger)) == 5
    assert ledger[2].p_n == hits[2].impulse[0] == ledger.p_n[2] == ledger["p_n"][2] == ledger.column("p_n")[2]
    assert np.array_equal(ledger[-1].impulse, hits[-1].impulse)
    assert ledger[0].class_ == ledger[0]["class"] == hits[0].kind.label
    assert np.array_equal(ledger[1]["pin.impulse"], ledger["pin.impulse"][1])
    assert list(ledger[ledger.e > 0.6].contact) == ["blow2", "blow3"]
    assert list(ledger[1:3].contact) == list(ledger[[1, 2]].contact) == ["blow1", "blow2"]
    assert len(ledger[[]]) == len(ledger[5:]) == 0
    assert ledger[1:3].unit("p_n") == "N s"
    assert ledger.unit("pin.impulse_moment") == "N m s"
    assert type(ledger[0].t) is float
    assert type(ledger[0].contact) is str
    assert type(ledger[0].creates_energy) is bool
    assert ledger[0].as_dict().keys() == set(ledger.columns)


def test_a_ledger_cannot_be_changed():
    times = np.array([1.0, 2.0])
    ledger = Ledger({"t": times})
    times[0] = 5.0
    assert ledger.t[0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        ledger.t[0] = 3.0


def test_ledgers_and_rows_can_be_copied_and_sent():
    _, ledger = blows()
    assert same(pickle.loads(pickle.dumps(ledger)), ledger)
    assert copy.deepcopy(ledger[1]).contact == pickle.loads(pickle.dumps(ledger[1])).contact == "blow1"


def test_a_data_frame_has_one_column_per_component():
    _, ledger = blows()
    frame = ledger.table("t", "contact", "impulse", "A")
    assert list(frame.columns) == ["t", "contact", "impulse[0]", "impulse[1]", "A[0,0]", "A[0,1]", "A[1,0]", "A[1,1]"]
    assert np.array_equal(frame["A[1,0]"], ledger.A[:, 1, 0])
    assert len(ledger.table()) == 5
    assert "pin.impulse_moment" in ledger.table()


def test_a_printed_ledger_is_an_aligned_table():
    _, ledger = blows()
    lines = repr(ledger).splitlines()
    assert len(lines) == 6
    assert lines[0].split()[:3] == ["t", "[s]", "kind"]
    assert len({line.index("impact") for line in lines[1:]}) == 1
    many = Ledger({"t": np.arange(50.0), "x": np.zeros((50, 2))})
    lines = repr(many).splitlines()
    assert lines[-1] == "50 rows, 30 of them not shown; .table() has all"
    assert [line.strip() for line in lines[14:18]] == ["13", "14", "...", "45"]
    assert len(lines) == 23
    assert repr(EVENTS).splitlines()[2].split() == ["0.2", "stick", "-", "-"]
    assert repr(no_events()) == "<Ledger without rows>"
    assert "law=Poisson" in repr(ledger[2])
    page = Ledger({"t": [1.0], "contact": ["<b>"]})._repr_html_()
    assert page == "<table><tr><th>t [s]</th><th>contact</th></tr><tr><td>1</td><td>&lt;b&gt;</td></tr></table>"
    assert "30 of them not shown" in many._repr_html_()


@pytest.mark.parametrize(("make", "error", "message"), [
    (lambda: Ledger({"t": [1.0, 2.0], "p_n": [1.0]}), RouthError, "differ in length"),
    (lambda: Ledger({"t": 1.0}), RouthError, 'column "t" holds float64 of shape'),
    (lambda: Ledger({"t": [None]}), RouthError, 'column "t" holds object'),
    (lambda: EVENTS["p_nn"], KeyError, 'no column "p_nn"; did you mean "p_n"'),
    (lambda: EVENTS.unit("spam"), KeyError, 'no column "spam"'),
    (lambda: EVENTS.energy_lots, AttributeError, 'did you mean "energy_lost"'),
    (lambda: EVENTS[0].energy_lots, AttributeError, 'did you mean "energy_lost"'),
    (lambda: EVENTS[2], IndexError, "row 2 of a ledger with 2 rows"),
])
def test_what_is_not_there_is_said(make, error, message):
    with pytest.raises(error, match=message):
        make()


# a blow once more


@pytest.mark.parametrize("d", [2, 3])
def test_a_replayed_blow_is_the_same_to_the_last_bit(d):
    hits, ledger = blows(d=d)
    for hit, row in zip(hits, ledger, strict=True):
        again = row.replay()
        assert np.array_equal(again.impulse, hit.impulse)
        assert (again.kind, again.energy_lost) == (hit.kind, hit.energy_lost)
        assert np.array_equal(again.path.impulse[-1], hit.path.impulse[-1])


def test_a_blow_of_an_end_stop_is_replayed_without_tangents():
    A, v = np.zeros((1, 2, 2)), np.zeros((1, 2))
    A[0, 0, 0], v[0, 0] = 2.0, -3.0
    hit = Ledger({"A": A, "v_before": v, "law": ["Newton"], "e": [0.5], "mu": [0.0]})[0].replay()
    assert hit.impulse == pytest.approx([1.5 * 3.0 / 2.0, 0.0], rel=1e-15)  # (1 + e) |v_n| / A_nn


def test_what_has_no_path_is_not_replayed():
    _, ledger = blows()
    columns = {name: ledger[name] for name in ledger.columns}
    with pytest.raises(RouthError, match=r'"blow1" at t = 0\.2 s was resolved together with others'):
        Ledger(columns | {"method": ["simultaneous"] * 5})[1].replay()
    with pytest.raises(RouthError, match=r'"blow0" at t = 0\.1 s followed no impact law'):
        Ledger(columns | {"law": [""] * 5})[0].replay()
    with pytest.raises(RouthError, match='no column "A"'):
        EVENTS[0].replay()


# files


@pytest.mark.parametrize(("space", "d"), [("planar", 2), ("spatial", 3)])
def test_saved_ledgers_are_read_back_bit_for_bit(tmp_path, space, d):
    _, ledger = blows(d=d)
    shares = {"bounce": {"impacts": -2.0 / 3.0, "friction": -0.1}, "slide é": {"impacts": 0.0, "friction": -1e-300}}
    again = rt.load(run(ledger, EVENTS, shares, space).save(tmp_path / "run.nc"))
    assert same(again.impacts, ledger)
    assert same(again.events, EVENTS)
    assert again.energy.by_contact == shares
    assert np.array_equal(again.impacts[0].replay().impulse, ledger[0].impulse)


def test_a_run_without_impacts_has_empty_ledgers(tmp_path):
    result = run(impacts=no_impacts("planar", ["pin"]))
    again = rt.load(result.save(tmp_path / "run.nc"))
    assert same(again.impacts, result.impacts)
    assert again.impacts["pin.impulse"].shape == (0, 2)
    assert same(again.events, no_events())
    assert len(run().impacts) == len(run().events) == 0
    assert run(space="spatial").impacts.A.shape == (0, 3, 3)


def test_other_programs_find_the_ledger_as_a_group(tmp_path):
    _, ledger = blows()
    with xr.open_dataset(run(ledger).save(tmp_path / "run.nc"), group="impacts", engine="h5netcdf") as data:
        assert np.array_equal(data["p_n"], ledger.p_n)
        assert data["p_n"].attrs["units"] == "N s"
        assert list(data["contact"].values) == list(ledger.contact)


@pytest.mark.parametrize("damage", ["column", "list", "length"])
def test_a_damaged_ledger_is_refused(tmp_path, damage):
    path = run(blows()[1]).save(tmp_path / "run.nc")
    with h5py.File(path, "r+") as file:
        if damage == "column":
            del file["impacts/p_n"]
        elif damage == "list":
            del file["impacts/columns"]
        else:
            del file["impacts/p_n"]
            file["impacts/p_n"] = [1.0]
    with pytest.raises(RouthError, match=r"run\.nc: a damaged Routh result"):
        rt.load(sealed(path))


# the energy account


def test_the_account_names_every_work_and_what_is_missing():
    shares = {"bounce": {"impacts": -1.5, "friction": -1.0}, "wall": {"impacts": -0.5, "friction": 0.0}}
    lines = [line.split() for line in run(by_contact=shares).energy.account().splitlines()]
    assert lines[1] == ["start", "10"]
    assert ["friction", "-1"] in lines
    assert ["impacts", "-2"] in lines
    assert lines.count(["bounce", "-1"]) == lines.count(["bounce", "-1.5"]) == lines.count(["wall", "-0.5"]) == 1
    assert ["wall", "0"] not in lines
    assert lines[-2] == ["end", "7"]
    assert lines[-1] == ["missing", "-1e-09", "1.0e-10", "of", "10", "J"]


def test_an_account_of_nothing_says_so():
    nothing = np.zeros(0)
    assert Energy(nothing, nothing, np.zeros((0, 5))).account() == "energy account: no samples"
    assert "missing" in Energy(np.zeros(1), np.zeros(1), np.zeros((1, 5))).account()


def test_the_frame_of_a_row_turns_its_impulse_into_world_axes():
    """A ball against a slanted floor, both ways round: what the ledger says is what the ball got."""
    floor = rt.shapes.HalfSpace("ground", normal=(0.3, -0.2, 1.0))
    ball = rt.shapes.Sphere("ball", 0.1)
    for first, second, sign in ((floor, ball, 1.0), (ball, floor, -1.0)):
        model = rt.Model("spatial", gravity=(0.0, 0.0, -9.81), bodies=[rt.Body("ball", 0.5, (0.002, 0.002, 0.002))],
                         contacts=[rt.Contact("hit", first, second, rt.Poisson(0.6, 0.3))])
        start = rt.State(ball={"z": 0.5, "vx": 0.7, "vy": -0.4, "omega": (3.0, 5.0, -2.0)})
        result = rt.simulate(model, start, t_end=0.4)
        row = result.impacts[0]
        before, after = (result.at(row.t, side=side) for side in ("left", "right"))
        gain = 0.5 * np.array([after[f"ball.{k}"] - before[f"ball.{k}"] for k in ("vx", "vy", "vz")])
        assert sign * row.impulse @ row.frame == pytest.approx(gain, abs=1e-12)
        assert row.frame @ row.frame.T == pytest.approx(np.eye(3), abs=1e-12)
        assert row.frame[0] == pytest.approx(row.normal)


def test_a_scheduled_moment_is_in_the_ledger():
    model = rt.Model("planar", [rt.Body("disk", 1.0, 0.2)], impulses=[rt.impulses.AngularImpulse("kick", "disk", 0.1, 0.7)])
    row = rt.simulate(model, rt.State(), t_end=0.2).impacts[0]
    assert row.moment == 0.7
    assert row.frame == pytest.approx(np.eye(2))
    assert rt.simulate(model, rt.State(), t_end=0.2)["disk.omega"][-1] == pytest.approx(3.5)


def test_an_impact_without_friction_is_replayed_with_its_slip():
    rod = rt.shapes.Capsule("rod", (-0.5, 0.0), (0.5, 0.0), 0.0)
    model = rt.Model("planar", [rt.Body("rod", 1.0, 1.0 / 12.0)], gravity=(0.0, -9.81),
                     contacts=[rt.Contact("tip", rt.shapes.HalfSpace("ground", (0.0, 1.0)), rod, rt.Poisson(0.5, 0.0))])
    row = rt.simulate(model, rt.State(rod={"y": 0.8, "theta": 0.7, "vx": 1.0}), 0.5).impacts[0]
    again = row.replay()
    assert again.velocity == pytest.approx(row.v_after, rel=1e-12)
    assert again.impulse == pytest.approx(row.impulse, rel=1e-12)
    assert again.energy_lost == pytest.approx(row.energy_lost, rel=1e-12)


def test_stops_of_angles_take_moments_and_scheduled_impulses_have_a_size():
    bar = rt.Model("planar", [rt.Body("bar", 1.0, 0.1)], gravity=(0.0, -9.81),
                   joints=[rt.joints.Revolute("pin", "ground", "bar", point_b=(0.0, 0.5))],
                   contacts=[rt.Stop("stop", "pin.angle", lower=-0.2, e=0.5)],
                   impulses=[rt.impulses.Impulse("kick", "bar", at=0.01, impulse=(0.3, -0.4)),
                             rt.impulses.AngularImpulse("twist", "bar", at=0.02, impulse=0.1)])
    result = rt.simulate(bar, rt.State(pin={"angle": 1.0}), 0.8)
    kick, twist, stop = result.impacts[0], result.impacts[1], result.impacts[2]
    assert (kick.p_n, kick.p_t, kick.impulse_unit) == (0.5, 0.0, "N s")
    assert kick.normal == pytest.approx((0.6, -0.8))
    assert (twist.p_n, twist.moment) == (0.0, 0.1)
    assert (stop.impulse_unit, stop.class_) == ("N m s", "no tangent")
    # about the pin: 0.1 + 1 * 0.5² = 0.35 kg m², turned round with e = 0.5
    assert stop.p_n == pytest.approx(0.35 * 1.5 * -stop.v_before[0], rel=1e-9)
    assert list(result.events["p_n"][:2]) == [0.5, 0.0]
    slide = rt.Model("planar", bar.bodies, [rt.joints.Prismatic("pin", "ground", "bar", axis=(0.0, 1.0))],
                     gravity=(0.0, -9.81), contacts=[rt.Stop("stop", "pin.shift", lower=-0.2, e=0.5)])
    assert rt.simulate(slide, None, 0.3).impacts[0].impulse_unit == "N s"


def test_events_name_the_corner():
    block = rt.shapes.Polygon("block", vertices=((-0.1, -0.05), (0.1, -0.05), (0.1, 0.05), (-0.1, 0.05)))
    floor = rt.shapes.HalfSpace("ground", normal=(0.0, 1.0))
    for a, b in ((floor, block), (block, floor)):
        model = rt.Model("planar", [rt.Body("block", 1.0, 0.01)], gravity=(0.0, -9.81),
                         contacts=[rt.Contact("floor", a, b, law=rt.Newton(e=0.0, mu=0.5))])
        result = rt.simulate(model, rt.State(block={"y": 0.3, "theta": 0.2}), t_end=0.5)
        first = next(event for event in result.events if event.kind == "impact")
        assert first.text.endswith("corner (-0.1, -0.05) of block")
