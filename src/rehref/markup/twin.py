"""The scanner's compiled twin: the places that it finds, and how it processes the ordinary ones.

It refuses a source in which a tag depends on more than itself: then, and if there is no twin, there is no `TwinScan`,
and the reference reads the source. What it calls odd is read here: values with character references, line ends, NUL, or
characters outside ASCII, and names with such. Its places are also known as a whole, as a table; those of another core
are looked at one by one, with the same result.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from operator import attrgetter
from typing import Any, Protocol

from rehref._native import TWIN
from rehref.markup import _charrefs as charrefs
from rehref.markup._source.names_of_html import element_name
from rehref.markup.places import IN_BODY, Place, Wanted, extent
from rehref.markup.twin_exchange import (
    NO_PARTS,
    BasesOfParts,
    Carriers,
    Carrying,
    Counting,
    Find,
    How,
    MarkupCarriers,
    Plan,
    ScannedTable,
    counting_in_utf8,
)
from rehref.text import lower
from rehref.text.charsets import first_bytes
from rehref.text.source_text import SourceText
from rehref.uri.ordinary_references import Prefixes

_LONGEST_NAME = _MOST_NAMES = 1000
_names = attrgetter("namespace", "element", "attribute")
_MOST_KNOWN = 10_000
MULTIBYTE = frozenset({"gbk", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr"})


@lru_cache(maxsize=32)
def plan_for(wanted: Wanted) -> Plan | None:
    """The twin's plan; None without the twin, or if a name is not ASCII, contains NUL, or is very long, or there are
    very many.
    """
    if TWIN is None:
        return None
    names = {*wanted.anywhere, *wanted.on, *(name for names in wanted.on.values() for name in names)}
    fits = all(name.isascii() and "\0" not in name and len(name) <= _LONGEST_NAME for name in names)
    return Plan(TWIN, wanted) if fits and len(names) <= _MOST_NAMES else None


@cache
def _named() -> object:
    """The names of character references, as the twin reads them: a table that few pages need."""
    assert TWIN is not None
    return TWIN.make_named(tuple(charrefs.named().items()))


class TwinPlan(Protocol):
    """The plan that a scan was made with: one for HTML, or for XML (`rehref.markup._source.xml.twin_of_xml`)."""

    @property
    def numbers(self) -> Mapping[str, int]:
        """The numbers of the names of attributes."""

    @property
    def on(self) -> Mapping[str, int]:
        """The numbers of the elements whose places can be asked for (`TwinScan.on`)."""

    @property
    def xml_base(self) -> int:
        """That of the attribute `xml:base`; -1: it has no meaning."""

    def table(self, carriers: Carrying) -> bytes:
        """What `carriers` says of names, as far as the twin reads it from a table."""

    def decided(self, carriers: Carriers) -> dict[bytes, int]:
        """The cache of what other attributes decide."""


class TwinScan(Sequence[Place]):
    """The places that the twin has found in a source, in document order; each is made when it is needed.

    `scan`: the twin's object; `plan`: the plan it was made with. `read`: reads the odd parts of a place. `places`: what
    it has found, if that is known.
    """

    def __init__(
        self,
        scan: Any,
        plan: TwinPlan,
        units: SourceText,
        read: Callable[[SourceText, Place, int], Place],
        *,
        scripting: bool = False,
        places: list[Place] | None = None,
    ) -> None:
        if places is not None:
            self._all = places
        self.scan = scan
        self.plan = plan
        self._units = units
        self._read = read
        self._scripting = scripting
        self._known: dict[int, Place] = {}  # the last places that were made one by one
        self._late_places: frozenset[int] | None = None

    def __len__(self) -> int:
        return len(self.scan)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        place = self._known.get(index)
        if place is not None:
            return place
        if "_all" in self.__dict__:
            return self._all[index]
        number = index if index >= 0 else len(self) + index
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        place = self._known[number] = self._finished(number, *self.scan.place(number, Place))
        return place

    def __iter__(self) -> Iterator[Place]:
        return iter(self._all)

    def __eq__(self, other: object) -> bool:
        return self._all == (other._all if isinstance(other, TwinScan) else other)

    __hash__: Any = None  # like a list

    @cached_property
    def _all(self) -> list[Place]:
        """All places, made at once."""
        places: list[Place]
        places, odd = self.scan.places(Place)
        for number, how in odd:
            places[number] = self._finished(number, places[number], how)
        for number in self._late():
            places[number] = places[number]._replace(flags=IN_BODY)
        return places

    def _finished(self, number: int, place: Place, how: int) -> Place:
        """The twin's place, completed; `how`: what is odd about it."""
        if how:
            place = self._read(self._units, place, how)
        is_late = place.element in ("base", "meta") and number in self._late()
        return place._replace(flags=IN_BODY) if is_late else place

    def _late(self) -> frozenset[int]:
        """The numbers of the places on `base` elements in the body, and on `meta` before them there (`body_watch`)."""
        if self._late_places is None:
            self._late_places = self._find_late()
        return self._late_places

    def _find_late(self) -> frozenset[int]:
        bases = [] if self.plan.xml_base >= 0 else self.on("base")
        if not bases or not self.scan.may_be_in_body(self.scan.place(bases[-1], Place)[0].tag):
            return frozenset()
        numbers = sorted([*bases, *(number for number in self.on("meta") if number < bases[-1])])
        tags = [self.scan.place(number, Place)[0].tag for number in numbers]
        from rehref.markup._source.body_watch import BodyWatch

        before = self._units.raw(0, tags[-1])  # what is behind the last of them is not decoded
        watch = BodyWatch(self._units, before, dict(self.templates()), scripting=self._scripting)
        return frozenset(number for number, tag in zip(numbers, tags, strict=True) if watch.has_begun(tag))

    def _counting(self) -> Counting:
        """How lines and columns are counted."""
        units = self._units
        data = units.source.data
        if not isinstance(data, bytes) or (units.encoding != "utf-8" and units.encoding not in MULTIBYTE):
            return Counting(units.bom)
        if units.encoding == "utf-8":
            return counting_in_utf8(self.scan, lambda: data, units.bom)
        return Counting(units.bom, first_bytes(data, units.encoding), utf8=True)

    def how(
        self,
        before: Prefixes | str,
        own: str | None,
        carriers: Carriers,
        ask: Callable[[int], int],
        find: Find,
        *,
        base_is_own: bool,
        metadata: bool = True,
        markup: MarkupCarriers | None = None,
        parts: BasesOfParts = NO_PARTS,
    ) -> How:
        """How references are read here. `markup`: the carriers for HTML in texts in XML. `parts`: see `How`."""
        table, decided = self.plan.table(carriers), self.plan.decided(carriers)
        plan = None if markup is None else plan_for(markup.wanted)
        inner = None if plan is None or markup is None else (plan.capsule, plan.table(markup))

        def said(number: int) -> int:
            return carriers.carries(*_names(self[number]))

        given = (
            before,
            own,
            base_is_own,
            table,
            carriers.kinds,
            ask,
            find,
            metadata,
            decided,
            said,
            inner,
            parts,
            _named,
        )
        return How(*given)

    @property
    def is_html(self) -> bool:
        """Whether these are places in HTML, of which tables of names say something."""
        return isinstance(self.plan, Plan)

    def _value(self, number: int) -> str:
        value: str = self[number].value
        return value

    def names(self, naming: Carrying) -> tuple[Any, ...]:
        """What can be named in HTML. `naming`: says which attributes hold names."""
        found: tuple[Any, ...] = self.scan.names(self.plan.table(naming), self._units.encoding == "utf-8", self._value)
        return found

    def table(self, how: How) -> ScannedTable | None:
        """The references; None if the units of the source are not its bytes."""
        units = self._units
        if units.wide:
            return None
        data = units.source.data
        table = self.scan.table(how, units.encoding == "utf-8")
        return ScannedTable(table, len(data), self._counting, isinstance(data, str))

    def templates(self) -> list[tuple[int, int]]:
        """Where the content of each outermost `template` begins and ends."""
        found: list[tuple[int, int]] = self.scan.templates()
        return found

    def on(self, element: str) -> Sequence[int]:
        """The numbers of the places on such elements in HTML, outside of templates; of all places if unknown."""
        number = self.plan.on.get(element)
        found: Sequence[int] = range(len(self)) if number is None else self.scan.on(number)
        return found

    def named(self, attribute: str) -> list[int]:
        """The numbers of the places of an attribute in HTML."""
        number = self.plan.numbers.get(attribute)
        found: list[int] = [] if number is None else self.scan.named(number)
        return found

    def has(self, attribute: str, value: str) -> bool:
        """Whether an attribute in HTML has this value, in any case."""
        numbers = self.named(attribute)
        return bool(numbers) and any(lower(self[number].value) == value for number in numbers)

    def xml_bases(self) -> list[int]:
        """The numbers of the `xml:base` places."""
        found: list[int] = self.scan.named(self.plan.xml_base)
        return found

    @property
    def has_entities(self) -> bool:
        """Whether a value may have a reference to an entity that is not predefined."""
        found: bool = self.scan.has_entities
        return found


def tabled(places: Sequence[Place]) -> TwinScan | None:
    """The places, if they are known as a whole."""
    return places if isinstance(places, TwinScan) else None


def may_be_on(places: Sequence[Place], element: str) -> Sequence[int]:
    """The numbers of the places on elements of that name in HTML, or, if these are not known, of all places."""
    known = tabled(places)
    return range(len(places)) if known is None else known.on(element)


def has_value(places: Sequence[Place], attribute: str, text: str) -> bool | None:
    """Whether an attribute of that name has a value in a page; None if that is not known as a whole."""
    known = tabled(places)
    return known.has(attribute, text) if known is not None and known.is_html else None


def may_have_templates(places: Sequence[Place]) -> bool:
    """Whether a place may be in a `template`."""
    known = tabled(places)
    return known is None or bool(known.templates())


def may_have_entities(places: Sequence[Place]) -> bool:
    """Whether the value of a place may have a reference to an entity that is not predefined."""
    known = tabled(places)
    return known is None or known.has_entities


def xml_bases(places: Sequence[Place]) -> Sequence[int]:
    """The numbers of the `xml:base` places of a document in XML, none of which is in an instruction."""
    known = tabled(places)
    if known is not None:
        return known.xml_bases()
    return [
        number
        for number, place in enumerate(places)
        if place.attribute == "xml:base" and not place.element.startswith("?")
    ]


def bytes_of(units: SourceText) -> bytes | None:
    """The bytes that the twin reads, in which markup is ASCII (a str only if all of it is); None if it cannot."""
    if units.bytes_as_units:
        assert isinstance(units.source.data, bytes)
        is_text = units.bom == 0 and units.source.data.startswith(BOM_UTF8)  # which the twin takes for the mark
        return None if is_text else units.source.data
    return units.text.encode() if units.text.isascii() else None


def twin_scan(units: SourceText, wanted: Wanted, whole: Place | None = None) -> TwinScan | None:
    """Every place that the twin finds, in document order; None if it refuses the source.

    `whole`: the only place of a source without markup.
    """
    if TWIN is None:
        return None
    data, plan = bytes_of(units), plan_for(wanted)
    if data is None or plan is None:
        return None
    text = -1 if whole is None else units.bom
    scan = TWIN.Scan(data, plan.capsule, units.encoding in MULTIBYTE, 0, len(data), text)
    places = None if whole is None else [whole]
    return TwinScan(scan, plan, units, read_odd, scripting=wanted.scripting, places=places) if scan.done else None


def read_odd(units: SourceText, place: Place, how: int) -> Place:
    """A place with its odd parts read."""
    assert TWIN is not None
    if how & TWIN.ODD_NAME:
        from rehref.markup._tokenization import TAG_NAME  # nearly all names are ASCII

        found = TAG_NAME(units.text, place.tag + 1)
        assert found is not None
        name = element_name(place.namespace, lower(units.decode(found[0])).replace("\0", "\ufffd"))
        place = place._replace(element=name)
    if not how & TWIN.RECORD_ODD:
        return place
    raw = units.decode(units.raw(*extent(place)))
    if not how & TWIN.RECORD_TEXT:
        return place._replace(value=charrefs.decode(raw))
    return place._replace(value=charrefs.decode_text(raw) if how & TWIN.RECORD_MARKUP else charrefs.normalize(raw))
