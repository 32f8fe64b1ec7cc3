"""Files, read as a whole or as a stream. The size of those that options name is unknown: a device may be endless.

1. An error names the file, standard input too: a bare OSError could be from a file that is being written at the same
   time.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from rehref.files.file_errors import FileError

_HOW: Final = os.O_RDONLY | getattr(os, "O_BINARY", 0)
_PIECE: Final = 1 << 16


def read_file(path: Path | str) -> bytes:
    """All bytes of a file. Raises `FileError`, which names it."""
    try:
        file = os.open(path, _HOW)  # a file object takes twice as long
        try:
            return _read(file)
        finally:
            os.close(file)
    except OSError as error:
        raise FileError.of(str(path), "cannot be read", error) from error
    except ValueError as error:  # a NUL in the name
        raise FileError(str(path), f"cannot be read: {error}", "check the name") from error


def _read(file: int) -> bytes:
    """All bytes of an open file, nearly always at once; those of a pipe, or of a file that grows, in pieces."""
    size = os.fstat(file).st_size
    pieces = [os.read(file, size + 1)]
    if len(pieces[0]) != size or size == 0:
        while piece := os.read(file, _PIECE):
            pieces.append(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


@contextmanager
def stream_of(name: str, path: Path | None) -> Iterator[BinaryIO]:
    """Open a file, or standard input if there is no path. Errors, then and while it is read, raise `FileError`."""
    if path is None:
        if sys.stdin is None:
            raise FileError(name, "cannot be read: standard input is closed", "name a file")
        yield cast(BinaryIO, io.BufferedReader(_NamingFile(sys.stdin.buffer, name), _PIECE))
        return
    try:
        file = path.open("rb", buffering=0)
    except OSError as error:
        raise FileError.of(name, "cannot be read", error) from error
    except ValueError as error:  # a NUL in the name
        raise FileError(name, f"cannot be read: {error}", "check the name") from error
    with io.BufferedReader(_NamingFile(file, name), _PIECE) as stream:
        yield stream


class _NamingFile(io.RawIOBase):
    """A file whose errors name it (rule 1). Standard input is left open."""

    def __init__(self, file: BinaryIO | io.FileIO, name: str) -> None:
        self._file, self._name = file, name

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._file.seekable()

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def fileno(self) -> int:
        return self._file.fileno()

    def readinto(self, buffer: Any) -> Any:
        return self._named(self._file.readinto, buffer)  # type: ignore[union-attr]

    def readall(self) -> Any:
        return self._named(self._file.read)

    def _named(self, read: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return read(*arguments)
        except OSError as error:
            raise FileError.of(self._name, "cannot be read", error) from error

    def close(self) -> None:
        if isinstance(self._file, io.FileIO):
            self._file.close()
        super().close()


_LARGEST = 10 * 1024 * 1024


def read_small(path: str) -> bytes:
    """The bytes of a file that the user named, at most `_LARGEST` of them. Raises `OSError`."""
    if "\0" in path:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    with Path(path).open("rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return data
