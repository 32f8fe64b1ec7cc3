"""Character references (HTML Standard, "character reference state" and those after it), and how text is escaped.

In an attribute a name without its ";" counts only if no "=" and no ASCII alphanumeric follows, so `?a&copy=1` and
`&notit;` are literal. In text it always counts: `&notit;` is `¬it;`. What is not a reference is literal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from rehref.text.encoding import spliced

# the runs into which a value is cut: references, line ends, NUL
_SPECIAL = re.compile(r"&(?:#[xX]([0-9a-fA-F]++);?+|#([0-9]++);?+|([A-Za-z0-9]++)(;|(?![=A-Za-z0-9]))?)|\r\n?+|\0")

_LINE_END_OR_NUL = re.compile("\r\n?+|\0")

_LONGEST_BARE_NAME = 6  # of a name that counts without ";", like "aacute"
_NEEDS_DECODING = re.compile("[&\r\0]").search

# HTML Standard, "numeric character reference end state"
_WINDOWS_1252 = {
    chr(code): bytes([code]).decode("cp1252")
    for code in range(0x80, 0xA0)
    if code not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}


@cache
def named() -> Mapping[str, str]:
    """The Standard's table: each name, with its ";" or without, and its meaning."""
    from html.entities import html5

    return html5


def numeric(hexadecimal: str | None, decimal: str | None) -> str:
    """The meaning of the digits of a numeric reference: a character of Unicode, or U+FFFD.

    0x80 to 0x9F mean the characters of windows-1252 at these bytes; NUL, surrogates and what is beyond Unicode U+FFFD.
    """
    digits, base = (decimal or "", 10) if hexadecimal is None else (hexadecimal, 16)
    # no more digits than a code point can have, so that a long number does not cost quadratic time
    digits = digits.lstrip("0")
    code = int(digits or "0", base) if len(digits) <= 7 else 0
    return chr(code) if 0 < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else "\ufffd"


def _meaning(found: re.Match[str]) -> str:
    """The meaning of one match of `_SPECIAL` in an attribute; the matched text itself if it is not a reference."""
    text: str = found[0]
    first = text[0]
    if first == "\r":
        return "\n"
    if first == "\0":
        return "\ufffd"
    hexadecimal, decimal, name, end = found.groups()
    if name is not None:
        if end is None:
            return text
        return named().get(name + end, text)
    char = numeric(hexadecimal, decimal)
    return _WINDOWS_1252.get(char, char)


def decode(raw: str) -> str:
    """The decoded value of a raw attribute value."""
    if _NEEDS_DECODING(raw) is None:
        return raw
    return _SPECIAL.sub(_meaning, raw)


def normalize(text: str) -> str:
    """Text in which there are no references, as the tokenizer emits it: CR LF and CR are one LF, NUL is U+FFFD."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\0", "\ufffd")


def decode_text(raw: str) -> str:
    """The text that markup without tags means; a name counts without its ";"."""
    if _NEEDS_DECODING(raw) is None:
        return raw
    return spliced(raw, replaced(raw, attribute=False))


def replaced(raw: str, *, attribute: bool) -> Iterator[tuple[int, int, str]]:
    """What is not literal in a raw value (`attribute`) or text: from, to (offsets), and its meaning."""
    for found in _SPECIAL.finditer(raw):
        text = _meaning(found)
        start = found.start()
        if text != found[0]:
            yield start, found.end(), text
        elif not attribute and found[3] is not None:
            known = named()
            name = found[3][:_LONGEST_BARE_NAME]
            while name and name not in known:
                name = name[:-1]
            if name:
                yield start, start + 1 + len(name), known[name]


def normalized(raw: str) -> Iterator[tuple[int, int, str]]:
    """What `normalize` replaces: from, to (offsets), and by what."""
    for found in _LINE_END_OR_NUL.finditer(raw):
        yield found.start(), found.end(), _meaning(found)


speaks_for_itself = re.compile(r"[!#-%(-;=?-\\^-~]*+").fullmatch
"""Matches a text that is literal wherever it is put in quotes or between tags (so no "]"), whatever is beside it."""

_MAY_BEGIN_REFERENCE = re.compile(r"&(?=[#A-Za-z0-9]|\Z)")
_UNSPEAKABLE = re.compile("[\r\0]").search


def escape(text: str, quote: str, *, every_ampersand: bool = False) -> str:
    """Write text so that it is literal in an attribute value in these quotes (`"`, `'`, or "" for none).

    With "<" for `quote`, so that it is literal in the text of an element. An ampersand is escaped wherever it might
    begin a reference, or everywhere. NUL cannot be written: as the texts are URI references, it is percent-encoded.
    """
    text = text.replace("&", "&amp;") if every_ampersand else _MAY_BEGIN_REFERENCE.sub("&amp;", text)
    if _UNSPEAKABLE(text) is not None:
        text = text.replace("\r", "&#13;").replace("\0", "%00")
    if quote == "<":
        return text.replace("<", "&lt;")
    return text.replace("'", "&#39;") if quote == "'" else text.replace('"', "&quot;")
