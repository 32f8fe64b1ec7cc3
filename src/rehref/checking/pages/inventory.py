"""What the checker needs to know of the places of one page, and which of them nobody sees.

1. A place has a sort: it holds one reference, or any number of references, which the document finds; or a name; or
   neither.
2. Names are the ids, the names of anchors, and those of maps. The content of a `template` defines no names.
3. Each value of a reference in ordinary places is listed once, with the number of its places, and where they are. A
   value has its target already if that is the path of a folder followed by the value without its `../`; or if it is the
   value itself, which is a URI (`rehref.uri.ordinary_references` decides both); or `HERE`, if the value is a fragment
   that equals one of the names, or is empty. `rehref.checking.pages.targets` finds the targets of all other values.
4. Python examines the places one by one. The compiled twin does the same with plain places, and leaves the others to
   Python. If one of these has an id that exists already, Python examines all places, since it matters which was first.
5. Nothing in a `template` is fetched or followed in its place (HTML Standard, "the template element"). How scripts use
   it, and how they change its references before, is not known.
6. A `template` with a `shadowrootmode` of `open` or `closed` is different: parsers put its content into the page, as a
   shadow tree ("declarative shadow roots"). So its content counts, unless it is inside an ordinary `template`.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Final

from rehref.parsers.contract import IN_TEMPLATE, SVG, Place
from rehref.parsers.source.construction.templates import inert_stretches
from rehref.parsers.source.twin import tabled
from rehref.parsers.source.twin_exchange import Held
from rehref.text import lower
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText
from rehref.uri.ordinary_references import LEVELS, Prefixes, classify

NOTHING: Final = 0
"""Sorts of places: no reference and no name."""
ORDINARY: Final = 1
"""One reference, relative to the document's base (`Document.ordinary`)."""
OTHER: Final = 2
"""Any references that the document finds there."""
ID: Final = 3
ANCHOR: Final = 4
"""The `name` of an `a`."""
MAP: Final = 5
"""The `name` of a `map`."""
PRAGMA: Final = 6
"""The `http-equiv` of a `meta`."""

HERE: Final = ""
"""The target of a reference to the page itself, and to something in it."""


@dataclass(slots=True)
class Inventory:
    """The content of a page.

    `names`: what fragments can name, each with whether it is an id. `doubles`: the numbers of the places whose id an
    earlier place has. `maps`: what `usemap` can name. `values`: the values of ordinary places, with their numbers; by
    these numbers, `counts`, the number of places, and `targets` (rule 3). `placed`: pairs of the number of a value and
    the number of a place; in document order. `others`: the numbers of places of the sort `OTHER`. `may_refresh`:
    whether a `meta` may send browsers elsewhere. `inert`: the number of ordinary places that were left out, since
    nobody sees them.
    """

    names: dict[str, bool] = field(default_factory=dict)
    doubles: list[int] = field(default_factory=list)
    maps: set[str] = field(default_factory=set)
    values: dict[str, int] = field(default_factory=dict)
    counts: list[int] = field(default_factory=list)
    targets: list[str | None] = field(default_factory=list)
    placed: array[int] = field(default_factory=lambda: array("I"))
    others: list[int] = field(default_factory=list)
    may_refresh: bool = False
    inert: int = 0

    def take_name(self, number: int, place: Place, sort: int) -> None:
        """Add a place, by its number, that may hold a name (rule 2)."""
        value = place.value
        if value == "" or place.flags & IN_TEMPLATE:
            return
        if sort == ID:
            if self.names.get(value):
                self.doubles.append(number)
            self.names[value] = True
        elif sort == ANCHOR:
            self.names.setdefault(value, False)
        elif sort == MAP:
            self.maps.add(value)

    def take_reference(self, number: int, place: Place, sort: int) -> None:
        """Add a place, by its number, that may hold references."""
        if sort == ORDINARY:
            value = self.values.setdefault(place.value, len(self.values))
            if value == len(self.counts):
                self.counts.append(0)
                self.targets.append(None)
            self.counts[value] += 1
            self.placed.extend((value, number))
        elif sort == OTHER:
            self.others.append(number)
        elif sort == PRAGMA:
            self.may_refresh = self.may_refresh or lower(place.value) == "refresh"

    def lead(self, folders: Sequence[str], *, at_own_base: bool) -> None:
        """Find the targets that rule 3 describes.

        `folders`: the paths of the base's folder, of its parent, and so on; empty if nothing is glued.
        """
        before = Prefixes(tuple(folders[:LEVELS]), None, None, None, None)
        for value, number in self.values.items():
            if value[:1] == "#":
                is_name = at_own_base and (value == "#" or value[1:] in self.names)
                is_ordinary = is_name and (found := classify(value)) is not None and not (found.beyond or found.faulty)
                self.targets[number] = HERE if is_ordinary else None
            elif folders:
                self.targets[number] = before.target(value) if value or not at_own_base else HERE

    def leave_out(self, inert: Collection[int]) -> None:
        """Leave out the ordinary places with these numbers, and the values that no other place has."""
        if not inert:
            return
        kept = []
        for value, number in zip(self.placed[::2], self.placed[1::2], strict=True):
            if number in inert:
                self.counts[value] -= 1
                self.inert += 1
            else:
                kept.append((value, number))
        still = {value: new for new, value in enumerate(compress(range(len(self.counts)), self.counts))}
        self.placed = array("I", (each for value, number in kept for each in (still[value], number)))
        self.values = {text: still[value] for text, value in self.values.items() if value in still}
        self.targets = [self.targets[value] for value in still]
        self.counts = [self.counts[value] for value in still]

    def at(self, values: Iterable[str]) -> list[int]:
        """Return the numbers of the ordinary places that have one of some values, in order."""
        wanted = {self.values[value] for value in values if value in self.values}
        return list(compress(self.placed[1::2], map(wanted.__contains__, self.placed[::2]))) if wanted else []


def inventory_by_twin(held: Held, places: Sequence[Place], sort_of: Callable[[int], int]) -> Inventory | None:
    """Return the inventory of places whose plain ones the twin has read; None if Python must read all (rule 4)."""
    counts = array("I", held.counts).tolist()
    placed = array("I", held.placed)
    found = Inventory(held.names, held.doubles, set(), held.values, counts, held.targets, placed=placed)
    doubles, many = len(found.doubles), len(found.placed)
    for number in held.odd:
        place, sort = places[number], sort_of(number)
        found.take_name(number, place, sort)
        found.take_reference(number, place, sort)
    if len(found.placed) > many:
        in_order = sorted(zip(found.placed[1::2], found.placed[::2], strict=True))
        found.placed = array("I", (each for number, value in in_order for each in (value, number)))
    return found if len(found.doubles) == doubles else None


def inert_places(places: Sequence[Place], source: Source) -> frozenset[int]:
    """Return the numbers of the places of a page that are in a template (rules 5, 6)."""
    known = tabled(places)
    if known is not None and not known.templates():
        return frozenset()
    found = [number for number, place in enumerate(places) if place.flags & IN_TEMPLATE]
    text = SourceText(source) if found else None
    if text is None or "shadowrootmode" not in lower(text.text):
        return frozenset(found)
    stretches = inert_stretches(text)
    starts, ends = [start for start, _ in stretches], [-1, *(end for _, end in stretches)]
    tags = ((number, places[number].tag) for number in found)
    # the last range that begins before the tag, if there is one, must end after it
    return frozenset(number for number, tag in tags if tag < ends[bisect_left(starts, tag)])


def superseded_places(places: Sequence[Place]) -> frozenset[int]:
    """Return the numbers of the places of `xlink:href` that browsers ignore, since there is an `href`, too.

    SVG 2, "deprecated XLink URL reference attributes".
    """
    plain = {place.tag for place in places if place.namespace == SVG and place.attribute == "href"}
    old = (number for number, place in enumerate(places) if place.namespace == SVG and place.attribute == "xlink:href")
    return frozenset(number for number in old if places[number].tag in plain)
