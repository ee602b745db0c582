"""What the browser is given: samples that keep their jumps, numbers that fit, names that are only names."""

import base64
import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import routh as rt
from made_results import HOSTILE, made
from routh import joints, shapes, view
from routh.errors import RouthError
from routh.sim.declaration import declaration_of
from routh.view.bundle import bundle, three_path
from routh.view.document import document_of, packed, thinned
from routh.view.scene import scene_of


def numbers(data):
    return np.frombuffer(base64.b64decode(data["data"]), f"<{data['type']}").reshape(data["shape"])


@given(n=st.integers(2, 4000), most=st.integers(60, 500), seed=st.integers(0, 99))
def test_thinning_keeps_the_ends_and_both_sides_of_jumps(n, most, seed):
    rng = np.random.default_rng(seed)
    t = np.cumsum(rng.uniform(0.1, 1.0, n))
    jumps = np.unique(rng.integers(0, n, rng.integers(0, most // 8)))
    t = np.sort(np.concatenate([t, t[jumps]]))
    keep = thinned(t, most)
    assert keep[0] == 0
    assert t[keep[-1]] == t[-1]
    assert np.all(np.diff(keep) > 0)
    pairs = np.flatnonzero(np.diff(t) == 0.0)
    assert set(pairs) | set(pairs + 1) <= set(keep)


def test_thinning_bounds_the_samples_even_if_every_sample_jumps():
    assert len(thinned(np.repeat(np.arange(5000.0), 2), 400)) <= 400


@pytest.mark.parametrize("kind", ["f4", "f8"])
def test_packed_numbers_come_back(kind):
    values = np.array([[1.0, -2.5, np.inf], [np.nan, 0.0, 1e300]])
    back = numbers(packed(values, kind))
    with np.errstate(over="ignore"):  # 1e300 is infinite in single precision, for the picture too
        assert back == pytest.approx(values.astype(f"<{kind}"), nan_ok=True)


def test_a_document_is_json_without_numbers_that_json_lacks():
    result = made()
    result["b0.vx"][3] = np.nan
    json.dumps(document_of(result), allow_nan=False)


def test_numbers_that_json_lacks_in_a_strange_file_do_not_break_the_page(tmp_path):
    result = made()
    result.declaration["model"]["gravity"] = [np.nan, np.inf]
    result.report(tmp_path / "x.html")


def test_a_document_holds_the_channels_and_poses_of_the_result():
    result = made(n_body=2)
    document = document_of(result)
    names = [channel["name"] for channel in document["channels"]]
    values = numbers(document["values"])
    assert document["left_out"] == 0
    assert values[names.index("b1.x")] == pytest.approx(result["b1.x"], abs=1e-7)
    poses = numbers(document["scene"]["poses"]).reshape(len(result.t), 2, 7)
    assert poses[:, 1, 1] == pytest.approx(result["b1.y"], abs=1e-7)
    assert 2.0 * np.arctan2(poses[:, 1, 6], poses[:, 1, 3]) == pytest.approx(result["b1.theta"], abs=1e-6)


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_a_document_of_many_bodies_keeps_within_its_budget_and_says_what_it_left_out(space):
    result = made(n_body=54, n=2000, space=space)
    document = document_of(result)
    size = len(json.dumps(document))
    assert size < 4.0e6
    assert document["left_out"] > 0
    kept = {channel["name"] for channel in document["channels"]}
    assert {"energy.total", "b0.x", "b0.vx"} <= kept


def test_an_unknown_channel_is_refused_with_the_near_names(tmp_path):
    with pytest.raises(RouthError, match=r'did you mean "b0\.vx"'):
        made().report(tmp_path / "x.html", plots=[["b0.vxx"]])


def test_a_result_that_does_not_say_what_was_run_has_no_scene():
    result = made()
    result.declaration = {}
    with pytest.raises(RouthError, match="does not say what was run"):
        scene_of(result)


@pytest.mark.parametrize(
    "damage",
    [{"bodies": 3}, {"bodies": [{"name": "none"}]}, {"contacts": [{"a": {"kind": "Blob", "body": "b0"}}]}, {"joints": None}],
)
def test_a_damaged_declaration_is_refused(damage):
    result = made()
    result.declaration["model"] = {**result.declaration["model"], **damage}
    with pytest.raises(RouthError, match="damaged"):
        scene_of(result)


def test_a_run_that_went_astray_is_still_drawn():
    result = made()
    result["b0.x"][50:] = np.nan
    scene = scene_of(result)
    assert np.isfinite(scene.low).all()
    ET.fromstring(view.picture(result))


def test_a_report_that_cannot_be_written_says_so(tmp_path):
    with pytest.raises(RouthError, match="cannot be written"):
        made().report(tmp_path / "no" / "folder.html")


def test_the_suffix_is_added(tmp_path):
    assert made().report(tmp_path / "run").name == "run.html"


@pytest.mark.parametrize("vary", [{}, {"e": []}, {"e": range(30), "mu": range(30)}])
def test_a_grid_needs_a_sensible_number_of_runs(vary, tmp_path):
    with pytest.raises(RouthError, match="vary at least one parameter"):
        view.report_grid(tmp_path / "x.html", lambda **_: made(), vary)


def test_names_cannot_leave_their_place_in_the_page(tmp_path):
    page = made(name=HOSTILE).report(tmp_path / "x.html").read_text()
    assert "<script>alert" not in page
    assert page.count("</script>") == 2


def test_the_scripts_of_a_report_export_what_they_import():
    script = bundle()
    assert "import {" not in script.split("m_run")[-1]
    assert "m_report.open(three)" in script


def test_without_nicegui_the_report_says_what_to_install(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(RouthError, match=r"pip install 'routh\[app\]'"):
        three_path()


def test_a_picture_is_well_formed_and_names_are_only_text():
    svg = ET.fromstring(view.picture(made(name=HOSTILE)))
    assert HOSTILE in svg.get("aria-label")
    assert len(svg) > 3


def test_a_picture_in_space_shows_every_shape():
    floor = shapes.HalfSpace("ground", normal=(0.0, 0.0, 1.0))
    solids = [
        shapes.Sphere("b0", 0.1),
        shapes.Box("b0", (0.1, 0.2, 0.3)),
        shapes.Cylinder("b0", 0.1, 0.3, (1.0, 0.0, 0.0)),
        shapes.Hull("b0", ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))),
    ]
    result = made(space="spatial")
    model = rt.Model(
        space="spatial",
        bodies=[rt.Body("b0", 1.0, (1.0, 1.0, 1.0))],
        contacts=[rt.Contact(f"c{i}", floor, s, law=rt.Newton(e=0.5, mu=0.0)) for i, s in enumerate(solids)],
    )
    result.declaration = declaration_of(model, rt.Options())
    svg = ET.fromstring(view.picture(result, times=[0.0]))
    assert len(svg) == 1 + 1 + len(solids)  # the floor, the path, the solids


def test_rods_ropes_and_springs_are_links():
    model = rt.Model(
        space="planar",
        bodies=[rt.Body("b0", 1.0, 1.0), rt.Body("b1", 1.0, 1.0)],
        joints=[joints.Rod("rod", "ground", "b0", point_a=(0.0, 1.0), length=1.0)],
        forces=[rt.forces.SpringDamper("spring", a="b0", b="b1", stiffness=1.0, free_length=0.1)],
        contacts=[rt.Rope("rope", "b0", "b1", length=2.0, e=0.0)],
    )
    result = made(n_body=2)
    result.declaration = declaration_of(model, rt.Options())
    links = {link["name"]: (link["kind"], link["a"], link["b"]) for link in scene_of(result).links}
    assert links == {"rod": ("rod", 2, 0), "spring": ("spring", 0, 1), "rope": ("rope", 0, 1)}


def looks(*, shape=None, pin=(0.0, 1.0), inertia=1.0):
    """The parts of a body on a pin, with a shape or none; its pin and the fields that show turns are left out."""
    contacts = [rt.Contact("c", shapes.HalfSpace("ground", normal=(0.0, 1.0)), shape, law=rt.Newton(0.5, 0.0))] if shape else []
    model = rt.Model(
        space="planar",
        bodies=[rt.Body("b0", 1.0, inertia)],
        joints=[joints.Revolute("pin", "ground", "b0", point_b=pin)],
        contacts=contacts,
    )
    result = made()
    result.declaration = declaration_of(model, rt.Options())
    parts = scene_of(result).parts[0]
    return [np.array(part["points"])[:, :2] for part in parts if part["kind"] == "polygon" and not part.get("lift")]


def covers(outline, point):
    from matplotlib.path import Path as Outline

    return Outline(outline).contains_point(point)


def test_a_body_on_a_pin_alone_is_a_rod_through_its_mass_centre():
    (rod,) = looks(inertia=1.0 / 3.0)
    assert all(covers(rod, p) for p in ((0.0, 1.0), (0.0, 0.0), (0.0, -1.0)))
    assert np.ptp(rod[:, 0]) < 0.3


def test_a_body_with_its_mass_at_one_place_is_a_bob_on_a_link():
    link, bob = looks(inertia=1e-3)
    assert covers(link, (0.0, 0.9))
    assert not covers(link, (0.0, -0.5))
    assert bob.mean(axis=0) == pytest.approx((0.0, 0.0), abs=1e-12)


def test_a_shape_that_holds_the_pin_gets_no_link():
    assert len(looks(shape=shapes.Polygon("b0", ((-2.0, -2.0), (2.0, -2.0), (2.0, 2.0), (-2.0, 2.0))))) == 1


def test_a_shape_apart_from_the_pin_is_joined_to_it():
    shape, link = looks(shape=shapes.Polygon("b0", ((-0.1, -1.1), (0.1, -1.1), (0.1, -0.9), (-0.1, -0.9))))
    assert shape.min(axis=0) == pytest.approx((-0.1, -1.1))
    assert all(covers(link, p) for p in ((0.0, 1.0), (0.0, 0.0), (0.0, -0.95)))


def test_a_sharp_tip_is_joined_to_the_pin():
    (link,) = looks(shape=shapes.Disk("b0", 0.0, point=(0.0, -1.0)))
    assert all(covers(link, p) for p in ((0.0, 1.0), (0.0, -1.0)))
