"""Where an archive of gzip members (.warc.gz, .arc.gz) can be divided, without reading it from its beginning.

1. It is divided before a member whose content begins as a record does. A record in several members, and several records
   in one, so stay together. A conversion stays with what is before it: whoever adds another one to its record must see
   those that it has.
2. Bytes that look like a member may be content of another one: an archive may hold an archive, and what cannot be
   compressed stands in deflate data as it is, but in blocks of at most 65,535 bytes, each behind a header of its own
   (RFC 1951 §3.2.4). So a border is taken only if sound members follow each other from there, without a gap and with
   right check sums, until one ends more than that many bytes behind it, or with the file.
3. The border behind an offset is the first one at it or behind it: whoever asks gets the same answer.
4. What is one large member, or holds no such place behind an offset, has no border there: the end of the file is.
"""

from __future__ import annotations

from typing import BinaryIO, Final

from rehref.containers.warc.compression_formats import GZIP, Format, gzip_format
from rehref.containers.warc.record_heads import begins_record
from rehref.text.header_fields import parse_head

_STORED: Final = 65_535 + 16
"""Bytes of a stored block and its header (rule 2)."""
_CHUNK: Final = 1 << 20
_LOOK: Final = 1 << 14


def has_members(head: bytes) -> bool:
    """Whether what begins with these bytes is a series of gzip members."""
    return head.startswith(GZIP)


def border(file: BinaryIO, offset: int, size: int) -> int:
    """The first offset, from `offset` on, where an archive of `size` bytes can be divided; `size` if there is none.

    Raises OSError. The file is left anywhere.
    """
    form = gzip_format()
    at = offset
    while (at := _next_magic(file, at, size)) < size:
        again = _behind_broken(file, form, at, size)
        if again is None:
            return at
        at = again
    return size


def _next_magic(file: BinaryIO, at: int, size: int) -> int:
    """Where bytes stand that members begin with, from an offset on; `size` if there are none."""
    file.seek(at)
    chunk = b""
    while more := file.read(_CHUNK):
        chunk += more
        found = chunk.find(GZIP)
        if found >= 0:
            return at + found
        passed = max(len(chunk) - len(GZIP) + 1, 0)  # the last bytes may be the beginning of a member
        at, chunk = at + passed, chunk[passed:]
    return size


def _behind_broken(file: BinaryIO, form: Format, start: int, size: int) -> int | None:
    """None if there is a border (rules 1, 2); else from where on to look for one.

    Where members follow each other up to a place where they do not, none of them is a border.
    """
    file.seek(start)
    head = form.beginning(file.read(_LOOK), _LOOK)
    if not begins_record(head) or _is_conversion(head):
        return start + 1
    end = start
    while end < size and end - start <= _STORED:
        after = _member_end(file, form, end)
        if after is None:
            return end + 1
        end = after
    return None


def _is_conversion(head: bytes) -> bool:
    """Whether what begins with these bytes may be a conversion (rule 1): so may one whose head is longer."""
    if not head.startswith(b"WARC/"):
        return False
    fields = parse_head(head)
    return not fields.complete or fields.values.get("warc-type", "").lower() == "conversion"


def _member_end(file: BinaryIO, form: Format, start: int) -> int | None:
    """Where a sound member ends that begins at an offset; None if there is none. The unpacker sees to check sums."""
    file.seek(start)
    unpacker = form.unpacker()
    at, rest = start, b""
    while not unpacker.done:
        rest = rest or file.read(form.feeds[1])
        if not rest:
            return None
        try:
            _, used = unpacker.feed(rest)
        except ValueError:
            return None
        at, rest = at + used, rest[used:]
    return at
