"""The site: its pages run as they are printed, name everything that is public, and build without a warning."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import routh

DOCS = Path(__file__).parents[2] / "docs"
sys.path.insert(0, str(DOCS / "_ext"))
from page_runner import PageError, run_page  # noqa: E402

PAGES = ["index.md", *sorted(page.relative_to(DOCS).as_posix() for folder in ("tutorial", "howto", "reference")
                             for page in (DOCS / folder).glob("*.md"))]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_runs_and_prints_what_it_says(page, tmp_path, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    run_page(DOCS / page, tmp_path)
    for picture in re.findall(r"^```\{drawn\} (\S+)", (DOCS / page).read_text(), flags=re.M):
        assert (tmp_path / picture).stat().st_size > 5_000


@pytest.mark.parametrize(("text", "says"), [
    ("```python\nprint(2)\n```\n\n```text\n3\n```\n", "and the block printed\n2"),
    ("```\nrouth check nothing.toml\n```\n", "ended with code"),
])  # fmt: skip
def test_a_page_that_is_wrong_is_found_out(text, says, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(text)
    with pytest.raises(PageError, match=says):
        run_page(page, tmp_path)


REFERENCE = {page.stem: page.read_text() for page in (DOCS / "reference").glob("*.md")}
BASES = {"BodyDrag", "Coupling", "Force", "Joint", "JointForce", "LineForce", "Profile", "Shape", "Unilateral", "Friction",
         "ContactFriction", "Restitution", "NormalLaw", "ScheduledImpulse", "RouthError"}  # what others are made of


def test_every_public_name_is_in_the_reference():
    text = "\n".join(REFERENCE.values())
    there = set(re.findall(r"^\.\. auto(?:class|function):: (\w+)", text, flags=re.M)) - {"Ledger", "Row"}
    families = set(re.findall(r"^```\{family\} (\w+)", text, flags=re.M)) | {"vehicles"}
    assert there | families == set(routh.__all__) - {"__version__"}


@pytest.mark.parametrize("family", [stem for stem, text in REFERENCE.items() if "```{family}" in text])
def test_every_name_of_a_family_is_in_its_example(family):
    page = REFERENCE[family]
    shown = "".join(re.findall(r"```python\n(.*?)```", page, flags=re.S))
    left_out = re.findall(r"```\{family\} \w+\n(.*?)```", page, flags=re.S)[0].split()
    for name in set(getattr(routh, family).__all__) - BASES - set(left_out):
        assert re.search(rf"\b{name}\b", shown), f"{family}.{name} has no example"


def test_the_site_builds_without_a_warning(tmp_path):
    environment = {**os.environ, "ROUTH_DOCS": "quick", "PYTHONPATH": str(DOCS.parent / "src")}
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", str(DOCS), str(tmp_path / "site")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    pages = {page.relative_to(tmp_path / "site").as_posix() for page in (tmp_path / "site").rglob("*.html")}
    assert {name.replace(".md", ".html") for name in PAGES} | {"theory.html", "gallery.html"} <= pages
    theory = (tmp_path / "site/theory.html").read_text()
    assert "<math" in theory
    assert 'src="http' not in theory  # the site asks nobody for anything
    assert 'href="bibliography.html#kane1985"' in theory
    assert "rod_45_routh.png" in (tmp_path / "site/gallery.html").read_text()
