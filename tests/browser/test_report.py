"""The report in a real browser: it opens from disk, plays, jumps, keeps to itself, and runs nothing that a name smuggles in."""

import json
import re

import numpy as np
import pytest

import routh as rt
from routh import joints, shapes, view

HOSTILE = '"><img src=x onerror="window.hacked=1"></script><script>window.hacked=1</script>{data}'


def ball(e=0.8, mu=0.3, name="ball_on_floor", contact="bounce"):
    disk, floor = shapes.Disk("ball", radius=0.03), shapes.HalfSpace("ground", normal=(0.0, 1.0))
    return rt.Model(
        name=name,
        space="planar",
        gravity=(0.0, -9.81),
        bodies=[rt.Body("ball", mass=0.16, inertia=5.8e-5)],
        contacts=[rt.Contact(contact, disk, floor, law=rt.Stronge(e=e, mu=mu))],
    )


def drop(model=None, t_end=2.0, **law):
    return rt.simulate(model or ball(**law), rt.State(ball={"y": 1.03, "vx": 0.5, "omega": -40.0}), t_end=t_end)


@pytest.fixture(scope="module")
def dropped():
    return drop()


@pytest.fixture(scope="module")
def file(dropped, tmp_path_factory):
    return dropped.report(tmp_path_factory.mktemp("report") / "run.html")


@pytest.fixture
def watched(open_page, file):
    return open_page(file)


def time_of(page):
    return float(page.get_attribute("#viewer", "data-time"))


def stage(page):
    return page.locator(".stage").screenshot()


def test_it_opens_from_disk_without_any_other_request(watched, file):
    watched.page.wait_for_timeout(500)
    watched.shot("report")
    assert watched.requests == [file.as_uri()]
    assert watched.page.title() == "ball_on_floor"
    assert "finished; 0 to 2 s" in watched.page.inner_text("header")


def test_the_policy_of_the_page_lets_nothing_in_and_nothing_out(file):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', file.read_text())[1]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


def test_an_outside_request_is_refused_by_the_page(open_page, file):
    watched = open_page(file, errors_allowed=True)
    assert watched.page.evaluate("fetch('http://127.0.0.1:9/').then(() => 'sent', () => 'refused')") == "refused"
    assert any("Content Security Policy" in error for error in watched.errors)


def test_the_slider_moves_scene_and_cursor(watched):
    page = watched.page
    before, cursor = stage(page), page.get_attribute(".cursor", "style")
    page.fill("input[aria-label=time]", "0.3")
    assert time_of(page) == pytest.approx(0.3)
    assert stage(page) != before
    assert page.get_attribute(".cursor", "style") != cursor


def test_the_cursor_reads_the_value_of_the_channel(watched, dropped):
    watched.page.fill("input[aria-label=time]", "0.3")
    shown = watched.page.inner_text(".legend .key:has-text('ball.y')")
    assert float(re.search(r"ball\.y ([\d.]+) m", shown)[1]) == pytest.approx(
        np.interp(0.3, dropped.t, dropped["ball.y"]), rel=1e-3
    )


def test_play_advances_time_and_stops_at_the_end(watched):
    page = watched.page
    page.select_option("select[aria-label=speed]", "5")
    page.click("button[aria-label=play]")
    watched.until(lambda page: time_of(page) == 2.0)
    page.wait_for_selector("button[aria-label=play]")


def test_a_row_of_the_ledger_jumps_there_and_shows_the_blow(watched, dropped):
    page = watched.page
    page.click(".ledger tbody tr:nth-child(2)")
    row = dropped.impacts[1]
    assert time_of(page) == pytest.approx(row.t, abs=1e-9)
    assert row["class"] in page.inner_text(".blowhost h3")
    drawn = page.get_attribute("svg.blow path.way", "d")
    assert drawn.count("L") == len(row.replay().path) - 1
    watched.shot("report_blow")


def test_a_row_is_chosen_by_keyboard_too(watched, dropped):
    page = watched.page
    page.focus(".ledger tbody tr:nth-child(3)")
    page.keyboard.press("Enter")
    assert time_of(page) == pytest.approx(dropped.impacts[2].t, abs=1e-9)


def test_keys_play_step_and_jump(watched, dropped):
    page = watched.page
    page.focus("canvas.plot")
    page.keyboard.press(".")
    assert time_of(page) == pytest.approx(dropped.impacts[0].t, abs=1e-9)
    page.keyboard.press("End")
    assert time_of(page) == pytest.approx(2.0)
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    page.wait_for_selector("button[aria-label=pause]")


def test_pointing_into_a_plot_seeks(watched):
    page = watched.page
    box = page.locator("canvas.plot").first.bounding_box()
    page.mouse.click(box["x"] + box["width"] - 11, box["y"] + 60)
    assert time_of(page) == pytest.approx(2.0, abs=0.01)


def test_a_channel_is_added_by_name_and_an_unknown_one_is_refused(watched):
    page = watched.page
    count = page.locator("canvas.plot").count()
    page.fill("input[aria-label='channel to plot']", "bounce.gap")
    page.keyboard.press("Enter")
    assert page.locator("canvas.plot").count() == count + 1
    page.fill("input[aria-label='channel to plot']", "bounce.gab")
    page.keyboard.press("Enter")
    assert 'no channel "bounce.gab"' in page.inner_text("[aria-label=plots] .note")


def test_the_energy_account_is_that_of_the_result(watched, dropped):
    text = watched.page.inner_text(".account").replace("−", "-")
    for name, value in dropped.energy.lines():
        if name.strip() in ("start", "end", "impacts"):
            assert float(re.search(rf"{name.strip()}\s+([-\d.e]+)", text)[1]) == pytest.approx(value, rel=1e-5)


def test_hostile_names_are_only_text(open_page, tmp_path):
    result = drop(ball(name=HOSTILE, contact='"><script>window["hacked"]=1'))
    watched = open_page(result.report(tmp_path / "hostile.html"))
    watched.page.click(".ledger tbody tr")
    watched.page.wait_for_timeout(300)
    assert watched.page.evaluate("window.hacked") is None
    assert watched.page.inner_text("h1") == HOSTILE
    assert watched.page.locator("img").count() == 0
    assert len(watched.requests) == 1


def test_light_and_dark_follow_the_browser_and_the_button(open_page, file):
    watched = open_page(file, dark=True)
    background = "getComputedStyle(document.querySelector('#report')).backgroundColor"
    dark = watched.page.evaluate(background)
    watched.shot("report_dark")
    watched.page.click(".theme")
    assert watched.page.evaluate(background) != dark


def test_it_fits_a_phone(open_page, file):
    watched = open_page(file, width=390, height=800)
    watched.shot("report_phone")
    assert watched.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_without_webgl_plots_and_tables_still_work(open_page, file):
    block = """const own = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
            return kind.startsWith("webgl") ? null : own.call(this, kind, ...rest);
        };"""
    watched = open_page(file, before=block, errors_allowed=True)
    assert "needs WebGL" in watched.page.inner_text(".stage")
    watched.page.click(".ledger tbody tr")
    assert watched.page.locator("svg.blow").count() == 1


def test_sliders_choose_among_runs_computed_beforehand(open_page, tmp_path):
    path = view.report_grid(
        tmp_path / "grid.html", lambda e, mu: drop(e=e, mu=mu, t_end=1.0), {"e": [0.2, 0.9], "mu": [0.0, 0.3]}
    )
    watched = open_page(path)
    page = watched.page
    page.fill("input[aria-label=time]", "0.8")
    low = page.inner_text(".legend .key:has-text('ball.y')")
    page.fill("input[aria-label=e]", "1")
    assert page.inner_text(".grid label:has-text('e =') output") == "0.9"
    assert page.inner_text(".legend .key:has-text('ball.y')") != low
    assert time_of(page) == pytest.approx(0.8)
    watched.shot("report_grid")


def spatial_pair():
    """Two spheres that collide off centre with spin, on a floor."""
    spheres = [shapes.Sphere(name, radius=0.1) for name in ("one", "two")]
    floor = shapes.HalfSpace("ground", normal=(0.0, 0.0, 1.0))
    law = rt.Poisson(e=0.6, mu=0.3)
    model = rt.Model(
        name="two_spheres",
        space="spatial",
        gravity=(0.0, 0.0, -9.81),
        bodies=[rt.Body(name, 1.0, (4e-3,) * 3) for name in ("one", "two")],
        contacts=[rt.Contact("click", *spheres, law=law), *(rt.Contact(f"floor_{s.body}", floor, s, law=law) for s in spheres)],
    )
    start = rt.State(one={"x": -0.5, "y": 0.05, "z": 0.3, "vx": 2.0, "omega": (3.0, 20.0, 5.0)}, two={"x": 0.2, "z": 0.35})
    return rt.simulate(model, start, t_end=1.0)


def test_a_blow_in_space_shows_its_slip_path(open_page, tmp_path):
    result = spatial_pair()
    watched = open_page(result.report(tmp_path / "space.html"))
    watched.page.click(".ledger tbody tr:has-text('click')")
    assert "second tangent" in watched.page.text_content("svg.blow")
    watched.shot("report_space")


def test_the_vehicle_of_54_bodies_moves_at_fifteen_frames_a_second_from_a_file_below_five_megabytes(open_page, tmp_path):
    from routh.gallery import shin

    path = shin.run(10.0).report(tmp_path / "vehicle.html")
    assert path.stat().st_size < 5e6
    watched = open_page(path)
    page = watched.page
    page.wait_for_timeout(500)
    page.select_option("select[aria-label=speed]", "0.5")
    page.click("button[aria-label=play]")
    rates = [frames_a_second(page) for _ in range(5)]  # other tests may run beside this one: the best second counts
    watched.shot("report_vehicle")
    print(f"54 bodies: {max(rates):.0f} frames a second, {path.stat().st_size / 1e6:.2f} MB")
    assert max(rates) >= 15.0


def frames_a_second(page):
    return page.evaluate("""async () => {
        const scene = document.querySelector("#viewer").viewer.scene, first = scene.frames, began = performance.now();
        await new Promise((resolve) => setTimeout(resolve, 1000));
        return 1000 * (scene.frames - first) / (performance.now() - began);
    }""")


def test_joints_show_their_reactions_and_plot_them(open_page, tmp_path):
    rod = rt.Model(
        name="rod",
        space="planar",
        gravity=(0.0, -9.81),
        bodies=[rt.Body("rod", 1.0, 0.1)],
        joints=[joints.Revolute("pin", "ground", "rod", point_b=(0.0, 0.5))],
    )
    result = rt.simulate(rod, rt.State(pin={"angle": 1.0}), t_end=1.0)
    watched = open_page(result.report(tmp_path / "rod.html"))
    peak = np.linalg.norm(result["pin.reaction"], axis=1).max()
    assert f"{peak:.4g}" in watched.page.inner_text("[aria-label='Joint reactions']")
    watched.page.click("button[title='plot this reaction']")
    assert "pin.reaction x" in watched.page.inner_text(".plots")


def test_a_saved_run_reports_like_a_fresh_one(dropped, tmp_path):
    again = rt.load(dropped.save(tmp_path / "run.nc"))
    pages = [
        re.search(r'type="application/json">(.*?)</script>', r.report(tmp_path / "x.html").read_text(), flags=re.S)[1]
        for r in (dropped, again)
    ]
    assert json.loads(pages[0]) == json.loads(pages[1])
