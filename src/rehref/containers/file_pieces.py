"""Files read in pieces, and pieces read as a file, so that large content is never in memory as a whole."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import IO, BinaryIO, NamedTuple

_PIECE = 1 << 18


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
