"""A collection divided into pieces of work, and the outcome of a piece as values that a manifest can store.

1. A piece is some files, or some members or records of one archive (`ContainerKind.ranges`), of about `PIECE`
   bytes. Archives that are compressed with zstd are not divided, nor are those that are read as something else: with
   header fields of their own, or as another media type.
2. The division depends on the files alone, not on who does the work: two processes can resume what one has begun.
   Pieces come in the order of the files.
3. A file that cannot be examined is a piece like others: the process that reads it reports it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, NamedTuple

from rehref.archives.rewriting_containers import RewriteCounts
from rehref.containers.kinds import WARC, of_media_type
from rehref.containers.streams import ByteRange
from rehref.documents.options import SourceOptions
from rehref.files.file_documents import FileDocument
from rehref.files.file_errors import FileError
from rehref.files.reading_files import whole_number
from rehref.rewriting.link_properties import PLACES

PIECE: Final = 32 << 20
"""Bytes of files as stored."""
_MOST_FILES: Final = 500


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
    """Whether a file, if it is an archive, is read as one, so that it may be divided (rule 1)."""
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


_COUNTS: Final = tuple(each.name for each in fields(RewriteCounts))


@dataclass(frozen=True, slots=True)
class PieceOutcome:
    """The counts of a piece, how many of its files are not documents (`others`), notes, and errors with the fields of
    `FileError`; `places`: the first places that browsers read differently. Its counts must not be changed.
    """

    counts: RewriteCounts = field(default_factory=RewriteCounts)
    others: int = 0
    notes: tuple[str, ...] = ()
    errors: tuple[tuple[str, str, str], ...] = ()
    places: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        counts: RewriteCounts,
        notes: Iterable[str],
        errors: Iterable[FileError],
        others: int = 0,
        places: tuple[str, ...] = (),
    ) -> PieceOutcome:
        """The outcome with these counts, notes and errors."""
        fields_of_errors = tuple((each.file, each.what, each.remedy) for each in errors)
        return cls(counts, others, tuple(notes), fields_of_errors, places)

    @property
    def file_errors(self) -> list[FileError]:
        """The errors as `FileError`."""
        return [FileError(*error) for error in self.errors]

    def as_object(self) -> dict[str, Any]:
        """What there is of it, for JSON: each count by its name, and the other fields."""
        numbers = {name: getattr(self.counts, name) for name in _COUNTS}
        whole = {**numbers, "others": self.others, "notes": self.notes, "errors": self.errors, "places": self.places}
        return {name: value for name, value in whole.items() if value}

    @classmethod
    def of_object(cls, found: Mapping[str, Any]) -> PieceOutcome | None:
        """The outcome that a JSON object describes; None if it does not describe one."""
        try:
            numbers = {name: whole_number(found.get(name, 0)) for name in (*_COUNTS, "others")}
        except ValueError:
            return None
        notes, errors, places = found.get("notes", ()), found.get("errors", ()), found.get("places", ())
        if not _are_texts(notes) or not _are_texts(places):
            return None
        if not isinstance(errors, list | tuple) or not all(map(_is_error, errors)):
            return None
        others = numbers.pop("others")
        return cls(RewriteCounts(**numbers), others, tuple(notes), tuple(map(tuple, errors)), tuple(places))


def _are_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)


def _is_error(value: Any) -> bool:
    return _are_texts(value) and len(value) == 3


def together(outcomes: Sequence[PieceOutcome]) -> PieceOutcome:
    """The outcomes of several pieces as one."""
    return PieceOutcome(
        RewriteCounts(*(sum(getattr(each.counts, name) for each in outcomes) for name in _COUNTS)),
        sum(each.others for each in outcomes),
        tuple(note for each in outcomes for note in each.notes),
        tuple(error for each in outcomes for error in each.errors),
        tuple(place for each in outcomes for place in each.places)[:PLACES],
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
