"""Whether data are a MIME message, judging by their beginning.

1. They begin with header fields (RFC 5322 §2.2), perhaps after a byte order mark or a line `From ...` (mbox).
2. Among them is one that only MIME and mail have: `MIME-Version`, `Content-Transfer-Encoding`,
   `Snapshot-Content-Location`, a `Content-Type` that is `multipart/...` or `message/rfc822`; or two of those that every
   mail has (`From`, `Date`, `Subject`, ...).
3. An empty line ends them, or they continue beyond the given bytes: if these are `_MUCH` or more, one header field of
   mail is enough, or a line `From ...`. So neither HTML nor an HTTP message nor a WARC file matches, since their first
   lines are not header fields; nor does a text in which a line just begins with `From:`.
"""

from __future__ import annotations

import re

from rehref.containers.mime import mbox
from rehref.containers.mime.header_fields import BEFORE, fields

_OF_MIME = frozenset({"mime-version", "content-transfer-encoding", "snapshot-content-location"})
_OF_MAIL = frozenset(
    {"date", "delivered-to", "from", "message-id", "received", "return-path", "sender", "subject", "to"}
)
_MUCH = 1 << 15
_CONTAINER = re.compile(rb"\s*+(?:multipart/|message/rfc822)", re.IGNORECASE).match


def looks_like_mime(head: bytes) -> bool:
    """Whether data that begin with `head` (a few kilobytes, or all of them) are a MIME message."""
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
    return of_mime or len(of_mail) > 1 or (at >= _MUCH and (len(of_mail) > 0 or mbox.is_mbox(head)))
