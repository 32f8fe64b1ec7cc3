"""A plan, carried out whole or not at all.

1. The documents, and files beside them, are written first, each whole or not at all, where they are; then what moves
   is moved, in one step. If anything fails, an interrupt too, the documents get their old bytes again. Only a run that
   is killed can leave some of them corrected.
2. In a repository, `git mv` moves what git knows, so that the index has it, too. Without git, and for what git does not
   know, the system moves it.
3. A document that has changed since the plan was made is an error.
"""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from pathlib import Path

from rehref.files.file_errors import FileError
from rehref.files.gzipped import packed_like
from rehref.files.reading import read_file
from rehref.files.writing import write_atomically
from rehref.moving.model import CorrectedFile, MovePlan


def carry_out(plan: MovePlan) -> int:
    """Write the documents and move the files; return how many documents had other names. Raises `FileError`."""
    done: list[CorrectedFile] = []
    parted, target = 0, plan.folder / plan.move.new
    written = [target, *(plan.folder / each.old_path for each in plan.documents)]
    missing = sorted({above for each in written for above in each.parents if not above.exists()}, reverse=True)
    for each in plan.documents:
        file = plan.folder / each.old_path
        if (each.old is None) != (not file.exists()) or (each.old is not None and read_file(file) != _content(each)):
            raise FileError(str(file), "has changed meanwhile", "try again")
    try:
        for each in plan.documents:
            done.append(each)  # before it is written: an interrupt may come right after that
            parted += _write(plan, each, packed_like(each.packed, each.new))
        if plan.files:
            _rename(plan.folder / plan.move.old, target)
    except BaseException:
        for each in done:
            with suppress(FileError, OSError):
                (plan.folder / each.old_path).unlink() if each.old is None else _write(plan, each, _content(each))
        for folder in missing:
            with suppress(OSError):
                folder.rmdir()
        raise
    return parted


def _content(change: CorrectedFile) -> bytes:
    """Return the content of a file before the move."""
    return change.packed or change.old or b""


def _write(plan: MovePlan, change: CorrectedFile, data: bytes) -> bool:
    within = None if Path(change.old_path).is_absolute() else plan.folder
    return write_atomically(plan.folder / change.old_path, data, within=within)


def _rename(old: Path, new: Path) -> None:
    """Move a file or a folder (rule 2). Raises `FileError`."""
    try:
        new.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError.of(str(new.parent), "cannot be made", error) from error
    try:
        if _git(old.parent, "ls-files", "--error-unmatch", "--", old.name).returncode == 0:
            ended = _git(old.parent, "mv", "--", str(old.absolute()), str(new.absolute()))
            if ended.returncode == 0:
                return
            said = " ".join(ended.stderr.decode("utf-8", "replace").split())
            raise FileError(str(old), f"git mv failed: {said}", "try again")
    except FileNotFoundError:  # without git
        pass
    try:
        if os.path.lexists(new) and not new.samefile(old):
            raise FileError(str(new), "is there already", "name another place")
        old.rename(new)
    except OSError as error:
        raise FileError.of(str(old), "cannot be moved", error) from error


def _git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = ["git", "--literal-pathspecs", *arguments]
    return subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False)
