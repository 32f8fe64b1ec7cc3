"""Where to divide an archive, without reading it from its beginning.

Compressed, it is divided before a member whose content begins with a record: a record in several members stays
together. Bytes that look like a member may be content: an archive may contain an archive, and deflate stores
incompressible data unchanged. So a border counts only if sound members follow each other from there. Not compressed, it
is divided from head to head, each of which gives the start of the next. The border for an offset is the same for all
processes.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import pairwise
from typing import BinaryIO, Final

from rehref.containers._warc.compression_formats import (
    FAILED,
    GZIP,
    CompressionFormat,
    RepeatedWork,
    gzip_format,
)
from rehref.containers._warc.documents import recognizes
from rehref.containers._warc.record_heads import begins_archive, begins_record, head_end, parse_record_head
from rehref.containers.streams import ByteRange
from rehref.text.header_fields import Head

STRETCH: Final = 32 << 20
"""What is near a record is in the same stretch of so many bytes, or in the one before, however it is divided."""
_STORED: Final = 65_535 + 16  # the size of a stored block and its header, in bytes (RFC 1951 §3.2.4)
_CHUNK: Final = 1 << 20
_LOOK: Final = 1 << 18  # the number of bytes of a possible member that are in memory when it is tried
_HEAD: Final = 1 << 14
_HEADS: Final = (1 << 12, 1 << 16)  # the usual and the maximum size of a head, in bytes
_BEHIND: Final = 1 << 12
_EMPTY_LINES: Final = 64


def has_members(head: bytes) -> bool:
    """Whether data that begin with these bytes are a series of gzip members."""
    return head.startswith(GZIP)


def border(file: BinaryIO, offset: int, size: int) -> int:
    """The first offset, from `offset` on, where an archive of `size` bytes can be divided; `size` if there is none.

    That is so in one large member, and where damage has been tried as far as `RepeatedWork` allows. Raises OSError. The
    position of the file afterwards is undefined.
    """
    form = gzip_format()
    in_vain = RepeatedWork(offset)
    search = offset
    for at in _possible_members(file, form, offset):
        if at < search or _begins_conversion(file, form, at):
            continue
        end, is_sound, work = _chain(file, form, at, size)
        if is_sound:
            return at
        if not in_vain.may_take(work, at):
            break
        search = end + 1  # if members follow each other up to damage, none of them is a border
    return size


def _possible_members(file: BinaryIO, form: CompressionFormat, at: int) -> Iterator[int]:
    """The offsets, from one on, where a member seems to begin whose content begins with a record."""
    data, is_all = b"", False
    while not is_all:
        file.seek(at + len(data))
        more = file.read(_CHUNK)
        data, is_all = data + more, not more
        found = data.find(GZIP)
        while found >= 0 and (is_all or found + _LOOK <= len(data)):
            trial = form.trial(data, found)
            if trial and begins_record(form.tried(trial)):
                yield at + found
            found = data.find(GZIP, found + 1)
        # the last bytes may be the beginning of a member
        kept = found if found >= 0 else max(len(data) - len(GZIP) + 1, 0)
        at, data = at + kept, data[kept:]


def _chain(file: BinaryIO, form: CompressionFormat, start: int, size: int) -> tuple[int, bool, int]:
    """The sound members that follow each other from an offset on, in a file of `size` bytes.

    It is long enough if one ends more bytes after it than a stored block has, or with the file, without a gap and with
    correct check sums. Returns where the last of them ends; whether that is far enough; how many bytes were unpacked,
    and how many these gave, together.
    """
    end, work = start, 0
    while end < size and end - start <= _STORED:
        after, more = _member_end(file, form, end)
        work += more
        if after is None:
            return end, False, work
        end = after
    return end, True, work


def _member_end(file: BinaryIO, form: CompressionFormat, start: int) -> tuple[int | None, int]:
    """The end of the member at an offset, None if it is damaged; and the work. The unpacker verifies check sums."""
    file.seek(start)
    unpacker = form.unpacker()
    at, rest, work = start, b"", 0
    while not unpacker.done:
        rest = rest or file.read(form.feeds[1])
        if not rest:
            return None, work
        try:
            data, used = unpacker.feed(rest)
        except ValueError:
            return None, work + len(rest) + FAILED
        at, rest, work = at + used, rest[used:], work + used + len(data)
    return at, work


def _begins_conversion(file: BinaryIO, form: CompressionFormat, at: int) -> bool:
    """Whether the member at an offset may begin with a conversion: also if its head is longer.

    It stays with the records before it: to add another one to its record, a program must see those that it has.
    """
    file.seek(at)
    head = form.tried(file.read(_HEAD), _HEAD)
    if not head.startswith(b"WARC/"):
        return False
    fields = Head.read(head)
    return not fields.complete or fields.values.get("warc-type", "").lower() == "conversion"


def record_border(file: BinaryIO, start: int, offset: int, size: int) -> int:
    """The first offset, from `offset` on, where an archive of `size` bytes can be divided; `size` if there is none.

    After a record there must be empty lines and a record, or the end of the file; else the archive is damaged, and is
    not divided from there on: finding the next record takes a full read. `start`: where a record begins, at `offset` or
    before. Raises OSError. The position of the file is then undefined.
    """
    at = start
    while at < size:
        record = _record(file, at, size)
        if record is None:
            return size
        end, is_conversion = record
        if at >= offset and not is_conversion:
            return at
        at = end
    return size


def _record(file: BinaryIO, at: int, size: int) -> tuple[int, bool] | None:
    """The end of the record at an offset, and whether it is a conversion; None if it is damaged."""
    for most in _HEADS:
        file.seek(at)
        data = file.read(most)
        length = head_end(bytearray(data))
        if length > 0:
            break
    else:
        return None
    head = parse_record_head(data[:length])
    if head.length is None:
        return None
    end = at + length + head.length
    file.seek(end)
    behind = file.read(_BEHIND)
    rest = behind.lstrip(b"\r\n")
    empty = len(behind) - len(rest)
    end += empty
    follows = rest.startswith(b"WARC/") or (head.kind == "arc" and begins_record(rest))
    if empty > _EMPTY_LINES or not (follows or end == size):
        return None
    return end, head.kind == "conversion"


def neighborhood(file: BinaryIO, stretch: int) -> ByteRange | None:
    """The range that is near the records of a stretch; None: all of the archive, since it is not divided.

    Raises OSError. The position of the file is then undefined.
    """
    file.seek(0)
    head, size = file.read(_HEAD), file.seek(0, io.SEEK_END)
    before, behind = (stretch - 1) * STRETCH, (stretch + 1) * STRETCH
    if has_members(head):
        start = 0 if before <= 0 else border(file, before, size)
        return ByteRange(start, size if behind >= size else border(file, behind, size))
    if begins_archive(head):
        start = 0 if before <= 0 else record_border(file, 0, before, size)
        return ByteRange(start, size if behind >= size else record_border(file, start, behind, size))
    return None


def ranges(file: BinaryIO, length: int, size: int) -> list[ByteRange]:
    """The ranges of about `size` bytes that an archive of `length` bytes can be divided into; [] if it cannot."""
    head = file.read(_HEADS[1])
    if not recognizes(head):
        return []
    ends = [0]
    while ends[-1] < length:
        end = min(ends[-1] + size, length)
        if has_members(head):
            ends.append(border(file, end, length))
        elif begins_archive(head):
            ends.append(record_border(file, ends[-1], end, length))
        else:
            return []
    return [ByteRange(start, end) for start, end in pairwise(ends)]
