"""The references of a document as the checker sees them: rows of its table, merged over classes.

A text that is the whole value of its places is judged once, and the places of all other references one by one. The
compiled twin does the same with rows that it has read (`_native/table_texts.c`).
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress, count
from operator import not_
from typing import Final

from rehref.uri.ordinary_references import Prefixes, classify

HERE: Final = ""
"""The target of a reference to the document itself, and to something in it."""


@dataclass(slots=True)
class Values:
    """The references of a document, as far as each is the whole value of its place and may leave the document.

    `texts`: the values, each once, without the white space around them; by their numbers, `counts`, the number of
    places, and `targets`. A target is the path of a folder followed by the value without its `../`; or the value
    itself, which is a URI; or `HERE`, if the value is a fragment that is one of the names, or empty; None for all
    others.
    `numbers`, `places`: of each such reference, in document order, the number of its value, and that of its place.
    `others`: the numbers of all other places with references. `inert`: how many places were left out.
    """

    texts: list[str] = field(default_factory=list)
    targets: list[str | None] = field(default_factory=list)
    others: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    numbers: array[int] = field(default_factory=lambda: array("I"))
    places: array[int] = field(default_factory=lambda: array("I"))
    inert: int = 0

    def leave_out(self, inert: Collection[int]) -> None:
        """Leave out the values of places with these numbers, and those that no other place has."""
        if not inert:
            return
        stays = [place not in inert for place in self.places]
        for number in compress(self.numbers, map(not_, stays)):
            self.counts[number] -= 1
        self.inert += stays.count(False)
        still = {number: new for new, number in enumerate(compress(count(), self.counts))}
        self.numbers = array("I", map(still.__getitem__, compress(self.numbers, stays)))
        self.places = array("I", compress(self.places, stays))
        self.texts = [self.texts[number] for number in still]
        self.targets = [self.targets[number] for number in still]
        self.counts = [self.counts[number] for number in still]

    def at(self, wanted: Sequence[bool]) -> list[int]:
        """Return the numbers of the places with some values, in order. `wanted`: of each value, whether it is one."""
        return list(compress(self.places, map(wanted.__getitem__, self.numbers))) if any(wanted) else []


def targets_of(
    texts: Iterable[str], folders: tuple[str, ...], names: Mapping[str, bool] | None
) -> Iterator[str | None]:
    """Yield the targets of values (`Values`, `Table.values`)."""
    before = Prefixes(folders, None, None, None, None, absolute=folders != ())
    for text in texts:
        if text == "":
            yield HERE if folders and names is not None else None
        elif text[0] != "#":
            yield None if classify(text) is None else before.target(text)
        elif names is None or (text != "#" and text[1:] not in names):
            yield None
        else:
            found = classify(text)
            yield None if found is None or found.beyond or found.faulty else HERE
