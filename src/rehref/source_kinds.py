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
from collections.abc import Callable, Iterator
from os import PathLike
from typing import BinaryIO, Protocol, TypeAlias, cast

from rehref.containers.file_pieces import joined

_PIECE = 1 << 16


class Readable(Protocol):
    """Anything that gives bytes: a file, a response, a record's `content_stream()`."""

    read: Callable[..., bytes]
    """Called with a number of bytes, gives so many or less, b"" at the end; or without, all."""


BinarySource: TypeAlias = "bytes | PathLike[str] | Readable"
AnySource: TypeAlias = "BinarySource | str"


def binary_file(source: Readable | BinaryIO) -> BinaryIO:
    """A file that reads what `source` gives (rule 2). Raises `TypeError`, then or later, where that is not bytes."""
    if isinstance(source, io.BufferedIOBase) and source.seekable():
        return cast(BinaryIO, source)
    read = getattr(source, "read", None)
    if not callable(read):
        raise TypeError(f"a source is bytes, a str, a path or something with read(), not {type(source).__name__}")
    if isinstance(source, io.TextIOBase):
        raise TypeError(_TEXT)
    return joined(_pieces(read))


def _pieces(read: Callable[..., object]) -> Iterator[bytes]:
    takes_size = _takes_size(read)
    while piece := _checked(read(_PIECE) if takes_size else read()):
        yield piece
        if not takes_size:
            return


def _checked(piece: object) -> bytes:
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
