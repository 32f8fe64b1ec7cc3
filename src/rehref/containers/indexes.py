"""The indexes beside a WARC file, corrected when the file is rewritten.

Their content determines their form (`containers/_cdx/index_lines.py`), and they keep it: lines, order, fields and
compression. They are corrected while both the old and the new file exist, and written when the new file is in its
place.
"""

from __future__ import annotations

import filecmp
import re
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO, NamedTuple, cast

from rehref.containers._warc.decompressed_stream import UnreadableArchiveError
from rehref.containers.parts import Diagnostic, Limits

if TYPE_CHECKING:
    from rehref.containers._cdx.moved_records import MovedRecords

_ENDINGS = (".cdxj", ".cdx", ".cdxj.gz", ".cdx.gz")
_ARCHIVES = (".warc.gz", ".warc", ".warc.zst", ".arc.gz", ".arc")
_ARCHIVE = re.compile(r"\.w?arc(?:\.gz|\.zst)?\Z", re.IGNORECASE)
_SPOOLED = 1 << 20
_GZIP = b"\x1f\x8b"
_AGAIN = "index the archive again"


class CorrectedIndex(NamedTuple):
    """An index for the new file: its path, and a temporary file with its content."""

    path: Path
    content: IO[bytes]

    def write(self, out: BinaryIO) -> None:
        """Write it to a file, and delete the temporary one."""
        import shutil

        self.content.seek(0)
        shutil.copyfileobj(self.content, out)
        self.content.close()


def indexes_beside(archive: Path) -> list[Path]:
    """The indexes of a WARC file `crawl.warc.gz`: `crawl.cdxj`, `crawl.cdx`, `crawl.warc.gz.cdxj`, or the like with
    `.gz`.
    """
    return [
        archive.with_name(name) for name in dict.fromkeys(_names(archive.name)) if archive.with_name(name).is_file()
    ]


def indexes_of_copy(archive: Path, target: Path) -> list[Path]:
    """The indexes that a new file `target` has if those of `archive` are corrected for it, in the same order."""
    return [_copied(index, archive, target) for index in indexes_beside(archive)]


def _copied(index: Path, archive: Path, target: Path) -> Path:
    """The index of a new file `target` that corresponds to an index of `archive`: that of `out.warc.gz` is `out.cdxj`
    if that of `crawl.warc.gz` was `crawl.cdxj`.
    """
    return target.with_name(_names(target.name)[_names(archive.name).index(index.name)])


def would_not_fit(index: Path, copy: Path) -> bool:
    """Whether a file is an index whose copy at `copy` would not fit the archive there, which has other bytes. Raises
    OSError.
    """
    ending = next((each for each in reversed(_ENDINGS) if index.name.endswith(each)), None)
    if ending is None:
        return False
    stem = index.name.removesuffix(ending)
    pairs = [(index.with_name(stem + each), copy.with_name(stem + each)) for each in ("", *_ARCHIVES)]
    return any(old.is_file() and new.is_file() and not filecmp.cmp(old, new, shallow=False) for old, new in pairs)


def _names(archive: str) -> list[str]:
    """The names that the indexes of a file of that name may have, always in the same order."""
    stem = _ARCHIVE.sub("", archive)
    return [before + ending for before in (stem, archive) for ending in _ENDINGS]


def corrected_indexes(
    archive: Path, target: Path, old: BinaryIO, new: BinaryIO, limits: Limits
) -> tuple[list[CorrectedIndex], list[Diagnostic]]:
    """Correct all indexes of `archive`, whose bytes are `old`, for `target`, whose bytes are `new`; both are seekable.

    One that cannot be read, or has no line about the file, is reported. Raises OSError if an index cannot be read.
    """
    found = indexes_beside(archive)
    if not found:
        return [], [Diagnostic("", "--cdx: there is no index beside it (.cdxj, .cdx, also .gz)", _AGAIN)]
    try:
        from rehref.containers._cdx.moved_records import MovedRecords

        records = {archive.name: MovedRecords(old, new, "" if target.name == archive.name else target.name)}
    except UnreadableArchiveError as error:
        return [], [error.diagnostic]
    made, diagnostics = [], []
    for index in found:
        path = _copied(index, archive, target)
        if path == index and target != archive:
            why = f"is not written, as it would replace that of {archive.name}; name another file"
            diagnostics.append(Diagnostic(f"index {index.name}", why, code="stale"))
            continue
        content, why = _corrected(index, records, limits)
        if why:
            diagnostics.append(Diagnostic(f"index {index.name}", why, _AGAIN, code="stale"))
        if content is not None:
            made.append(CorrectedIndex(path, content))
    return made, diagnostics


def _corrected(index: Path, records: dict[str, MovedRecords], limits: Limits) -> tuple[IO[bytes] | None, str]:
    """The corrected index, or None if it cannot be corrected; and the fault, "" if there is none."""
    import tempfile

    from rehref.containers._cdx import index_lines as cdxj

    content = cast(IO[bytes], tempfile.SpooledTemporaryFile(_SPOOLED))  # noqa: SIM115  # closed when it is written
    with index.open("rb") as old:
        is_packed = old.read(len(_GZIP)) == _GZIP
        old.seek(0)
        try:
            done = (cdxj.correct_packed if is_packed else cdxj.correct_lines)(old, content, records, limits)
        except cdxj.UnreadableIndexError as error:
            content.close()
            return None, str(error)
    if done.known == 0:
        content.close()
        return None, f"none of its lines is about {next(iter(records))}"
    return content, f"{done.lost:,} lines are about missing records, and stay as they are" if done.lost else ""


def not_carried_over(archive: Path, target: Path | None) -> Sequence[str]:
    """A note for each index that no longer fits the file written to `target`; None: there is no such file."""
    if target is None:
        return ()
    if target == archive:
        why = "no longer fits: its offsets are those of the old file; index the archive again, or rewrite with --cdx"
    else:
        why = f"is not carried over: --cdx writes a new one for {target.name}"
    return [f"{index} {why}" for index in indexes_beside(archive)]
