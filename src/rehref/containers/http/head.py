r"""The head of an HTTP message, with the place of every field (RFC 9112 §2, §5; RFC 9110 §5).

The head of a WARC record has the same shape (ISO 28500 §4), and is read here too.

1. A head is a start line, fields, and an empty line, which belongs to it. Lines end in CRLF or in LF alone. Where the
   empty line is missing, the head is all there is. What comes behind it is the body.
2. There may be no start line: then the first line is a field already.
3. A line that is no field (no token and ":" at its beginning) is skipped; so is white space before the first field.
   White space between name and ":" is put up with. Names are compared without regard to case.
4. A value is what stands behind the ":", without the white space at its ends. In a folded one each character of the
   line break is read as a space (RFC 9112 §5.2), so character i of a value is byte `start + i` of the data.
5. Bytes are read as ISO 8859-1, one character each: what they mean is for those to say who know the field.
6. Setting or dropping a field changes its lines and no others. A value that is set is written over the old one; a field
   that was not there becomes the last, its line ended as the first line is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

_EMPTY_LINE = re.compile(rb"(?:\A|\n)\r?\n").search
# RFC 9110 §5.1, §5.6.2: a name is a token; RFC 9112 §5: no white space before it
_TOKEN = rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]++"
_FIELDS = re.compile(rb"^(" + _TOKEN + rb")[\t ]*+:([^\n]*+(?:\n[\t ][^\n]*+)*)", re.MULTILINE).finditer
_IS_FIELD = re.compile(_TOKEN + rb"[\t ]*+:").match
_WHITE = b" \t\r\n"
_FOLD = bytes.maketrans(b"\r\n", b"  ")
_FORBIDDEN = re.compile("[\r\n\0]").search  # RFC 9110 §5.5


class Field(NamedTuple):
    """A field: its name as written and its value (rules 4 and 5).

    `start` and `end` delimit the value, `line_start` and `line_end` all its lines with their ends: bytes of the data.
    """

    name: str
    value: str
    start: int
    end: int
    line_start: int
    line_end: int


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a message: the start line ("" if there is none), the fields in order, where the body begins.

    `complete`: whether its empty line is there.
    """

    start_line: str
    fields: tuple[Field, ...]
    end: int
    complete: bool

    def find(self, name: str) -> Field | None:
        """The first field of that name."""
        lower = name.lower()
        for field in self.fields:
            if field.name.lower() == lower:
                return field
        return None

    def get(self, name: str) -> str | None:
        """The value of the first field of that name."""
        field = self.find(name)
        return None if field is None else field.value

    def all(self, name: str) -> tuple[str, ...]:
        """The values of all fields of that name, in order."""
        lower = name.lower()
        return tuple(field.value for field in self.fields if field.name.lower() == lower)


def parse_head(data: bytes) -> Head:
    """Read the head at the beginning of `data`, a body may follow. Raises nothing."""
    empty = _EMPTY_LINE(data)
    end = len(data) if empty is None else empty.end()
    first_end = data.find(b"\n", 0, end) + 1 or end
    start_line = ""
    position = 0
    if _IS_FIELD(data, 0, end) is None:  # rule 2
        start_line = data[:first_end].rstrip(_WHITE).decode("latin-1")
        position = first_end
    # the empty line is no field's; nor can a value fold into it
    last = end if empty is None else empty.start() + 1
    return Head(start_line, tuple(_fields(data, position, last)), end, empty is not None)


def _fields(data: bytes, position: int, end: int) -> list[Field]:
    found = []
    for match in _FIELDS(data, position, end):
        raw = match[2]
        stripped = raw.lstrip(_WHITE)
        start = match.end() - len(stripped) if stripped else match.start(2)
        stripped = stripped.rstrip(_WHITE)
        if b"\n" in stripped:
            stripped = stripped.translate(_FOLD)
        line_end = min(match.end() + 1, end)
        value = stripped.decode("latin-1")
        found.append(Field(match[1].decode("ascii"), value, start, start + len(stripped), match.start(), line_end))
    return found


def set_field(data: bytes, name: str, value: str) -> bytes:
    """Give a field a value in the head at the beginning of `data`, which may go on behind it (rule 6).

    Of several fields of the name the first is kept. `value`: characters up to U+00FF. Raises ValueError if it cannot be
    the value of a field.
    """
    if _FORBIDDEN(value):
        raise ValueError("a field's value is one line, without NUL")
    written = value.encode("latin-1")
    head = parse_head(data)
    same = [field for field in head.fields if field.name.lower() == name.lower()]
    if same:
        first, others = same[0], same[1:]
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
    """Take all fields of that name out of the head at the beginning of `data`, which may go on behind it (rule 6)."""
    same = [field for field in parse_head(data).fields if field.name.lower() == name.lower()]
    return _without(data, same, 0) if same else data


def _without(data: bytes, fields: list[Field], position: int) -> bytes:
    """The data from `position` on, without the lines of these fields."""
    kept = []
    for field in fields:
        kept.append(data[position : field.line_start])
        position = field.line_end
    return b"".join(kept) + data[position:]


def _line_end(data: bytes) -> bytes:
    first = data.find(b"\n")
    return b"\n" if first >= 0 and data[first - 1 : first] != b"\r" else b"\r\n"
