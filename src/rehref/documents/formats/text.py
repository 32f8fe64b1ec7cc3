r"""Plain text: the URIs in it (RFC 3986 Appendix C).

1. `rehref.uri.uris_in_text` finds them; their kind is `text`. All begin with a scheme: nothing distinguishes a relative
   reference, or a suffix reference (`www.example.org`), from other words.
2. The encoding: that of a byte order mark, the one that the caller declares, UTF-8 if the text is valid UTF-8,
   windows-1252.
3. A replacement stays between its delimiters: white space, control characters and angle brackets in it are
   percent-encoded; between quotes, quotes too; without delimiters, all of ``"{}|\^` ``, which URIs do not allow.
4. A hyphen where a URI meets the end of a line is reported with it (`hyphen-at-break`).
5. Without delimiters, a reader could take punctuation around a URI for a part of it, or the reverse (``?q=(.``). If
   so, the URI is put into angle brackets; the punctuation stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from urllib.parse import quote as percent_encode

from rehref.documents.document import Document, Reference
from rehref.documents.formats.contract import text_format
from rehref.documents.link import Problem
from rehref.parsers.contract import Edit
from rehref.parsers.html_encoding import guessed
from rehref.text.encoding import Sniffed, given
from rehref.uri.uris_in_text import Delimiter, find_uris

_EXCLUDED: dict[Delimiter, re.Pattern[str]] = {
    "angle": re.compile(r"[\x00-\x20\x7f-\x9f\s<>]"),
    "quote": re.compile(r"[\x00-\x20\x7f-\x9f\s<>\"]"),
    "none": re.compile(r"[\x00-\x20\x7f-\x9f\s<>\"{}|\\^`]"),
}
# the punctuation of the sentence after a URI (`rehref.uri.uris_in_text`, rule 5)
_PUNCTUATION = re.compile(r"[.,;:!?)\]']*+")


def sniff_text(data: bytes, declared: str | None = None, is_response: bool = False) -> Sniffed:
    """Determine the encoding of a plain text's bytes (rule 2), like `rehref.parsers.html_encoding.sniff_html`.

    Raises `UnknownEncodingError` if `declared` is not a label of an encoding.
    """
    return given(data, declared) or guessed(data)


def find(document: Document, number: int) -> Sequence[Reference]:
    """The URIs in a text (rule 1), with doubts about where they end (rule 4)."""
    references = []
    for found in find_uris(document.parsed.places[number].value):
        notes = (Problem("hyphen-at-break", found.hyphen),) if found.hyphen else ()
        place = number, found.start, found.end
        references.append(Reference(*place, found.uri, found.delimiter, "url", "text", notes=notes))
    return references


def escape(value: str, edits: Sequence[Edit], holds: Callable[[str], bool]) -> list[Edit]:
    """Edits that do not affect the text around them (rules 3 and 5); see `rehref.parsers.without_markup.Escape`."""
    delimiters = {found.start: found.delimiter for found in find_uris(value)}
    escaped: list[Edit] = []
    for place, start, end, new in edits:
        delimiter = delimiters.get(start, "none")
        text = None if new is None else _percent_encoded(new, _EXCLUDED[delimiter], holds)
        if text is not None and delimiter == "none":
            behind = _PUNCTUATION.match(value, end)
            assert behind is not None
            text = _undelimited(text, behind[0])
        escaped.append(Edit(place, start, end, text))
    return escaped


def _percent_encoded(text: str, excluded: re.Pattern[str], holds: Callable[[str], bool]) -> str:
    text = excluded.sub(lambda found: percent_encode(found[0], errors="replace"), text)
    if holds(text):
        return text
    return "".join(char if holds(char) else percent_encode(char, errors="replace") for char in text)


def _undelimited(uri: str, behind: str) -> str:
    """A URI in a form that can be written without delimiters, followed by the punctuation `behind` (rule 5)."""
    bracketed = f"<{uri}>"
    if not _begins_with(uri + behind, uri, 0) and _begins_with(bracketed, uri, 1):
        return bracketed
    return uri


def _begins_with(text: str, uri: str, start: int) -> bool:
    """Whether this URI is the first in a text, from character `start` on."""
    found = next(find_uris(text), None)
    return found is not None and (found.uri, found.start) == (uri, start)


FORMAT = text_format(find, sniff_text, escape)
