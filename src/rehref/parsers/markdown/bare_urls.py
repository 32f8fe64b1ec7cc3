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


def bare_urls(data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where bare URLs are in bytes `start` to `end`."""
    opened, last = 0, start
    for found in _BARE.finditer(data, start, end):
        first = found.start()
        opened = max(opened + data.count(b"[", last, first) - data.count(b"]", last, first), 0)
        last = first
        raw = _trimmed(found[0])
        if _is_linked(raw) and (opened == 0 or _is_mail(raw)):
            yield first, first + len(raw)


def target_of(url: str) -> str:
    """What a bare URL links to."""
    if url[:4].lower() == "www.":
        return f"http://{url}"
    return url if ":" in url else f"mailto:{url}"


def bare_url(data: bytes, start: int, end: int, new: bytes) -> bytes | None:
    """The bare URL that is found if `new` takes the place of bytes `start` to `end`, which are one; None if none is."""
    around = data[max(start - 1, 0) : start] + new + data[end : end + 200]
    found = _BARE.match(around, min(start, 1))
    raw = b"" if found is None else _trimmed(found[0])
    return raw if raw and _is_linked(raw) else None


def _trimmed(url: bytes) -> bytes:
    """A bare URL without the punctuation behind it (GFM, "extended autolink path validation")."""
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
    return url[:end]


def _is_mail(url: bytes) -> bool:
    return b"@" in url and b":" not in url


def _is_linked(url: bytes) -> bool:
    """Whether the host of a bare URL is one that GFM links ("valid domain")."""
    if _is_mail(url):
        return True
    host = _HOST(url)
    if host is None:
        return False
    parts = host[1].split(b".")
    is_short = len(parts) < 2 or (url[:4].lower() == b"www." and parts[1] == b"")
    return not (is_short and url[:4].lower() == b"www.") and not any(b"_" in part for part in parts[-2:])
