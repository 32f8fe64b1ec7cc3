r"""The positions of the messages in an mbox (RFC 4155).

1. An mbox begins with a line `From ...`, perhaps after a byte order mark. Another message begins after an empty line,
   with such a line and a header field on the next one. The empty line belongs to neither.
2. Changes that writers of an mbox make to lines of bodies that begin with `From ` are not undone.
3. A file with one message only is that message; the line is skipped.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from rehref.containers.mime.header_fields import Buffer, MediaType

TYPE: Final = MediaType("application/mbox", "application/mbox", {})
"""The media type of an mbox."""

_BEGINNING = re.compile(rb"(?:\xEF\xBB\xBF)?From [^\n]*+\n").match
_NEXT = re.compile(rb"\n\r?+\nFrom [^\n]*+\n(?=[!-9;-~]++[ \t]*+:)").finditer
_LINE = re.compile(rb"(?:\A|\n\r?+\n)From ").finditer


class Stored(NamedTuple):
    """A message in an mbox, in bytes: the start of its line `From ...`, the start of its header fields, and its end."""

    line: int
    start: int
    end: int


def is_mbox(data: Buffer) -> bool:
    """Whether a message begins like an mbox."""
    return _BEGINNING(data) is not None


def messages(data: Buffer) -> list[Stored]:
    """The messages in an mbox; none if it has only one, or is not an mbox (rules 1, 3). Linear time."""
    first = _BEGINNING(data)
    if first is None:
        return []
    begins = [(0, 0, first.end())]
    begins += [(each.start() + 1, each.start() + each[0].index(b"From "), each.end()) for each in _NEXT(data)]
    ends = [*(end for end, _, _ in begins[1:]), len(data)]
    found = [Stored(line, start, end) for (_, line, start), end in zip(begins, ends, strict=True)]
    return found if len(found) > 1 else []


def lines_like_the_first(body: bytes) -> int:
    """The number of lines of a body like the beginning of another message: `From ...` after an empty line."""
    return sum(1 for _ in _LINE(body))
