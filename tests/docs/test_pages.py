"""README and docs run as they are printed, and cite only what the bibliography has."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs/_ext"))
from page_runner import run_page  # noqa: E402

PAGES = ("docs/mechanisms.md", "docs/vehicles.md", "docs/workbench.md")


@pytest.mark.parametrize("page", PAGES)
def test_the_snippets_of_a_page_run_in_order(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    space = {}
    for snippet in re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), flags=re.S):
        exec(compile(snippet, page, "exec"), space)
    assert space["result"].status == "finished"


def test_the_readme_prints_and_draws_what_it_promises(tmp_path, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    readme = tmp_path / "README.md"  # `routh app` serves until it is stopped, and installing is not ours to test
    text = (ROOT / "README.md").read_text()
    readme.write_text(re.sub(r"^(routh app|pip install).*\n", "", text, flags=re.M))
    run_page(readme, tmp_path)
    assert (tmp_path / "ball.png").stat().st_size > 10_000
    assert (tmp_path / "ball.html").stat().st_size > 100_000


def test_the_readme_begins_with_a_moving_picture_and_links_to_what_is_there():
    text = (ROOT / "README.md").read_text()
    for name in re.findall(r"\]\(([\w/.]+)\)", text):
        assert (ROOT / name).exists(), name
    assert re.search(r"!\[[^]]+\]\(docs/images/\w+\.gif\)", text.partition("## Install")[0])


def test_the_readme_counts_the_claims_as_their_page_does():
    held, made = re.search(r"(\d+) of (\d+) hold", (ROOT / "docs/reproduce.md").read_text()).groups()
    assert f"computes {made} claims of the literature again; {held} hold" in (ROOT / "README.md").read_text()


def test_every_file_that_a_page_names_is_there():
    for page in (*PAGES, "docs/contacts.md", "CONTRIBUTING.md"):
        for name in re.findall(r"`((?:docs|bench|tests|src)/[\w./]+)`", (ROOT / page).read_text()):
            assert (ROOT / name).exists(), f"{page} names {name}"


def test_every_key_in_the_sources_is_in_the_bibliography():
    known = set(re.findall(r"^- `\[(\w+)\]`", (ROOT / "docs/bibliography.md").read_text(), flags=re.M))
    text = "".join(path.read_text() for path in (ROOT / "src").rglob("*.py")) + (ROOT / "docs/mechanisms.md").read_text()
    assert set(re.findall(r"\[([a-z]+(?:19|20|18)\d\d)\]", text)) <= known
