"""README and docs run as they are printed, and cite only what the bibliography has."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "docs/mechanisms.md", "docs/vehicles.md", "docs/workbench.md")


@pytest.mark.parametrize("page", PAGES)
def test_the_snippets_of_a_page_run_in_order(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    space = {}
    for snippet in re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), flags=re.S):
        exec(compile(snippet, page, "exec"), space)
    assert space["result"].status == "finished"


def test_the_readme_prints_and_draws_what_it_promises(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    space = {}
    for snippet in re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.S):
        exec(compile(snippet, "README", "exec"), space)
    said = capsys.readouterr().out
    assert "4.06371  rest" in said
    assert "energy account [J]" in said
    assert [line.split()[0] for line in said.splitlines()[-3:]] == ["0.2", "0.5", "0.8"]
    assert (tmp_path / "ball.png").stat().st_size > 10_000
    assert (tmp_path / "ball.html").stat().st_size > 100_000


def test_every_file_that_a_page_names_is_there():
    for page in (*PAGES, "docs/contacts.md", "CONTRIBUTING.md"):
        for name in re.findall(r"`((?:docs|bench|tests|src)/[\w./]+)`", (ROOT / page).read_text()):
            assert (ROOT / name).exists(), f"{page} names {name}"


def test_every_key_in_the_sources_is_in_the_bibliography():
    known = set(re.findall(r"^- `\[(\w+)\]`", (ROOT / "docs/bibliography.md").read_text(), flags=re.M))
    text = "".join(path.read_text() for path in (ROOT / "src").rglob("*.py")) + (ROOT / "docs/mechanisms.md").read_text()
    assert set(re.findall(r"\[([a-z]+(?:19|20|18)\d\d)\]", text)) <= known
