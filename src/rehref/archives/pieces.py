"""A collection divided into pieces of work, and the outcome of a piece as values that a manifest can store.

A piece is some files, or some members or records of one archive (`ContainerKind.ranges`), of about `PIECE` bytes, in
the order of the files. The division depends on the files alone, not on who does the work: two processes can resume what
one has begun. A file that cannot be examined is a piece like others: the process that reads it reports it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

from rehref.containers.kinds import WARC, of_media_type
from rehref.containers.streams import ByteRange
from rehref.documents.options import SourceOptions
from rehref.files.file_documents import FileDocument
from rehref.files.file_errors import FileError
from rehref.files.reading_files import whole_number
from rehref.reports.terminal import count, not_documents

PIECE: Final = 32 << 20
"""Bytes of files as stored."""
_MOST_FILES: Final = 500
PLACES: Final = 3
"""How many places are named that browsers read differently."""


class Piece(NamedTuple):
    """Files to process one after the other. `within`: a range of the only one. `size`: bytes, for progress."""

    files: tuple[FileDocument, ...]
    size: int
    within: ByteRange | None = None


def divided(files: Iterable[FileDocument], options: SourceOptions, size: int = PIECE) -> Iterator[Piece]:
    """Divide files into pieces of about `size` bytes."""
    waiting: list[FileDocument] = []
    together = 0
    for file in files:
        length = file.size
        ranges = ranges_of(file.path, length, size) if may_divide(file, options) else []
        if waiting and (together + length > size or len(waiting) == _MOST_FILES):
            yield Piece(tuple(waiting), together)
            waiting, together = [], 0
        if len(ranges) > 1:
            yield from (Piece((file,), each.end - each.start, each) for each in ranges)
        else:
            waiting.append(file)
            together += length
    if waiting:
        yield Piece(tuple(waiting), together)


def may_divide(file: FileDocument, options: SourceOptions) -> bool:
    """Whether a file, if it is an archive, is read as one, so that it may be divided.

    One with header fields of its own, or read as another media type, is not; nor is one compressed with zstd.
    """
    given = options.media_type
    return file.headers is None and (given is None or of_media_type(given) is WARC)


def ranges_of(path: Path | None, length: int, size: int) -> list[ByteRange]:
    """The ranges of about `size` bytes that a file of `length` bytes is divided into; [] if it is not divided."""
    if path is None or length <= size:
        return []
    try:
        with path.open("rb") as stream:
            return WARC.ranges(stream, length, size)
    except OSError:
        return []


@dataclass(slots=True)
class RunCounts:
    """What is counted while documents are read or rewritten: in one, or over all.

    `others`: files that are not documents. `failed`: what is reported as an error. `missing`: references that were
    written, but lead to missing files; `otherwise`: those that were left, or written in another way, since browsers
    read them differently; `withheld`: those that stay, so that they do not become `file:` URIs of this machine;
    `parted`: files whose other names (hard links) keep the old content; `web`: what browsers load from the web in an
    offline copy; `kept_bases`: documents that need their base, `hashes`: those with new hashes of others. `places`:
    the first places that browsers read differently.
    """

    documents: int = 0
    others: int = 0
    failed: int = 0
    references: int = 0
    changed: int = 0
    changed_documents: int = 0
    missing: int = 0
    otherwise: int = 0
    withheld: int = 0
    parted: int = 0
    web: int = 0
    kept_bases: int = 0
    hashes: int = 0
    places: tuple[str, ...] = ()

    def add(self, other: RunCounts) -> None:
        """Add the counts of another run to these."""
        for name, number in zip(_NAMES, _values_of(other), strict=True):
            if number:
                setattr(self, name, getattr(self, name) + number)

    @property
    def is_any_changed(self) -> bool:
        """Whether anything has changed."""
        return self.changed > 0 or self.hashes > 0

    @property
    def is_failure(self) -> bool:
        """Whether any document failed, or all that could be done was to leave references unchanged."""
        return self.failed > 0 or (self.withheld > 0 and not self.changed)

    @property
    def documents_and_others(self) -> str:
        """`1 document`, `9 documents; 31 files are not documents`."""
        return count(self.documents, "document") + (f"; {not_documents(self.others)}" if self.others else "")


_NAMES: Final = tuple(each.name for each in fields(RunCounts))
_NUMBERS: Final = tuple(name for name in _NAMES if name != "places")
_values_of = attrgetter(*_NAMES)


@dataclass(frozen=True, slots=True)
class PieceOutcome:
    """The outcome of a piece, or of a file: counts, which must not be changed, notes and errors."""

    counts: RunCounts = field(default_factory=RunCounts)
    notes: tuple[str, ...] = ()
    errors: tuple[FileError, ...] = ()

    def as_object(self) -> dict[str, Any]:
        """What there is of it, for JSON: each count by its name, notes, and errors with the fields of `FileError`."""
        errors = [(each.file, each.what, each.remedy) for each in self.errors]
        whole = {**{name: getattr(self.counts, name) for name in _NAMES}, "notes": self.notes, "errors": errors}
        return {name: value for name, value in whole.items() if value}

    @classmethod
    def of_object(cls, found: Mapping[str, Any]) -> PieceOutcome | None:
        """The outcome that a JSON object describes; None if it does not describe one."""
        try:
            numbers = {name: whole_number(found.get(name, 0)) for name in _NUMBERS}
        except ValueError:
            return None
        notes, errors, places = found.get("notes", ()), found.get("errors", ()), found.get("places", ())
        if not _are_texts(notes) or not _are_texts(places):
            return None
        if not isinstance(errors, list | tuple) or not all(map(_is_error, errors)):
            return None
        return cls(RunCounts(**numbers, places=tuple(places)), tuple(notes), tuple(FileError(*each) for each in errors))


def _are_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)


def _is_error(value: Any) -> bool:
    return _are_texts(value) and len(value) == 3


def together(outcomes: Sequence[PieceOutcome]) -> PieceOutcome:
    """The outcomes of several pieces as one."""
    counts = RunCounts()
    for each in outcomes:
        counts.add(each.counts)
    counts.places = counts.places[:PLACES]
    return PieceOutcome(
        counts,
        tuple(note for each in outcomes for note in each.notes),
        tuple(error for each in outcomes for error in each.errors),
    )


class PieceDone(NamedTuple):
    """A finished piece: its outcome, the bytes done, the bytes in all, and whether this run did it.

    `outcome`: None for the first `PieceDone`, when nothing is done, and for a piece of a file before its last one.
    `name`: of the file, "" if there are several.
    """

    outcome: PieceOutcome | None
    done: int
    total: int
    is_new: bool
    name: str = ""
