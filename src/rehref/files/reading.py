"""Reading a whole file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

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
