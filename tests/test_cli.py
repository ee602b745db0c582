"""The command line: what it prints, writes and returns."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import routh as rt
from routh import cli
from routh.errors import ModelError

ROOT = Path(rt.__file__).parents[1]


def routh(*arguments: str) -> subprocess.CompletedProcess[str]:
    """`routh` with arguments, in a process of its own."""
    return subprocess.run([sys.executable, "-m", "routh", *arguments], capture_output=True, text=True,
                          env=os.environ | {"PYTHONPATH": str(ROOT)})


def invoke(*arguments: str):
    return CliRunner().invoke(cli.app, list(arguments))


def test_help_says_what_there_is():
    run = routh("--help")
    assert run.returncode == 0
    for word in ("Exact motion of rigid multibody systems", "demo", "gallery", "warmup", "--version"):
        assert word in run.stdout


def test_version_prints_the_version():
    run = routh("--version")
    assert (run.returncode, run.stdout) == (0, f"routh {rt.__version__}\n")


def test_no_arguments_print_the_help():
    run = routh()
    assert "Usage" in run.stdout + run.stderr
    assert run.returncode == 2


@pytest.mark.parametrize(("arguments", "message"), [(["dmo"], "No such command 'dmo'"), (["--spam"], "No such option"),
                                                    (["demo", "--out"], "requires an argument")])
def test_a_wrong_command_ends_with_code_two(arguments, message):
    run = routh(*arguments)
    assert run.returncode == 2
    assert message in run.stderr
    assert "Traceback" not in run.stderr


def test_demo_leaves_a_figure_a_result_and_a_summary(tmp_path):
    run = invoke("demo", "--out", str(tmp_path / "new" / "out"))
    assert run.exit_code == 0, run.output
    for words in ("degrees of freedom      0", "status                      finished", "largest main bearing force"):
        assert words in run.output
    names = {p.name for p in (tmp_path / "new" / "out").iterdir()}
    assert {"slider_crank.png", "slider_crank.svg", "slider_crank.nc"} <= names
    assert rt.load(tmp_path / "new" / "out" / "slider_crank.nc").status == "finished"


def test_demo_refuses_a_file_for_a_folder(tmp_path):
    (tmp_path / "out").write_text("in the way")
    run = routh("demo", "--out", str(tmp_path / "out"))
    assert run.returncode == 2
    assert "is a file" in run.stderr


def test_gallery_lists_every_model_with_its_first_line():
    run = invoke("gallery")
    assert run.exit_code == 0
    lines = run.output.splitlines()
    assert any(line.startswith("slider_crank") and "gas pulse" in line for line in lines)
    assert all(len(line.split(maxsplit=1)) == 2 for line in lines)


def test_an_error_of_the_library_is_one_line_and_code_one(monkeypatch, capsys):
    def broken() -> None:
        raise ModelError('body "b": mass = 0 must be positive')

    monkeypatch.setattr(cli, "app", broken)
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert caught.value.code == 1
    assert capsys.readouterr().err == 'error: body "b": mass = 0 must be positive\n'
