"""The pages of benchmarks hold what was measured, and nothing else; the command measures, writes and refuses."""

import json
from pathlib import Path

import pytest

from routh.bench import pages
from routh.bench.common import ROUTH, Row
from routh.bench.measure import NAMES, measure, with_ratios
from routh.cli import app
from routh.errors import RouthError

ROOT = Path(__file__).parents[2]
DATA = json.loads((ROOT / "docs/benchmarks.json").read_text())
PICTURES = {case: f"images/bench/{case.partition(',')[0].replace(' ', '_')}.png"
            for case in dict.fromkeys(curve["case"] for curve in DATA["curves"])}


def test_the_page_is_made_of_the_measured_data():
    assert (ROOT / "docs/benchmarks.md").read_text() == pages.page(DATA, "benchmarks.json", PICTURES)
    for picture in PICTURES.values():
        assert (ROOT / "docs" / picture).stat().st_size > 10_000


@pytest.mark.parametrize("name", ["README.md", "docs/comparison.md"])
def test_the_short_table_is_made_of_the_measured_data(name):
    inside = (ROOT / name).read_text().partition(pages.BEGIN)[2].partition(pages.END)[0]
    assert inside.strip() == "\n".join(pages.best_rows(DATA)).strip()


def test_every_group_that_was_measured_is_known():
    assert {row["group"] for row in DATA["rows"]} <= set(NAMES)


def test_ratios_are_against_the_best_peer_of_the_case():
    rows = [Row("x", "a", 4.0, "s"), Row("x", "b", 2.0, "s"), Row("x", "c", None, "s")]
    rows.append(Row("x", ROUTH, 1.0, "s", goal_ratio=0.4))
    ours = list(with_ratios(rows))[-1]
    assert (ours["ratio"], ours["met"]) == (0.5, False)


def test_a_benchmark_is_measured_drawn_and_written(tmp_path, monkeypatch):
    monkeypatch.setattr("os.sched_setaffinity", lambda *_: None, raising=False)  # the tests keep their cores
    data = measure(["ring"])
    assert {row["engine"] for row in data["rows"]} >= {ROUTH}
    assert data["versions"]["routh"]
    (tmp_path / "bench.json").write_text(json.dumps(data | {"curves": DATA["curves"]}))
    (tmp_path / "page.md").write_text(f"head\n{pages.BEGIN}\nold\n{pages.END}\ntail\n")
    source, page, filled = (str(tmp_path / name) for name in ("bench.json", "b.md", "page.md"))
    app(["bench", "--from", source, "--page", page, "--fill", filled], standalone_mode=False)
    assert "ring of 42 links" in (tmp_path / "b.md").read_text()
    assert len(list((tmp_path / "images" / "bench").glob("*.png"))) == 2
    assert (tmp_path / "page.md").read_text().startswith("head\n")
    assert "old" not in (tmp_path / "page.md").read_text()


def test_what_is_no_benchmark_is_refused(tmp_path):
    with pytest.raises(RouthError, match='no benchmark "contact"; did you mean "contacts"'):
        app(["bench", "contact"], standalone_mode=False)
    (tmp_path / "x.json").write_text("{")
    with pytest.raises(RouthError, match="is not JSON that"):
        app(["bench", "--from", str(tmp_path / "x.json")], standalone_mode=False)
    with pytest.raises(RouthError, match="has no lines"):
        pages.fill(tmp_path / "x.json", DATA)
