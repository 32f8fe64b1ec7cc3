"""Character references in attribute values (HTML Standard, "character reference state" and those after it).

1. Numeric references: the digits may be followed by ";" or not. NUL, surrogates and what lies beyond Unicode stand
   for U+FFFD; 0x80 to 0x9F for what windows-1252 has there.
2. Named references: the longest name in the Standard's table that fits. In an attribute a name without its ";" counts
   only if no "=" and no ASCII alphanumeric follows; so `?a&copy=1` and `&notit;` stand for themselves.
3. What is no reference stands for itself.
4. The input stream comes first: CR LF and CR are one LF; NUL is U+FFFD in a value.
"""

from __future__ import annotations

import re
from html.entities import html5

# the runs a value is cut into: references, line ends, NUL
SPECIAL = re.compile(r"&(?:#[xX]([0-9a-fA-F]++);?+|#([0-9]++);?+|([A-Za-z0-9]++)(;|(?![=A-Za-z0-9]))?+)|\r\n?+|\0")

_NEEDS_DECODING = re.compile("[&\r\0]").search

# HTML Standard, "numeric character reference end state"
_WINDOWS_1252 = {
    code: bytes([code]).decode("cp1252") for code in range(0x80, 0xA0) if code not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}


def _number(code: int) -> str:
    if code == 0 or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return _WINDOWS_1252.get(code) or chr(code)


def meaning(found: re.Match[str]) -> str:
    """What one match of `SPECIAL` stands for; the matched text itself if it is no reference."""
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
        return html5.get(name + end, text)
    digits, base = (decimal, 10) if hexadecimal is None else (hexadecimal, 16)
    # no more digits than a code point can have, lest a long number cost quadratic time
    digits = digits.lstrip("0")
    return _number(int(digits or "0", base)) if len(digits) <= 7 else "\ufffd"


def decode(raw: str) -> str:
    """The decoded value of a raw attribute value."""
    if _NEEDS_DECODING(raw) is None:
        return raw
    return SPECIAL.sub(meaning, raw)


_MAY_BEGIN_REFERENCE = re.compile(r"&(?=[#A-Za-z0-9]|\Z)")


def escape(text: str, quote: str, *, every_ampersand: bool = False) -> str:
    """Write text so that it means itself in an attribute value in these quotes (`"`, `'`, or "" for none).

    An ampersand is escaped wherever it might begin a reference, or everywhere.
    """
    text = text.replace("&", "&amp;") if every_ampersand else _MAY_BEGIN_REFERENCE.sub("&amp;", text)
    return text.replace("'", "&#39;") if quote == "'" else text.replace('"', "&quot;")
