"""What is unpacked of an archive file, from the record at hand on, as far as it has been looked at.

1. Positions count from where the record at hand begins. What has passed is let go of.
2. Where a member ends is known once a byte behind it, or the end of the file, has been looked at.
"""

from __future__ import annotations

from rehref.containers.warc.decompressed_stream import ArchiveStream
from rehref.containers.warc.record_heads import begins_record, head_end, next_record

BEHIND = b"\r\n\r\n"
"""What stands behind the block of a record."""
EMPTY_LINES = 4096
"""How many CRs and LFs are taken at once for empty lines."""
BEGINNING = 1 << 14
"""How many bytes it takes to tell a record by its beginning."""


class Lookahead:
    """Looks at what a feed gives. `base`: where the record at hand begins, in bytes unpacked. `arc`: whether a line
    may begin a record.
    """

    def __init__(self, feed: ArchiveStream, base: int = 0) -> None:
        self._feed = feed
        self._marks = feed.marks
        self._buffer: bytes | bytearray = b""  # bytes as they came, nearly always a whole record; else a bytearray
        self.base = base
        self.arc = False

    def __len__(self) -> int:
        """How many bytes have been looked at."""
        return len(self._buffer)

    def fill(self, size: int) -> bool:
        """Look at so many bytes; False if there are not so many, or not just now."""
        while len(self._buffer) < size:
            piece = self._feed.more()
            if not piece:
                return False
            if self._buffer:
                self._changeable().extend(piece)
            else:
                self._buffer = piece
        return True

    def _changeable(self) -> bytearray:
        """The buffer, to be made longer or shorter."""
        if isinstance(self._buffer, bytes):
            self._buffer = bytearray(self._buffer)
        return self._buffer

    def bytes(self, start: int, end: int) -> bytes:
        """The bytes from one position to another."""
        if isinstance(self._buffer, bytes):
            return self._buffer[start:end]
        return bytes(memoryview(self._buffer)[start:end])

    def pass_on(self, size: int) -> None:
        """Let go of so many bytes; positions count from behind them."""
        if size >= len(self._buffer):
            self._buffer = b""
        else:
            del self._changeable()[:size]
        self.base += size
        self.forget_ends(self.base - 1)

    # --- members

    def forget_ends(self, offset: int) -> None:
        """Forget the ends of members up to an offset in what is unpacked."""
        while self._marks and self._marks[0][0] <= offset:
            self._marks.popleft()

    def member_end(self, position: int) -> int | None:
        """The first position, from this one on, where a member is known to end."""
        ends = (unpacked - self.base for unpacked, _ in self._marks)
        return next((end for end in ends if end >= position), None)

    def end_of_member(self, size: int) -> int | None:
        """The offset in the file behind the member that ends at `size`, if that and no more has been looked at.

        None, too, if it does not end in `BEHIND`.
        """
        marks, buffer = self._marks, self._buffer
        if len(buffer) != size or len(marks) != 1 or not buffer.endswith(BEHIND):
            return None
        unpacked, offset = marks[0]
        return offset if unpacked == self.base + size else None

    def file_offset(self, position: int) -> int | None:
        """The offset in the file behind a member that ends at a position; None if none does."""
        return next((offset for unpacked, offset in self._marks if unpacked == self.base + position), None)

    def early_end(self, size: int) -> int | None:
        """The first end of a member before `size`, as far as has been looked at, behind which a record begins."""
        for unpacked, _ in tuple(self._marks):
            position = unpacked - self.base
            if position >= size:
                break
            if self.begins_record(position):
                return position
        return None

    # --- records

    def is_empty_line(self) -> bool:
        """Whether what stands here is a CR or LF."""
        return self._buffer[0] in b"\r\n"

    def head_end(self) -> int:
        """How many bytes the head has that stands here, as far as has been looked at: see `records.head_end`."""
        return head_end(self._buffer)

    def begins_record(self, position: int) -> bool:
        """Whether a record begins at a position."""
        self.fill(position + 5)
        if self._buffer.startswith(b"WARC/", position):
            return True
        if not self.arc:
            return False
        self.fill(position + BEGINNING)
        return begins_record(self.bytes(position, position + BEGINNING))

    def behind_empty_lines(self, position: int) -> int:
        """Where the CRs and LFs end that stand at a position; a member's end ends them, and so does their number."""
        limit = position + EMPTY_LINES
        end = position
        while end < limit and self.fill(end + 1) and self._buffer[end] in b"\r\n":
            end += 1
        member_end = self.member_end(position)
        return end if member_end is None else min(member_end, end)

    def up_to_next(self, search: int) -> tuple[int, bool]:
        """How many bytes stand before what seems to be the next record, at position `search` or behind; whether that
        was found: if not, so many can pass.
        """
        self.fill(search + 2 * BEGINNING)
        early = self.early_end(len(self._buffer) + 1)
        at = next_record(self._buffer, search, arc=self.arc)
        if at >= 0 and (early is None or at < early):
            return at, True
        if early is not None:
            return early, True
        # a record may begin in the last bytes
        more = self.fill(len(self._buffer) + 1)
        return (max(len(self._buffer) - BEGINNING, 0) if more else len(self._buffer)), False
