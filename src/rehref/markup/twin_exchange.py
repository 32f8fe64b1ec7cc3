"""What Python passes to the scanner's compiled twin, and what it gets back (`rehref.markup.twin`).

The twin itself contains no names: a `Plan`, made once for each `Wanted`, has every name that matters, with a number,
and what a start tag of that name does. The last element represents all that have no number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from rehref.markup._source.names_of_html import (
    BEGIN_HEAD,
    BREAKOUT,
    HIDE_SELECT,
    HTML_INTEGRATION_POINTS,
    MATHML_TEXT_INTEGRATION_POINTS,
    NAMESPACES,
    OF_FRAMESET,
    OF_HEAD,
    RAW_TEXT,
    RCDATA,
    SVG_ELEMENTS,
    TABLE_SECTIONS,
    attribute_name,
    element_name,
)
from rehref.markup.places import HTML, MATHML, SVG, Parsed, Wanted
from rehref.text import lower
from rehref.text.charsets import first_bytes
from rehref.uri.ordinary_references import Prefixes

_NAMESPACES = (HTML, SVG, MATHML)
_POINTS = HTML_INTEGRATION_POINTS | MATHML_TEXT_INTEGRATION_POINTS | {(MATHML, "annotation-xml")}
_NOTHING: frozenset[str] = frozenset()


class FoundSpans(NamedTuple):
    """The references that Python has found in a source without markup (`_native/given.c`)."""

    triples: bytes
    """For each, as 32-bit numbers: from, to (bytes of the text in UTF-8), the number of a code."""
    codes: bytes
    """What each carries."""


Find: TypeAlias = "Callable[[int, str], list[Any] | FoundSpans | None]"
"""Returns the references in a value, as `rehref.uri.syntaxes.Occurrence`, by the number of its micro-syntax.

Of a source without markup, they are `FoundSpans`, or None if Python must read it.
"""


class BasesOfParts(NamedTuple):
    """The bases of parts of a document, which attributes name.

    `alike`: what the prefixes of all that are plain have in common, besides the texts; None: Python works out what is
    relative to any. `are_plain`: whether those that an `xml:base` names may be. `xml_base`: whether such an attribute
    counts; `codebase`: whether such a one does. `is_plain`: whether the document's base is plain, so that browsers
    use it instead of a `codebase`. `size`: the length of the document's base.
    """

    alike: Prefixes | None = None
    are_plain: bool = False
    xml_base: bool = False
    codebase: bool = False
    is_plain: bool = False
    size: int = 0


NO_PARTS: Final = BasesOfParts()


class How(NamedTuple):
    """How the twin reads references."""

    before: Prefixes | str
    """The texts that precede their targets; or a plain base with a host, of which `parts.alike` says the rest."""
    own: str | None
    """The document's own URI."""
    base_is_own: bool
    """Whether the base is the document's own URI, and nothing in the document can change it."""
    table: bytes
    """What each attribute carries, from `Plan.table`."""
    kinds: tuple[str, ...]
    ask: Callable[[int], int]
    """What a place carries if other attributes decide it."""
    find: Find
    """Finds references in micro-syntaxes that the twin does not read."""
    metadata: bool
    """Whether it is asked for metadata, too."""
    decided: dict[bytes, int]
    said: Callable[[int], int] | None = None
    """In XML, instead of the table: what the names of a place say of it, by its number."""
    inner: tuple[object, bytes] | None = None
    """The plan for HTML in the text of an element in XML, and its table; None: Python must read it."""
    parts: BasesOfParts = NO_PARTS
    """The bases of parts of the document."""
    named: Callable[[], object] | None = None
    """Returns the twin's own form of the names of character references (`make_named`); only for HTML."""


class Counting(NamedTuple):
    """How the twin counts lines and columns (`_native/positions.h`)."""

    begin: int
    """Where the first character is."""
    lines: bytes | None = None
    """What has its lines and characters (`rehref.text.charsets.first_bytes`); None: the source itself."""
    utf8: bool = False
    """Whether characters are as in UTF-8; else they are bytes."""
    form: int = 0
    """In which form it was given (`rehref.markup._source.parsed_source`)."""


def counting_in_utf8(scan: Any, source: Callable[[], bytes], begin: int) -> Counting:
    """How it counts in a source in UTF-8 that it has scanned."""
    beyond_ascii: bool | None = scan.utf8  # None if the source is not valid
    return Counting(begin, first_bytes(source(), "utf-8") if beyond_ascii is None else None, beyond_ascii is not False)


class ScannedTable(NamedTuple):
    """The references of a source, as far as the twin reads them (`_native/table.h`): its `table` of them.

    `length`: of the source, in bytes. `counting`: says how lines and columns are counted. `is_text`: whether the source
    is a str.
    """

    table: Any
    length: int
    counting: Callable[[], Counting]
    is_text: bool


class Carrying(Protocol):
    """Says what places carry, for the twin; see `_native/references.h`."""

    def carries(self, namespace: str, element: str, attribute: str | None) -> int:
        """What an attribute carries, or the text of the element."""


class Carriers(Carrying, Protocol):
    """The same for references."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of references, by their numbers."""


class MarkupCarriers(Carriers, Protocol):
    """Those of HTML that is inside another document, and what it is scanned for."""

    @property
    def wanted(self) -> Wanted:
        """The names that may carry references."""


class DocumentCarriers(Carriers, Protocol):
    """What the places of a document carry, as one byte each (`rehref.documents._formats.html_carriers`)."""

    def carried(self, parsed: Parsed, number: int) -> int:
        """What a place carries if other attributes decide about it."""

    def may_have_rel(self, element: str) -> bool:
        """Whether a `rel` on an element is one of the places."""


def _actions(twin: Any) -> dict[str, int]:
    """What a start tag does in HTML, by the element's name."""
    return {
        **dict.fromkeys(RAW_TEXT | RCDATA, twin.ACTION_RAW_TEXT),
        **dict.fromkeys(TABLE_SECTIONS, twin.ACTION_SECTION),
        **dict.fromkeys(("col", "colgroup"), twin.ACTION_COLUMNS),
        **dict.fromkeys(("td", "th"), twin.ACTION_CELL),
        **dict.fromkeys(HIDE_SELECT, twin.ACTION_HIDES_SELECT),
        **dict.fromkeys(NAMESPACES, twin.ACTION_FOREIGN),
        "frameset": twin.ACTION_FRAMESET,
        "frame": twin.ACTION_FRAME,
        "script": twin.ACTION_SCRIPT,
        "plaintext": twin.ACTION_PLAINTEXT,
        "form": twin.ACTION_FORM,
        "base": twin.ACTION_BASE,
        "table": twin.ACTION_TABLE,
        "caption": twin.ACTION_CAPTION,
        "tr": twin.ACTION_ROW,
        "select": twin.ACTION_SELECT,
        "template": twin.ACTION_TEMPLATE,
        "html": twin.ACTION_HTML,
        "head": twin.ACTION_HEAD,
        "body": twin.ACTION_BODY,
        "noscript": twin.ACTION_NOSCRIPT,
    }


def _attribute_names(name: str) -> tuple[str, ...]:
    return tuple(attribute_name(namespace, name) for namespace in _NAMESPACES)


class Plan:
    """What the twin looks for: `capsule` is its own form of it; names by their numbers."""

    xml_base = -1

    def __init__(self, twin: Any, wanted: Wanted) -> None:
        self.attributes = tuple(sorted(wanted.anywhere.union(*wanted.on.values())))
        self.numbers = {name: number for number, name in enumerate(self.attributes)}
        self._everywhere = self._bits(wanted.anywhere)
        self._actions = _actions(twin)
        elements = {*wanted.on, *wanted.texts, *self._actions, *OF_HEAD, *BREAKOUT, "font", "image", *SVG_ELEMENTS}
        elements |= {lower(name) for _, name in _POINTS}
        self.elements = (*sorted(elements - {"#comment"}), "")  # the last represents all others
        self.on = {name: self.elements.index(name) for name in ("base", "meta", "script")}
        on_script = wanted.anywhere | wanted.on.get("script", _NOTHING)
        self.capsule = twin.make_plan(
            tuple(self._element(twin, wanted, name) for name in self.elements),
            tuple((name.encode(), *_attribute_names(name)) for name in self.attributes),
            _NAMESPACES,
            self.numbers["type"] if "type" in on_script else -1,
            self.numbers.get("rel", -1),
            self.numbers.get("as", -1),
            self.numbers.get("codebase", -1),
            self.elements.index("tbody"),
            self.elements.index("tr"),
            wanted.scripting,
            "#comment" in wanted.texts,
        )
        on = {name: self._wanted_on(wanted, name) for name in self.elements}
        self._own = {
            element: [*map(self.numbers.__getitem__, names), len(self.attributes)]
            for element, names in on.items()
            if names or element in wanted.texts
        }
        """The elements on which more is wanted than on all others: the numbers of that, the text's last."""
        self._tables: dict[int, tuple[Carrying, bytes]] = {}
        self._decided: defaultdict[int, dict[bytes, int]] = defaultdict(dict)

    def _bits(self, names: Iterable[str]) -> int:
        return sum(1 << self.numbers[name] for name in names)

    def _wanted_bits(self, on: Iterable[str]) -> bytes:
        """What is wanted on an element: these attributes, and those that are wanted on every element."""
        return (self._everywhere | self._bits(on)).to_bytes(len(self.attributes) // 8 + 1, "little")

    def _element(self, twin: Any, wanted: Wanted, name: str) -> tuple[object, ...]:
        element = element_name(HTML, name)
        flags = twin.ELEMENT_TEXT_WANTED * (name in wanted.texts and name not in RCDATA)
        flags |= twin.ELEMENT_BEGINS_HEAD * (name in BEGIN_HEAD)
        flags |= twin.ELEMENT_BREAKS_OUT * (name in BREAKOUT or name == "font")
        flags |= twin.ELEMENT_OF_HEAD * (name in OF_HEAD) | twin.ELEMENT_OF_FRAMESET * (name in OF_FRAMESET)
        names = tuple(element_name(namespace, name) for namespace in _NAMESPACES)
        points = sum(1 << at for at, named in enumerate(zip(_NAMESPACES, names, strict=True)) if named in _POINTS)
        return (
            name.encode(),
            self._actions.get(name, twin.ACTION_NONE),
            flags,
            points,
            _NAMESPACES.index(NAMESPACES.get(name, HTML)),
            self._wanted_bits(wanted.on.get(element, _NOTHING)),
            self._wanted_bits(wanted.on.get(name, _NOTHING)),
            *names,
        )

    def table(self, carriers: Carrying) -> bytes:
        """What `carriers` says of each namespace, element and attribute, and the element's text, as the twin reads it.

        Cached for the lifetime of the plan.
        """
        known = self._tables.get(id(carriers))
        if known is None:
            table = b"".join(chain.from_iterable(self._rows(carriers, at) for at in range(len(_NAMESPACES))))
            known = self._tables[id(carriers)] = (carriers, table)
        return known[1]

    @staticmethod
    def _wanted_on(wanted: Wanted, name: str) -> frozenset[str]:
        """The attributes that are wanted of an element, in HTML, where `image` is `img`, or elsewhere."""
        return wanted.on.get(name, _NOTHING) | wanted.on.get(element_name(HTML, name), _NOTHING)

    def _rows(self, carriers: Carrying, at: int) -> Iterator[bytes]:
        """The rows of a namespace: an element on which nothing more is wanted has the row of the last one.

        Of its own in a row is only what is wanted there: the twin makes no place of anything else.
        """
        names = (*(_attribute_names(name)[at] for name in self.attributes), None)
        others = bytes(carriers.carries(_NAMESPACES[at], "", name) for name in names)
        for element in self.elements:
            row = bytearray(others)
            for number in self._own.get(element, ()):
                row[number] = carriers.carries(_NAMESPACES[at], element_name(_NAMESPACES[at], element), names[number])
            yield bytes(row)

    def decided(self, carriers: Carrying) -> dict[bytes, int]:
        """The cache of what other attributes decide, by the numbers of this plan; the twin fills it.

        `carriers`: one that has a table.
        """
        return self._decided[id(carriers)]
