"""Where an archive that is not compressed (.warc, .arc) can be divided, without reading what its records hold.

1. From a place where a record begins, each head says how long the record is, and so where the next one begins: one goes
   from head to head. What follows a record must be empty lines and a record, or the end of the file.
2. Where that is not so, the archive is broken, and is not divided from there on: only whoever reads it finds the next
   record.
3. A conversion stays with what is before it (`rehref.containers.warc.members`, rule 1).
"""

from __future__ import annotations

from typing import BinaryIO, Final, NamedTuple

from rehref.containers.warc.record_heads import begins_record, head_end, parse_record_head

_HEADS: Final = (1 << 12, 1 << 16)
"""Bytes that a head has nearly always, and at most."""
_BEHIND: Final = 1 << 12
_EMPTY_LINES: Final = 64


class _Record(NamedTuple):
    """Where a record ends, and whether it is a conversion."""

    end: int
    is_conversion: bool


def record_border(file: BinaryIO, start: int, offset: int, size: int) -> int:
    """The first offset, from `offset` on, where an archive of `size` bytes can be divided; `size` if there is none.

    `start`: where a record begins, at `offset` or before. Raises OSError. The file is left anywhere.
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
    """The record at an offset; None if something is wrong with it (rules 1, 2)."""
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
