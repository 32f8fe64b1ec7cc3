"""Where to divide an archive of gzip members (.warc.gz, .arc.gz), without reading it from its beginning.

1. It is divided before a member whose content begins with a record. So a record in several members, and several records
   in one, stay together. A conversion stays with the records before it: to add another one to its record, a program
   must see those that it has.
2. Bytes that look like a member may be content of another one: an archive may contain an archive, and deflate stores
   incompressible data unchanged, but in blocks of at most 65,535 bytes, each after a header of its own
   (RFC 1951 §3.2.4). So a border counts only if sound members follow each other from there, without a gap and with
   correct check sums, until one ends more than that many bytes after it, or with the file.
3. The border for an offset is the first one at it or after it, so it is the same for all processes.
4. One large member, or a file without such a place after an offset, has no border there: the end of the file is used.
"""

from __future__ import annotations

from typing import BinaryIO, Final

from rehref.containers.warc.compression_formats import GZIP, Format, gzip_format
from rehref.containers.warc.record_heads import begins_record
from rehref.text.header_fields import parse_head

_STORED: Final = 65_535 + 16
"""The size of a stored block and its header, in bytes (rule 2)."""
_CHUNK: Final = 1 << 20
_LOOK: Final = 1 << 14


def has_members(head: bytes) -> bool:
    """Whether data that begin with these bytes are a series of gzip members."""
    return head.startswith(GZIP)


def border(file: BinaryIO, offset: int, size: int) -> int:
    """The first offset, from `offset` on, where an archive of `size` bytes can be divided; `size` if there is none.

    Raises OSError. The position of the file afterwards is undefined.
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
    """The first offset, from `at` on, of the bytes that begin a member; `size` if there are none."""
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
    """None if there is a border (rules 1, 2); else the offset from which to search for one.

    If members follow each other up to damage, none of them is a border.
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
    """Whether content that begins with these bytes may be a conversion (rule 1): also if its head is longer."""
    if not head.startswith(b"WARC/"):
        return False
    fields = parse_head(head)
    return not fields.complete or fields.values.get("warc-type", "").lower() == "conversion"


def _member_end(file: BinaryIO, form: Format, start: int) -> int | None:
    """The end of the sound member that begins at an offset, or None. The unpacker verifies check sums."""
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
