"""The page on time stepping: its code runs, and prints what it says."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "stepping.md").read_text(encoding="utf-8")


def test_the_code_of_the_page_runs_and_its_numbers_hold(capsys):
    names: dict = {}
    for code in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(compile(code, "docs/stepping.md", "exec"), names)
    assert "by steps of 0.001 s" in capsys.readouterr().out
    assert names["result"].status == names["seen"].status == "finished"
    assert names["seen"]["seat.force"][-1] == pytest.approx(2.0 * 9.81, rel=1e-9)
    assert names["seen"].contact_impulse("seat", 0.1, 0.2)[2] == pytest.approx(2.0 * 9.81 * 0.1, rel=1e-9)
    row = names["seen"].contact_steps[-1]
    assert (row.a, row.b) == ("ground", "block")
    assert row.normal.tolist() == [0.0, 0.0, 1.0]
    assert row.impulse[2] > 0.0
