"""The bytes of an archive file: as they are, or packed, from the held position on.

Packed bytes are kept from there on, in memory up to 8 MB, beyond that in a temporary file; a feed that only reads drops
them. A stream need not be seekable. It is not read again after its end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import IO, BinaryIO, Final

from rehref.containers.parts import MEGABYTE, Fault
from rehref.containers.streams import ByteRange

_CHUNK: Final = 1 << 18
_LARGE: Final = 1 << 20
_IN_MEMORY: Final = 8 * MEGABYTE


class PackedBytes:
    """A part of a file, in memory.

    `data`: its bytes; `view`: the same, whose parts are not copies; `start`: the offset of the first of them in the
    file. `held`: the offset from which bytes are kept; None: only those are that have not been unpacked.
    """

    data: bytes
    view: memoryview
    start: int

    def __init__(self, stream: BinaryIO, first: bytes, offset: int, *, keep: bool) -> None:
        """`first`: the bytes already read from the stream, at that offset. `keep`: whether copies will be needed."""
        self._have(first, offset)
        self.held: int | None = offset
        self._stream = stream
        self._keep = keep
        self._ended = False
        self._kept: IO[bytes] | None = None
        self._kept_from = 0

    @property
    def end(self) -> int:
        """The offset after the bytes in memory."""
        return self.start + len(self.data)

    def reaches(self, end: int, used: int) -> bool:
        """Whether the file has bytes up to an offset; reads them. `used`: the offset up to which they are unpacked."""
        while end > self.start + len(self.data):
            if self._ended:
                return False
            self._forget(used)
            # the more there is to be copied for it, the more is read
            chunk = self._stream.read(min(max(len(self.data), _CHUNK), _LARGE)) or b""
            self._ended = not chunk
            self._have(self.data + chunk, self.start)
        return True

    def _have(self, data: bytes, start: int) -> None:
        self.data, self.view, self.start = data, memoryview(data), start

    def _forget(self, used: int) -> None:
        """Drop bytes that are not needed, or too many."""
        if self.held is None or self.held > self.start:
            self._cut(used if self.held is None else min(self.held, used))
        if len(self.data) > _IN_MEMORY and used > self.start:
            if self._keep and self.held is not None:
                if self._kept is None:
                    import tempfile

                    self._kept = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `hold` and `close`)
                    self._kept_from = self.start
                self._kept.write(self.view[: used - self.start])
            self._cut(used)

    def _cut(self, offset: int) -> None:
        if offset > self.start:
            self._have(self.data[offset - self.start :], offset)

    def hold(self, offset: int | None) -> None:
        """Keep the bytes from an offset on, no others. None: only those that are not yet unpacked."""
        self.held = offset
        if self._kept is not None and (offset is None or offset >= self.start):
            self.close()

    def close(self) -> None:
        """Delete the temporary file."""
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    def kept(self, start: int, end: int, size: int = _CHUNK) -> Iterator[bytes]:
        """The kept bytes from one offset to another, in pieces of `size`."""
        if self._kept is not None and start < self.start:
            self._kept.seek(start - self._kept_from)
            while start < min(end, self.start):
                piece = self._kept.read(min(size, min(end, self.start) - start))
                start += len(piece)
                yield piece
            self._kept.seek(0, 2)
        while start < end:
            stop = min(start + size, end)
            yield self.piece(start, stop)
            start = stop

    def piece(self, start: int, end: int) -> bytes:
        """The bytes in memory from one offset to another."""
        return self.data[start - self.start : end - self.start]


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
