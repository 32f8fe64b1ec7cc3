"""The scanner's compiled twin: the places that it finds, and what it does with the ordinary ones.

1. It is told what to look for by a `Plan`.
2. The twin reads bytes in which markup is ASCII; a text only where that is all ASCII. It refuses what depends on more
   than the tag: then, and where there is no twin, there is no `TwinScan`, and the reference reads the source.
3. What the twin calls odd is read here: values with character references, line ends, NUL, or other characters than
   ASCII; names that are not ASCII.
4. Whether a `base` stands in the body is found out here, too, by tree construction, if it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any, TypeAlias, overload

from rehref._native import TWIN
from rehref.parsers import charrefs
from rehref.parsers.ascii_case import lower
from rehref.parsers.contract import IN_BODY, PlaceTuple, Wanted
from rehref.parsers.source.construction.run import BodyWatch
from rehref.parsers.source.names import element_name
from rehref.parsers.source.plan import Plan
from rehref.parsers.source.tags import TAG_NAME
from rehref.parsers.units import Units

_MULTIBYTE = frozenset({"gbk", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr"})


Ordinary: TypeAlias = "tuple[tuple[str, ...], str | None, str, str, str | None, bytes, tuple[str, ...]]"
"""What the twin resolves ordinary references with: what goes before a relative path, by how many `../` it begins with;
before a fragment, if that stays in the document; before a query, and a rooted path; the document's own URI; and what
`Plan.kinds` gives."""

ByteSplice: TypeAlias = tuple[int, int, bytes]
"""What to replace in the bytes of a source: from, to, by what."""


@lru_cache(maxsize=32)
def _plan(wanted: Wanted) -> Plan | None:
    """The twin's plan; None if a name that is wanted is not ASCII, or holds NUL, which no name has."""
    names = (*wanted.anywhere, *wanted.on, *(name for names in wanted.on.values() for name in names))
    return Plan(TWIN, wanted) if all(name.isascii() and "\0" not in name for name in names) else None


class TwinScan(Sequence[PlaceTuple]):
    """The places that the twin has found in a source, in document order; each is made when it is asked for.

    `scan`: the twin's own; `plan`: what it was made with.
    """

    def __init__(self, scan: Any, plan: Plan, units: Units, wanted: Wanted) -> None:
        self.scan = scan
        self.plan = plan
        self._units = units
        self._scripting = wanted.scripting
        self._known: dict[int, PlaceTuple] = {}  # the places that were asked for one by one

    def __len__(self) -> int:
        return len(self.scan)

    @overload
    def __getitem__(self, index: int) -> PlaceTuple: ...
    @overload
    def __getitem__(self, index: slice) -> list[PlaceTuple]: ...
    def __getitem__(self, index: int | slice) -> PlaceTuple | list[PlaceTuple]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        if "_all" in self.__dict__:
            return self._all[index]
        number = index if index >= 0 else len(self) + index
        place = self._known.get(number)
        if place is None:
            place = self._known[number] = self._finished(number, *self.scan.place(number))
        return place

    def __iter__(self) -> Iterator[PlaceTuple]:
        return iter(self._all)

    def __eq__(self, other: object) -> bool:
        return self._all == (other._all if isinstance(other, TwinScan) else other)

    __hash__: Any = None  # as of a list

    @cached_property
    def _all(self) -> list[PlaceTuple]:
        """All places, made at once."""
        places: list[PlaceTuple]
        places, odd = self.scan.places()
        for number, how in odd:
            places[number] = self._finished(number, places[number], how)
        for number in self._late:
            places[number] = (*places[number][:7], IN_BODY)
        return places

    def _finished(self, number: int, place: PlaceTuple, how: int) -> PlaceTuple:
        """A place of the twin's as it is to be (rules 3, 4); `how`: what is odd about it."""
        if how:
            place = _read(self._units, place, how)
        return (*place[:7], IN_BODY) if place[0] == "base" and number in self._late else place

    @cached_property
    def _late(self) -> frozenset[int]:
        """The numbers of the places on `base` elements in the body (rule 4)."""
        bases = self.bases()
        if not bases:
            return frozenset()
        watch = BodyWatch(self._units, dict(self.scan.templates()), scripting=self._scripting)
        return frozenset(number for number in bases if watch.has_begun(self.scan.place(number)[0][6]))

    @cached_property
    def characters(self) -> tuple[int, bool] | None:
        """Where the first character stands, and whether characters are UTF-8 (else bytes); None: not so simple."""
        units = self._units
        if units.wide:
            return None
        if units.encoding == "utf-8" and not units.text.isascii():
            return (units.bom, True) if units.is_valid else None
        return None if units.encoding in _MULTIBYTE else (units.bom, False)

    def links(
        self, how: Ordinary, link_type: type[Any], base: object, part: str | None
    ) -> tuple[list[Any], list[tuple[int, int]]] | None:
        """The links of ordinary places, and for each other place where its links belong among them, and its number.

        `link_type`: a tuple type with the fields of `rehref.documents.link.Link`. None where it cannot tell columns.
        """
        if self.characters is None:
            return None
        begin, utf8 = self.characters
        found: tuple[list[Any], list[tuple[int, int]]] = self.scan.links(how, link_type, base, part, utf8, begin)
        return found

    def absolute(self, how: Ordinary, *, fragments: bool) -> tuple[int, list[ByteSplice], list[int]] | None:
        """How to make ordinary references absolute; None where that needs escapes, or the source's bytes are others.

        How many there are, what to replace for those that change, and the numbers of all places that are not ordinary.
        """
        folders, document, query, root, *_ = how
        texts = (document or "", query, root, *folders)
        if self._units.wide or not all(map(charrefs.speaks_for_itself, texts)):
            return None
        found: tuple[int, list[ByteSplice], list[int]]
        found = self.scan.absolute(how, fragments, tuple(map(str.encode, texts)))
        return found

    def spliced(self, splices: list[ByteSplice]) -> bytes | str:
        """The source with these splices made, of the type that it was."""
        data: bytes = self.scan.spliced(splices)
        return data if isinstance(self._units.source.data, bytes) else data.decode()

    def bases(self) -> list[int]:
        """The numbers of the places on `base` elements in HTML, outside of templates."""
        found: list[int] = self.scan.on(self.plan.base)
        return found


def twin_scan(units: Units, wanted: Wanted) -> TwinScan | None:
    """Every place that the twin finds, in document order; None where it cannot tell (rule 2)."""
    if TWIN is None:
        return None
    if units.bytes_as_units:
        data = units.source.data
    elif units.text.isascii():
        data = units.text.encode()
    else:
        return None
    plan = _plan(wanted)
    if plan is None:
        return None
    scan = TWIN.Scan(data, plan.capsule, units.encoding in _MULTIBYTE)
    return TwinScan(scan, plan, units, wanted) if scan.done else None


def _read(units: Units, place: PlaceTuple, how: int) -> PlaceTuple:
    """A place with what was odd about it (rule 3)."""
    assert TWIN is not None
    element, namespace, attribute, value, start, end, tag, flags = place
    if how & TWIN.ODD_NAME:
        found = TAG_NAME(units.text, tag + 1)
        assert found is not None
        element = element_name(namespace, lower(units.decode(found[0])).replace("\0", "\ufffd"))
    if how & TWIN.RECORD_ODD:
        raw = units.decode(units.text[start:end])
        if not how & TWIN.RECORD_TEXT:
            value = charrefs.decode(raw)
        else:
            value = charrefs.decode_text(raw) if how & TWIN.RECORD_MARKUP else charrefs.normalize(raw)
    return element, namespace, attribute, value, start, end, tag, flags
