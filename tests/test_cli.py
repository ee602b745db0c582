"""The command line: what it prints, writes and returns."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread
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


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """What `routh demo` prints, and the folder that it writes."""
    out = tmp_path_factory.mktemp("demo") / "new" / "out"
    run = invoke("demo", "--out", str(out))
    assert run.exit_code == 0, run.output
    return run.output, out


def test_demo_writes_a_figure_a_result_and_a_report(demo):
    text, out = demo
    assert {path.name for path in out.iterdir()} == {"woodpecker.png", "woodpecker.nc", "woodpecker.html"}
    assert all(str(path) in text for path in out.iterdir())
    pixels = imread(out / "woodpecker.png")
    assert min(pixels.shape[:2]) > 600
    assert 0.05 < np.mean(pixels[..., :3].min(axis=2) < 0.95) < 0.8  # the share that is not white
    assert rt.load(out / "woodpecker.nc").status == "finished"
    report = (out / "woodpecker.html").read_text(encoding="utf-8")
    assert "<title>Woodpecker toy" in report
    assert all(f'"{name}"' in report for name in ("sleeve", "bird", "beak", "hinge"))


def test_demo_prints_events_and_the_ledger_with_joint_reaction_impulses(demo):
    text, out = demo
    result = rt.load(out / "woodpecker.nc")
    assert f"{len(result.impacts)} impact, " in text
    rows = [line.split() for line in text.split("joint reaction impulse\n")[1].split("\n\n")[0].splitlines()[1:]]
    assert len(rows) == 8
    for row, hit in zip(rows, result.impacts, strict=False):
        reactions = {joint: np.hypot(*hit[f"{joint}.impulse"]) for joint in ("guide", "hinge")}
        joint = max(reactions, key=reactions.get)
        assert row[:2] == [f"{hit.t:.6f}", hit.contact]
        assert row[-5:] == [f"{hit.p_n:.3e}", f"{hit.p_t:.3e}", f"{hit.energy_lost:.3e}", joint, f"{reactions[joint]:.3e}"]


def test_the_account_that_the_demo_prints_closes(demo):
    lines = demo[0].split("energy account [J]\n")[1].split("\n\n")[0].splitlines()
    value = {line: float(line.split()[1]) for line in lines}
    level = {line: len(line) - len(line.lstrip()) for line in lines}  # 2: a work, 4: the share of a contact
    works, shares = (sum(v for line, v in value.items() if level[line] == n) for n in (2, 4))
    start, *_, end, missing = value.values()
    rounding = 5e-8 * sum(map(abs, value.values()))  # eight digits are printed
    assert works < -1e-3
    assert start + works == pytest.approx(end, abs=rounding)
    assert shares == pytest.approx(works, abs=rounding)
    assert abs(missing) < 1e-9 * abs(works)  # ten times the relative tolerance of the run


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
    def broken(standalone_mode: bool) -> None:
        raise ModelError('body "b": mass = 0 must be positive')

    monkeypatch.setattr(cli, "app", broken)
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert caught.value.code == 1
    assert capsys.readouterr().err == 'error: body "b": mass = 0 must be positive\n'
