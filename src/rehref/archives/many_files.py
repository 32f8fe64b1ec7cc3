"""Work on many files by a pool of processes: rewrite them, large archives in parts, or write their links into a folder.

A piece is a file, or a range of an archive (`rehref.archives.pieces`). A manifest records finished pieces, so that an
interrupted run can be resumed; one that resumes does again what failed, and what is no longer there. If a process is
killed, nothing is lost (`rehref.files.pool`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from rehref.archives._run_manifest import Manifest, work_id
from rehref.archives.pieces import PIECE, Piece, PieceDone, PieceOutcome, divided, may_divide
from rehref.archives.targets_of_rewriting import FileToRewrite
from rehref.documents.options import SourceOptions
from rehref.files.file_documents import FileDocument
from rehref.files.pool import how_many, results, results_as_they_come
from rehref.files.writing import clear_leftovers

if TYPE_CHECKING:
    from rehref.archives.rewriting_files import RewriteOptions

Format: TypeAlias = Literal["jsonl", "parquet"]
FORMATS: Final[tuple[Format, ...]] = ("jsonl", "parquet")
UNFINISHED: Final = "_rehref-unfinished"
"""The name of the folder for unfinished work: the manifest, and the parts of archives until they are joined, in
order."""


def rewrite_many(
    files: Sequence[FileToRewrite],
    wanted: RewriteOptions,
    options: SourceOptions,
    *,
    unfinished: Path | None = None,
    what: str = "",
    jobs: int | None = None,
    resume: bool = False,
    size: int = PIECE,
) -> Iterator[PieceDone]:
    """Rewrite files, and yield the progress, in the order of the files; the caller has to iterate.

    `unfinished`: the folder for unfinished work, which is removed at the end, unless it has parts of an archive that
    could not be written. Without it, or while another run uses it, archives are not divided, and nothing can be
    resumed. `what`: what the work depends on besides the files, so that other work is not resumed. `jobs`: how many
    processes; None for as many as are useful, at most one for each core. `resume`: else it starts again, and
    overwrites. `size`: bytes of a piece. Raises `FileError`, `WorkerError`.
    """
    from rehref.archives._rewriting_pieces import PART, RewritingRun, begun, divided_for_rewriting, work_of

    yield PieceDone(None, 0, sum(each.file.size for each in files), is_new=False)
    may_all = all(may_divide(each.file, options) for each in files)
    pieces = list(divided_for_rewriting(files, unfinished if may_all else None, size))
    manifest: Manifest | None = None
    if unfinished is not None and len(pieces) > 1:
        manifest = begun(unfinished, work_of(files, pieces, what, options), resume=resume)
        if manifest is None:
            pieces = list(divided_for_rewriting(files, None, size))
    if manifest is None:
        yield from RewritingRun(files, pieces, {}, None).progress(wanted, options, jobs)
        _clear_targets(files)
        return
    complete = False
    try:
        yield from RewritingRun(files, pieces, manifest.done, manifest).progress(wanted, options, jobs)
        _clear_targets(files)
        complete = True
    finally:
        assert unfinished is not None
        nothing_left = complete and not any(unfinished.glob(f"*{PART}"))
        manifest.close(complete=complete, remove=nothing_left or not manifest.done)


def _clear_targets(files: Iterable[FileToRewrite]) -> None:
    """Remove the temporary files of processes that were killed."""
    for folder in {target.path.parent for _, target in files}:
        clear_leftovers(folder)


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

    Each piece has its own file, `part-00000.jsonl`, numbered in the order of the input: all files, concatenated in the
    order of their names, are what one process would have written. The process that reads the documents writes the file,
    so memory does not grow with their number. `form`: one of `FORMATS`. `jobs`: how many processes, None for one for
    each core. `ordered`: yield outcomes in the order of the files, not as pieces are finished. `size`: bytes of a
    piece.
    """
    from rehref.archives._links_of_pieces import LinksOfPiece, part_name

    yield PieceDone(None, 0, sum(file.size for file in files), is_new=False)
    pieces = list(divided(files, options, size))
    manifest = Manifest(folder, work_id(form, options, pieces), resume=resume)
    complete = False
    try:
        clear_leftovers(folder)
        done = 0
        total = sum(piece.size for piece in pieces)
        known = {
            number: outcome
            for number, outcome in sorted(manifest.done.items())
            if number < len(pieces) and (folder / part_name(number, len(pieces), form)).is_file()
        }
        for number, outcome, is_new in _all(pieces, known, LinksOfPiece(folder, pieces, options, form), jobs, ordered):
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
    """The number of each piece, its outcome, and whether this run did it."""
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
