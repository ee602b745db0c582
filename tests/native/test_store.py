"""Machine code on disk: whole files only, damaged ones built again, foreign ones never loaded."""

import os
import time

import pytest

from routh.core.tables.entries import entry_of
from routh.native import store

ENTRY = entry_of("displace", "planar")


@pytest.fixture(autouse=True)
def fresh(monkeypatch, tmp_path):
    """A cache folder of this test's own."""
    monkeypatch.setenv("ROUTH_CACHE", str(tmp_path / "cache"))
    store.cache_folder.cache_clear()
    yield
    store.cache_folder.cache_clear()


def put(tmp_path, data=b"machine code", suffix=store.SHARED):
    file = tmp_path / f"made{suffix}"
    file.write_bytes(data)
    store.put(ENTRY, "v3", file)
    return store.find_cached(ENTRY, "v3")


def test_what_is_put_is_found(tmp_path):
    assert put(tmp_path).read_bytes() == b"machine code"
    assert store.find_cached(ENTRY, "v2") is None


@pytest.mark.parametrize("damage", [b"", b"machine", b"machine cod3", b"machine code and more"])
def test_a_damaged_file_counts_as_absent(tmp_path, damage, caplog):
    path = put(tmp_path)
    path.write_bytes(damage)
    assert store.find_cached(ENTRY, "v3") is None
    assert not path.exists()
    assert "was damaged and is compiled again" in caplog.text


def test_a_whole_object_is_found_beside_a_damaged_library(tmp_path):
    put(tmp_path).write_bytes(b"cut")
    assert put(tmp_path, suffix=store.OBJECT).suffix == store.OBJECT


def test_without_a_linker_only_objects_are_taken(tmp_path, monkeypatch):
    put(tmp_path)
    monkeypatch.setenv("ROUTH_LINKER", "none")
    assert store.find_cached(ENTRY, "v3") is None
    assert store.linker() is None


def test_what_nobody_uses_is_pruned_and_the_rest_of_a_killed_build_too(tmp_path):
    path = put(tmp_path)
    old = path.with_name("routh_any_old-v3-00.11.so")
    part = path.with_name(".part-killed")
    for file, age in ((old, 40 * 86400), (part, 7200)):
        file.write_bytes(b"x")
        os.utime(file, (time.time() - age,) * 2)
    store.prune()
    assert path.exists()
    assert not old.exists()
    assert not part.exists()


def private(folder, caplog):
    """Whether the cache is a folder of this process, and the user has been told."""
    return "routh-kernels-" in folder.name and "Set ROUTH_CACHE to a folder of your own" in caplog.text


def test_the_folder_is_the_users_own_whatever_the_umask(tmp_path):
    before = os.umask(0o002)
    try:
        folder = store.cache_folder()
    finally:
        os.umask(before)
    assert folder == tmp_path / "cache" / "kernels"
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_others_can_write_to_is_not_used(tmp_path, caplog):
    shared = tmp_path / "cache" / "kernels"
    shared.mkdir(parents=True)
    shared.chmod(0o777)
    assert private(store.cache_folder(), caplog)
    assert "can be written to by others" in caplog.text


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_not_used(tmp_path, caplog):
    other = tmp_path / "cache" / "kernels"
    other.mkdir(parents=True)
    os.chown(other, 12345, 12345)
    assert private(store.cache_folder(), caplog)


def test_a_read_only_folder_is_not_used(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(os, "access", lambda *arguments: False)
    assert private(store.cache_folder(), caplog)
    assert "cannot be written to" in caplog.text


def test_a_missing_home_is_survived(monkeypatch, tmp_path, caplog):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.delenv("ROUTH_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "file"))
    assert private(store.cache_folder(), caplog)
