"""The head of an HTTP message or a WARC record with a field set or dropped: its lines change, and no others.

A value that is set is written over the old one; a field that was not there becomes the last, its line ended as the
first line is. All else stays, byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rehref.text.header_fields import Field, parse_head

_FORBIDDEN = re.compile(r"[\r\n\0]").search  # RFC 9110 §5.5


def set_field(data: bytes, name: str, value: str) -> bytes:
    """Give a field a value in the head at the beginning of `data`, which may go on behind it.

    Of several fields of the name the first is kept. `value`: characters up to U+00FF. Raises ValueError if it cannot be
    the value of a field.
    """
    if _FORBIDDEN(value):
        raise ValueError("a field's value is one line, without NUL")
    written = value.encode("latin-1")
    head = parse_head(data)
    if same := head.all(name):
        first, *others = same
        # "Name:" and nothing: a space, as everybody writes it
        space = b" " if data[first.start - 1 : first.start] == b":" else b""
        return data[: first.start] + space + written + _without(data, others, first.end)
    line_end = _line_end(data)
    line = name.encode("ascii") + b": " + written + line_end
    if not head.complete:
        between = b"" if data == b"" or data.endswith(b"\n") else line_end
        return data + between + line
    at = head.end - (2 if data[: head.end].endswith(b"\r\n") else 1)
    return data[:at] + line + data[at:]


def drop_field(data: bytes, name: str) -> bytes:
    """Take all fields of that name out of the head at the beginning of `data`, which may go on behind it."""
    return _without(data, parse_head(data).all(name), 0)


def _without(data: bytes, fields: Sequence[Field], position: int) -> bytes:
    """The data from `position` on, without the lines of these fields."""
    kept = []
    for field in fields:
        kept.append(data[position : field.line_start])
        position = field.line_end
    return b"".join(kept) + data[position:]


def _line_end(data: bytes) -> bytes:
    first = data.find(b"\n")
    return b"\n" if first >= 0 and data[first - 1 : first] != b"\r" else b"\r\n"
