"""The bytes of an archive file that is not compressed."""

from __future__ import annotations

from collections import deque
from typing import BinaryIO, Final

from rehref.containers.file_pieces import ByteRange
from rehref.containers.parts import Fault

_CHUNK: Final = 1 << 18


class PlainStream:
    """A file that is not compressed: its content is the file itself. It is never `broken`, and has no `marks`."""

    def __init__(self, stream: BinaryIO, first: bytes, within: ByteRange | None = None) -> None:
        """`first`: the bytes already read from the stream. `within`: the range to read; `stream` began there."""
        self.broken: Fault | None = None
        self.marks: deque[tuple[int, int]] = deque()
        self.start = 0 if within is None else within.start
        self._left = None if within is None else within.end - within.start
        self._stream = stream
        self._first = first
        try:
            self._origin = stream.tell() - len(first) - self.start if stream.seekable() else None
        except OSError:
            self._origin = None

    def more(self) -> bytes:
        """The next bytes; b"" at the end."""
        first, self._first = self._first, b""
        if self._left is None:
            return first or self._stream.read(_CHUNK) or b""
        piece = first[: self._left] or self._stream.read(min(_CHUNK, self._left)) or b""
        self._left -= len(piece)
        return piece

    def look(self, offset: int, size: int) -> bytes | None:
        """The bytes at an offset of the file, out of order; None if the stream cannot seek there."""
        if self._origin is None:
            return None
        here = self._stream.tell()
        self._stream.seek(self._origin + offset)
        data = self._stream.read(size)
        self._stream.seek(here)
        return data
