"""What moves, by its paths, and what a move does."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple


class Moving(NamedTuple):
    """What moves: a file or a folder, by its paths below the site's folder; or an id, then within the file `old`.

    `is_done`: whether it is at its new place already (`plan.py`, rule 10).
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

    def among(self, paths: Iterable[str]) -> list[str]:
        """Return the paths that get another name, sorted."""
        return sorted(path for path in paths if self.of(path) != path)


class CorrectedFile(NamedTuple):
    """A document that changes: its paths before and after, its bytes before and after, its corrected references.

    `packed`: the content of the file, if it is gzipped; the bytes are then the uncompressed ones.
    """

    old_path: str
    new_path: str
    old: bytes
    new: bytes
    references: int
    packed: bytes = b""


class Beside(NamedTuple):
    """Another file that is written: its bytes before, None if there is none, and after."""

    file: Path
    old: bytes | None
    new: bytes


class MovePlan(NamedTuple):
    """What a move does: the files that get new names, by their paths, and the documents that get new bytes.

    `beside`, `redirects`: what keeps old URLs (`old_urls.py`), and how many.
    """

    folder: Path
    move: Moving
    files: tuple[str, ...]
    documents: tuple[CorrectedFile, ...]
    beside: tuple[Beside, ...] = ()
    redirects: int = 0

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
