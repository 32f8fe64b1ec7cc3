"""The unpacked bytes of an archive file, from the current record on, as far as they have been read ahead.

Positions count from the beginning of the current record; bytes before that are dropped. The end of a member is known
when a byte after it, or the end of the file, has been read. A large block is set apart as it is read, so that it is in
memory once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import islice
from typing import Final

from rehref.containers._warc.archive_file import PlainStream
from rehref.containers._warc.decompressed_stream import ArchiveStream, CompressedStream
from rehref.containers._warc.record_heads import (
    HEAD_SIZE,
    RecordHead,
    begins_record,
    head_end,
    next_record,
    plain_record,
)
from rehref.containers.parts import MEGABYTE, Fault

_EMPTY_LINES = 4096  # the number of CRs and LFs that are read at once
_BEGINNING = 1 << 14  # the number of bytes needed to recognize a record by its beginning
_MOST_AHEAD = 4 * MEGABYTE  # the number of bytes of a member from which on it is not read ahead as a whole
ENDS: Final = Fault("truncated", "the file ends within it")
TOO_LONG: Final = Fault("damaged", "its Content-Length is wrong: it ends before")
_WRONG_LENGTH: Final = Fault("damaged", "its Content-Length is wrong: what follows is not a record")
_NEAR: Final = 1 << 18  # the number of bytes after a record within which damage is reported instead of its length


class Lookahead:
    """Reads ahead in a feed. `base`: the start of the current record, in bytes unpacked. `arc`: whether a line may
    begin a record.
    """

    def __init__(self, feed: ArchiveStream, base: int = 0) -> None:
        self._feed = feed
        self._marks = feed.marks
        self._is_packed = isinstance(feed, CompressedStream)
        self._buffer: bytes | bytearray = b""  # as the feed returned them, usually a whole record; else a bytearray
        self._apart: tuple[bytes, ...] = ()  # the bytes before the buffer, of a large block,
        self._apart_size = 0  # and how many they are
        self.base = base
        self.arc = False

    def __len__(self) -> int:
        """The number of bytes that have been read ahead."""
        return self._apart_size + len(self._buffer)

    def fill(self, size: int) -> bool:
        """Read ahead so many bytes; False if there are not so many, or not yet."""
        while self._apart_size + len(self._buffer) < size:
            piece = self._feed.more()
            if not piece:
                return False
            if self._buffer:
                self._changeable().extend(piece)
            else:
                self._buffer = piece
        return True

    def load(self, start: int, end: int, is_too_much: Callable[[int], object]) -> None:
        """Read ahead up to `end`, and set the bytes from `start` apart.

        Stops early if a member ends, at the end of what can be read, or when `is_too_much`, which is called with the
        number of bytes read ahead.
        """
        self._together()
        block = BytesIO()  # which gives its bytes without a copy
        block.write(memoryview(self._buffer)[start:])
        begin, self._buffer = bytes(self._buffer[:start]), b""
        while (size := start + block.tell()) < end and self.member_end(0) is None and not is_too_much(size):
            piece = self._feed.more()
            if not piece:
                break
            block.write(piece)
        behind = min(block.tell(), end - start)
        block.seek(behind)
        self._buffer = block.read()
        block.truncate(behind)
        self._apart, self._apart_size = (begin, block.getvalue()), start + behind

    def _together(self) -> None:
        """Put what has been set apart back into the buffer."""
        if self._apart:
            self._buffer = bytearray(b"").join((*self._apart, self._buffer))
            self._apart, self._apart_size = (), 0

    def _changeable(self) -> bytearray:
        """The buffer, as a bytearray that can grow and shrink."""
        if isinstance(self._buffer, bytes):
            self._buffer = bytearray(self._buffer)
        return self._buffer

    def piece(self, start: int, end: int) -> bytes:
        """The bytes from one position to another."""
        if self._apart:
            found = list(self.pieces(start, end))
            return found[0] if len(found) == 1 else b"".join(found)
        return self._copied(start, end)

    def pieces(self, start: int, end: int) -> Iterator[bytes]:
        """The same, in pieces: what was set apart is not copied if it is wanted as a whole."""
        for each in self._apart:
            if start < min(len(each), end):
                yield each[start:end]
            start, end = max(start - len(each), 0), max(end - len(each), 0)
        if start < end:
            yield self._copied(start, end)

    def _copied(self, start: int, end: int) -> bytes:
        """The bytes of the buffer from one position in it to another."""
        if isinstance(self._buffer, bytes):
            return self._buffer[start:end]
        return bytes(memoryview(self._buffer)[start:end])

    def pass_on(self, size: int) -> None:
        """Drop so many bytes; positions then count from the end of these."""
        if size >= len(self):
            self._buffer, self._apart, self._apart_size = b"", (), 0
        elif size >= self._apart_size:
            del self._changeable()[: size - self._apart_size]
            self._apart, self._apart_size = (), 0
        else:
            self._together()
            del self._changeable()[:size]
        self.base += size
        self.forget_ends(self.base - 1)

    # --- members

    def forget_ends(self, offset: int) -> None:
        """Drop the ends of members up to an offset in the unpacked data."""
        while self._marks and self._marks[0][0] <= offset:
            self._marks.popleft()

    def member_end(self, position: int) -> int | None:
        """The first known end of a member at this position or after it."""
        ends = (unpacked - self.base for unpacked, _ in self._marks)
        return next((end for end in ends if end >= position), None)

    def plain_member(self) -> tuple[RecordHead, int] | None:
        """Read ahead the bytes that come next, if there are none, and return the head of the record that they are, and
        its size.

        None if they are not one whole member, or not surely a record in good order (`plain_record`).
        """
        if self._buffer:
            self.forget_ends(self.base)
        else:
            self._buffer = self._begun()
        marks, buffer = self._marks, self._buffer
        if len(marks) != 1 or not isinstance(buffer, bytes):
            return None
        head = plain_record(buffer) if marks[0][0] == self.base + len(buffer) else None
        if head is None or head.kind == "arc":
            return None
        self.arc = False
        return head, len(buffer)

    def _begun(self) -> bytes:
        """The bytes that come next; those of a record up to the end of its member, if that is not too far."""
        feed, marks = self._feed, self._marks
        piece = feed.more()
        self.forget_ends(self.base)  # those of empty members
        if marks or not self._is_packed or not piece.startswith(b"WARC/"):
            return piece
        pieces, size = [piece], len(piece)
        while not marks and size < _MOST_AHEAD and (piece := feed.more()):
            pieces.append(piece)
            size += len(piece)
        return b"".join(pieces)

    def file_offset(self, position: int) -> int | None:
        """The offset in the file of the end of the member that ends at a position; None if none does."""
        for unpacked, offset in self._marks:
            if unpacked >= self.base + position:
                return offset if unpacked == self.base + position else None
        return None

    def early_end(self, size: int) -> int | None:
        """The first end of a member before `size`, as far as has been read, that is followed by a record."""
        start, stop = 0, 16  # in steps, since reading further adds ends
        while marks := tuple(islice(self._marks, start, stop)):
            for unpacked, _ in marks:
                position = unpacked - self.base
                if position >= size:
                    return None
                if self.begins_record(position):
                    return position
            start, stop = stop, 8 * stop
        return None

    # --- records

    def is_empty_line(self) -> bool:
        """Whether the next byte is a CR or LF."""
        return self._buffer[0] in b"\r\n"

    def head_end(self) -> int:
        """The number of bytes of the current head, as far as has been read: see `record_heads.head_end`.

        A head does not go beyond a member after which another record begins.
        """
        first = self._marks[0][0] - self.base if self._marks else len(self._buffer)
        size = head_end(self._buffer, first)
        if size >= 0 or first >= len(self._buffer):
            return size
        early = self.early_end(HEAD_SIZE)
        return head_end(self._buffer, HEAD_SIZE) if early is None else max(head_end(self._buffer, early), 0)

    def begins_record(self, position: int) -> bool:
        """Whether a record begins at a position."""
        self.fill(position + 5)
        if position < self._apart_size:
            self._together()
        if self._buffer.startswith(b"WARC/", position - self._apart_size):
            return True
        if not self.arc:
            return False
        self.fill(position + _BEGINNING)
        return begins_record(self.piece(position, position + _BEGINNING))

    def behind_empty_lines(self, position: int, most: int = _EMPTY_LINES) -> int:
        """The end of the CRs and LFs at a position; they also end at a member's end, or at their maximum number."""
        limit = position + most
        end = position
        while end < limit and self.fill(end + 1):
            piece = self.piece(end, limit)
            rest = piece.lstrip(b"\r\n")
            end += len(piece) - len(rest)
            if rest:
                break
        member_end = self.member_end(position)
        return end if member_end is None else min(member_end, end)

    def up_to_end(self) -> tuple[int, bool]:
        """The number of bytes before the end of the current member, as far as has been read; and whether it was."""
        self.fill(1)
        end = self.member_end(0)
        return (len(self), False) if end is None else (end, True)

    def up_to_next(self, search: int) -> tuple[int, bool]:
        """The number of bytes before the next apparent record, at position `search` or after it; and whether it
        was found: if not, so many bytes can be skipped.
        """
        self._together()
        self.fill(search + 2 * _BEGINNING)
        early = self.early_end(len(self._buffer) + 1)
        at = next_record(self._buffer, search, len(self._buffer) if early is None else early, arc=self.arc)
        if at >= 0:
            return at, True
        if early is not None:
            return early, True
        # a record may begin in the last bytes
        searched = len(self._buffer)
        more = self.fill(searched + 1)
        return (max(searched - _BEGINNING, 0) if more else searched), False

    def record_end(self, size: int, *, begins_member: bool) -> tuple[Fault | None, int | None]:
        """The fault of a record whose head and block have `size` bytes, and its size with the empty lines.

        After it there must be another record, or the end; in a compressed file the end of a member is enough. Otherwise
        its length is wrong; also if the next member begins with a record before that length. `begins_member`: whether
        it begins where a member does. Each result may be None: there is none, or it is not known.
        """
        self.fill(size + 8)
        if self.early_end(size) is not None:
            return TOO_LONG, None
        if len(self) < size:
            return self._feed.broken or ENDS, None
        end = self.behind_empty_lines(size)
        at_end = end == len(self) and not self.fill(end + 1)
        if at_end and begins_member and self.member_end(end) != end and self._feed.broken:
            return self._feed.broken, None  # the damaged member is copied as a whole
        if at_end or self.member_end(end) == end or end - size == _EMPTY_LINES or self.begins_record(end):
            return None, end
        if begins_member and self.member_end(1) is None:
            self.fill(end + _NEAR)
            if self._feed.broken and self.member_end(1) is None:
                return self._feed.broken, None
        return _WRONG_LENGTH, None

    def fault_out_of_turn(self, size: int) -> Fault | None:
        """The fault in what follows a large record of `size` bytes, before its content is read, or None.

        It can be seen if the file is seekable and not compressed.
        """
        if not isinstance(self._feed, PlainStream):
            return None
        behind = self._feed.look(self.base + size - 1, _BEGINNING)
        if behind is None:
            return None
        stripped = behind[1:].lstrip(b"\r\n")
        if stripped == b"" or stripped.startswith(b"WARC/") or (self.arc and begins_record(stripped)):
            return None if behind else ENDS
        return _WRONG_LENGTH
