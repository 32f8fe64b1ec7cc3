"""Single references, lists separated by white space, commas or semicolons, and hash-name references.

White space is ASCII white space (Infra Standard): TAB, LF, FF, CR, space. Around a reference or an item it is not part
of it; written text drops it as reading would.
"""

from __future__ import annotations

import re

from rehref.text import WHITE_SPACE
from rehref.uri.syntaxes import Occurrence

_WORD = re.compile(r"[^\t\n\f\r ]+")
_BETWEEN_COMMAS = re.compile(r"[^,]+")
_BETWEEN_SEMICOLONS = re.compile(r"[^;]+")
_INSIDE = re.compile(r"[\t\n\f\r ]")
_PACKED = {"\t": "", "\n": "", "\r": "", " ": "%20", "\f": "%0C"}


def trimmed(value: str, start: int, end: int, form: str) -> Occurrence:
    """`value[start:end]` without the white space around it; of white space alone, the empty text at `start`."""
    raw = value[start:end]
    text = raw.strip(WHITE_SPACE)
    if text and len(text) < len(raw):
        start += len(raw) - len(raw.lstrip(WHITE_SPACE))
    return Occurrence(start, start + len(text), text, form)


def find_url(value: str) -> list[Occurrence]:
    """The whole value as one reference, even the empty one.

    White space inside stays as written: the resolver decides what a TAB or line break there means.
    """
    text = value.strip(WHITE_SPACE)
    start = value.find(text)
    return [Occurrence(start, start + len(text), text, "")]


def find_origin(value: str) -> list[Occurrence]:
    """The same, but nothing is fetched for it."""
    return [found._replace(fetched=False) for found in find_url(value)]


def find_nothing(value: str) -> list[Occurrence]:
    """Nothing: only what reads the whole document knows which of its values are references."""
    return []


def find_curie(value: str) -> list[Occurrence]:
    """The reference in a value that may be a CURIE in brackets or a blank node (`_:b`), which are not references."""
    return [found for found in find_url(value) if found.text[:1] != "[" and found.text[:2] != "_:"]


def write_url(text: str, form: str) -> str:
    """Write `text` where `find_url` found a reference."""
    return text.strip(WHITE_SPACE)


def find_spaces(value: str) -> list[Occurrence]:
    """The references of a list separated by white space (Infra Standard, "split on ASCII whitespace")."""
    return [Occurrence(match.start(), match.end(), match[0], "") for match in _WORD.finditer(value)]


def write_spaces(text: str, form: str) -> str:
    """Write `text` where `find_spaces` or `srcset.find` found a reference.

    TAB, LF and CR are dropped, as the URL Standard does, and other white space is percent-encoded. The empty reference,
    which a list cannot hold, becomes `#`, which retrieves the same.
    """
    text = text.strip(WHITE_SPACE)
    return _INSIDE.sub(lambda match: _PACKED[match[0]], text) or "#"


def find_commas(value: str) -> list[Occurrence]:
    """The references of a list separated by commas; an empty item is not one."""
    return _items(value, _BETWEEN_COMMAS)


def write_commas(text: str, form: str) -> str:
    """Write `text` where `find_commas` found a reference; its commas are percent-encoded."""
    return text.strip(WHITE_SPACE).replace(",", "%2C") or "#"


def find_semicolons(value: str) -> list[Occurrence]:
    """The references of a list separated by semicolons; an empty item is not one."""
    return _items(value, _BETWEEN_SEMICOLONS)


def write_semicolons(text: str, form: str) -> str:
    """Write `text` where `find_semicolons` found a reference."""
    return text.strip(WHITE_SPACE).replace(";", "%3B") or "#"


def _items(value: str, item: re.Pattern[str]) -> list[Occurrence]:
    found = (trimmed(value, match.start(), match.end(), "") for match in item.finditer(value))
    return [each for each in found if each.text]


def find_fragment(value: str) -> list[Occurrence]:
    """The hash-name reference of a value, `#` included (HTML Standard, "rules for parsing a hash-name reference").

    It is all from the first `#` on; without a `#`, or with nothing after it, there is no reference.
    """
    start = value.find("#")
    if start < 0 or start == len(value) - 1:
        return []
    return [Occurrence(start, len(value), value[start:], "")]


def write_fragment(text: str, form: str) -> str:
    """Write `text`, a hash-name reference, where `find_fragment` found one."""
    return text
