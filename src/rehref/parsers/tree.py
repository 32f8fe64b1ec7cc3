"""The common part of the cores that build a tree: from elements to places, and from edits to a new document.

1. A tree core reads the whole text, decoded here with its line ends normalized, and passes its elements, in tree order,
   to `gather`, which collects the places. An element's number in that order is the `tag` of its places.
2. `TreeParsed` turns any number of edits into one new value for each place, and has the core write the document with
   these values instead of the old ones. The core must not change what it has read: either it writes with the new values
   at hand (as ours do), or it reads the source anew and changes that.
3. Without edits, or with edits that change nothing, the result is the source itself. Otherwise the document is written
   anew, so the bytes between the references may change too; a byte order mark stays.
4. A tree core knows no positions, except perhaps lines.
5. In new text for an element whose text is not escaped, the `<` of a text that could change where it ends (`</style` in
   a `style`) is percent-encoded; in a comment, the `>` of a text that would end it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from rehref.parsers.contract import Edit, Place, Wanted
from rehref.parsers.html_encoding import sniff_html
from rehref.text.ascii import lower
from rehref.text.charsets import decode, encode_with_references
from rehref.text.source import Source
from rehref.text.splices import spliced

E = TypeVar("E")

NewValues: TypeAlias = Mapping[int, str | None]
"""New values by place number; None: remove the attribute (and see `contract.Edit`)."""

_NOTHING: frozenset[str] = frozenset()


class Lines(Protocol):
    """The lines of places, by number: a list, say."""

    def __getitem__(self, place: int, /) -> int | None: ...


@dataclass(frozen=True, slots=True)
class TreeParsed:
    """A document read into a tree. See `rehref.parsers.contract.Parsed`."""

    source: Source
    places: Sequence[Place]
    lines: Lines
    """For each place the line of its element (1-based), if the tree knows it."""
    write: Callable[[NewValues], bytes | str]
    """Writes the document with new values, and does not change the tree (or what it reads from)."""
    escapes_text: bool = False
    """Whether character references are written in the text of an element (rule 5)."""

    @property
    def direct(self) -> bool:
        """Return False: a tree knows no offsets."""
        return False

    @property
    def positions(self) -> tuple[Sequence[int | None], Sequence[int | None]]:
        """Return the line of each place's element, and no columns."""
        return [self.lines[place] for place in range(len(self.places))], [None] * len(self.places)

    def span(self, place: int, start: int, end: int) -> tuple[int, int] | None:
        """Return None: a tree knows no spans."""
        return None

    def locate(self, place: int, offset: int | None) -> tuple[int | None, int | None]:
        """Return the line of the place's element, and no column."""
        return self.lines[place], None

    def apply(self, edits: Sequence[Edit]) -> bytes | str:
        """Return the document with the edits made; the source itself if they change nothing."""
        values: dict[int, str | None] = {}
        for number, group in groupby(edits, key=attrgetter("place")):
            new = self._value(self.places[number], list(group))
            if new != self.places[number].value:
                values[number] = new
        return self.write(values) if values else self.source.data

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


class Gathered(NamedTuple, Generic[E]):
    """The places of a document, and the data to find their elements again."""

    places: list[Place]
    lines: list[int | None]
    elements: dict[int, E]
    """The elements that have places, by number."""


def gather(
    nodes: Iterable[tuple[E, str, str, int]],
    wanted: Wanted,
    attributes: Callable[[E], Iterable[tuple[str, str | None]]],
    text: Callable[[E], str],
    line: Callable[[E], int | None] = lambda _: None,
) -> Gathered[E]:
    """Collect the places of a tree's elements.

    `nodes` are all elements in tree order: an object for each, its local name, namespace and flags. `attributes`
    returns their qualified names and values in the order of the source, `text` the text directly in an element, `line`
    its line.
    """
    found: Gathered[E] = Gathered([], [], {})
    add = found.places.append
    names: dict[str, frozenset[str]] = {}
    for number, (element, name, namespace, flags) in enumerate(nodes):
        names_here = names.get(name)
        if names_here is None:
            names_here = names[name] = wanted.anywhere | wanted.on.get(lower(name), _NOTHING)
        before = len(found.places)
        for attribute, value in attributes(element):
            if attribute in names_here or lower(attribute) in names_here:
                add(Place(name, namespace, attribute, value or "", None, None, number, flags))
        if lower(name) in wanted.texts:
            add(Place(name, namespace, None, text(element), None, None, number, flags))
        if len(found.places) > before:
            found.elements[number] = element
            found.lines.extend([line(element)] * (len(found.places) - before))
    return found


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
    """Return the encoding established for the bytes."""
    assert isinstance(source.data, bytes)
    return sniff_html(source.data).name if source.encoding is None else source.encoding
