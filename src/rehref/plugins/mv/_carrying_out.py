"""A plan, carried out whole or not at all.

First the plan is written down (`_journal.py`). Then what moves is moved, in one step, and the documents, and files
beside them, are written at their new places, each whole or not at all. If anything fails, an interrupt too, the
documents get their old bytes and places again. What a run that is killed leaves, the next one finishes.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from rehref.files.file_documents import real_path_within
from rehref.files.file_errors import FileError
from rehref.files.reading_files import packed_like, read_file
from rehref.files.writing import clear_leftovers, write_atomically
from rehref.plugins.mv._git_index import renamed_in_index, repository_of
from rehref.plugins.mv._journal import begun_in, keep
from rehref.plugins.mv.move_plan import CorrectedFile, MovePlan


def carry_out(plan: MovePlan, say: Callable[[str], None] = lambda _: None) -> int:
    """Write the documents and move the files; return how many documents had other names. Raises `FileError`.

    `say`: called with lines for people.
    """
    old, new = plan.folder / plan.move.old, plan.folder / plan.move.new
    is_moved, parted, done = _is_moved(plan), 0, list[CorrectedFile]()
    if any(_content(plan, each, is_moved) not in (_bytes_before(each), _bytes_after(each)) for each in plan.documents):
        raise _changed(plan, is_moved)
    files = [new, *(plan.folder / each.new_path for each in plan.documents)]
    missing = sorted({above for file in files for above in file.parents if not above.exists()}, reverse=True)
    journal = plan.journal or keep(plan)
    if journal is None:
        say("no journal can be written, so that a run that is killed cannot be finished; set XDG_STATE_HOME")
    try:
        if plan.files and not is_moved:
            _rename(plan.folder, old, new)
        for each in plan.documents:
            if _content(plan, each, is_moved=True) != _bytes_after(each):
                done.append(each)  # before it is written: an interrupt may come right after that
                parted += _write(plan, each, _bytes_after(each))
    except BaseException:
        if _undo(plan, done, missing, back=not is_moved) and plan.journal is None and journal is not None:
            journal.unlink(missing_ok=True)
        raise
    for folder in {file.parent for file in files}:
        clear_leftovers(folder)
    if plan.files:
        real = Path(os.path.realpath(plan.folder))
        repository = repository_of(real / plan.move.old)
        if repository and not renamed_in_index(repository, real / plan.move.old, real / plan.move.new):
            say("git's index does not have the new paths: git add -A stages them")
    if journal is not None:
        journal.unlink(missing_ok=True)
    return parted


def begun(folder: Path, given: tuple[str, str] | None = None) -> MovePlan | None:
    """Return the plan of a move that was begun, and that is asked for again; None if there is none.

    `given`: both places as they are named now, whole; None for work that is not a move. Raises `FileError` if another
    move was begun in the folder, above or below it.
    """
    for plan in begun_in(folder):
        if not _is_moved(plan) and all(
            _content(plan, each, is_moved=False) == _bytes_before(each) for each in plan.documents
        ):
            assert plan.journal is not None
            plan.journal.unlink(missing_ok=True)  # nothing was done
        elif plan.given == given and os.path.realpath(folder) == str(plan.folder):
            return plan
        else:
            again = shlex.join(["rehref", "mv", "--folder", str(plan.folder), *plan.given])
            remedy = f"run it again: {again}; or remove {plan.journal}"
            raise FileError(str(plan.folder), "a move in it was interrupted", remedy)
    return None


def _is_moved(plan: MovePlan) -> bool:
    """Whether the files have their new names."""
    old, new = plan.folder / plan.move.old, plan.folder / plan.move.new
    if not plan.files or not os.path.lexists(old):
        return plan.files != ()
    return os.path.lexists(new) and new.samefile(old) and old not in old.parent.iterdir()


def _changed(plan: MovePlan, is_moved: bool) -> FileError:
    file = next(
        _place(plan, each, is_moved)
        for each in plan.documents
        if _content(plan, each, is_moved) not in (_bytes_before(each), _bytes_after(each))
    )
    if plan.journal is None:
        return FileError(str(file), "has changed meanwhile", "try again")
    return FileError(str(file), "has changed since its move was interrupted", f"restore it, or remove {plan.journal}")


def _place(plan: MovePlan, change: CorrectedFile, is_moved: bool) -> Path:
    return plan.folder / (change.new_path if is_moved or change.old is None else change.old_path)


def _content(plan: MovePlan, change: CorrectedFile, is_moved: bool) -> bytes | None:
    file = _place(plan, change, is_moved)
    return read_file(file) if os.path.lexists(file) else None


def _bytes_before(change: CorrectedFile) -> bytes | None:
    return change.packed or change.old


def _bytes_after(change: CorrectedFile) -> bytes:
    return packed_like(change.packed, change.new)


def _write(plan: MovePlan, change: CorrectedFile, data: bytes) -> bool:
    within = None if Path(change.new_path).is_absolute() else plan.folder
    return write_atomically(plan.folder / change.new_path, data, within=within)


def _undo(plan: MovePlan, done: list[CorrectedFile], missing: list[Path], *, back: bool) -> bool:
    """Make everything as it was; return whether it is."""
    is_right = True
    for each in done:
        try:
            data = _bytes_before(each)
            (plan.folder / each.new_path).unlink(missing_ok=True) if data is None else _write(plan, each, data)
        except (FileError, OSError):
            is_right = False
    if back and _is_moved(plan):
        try:
            (plan.folder / plan.move.new).rename(plan.folder / plan.move.old)
        except OSError:
            is_right = False
    for folder in missing:
        with suppress(OSError):
            folder.rmdir()
    return is_right


def _rename(folder: Path, old: Path, new: Path) -> None:
    """Move a file or a folder. Raises `FileError`."""
    try:
        real_path_within(folder, new, done="moved").parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError.of(str(new.parent), "cannot be made", error) from error
    try:
        if os.path.lexists(new) and not new.samefile(old):
            raise FileError(str(new), "is there already", "name another place")
        old.rename(new)
    except OSError as error:
        raise FileError.of(str(old), "cannot be moved", error) from error
