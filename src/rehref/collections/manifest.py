"""The manifest of a collection: a file in the output folder that lists which pieces of the work are done.

1. The first line identifies the work: a checksum over the version, the options, and the names, sizes and times of
   the files. Only the same work is resumed.
2. Each other line is a finished piece, with its outcome. A line that is damaged, or was cut off when the run was
   killed, does not count, and its piece is done again.
3. The last line says that all pieces are done.
4. The folder is locked while a run writes to it, where the system supports that: two runs would overwrite each
   other's lines.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, Final

from rehref._version import __version__
from rehref.collections.opening import Opening
from rehref.collections.outcomes import Outcome
from rehref.collections.pieces import Piece
from rehref.files.file_errors import FileError
from rehref.files.writing import write_atomically

NAME: Final = "_manifest.jsonl"
"""The name of the file. Programs that read tables skip names that begin with `_`."""


class OtherRunError(FileError):
    """Another run is writing to the folder."""


def work_id(what: str, how: Opening, pieces: Iterable[Piece]) -> str:
    """The checksum of some work (rule 1); `what`: what else the work depends on."""
    digest = sha256(repr((__version__, what, how)).encode("utf-8", "surrogateescape"))
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
    """The manifest of a folder. `done`: the outcome of each finished piece, by its number."""

    def __init__(self, folder: Path, work: str, *, resume: bool, clear: Callable[[Path], object] | None = None) -> None:
        """Begin or resume. Raises `FileError` if the folder is not empty, unless it has the same work, and `resume`.

        `clear`: removes what another run left in the folder, if nothing is resumed.
        """
        self.done: dict[int, Outcome] = {}
        self._lock: int | None = None
        path = folder / NAME
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = _locked(folder)
            try:
                if clear is not None and not resume:
                    clear(folder)
                self._read_or_refuse(folder, path, work, resume=resume)
                known = [{"piece": number, **result.as_object()} for number, result in self.done.items()]
                write_atomically(path, b"".join(map(_line, [{"work": work, "version": __version__}, *known])))
                self._file: BinaryIO = path.open("ab")
            except BaseException:
                self._unlock()
                raise
        except OSError as error:
            raise FileError.of(str(folder), "cannot be written", error) from error

    def _read_or_refuse(self, folder: Path, path: Path, work: str, *, resume: bool) -> None:
        """Read the manifest to resume it; otherwise the folder must be empty. Raises `FileError`, OSError."""
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        if lines and resume:
            self._take(path, lines, work)
        elif lines or any(not each.name.startswith(".rehref-") for each in folder.iterdir()):
            remedy = "name another, or use --resume" if lines else "name another"
            raise FileError(str(folder), "is a folder that is not empty", remedy)

    def _take(self, path: Path, lines: list[bytes], work: str) -> None:
        """Take over the pieces that were done before (rules 1, 2)."""
        first, *others = map(_read, lines)
        if not isinstance(first.get("work"), str):
            what = "is damaged: its first line does not identify the work"
            raise FileError(str(path), what, f"remove the folder {path.parent}, and start again without --resume")
        if first["work"] != work:
            what = "is from a run with other files, other options, or another version of rehref"
            if first.get("version") != __version__:
                what = f"was written by rehref {first.get('version')}, and this is {__version__}"
            raise FileError(str(path), what, "name another folder, or repeat the same command")
        for each in others:
            outcome = Outcome.of_object(each)
            if type(each.get("piece")) is int and outcome is not None:
                self.done[each["piece"]] = outcome

    def add(self, number: int, result: Outcome) -> None:
        """Record a finished piece."""
        self._write({"piece": number, **result.as_object()})

    def close(self, *, complete: bool) -> None:
        """Close the manifest; `complete`: all pieces are done."""
        try:
            with self._file:
                if complete:
                    self._write({"complete": True})
        finally:
            self._unlock()

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(_line(line))
        self._file.flush()

    def _unlock(self) -> None:
        if self._lock is not None:
            _let_go(self._lock)
            self._lock = None


def _locked(folder: Path) -> int | None:
    """Lock a folder (rule 4): the descriptor that holds the lock, None without locks. Raises `OtherRunError`."""
    if sys.platform == "win32":
        return None
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise OtherRunError(str(folder), "is being written by another run", "wait until it ends") from None
    except OSError:  # a file system without locks
        os.close(descriptor)
        return None
    return descriptor


def _let_go(descriptor: int) -> None:
    """Release a lock for all processes: those of the pool hold it, too."""
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_UN)
    os.close(descriptor)


def _line(found: dict[str, Any]) -> bytes:
    return json.dumps(found).encode() + b"\n"


def _read(line: bytes) -> dict[str, Any]:
    """The object of a line; an empty one if the line was cut off or damaged."""
    with suppress(ValueError):
        found = json.loads(line)
        if line.endswith(b"\n") and isinstance(found, dict):
            return found
    return {}
