"""What a caller of the library may hand over as a source, and how what has `read()` is read.

1. A *source* is bytes, a str, a path (`os.PathLike`), or anything that has `read()` and gives bytes. A str is the
   document itself, never a path.
2. What has `read()` is read from where it stands, and not closed. It may give less than it is asked for. If its `read`
   takes no size, one call gives all. Only a buffered file of Python's own that says so is seekable: what else says so
   is not always right.
3. A file in text mode is a TypeError: its encoding was not established by us, nor are its line ends those of the file.
"""

from __future__ import annotations

import errno
import inspect
import io
from collections.abc import Callable
from os import PathLike
from typing import Any, BinaryIO, Protocol, TypeAlias, cast

_BUFFER = 1 << 16


class Readable(Protocol):
    """Anything that gives bytes: a file, a response, a record's `content_stream()`."""

    read: Callable[..., bytes]
    """Called with a number of bytes, gives so many or less, b"" at the end; or without, all."""


BinarySource: TypeAlias = "bytes | PathLike[str] | Readable"
AnySource: TypeAlias = "BinarySource | str"


def binary_file(source: Readable | BinaryIO) -> BinaryIO:
    """A file that reads what `source` gives (rule 2). Raises `TypeError` where that is not bytes."""
    if isinstance(source, io.BufferedIOBase) and source.seekable():
        return cast(BinaryIO, source)
    return cast(BinaryIO, io.BufferedReader(_Pulled(source), _BUFFER))


class _Pulled(io.RawIOBase):
    """A stream of what something's `read` gives. To close it leaves that open."""

    def __init__(self, source: Readable | BinaryIO) -> None:
        read = getattr(source, "read", None)
        if not callable(read):
            raise TypeError(f"a source is bytes, a str, a path or something with read(), not {type(source).__name__}")
        if isinstance(source, io.TextIOBase):
            raise TypeError(_TEXT)
        self._read: Callable[..., object] = read
        self._takes_size = _takes_size(read)
        self._ended = False
        self._left = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._left and not self._ended:
            self._left = memoryview(self._more(len(buffer)))
            self._ended = not self._takes_size or not self._left
        piece = self._left[: len(buffer)]
        buffer[: len(piece)] = piece
        self._left = self._left[len(piece) :]
        return len(piece)

    def _more(self, size: int) -> bytes:
        piece = self._read(size) if self._takes_size else self._read()
        if piece is None:  # as io.RawIOBase has it of what does not block
            raise BlockingIOError(errno.EAGAIN, "the source has nothing to read just now")
        if isinstance(piece, str):
            raise TypeError(_TEXT)
        if not isinstance(piece, bytes | bytearray | memoryview):
            raise TypeError(f"read() of a source must give bytes, not {type(piece).__name__}")
        return bytes(piece)


_TEXT = "a file must be opened in binary mode, for its encoding to be established"


def _takes_size(read: Callable[..., object]) -> bool:
    """Whether a function can be called with a size, as far as it says what it takes."""
    try:
        inspect.signature(read).bind(0)
    except TypeError:
        return False
    except ValueError:  # compiled, and does not say
        return True
    return True
