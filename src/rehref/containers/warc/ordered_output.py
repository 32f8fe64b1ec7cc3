"""Ordered output of records that are compressed while other work goes on.

1. Bytes, and work that returns bytes, are written in the order in which they were given.
2. One other thread does the work, and zlib releases the interpreter lock: so one record is compressed while the next
   one is read and changed.
3. No more than `_MOST` bytes wait at a time.
4. An exception of the work is raised by a later `write` or by `close`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

from rehref.text.large_bytes import AnyBytes

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

_MOST = 16 << 20
_SMALL = 1 << 14


Pieces: TypeAlias = Sequence[AnyBytes]


class OrderedOutput:
    """A file to which records are written."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._pool: ThreadPoolExecutor | None = None
        self._waiting: deque[tuple[int, bytes | Future[bytes]]] = deque()
        self._size = 0

    def write(self, data: bytes) -> None:
        """Write bytes."""
        if self._waiting:
            self._add(data, len(data))
        else:
            self._file.write(data)

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
        while self._waiting and (self._size > _MOST or self._is_ready(self._waiting[0][1])):
            self._write_first()

    @staticmethod
    def _is_ready(what: bytes | Future[bytes]) -> bool:
        return isinstance(what, bytes) or what.done()

    def _write_first(self) -> None:
        size, what = self._waiting.popleft()
        self._size -= size
        self._file.write(what if isinstance(what, bytes) else what.result())
