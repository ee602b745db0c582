"""Files that are written whole or not at all.

A file is written under a temporary name in the folder of its target and then renamed. A full disk, a crash or a kill leaves
the old file as it was. Errors name the target.
"""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["whole_file", "write_whole"]


def write_whole(path: str | Path, data: bytes | str) -> Path:
    """Write `data` to `path`, text as UTF-8; OSError names `path`."""
    with whole_file(path) as part:
        part.write_bytes(data.encode() if isinstance(data, str) else data)
    return Path(path)


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """A temporary path with the suffix of `path`, for writers that want a name. It becomes `path` when the block ends.

    A target that exists and is no regular file, such as a pipe or /dev/null, is written to directly. A symbolic link stays,
    and the file behind it is replaced.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file() and not target.is_dir():
        yield target
        return
    part = target.with_name(f".part-{secrets.token_hex(8)}{target.suffix}")
    try:
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))  # the user's mask applies
        if target.exists():
            part.chmod(target.stat().st_mode & 0o777)
        yield part
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        os.replace(part, target)
    except OSError as error:
        raise OSError(error.errno or errno.EIO, error.strerror or str(error), str(path)) from error
    finally:
        part.unlink(missing_ok=True)
