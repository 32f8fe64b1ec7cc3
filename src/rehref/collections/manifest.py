"""What is done of a collection, kept in its folder while it is being done.

1. The first line says what the work is: a check sum over the version, the options, and the names, sizes and times of
   the files. Only the same work is resumed.
2. Each other line is a piece that is done, whole, and what came of it. A line that was cut off when the run was killed
   is none, and its piece is done again.
3. The last line says that all is done.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

from rehref._version import __version__
from rehref.collections.opening import Opening
from rehref.collections.pieces import Piece
from rehref.files.file_errors import FileError

NAME: Final = "_manifest.jsonl"
"""What it is called: readers of tables skip names that begin so."""


def work_id(what: str, how: Opening, pieces: Iterable[Piece]) -> str:
    """A check sum of some work (rule 1); `what`: what else it depends on."""
    digest = hashlib.sha256(repr((__version__, what, how)).encode("utf-8", "surrogateescape"))
    for piece in pieces:
        for file in piece.files:
            status: tuple[int, int] | None = None
            with suppress(OSError, ValueError):
                if file.path is not None:
                    found = file.path.stat()
                    status = found.st_size, found.st_mtime_ns
            digest.update(repr((file, status, piece.within)).encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


class Manifest:
    """The manifest of a folder. `done`: what is known of each piece that is done, by its number."""

    def __init__(self, folder: Path, work: str, *, resume: bool) -> None:
        """Raises `FileError`: if there is something in the folder, unless it is the same work to be resumed."""
        self.done: dict[int, dict[str, Any]] = {}
        path = folder / NAME
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
            if lines and resume:
                self._take(path, lines, work)
            elif lines or any(not each.name.startswith(".rehref-") for each in folder.iterdir()):
                remedy = "name another, or say --resume" if lines else "name another"
                raise FileError(str(folder), "is a folder that is not empty", remedy)
            self._file: IO[bytes] = path.open("wb")
        except OSError as error:
            raise FileError.of(str(folder), "cannot be written", error) from error
        self._write({"work": work, "version": __version__})
        for number, result in self.done.items():
            self._write({"piece": number, **result})

    def _take(self, path: Path, lines: list[bytes], work: str) -> None:
        """Take what was done before (rules 1, 2)."""
        first, *others = map(_read, lines)
        if first.get("work") != work:
            what = "is of other files or options, or another version of rehref"
            raise FileError(str(path), what, "name another folder, or ask for the same")
        for each in others:
            if isinstance(each.get("piece"), int):
                self.done[each.pop("piece")] = each

    def add(self, number: int, result: dict[str, Any]) -> None:
        """A piece is done."""
        self._write({"piece": number, **result})

    def close(self, *, complete: bool) -> None:
        """Nothing more is done; `complete`: for all is."""
        with self._file:
            if complete:
                self._write({"complete": True})

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line).encode() + b"\n")
        self._file.flush()


def _read(line: bytes) -> dict[str, Any]:
    """A line; nothing of one that was cut off."""
    with suppress(ValueError):
        found = json.loads(line)
        if line.endswith(b"\n") and isinstance(found, dict):
            return found
    return {}
