"""Where a record ends, and whether it ends there: the check of its length.

1. After a record there must be another one, or the end; in a compressed file the end of a member is enough. Otherwise
   the record's length is wrong; also if the next member begins with a record before that length.
   What follows it in a damaged member is not what was written: then the damage is reported, if it is near.
2. The length of a large record can be checked before its content is read if the file is seekable and not compressed.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from rehref.containers.parts import Fault
from rehref.containers.warc.decompressed_stream import ArchiveStream, PlainStream
from rehref.containers.warc.lookahead import BEGINNING, EMPTY_LINES, Lookahead
from rehref.containers.warc.record_heads import begins_record

ENDS: Final = Fault("truncated", "the file ends within it")
TOO_LONG: Final = Fault("damaged", "its Content-Length is wrong: it ends before")
_WRONG_LENGTH: Final = Fault("damaged", "its Content-Length is wrong: what follows is not a record")
_NEAR: Final = 1 << 18  # the number of bytes after a record within which damage is found (rule 1)


class RecordEnd(NamedTuple):
    """The end of a record.

    `problem`: why its length is wrong, or None. `size`: of the record with the empty lines after it, if that is known.
    """

    problem: Fault | None
    size: int | None = None


def record_end(ahead: Lookahead, feed: ArchiveStream, size: int, *, begins_member: bool) -> RecordEnd:
    """The end of a record whose head and block have `size` bytes; it may begin where a member does (rule 1)."""
    ahead.fill(size + 8)
    if ahead.early_end(size) is not None:
        return RecordEnd(TOO_LONG)
    if len(ahead) < size:
        return RecordEnd(feed.broken or ENDS)
    end = ahead.behind_empty_lines(size)
    at_end = end == len(ahead) and not ahead.fill(end + 1)
    if at_end and begins_member and ahead.member_end(end) != end and feed.broken:
        return RecordEnd(feed.broken)  # the damaged member is copied as a whole
    if at_end or ahead.member_end(end) == end or end - size == EMPTY_LINES or ahead.begins_record(end):
        return RecordEnd(None, end)
    if begins_member and ahead.member_end(1) is None:
        ahead.fill(end + _NEAR)
        if feed.broken and ahead.member_end(1) is None:
            return RecordEnd(feed.broken)
    return RecordEnd(_WRONG_LENGTH)


def fault_out_of_turn(ahead: Lookahead, feed: ArchiveStream, size: int) -> Fault | None:
    """The fault in what follows a large record of `size` bytes, as far as it can be seen now (rule 2), or None."""
    if not isinstance(feed, PlainStream):
        return None
    behind = feed.look(ahead.base + size - 1, BEGINNING)
    if behind is None:
        return None
    stripped = behind[1:].lstrip(b"\r\n")
    if stripped == b"" or stripped.startswith(b"WARC/") or (ahead.arc and begins_record(stripped)):
        return None if behind else ENDS
    return _WRONG_LENGTH
