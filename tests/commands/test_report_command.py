"""`routh report`: a file beside the source, from a result or a model, and a refusal in one line."""

import subprocess
import sys

import pytest

from made_results import made


def routh(*arguments):
    command = [sys.executable, "-m", "routh", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    return made().save(tmp_path_factory.mktemp("runs") / "run.nc")


def test_a_saved_run_gets_its_report_beside_it(saved):
    done = routh("report", saved, "--title", "My run", "b0.x,b0.y")
    assert done.returncode == 0, done.stderr
    assert "<title>My run</title>" in saved.with_suffix(".html").read_text()


def test_an_unknown_channel_is_refused_in_one_line(saved):
    done = routh("report", saved, "b0.xx")
    assert done.returncode == 1
    assert 'did you mean "b0.x"' in done.stderr
    assert "Traceback" not in done.stderr
