"""Files are written whole or not at all, and errors name them."""

from __future__ import annotations

import os
import stat

import pytest

from routh.whole_file import whole_file, write_whole


def test_a_file_is_replaced_in_one_go_and_keeps_its_mode(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("old")
    path.chmod(0o640)
    with whole_file(path) as part:
        part.write_text("new and longer")
        assert path.read_text() == "old"
        assert part.parent == path.parent
        assert part.suffix == ".txt"
    assert path.read_text() == "new and longer"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["file.txt"]


def test_a_writer_that_fails_leaves_the_old_file_alone(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError), whole_file(path) as part:
        part.write_text("ne\ud800")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["file.txt"]


def test_the_mask_of_the_user_applies_to_new_files(tmp_path):
    old = os.umask(0o027)
    try:
        assert stat.S_IMODE(write_whole(tmp_path / "new", b"1").stat().st_mode) == 0o640
    finally:
        os.umask(old)


def test_a_symbolic_link_stays_a_link(tmp_path):
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_whole(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_pipe_or_device_is_written_to_directly():
    write_whole("/dev/null", "gone")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.parametrize("place", ["nowhere/file", "."])
def test_an_error_names_the_target(tmp_path, place):
    with pytest.raises(OSError) as caught:
        write_whole(tmp_path / place, b"1")
    assert caught.value.filename == str(tmp_path / place)
