"""Places: what a parser core finds in a document, in HTML and XML, and how it is asked and edited.

A core gets a `Source` (the bytes or the text, and the encoding already established) and a `Wanted`, and yields `Place`s
in document order. It never raises on markup, however broken, and reads nothing external. A start tag that tree
construction ignores has no places; of attributes with the same name on one element only the first exists.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import NamedTuple, Protocol, TypeAlias

from rehref.text.encoding import Splice
from rehref.text.source_text import Recoded, SourceText

HTML = "http://www.w3.org/1999/xhtml"
SVG = "http://www.w3.org/2000/svg"
MATHML = "http://www.w3.org/1998/Math/MathML"
XML = "http://www.w3.org/XML/1998/namespace"
XMLNS = "http://www.w3.org/2000/xmlns/"
XLINK = "http://www.w3.org/1999/xlink"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

PREFIXES = {XML: "xml:", XLINK: "xlink:", RDF: "rdf:"}
"""The prefixes of namespaces in names of attributes (`qualified`)."""

MOST_DIAGNOSTICS = 10
"""How many diagnostics a document can have; more are not noted."""

IN_TEMPLATE = 1
"""Flag of a place inside a `template`: part of the document, but no `base` there counts."""
IN_BODY = 2
"""Flag of a `base` element inside the `body`, and of a `meta` there that is before one. (In a tree core, of each
`meta` there.)"""
BEFORE_OTHERS = 4
"""Flag of a `base` element that the tree has before all those with an `href` that the source has before it."""

NOT_KNOWN = 1 << 8
"""Flag of a place of XML in whose value a reference to an entity is literal: it could mean anything."""

ID_NAMES = frozenset({"id", "xml:id"})
"""The attributes that hold ids."""
_NAMED = frozenset({"a", "map"})


class Place(NamedTuple):
    """Where a reference may be: the value of one attribute, or the text of one element.

    Names are those of the finished tree: lower case in HTML, adjusted in SVG and MathML (`linearGradient`,
    `xlink:href`), as the author wrote them in XML. Places of one element are consecutive and share `tag`. Where
    `#comment` is wanted, a comment whose text begins with `[if` is one of element `#comment`. In XML, a
    pseudo-attribute of a wanted instruction before the document element is one of element `?target`; and an element
    without child elements has one for all of its text, after those of its attributes, without comments and
    instructions.
    """

    element: str
    """Local name of the element."""
    namespace: str
    """Namespace URI of the element."""
    attribute: str | None
    """Qualified name of the attribute; None for the element's text."""
    value: str
    """The value with character references resolved, line ends normalized, NUL replaced; white space stays. (In XML,
    each line end and TAB in an attribute is a space, XML 1.0 §3.3.3, as CDATA.)"""
    start: int | None
    """Offset of the raw value, quotes excluded: in the source (bytes of bytes, characters of a str), if the document is
    `direct`, else in what the core has read instead."""
    end: int | None
    """Offset just after the raw value."""
    tag: int
    """Offset of the start tag's `<`, or for a tree core the element's number: it identifies the element."""
    flags: int
    """Bits: `IN_TEMPLATE`, `IN_BODY`, `BEFORE_OTHERS`, `NOT_KNOWN`."""

    @property
    def is_html(self) -> bool:
        """Whether its element is one of HTML."""
        return self.namespace == HTML

    @property
    def in_template(self) -> bool:
        """Whether it is inside a `template`."""
        return self.flags & IN_TEMPLATE != 0

    @property
    def is_name(self) -> bool:
        """Whether its value is a name, for fragments or maps."""
        return self.attribute in ID_NAMES or (self.attribute == "name" and self.element in _NAMED)


def extent(place: Place) -> tuple[int, int]:
    """Where the raw value of a place begins and ends (units)."""
    assert place.start is not None
    assert place.end is not None
    return place.start, place.end


def on_same_element(places: Sequence[Place], number: int) -> Sequence[Place]:
    """The places on the element that a place is on, itself among them."""
    found = [places[number]]  # places are made when they are asked for, so each is asked for once
    tag = found[0].tag
    first = number
    while first > 0 and (place := places[first - 1]).tag == tag:
        found.append(place)
        first -= 1
    found.reverse()
    for last in range(number + 1, len(places)):
        if (place := places[last]).tag != tag:
            break
        found.append(place)
    return found


def attributes_beside(places: Sequence[Place], number: int) -> dict[str, str]:
    """The values of all wanted attributes of the element that a place is on, by their names."""
    return {place.attribute: place.value for place in on_same_element(places, number) if place.attribute is not None}


class Edit(NamedTuple):
    """Replace characters `start` to `end` of the decoded value of place number `place` by `text`.

    If `text` is None, the whole attribute is removed. A start tag of a void element with nothing else on it (a `base`
    that loses its `href`) means nothing then, and may go too.
    """

    place: int
    start: int
    end: int
    text: str | None


@dataclass(frozen=True, slots=True)
class Wanted:
    """The names that may carry references, lower case; a core may skip everything else."""

    anywhere: frozenset[str] = frozenset()
    """Attributes wanted on every element."""
    on: Mapping[str, frozenset[str]] = field(default_factory=dict, hash=False)
    """Attributes wanted on elements of that local name (in any namespace)."""
    texts: frozenset[str] = frozenset()
    """Elements whose text is wanted (`style`, `script`); `#comment` for conditional comments. If the `type` of a
    `script` is wanted, the text of one without it may be skipped: it is a program."""
    scripting: bool = False
    """Whether the document is read as by a browser that runs scripts: then the content of `noscript` is text."""


Located: TypeAlias = tuple[Place, int | None, int | None, tuple[int, int] | None]
"""A place, and of its whole value the line and column, and the span, as far as they are known."""


class Parsed(Protocol):
    """A document a core has read. One that keeps no positions answers None."""

    @property
    def places(self) -> Sequence[Place]:
        """All places, in document order."""

    @property
    def positions(self) -> tuple[Sequence[int | None], Sequence[int | None]]:
        """For each place, the line, and the column (1-based, characters), where its value begins."""

    @property
    def direct(self) -> bool:
        """Whether the `start` and `end` of all places are offsets in the source itself."""

    def span(self, place: int, start: int, end: int) -> tuple[int, int] | None:
        """Where characters `start` to `end` of the place's decoded value are in the source."""

    def locate(self, place: int, offset: int | None) -> tuple[int | None, int | None]:
        """Line and column (1-based, characters) of character `offset` of the place's value; None: of its tag."""

    def apply(self, edits: Sequence[Edit]) -> bytes | str:
        """The source with the edits made (in order of place and start, not overlapping), of the same type.

        What is inserted is escaped for the markup around it. Without edits it is the source itself, whatever that was.
        """


class CompleteParsed(ABC):
    """A `Parsed` with all that may be asked of one; a core that knows less has these defaults (`complete`).

    `refused`: what was left out of the last edits, each by its place and a character of the value. `skipped`: how many
    references are left to a generator, as far as it can be known; `is_whole`: whether no content of the page is.
    `possible_ids`: those that elements may have besides `places`, depending on the generator.
    `fault`: why it is not in its language, for people, and where (line and column), if that was seen by reading it.
    `units`: the units of a source with tags. `recoded`: the source, if it was given otherwise.
    """

    __slots__ = ()

    places: Sequence[Place]
    direct: bool
    refused: Sequence[tuple[int, int]] = ()
    skipped: int = 0
    is_whole: bool = True
    possible_ids: tuple[str, ...] = ()
    fault: tuple[str, int, int] | None = None
    units: SourceText | None = None
    recoded: Recoded | None = None

    @property
    @abstractmethod
    def positions(self) -> tuple[Sequence[int | None], Sequence[int | None]]:
        """See `Parsed`."""

    @abstractmethod
    def span(self, place: int, start: int, end: int) -> tuple[int, int] | None:
        """See `Parsed`."""

    @abstractmethod
    def locate(self, place: int, offset: int | None) -> tuple[int | None, int | None]:
        """See `Parsed`."""

    @abstractmethod
    def apply(self, edits: Sequence[Edit]) -> bytes | str:
        """See `Parsed`."""

    def located(self, numbers: Sequence[int]) -> Iterator[Located]:
        """The places with these numbers, in order, with where their whole values are."""
        for number in numbers:
            place = self.places[number]
            yield place, *self.locate(number, 0), self.span(number, 0, len(place.value))

    def attributes_at(self, number: int) -> dict[str, str]:
        """The values of all wanted attributes of the element that a place is on, by their names."""
        return attributes_beside(self.places, number)

    def with_changes(self, changes: Iterable[tuple[int, int, int, str | None]]) -> bytes | str:
        """The source with values changed: which places, from which characters to which, and by what (`Edit`)."""
        return self.apply([Edit(*change) for change in sorted(changes, key=itemgetter(0, 1, 2))])

    def uses(self, place: int) -> int | None:
        """How many links use a place that is a definition; None for all other places."""
        return None

    def splices(self, edits: Sequence[Edit]) -> Sequence[tuple[int, int, str]] | None:
        """What edits replace in a source that is a str, for the document around it; None where that is not known.

        From, to (characters), and by what, in order, not overlapping.
        """
        return None

    def byte_splices(self, edits: Sequence[Edit]) -> Sequence[Splice[bytes]] | None:
        """What edits replace in the bytes of the source, as they are read; None where that is not known."""
        return None


class _OfCore(CompleteParsed):
    """What a core has read, with the defaults."""

    def __init__(self, parsed: Parsed) -> None:
        self._parsed = parsed
        self.places, self.direct = parsed.places, parsed.direct

    @property
    def positions(self) -> tuple[Sequence[int | None], Sequence[int | None]]:
        return self._parsed.positions

    def span(self, place: int, start: int, end: int) -> tuple[int, int] | None:
        return self._parsed.span(place, start, end)

    def locate(self, place: int, offset: int | None) -> tuple[int | None, int | None]:
        return self._parsed.locate(place, offset)

    def apply(self, edits: Sequence[Edit]) -> bytes | str:
        return self._parsed.apply(edits)


def complete(parsed: Parsed) -> CompleteParsed:
    """What any core has read, so that all may be asked of it."""
    return parsed if isinstance(parsed, CompleteParsed) else _OfCore(parsed)


def qualified(namespace: str, local: str) -> str:
    """The name of an attribute: with the usual prefix of its namespace, whatever the document's prefix is.

    `xml:base`, `xlink:href`, `rdf:about`. One in no namespace has its plain name; one in any other `{URI}local`.
    """
    if namespace == "":
        return local
    prefix = PREFIXES.get(namespace)
    return f"{{{namespace}}}{local}" if prefix is None else prefix + local


class XmlWanted(NamedTuple):
    """What may carry references; a reader may skip everything else. All local names are ASCII."""

    attributes: frozenset[str] = frozenset()
    """Attributes wanted on every element, by their qualified names (`qualified`); `xml:base` always is."""
    texts: frozenset[tuple[str, str]] = frozenset()
    """Elements whose text is wanted: namespace (`*`: any) and local name."""
    instructions: frozenset[str] = frozenset()
    """Targets of the processing instructions whose pseudo-attributes are wanted."""


class XmlDocument(_OfCore):
    """An XML document that has been read, as far as possible: a `Parsed`, with what only XML has.

    `scopes`: for each place, the number of the `xml:base` place that applies to it (XML Base §4): the nearest of the
    element itself and its ancestors, and for the one of the element itself the next one outside; -1: none. `parents`:
    for each place, namespace and local name of its element's parent; ("", "") for the document element. `root`: those
    of the document element; ("", "") if there is none. `diagnostics`: the errors of well-formedness, each as the line
    (1-based) and a message, at most `MOST_DIAGNOSTICS`.
    """

    _parsed: CompleteParsed

    def __init__(
        self,
        parsed: Parsed,
        scopes: Sequence[int],
        parents: Sequence[tuple[str, str]],
        root: tuple[str, str],
        diagnostics: Sequence[tuple[int | None, str]] = (),
    ) -> None:
        """Combine them."""
        self.scopes, self.parents, self.root, self.diagnostics = scopes, parents, root, diagnostics
        super().__init__(complete(parsed))
        self.units, self.recoded = self._parsed.units, self._parsed.recoded

    def splices(self, edits: Sequence[Edit]) -> Sequence[tuple[int, int, str]] | None:
        """See `CompleteParsed`."""
        return self._parsed.splices(edits)

    def byte_splices(self, edits: Sequence[Edit]) -> Sequence[Splice[bytes]] | None:
        """See `CompleteParsed`."""
        return self._parsed.byte_splices(edits)


def at(parsed: Parsed, number: int, offset: int | None = None) -> str:
    """The position of character `offset` of a place, or of its start tag, for people: " at 5:3"; "" if unknown."""
    line, column = parsed.locate(number, offset)
    if line is None:
        return ""
    return f" at {line}:{column}" if column is not None else f" at line {line}"
