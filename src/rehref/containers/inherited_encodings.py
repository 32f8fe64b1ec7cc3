"""The environment encoding: that of style sheets and classic scripts which declare none themselves.

A style sheet has that of the document or the sheet that refers to it (CSS Syntax §3.2), a classic script that of its
element's `charset`, or else of the document (HTML Standard, "fetch a classic script"). The `charset` of a `link`, which
is obsolete, counts in Chromium, and here.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from rehref.documents.base import clean
from rehref.documents.document import Document
from rehref.documents.media_types import MediaType
from rehref.documents.reading import encoding_of
from rehref.exceptions import ResolutionError
from rehref.text import lower
from rehref.text.encoding import ANY_MARK, lookup
from rehref.uri.resolver import resolve
from rehref.uri.syntaxes import SYNTAXES

ATTRIBUTES: Final = ("script@charset", "script@type", "link@charset", "link@rel")
"""The attributes that a document must report besides its references."""
_SCRIPTS: Final = ("javascript", "ecmascript", "jscript", "livescript")


class PassedOn(NamedTuple):
    """The URI of a style sheet or a script, and the encoding that it is read in if it declares none."""

    uri: str
    encoding: str


class ImportingSheet(NamedTuple):
    """A style sheet: the encoding that it declares, if it does, and the paths of what it refers to."""

    declared: str | None
    paths: list[str]


def inherits(data: bytes, media_type: str | None, declared: str | None) -> bool:
    """Return whether the environment encoding matters for a file. `declared`: its charset, if it was sent with one."""
    kind = MediaType.of(media_type)
    if declared is not None or data.isascii() or b"\0" in data or data.startswith(ANY_MARK):
        return False
    if kind == MediaType.CSS:
        return encoding_of(data, MediaType.CSS).why == "default"
    return is_script(kind)


def is_script(media_type: str) -> bool:
    """Return whether this is the media type of scripts."""
    return media_type.endswith(_SCRIPTS)


def passed_on(document: Document, encoding: str | None = None) -> Iterator[PassedOn]:
    """Yield what a page or a style sheet refers to, with the encoding that it passes on, in document order.

    `encoding`: that of the document, by default the one it is read in. `document`: read with `ATTRIBUTES`, if it is a
    page. Not everything need be a style sheet or a script.
    """
    encoding = encoding or document.source.encoding or "utf-8"
    for element, values in _by_element(document):
        for reference, name in _references(element, values, encoding):
            try:
                uri = resolve(document.base.uri or "", clean(reference), document.how.profile)
            except ResolutionError:
                continue
            yield PassedOn(uri, name)


def _references(element: str, values: Mapping[str | None, str], encoding: str) -> Iterator[tuple[str, str]]:
    """Yield the references of an element that may be to style sheets or scripts."""
    if element == "script":
        type_ = lower(MediaType.of(values.get("type") or "text/javascript"))
        if "src" in values and is_script(type_):
            yield values["src"], lookup(values.get("charset", "")) or encoding
    elif element == "?xml-stylesheet" or "stylesheet" in lower(values.get("rel", "")).split():
        yield values.get("href", ""), lookup(values.get("charset", "")) or encoding
    elif None in values:
        yield from ((each.text, encoding) for each in SYNTAXES["css"].find(values[None]))


def _by_element(document: Document) -> Iterator[tuple[str, dict[str | None, str]]]:
    """Yield the name of each element that has places, and their values by attribute."""
    element, values = "", dict[str | None, str]()
    tag: int | None = None
    for place in document.parsed.places:
        if place.tag != tag:
            if values:
                yield element, values
            element, values, tag = place.element, {}, place.tag
        values[place.attribute] = place.value
    if values:
        yield element, values


def declared_by(data: bytes, charset: str | None) -> str | None:
    """Return the encoding that a style sheet declares, or that it was sent with; None if it inherits one."""
    sniffed = encoding_of(data, MediaType.CSS, charset)
    return None if sniffed.why == "default" else sniffed.name


def pass_on(found: defaultdict[str, list[str]], sheets: Mapping[str, ImportingSheet]) -> None:
    """Pass encodings on from style sheets to what they import.

    `found`: the encodings of the documents that refer to each path, in order; what sheets pass on is added. `sheets`:
    all of them, by path.
    """
    for path, sheet in sheets.items():
        if sheet.declared is not None:
            found[path] = [sheet.declared]
    waiting = deque(path for path in sheets if path in found)
    seen = set(waiting)
    while waiting:
        path = waiting.popleft()
        for target in sheets[path].paths:
            if found[path][0] not in found[target]:
                found[target].append(found[path][0])
            if target in sheets and target not in seen:
                seen.add(target)
                waiting.append(target)
