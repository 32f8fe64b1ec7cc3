"""The common part of the cores that build a tree: from elements to places, and from edits to a new document.

A tree core reads the whole text, decoded here with its line ends normalized, and knows no positions, except perhaps
lines. Without edits, or with edits that change nothing, the result is the source itself. Otherwise the document is
written anew, so the bytes between the references may change too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Any, Generic, TypeAlias, TypeVar

from rehref.markup._source.names_of_html import RAW_TEXT, VOID
from rehref.markup.html_encoding import sniff_html
from rehref.markup.places import HTML, CompleteParsed, Edit, Place, Wanted
from rehref.text import lower
from rehref.text.charsets import decode
from rehref.text.encoders import encode_with_references
from rehref.text.encoding import Source, spliced

E = TypeVar("E")

Node: TypeAlias = tuple[E, str, str, int, Iterable[tuple[str, str | None]]]
"""An element: an object, its local name, namespace and flags, and its attributes: qualified names and values, in the
order of the source."""

RAW = RAW_TEXT | {"script", "plaintext"}
"""Elements whose text is not escaped in HTML."""

_NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class TreeParsed(CompleteParsed, Generic[E]):
    """A document read into a tree. See `rehref.markup.parsed.Parsed`."""

    source: Source
    places: Sequence[Place]
    elements: Sequence[E]
    """The element of each place."""
    put: Callable[[E, Place, str | None], None]
    """Gives the place on an element a value; None: removes the attribute (and see `contract.Edit`)."""
    serialize: Callable[[], str]
    """Writes the tree."""
    line: Callable[[E], int | None] = lambda _: None
    """The line of an element (1-based), if the tree knows it."""
    escapes_text: bool = False
    """Whether character references are written in the text of an element. If not, a `<` that could change where it ends
    (`</style` in a `style`) is percent-encoded, and in a comment a `>` that would end it."""

    direct = False  # a tree knows no offsets

    @property
    def positions(self) -> tuple[Sequence[int | None], Sequence[int | None]]:
        """The line of each place's element, and no columns."""
        return [self.line(element) for element in self.elements], [None] * len(self.places)

    def span(self, place: int, start: int, end: int) -> tuple[int, int] | None:
        """None: a tree knows no spans."""
        return None

    def locate(self, place: int, offset: int | None) -> tuple[int | None, int | None]:
        """The line of the place's element, and no column."""
        return self.line(self.elements[place]), None

    def apply(self, edits: Sequence[Edit]) -> bytes | str:
        """The document with the edits made; the source itself if they change nothing.

        The core `put`s one new value for each place into the tree and `serialize`s it; then the old values are put
        back.
        """
        news = {
            number: self._value(self.places[number], list(group))
            for number, group in groupby(edits, key=attrgetter("place"))
        }
        changed = [number for number, new in news.items() if new != self.places[number].value]
        if not changed:
            return self.source.data
        self._put(changed, news)
        try:
            return restore(self.source, self.serialize())
        finally:
            self._put(changed, {number: self.places[number].value for number in changed})

    def _put(self, numbers: Sequence[int], values: Mapping[int, str | None]) -> None:
        for number in numbers:
            self.put(self.elements[number], self.places[number], values[number])

    def _value(self, place: Place, edits: Sequence[Edit]) -> str | None:
        """The value of a place with edits made; None: it is removed."""
        if place.attribute is not None and any(edit.text is None for edit in edits):
            return None
        splices = [(start, end, text or "") for _, start, end, text in edits]
        if place.attribute is None and not self.escapes_text:
            ends = re.compile(f"<(?=/?{re.escape(place.element)}|!--)", re.IGNORECASE | re.ASCII)
            splices = [(start, end, ends.sub("%3C", text)) for start, end, text in splices]
        new = spliced(place.value, splices)
        return re.sub("(--!?)>", r"\1%3E", new) if place.element == "#comment" else new


def gather(nodes: Iterable[Node[E]], wanted: Wanted, text: Callable[[E], str]) -> tuple[list[Place], list[E]]:
    """The places of a tree's elements, which come in tree order, and the element of each place.

    An element's number in that order is the `tag` of its places. `text` returns the text directly in an element.
    """
    places: list[Place] = []
    elements: list[E] = []
    known: dict[str, tuple[frozenset[str], bool]] = {}
    for number, (element, name, namespace, flags, attributes) in enumerate(nodes):
        here = known.get(name)
        if here is None:
            names_here = wanted.anywhere | wanted.on.get(lower(name), _NOTHING)
            here = known[name] = names_here, lower(name) in wanted.texts
        names_here, has_text = here
        for attribute, value in attributes:
            if attribute in names_here or (namespace != HTML and lower(attribute) in names_here):
                place = Place(name, namespace, attribute, value or "", start=None, end=None, tag=number, flags=flags)
                places.append(place)
                elements.append(element)
        if has_text:
            place = Place(name, namespace, None, text(element), start=None, end=None, tag=number, flags=flags)
            places.append(place)
            elements.append(element)
    return places, elements


def text_in(element: Any) -> str:
    """The text directly in an element of an `ElementTree`, or of lxml's tree."""
    return "".join((element.text or "", *(child.tail or "" for child in element)))


def put_text(element: Any, text: str | None) -> None:
    """Give such an element a text; what is in it stays behind the text."""
    element.text = text
    for child in element:
        child.tail = None


def document_text(source: Source) -> str:
    """Decode a source: its text without a byte order mark, line ends normalized."""
    if isinstance(source.data, str):
        text = source.data.removeprefix("\ufeff")
    else:
        text = decode(source.data[source.bom :], _encoding(source))
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def restore(source: Source, text: str) -> bytes | str:
    """Turn markup into the type of the source: a str, or bytes in its encoding, with its byte order mark.

    A character that the encoding lacks becomes a character reference.
    """
    if isinstance(source.data, str):
        return "\ufeff" + text if source.data.startswith("\ufeff") else text
    return source.data[: source.bom] + encode_with_references(text, _encoding(source))


def _encoding(source: Source) -> str:
    """The encoding established for the bytes."""
    assert isinstance(source.data, bytes)
    return sniff_html(source.data).name if source.encoding is None else source.encoding


def tree_as_html(xml: str, raw: frozenset[str] = RAW) -> str:
    """The HTML for a document that has been written as XML; `raw`: the elements whose text is not escaped.

    Libraries write XML fast, and change no value. (When they write HTML, libxml2 percent-encodes URIs and ElementTree
    escapes the text of an `iframe`.) HTML differs in this (HTML Standard §13.3, "serializing HTML fragments"): a void
    element has no end tag, any other one does, and raw text is not escaped. A `base` without attributes means nothing,
    and is left out: an edit has removed its `href`. Text that only the end of the document ends (`plaintext`) gets an
    end tag, which is text.
    """
    return _different(raw).sub(_as_html, xml)


@cache
def _different(raw: frozenset[str]) -> re.Pattern[str]:
    """Matches a comment, the tag of an empty element, the end tag of a void one, or a start tag with its raw text."""
    raw_names, void_names = "|".join(sorted(raw)), "|".join(sorted(VOID))
    return re.compile(f"<(!--.*?-->|[^>]*/>|/(?:{void_names})>|(?:{raw_names})(?=[ >])[^>]*>[^<]*)", re.DOTALL)


def _as_html(found: re.Match[str]) -> str:
    markup = found[0]
    if markup.startswith("<!--"):
        return markup
    if markup.startswith("</"):
        return ""
    if not markup.endswith("/>"):
        tag, _, text = markup.partition(">")
        return f"{tag}>" + text.replace("&lt;", "<").replace("&gt;", ">").replace("&#13;", "\r").replace("&amp;", "&")
    name, _, attributes = markup[1:-2].rstrip().partition(" ")
    if name == "base" and not attributes:
        return ""
    tag = f"<{name} {attributes}>" if attributes else f"<{name}>"
    return tag if name in VOID else f"{tag}</{name}>"
