"""The page on impacts runs as it is printed, and cites only what the bibliography has."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "impact.md").read_text()


def test_the_snippets_run_in_order(capsys):
    space = {}
    for snippet in re.findall(r"```python\n(.*?)```", PAGE, flags=re.S):
        exec(compile(snippet, "docs/impact.md", "exec"), space)
    out = capsys.readouterr().out
    assert "stick in compression" in out
    assert "inconsistent" in out
    assert "tangential" in out


def test_every_key_is_in_the_bibliography():
    known = set(re.findall(r"^- `\[(\w+)\]`", (DOCS / "bibliography.md").read_text(), flags=re.M))
    source = Path(__file__).parents[2] / "src" / "routh"
    mine = [path for pattern in ("core/**/*.py", "sim/*.py", "analysis/*.py", "gallery/*.py") for path in source.glob(pattern)]
    text = PAGE + "".join(path.read_text() for path in [*mine, DOCS / "friction_problem.md"])
    cited = set(re.findall(r"\[([a-z]+\d{4}|park)\]", text))
    assert cited <= known
    assert {"acary2024", "keller1986", "lotstedt1984", "brach1989", "stronge1990", "wang1992"} <= known
