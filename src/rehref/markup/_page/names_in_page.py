"""What fragments and maps can name in a document, and whether a `meta` may send browsers elsewhere; in every core.

Names are ids, the names of anchors, and those of maps. The content of a `template` defines none. The compiled twin
reads them (`_native/place_names.c`), or Python does, with the same result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from rehref.markup.places import HTML, ID_NAMES, IN_TEMPLATE, Place
from rehref.markup.twin import tabled
from rehref.text import lower

_NOTHING, _ID, _ANCHOR, _MAP, _PRAGMA = range(5)
_HOLDS: Mapping[tuple[str, str, str | None], int] = {
    (HTML, "a", "name"): _ANCHOR,
    (HTML, "map", "name"): _MAP,
    (HTML, "meta", "http-equiv"): _PRAGMA,
}


@dataclass(slots=True)
class NameTable:
    """The names in a document.

    `named`: what fragments can name, each with whether it is an id. `doubles`: the numbers of the places whose id an
    earlier place has. `maps`: what `usemap` can name. `may_refresh`: whether a `meta` may send browsers elsewhere.
    """

    named: dict[str, bool] = field(default_factory=dict)
    doubles: list[int] = field(default_factory=list)
    maps: set[str] = field(default_factory=set)
    may_refresh: bool = False


class _Naming:
    """Which attributes hold a name."""

    def carries(self, namespace: str, element: str, attribute: str | None) -> int:
        return _ID if attribute in ID_NAMES else _HOLDS.get((namespace, element, attribute), _NOTHING)


_NAMING = _Naming()


def names_of(places: Sequence[Place]) -> NameTable:
    """Return the names in the places of a document."""
    scan = tabled(places)
    if scan is not None and scan.is_html:
        return NameTable(*scan.names(_NAMING))
    found = NameTable()
    for number, place in enumerate(places):
        holds = _NAMING.carries(place.namespace, place.element, place.attribute)
        if holds != _NOTHING:
            _take(found, number, place, holds)
    return found


def _take(found: NameTable, number: int, place: Place, holds: int) -> None:
    value = place.value
    if holds == _PRAGMA:
        found.may_refresh = found.may_refresh or lower(value) == "refresh"
    elif value == "" or place.flags & IN_TEMPLATE:
        return
    elif holds == _ID:
        if found.named.get(value):
            found.doubles.append(number)
        found.named[value] = True
    elif holds == _ANCHOR:
        found.named.setdefault(value, False)
    else:
        found.maps.add(value)


def places_named(places: Sequence[Place], *attributes: str) -> Sequence[int]:
    """Return the numbers of the places of some attributes, by their names in HTML, in order."""
    scan = tabled(places)
    if scan is not None:
        return sorted(chain.from_iterable(map(scan.named, attributes)))
    return [number for number, place in enumerate(places) if place.attribute in attributes]
