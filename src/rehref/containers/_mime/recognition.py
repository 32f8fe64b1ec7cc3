"""How messages begin: whether data are a MIME message, and where each message of an mbox (RFC 4155) is.

Neither HTML nor an HTTP message nor a WARC file matches, since their first lines are not header fields; nor does a text
in which a line just begins with `From:`. Changes that writers of an mbox make to lines of bodies that begin with `From
` are not undone.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from rehref.containers._mime.mail_fields import BEFORE, Buffer, ContentType, fields
from rehref.documents.media_types import MediaType

_OF_MIME = frozenset({"mime-version", "content-transfer-encoding", "snapshot-content-location"})
_OF_MAIL = frozenset(
    {"date", "delivered-to", "from", "message-id", "received", "return-path", "sender", "subject", "to"}
)
_MUCH = 1 << 15
_CONTAINER = re.compile(rb"\s*+(?:multipart/|message/rfc822)", re.IGNORECASE).match
MBOX: Final = ContentType("application/mbox", MediaType("application/mbox"), {})
"""The media type of an mbox."""

_BEGINNING = re.compile(rb"(?:\xEF\xBB\xBF)?From [^\n]*+\n").match
_NEXT = re.compile(rb"\n\r?+\nFrom [^\n]*+\n(?=[!-9;-~]++[ \t]*+:)").finditer
_LINE = re.compile(rb"(?:\A|\n\r?+\n)From ").finditer


def looks_like_mime(head: bytes) -> bool:
    """Whether data that begin with `head` (a few kilobytes, or all of them) are a MIME message.

    They begin with header fields (RFC 5322 §2.2), perhaps after a byte order mark or a line `From ...` (mbox). Among
    these is one that only MIME and mail have, or two of those that every mail has (`From`, `Date`, `Subject`, ...). An
    empty line ends them; if they go on beyond `_MUCH` bytes, one field of mail is enough, or a line `From ...`.
    """
    before = BEFORE(head)
    at = before.end() if before else 0
    of_mail: set[str] = set()
    of_mime = False
    for field in fields(head, at, len(head)):
        at = field.stop
        value = head[slice(*field.span)]
        of_mime = of_mime or field.name in _OF_MIME or (field.name == "content-type" and bool(_CONTAINER(value)))
        if field.name in _OF_MAIL:
            of_mail.add(field.name)
    if head.startswith((b"\n", b"\r\n"), at):
        return of_mime or len(of_mail) > 1
    if b"\n" in head[at:]:
        return False
    return of_mime or len(of_mail) > 1 or (at >= _MUCH and (len(of_mail) > 0 or is_mbox(head)))


class Stored(NamedTuple):
    """A message in an mbox, in bytes: the start of its line `From ...`, the start of its header fields, and its end."""

    line: int
    start: int
    end: int


def is_mbox(data: Buffer) -> bool:
    """Whether a message begins like an mbox."""
    return _BEGINNING(data) is not None


def messages_of_mbox(data: Buffer) -> list[Stored]:
    """The messages in an mbox; none if it has only one, or is not an mbox. Linear time.

    It begins with a line `From ...`, perhaps after a byte order mark. Another message begins after an empty line, which
    belongs to neither, with such a line and a header field on the next one.
    """
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
