"""The app in a real browser: sliders that run again, uploads good and bad, the impact laboratory, and who may connect."""

import http.client
import re
import socket
from urllib.parse import urlsplit

import pytest

import routh as rt
from routh.files.modelfile import format_model
from routh.gallery.scenes import scene

HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
OPENED = "document.querySelector('[data-shown]')?.dataset.shown"


def bench(open_page, address, **look):
    """A bench that shows its first run."""
    watched = open_page(address, **look)
    watched.page.wait_for_selector("[data-shown]")
    return watched


def turn(page, label, keys):
    """Move a slider by keys, as a user without a mouse does; wait for the picture of its last value."""
    press(page, label, keys)
    knob = page.locator(f".knob:has-text('{label}')").element_handle()
    page.wait_for_function("(knob) => Number(knob.dataset.ran) === Number(knob.querySelector('input').value)", arg=knob)


def press(page, label, keys):
    page.focus(f".knob:has-text('{label}') input")
    for key in keys:
        page.keyboard.press(key)


def upload(page, name, content):
    """Drop a file once the page is connected: its first sample stands in the editor."""
    page.wait_for_function("document.querySelector('.cm-content')?.textContent.includes('format = 1')")
    page.set_input_files("input[type=file]", {"name": name, "mimeType": "text/plain", "buffer": content})


def test_the_gallery_leads_to_every_scene(open_page, app_address):
    from routh.gallery.scenes import SCENES

    watched = open_page(app_address)
    links = watched.page.eval_on_selector_all(".gallery a", "all => all.map((a) => a.getAttribute('href'))")
    assert links[0] != "/scene/simple_pendulum"  # the striking ones come first
    assert sorted(links) == sorted(["/vehicle", *(f"/scene/{name}" for name in SCENES)])
    assert watched.page.locator(".gallery a img").count() == len(SCENES) + 1
    loaded = "[...document.querySelectorAll('.gallery img')].slice(0, 5).every((i) => i.complete && i.naturalWidth === 320)"
    watched.page.wait_for_function(loaded)
    watched.shot("app_gallery")
    assert all(urlsplit(url).hostname == "127.0.0.1" for url in watched.requests)


def test_another_restitution_is_another_trajectory(open_page, app_address):
    watched = bench(open_page, f"{app_address}/scene/park_ball")
    page = watched.page
    ledger = page.inner_text(".ledger")
    turn(page, "bounce: restitution e", ["ArrowLeft"] * 5)
    assert page.inner_text(".ledger") != ledger
    assert all(urlsplit(url).hostname == "127.0.0.1" for url in watched.requests)
    watched.shot("app_ball")


def test_the_ledger_in_the_app_is_that_of_the_library(open_page, app_address):
    page = bench(open_page, f"{app_address}/scene/park_ball").page
    turn(page, "bounce: restitution e", ["ArrowRight"])
    e = float(re.search(r"restitution e\s+([\d.]+)", page.inner_text(".side"))[1])
    file = scene("park_ball")
    direct = rt.simulate(file.model.replace({"bounce.law.e": e}), file.start, t_end=5.0)
    times = page.eval_on_selector_all(".ledger tbody tr", "rows => rows.map((row) => Number(row.cells[0].textContent))")
    assert times == pytest.approx(direct.impacts.t, abs=1e-6)


def test_a_slider_gives_a_new_picture_of_the_ball_within_a_third_of_a_second(open_page, app_address):
    page = bench(open_page, f"{app_address}/scene/park_ball").page
    turn(page, "bounce: restitution e", ["ArrowLeft"])  # kernels are loaded now
    page.evaluate("""() => {
        const root = document.querySelector("[data-shown]");
        window.waits = [];
        let began = null;
        addEventListener("keydown", () => { began = performance.now(); }, true);
        new MutationObserver(() => { if (began !== null) { window.waits.push(performance.now() - began); began = null; } })
          .observe(root, { attributes: true, attributeFilter: ["data-shown"] });
    }""")
    for _ in range(10):
        turn(page, "bounce: restitution e", ["ArrowLeft"])
    waits = sorted(page.evaluate("window.waits"))
    print("slider to picture [ms]:", [round(w) for w in waits])
    assert waits[1] < 300.0  # other tests may run beside this one: the second best of ten counts


def test_another_law_is_taken(open_page, app_address):
    page = bench(open_page, f"{app_address}/scene/park_ball").page
    shown = page.evaluate(OPENED)
    page.click("label:has-text('bounce: law')")
    page.click(".q-menu .q-item:has-text('Stronge')")
    page.wait_for_function(f"{OPENED} !== '{shown}'")
    assert "law = Stronge(" in page.text_content(".routh")


def test_a_slider_of_the_start_ends_where_a_run_can_begin(open_page, app_address):
    page = bench(open_page, f"{app_address}/scene/park_ball").page
    turn(page, "start: ball.y", ["Home"])
    assert page.inner_text(".side .trouble") == ""
    assert page.locator(".ledger tbody tr").count() > 0


def test_an_error_stands_below_the_slider_that_was_moved_and_the_last_picture_stays(open_page, app_address):
    page = bench(open_page, f"{app_address}/scene/dominoes").page
    turn(page, "start: domino3.x", ["Home"])
    press(page, "start: domino2.x", ["End"])  # each alone is possible, both together are not
    knob = ".knob:has-text('start: domino2.x')"
    page.wait_for_selector(f"{knob} .trouble")
    text = page.inner_text(f"{knob} .trouble")
    assert "overlap" in text
    assert "rt." not in text
    assert page.locator(".ledger tbody tr").count() > 0


def test_the_gallery_is_searched_by_words_and_tags(open_page, app_address):
    page = open_page(app_address).page
    page.fill("input[aria-label='search the gallery']", "euler")
    page.wait_for_function("[...document.querySelectorAll('.gallery a')].filter((a) => a.offsetParent).length === 1")
    page.fill("input[aria-label='search the gallery']", "")
    page.click("button:has-text('pile')")
    page.wait_for_function("[...document.querySelectorAll('.gallery a')].filter((a) => a.offsetParent).length === 5")


def test_a_scene_plays_by_itself(open_page, app_address):
    page = bench(open_page, f"{app_address}/scene/dominoes").page
    page.wait_for_function("Number(document.querySelector('[data-time]').dataset.time) > 0.01")


def test_a_run_is_kept_beside_the_next(open_page, app_address):
    watched = bench(open_page, f"{app_address}/scene/park_ball")
    page = watched.page
    page.click("button:has-text('keep as reference')")
    turn(page, "bounce: restitution e", ["ArrowLeft"] * 30)
    assert page.evaluate("document.querySelector('[data-shown]').viewer.scene.other !== null")
    page.fill("input[aria-label=time]", "2.5")
    watched.shot("app_reference")
    page.click("button:has-text('drop reference')")
    assert page.evaluate("document.querySelector('[data-shown]').viewer.scene.other === null")


def test_report_result_and_model_are_downloaded(open_page, app_address, tmp_path):
    page = bench(open_page, f"{app_address}/scene/park_ball").page
    for label, check in (
        ("report", lambda p: "Content-Security-Policy" in p.read_text()),
        ("result", lambda p: rt.load(p).status == "finished"),
        ("model file", lambda p: rt.read_model(p).model == scene("park_ball").model),
    ):
        with page.expect_download() as caught:
            page.click(f"button:has-text('{label}')")
        path = tmp_path / caught.value.suggested_filename
        caught.value.save_as(path)
        assert check(path), label


def test_an_unknown_scene_is_told_with_the_near_names(open_page, app_address):
    watched = open_page(f"{app_address}/scene/park_bal")
    assert 'did you mean "park_ball"' in watched.page.inner_text(".trouble")


def test_a_model_file_is_read_and_runs(open_page, app_address):
    watched = open_page(f"{app_address}/model")
    watched.page.wait_for_selector("[data-shown]")
    upload(watched.page, "ball.toml", format_model(scene("double_pendulum")).encode())
    watched.page.wait_for_selector(".side .title:has-text('double_pendulum')")
    watched.page.wait_for_selector("[data-shown]")
    assert "finished" in watched.page.text_content(".routh")
    watched.shot("app_model")


def test_an_error_in_the_editor_is_told_with_its_line(open_page, app_address):
    page = open_page(f"{app_address}/model").page
    page.wait_for_selector("[data-shown]")
    page.click(".cm-content")
    page.keyboard.press("Control+Home")
    page.keyboard.type("wrong = 1\n")
    page.click("button:has-text('run')")
    page.wait_for_function("document.querySelector('.editing .trouble').textContent.includes('1 | wrong = 1')")


@pytest.mark.parametrize(("name", "content", "told"), [
    ("bad.toml", b"format = 1\n[bodies", "bad.toml"),
    ("../../etc/passwd", b"root:x:0:0", "not a model file"),
    ("huge.json", b"[" * 200_000, "huge.json"),
    ("bomb.yaml", b"a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b]\n", "bomb.yaml"),
    ("zip.toml", b"PK\x03\x04" + bytes(400), "zip.toml"),
])  # fmt: skip
def test_a_bad_file_is_told_and_nothing_breaks(open_page, app_address, name, content, told):
    watched = open_page(f"{app_address}/model")
    upload(watched.page, name, content)
    watched.page.wait_for_function("document.querySelector('.editing .trouble')?.textContent.length > 0")
    text = watched.page.inner_text(".editing .trouble")
    assert told in text or told == "not a model file", text
    assert "Traceback" not in text


def test_a_file_beyond_the_limit_is_refused(open_page, app_address):
    watched = open_page(f"{app_address}/model")
    upload(watched.page, "large.toml", b"#" * 1_500_000)
    watched.page.wait_for_selector(".trouble:has-text('larger than')")


def test_hostile_names_in_an_uploaded_file_are_only_text(open_page, app_address):
    file = scene("park_ball")
    name = HOSTILE.replace(" ", "\u00a0").replace("\u00a0", "_").replace("/", "|")
    model = rt.Model(
        **{
            **{f: getattr(file.model, f) for f in ("space", "bodies", "gravity")},
            "name": HOSTILE,
            "contacts": [
                rt.Contact(
                    name.replace(".", "·"), file.model.contacts[0].a, file.model.contacts[0].b, law=file.model.contacts[0].law
                )
            ],
        }
    )
    watched = open_page(f"{app_address}/model")
    upload(watched.page, "<b>x.toml", format_model(model, file.start, t_end=3.0).encode())
    watched.page.wait_for_selector("[data-shown]")
    watched.page.click(".ledger tbody tr")
    watched.page.wait_for_selector("svg.impact")
    assert watched.page.evaluate("window.hacked") is None
    assert watched.page.inner_text(".side .title") == HOSTILE
    assert watched.page.locator("img[src=x]").count() == 0


def test_the_impact_laboratory_follows_its_sliders(open_page, app_address):
    watched = open_page(f"{app_address}/impact")
    page = watched.page
    page.wait_for_selector("svg.impact path.way")
    before = page.inner_text(".laws")
    page.focus(".knob:has-text('restitution e') input")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("(before) => document.querySelector('.laws').innerText !== before", arg=before)
    watched.shot("app_impact")
    rows = page.locator(".laws tr").count()
    assert rows == 7  # the head and six laws


def test_the_impact_laboratory_shows_an_impact_in_space(open_page, app_address):
    watched = open_page(f"{app_address}/impact")
    page = watched.page
    page.wait_for_selector("svg.impact path.way")
    page.click("label:has-text('impact')")
    page.click(".q-menu .q-item:has-text('a lying cylinder on the ground')")
    page.wait_for_selector("svg.impact:has-text('second tangent')")
    watched.shot("app_impact_space")


def test_a_mass_that_is_not_positive_is_told(open_page, app_address):
    page = open_page(f"{app_address}/impact").page
    page.wait_for_selector("svg.impact path.way")
    page.fill("[aria-label='mass [kg]']", "-1")
    page.wait_for_selector(".trouble:has-text('mass = -1 is not positive')")


@pytest.mark.parametrize("page", ["/", "/scene/park_ball", "/impact", "/model"])
def test_pages_fit_a_phone_and_are_dark_where_the_browser_is(open_page, app_address, page):
    watched = open_page(f"{app_address}{page}", width=390, height=800, dark=True)
    watched.page.wait_for_selector({"/": ".gallery img", "/impact": "svg.impact path.way"}.get(page, "[data-shown]"))
    watched.shot("app_phone" + page.replace("/", "_"))
    assert watched.page.evaluate("document.documentElement.scrollWidth") <= 390
    if page == "/impact":  # no column of the laws is hidden
        sizes = "(all) => [all[0].scrollWidth, all[0].clientWidth]"
        wide, seen = watched.page.eval_on_selector_all(".laws", sizes)
        assert wide <= seen
    assert watched.page.evaluate("document.body.classList.contains('body--dark')")


def test_the_vehicle_drives(open_page, app_address):
    watched = bench(open_page, f"{app_address}/vehicle")
    assert watched.page.inner_text(".side .title") == "Tracked excavator"
    assert watched.page.locator(".knob:has-text('drive: speed')").count() == 1
    watched.page.fill("input[aria-label=time]", "1.5")
    watched.shot("app_vehicle")


def test_a_foreign_name_for_this_machine_is_refused(app_address):
    where = urlsplit(app_address)
    connection = http.client.HTTPConnection(where.hostname, where.port, timeout=20)
    connection.request("GET", "/", headers={"Host": "evil.example"})
    assert connection.getresponse().status == 400


def test_only_this_machine_can_connect(app_address):
    others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {"127.0.0.1"}
    for other in {address for address in others if not address.startswith("127.")} | {"127.0.0.2"}:
        with socket.socket() as attempt, pytest.raises(OSError, match="refused"):
            attempt.connect((other, urlsplit(app_address).port))
