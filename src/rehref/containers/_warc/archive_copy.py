"""The copy of an archive file that is written while it is read; its records are compressed while other work goes on.

Records are copied byte for byte: in a compressed file the bytes of the file, if a record begins and ends where members
do; else its content becomes a member of its own. One other thread does the work, and zlib releases the interpreter
lock, so one record is compressed while the next one is read and changed. All is written in the order in which it came.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

from rehref.containers.streams import AnyBytes, pieces_of

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

    from rehref.containers._warc.compression_formats import Packer
    from rehref.containers._warc.decompressed_stream import CompressedStream

_MOST = 16 << 20
"""Bytes that wait at a time."""
_LARGE = 8 << 20
"""Bytes of a record that are not packed as a whole."""
_SMALL = 1 << 14

Pieces: TypeAlias = Sequence[AnyBytes]


class ArchiveCopy:
    """The file that all is copied to, if there is one."""

    def __init__(self, out: BinaryIO | None, packed: CompressedStream | None) -> None:
        """`packed`: the file that is copied, if it is compressed; so is the copy then."""
        self._out = out
        self._packed = packed
        self._pool: ThreadPoolExecutor | None = None
        self._waiting: deque[tuple[int, bytes | Future[bytes]]] = deque()
        self._size = 0

    @property
    def sink(self) -> Callable[[bytes], None] | None:
        """The function that writes bytes as they are, if there is a file."""
        return None if self._out is None else self.write

    def write(self, data: bytes) -> None:
        """Write bytes as they are. Raises what the work of an earlier call raised."""
        if self._out is None or not data:
            return
        if self._waiting:
            self._add(data, len(data))
        else:
            self._out.write(data)

    def write_record(self, pieces: Pieces) -> None:
        """Write a record, given in pieces."""
        if self._out is None:
            return
        form = None if self._packed is None else self._packed.form
        if form is None:
            for piece in chain.from_iterable(map(pieces_of, pieces)):
                self.write(piece)
        elif sum(map(len, pieces)) > _LARGE:
            for piece in form.packed_in_pieces(chain.from_iterable(map(pieces_of, pieces))):
                self.write(piece)
        elif form.is_slow:
            self.write_made(form.pack, pieces)
        else:
            self.write(form.pack(pieces))

    def write_made(self, make: Callable[[Pieces], bytes], pieces: Pieces) -> None:
        """Write the result of `make` for bytes that are given in pieces."""
        size = sum(map(len, pieces))
        if size < _SMALL:
            self.write(make(pieces))
            return
        if self._pool is None:
            from concurrent.futures import ThreadPoolExecutor

            self._pool = ThreadPoolExecutor(1)
        self._add(self._pool.submit(make, pieces), size)

    def copy(self, start: int, end: int | None) -> None:
        """Copy bytes of the compressed file that have been kept; none if the end is not known."""
        if self._out is not None and self._packed is not None and end is not None:
            for piece in self._packed.kept(start, end):
                self.write(piece)

    def packer(self) -> Packer | None:
        """What packs a record that comes in pieces, if it must be written."""
        return None if self._packed is None or self._out is None else self._packed.form.packer()

    def pack_again(self, start: int, size: int) -> None:
        """Write the first `size` bytes of the content kept from an offset on as a member of their own.

        That is what was unpacked before damage, of a record that does not begin where a member does.
        """
        packer = self.packer()
        if packer is not None and self._packed is not None:
            for piece in self._packed.unpacked_again(start, size):
                self.write(packer.compress(piece))
            self.write(packer.flush())

    def close(self) -> None:
        """Write the pending data. The file stays open."""
        try:
            while self._waiting:
                self._write_first()
        finally:
            if self._pool is not None:
                self._pool.shutdown(cancel_futures=True)

    def _add(self, what: bytes | Future[bytes], size: int) -> None:
        self._waiting.append((size, what))
        self._size += size
        while self._waiting:
            first = self._waiting[0][1]
            if self._size <= _MOST and not (isinstance(first, bytes) or first.done()):
                break
            self._write_first()

    def _write_first(self) -> None:
        assert self._out is not None
        size, what = self._waiting.popleft()
        self._size -= size
        self._out.write(what if isinstance(what, bytes) else what.result())
