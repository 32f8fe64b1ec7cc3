"""Where to divide an archive of gzip members (.warc.gz, .arc.gz), without reading it from its beginning.

1. It is divided before a member whose content begins with a record. So a record in several members, and several records
   in one, stay together. A conversion stays with the records before it: to add another one to its record, a program
   must see those that it has.
2. Bytes that look like a member may be content of another one: an archive may contain an archive, and deflate stores
   incompressible data unchanged, but in blocks of at most 65,535 bytes, each after a header of its own
   (RFC 1951 §3.2.4). So a border counts only if sound members follow each other from there, without a gap and with
   correct check sums, until one ends more than that many bytes after it, or with the file.
3. The border for an offset is the first one at it or after it, so it is the same for all processes.
4. Many bytes that look like members, and are damaged, are tried only as far as `RepeatedWork` allows.
5. One large member, or a file without such a place after an offset, has no border there: the end of the file is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final, NamedTuple

from rehref.containers.repeated_work import FAILED, RepeatedWork
from rehref.containers.warc.compression_formats import GZIP, Format, gzip_format
from rehref.containers.warc.record_heads import begins_record
from rehref.text.header_fields import parse_head

_STORED: Final = 65_535 + 16
"""The size of a stored block and its header, in bytes (rule 2)."""
_CHUNK: Final = 1 << 20
_LOOK: Final = 1 << 18
"""The number of bytes of a possible member that are in memory when it is tried."""
_HEAD: Final = 1 << 14


def has_members(head: bytes) -> bool:
    """Whether data that begin with these bytes are a series of gzip members."""
    return head.startswith(GZIP)


def border(file: BinaryIO, offset: int, size: int) -> int:
    """The first offset, from `offset` on, where an archive of `size` bytes can be divided; `size` if there is none.

    Raises OSError. The position of the file afterwards is undefined.
    """
    form = gzip_format()
    in_vain = RepeatedWork(offset)
    search = offset
    for at in _possible_members(file, form, offset):
        if at < search or _begins_conversion(file, form, at):
            continue
        chain = _Chain.of(file, form, at, size)
        if chain.is_sound:
            return at
        if not in_vain.may_take(chain.work, at):
            break
        search = chain.end + 1  # if members follow each other up to damage, none of them is a border
    return size


def _possible_members(file: BinaryIO, form: Format, at: int) -> Iterator[int]:
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


class _Chain(NamedTuple):
    """Sound members that follow each other, without a gap (rule 2).

    `end`: where the last of them ends. `is_sound`: whether that is far enough. `work`: how many bytes were unpacked,
    and how many these gave.
    """

    end: int
    is_sound: bool
    work: int

    @classmethod
    def of(cls, file: BinaryIO, form: Format, start: int, size: int) -> _Chain:
        """The members that begin at an offset of a file of `size` bytes."""
        end, work = start, 0
        while end < size and end - start <= _STORED:
            member = _Member.at(file, form, end)
            work += member.work
            if member.end is None:
                return cls(end, False, work)
            end = member.end
        return cls(end, True, work)


def _begins_conversion(file: BinaryIO, form: Format, at: int) -> bool:
    """Whether the member at an offset may begin with a conversion (rule 1): also if its head is longer."""
    file.seek(at)
    head = form.tried(file.read(_HEAD), _HEAD)
    if not head.startswith(b"WARC/"):
        return False
    fields = parse_head(head)
    return not fields.complete or fields.values.get("warc-type", "").lower() == "conversion"


class _Member(NamedTuple):
    """A member: its `end`, None if it is damaged; `work`: see `_Chain`. The unpacker verifies check sums."""

    end: int | None
    work: int

    @classmethod
    def at(cls, file: BinaryIO, form: Format, start: int) -> _Member:
        """The member that begins at an offset."""
        file.seek(start)
        unpacker = form.unpacker()
        at, rest, work = start, b"", 0
        while not unpacker.done:
            rest = rest or file.read(form.feeds[1])
            if not rest:
                return cls(None, work)
            try:
                data, used = unpacker.feed(rest)
            except ValueError:
                return cls(None, work + len(rest) + FAILED)
            at, rest, work = at + used, rest[used:], work + used + len(data)
        return cls(at, work)
