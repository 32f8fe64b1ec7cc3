"""Bytes in pieces: files are read in them, they are read as a file, and a range of a file is one.

What is too large to be copied is made piece by piece (`LargeBytes`); it is written and compared like bytes.
"""

from __future__ import annotations

import errno
import io
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, BinaryIO, Final, NamedTuple, TypeAlias, cast

from rehref.text.large_bytes import LargeBytes

_PIECE: Final = 1 << 18

AnyBytes: TypeAlias = bytes | LargeBytes


def pieces_of(content: AnyBytes) -> Iterable[bytes]:
    """The bytes, in one piece or several."""
    return (content,) if isinstance(content, bytes) else content


def is_same(content: AnyBytes, data: bytes) -> bool:
    """Whether the bytes are those of `data`."""
    at = 0
    for piece in pieces_of(content):
        if not data.startswith(piece, at):
            return False
        at += len(piece)
    return at == len(data)


class ByteRange(NamedTuple):
    """A range of bytes of a file: from the offset `start` up to `end`."""

    start: int
    end: int


def pieces_of_file(file: IO[bytes], start: int = 0, end: int | None = None) -> Iterator[bytes]:
    """The bytes of a seekable file from `start` up to `end`, or to its end; others may read the file in between."""
    while end is None or start < end:
        file.seek(start)
        piece = file.read(_PIECE if end is None else min(_PIECE, end - start))
        if not piece:
            return
        start += len(piece)
        yield piece


class _Joined(io.RawIOBase):
    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = iter(pieces)
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = memoryview(piece)
        data = self._rest[: len(buffer)]
        self._rest = self._rest[len(data) :]
        buffer[: len(data)] = data
        return len(data)


def joined_file(pieces: Iterable[bytes]) -> BinaryIO:
    """Pieces as a stream that can be read once."""
    return io.BufferedReader(_Joined(pieces), 1 << 16)


NOT_BINARY: Final = "a file must be opened in binary mode, so that its encoding can be established"
_AT_ONCE: Final = 1 << 16


def binary_file(source: Any) -> BinaryIO:
    """A file of the bytes that are given, or that an object with `read()` returns. Raises `TypeError`, now or later.

    The object is read from its current position, and not closed. It may return less than it is asked for. If its `read`
    takes no size, one call returns everything. Only Python's own buffered files are trusted when they say that they are
    seekable: other objects are not always right.
    """
    if isinstance(source, bytes | bytearray | memoryview):
        return io.BytesIO(source)
    if isinstance(source, io.BufferedIOBase) and source.seekable():
        return cast(BinaryIO, source)
    return joined_file(_read_by(source.read))


def _read_by(read: Callable[..., object]) -> Iterator[bytes]:
    takes_size = _takes_size(read)
    while piece := _checked(read(_AT_ONCE) if takes_size else read()):
        yield piece
        if not takes_size:
            return


def _checked(piece: object) -> bytes:
    if piece is None:  # as io.RawIOBase defines for a file that does not block
        raise BlockingIOError(errno.EAGAIN, "the source has nothing to read at the moment")
    if isinstance(piece, str):
        raise TypeError(NOT_BINARY)
    if not isinstance(piece, bytes | bytearray | memoryview):
        raise TypeError(f"read() of a source must return bytes, not {type(piece).__name__}")
    return bytes(piece)


def _takes_size(read: Callable[..., object]) -> bool:
    """Whether a function can be called with a size, as far as its signature says."""
    import inspect

    try:
        inspect.signature(read).bind(0)
    except TypeError:
        return False
    except ValueError:  # compiled, without a signature
        return True
    return True
