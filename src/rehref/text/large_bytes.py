"""Bytes of any length: large ones are made, and looked at, block by block, so that they are not copied.

1. `LargeBytes` are made again whenever they are needed: to measure them, to compute a digest, to write them.
2. Files are read in pieces (`pieces_of_file`), and pieces are read as a file (`joined_file`).
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import IO, BinaryIO, Final, NamedTuple, TypeAlias

from rehref._native import TWIN

LARGE: Final = 8 << 20
"""How many bytes are so many that they are not copied."""
_BLOCK: Final = 1 << 20
_PIECE: Final = 1 << 18
_SMALL_BLOCK: Final = 1 << 14
"""What is decoded in such blocks needs no memory of its own from the system."""


class LargeBytes:
    """Bytes that are made in pieces. `make`: makes them, each time the same."""

    def __init__(self, make: Callable[[], Iterator[bytes]]) -> None:
        self._make = make

    def __iter__(self) -> Iterator[bytes]:
        return self._make()

    @cached_property
    def _length(self) -> int:
        return sum(map(len, self))

    def __len__(self) -> int:
        """The number of bytes, not of pieces."""
        return self._length


AnyBytes: TypeAlias = bytes | LargeBytes


def pieces_of(content: AnyBytes) -> Iterable[bytes]:
    """The bytes, in one piece or several."""
    return (content,) if isinstance(content, bytes) else content


def joined(content: AnyBytes) -> bytes:
    """The bytes as a whole."""
    return content if isinstance(content, bytes) else b"".join(content)


def is_same(content: AnyBytes, data: bytes) -> bool:
    """Whether the bytes are those of `data`."""
    at = 0
    for piece in pieces_of(content):
        if not data.startswith(piece, at):
            return False
        at += len(piece)
    return at == len(data)


def in_blocks(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in blocks of a megabyte, the last one shorter, wherever they were cut before."""
    waiting = bytearray()
    for piece in pieces:
        view = memoryview(piece)
        while len(view) >= (room := _BLOCK - len(waiting)):
            yield b"".join((waiting, view[:room]))
            waiting.clear()
            view = view[room:]
        waiting += view
    if waiting:
        yield bytes(waiting)


def is_utf_8(data: bytes) -> bool:
    """Whether all of it is UTF-8."""
    if data.isascii():
        return True
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), _SMALL_BLOCK):
            decoder.decode(data[start : start + _SMALL_BLOCK])
        decoder.decode(b"", True)
    except UnicodeDecodeError:
        return False
    return True


def contains_in_any_case(data: bytes, word: bytes) -> bool:
    """Whether a word, which is in lower-case ASCII, occurs in any case."""
    if len(data) <= _BLOCK:
        return word in data.lower()
    return any(word in block.lower() for block in _blocks(data, len(word) - 1))


def find_in_any_case(data: bytes, text: bytes, start: int) -> int:
    """Where a text of lower-case ASCII, which begins with no letter, next occurs in any case; -1 if nowhere."""
    if TWIN is not None:
        at: int = TWIN.find_in_any_case(data, text, start)
        return at
    found = re.compile(re.escape(text), re.IGNORECASE).search(data, start)
    return -1 if found is None else found.start()


def _blocks(data: bytes, overlap: int) -> Iterator[bytes]:
    """Blocks of a megabyte, usually one, each with the first bytes of the next."""
    for start in range(0, len(data), _BLOCK):
        yield data[start : start + _BLOCK + overlap]


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
