"""What a move was about to do, kept until it is done: a run that was killed is finished by the next one.

A journal is in the user's own folder for state (`$XDG_STATE_HOME`, else `~/.local/state`,
`~/Library/Application Support` or `%LOCALAPPDATA%`), never in the folder of the site: what comes with a folder must not
say what to write. It has one line of JSON, and then the bytes of the files, before and after.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from rehref.files.file_documents import relative_to
from rehref.files.file_errors import FileError
from rehref.files.reading_files import read_file, whole_number
from rehref.files.writing import clear_leftovers, write_atomically
from rehref.plugins.mv.move_plan import CorrectedFile, MovePlan, Moving
from rehref.rewriting.folder_integrity import StaleHash
from rehref.site.findings import UnwrittenRedirect

_NAME: Final = "unfinished-moves"
_MOST: Final = 1000
"""How many journals are read."""


def keep(plan: MovePlan) -> Path | None:
    """Write down what a move does; return the file; None if the user has no folder for that. Raises nothing."""
    folder = _folder()
    if folder is None:
        return None
    top, documents, parts = os.path.realpath(plan.folder), [], list[bytes]()
    for each in plan.documents:
        sizes = None if each.old is None else len(each.old), len(each.new), len(each.packed)
        documents.append([each.old_path, each.new_path, each.references, *sizes])
        parts += each.old or b"", each.new, each.packed
    head = {"folder": top, "given": plan.given, "move": plan.move, "files": plan.files, "redirects": plan.redirects}
    head |= {"unwritten": plan.unwritten, "stale": plan.stale, "hashed": plan.hashed}
    file, line = folder / sha256(os.fsencode(top)).hexdigest()[:32], json.dumps({**head, "documents": documents})
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        clear_leftovers(folder)
        write_atomically(file, b"".join([line.encode(), b"\n", *parts]))
    except (OSError, FileError):
        return None
    return file


def begun_in(folder: Path) -> Iterator[MovePlan]:
    """Yield the moves that were begun in a folder, above or below it, and are not known to be done."""
    top, places = os.path.realpath(folder), _folder()
    try:
        files = [] if places is None else sorted(each for each in places.iterdir() if _is_journal(each))[:_MOST]
    except OSError:
        return
    for file in files:
        with suppress(
            FileError, ValueError, TypeError, LookupError, OverflowError, RecursionError
        ):  # of another version
            plan = _read(file)
            at = str(plan.folder)
            if plan.folder.is_dir() and (relative_to(at, top) is not None or relative_to(top, at) is not None):
                yield plan


def _read(file: Path) -> MovePlan:
    """Return the plan in a journal. Raises `FileError`, and others if it is damaged, or of another version."""
    line, _, rest = read_file(file).partition(b"\n")
    head, at, documents = json.loads(line), 0, []
    for old_path, new_path, references, *sizes in head["documents"]:
        old, new, packed = (None if size is None else whole_number(size) for size in sizes)
        ends = at + (old or 0), at + (old or 0) + (new or 0), at + (old or 0) + (new or 0) + (packed or 0)
        before = None if old is None else rest[at : ends[0]]
        at_first, at_last = _texts(old_path, new_path)
        after, gzipped = rest[ends[0] : ends[1]], rest[ends[1] : ends[2]]
        documents.append(CorrectedFile(at_first, at_last, before, after, whole_number(references), gzipped))
        at = ends[2]
    *names, is_done = head["move"]
    old_name, new_name, old_id, new_id = _texts(*names)
    move, given = Moving(old_name, new_name, old_id, new_id, is_done is True), _texts(*head["given"][:2])
    unwritten = tuple(UnwrittenRedirect(*_texts(*each)) for each in head["unwritten"])
    stale = tuple(StaleHash(*_texts(*each)) for each in head.get("stale", ()))
    number, [folder] = whole_number(head["redirects"]), _texts(head["folder"])
    return MovePlan(
        Path(folder),
        move,
        _texts(*head["files"]),
        tuple(documents),
        number,
        unwritten,
        (given[0], given[1]),
        file,
        stale,
        whole_number(head.get("hashed", 0)),
    )


def _is_journal(file: Path) -> bool:
    return file.suffix == "" and stat.S_ISREG(file.lstat().st_mode)


def _texts(*values: object) -> tuple[str, ...]:
    """Return values that must be texts. Raises `ValueError`."""
    texts = tuple(each for each in values if isinstance(each, str) and "\0" not in each)
    if len(texts) != len(values):
        raise ValueError("not all of them are texts")
    return texts


def _folder() -> Path | None:
    """Return the user's folder for journals; None if the user has no such folder."""
    given = os.environ.get("XDG_STATE_HOME", "")
    if Path(given).is_absolute():
        return Path(given, "rehref", _NAME)
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", "")
        return Path(local, "rehref", _NAME) if Path(local).is_absolute() else None
    try:
        home = Path.home()
    except RuntimeError:
        return None
    below = "Library/Application Support" if sys.platform == "darwin" else ".local/state"
    return home / below / "rehref" / _NAME if home.is_absolute() else None
