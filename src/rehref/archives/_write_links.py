"""Write the links of a collection into a folder, by a pool of processes.

1. Each piece has its own file, `part-00000.jsonl`, numbered in the order of the input, with as many digits as the last
   one needs, at least five: all files, concatenated in the order of their names, are what one process would have
   written. The process that reads the documents writes the file, completely or not at all,
   so memory does not grow with their number.
2. A manifest lists finished pieces (`manifest`). A run that ended for any reason can be resumed: finished pieces are
   kept, all others are done again.
3. If a process is killed, nothing is lost (`rehref.files.pool`).
4. Outcomes come as pieces are finished, so that no piece waits for a longer one before it, or on request in the order
   of the files. The files are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Final, Literal, TypeAlias, TypeVar

from rehref.archives._link_rows import LinkRow
from rehref.archives._run_manifest import Manifest, work_id
from rehref.archives.links_of_many import DocumentLinks, documents_of, notes_and_errors
from rehref.archives.pieces import PIECE, Piece, PieceDone, PieceOutcome, divided
from rehref.archives.rewriting_containers import RewriteCounts
from rehref.containers.parts import Diagnostic
from rehref.documents.options import SourceOptions
from rehref.files.file_documents import FileDocument
from rehref.files.file_errors import FileError, OtherFormatError, failure
from rehref.files.pool import how_many, results, results_as_they_come
from rehref.files.writing import clear_leftovers, write_atomically
from rehref.reports.formats import AnyText, Presentation, in_pieces, links_format

_Made = TypeVar("_Made")

Format: TypeAlias = Literal["jsonl", "parquet"]
FORMATS: Final[tuple[Format, ...]] = ("jsonl", "parquet")


def links_into(
    folder: Path,
    files: Sequence[FileDocument],
    options: SourceOptions,
    form: Format,
    *,
    jobs: int | None = None,
    resume: bool = False,
    ordered: bool = False,
    size: int = PIECE,
) -> Iterator[PieceDone]:
    """Write links into a folder, and yield the progress; the caller has to iterate. Raises `FileError`, `WorkerError`.

    `form`: one of `FORMATS`. `jobs`: how many processes, None for one for each core. `ordered`: yield outcomes in
    the order of the files, not as pieces are finished. `size`: bytes of a piece.
    """
    yield PieceDone(None, 0, sum(file.size for file in files), is_new=False)
    pieces = list(divided(files, options, size))
    manifest = Manifest(folder, work_id(form, options, pieces), resume=resume)
    complete = False
    try:
        clear_leftovers(folder)
        done = 0
        total = sum(piece.size for piece in pieces)
        known = _known(manifest, folder, form, len(pieces))
        for number, outcome, is_new in _all(pieces, known, _LinksOfPiece(folder, pieces, options, form), jobs, ordered):
            if is_new:
                manifest.add(number, outcome)
            done += pieces[number].size
            yield PieceDone(outcome, done, total, is_new)
        clear_leftovers(folder)  # of processes that were killed
        complete = True
    finally:
        manifest.close(complete=complete)


def _all(
    pieces: Sequence[Piece],
    known: Mapping[int, PieceOutcome],
    task: Callable[[Sequence[int]], PieceOutcome],
    jobs: int | None,
    ordered: bool,
) -> Iterator[tuple[int, PieceOutcome, bool]]:
    """The number of each piece, its outcome, and whether this run did it (rule 4)."""
    left = [[number] for number in range(len(pieces)) if number not in known]
    jobs = how_many(jobs, len(left), 1)
    if not ordered:
        yield from ((number, known[number], False) for number in known)
        with closing(results_as_they_come(task, left, jobs)) as found:
            yield from ((left[at][0], outcome, True) for at, outcome in found)
        return
    with closing(results(task, left, jobs)) as in_order:
        for number in range(len(pieces)):
            yield (number, known[number], False) if number in known else (number, next(in_order), True)


def _known(manifest: Manifest, folder: Path, form: Format, pieces: int) -> dict[int, PieceOutcome]:
    """The outcomes of the pieces that an earlier run has done and whose files are still there."""
    return {
        number: outcome
        for number, outcome in sorted(manifest.done.items())
        if number < pieces and (folder / part_name(number, pieces, form)).is_file()
    }


def part_name(number: int, pieces: int, form: Format) -> str:
    """The name of the file of a piece (rule 1). `pieces`: how many there are."""
    return f"part-{number:0{max(5, len(str(pieces - 1)))}}.{form}"


@dataclass(frozen=True, slots=True)
class _LinksOfPiece:
    """Writes the links of a piece. A chunk has one number, that of the piece."""

    folder: Path
    pieces: Sequence[Piece]
    options: SourceOptions
    form: Format

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
        self._documents = self._references = self._others = 0
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
                    self._documents += 1
                    self._references += references
                    self._notes += each.notes
                    yield made
                    del each, found, made  # they may be large, and the next one is read now
            except OtherFormatError as error:
                self._others += 1
                self._notes.append(str(error))
            except Exception as error:
                self._errors.append(failure(file.name, error))

    def outcome(self) -> PieceOutcome:
        """The outcome of the piece."""
        counts = RewriteCounts(documents=self._documents, references=self._references)
        return PieceOutcome.of(counts, self._notes, self._errors, self._others)


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
    from rehref.archives._link_rows import write

    def rows(name: str, read: DocumentLinks) -> tuple[Iterable[LinkRow], int]:
        return read.counted_rows(name)

    write(out, chain.from_iterable(reading.made(rows)))
