"""The pages about model files and the command line say what is so."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

import routh as rt
from routh import cli
from routh.commands import arguments
from routh.files import reading, syntax
from routh.files.elements import sections

ROOT = Path(__file__).parents[2]
FILES, COMMANDS, README = ((ROOT / name).read_text() for name in ("docs/files.md", "docs/command_line.md", "README.md"))


def snippets(text, language):
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.S)


def test_the_file_of_the_page_is_read_as_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ball.toml").write_text(snippets(FILES, "toml")[0])
    space: dict = {}
    exec(compile(snippets(FILES, "python")[0], "files.md", "exec"), space)
    assert space["result"].status == "finished"
    assert space["slower"].model["ball"].mass == 0.2
    assert rt.read_model("ball.json") == space["file"]


def test_the_gas_pulse_of_the_page_is_a_force():
    text = ('format = 1\nspace = "planar"\n[bodies.piston]\nmass = 1\ninertia = 1\n' + snippets(FILES, "toml")[1])
    force = rt.parse_model(text).model["gas"]
    assert force.force == (-2000.0, 0.0)
    assert force.profile == rt.profiles.Haversine(0.4, 0.01)


def test_the_errors_of_the_page_are_those_that_come():
    text = snippets(FILES, "toml")[0]
    with pytest.raises(rt.errors.FileError) as caught:
        rt.parse_model(text.replace("160 g", "160 N"), name="ball.toml")
    assert str(caught.value) in FILES
    with pytest.raises(rt.errors.FileError) as caught:
        rt.parse_model(text.replace('body = "ball"', 'body = "bal"'), name="ball.toml")
    assert str(caught.value).partition(": ")[2] in FILES
    with pytest.raises(rt.errors.FileError) as caught:
        rt.parse_model(text, name="ball.toml", changes={"bounce.law.mu": -1})
    assert str(caught.value) in FILES


def test_the_named_law_of_the_page_serves_both_contacts():
    bodies = "".join(f"[bodies.{name}]\nmass = 1\ninertia = 1\n" for name in ("left", "right"))
    named = next(text for text in snippets(FILES, "toml") if "[laws.steel]" in text)
    model = rt.parse_model(f'format = 1\nspace = "planar"\n{bodies}{named}').model
    assert {contact.law for contact in model.contacts} == {rt.Newton(e=0.5, mu=0.2)}


def test_sections_and_limits_are_named():
    for name in sections():
        assert f"`[{name}.NAME]`" in FILES
    assert syntax.LARGEST == 2_000_000
    assert f"{syntax.DEEPEST} levels of nesting and {reading.MOST} elements" in FILES


def test_every_command_is_on_the_page_and_the_other_way_round():
    known = {command.name or command.callback.__name__ for command in cli.app.registered_commands} - {"demo"}
    assert set(re.findall(r"^\| `routh (\w+)", COMMANDS, flags=re.M)) == known


def test_the_exit_codes_are_those_of_the_code():
    codes = re.findall(r"^\| (\d+) \|", COMMANDS, flags=re.M)
    assert codes == re.findall(r"^\| (\d+) \|", arguments.__doc__, flags=re.M)
    assert {"1", "3", "4", "130"} == {str(getattr(arguments, name)) for name in ("REFUSED", "BROKE_OFF", "NO", "INTERRUPTED")}


def shell(text):
    """The commands of a page's blocks without a language."""
    blocks = re.findall(r"```\n(routh .*?)```", text, flags=re.S)
    lines = [shlex.split(line, comments=True) for block in blocks for line in block.splitlines()]
    return [line for line in lines if line[1] != "app"]  # it serves until it is stopped


@pytest.mark.parametrize("page", ["README", "COMMANDS"])
def test_the_shell_commands_run_as_they_are_printed(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    (tmp_path / "ball.toml").write_text(snippets(FILES, "toml")[0])
    lines = shell({"README": README, "COMMANDS": COMMANDS}[page])
    assert len(lines) >= 2
    for line in lines:
        monkeypatch.setattr(sys, "argv", line)
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert not ended.value.code, line
