"""Studies that are killed, run out of disk, or lose their workers: nothing is lost, nothing is computed twice."""

import errno
import json
import os
import random
import signal
import subprocess
import sys
import time

import distributed
import psutil
import pytest

import routh as rt
from routh.errors import RouthError
from routh.study import Study
from routh.study import store as stores
from scenes import START, drop, grid

SCRIPT = """
import sys
from scenes import grid
if __name__ == "__main__":
    grid({n}).run(store=sys.argv[1], workers={workers}, backend="processes")
"""
KILLS = 10            # of the parent, and as many of workers


def die(run):
    """A quantity that kills its process, at one point of the study."""
    if run["ball.vx"][0] == 0.75:
        os.kill(os.getpid(), signal.SIGKILL)
    return 1.0


def workers_of(pid):
    """Worker processes of a study."""
    try:
        return [child.pid for child in psutil.Process(pid).children() if "spawn_main" in " ".join(child.cmdline())]
    except psutil.Error:  # one of them has just ended
        return []


def parts(folder):
    return sorted(folder.glob("part-*.parquet"))


def wait_for_rows(process, folder, known):
    """Wait until the process has written a row beyond those that are known, or has ended."""
    while process.poll() is None and len(parts(folder)) <= known:
        time.sleep(0.01)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_study_that_is_killed_goes_on_and_gives_the_same_table(tmp_path, workers):
    n, folder = 400, tmp_path / "rows"
    reference = grid(n).run()
    rng, killed, seen = random.Random(workers), 0, {}
    while killed < KILLS:
        process = subprocess.Popen([sys.executable, "-c", SCRIPT.format(n=n, workers=workers), str(folder)])
        wait_for_rows(process, folder, len(seen))
        time.sleep(rng.uniform(0.0, 0.02))
        process.kill()
        process.wait()
        killed += 1
        now = {path.name: path.stat().st_mtime_ns for path in parts(folder)}
        assert all(now[name] == seen[name] for name in seen)  # no part is computed twice
        seen = now
        if len(seen) == n:
            break
    assert len(seen) >= killed  # every life brought at least one row
    table = grid(n).run(store=folder)
    assert table.arrow.equals(reference.arrow)
    assert len(parts(folder)) == n
    assert not list(folder.glob(".part-*"))


def test_workers_that_are_killed_are_replaced(tmp_path):
    n, folder = 400, tmp_path / "rows"
    process = subprocess.Popen([sys.executable, "-c", SCRIPT.format(n=n, workers=2), str(folder)])
    rng, kills = random.Random(3), 0
    while process.poll() is None and kills < KILLS:
        wait_for_rows(process, folder, len(parts(folder)))
        time.sleep(rng.uniform(0.0, 0.02))
        workers = workers_of(process.pid)
        if workers:
            try:
                os.kill(rng.choice(workers), signal.SIGKILL)
            except ProcessLookupError:
                continue
            kills += 1
    assert process.wait(timeout=120) == 0
    assert kills >= 1
    assert grid(n).run(store=folder).arrow.equals(grid(n).run().arrow)


def test_workers_end_with_their_parent(tmp_path):
    folder = tmp_path / "rows"
    process = subprocess.Popen([sys.executable, "-c", SCRIPT.format(n=2000, workers=2), str(folder)])
    wait_for_rows(process, folder, 0)
    workers = workers_of(process.pid)
    process.kill()
    process.wait()
    assert workers
    for _ in range(200):
        alive = [pid for pid in workers if psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE]
        if not alive:
            return
        time.sleep(0.05)
    raise AssertionError(f"workers {alive} outlive their parent")


def test_a_point_that_kills_its_workers_becomes_a_row(tmp_path):
    study = Study(drop(), START, 0.2, vary={"ball.vx": [0.25, 0.75, 1.25]}, record={"q": die, "y": "last(ball.y)"})
    table = study.run(workers=2, backend="processes", store=tmp_path / "rows")
    assert table["status"].tolist() == ["finished", "worker died", "finished"]
    assert table["q"][0] == 1.0


@pytest.mark.parametrize("backend", ["threads", "processes"])
@pytest.mark.parametrize("trouble", [errno.ENOSPC, errno.EROFS])
def test_a_full_disk_or_one_that_became_read_only_keeps_earlier_rows(tmp_path, monkeypatch, trouble, backend):
    real, written = stores.whole_file, []

    def full(path):
        if len(written) == 5:
            raise OSError(trouble, os.strerror(trouble), str(path))
        written.append(path)
        return real(path)

    monkeypatch.setattr(stores, "whole_file", full)
    with pytest.raises(RouthError, match=rf"{os.strerror(trouble)}\. The 5 parts before it are kept"):
        grid(20).run(store=tmp_path / "rows", backend=backend)
    monkeypatch.undo()
    assert len(parts(tmp_path / "rows")) == 5
    assert grid(20).run(store=tmp_path / "rows").arrow.equals(grid(20).run().arrow)


def test_a_disk_that_is_really_full_is_an_error(tmp_path):
    """The kernel refuses to write beyond a limit of the process, in the middle of a part."""
    folder = tmp_path / "rows"
    grid(20).run(store=folder)
    whole = {path.name: path.read_bytes() for path in parts(folder)}
    for path in parts(folder)[3:]:
        path.unlink()
    code = """
import resource, sys
from routh.errors import RouthError
from scenes import grid
study = grid(20)
study.run()
resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
try:
    study.run(store=sys.argv[1])
except RouthError as error:
    print(error)
"""
    said = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True)
    assert "File too large. The 3 parts before it are kept" in said.stdout
    assert {path.name: path.read_bytes() for path in parts(folder)} == dict(list(whole.items())[:3])
    assert grid(20).run(store=folder).arrow.equals(grid(20).run().arrow)


def test_a_folder_that_cannot_be_written_is_refused_before_the_first_run(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RouthError, match="cannot be used as the store"):
        grid(20).run(store=tmp_path / "file" / "rows")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("")
    with pytest.raises(RouthError, match="not those of a study"):
        grid(20).run(store=tmp_path / "full")


def test_another_study_is_refused_in_the_same_folder(tmp_path):
    grid(20).run(store=tmp_path / "rows")
    with pytest.raises(RouthError, match="holds another study"):
        grid(22).run(store=tmp_path / "rows")
    other = Study(drop(0.7), START, 0.9, vary={"bounce.law.mu": [0.1, 0.3]})
    with pytest.raises(RouthError, match="holds another study"):
        other.run(store=tmp_path / "rows")
    with pytest.raises(RouthError, match="already"):
        grid(20).run(store=tmp_path / "rows", resume=False)


def test_a_function_that_changes_is_another_study(tmp_path):
    def study(function):
        return Study(drop(), START, 0.2, vary={"bounce.law.e": [0.5]}, record={"q": function})

    study(lambda run: run["ball.y"][-1]).run(store=tmp_path / "rows")
    with pytest.raises(RouthError, match="holds another study"):
        study(lambda run: 2.0 * run["ball.y"][-1]).run(store=tmp_path / "rows")


def test_damaged_parts_are_computed_again_and_damaged_facts_are_refused(tmp_path):
    folder = tmp_path / "rows"
    whole = grid(20).run(store=folder)
    (folder / "part-000003.parquet").write_bytes(b"PAR1 broken")
    assert grid(20).run(store=folder).arrow.equals(whole.arrow)
    facts = json.loads((folder / "study.json").read_text())
    assert facts["points"] == 20
    assert facts["seed"] == 0
    (folder / "study.json").write_text("{")
    with pytest.raises(RouthError, match="damaged"):
        grid(20).run(store=folder)


def test_a_dask_cluster_gives_the_same_table_though_a_worker_is_killed(tmp_path):
    n = 200
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        pids = [worker.pid for worker in cluster.workers.values()]
        folder = tmp_path / "rows"
        with distributed.Client(cluster) as client:
            killer = subprocess.Popen([sys.executable, "-c", f"""
import os, pathlib, signal, time
while len(list(pathlib.Path({str(folder)!r}).glob("part-*.parquet"))) < 10: time.sleep(0.01)
os.kill({pids[0]}, signal.SIGKILL)
"""])
            table = grid(n).run(client=client, store=folder)
            assert killer.wait(timeout=30) == 0
        assert table.arrow.equals(grid(n).run().arrow)
        by_address = grid(20).run(client=cluster.scheduler_address)
    assert by_address.arrow.equals(grid(20).run().arrow)


def test_a_scheduler_that_does_not_answer_is_an_error(monkeypatch):
    def refuse(*_a, **_k):
        raise OSError("Timed out trying to connect")

    monkeypatch.setattr("dask.distributed.Client", refuse)
    with pytest.raises(RouthError, match="no scheduler answers"):
        grid(20).run(client="tcp://127.0.0.1:9")


def test_studies_show_their_progress(capsys):
    Study(drop(), START, 0.2, vary={"bounce.law.e": [0.5, 0.6]}, options=rt.Options(output=[])).run(progress=True)
    assert "2/2" in capsys.readouterr().err
