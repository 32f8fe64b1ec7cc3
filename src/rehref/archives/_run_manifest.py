"""The manifest of a collection: a file in the output folder that lists which pieces of the work are done.

The first line identifies the work: only the same work is resumed. Each other line is a finished piece, with its
outcome, and the last line says that all are done. A line that is damaged, or was cut off when the run was killed, does
not count. The folder is locked while a run writes to it, where the system supports that.
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
from rehref.archives.pieces import Piece, PieceOutcome
from rehref.documents.options import SourceOptions
from rehref.files.file_errors import FileError
from rehref.files.writing import clear_leftovers, write_atomically

NAME: Final = "_manifest"
"""The name of the file: `*.jsonl` does not match it, and programs that read tables skip names that begin with `_`."""


class OtherRunError(FileError):
    """Another run is writing to the folder."""


def work_id(what: str, options: SourceOptions, pieces: Iterable[Piece]) -> str:
    """The checksum of some work: over the version, the options, the names, sizes and times of the files, and the
    pieces.

    `what`: what else the work depends on.
    """
    digest = sha256(repr((__version__, what, options)).encode("utf-8", "surrogateescape"))
    for piece in pieces:
        found = [(file, status_of(file.path)) for file in piece.files]
        digest.update(repr((found, piece.within)).encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def status_of(path: Path | None) -> tuple[int, int] | None:
    """The size of a file and the time of its last change, which differ if it changes; None if they are unknown."""
    with suppress(OSError, ValueError):
        if path is not None:
            found = path.stat()
            return found.st_size, found.st_mtime_ns
    return None


class Manifest:
    """The manifest of a folder. `done`: the outcome of each finished piece, by its number."""

    def __init__(self, folder: Path, work: str, *, resume: bool, leaves: Callable[[Path], bool] | None = None) -> None:
        """Begin or resume. Raises `FileError` if the folder is not empty, unless it has the same work, and `resume`.

        `leaves`: whether a file, which is not the manifest, was left by a run: then a run that does not resume removes
        those, and files of others are ignored and kept.
        """
        self.done: dict[int, PieceOutcome] = {}
        self._folder, self._path, self._leaves = folder, folder / NAME, leaves
        self._lock: int | None = None
        try:
            self._lock = _locked(folder)
            try:
                if leaves is not None and not resume:
                    self._clear()
                self._read_or_refuse(work, resume=resume)
                known = [{"piece": number, **result.as_object()} for number, result in self.done.items()]
                write_atomically(self._path, b"".join(map(_line, [{"work": work, "version": __version__}, *known])))
                self._file: BinaryIO = self._path.open("ab")
            except BaseException:
                self._unlock()
                raise
        except OSError as error:
            raise FileError.of(str(folder), "cannot be written", error) from error

    def _read_or_refuse(self, work: str, *, resume: bool) -> None:
        """Read the manifest to resume it; otherwise the folder must be empty. Raises `FileError`, OSError."""
        lines = self._path.read_bytes().splitlines(keepends=True) if self._path.exists() else []
        if lines and resume:
            self._take(lines, work)
        elif lines or any(map(self._counts, self._folder.iterdir())):
            remedy = "name another, or use --resume" if lines else "name another"
            if self._leaves is not None:
                remedy = "start again without --resume"
            raise FileError(str(self._folder), "is a folder that is not empty", remedy)

    def _counts(self, path: Path) -> bool:
        """Whether a folder with this file is not empty."""
        return self._leaves(path) if self._leaves is not None else not path.name.startswith(".rehref-")

    def _clear(self) -> None:
        """Remove the files of runs. Raises OSError."""
        clear_leftovers(self._folder)
        for each in self._folder.iterdir():
            if each == self._path or (self._leaves is not None and self._leaves(each)):
                each.unlink()

    def _take(self, lines: list[bytes], work: str) -> None:
        """Take over the pieces that were done before."""
        path = self._path
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
            outcome = PieceOutcome.of_object(each)
            if type(each.get("piece")) is int and outcome is not None:
                self.done[each["piece"]] = outcome

    def add(self, number: int, result: PieceOutcome) -> None:
        """Record a finished piece. Raises `FileError` if that cannot be written."""
        try:
            self._write({"piece": number, **result.as_object()})
        except OSError as error:
            raise self._not_written(error) from error

    def close(self, *, complete: bool, remove: bool = False) -> None:
        """Close the manifest. Raises `FileError` if it cannot be written.

        `complete`: all pieces are done. `remove`: remove the files of runs, and the folder if nothing else is in it,
        before the lock is released.
        """
        try:
            with self._file:
                if complete:
                    self._write({"complete": True})
        except OSError as error:
            raise self._not_written(error) from error
        finally:
            if remove:
                with suppress(OSError):
                    self._clear()
                    self._folder.rmdir()
            self._unlock()

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(_line(line))
        self._file.flush()

    def _not_written(self, error: OSError) -> FileError:
        return FileError.of(str(self._path), "cannot be written", error)

    def _unlock(self) -> None:
        if self._lock is not None:
            _let_go(self._lock)
            self._lock = None


def _locked(folder: Path) -> int | None:
    """Make a folder and lock it: the descriptor that holds the lock, None without locks. Two runs would overwrite each
    other.

    Raises `OtherRunError`, OSError.
    """
    while True:
        folder.mkdir(parents=True, exist_ok=True)
        if sys.platform == "win32":
            return None
        with suppress(FileNotFoundError):  # another run has removed it since
            descriptor = _lock_of(folder)
            if descriptor is None or os.path.samestat(os.fstat(descriptor), folder.stat()):
                return descriptor
            os.close(descriptor)


def _lock_of(folder: Path) -> int | None:
    """Lock the folder that now has this name. Returns and raises as `_locked`."""
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
    with suppress(ValueError, RecursionError):
        found = json.loads(line)
        if line.endswith(b"\n") and isinstance(found, dict):
            return found
    return {}
