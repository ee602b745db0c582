"""The page of a study in a real browser: a click on a point shows its run, a drag selects points."""

import numpy as np
import pytest

import routh as rt
from routh import shapes
from routh.errors import ModelError, RouthError
from routh.study import ImpactCase, Study

ES = np.linspace(0.3, 0.9, 13)


def study(es=ES):
    disk, floor = shapes.Disk("ball", radius=0.03), shapes.HalfSpace("ground", normal=(0.0, 1.0))
    model = rt.Model(name="<b>bounces</b>", space="planar", gravity=(0.0, -9.81),
                     bodies=[rt.Body("ball", mass=0.16, inertia=5.8e-5)],
                     contacts=[rt.Contact("bounce", disk, floor, law=rt.Stronge(e=0.8, mu=0.3))])
    start = rt.State(ball={"y": 1.03, "vx": 0.5, "omega": -40.0})
    record = {"loss": "sum(impacts.energy_lost)", "n": "count(impacts)"}
    return Study(model, start, 1.2, vary={"bounce.law.e": es}, record=record)


@pytest.fixture(scope="module")
def table():
    return study().run()


@pytest.fixture(scope="module")
def file(table, tmp_path_factory):
    return study().report(table, tmp_path_factory.mktemp("study") / "page", runs=7)


def place_of(page, table, i):
    """Where point i is drawn: e across and loss up, each with the room that `range` in plots.js gives."""
    box = page.locator("canvas.points").bounding_box()
    spot = []
    for name, low, size, way in (("bounce.law.e", 62.0, box["width"] - 74.0, 1.0),
                                 ("loss", box["height"] - 40.0, box["height"] - 50.0, -1.0)):
        values = table[name]
        room = 0.06 * np.ptp(values)
        spot.append(low + way * size * (values[i] - values.min() + room) / (np.ptp(values) + 2.0 * room))
    return box["x"] + spot[0], box["y"] + spot[1]


def panel(page, key):
    return int(page.get_attribute(".study", f"data-{key}"))


def test_a_click_on_a_point_shows_its_run(open_page, file, table):
    watched = open_page(file)
    page = watched.page
    assert watched.requests == [file.as_uri()]
    assert page.title() == "<b>bounces</b>"
    assert panel(page, "point") == 0
    before = page.locator(".stage").screenshot()
    page.mouse.click(*place_of(page, table, 12))
    assert panel(page, "point") == panel(page, "run") == 12
    assert f"{int(table['n'][12])} impact" in page.inner_text("header")
    assert "bounce.law.e = 0.9" in page.inner_text(".study p.note")
    page.fill("input[aria-label=time]", "1.0")
    assert page.locator(".stage").screenshot() != before
    watched.shot("study")


def test_a_point_without_a_run_says_which_one_is_shown(open_page, file, table):
    page = open_page(file).page
    page.mouse.click(*place_of(page, table, 5))
    assert panel(page, "point") == 5
    assert panel(page, "run") in (4, 6)
    assert f"shown is that of point {panel(page, 'run')}" in page.inner_text(".study p.note")
    page.locator("canvas.points").press("ArrowRight")
    assert panel(page, "point") == panel(page, "run")


def test_a_drag_selects_points_and_tells_their_ranges(open_page, file, table):
    page = open_page(file).page
    (x0, y0), (x1, y1) = place_of(page, table, 9), place_of(page, table, 11)
    page.mouse.move(min(x0, x1) - 8, min(y0, y1) - 8)
    page.mouse.down()
    page.mouse.move(max(x0, x1) + 8, max(y0, y1) + 8, steps=4)
    page.mouse.up()
    assert panel(page, "selected") == 3
    assert "3 of 13 points selected: bounce.law.e 0.75 to 0.85" in page.inner_text(".study p.note")
    page.select_option("select[aria-label=up]", label="n")
    assert panel(page, "selected") == 0


def test_the_page_fits_a_phone_and_the_dark(open_page, file):
    watched = open_page(file)
    watched.page.set_viewport_size({"width": 390, "height": 844})
    watched.page.click("button.theme")
    watched.page.wait_for_timeout(300)
    assert watched.page.evaluate("document.documentElement.scrollWidth") <= 390
    watched.shot("study_phone_dark")


@pytest.mark.parametrize(("choices", "message"), [
    ({"runs": 0}, "holds 1 to"), ({"runs": [99]}, "below 13"), ({"runs": [-1]}, "numbers of points"),
])
def test_pages_that_make_no_sense_are_refused(table, tmp_path, choices, message):
    with pytest.raises(RouthError, match=message):
        study().report(table, tmp_path / "p.html", **choices)
    with pytest.raises(RouthError, match="give the table of its own run"):
        study(ES[:5]).report(table, tmp_path / "p.html")
    with pytest.raises(ModelError, match="no runs to show"):
        Study(ImpactCase(np.eye(2), rt.Newton(0.5, 0.1)), vary={"law.e": [0.1]}).report(table, tmp_path / "p.html")
    assert not list(tmp_path.iterdir())
