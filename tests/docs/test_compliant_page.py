"""The page on compliant contacts runs as it is printed, and says what is so."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "compliant.md").read_text()


def test_the_snippets_say_what_they_promise(capsys):
    values = {}
    for snippet in re.findall(r"```python\n(.*?)```", PAGE, flags=re.S):
        exec(compile(snippet, "docs/compliant.md", "exec"), values)
    out = capsys.readouterr().out
    assert values["result"].status == "finished"
    for text in ("LankaraniNikravesh 0.725", "Flores 0.47", "HuntCrossley 0.5", "hysteresis"):
        assert text in out
    assert float(out.splitlines()[-1]) < 1e-8


def test_every_key_is_in_the_bibliography_and_every_picture_is_there():
    known = set(re.findall(r"^- `\[(\w+)\]`", (DOCS / "bibliography.md").read_text(), flags=re.M))
    assert set(re.findall(r"\[([a-z]+\d{4})\]", PAGE)) <= known
    for picture in re.findall(r"\]\((images/[\w.]+)\)", PAGE):
        assert (DOCS / picture).stat().st_size > 10_000
