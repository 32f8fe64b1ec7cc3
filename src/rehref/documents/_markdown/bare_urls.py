"""Bare URLs in a text (GFM, "autolinks (extension)"): `http://`, `https://`, `ftp://`, `www.` and mail addresses.

Behind a `[` that is not closed, cmark-gfm and micromark link mail addresses only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_BARE = re.compile(
    rb"(?<![A-Za-z0-9])(?:https?://|ftp://)[^\s<]+"
    rb"|(?<![^\s*_~(\[\"'>])www\.[^\s<]+"
    rb"|(?<![\w.+/:-])[\w.+-]+@[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.[A-Za-z0-9_-]*[A-Za-z](?![\w-])",
    re.IGNORECASE | re.ASCII,
)
_HOST = re.compile(rb"(?:[a-z]+://|(?![a-z]+://))([^/?#\s:]+)", re.IGNORECASE).match
_ENTITY_END = re.compile(rb"&[A-Za-z]+;\Z").search
_TRAILING: Final = b"?!.,:*_~]'\""
_PUNCTUATION: Final = b"!\"#$%&'()*+,./:;<=>?@[\\]^`{|}~"


def bare_urls(data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where bare URLs are in bytes `start` to `end`."""
    opened, last = 0, start
    for found in _BARE.finditer(data, start, end):
        first = found.start()
        opened = max(opened + data.count(b"[", last, first) - data.count(b"]", last, first), 0)
        last = first
        url = _linked(found[0])
        if url and (opened == 0 or _is_mail(url)):
            yield first, first + len(url)


def target_of(url: str) -> str:
    """What a bare URL links to."""
    if url[:4].lower() == "www.":
        return f"http://{url}"
    return url if ":" in url else f"mailto:{url}"


def bare_url(data: bytes, start: int, end: int, new: bytes) -> bytes | None:
    """The bare URL that is found if `new` takes the place of bytes `start` to `end`, which are one; None if none is."""
    around = data[max(start - 1, 0) : start] + new + data[end : end + 200]
    found = _BARE.match(around, min(start, 1))
    return (_linked(found[0]) or None) if found else None


def _linked(url: bytes) -> bytes:
    """A bare URL without the punctuation behind it (GFM, "extended autolink path validation"); b"" if not linked."""
    closing, end = url.count(b")") - url.count(b"("), len(url)
    while end:
        if url[end - 1] in _TRAILING:
            end -= 1
        elif url[end - 1] == 0x29 and closing > 0:
            end, closing = end - 1, closing - 1
        elif url[end - 1] == 0x3B:
            entity = _ENTITY_END(url, max(end - 40, 0), end)
            end = end - 1 if entity is None else entity.start()
        else:
            break
    return url[:end] if _is_mail(url[:end]) or _is_valid(_HOST(url, 0, end)) else b""


def _is_mail(url: bytes) -> bool:
    return b"@" in url and b":" not in url


def _is_valid(host: re.Match[bytes] | None) -> bool:
    """Whether there is a host that GFM links ("valid domain"); `www.` needs something behind it."""
    if host is None or host[0][:5].lower() in (b"www.", b"www.."):
        return False
    return host[1][0] not in _PUNCTUATION and b"_" not in b"".join(host[1].split(b".")[-2:])
