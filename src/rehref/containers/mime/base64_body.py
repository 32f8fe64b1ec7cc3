"""Base64 bodies (RFC 2045 §6.8): read, and rewritten from the first line that changes.

1. Reading: characters outside the alphabet are skipped; the first "=" ends the data. The rest of a quantum that is cut
   off counts as far as it goes.
2. Writing: the lines before the first change stay; from there on everything is encoded again, in lines as long as those
   of the body, with the same line ends. The text after the data stays.
3. Data after the padding would become active in a body whose new data need no padding: if there are any, nothing may
   be replaced.
"""

from __future__ import annotations

import re
from binascii import a2b_base64, b2a_base64

from rehref.containers.mime.quoted_printable import line_end_of

LONGEST = 76
"""Characters in a line (RFC 2045 §6.8)."""

_OTHERS = bytes(set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
_DATA = re.compile(rb"[A-Za-z0-9+/]")
_PADDING = re.compile(rb"=[=\s]*+").match


def characters(text: bytes) -> bytes:
    """The characters of the alphabet in a text."""
    return text.translate(None, _OTHERS)


def decode(body: bytes) -> bytes:
    """Decode a body (rule 1). Never fails."""
    return decode_characters(characters(body[: _data_end(body)]))


def decode_characters(text: bytes) -> bytes:
    """Decode characters of the alphabet; a single one left over is dropped, since it makes no octet."""
    if len(text) % 4 == 1:
        text = text[:-1]
    return a2b_base64(text + b"=" * (-len(text) % 4))


def _data_end(body: bytes) -> int:
    end = body.find(b"=")
    return len(body) if end < 0 else end


def has_more(body: bytes) -> bool:
    """Whether there are data after those that are read (rules 1, 3)."""
    return _DATA.search(body, _data_end(body)) is not None


def replace(body: bytes, data: bytes, first: int = 0, line_end: bytes = b"\r\n") -> bytes:
    """The body with its data replaced by `data`, which equals the old data before byte `first` (rule 2).

    `line_end`: the line end for a body without any.
    """
    data_end = _data_end(body)
    kept_to = kept = count = at = 0
    while at < data_end and count // 4 * 3 <= first:
        if count % 4 == 0:
            kept_to, kept = at, count // 4 * 3
        newline = body.find(b"\n", at, data_end)
        stop = data_end if newline < 0 else newline + 1
        count += len(characters(body[at:stop]))
        at = stop
    text = b2a_base64(data[kept:], newline=False)
    width = _width(body[:data_end])
    line_end = line_end_of(body, line_end)
    lines = [text[start : start + width] for start in range(0, len(text), width)] if width else [text]
    return body[:kept_to] + line_end.join(lines) + body[_tail(body, data_end) :]


def _width(body: bytes) -> int:
    """Characters in a line, a multiple of 4; 0 if everything is on one line."""
    first, newline, rest = body.strip().partition(b"\n")
    length = len(characters(first))
    if newline == b"" or _DATA.search(rest) is None:
        return LONGEST if length <= LONGEST else 0
    return max(length - length % 4, 4)


def _tail(body: bytes, data_end: int) -> int:
    """Where the data ends with its padding, before the line end after it."""
    padding = _PADDING(body, data_end)
    end = data_end if padding is None else padding.end()
    before = body[:end].rstrip(b" \t\r\n")
    return len(before)
