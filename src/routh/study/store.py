"""The folder of a study: `study.json`, and one Parquet file per stretch of points, each written whole or not at all.

A stretch is there or it is not, so a study that was killed at any moment goes on with the stretches that are missing, and
ends with the same table.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from routh.errors import RouthError
from routh.whole_file import whole_file, write_whole

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Store", "table_of"]

FORMAT = 1


def table_of(columns: Mapping[str, Any]) -> pa.Table:
    """Columns as an Arrow table; None is a missing value."""
    import pyarrow as pa

    return pa.table(dict(columns))


class Store:
    """Where the rows of one study are kept."""

    def __init__(self, folder: str | Path, digest: str, facts: Mapping[str, Any], resume: bool) -> None:
        self.folder = Path(folder)
        self.file = self.folder / "study.json"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if self.file.exists():
                self._compare(digest)
            else:
                if any(self.folder.iterdir()):
                    raise RouthError(f"{self.folder}: holds files that are not those of a study; give an empty folder")
                write_whole(self.file, json.dumps({"format": FORMAT, "digest": digest, **facts}, indent=1))
            for part in self.folder.glob(".part-*"):  # what a process left that was killed while it wrote
                part.unlink(missing_ok=True)
        except OSError as error:
            raise RouthError(f"{self.folder}: cannot be used as the store of a study: {error.strerror or error}") from None
        self.done = {number for number in map(_number, self.folder.glob("part-*.parquet")) if self._whole(number)}
        if self.done and not resume:
            raise RouthError(f"{self.folder}: holds {len(self.done)} parts of this study already; resume it, or give another "
                             "folder")

    def _compare(self, digest: str) -> None:
        try:
            known = json.loads(self.file.read_text())
            same = known["digest"] == digest
        except (ValueError, KeyError, TypeError):
            raise RouthError(f"{self.file}: is damaged; give another folder") from None
        if known.get("format") != FORMAT:
            raise RouthError(f'{self.file}: has format {known.get("format")!r}; this version reads {FORMAT}')
        if not same:
            raise RouthError(f"{self.folder}: holds another study (model, settings, points or version differ); give another "
                             "folder")

    def path(self, number: int) -> Path:
        """The file of stretch `number`."""
        return self.folder / f"part-{number:06d}.parquet"

    def _whole(self, number: int) -> bool:
        """Whether a part can be read; a damaged one is computed again."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            pq.read_metadata(self.path(number))
        except (pa.ArrowException, OSError):
            return False
        return True

    def add(self, number: int, table: pa.Table) -> None:
        """Write one stretch."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            with whole_file(self.path(number)) as part:
                pq.write_table(table, part)
        except (OSError, pa.ArrowException) as error:
            reason = getattr(error, "strerror", None) or error
            raise RouthError(f"{self.path(number)}: cannot be written: {reason}. The {len(self.done)} parts before it are "
                             "kept; make room and resume the study") from None
        self.done.add(number)

    def read(self, numbers: Sequence[int]) -> pa.Table:
        """The rows of these stretches, in order."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        return pa.concat_tables([pq.read_table(self.path(number)) for number in numbers], promote_options="permissive")


def _number(path: Path) -> int:
    digits = path.stem.removeprefix("part-")
    return int(digits) if digits.isascii() and digits.isdigit() else -1
