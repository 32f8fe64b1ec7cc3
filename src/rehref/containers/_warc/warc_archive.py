"""An archive file, record by record; each record is copied as it is or replaced.

A record is its head, its block and the empty lines after it. One whose length is wrong (`lookahead`) ends where the
next one seems to begin; so do bytes that are not a record. Blocks of up to 8 MB are examined whole, larger ones in
pieces unless they are loaded; then their length is checked beforehand only in a seekable file that is not compressed.
"""

from __future__ import annotations

from typing import BinaryIO

from rehref.containers._warc.archive_copy import ArchiveCopy, Pieces
from rehref.containers._warc.archive_file import PlainStream
from rehref.containers._warc.decompressed_stream import CompressedStream, open_feed
from rehref.containers._warc.lookahead import ENDS, TOO_LONG, Lookahead
from rehref.containers._warc.record_heads import HEAD_SIZE, RecordHead, parse_record_head
from rehref.containers.parts import MEGABYTE, Fault, Limits
from rehref.containers.streams import ByteRange

_WHOLE = 8 * MEGABYTE
_STEP = 1 << 20
_NO_RECORD = Fault("damaged", "these bytes are not a record")
_EMPTY_LINES = MEGABYTE  # the number of CRs and LFs between records from which on they are damage
_EMPTY = Fault("damaged", "these bytes are not a record: a megabyte of empty lines, or more")
_NO_LENGTH = Fault("damaged", "it has no valid length")


class Archive:
    """Reads records one after another: `begin`, then perhaps `peek` and `block`, then `end`, which copies.

    After `begin`: `head`, None for bytes that are not a record; `problem`, why the record must not be changed, None for
    a good record and for empty lines; `offset`, where it begins in the file, or, if `unpacked`, in the unpacked data;
    `place`, where it, or the member that it is in, begins in the file; `member`, the bytes of the record with the empty
    lines after it, if it fills a member of its own and is in good order (`plain_record`), else None.
    """

    def __init__(self, stream: BinaryIO, out: BinaryIO | None, within: ByteRange | None = None) -> None:
        """`out`: the file that all is copied to. `within`: see `ContainerOptions`. Raises `UnreadableArchiveError`."""
        feed = open_feed(stream, keep=out is not None, within=within)
        self._feed = feed
        self._packed = feed if isinstance(feed, CompressedStream) else None
        self._copy = ArchiveCopy(out, self._packed)
        self.head: RecordHead | None = None
        self.problem: Fault | None = None
        self.offset = self.place = 0
        self.unpacked = False
        self._ahead = Lookahead(feed, feed.start if isinstance(feed, PlainStream) else 0)
        self._size: int | None = None  # of the record, with the empty lines after it, if known
        self._sound = False  # whether its length seems right
        self._is_rest = False  # whether it is the rest of a member that unpacks to too much
        self._start: int | None = None  # the offset in the file of the member that begins with the record
        self._next: int | None = None  # the same for the next record
        if self._packed is not None:
            self._next = self._packed.offset
            self._copy.write(self._packed.preamble)

    def close(self) -> None:
        """Write the pending data, and delete the temporary file."""
        try:
            self._copy.close()
        finally:
            if self._packed is not None:
                self._packed.close()

    # --- beginning

    def begin(self) -> bool:
        """Go to the next record, or to bytes in its place; False at the end."""
        self.head = self.problem = self._size = None
        self._sound = self._is_rest = False
        packed, start = self._packed, self._next
        self._start = start
        if start is None:
            self._ahead.forget_ends(self._ahead.base)
        if packed is not None:
            packed.hold(start)
        self.unpacked = packed is not None and start is None
        self.offset = self._ahead.base if start is None else start
        self.place = self.place if self.unpacked else self.offset
        plain = self._ahead.plain_member()
        if plain is not None:  # the usual case
            self.head, self._size = plain
            self._sound = True
        elif not len(self._ahead):
            return self._at_break()
        elif start is None and packed is not None and (excess := packed.excess()):
            self.problem, self._is_rest = Fault("too-large", f"the rest of its member is skipped: it {excess}"), True
        elif self._ahead.is_empty_line():
            size = self._ahead.behind_empty_lines(0, _EMPTY_LINES)
            if size < _EMPTY_LINES:
                self._size = size
            else:
                self.problem = _EMPTY
        else:
            self._read_head()
        return True

    def _at_break(self) -> bool:
        """Whether there is more data, at the end of what can be unpacked."""
        packed, start = self._packed, self._start
        if packed is None:
            return False
        if packed.broken:
            start = packed.offset if start is None else start
            if not packed.skip_padding():
                self._start = self.offset = start
                self.unpacked, self.problem = False, packed.broken
                return True
        if start is not None:  # padding, or empty members
            self._copy.copy(start, packed.offset)
            self._next = None
        return False

    def _read_head(self) -> None:
        """Read the head of the record, and check that it ends as it should."""
        more = True
        size = self._ahead.head_end()
        while size < 0 and len(self._ahead) < HEAD_SIZE and more:
            more = self._ahead.fill(2 * len(self._ahead))
            size = self._ahead.head_end()
        if size <= 0:
            cut_off = size < 0 and not more and self._ahead.begins_record(0)
            self.problem = self._feed.broken or (ENDS if cut_off else _NO_RECORD)
            return
        self.head = head = parse_record_head(self._ahead.piece(0, size))
        self._ahead.arc = head.kind == "arc"
        if head.length is None:
            self.problem = _NO_LENGTH
        elif head.length <= _WHOLE:
            self._look_behind(size + head.length)
        else:
            self.problem = self._ahead.fault_out_of_turn(size + head.length)
            self._sound = self.problem is None

    def _look_behind(self, size: int) -> None:
        """Check what follows a record whose head and block have `size` bytes."""
        self.problem, self._size = self._ahead.record_end(size, begins_member=self._start is not None)
        self._sound = self.problem is None

    # --- the content

    def peek(self, size: int) -> bytes:
        """The first bytes of the block, as many as `size` if it has them."""
        start, length = self._block()
        end = start + min(size, length)
        self._ahead.fill(end)
        return self._ahead.piece(start, end)

    def block(self, limits: Limits, skip: int = 0) -> bytes | None:
        """The block after its first `skip` bytes; None, and a `problem`, if it is too large or incomplete."""
        start, length = self._block()
        size = start + length
        ahead = self._ahead
        if self._size is not None and size <= min(limits.free, limits.size):  # the usual case: it is there
            return ahead.piece(min(start + skip, size), size)
        self.problem = _excess(limits, size, size)
        if not self.problem and len(ahead) < size:
            ahead.load(start + skip, size, lambda read: _excess(limits, self._packed_size(read), read))
        while not self.problem and len(ahead) < size and ahead.early_end(size) is None:
            if not ahead.fill(min(size, len(ahead) + _STEP)):
                break
            self.problem = _excess(limits, self._packed_size(len(ahead)), len(ahead))
        if not self.problem:
            self.problem = _excess(limits, self._packed_size(len(ahead)), min(size, len(ahead)))
        if not self.problem and self._size is None:
            self._look_behind(size)
        return None if self.problem else self._ahead.piece(min(start + skip, size), size)

    def _block(self) -> tuple[int, int]:
        """The start of the block in the buffer, and its number of bytes."""
        assert self.head is not None
        return len(self.head.data), self.head.length or 0

    def _packed_size(self, unpacked: int) -> int:
        """The number of packed bytes that gave so many unpacked ones; the same if it is not known."""
        if self._packed is None or self._start is None:
            return unpacked
        return self._packed.offset - self._start

    # --- ending

    def add(self, record: bytes) -> None:
        """Write a separate record, before the current one."""
        self._copy.write_record((record,))

    def end(self, new: Pieces | None = None) -> Fault | None:
        """Skip the record and copy it, or write `new`, in pieces, in its place.

        Returns a fault found on the way, or None.
        """
        if self._size is not None:
            if new is not None:
                self._copy.write_record(new)
            else:
                self._copy_whole(self._size)
            self._pass_on(self._size)
            return None
        if self._packed is not None and self._packed.broken and not len(self._ahead):
            self._resume()
            return None
        return self._pass_in_pieces()

    def _copy_whole(self, size: int) -> None:
        """Copy a record that is in the buffer as a whole."""
        if self._copy.sink is None:
            return
        if self._packed is None:
            for piece in self._ahead.pieces(0, size):
                self._copy.write(piece)
        elif self._start is not None and (end := self._ahead.file_offset(size)) is not None:
            self._copy.copy(self._start, end)
        else:
            self._copy.write_record(tuple(self._ahead.pieces(0, size)))

    def _pass_in_pieces(self) -> Fault | None:
        """Skip a record that is large, or whose end is not known; returns its fault, or None."""
        head = self.head
        search = 1 if head is None else len(head.data)
        left = search + (head.length or 0) if head is not None and self._sound else None
        packer = self._copy.packer() if self._start is None else None
        passed = 0
        problem: Fault | None = None
        done = False
        while not done:
            if not self._ahead.fill(search + 1):
                done = True
            if left is None:
                size, found = self._ahead.up_to_end() if self._is_rest else self._ahead.up_to_next(search)
                done = done or found
            else:
                early = self._ahead.early_end(left)
                size = min(len(self._ahead), left) if early is None else early
                left -= size
                if early is not None or (done and left > 0):
                    problem = TOO_LONG if early is not None else self._feed.broken or ENDS
                    done = True
                elif left == 0:
                    size = self._ahead.behind_empty_lines(size)
                    done = True
            for piece in self._ahead.pieces(0, size):
                if packer is not None:
                    self._copy.write(packer.compress(piece))
                elif self._packed is None:
                    self._copy.write(piece)
            passed += size
            self._pass_on(size)
            search = 0
        if packer is not None:
            self._copy.write(packer.flush())
        elif self._packed is not None and self._start is not None:
            self._end_member(self._start, passed)
        return problem

    def _pass_on(self, size: int) -> None:
        """Drop the record from the buffer; the next one begins a member if one ends there."""
        self._next = self._ahead.file_offset(size)
        self._ahead.pass_on(size)

    def _end_member(self, start: int, size: int) -> None:
        """Copy the skipped bytes, `size` bytes from the beginning of a member on.

        Of a member of several records, what exceeds the ratio that `Limits` allow is copied, too.
        """
        packed = self._packed
        assert packed is not None
        if self._next is not None:
            self._copy.copy(start, self._next)
        elif packed.broken and not len(self._ahead):
            self._resume()
        else:
            self._copy.pack_again(start, size)

    def _resume(self) -> None:
        """Continue at the next good member; the damaged bytes before it are copied."""
        assert self._packed is not None
        start = self._packed.offset if self._start is None else self._start
        self._packed.resume(start, self._copy.sink)
        self._next = self._packed.offset


def _excess(limits: Limits, packed: int, unpacked: int) -> Fault | None:
    """The fault if a size exceeds the limits, or None; both sizes in bytes."""
    why = limits.exceeded(packed, unpacked)
    return Fault("too-large", why) if why else None
