"""Compiling what is missing: from an empty cache, twice at once, after a kill, without a linker, without Numba."""

import os
import signal
import subprocess
import sys
import time

import pytest

from routh.core.tables.entries import ENTRIES, entry_of
from routh.errors import RouthError
from routh.native import build, store
from routh.native.levels import host_level, levels_of

# moves a coordinate by a displacement: the smallest entry point, some seconds with the start of the compiler
SCRIPT = """
import numpy as np, routh as rt, sys
from routh import joints
compiled = rt.compile_model(rt.Model("planar", [rt.Body("b", 1.0, 1.0)], [joints.Revolute("pin", "ground", "b")]))
print(compiled._machine.displaced(np.array([0.25]), np.array([0.5])))
print("llvmlite" in sys.modules)
"""


def displace(cache, **environment):
    """A process that compiles `displace` into a cache and calls it."""
    settings = {"ROUTH_CACHE": str(cache), "ROUTH_KERNELS": "compile"} | environment
    return subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=os.environ | settings)


def finish(process, loaded_by_llvm=False):
    out, err = process.communicate(timeout=120)
    assert out.split("\n")[:2] == ["[0.75]", str(loaded_by_llvm)], err
    return err


def test_what_is_missing_is_compiled_once_and_then_found(tmp_path):
    assert "compiling 1 kernels for this machine, once" in finish(displace(tmp_path))
    assert "compiling" not in finish(displace(tmp_path))


def test_a_machine_without_a_linker_loads_the_object(tmp_path):
    finish(displace(tmp_path, ROUTH_LINKER="none"), loaded_by_llvm=True)
    kept = {path.suffix for path in (tmp_path / "kernels").iterdir()}
    assert kept == {".o"}


def test_two_processes_that_build_at_once_both_get_it(tmp_path):
    first, second = displace(tmp_path), displace(tmp_path)
    finish(first)
    finish(second)
    assert len(list((tmp_path / "kernels").glob("*.o"))) == 1


def test_a_killed_build_leaves_nothing_in_the_way(tmp_path):
    killed = displace(tmp_path)
    time.sleep(1.0)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    finish(displace(tmp_path))


def test_an_interrupted_build_leaves_no_process_behind(tmp_path):
    """SIGINT to the process alone, as a notebook sends it."""
    process = displace(tmp_path)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=10)
    time.sleep(0.5)
    running = subprocess.run(["ps", "-eo", "ppid,args"], capture_output=True, text=True, check=True).stdout
    assert not [line for line in running.splitlines() if "routh.native.worker" in line and str(process.pid) in line.split()[0]]


@pytest.mark.parametrize("text", ["[1]", "null", "{}", '{"libraries": 1}', '{"libraries": {"v3": {}}, "entries": {}}', "{"])
def test_a_manifest_that_makes_no_sense_counts_as_none(tmp_path, monkeypatch, text):
    monkeypatch.setattr(store, "LIBRARY", tmp_path)
    (tmp_path / "manifest.json").write_text(text)
    assert store._manifest.__wrapped__() == {}


def test_a_truncated_kernel_is_compiled_again(tmp_path):
    finish(displace(tmp_path))
    for path in (tmp_path / "kernels").iterdir():
        path.write_bytes(path.read_bytes()[:500])
    err = finish(displace(tmp_path))
    assert "was damaged and is compiled again" in err
    assert "compiling 1 kernels" in err


def test_a_library_that_is_damaged_is_not_loaded(tmp_path, monkeypatch, caplog):
    manifest = store._manifest()
    assert manifest, "make kernels has not run"
    monkeypatch.setattr(store, "LIBRARY", tmp_path)
    (tmp_path / manifest["libraries"][host_level()]["file"]).write_bytes(b"\x7fELF cut short")
    assert store._library.__wrapped__(host_level()) is None
    assert "is damaged; reinstall routh" in caplog.text


def test_without_numba_the_message_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setattr(build, "compilers", lambda: "")
    with pytest.raises(RouthError, match=r"pip install 'routh\[compile\]'"):
        build.compile_all([entry_of("displace", "planar")], ["v3"], tmp_path, None)


def test_a_failed_compilation_says_why(monkeypatch, tmp_path):
    with pytest.raises(RouthError, match="compiling kernels failed: KeyError: 'v9'"):
        build.compile_all([entry_of("displace", "planar")], ["v9"], tmp_path, lambda *said: None)


def test_an_unknown_level_is_refused(monkeypatch):
    monkeypatch.setenv("ROUTH_CPU", "pentium")
    with pytest.raises(RouthError, match='ROUTH_CPU = "pentium" is no CPU level'):
        host_level.__wrapped__()


def test_levels_follow_the_architecture():
    assert levels_of("x86_64") == levels_of("AMD64") == ("v2", "v3")
    assert levels_of("arm64") == levels_of("aarch64") == ("generic",)


def test_a_linker_that_fails_says_so(tmp_path, monkeypatch):
    broken = tmp_path / "broken.o"
    broken.write_bytes(b"no object")
    with pytest.raises(RouthError, match="could not link"):
        build.link([broken], tmp_path / "broken.so")


def test_the_library_holds_every_entry_point_of_these_sources():
    manifest = store._manifest()
    assert set(manifest["entries"]) == {entry.symbol for entry in ENTRIES.values()}
    assert set(manifest["libraries"]) == set(levels_of(os.uname().machine))
    for entry in ENTRIES.values():
        assert getattr(store.packaged(entry, host_level()), entry.symbol)
