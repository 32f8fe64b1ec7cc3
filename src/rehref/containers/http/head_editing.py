"""Set or drop fields in the head of an HTTP message or a WARC record; only their lines change.

A new value replaces the old one; a new field becomes the last, and its line ends like the
first line. Everything else stays, byte for byte.
"""

from __future__ import annotations

import re

from rehref.text.header_fields import Head

_COLON = ord(":")
_FORBIDDEN = re.compile(r"[\r\n\0]").search  # RFC 9110 §5.5


def with_fields(head: Head, changes: dict[str, str | None]) -> bytes:
    """The head with these fields set to a value; None: drop all fields of the name.

    If there are several fields of a name, the first keeps the value and the others are dropped. Values are characters
    up to U+00FF. Raises ValueError if one cannot be the value of a field.
    """
    new = {name.lower(): (name, value) for name, value in changes.items() if value is not None}
    if _FORBIDDEN("".join([value for _, value in new.values()])):
        raise ValueError("a field's value is one line, without NUL")
    data, position = head.data, 0
    pieces = []
    for field in head.all(*changes):
        change = new.pop(field.name.lower(), None)
        if change is None:
            pieces.append(data[position : field.line_start])
            position = field.line_end
        else:
            # "Name:" without a value: add the usual space
            space = " " if data[field.start - 1] == _COLON else ""
            pieces += data[position : field.start], f"{space}{change[1]}".encode("latin-1")
            position = field.end
    lines = b"".join([_line(head, *change) for change in new.values()])
    return b"".join((*pieces, _with_last(head, position, lines) if lines else data[position:]))


def _with_last(head: Head, position: int, lines: bytes) -> bytes:
    """The head from a position on, with more lines after its last field."""
    data = head.data
    if head.complete:
        at = head.end - (2 if data.endswith(b"\r\n") else 1)
        return data[position:at] + lines + data[at:]
    between = b"" if data == b"" or data.endswith(b"\n") else _line_end(data)
    return data[position:] + between + lines


def _line(head: Head, name: str, value: str) -> bytes:
    return f"{name}: {value}".encode("latin-1") + _line_end(head.data)


def _line_end(data: bytes) -> bytes:
    first = data.find(b"\n")
    return b"\n" if first >= 0 and data[first - 1 : first] != b"\r" else b"\r\n"
