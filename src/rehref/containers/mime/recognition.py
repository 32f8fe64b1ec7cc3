"""Whether something is a MIME message, told from its beginning.

1. It begins with header fields (RFC 5322 §2.2), after a byte order mark or a line `From ...` (mbox) perhaps.
2. Among them is one that only MIME and mail have: `MIME-Version`, `Content-Transfer-Encoding`,
   `Snapshot-Content-Location`, a `Content-Type` that is `multipart/...` or `message/rfc822`; or two of those that every
   mail has (`From`, `Date`, `Subject`, ...).
3. An empty line ends them, or they go on beyond what is seen: if that is `_MUCH` or more, one header field of mail will
   do, or a line `From ...`. So neither HTML nor an HTTP message nor a WARC file is one, for their first lines are no
   header fields; nor is a text in which someone only begins a line with `From:`.
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
    """Whether what begins with `head` (a few kilobytes, or all of it) is a MIME message."""
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
