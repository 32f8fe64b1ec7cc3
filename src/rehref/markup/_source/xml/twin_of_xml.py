"""The compiled twin (`_native/xml_scan.c`): what it looks for, and what it has found.

It reads what the reader reads without noting an error, if its bytes are the units, and refuses the rest; what it calls
odd is read here. Names are found by their local names, so those of a plan are sorted by these; namespaces have numbers:
those of HTML, none, XML's, and then those that attributes and texts are in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

from rehref._native import TWIN
from rehref.markup._source.xml.entities import (
    NONE,
    Entities,
    meaning,
    pseudo_attributes,
    read_doctype,
    text_in,
)
from rehref.markup._source.xml.markup import START_NAME
from rehref.markup._source.xml.namespaces import Name
from rehref.markup.places import HTML, MATHML, PREFIXES, SVG, XML, XMLNS, Place, XmlWanted, extent
from rehref.markup.twin import MULTIBYTE, TwinScan, bytes_of
from rehref.markup.twin_exchange import Carriers, Carrying
from rehref.text.source_text import SourceText

_FIXED = (HTML, SVG, MATHML, "", XML, XMLNS)
_NOWHERE = "?"
_UNREACHABLE = 255  # the number of this namespace, in which no name is
_MOST_NAMES = _LONGEST_NAME = 1000
_T = TypeVar("_T")


class XmlPlan:
    """What the twin looks for, made once for each `XmlWanted`: `capsule` is its own form of it."""

    on: Mapping[str, int] = MappingProxyType({"base": 0})

    def __init__(self, twin: Any, wanted: XmlWanted) -> None:
        attributes = sorted((*_split(name), name) for name in {*wanted.attributes, "xml:base"})
        texts = sorted((local, uri) for uri, local in wanted.texts)
        named = {uri for _, uri, *_ in (*attributes, *texts)}
        namespaces = (*_FIXED, *sorted(named.difference((*_FIXED, _NOWHERE))))
        names = [name for _, _, name in attributes]
        self.numbers = {name: number for number, name in enumerate(names)}
        self.xml_base = names.index("xml:base")
        self.capsule = twin.make_xml_plan(
            tuple(
                (local.encode(), _UNREACHABLE if uri == _NOWHERE else namespaces.index(uri), uri != "" and more, name)
                for (local, uri, name), more in zip(attributes, _has_more(attributes), strict=True)
            ),
            tuple(
                (local.encode(), namespaces.index(uri), more)
                for (local, uri), more in zip(texts, _has_more(texts), strict=True)
            ),
            namespaces,
            tuple(uri.encode() for uri in namespaces),
            tuple(name.encode() for name in wanted.instructions),
            names.index("rel") if "rel" in names else -1,
            names.index("as") if "as" in names else -1,
            names.index("codebase") if "codebase" in names else -1,
            self.xml_base,
        )

    def table(self, carriers: Carrying) -> bytes:
        """There is none: the twin asks for what it meets."""
        return b""

    def decided(self, carriers: Carriers) -> dict[bytes, int]:
        """The cache of what other attributes decide, for one document: elements have numbers only there."""
        return {}


def _split(name: str) -> tuple[str, str]:
    """The local name of a qualified name, and the namespace."""
    if name.startswith("{"):
        uri, _, local = name[1:].rpartition("}")
        return local, uri
    prefix, colon, local = name.rpartition(":")
    uris = {text: uri for uri, text in PREFIXES.items()}
    return local, uris.get(prefix + colon, _NOWHERE) if colon else ""


def _has_more(names: Sequence[tuple[str, *tuple[Any, ...]]]) -> Iterator[bool]:
    """For each of some sorted names, whether the next has the same local name."""
    yield from (one[0] == other[0] for one, other in pairwise(names))
    yield from [False] * bool(names)


@lru_cache(maxsize=32)
def _plan_for(wanted: XmlWanted) -> XmlPlan | None:
    """The plan; None without the twin, or if a name is not plain, or very long, or there are very many."""
    names = {*wanted.attributes, *wanted.instructions, *(text for texts in wanted.texts for text in texts)}
    fits = all(name.isascii() and name.isprintable() and len(name) <= _LONGEST_NAME for name in names)
    fits = fits and not any(name == "xmlns" or name.startswith("xmlns:") or name == "*" for name in names)
    return XmlPlan(TWIN, wanted) if TWIN is not None and fits and len(names) <= _MOST_NAMES else None


class _Lazy(Sequence[_T], Generic[_T]):
    """Something about each place, found out when it is needed."""

    def __init__(self, size: int, get: Callable[[int], _T]) -> None:
        self._size, self._get = size, get

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, index: Any) -> Any:
        numbers = range(self._size)[index]
        return self._get(numbers) if isinstance(numbers, int) else list(map(self._get, numbers))


class XmlScan(NamedTuple):
    """What the twin has found: the places, and the rest of `XmlDocument`."""

    places: TwinScan
    scopes: Sequence[int]
    parents: Sequence[Name]
    root: Name
    entities: Entities


def scan_xml(units: SourceText, wanted: XmlWanted) -> XmlScan | None:
    """Every place that the twin finds; None if it refuses the source, or if there is no twin."""
    if TWIN is None or units.encoding in MULTIBYTE:
        return None
    data, plan = bytes_of(units), _plan_for(wanted)
    if data is None or plan is None:
        return None
    scan = TWIN.Scan(data, plan.capsule, False, 0, len(data), units.bom)
    if not scan.done:
        return None
    entities = read_doctype(units.text, scan.doctype - 1, units.decode)[1] if scan.doctype else NONE

    def named(uri: str, start: int, end: int, _: int) -> Name:
        return uri, units.decode(units.raw(start, end))

    def scope(number: int) -> int:
        found: int = scan.context(number)[3]
        return found

    return XmlScan(
        TwinScan(scan, plan, units, partial(_read, _Known(entities))),
        _Lazy(len(scan), scope),
        _Lazy(len(scan), lambda number: named(*scan.context(number))),
        named(*scan.root),
        entities,
    )


class _Known:
    """What is known of a document: its entities, and the last instruction that was read."""

    def __init__(self, entities: Entities) -> None:
        self.entities = entities
        self._instruction = -1
        self._places: dict[int | None, Place] = {}

    def pseudo_attribute(self, units: SourceText, place: Place) -> Place:
        """The place, read."""
        if self._instruction != place.tag:
            _, end = extent(place)
            found = pseudo_attributes(units, units.text, place.tag, units.text.find("?>", end))
            self._instruction, self._places = place.tag, {each.start: each for each in found}
        return self._places[place.start]


def _read(known: _Known, units: SourceText, place: Place, how: int) -> Place:
    """A place with its odd parts read."""
    assert TWIN is not None
    start, end = extent(place)
    if how & TWIN.RECORD_INSTRUCTION:
        return known.pseudo_attribute(units, place)
    if how & TWIN.ODD_NAME:
        name = START_NAME(units.text, place.tag + 1)
        assert name is not None
        _, colon, local = name[0].partition(":")
        place = place._replace(element=units.decode(local if colon and place.namespace else name[0]))
    if not how & TWIN.RECORD_ODD:
        return place
    if how & TWIN.RECORD_PARTS:
        value, flags, _ = text_in(units, known.entities, start, end)
    else:
        raw, attribute = units.raw(start, end), not how & TWIN.RECORD_TEXT
        value, flags = meaning(
            units, known.entities, raw, start, attribute=attribute, cdata=not attribute and not how & TWIN.RECORD_MARKUP
        )
    return place._replace(value=value, flags=flags)
