"""The references in a style sheet that is a `data:` URL: `data:text/css,a{background:url(x.png)}`.

Chromium resolves a relative `url(…)` in it like one of the page, since nothing can be relative to a `data:` URL. The
style sheet is the text between the first comma and the first `#`, with `%XX` decoded as UTF-8; no charset other than
that is read.
"""

from __future__ import annotations

import re
from base64 import b64decode
from urllib.parse import unquote

from rehref.uri._syntaxes import css
from rehref.uri.syntaxes import Occurrence

_HEAD = re.compile(
    r"[\t\n\f\r ]*+data:\ *+text/css\ *+(?:;\ *+charset=[\"']?(?:utf-?8|us-ascii)[\"']?\ *+)?(;\ *+base64\ *+)?,",
    re.IGNORECASE,
).match
_UNIT = re.compile(r"%[0-7][0-9A-Fa-f]|(?:%[89A-Fa-f][0-9A-Fa-f])+|[^%]+|%")
_IMPORTS = re.compile(r"@import(?:[\t\n\f\r ]|/\*[^*]*\*/)*(?:url\([\t\n\f\r ]*+)?[\"']?\Z", re.IGNORECASE).search
_LONGEST_IMPORT = 100
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*+:").match
_ENCODED = re.compile(r"[\x00-\x20%#\x7f]").sub
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f\ud800-\udfff]").sub  # CSS has no escape for surrogates


def find(value: str) -> list[Occurrence]:
    """The references of a value; none if it is not such a URL, or in base64."""
    head = _HEAD(value)
    if head is None or head[1] is not None:
        return []
    start = head.end()
    end = len(value.partition("#")[0].rstrip("\t\n\f\r "))
    text, places = _decoded(value, start, end)
    return [
        found._replace(start=places[found.start], end=places[found.end])
        for found in css.find(text)
        if not _is_dead(text, found)
    ]


def in_base64(value: str) -> list[Occurrence]:
    """The references of a value in base64, with spans in the style sheet: no part of the value is one reference."""
    head = _HEAD(value)
    if head is None or head[1] is None:
        return []
    try:
        text = b64decode(unquote(value[head.end() :].partition("#")[0])).decode("utf-8", "replace")
    except ValueError:
        return []
    return [found for found in css.find(text) if not _is_dead(text, found)]


def write(text: str, form: str) -> str:
    """Write `text` where `find` found a reference of that form: as CSS, in ASCII, and percent-encoded."""
    written = _BEYOND_ASCII(lambda found: f"\\{ord(found[0]):x} ", css.write(text, form))
    return _ENCODED(lambda found: f"%{ord(found[0]):02X}", written)


def _is_dead(text: str, found: Occurrence) -> bool:
    """Whether a reference is an `@import` of a relative URL, which loads nothing."""
    before = text[max(0, found.start - _LONGEST_IMPORT) : found.start]
    return _ABSOLUTE(found.text) is None and _IMPORTS(before) is not None


def _decoded(value: str, start: int, end: int) -> tuple[str, list[int]]:
    """A part of a value, percent-decoded; and where in the value each character of it begins, and the last one ends."""
    texts: list[str] = []
    places: list[int] = []
    for unit in _UNIT.finditer(value, start, end):
        text = unquote(unit[0])
        is_literal = text == unit[0]
        places += range(*unit.span()) if is_literal else [unit.start()] * len(text)
        texts.append(text)
    return "".join(texts), [*places, end]
