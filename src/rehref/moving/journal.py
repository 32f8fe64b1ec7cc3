"""What a move was about to do, kept until it is done: a run that was killed is finished by the next one.

A journal is in the user's own folder for state (`$XDG_STATE_HOME`, else `~/.local/state`,
`~/Library/Application Support` or `%LOCALAPPDATA%`), never in the folder of the site: what comes with a folder must not
say what to write. It has one line of JSON, and then the bytes of the files, before and after.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from rehref.checking.hosting.written_redirects import UnwrittenRedirect
from rehref.files.file_errors import FileError
from rehref.files.inside_folder import relative_to
from rehref.files.reading import read_file
from rehref.files.writing import clear_leftovers, write_atomically
from rehref.moving.model import CorrectedFile, MovePlan, Moving

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
    head["unwritten"] = plan.unwritten
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
        files = [] if places is None else sorted(each for each in places.iterdir() if each.suffix == "")[:_MOST]
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
    line, _, rest = read_file(file).partition(b"\n")
    head, at, documents = json.loads(line), 0, []
    for old_path, new_path, references, old, new, packed in head["documents"]:
        ends = at + (old or 0), at + (old or 0) + new, at + (old or 0) + new + packed
        before = None if old is None else rest[at : ends[0]]
        after = rest[ends[0] : ends[1]]
        documents.append(CorrectedFile(old_path, new_path, before, after, references, rest[ends[1] : ends[2]]))
        at = ends[2]
    move, given = Moving(*head["move"]), (head["given"][0], head["given"][1])
    files, unwritten = tuple(head["files"]), tuple(UnwrittenRedirect(*each) for each in head["unwritten"])
    return MovePlan(Path(head["folder"]), move, files, tuple(documents), head["redirects"], unwritten, given, file)


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
