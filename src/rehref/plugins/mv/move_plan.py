"""What moves, by its paths, and what a move does."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

from rehref.files.file_documents import relative_to
from rehref.files.reading_files import read_file
from rehref.rewriting.folder_integrity import StaleHash
from rehref.site.findings import UnwrittenRedirect


class ShowProgress(Protocol):
    """A function that shows how much is done, of how much (None: not known), and of what."""

    def __call__(self, done: int, total: int | None, what: str) -> None:
        """Show it."""


def show_none(done: int, total: int | None, what: str) -> None:
    """Show no progress."""


class Moving(NamedTuple):
    """What moves: a file or a folder, by its paths below the site's folder; or an id, then within the file `old`.

    `is_done`: whether it is at its new place already, by hand or by an earlier run. It is read there, and a reference
    is corrected that leads to no file, if it would have led to one before the move.
    """

    old: str
    new: str
    old_id: str = ""
    new_id: str = ""
    is_done: bool = False

    @property
    def names(self) -> tuple[str, str]:
        """What moves, as people name it: with `#` and the id, before and after."""
        pairs = (self.old, self.old_id), (self.new, self.new_id)
        old, new = (f"{path}#{id}" if id else path for path, id in pairs)
        return old, new

    def back(self) -> Moving:
        """Return the way back."""
        return Moving(self.new, self.old, self.new_id, self.old_id)

    def of(self, path: str) -> str:
        """Return where a file is afterwards."""
        if path == self.old or path.startswith(self.old + "/"):
            return self.new + path[len(self.old) :]
        return path

    def pairs(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Yield the places before and after of the files that move, or have moved, sorted."""
        back = self.back()
        for path in sorted(paths):
            old, new = (back.of(path), path) if self.is_done else (path, self.of(path))
            if old != new:
                yield old, new

    def placed(self, path: str) -> str:
        """Return where a file that is there now is afterwards."""
        return path if self.is_done else self.of(path)


class CorrectedFile(NamedTuple):
    """A file that changes: its paths before and after, its bytes before and after, its corrected references.

    The paths are below the folder, or whole ones outside of it. `old`: None for a new file. `packed`: the content of
    the file, if it is gzipped; the bytes are then the uncompressed ones.
    """

    old_path: str
    new_path: str
    old: bytes | None
    new: bytes
    references: int = 0
    packed: bytes = b""


def whole(name: str) -> str:
    """Return a place as it is named from everywhere; a slash at its end may say where a move leads."""
    return os.path.abspath(name) + "/" * name.endswith(("/", os.sep))  # noqa: PTH100


class MovePlan(NamedTuple):
    """What a move does: the files that get new names, by their old paths, and the files that get new bytes.

    `redirects`: how many old URLs are kept (`_old_urls.py`); `unwritten`: which are not, and why. `given`: both places
    as they were named, whole. `journal`: the file that the plan is from, if an earlier run has begun it. `stale`:
    hashes that were wrong before, and stay; `hashed`: how many files get new hashes.
    """

    folder: Path
    move: Moving
    files: tuple[str, ...]
    documents: tuple[CorrectedFile, ...]
    redirects: int = 0
    unwritten: tuple[UnwrittenRedirect, ...] = ()
    given: tuple[str, str] = ("", "")
    journal: Path | None = None
    stale: tuple[StaleHash, ...] = ()
    hashed: int = 0

    @property
    def references(self) -> int:
        """How many references are corrected."""
        return sum(each.references for each in self.documents)

    @property
    def within(self) -> int:
        """How many of them are within what moves."""
        if self.move.old_id:
            return 0
        inside = (each for each in self.documents if self.move.back().of(each.new_path) != each.new_path)
        return sum(each.references for each in inside)

    def change_of(self, file: Path) -> CorrectedFile:
        """Return what is planned for a file, which may not be there; if nothing is, with its bytes as they are."""
        real = os.path.realpath(file)
        path = relative_to(real, os.path.realpath(self.folder)) or real
        planned = next((each for each in self.documents if each.old_path == path), None)
        data = read_file(file) if file.is_file() else None
        return planned or CorrectedFile(path, path if data is None else self.move.placed(path), data, data or b"")

    def with_changes(self, changes: Iterable[CorrectedFile]) -> MovePlan:
        """Return the plan with changes of files, in place of those that it has for the same."""
        by_path = {each.old_path: each for each in (*self.documents, *changes)}
        return self._replace(documents=tuple(each for each in by_path.values() if each.new != each.old))
