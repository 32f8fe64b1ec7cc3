"""The pieces of files that are rewritten by a pool of processes (`rehref.archives.many_files`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from rehref.archives._archive_hashes import ArchivePiece, hashes_in_archives
from rehref.archives._run_manifest import Manifest, OtherRunError, status_of, work_id
from rehref.archives.links_of_many import notes_and_errors
from rehref.archives.pieces import Piece, PieceDone, PieceOutcome, RunCounts, ranges_of, together
from rehref.archives.rewriting_files import RewriteOptions, rewrite_found
from rehref.archives.targets_of_rewriting import FileToRewrite, PartTarget
from rehref.containers.parts import Limits
from rehref.documents.options import SourceOptions
from rehref.files.discovery import is_container_name
from rehref.files.file_documents import real_path_within
from rehref.files.file_errors import FileError, failure
from rehref.files.pool import how_many, results
from rehref.files.writing import clear_leftovers

if TYPE_CHECKING:
    from rehref.archives._container_integrity import ContainerHashes
    from rehref.containers.streams import ByteRange

PART: Final = ".part"
_MOST_FILES: Final = 16
"""How many small files a process gets at a time."""
_WORTH_A_PROCESS: Final = 12
_LARGE: Final = 1 << 20


class PieceToRewrite(NamedTuple):
    """A piece: the number of its file, and its bytes; for a part of an archive also its range, and its own path."""

    number: int
    size: int
    within: ByteRange | None = None
    path: Path | None = None


def work_of(files: Sequence[FileToRewrite], pieces: Sequence[PieceToRewrite], what: str, options: SourceOptions) -> str:
    """What identifies the work: `what`, the files, how they are divided, where they are written, and the indexes."""
    targets = [str(each.target.path) for each in files]
    indexes = [(index, status_of(index)) for file, target in files for index in target.sources_of_indexes(file)]
    of_files = [Piece((files[each.number].file,), each.size, each.within) for each in pieces]
    return work_id(f"rewrite {what} {targets} {indexes}", options, of_files)


def divided_for_rewriting(
    files: Sequence[FileToRewrite], unfinished: Path | None, size: int
) -> Iterator[PieceToRewrite]:
    """The pieces of all files, in order; archives are divided if there is a folder for unfinished work."""
    at = 0
    for number, (file, _) in enumerate(files):
        length = file.size
        ranges = ranges_of(file.path, length, size) if unfinished else []
        if len(ranges) < 2 or unfinished is None:
            yield PieceToRewrite(number, length)
            at += 1
            continue
        for each in ranges:
            yield PieceToRewrite(number, each.end - each.start, each, unfinished / f"{at:05}{PART}")
            at += 1


def begun(unfinished: Path, work: str, *, resume: bool) -> Manifest | None:
    """The manifest; None if another run has the folder: then nothing can be resumed. Raises `FileError`."""
    real_path_within(unfinished.parent, unfinished)
    try:
        clear_leftovers(unfinished)
        return Manifest(unfinished, work, resume=resume, leaves=_is_part)
    except OtherRunError:
        if resume:
            raise
        return None


def _is_part(path: Path) -> bool:
    return path.suffix == PART


def _is_archive(files: Sequence[FileToRewrite], piece: PieceToRewrite) -> bool:
    """Whether a piece is examined with others, for hashes. One with another name is examined alone."""
    return piece.within is not None or is_container_name(files[piece.number].file.name)


def _remove(parts: Iterable[Path]) -> None:
    for part in parts:
        with suppress(OSError):
            part.unlink(missing_ok=True)


class RewritingRun(NamedTuple):
    """Goes through the pieces. `known`: the outcomes of finished pieces, and after their numbers of joined archives."""

    files: Sequence[FileToRewrite]
    pieces: Sequence[PieceToRewrite]
    known: dict[int, PieceOutcome]
    manifest: Manifest | None

    def progress(self, wanted: RewriteOptions, options: SourceOptions, jobs: int | None) -> Iterator[PieceDone]:
        """Do what is left, and yield the outcomes in order."""
        for number in [each for each in self.known if not self._is_there(each)]:
            del self.known[number]
        left = [number for number in range(len(self.pieces)) if self._is_left(number)]
        chunks = list(self._chunks(left))
        weight = sum(_WORTH_A_PROCESS if self.pieces[each].size >= _LARGE else 1 for each in left)
        jobs = min(how_many(jobs, weight, _WORTH_A_PROCESS), max(len(chunks), 1))
        done, total = 0, sum(piece.size for piece in self.pieces)
        parts: list[Path] = []
        of_parts: list[PieceOutcome] = []
        hashes = self._hashes(wanted, options, jobs) if left else None
        with closing(results(_Rewrite(self.files, self.pieces, wanted, options, hashes), chunks, jobs)) as found:
            outcomes = chain.from_iterable(found)
            for number, piece in enumerate(self.pieces):
                is_new = self._is_left(number)
                outcome = next(outcomes) if is_new else self.known.get(number, PieceOutcome())
                if is_new:
                    self._add(number, outcome)
                done += piece.size
                name = self.files[piece.number].file.name
                if piece.path is None:
                    yield PieceDone(outcome, done, total, is_new, name)
                    continue
                parts.append(piece.path)
                of_parts.append(outcome)
                if number + 1 < len(self.pieces) and self.pieces[number + 1].number == piece.number:
                    yield PieceDone(None, done, total, is_new, name)
                    continue
                whole = self._whole(piece.number, parts, of_parts, options)
                if self._key(piece.number) in self.known:  # perhaps since an earlier run
                    _remove(parts)
                yield PieceDone(whole, done, total, is_new, name)
                parts, of_parts = [], []

    def _hashes(self, wanted: RewriteOptions, options: SourceOptions, jobs: int) -> ContainerHashes | None:
        """The hashes in archives that are rewritten together; None if one is rewritten alone."""
        if not wanted.all_types or wanted.as_conversion:
            return None
        archives = [each for each in self.pieces if _is_archive(self.files, each)]
        pieces = [ArchivePiece(self.files[each.number].file, each.within) for each in archives]
        return hashes_in_archives(pieces, wanted, options, jobs) if len(pieces) > 1 else None

    def _chunks(self, left: Sequence[int]) -> Iterator[list[int]]:
        """The pieces that a process gets at a time: a large one, or some small files."""
        most = max(1, min(_MOST_FILES, len(left) // 8))
        chunk: list[int] = []
        size = 0
        for number in left:
            chunk.append(number)
            size += self.pieces[number].size
            if len(chunk) == most or size >= _LARGE:
                yield chunk
                chunk, size = [], 0
        if chunk:
            yield chunk

    def _key(self, file: int) -> int:
        """The number under which a joined archive is recorded."""
        return len(self.pieces) + file

    def _is_left(self, number: int) -> bool:
        return number not in self.known and self._key(self.pieces[number].number) not in self.known

    def _is_there(self, number: int) -> bool:
        """Whether the output of an earlier run is still there."""
        if number >= len(self.pieces):
            at = number - len(self.pieces)
            return at < len(self.files) and self._is_written(at)
        piece = self.pieces[number]
        if piece.path is not None:
            return piece.path.is_file()
        return not self.known[number].errors and self._is_written(piece.number)  # a file of that name may be older

    def _is_written(self, at: int) -> bool:
        file, target = self.files[at]
        return target.is_written(file)

    def _add(self, number: int, outcome: PieceOutcome) -> None:
        self.known[number] = outcome
        if self.manifest is not None:
            self.manifest.add(number, outcome)

    def _whole(
        self, number: int, parts: Sequence[Path], of_parts: Sequence[PieceOutcome], options: SourceOptions
    ) -> PieceOutcome:
        """Join the parts of an archive, if that is not done; return the outcome of all. Content raises nothing."""
        key = self._key(number)
        if key in self.known:
            return self.known[key]
        file, target = self.files[number]
        outcome = together(of_parts)
        gone = [of_part for part, of_part in zip(parts, of_parts, strict=True) if not part.is_file()]
        if not all(each.errors for each in gone):
            error = FileError(file.name, "its parts are no longer there", "run it again")
            return together([outcome, PieceOutcome(errors=(error,))])
        if gone:  # the errors were reported; these parts can be tried again
            return outcome
        try:
            indexes = target.join(file, parts, Limits.of(options), changed=outcome.counts.is_any_changed)
        except Exception as error:
            return together([outcome, PieceOutcome(errors=(failure(file.name, error),))])
        notes, errors = notes_and_errors(file, indexes.diagnostics)
        outcome = together([outcome, PieceOutcome(RunCounts(parted=indexes.parted), (*notes, *indexes.notes), errors)])
        self._add(key, outcome)
        return outcome


@dataclass(frozen=True, slots=True)
class _Rewrite:
    """Rewrite some pieces, which are given by their numbers."""

    files: Sequence[FileToRewrite]
    pieces: Sequence[PieceToRewrite]
    wanted: RewriteOptions
    options: SourceOptions
    hashes: ContainerHashes | None

    def __call__(self, chunk: Sequence[int]) -> list[PieceOutcome]:
        """Return the outcomes, in order."""
        return [self._outcome(self.pieces[number]) for number in chunk]

    def _outcome(self, piece: PieceToRewrite) -> PieceOutcome:
        file, target = self.files[piece.number]
        to = target if piece.path is None else PartTarget(piece.path)
        try:
            hashes = self.hashes if _is_archive(self.files, piece) else None
            return rewrite_found(file, to, self.wanted, self.options, piece.within, hashes)
        except Exception as error:
            return PieceOutcome(errors=(failure(file.name, error),))
