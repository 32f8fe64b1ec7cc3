"""Plain text: the URIs in it (RFC 3986 Appendix C), found by `rehref.uri.written_uris`; their kind is `text`.

All begin with a scheme: nothing distinguishes a relative reference, or a suffix reference (`www.example.org`), from
other words. A replacement stays between its delimiters: what would end it there is percent-encoded.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Sequence
from functools import partial
from urllib.parse import quote as percent_encode

from rehref._native import TWIN
from rehref.documents._formats.format_contract import TextCarriers, represented, text_format
from rehref.documents._formats.html_carriers import KINDS, code_of
from rehref.documents.base import Problem
from rehref.documents.document import Document
from rehref.documents.link import Reference
from rehref.markup.html_encoding import guessed
from rehref.markup.places import Edit
from rehref.markup.twin_exchange import FoundSpans
from rehref.text.encoding import Sniffed, given
from rehref.uri.syntaxes import Carrier, Kind
from rehref.uri.written_uris import Delimiter, find_uris, spans_of_uris

_EXCLUDED: dict[Delimiter, re.Pattern[str]] = {
    "angle": re.compile(r"[\x00-\x20\x7f-\x9f\s<>]"),
    "quote": re.compile(r"[\x00-\x20\x7f-\x9f\s<>\"]"),
    "none": re.compile(r"[\x00-\x20\x7f-\x9f\s<>\"{}|\\^`]"),
}
_KINDS: tuple[Kind, ...] = (*KINDS, "text")
_CODE = bytes([code_of(Carrier("json", "text", "RFC 3986 appendix C"), "", "", _KINDS)])
_percent_encoded = partial(percent_encode, errors="replace")
# the punctuation of the sentence after a URI (`rehref.uri.written_uris`)
_PUNCTUATION = re.compile(r"[.,;:!?)\]']*+")


def sniff_text(data: bytes, declared: str | None = None, is_response: bool = False) -> Sniffed:
    """Determine the encoding of a plain text's bytes, like `rehref.markup.html_encoding.sniff_html`.

    That of a byte order mark, the one that the caller declares, UTF-8 if the text is valid UTF-8, windows-1252. Raises
    `UnknownEncodingError` if `declared` is not a label of an encoding.
    """
    return given(data, declared) or guessed(data)


def find(document: Document, number: int) -> Sequence[Reference]:
    """The URIs in a text, with doubts about where they end: a hyphen at the end of a line (`hyphen-at-break`)."""
    references = []
    for found in find_uris(document.parsed.places[number].value):
        notes = (Problem("hyphen-at-break", found.hyphen),) if found.hyphen else ()
        place = number, found.start, found.end
        references.append(Reference(*place, found.uri, found.delimiter, "url", "text", notes=notes))
    return references


def give(syntax: int, value: str) -> FoundSpans | None:
    """The same for the compiled twin; None if there is one that is written in another way than it is meant.

    The twin may write a plain URI: with another beginning and the same end it ends where it ended.
    """
    assert TWIN is not None
    triples: list[int] = []
    is_ascii = value.isascii()
    read = written = 0  # characters of the value, and their bytes
    for start, end, found in spans_of_uris(value):
        what = 0
        if found is not None:
            if found.hyphen or found.uri != value[start:end]:
                return None
            bare = found.delimiter == "none"
            what = TWIN.GIVEN_FIXED if bare or _EXCLUDED[found.delimiter].search(found.uri) else 0
        if not is_ascii:
            start, end, length = (written + len(value[read:start].encode()), end, start)
            read, written = end, start + len(value[length:end].encode())
            end = written
        triples += (start, end, what)
    return FoundSpans(array("I", triples).tobytes(), _CODE)


def escape(value: str, edits: Sequence[Edit], holds: Callable[[str], bool]) -> list[Edit]:
    """Edits that do not affect the text around them; see `plain_text.Escape`.

    Without delimiters, a reader could take punctuation around a URI for a part of it, or the reverse (``?q=(.``). If
    so, the URI is put into angle brackets; the punctuation stays.
    """
    delimiters = {found.start: found.delimiter for found in find_uris(value)}
    escaped: list[Edit] = []
    for place, start, end, new in edits:
        delimiter = delimiters.get(start, "none")
        if new is not None:
            new = _EXCLUDED[delimiter].sub(lambda found: _percent_encoded(found[0]), new)
            new = represented(new, holds, _percent_encoded)
            punctuation = _PUNCTUATION.match(value, end)
            if delimiter == "none" and punctuation is not None:
                alone, bracketed = new + punctuation[0], f"<{new}>"
                if not _begins_with(alone, new, 0) and _begins_with(bracketed, new, 1):
                    new = bracketed
        escaped.append(Edit(place, start, end, new))
    return escaped


def _begins_with(text: str, uri: str, start: int) -> bool:
    """Whether this URI is the first in a text, from character `start` on."""
    found = next(find_uris(text), None)
    return found is not None and (found.uri, found.start) == (uri, start)


FORMAT = text_format(find, sniff_text, escape, carriers=TextCarriers(kinds=_KINDS), give=give)
