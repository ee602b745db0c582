"""The page on many contacts prints what it says."""

import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "friction_problem.md").read_text()


def test_the_snippet_prints_what_the_page_shows(capsys):
    code, shown = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL).groups()
    exec(compile(code, "docs/friction_problem.md", "exec"), {})
    assert capsys.readouterr().out == shown
