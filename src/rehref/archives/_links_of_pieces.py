"""The links of a piece of a collection, written into a file of its own (`rehref.archives.many_files`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import BinaryIO, TypeVar

from rehref.archives.links_of_many import DocumentLinks, LinkRow, documents_of, notes_and_errors
from rehref.archives.pieces import Piece, PieceOutcome, RunCounts
from rehref.containers.parts import Diagnostic
from rehref.documents.options import SourceOptions
from rehref.files.file_errors import FileError, OtherFormatError, failure
from rehref.files.writing import write_atomically
from rehref.reports.formats import AnyText, Presentation, in_pieces, links_format

_Made = TypeVar("_Made")


def part_name(number: int, pieces: int, form: str) -> str:
    """The name of the file of a piece: `part-00000.jsonl`, with as many digits as the last of `pieces` needs."""
    return f"part-{number:0{max(5, len(str(pieces - 1)))}}.{form}"


@dataclass(frozen=True, slots=True)
class LinksOfPiece:
    """Writes the links of a piece. A chunk has one number, that of the piece."""

    folder: Path
    pieces: Sequence[Piece]
    options: SourceOptions
    form: str

    def __call__(self, chunk: Sequence[int]) -> PieceOutcome:
        """Write the file of the piece; its outcome. Raises `FileError` if the file cannot be written."""
        (number,) = chunk
        reading = _Reading(self.pieces[number], self.options)
        write = _write_jsonl if self.form == "jsonl" else _write_parquet

        def content(out: BinaryIO) -> None:
            write(out, reading)

        write_atomically(self.folder / part_name(number, len(self.pieces), self.form), content)
        return reading.outcome()


class _Reading:
    """Reads the documents of a piece, and counts them and their references."""

    def __init__(self, piece: Piece, options: SourceOptions) -> None:
        self._piece, self._options = piece, options
        self._counts = RunCounts()
        self._notes: list[str] = []
        self._errors: list[FileError] = []

    def made(self, work: Callable[[str, DocumentLinks], tuple[_Made, int]]) -> Iterator[_Made]:
        """Call `work` for each document, and yield the results.

        `work` gets the name of the file and the document, and returns its result and how many links there are. An
        error in a file is recorded, and the other files are read.
        """
        for file in self._piece.files:
            try:
                for each in documents_of(file, self._options, self._piece.within):
                    found = each if isinstance(each, Diagnostic) else each.guarded(partial(work, file.name))
                    if isinstance(found, Diagnostic):
                        notes, errors = notes_and_errors(file, [found])
                        self._notes += notes
                        self._errors += errors
                        continue
                    assert not isinstance(each, Diagnostic)
                    made, references = found
                    self._counts.documents += 1
                    self._counts.references += references
                    self._notes += each.notes
                    yield made
                    del each, found, made  # they may be large, and the next one is read now
            except OtherFormatError as error:
                self._counts.others += 1
                self._notes.append(str(error))
            except Exception as error:
                self._errors.append(failure(file.name, error))

    def outcome(self) -> PieceOutcome:
        """The outcome of the piece."""
        return PieceOutcome(self._counts, tuple(self._notes), tuple(self._errors))


def _write_jsonl(out: BinaryIO, reading: _Reading) -> None:
    form = links_format("jsonl", Presentation())

    def written(name: str, read: DocumentLinks) -> tuple[AnyText, int]:
        found = form.written(name, read.document, read.where)
        if found is not None:
            return found
        links = read.links
        text = form.document(name, read.document.base, links, read.where)
        return text.encode("utf-8", "backslashreplace"), len(links)

    texts: Iterator[AnyText] = reading.made(written)
    for text in texts:
        out.writelines(in_pieces(text))


def _write_parquet(out: BinaryIO, reading: _Reading) -> None:
    from rehref.archives._parquet import write

    def rows(name: str, read: DocumentLinks) -> tuple[Iterable[LinkRow], int]:
        return read.counted_rows(name)

    write(out, chain.from_iterable(reading.made(rows)))
