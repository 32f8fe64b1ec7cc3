"""Where to divide an archive that is not compressed (.warc, .arc), without reading the content of its records.

1. From the start of a record, each head gives the record's length, and so the start of the next one: the search goes
   from head to head. After a record there must be empty lines and a record, or the end of the file.
2. Otherwise the archive is damaged, and is not divided from there on: finding the next record takes a full read.
3. A conversion stays with the records before it (`rehref.containers.warc.members`, rule 1).
"""

from __future__ import annotations

from typing import BinaryIO, Final, NamedTuple

from rehref.containers.warc.record_heads import begins_record, head_end, parse_record_head

_HEADS: Final = (1 << 12, 1 << 16)
"""The usual and the maximum size of a head, in bytes."""
_BEHIND: Final = 1 << 12
_EMPTY_LINES: Final = 64


class _Record(NamedTuple):
    """The end of a record, and whether it is a conversion."""

    end: int
    is_conversion: bool


def record_border(file: BinaryIO, start: int, offset: int, size: int) -> int:
    """The first offset, from `offset` on, where an archive of `size` bytes can be divided; `size` if there is none.

    `start`: where a record begins, at `offset` or before. Raises OSError. The position of the file is then undefined.
    """
    at = start
    while at < size:
        record = _record(file, at, size)
        if record is None:
            return size
        if at >= offset and not record.is_conversion:
            return at
        at = record.end
    return size


def _record(file: BinaryIO, at: int, size: int) -> _Record | None:
    """The record at an offset; None if it is damaged (rules 1, 2)."""
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
    return _Record(end, head.kind == "conversion")
