"""The values of a document's places that are one reference each, and where they lead from a folder; in every core.

The checker's view of a document: each value is judged once, and the places of all other references one by one. The
compiled twin reads them (`_native/place_values.c`), or Python does, with the same result.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import compress
from operator import itemgetter
from typing import Final

from rehref.documents.formats.html_carriers import ASK, DECIDES, NOTHING, ODD, is_one_reference
from rehref.parsers.contract import Parsed
from rehref.parsers.source.twin import tabled
from rehref.parsers.source.twin_exchange import DocumentCarriers
from rehref.uri.ordinary_references import LEVELS, Prefixes, classify

HERE: Final = ""
"""The target of a reference to the document itself, and to something in it."""

_NAMES = itemgetter(1, 0, 2)
_COMMENT = "#comment"
_IS_ONE = frozenset(filter(is_one_reference, range(256)))
_HAS_NONE = frozenset({NOTHING, DECIDES})


@dataclass(slots=True)
class Values:
    """The references of a document, as far as each is the whole value of its place and may leave the document.

    `texts`: the values, with their numbers; by these numbers, `counts`, the number of places, and `targets`. A target
    is the path of a folder followed by the value without its `../`; or the value itself, which is a URI; or `HERE`, if
    the value is a fragment that is one of the names, or empty; None for all others. `placed`: pairs of the number of a
    value and the number of a place, in document order. `others`: the numbers of all other places that may have
    references. `inert`: how many places were left out.
    """

    texts: dict[str, int] = field(default_factory=dict)
    targets: list[str | None] = field(default_factory=list)
    others: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    placed: array[int] = field(default_factory=lambda: array("I"))
    inert: int = 0

    def leave_out(self, inert: Collection[int]) -> None:
        """Leave out the values of places with these numbers, and those that no other place has."""
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
        self.texts = {text: still[value] for text, value in self.texts.items() if value in still}
        self.targets = [self.targets[value] for value in still]
        self.counts = [self.counts[value] for value in still]

    def at(self, values: Iterable[str]) -> list[int]:
        """Return the numbers of the places that have one of some values, in order."""
        wanted = {self.texts[value] for value in values if value in self.texts}
        return list(compress(self.placed[1::2], map(wanted.__contains__, self.placed[::2]))) if wanted else []


def values_of(
    parsed: Parsed,
    carriers: DocumentCarriers | None,
    carried: Callable[[int], int],
    folders: tuple[str, ...],
    names: Mapping[str, bool] | None,
) -> Values:
    """Return the values in a document, and the other places.

    `carriers`: say what places carry (None: that is not known); `carried`: says it of a place whose other attributes
    decide. `folders`: the paths of the base's folder, of its parent, and so on; empty if no target is found by them.
    `names`: those that fragments lead to; None if they lead elsewhere.
    """
    scan, folders = tabled(parsed.places), folders[:LEVELS]
    if carriers is not None and scan is not None and scan.is_html:
        (texts, targets, others), counts, placed = scan.values(carriers, carried, folders, names)
        return Values(texts, targets, others, array("I", counts).tolist(), array("I", placed))
    return _found(parsed, carriers, carried, folders, names)


def _found(
    parsed: Parsed,
    carriers: DocumentCarriers | None,
    carried: Callable[[int], int],
    folders: tuple[str, ...],
    names: Mapping[str, bool] | None,
) -> Values:
    found, codes = Values(), dict[tuple[str, str, str | None], int]()
    for number, place in enumerate(parsed.places):
        key = _NAMES(place)
        code = codes.get(key)
        if code is None:
            code = ODD if carriers is None or place.element == _COMMENT else carriers.carries(*key)
            codes[key] = code
        if code == ASK:
            code = carried(number)
        if code in _IS_ONE:
            value = found.texts.setdefault(place.value, len(found.texts))
            if value == len(found.counts):
                found.counts.append(0)
                found.targets.append(_target(place.value, folders, names))
            found.counts[value] += 1
            found.placed.extend((value, number))
        elif code not in _HAS_NONE:
            found.others.append(number)
    return found


def _target(value: str, folders: tuple[str, ...], names: Mapping[str, bool] | None) -> str | None:
    """Return the target of a value (`Values`)."""
    if value == "":
        return HERE if folders and names is not None else None
    if value[0] != "#":
        return Prefixes(folders, None, None, None, None).target(value) if folders else None
    is_name = names is not None and (value == "#" or value[1:] in names)
    is_ordinary = is_name and (found := classify(value)) is not None and not (found.beyond or found.faulty)
    return HERE if is_ordinary else None
