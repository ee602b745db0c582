"""`routh study`: files that declare studies, and what is wrong with some."""

import json

import pytest
from typer.testing import CliRunner

import routh as rt
from routh.errors import FileError
from routh.study import Uniform, read_study, read_table
from scenes import START, drop

FILE = """
model = "ball.toml"
samples = 4
seed = 3
[vary]
"bounce.law.mu" = [0.1, 0.3]
"bounce.law.e" = {uniform = [0.4, 0.8]}
[record]
loss = "sum(impacts.energy_lost)"
"""


@pytest.fixture
def folder(tmp_path):
    rt.write_model(tmp_path / "ball.toml", drop(), START, 0.6)
    (tmp_path / "study.toml").write_text(FILE)
    return tmp_path


def command(*words):
    from routh.cli import app

    return CliRunner().invoke(app, ["study", *map(str, words)])


def test_a_file_declares_the_study_that_python_would(folder):
    declared = read_study(folder / "study.toml")
    vary = {"bounce.law.mu": [0.1, 0.3], "bounce.law.e": Uniform(0.4, 0.8)}
    same = rt.Study(drop(), START, 0.6, vary=vary, samples=4, seed=3, record={"loss": "sum(impacts.energy_lost)"})
    assert declared.run().arrow.equals(same.run().arrow)


def test_the_command_prints_a_summary_writes_the_table_and_resumes(folder):
    out = folder / "table.parquet"
    said = command(folder / "study.toml", "-o", out)
    assert said.exit_code == 0, said.output
    assert "8 finished" in said.output
    assert read_table(out).n_points == 8
    refused = command(folder / "study.toml")
    assert refused.exit_code != 0
    again = command(folder / "study.toml", "--resume", "--json", "-o", folder / "table.csv")
    assert json.loads(again.output)["status"] == {"finished": 8}
    assert (folder / "table.csv").read_text().startswith("bounce.law.mu,bounce.law.e,status,message,loss")


@pytest.mark.parametrize(("change", "message"), [
    (("samples = 4", "samples = 0"), "positive whole number"),
    (("seed = 3", "sede = 3"), 'did you mean "seed"'),
    (('"ball.toml"', '"bal.toml"'), "cannot be read"),
    (("uniform", "unform"), "not a distribution"),
    (("[0.4, 0.8]", "[0.4]"), "two numbers"),
    (("[0.4, 0.8]", "[0.8, 0.4]"), "below"),
    (("[vary]", "[varied]"), "varied"),
    (("sum(", "sun("), 'did you mean "sum"'),
    (("[record]", "[record"), "not TOML"),
])
def test_files_with_mistakes_are_refused_with_their_place(folder, change, message):
    (folder / "study.toml").write_text(FILE.replace(*change))
    with pytest.raises(FileError, match=message):
        read_study(folder / "study.toml")


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(FileError, match="cannot be read"):
        read_study(tmp_path / "none.toml")


def test_a_model_without_end_is_refused(folder):
    rt.write_model(folder / "ball.toml", drop(), START)
    with pytest.raises(FileError, match="gives no end"):
        read_study(folder / "study.toml")
