"""All links of a document at once.

1. An ordinary place (`Document.ordinary`) whose value is a reference as it stands makes one link, and what came of its
   value is all it takes. These links are made column by column: first all values, then all targets, and so on, so that
   the loops run in C; that is twice as fast as one link after the other.
2. All other places are asked for their references, and these are resolved one by one.
3. The links are in document order, and the same as `Document.link` gives for each reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import compress, count, repeat
from operator import eq, itemgetter
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from rehref.carriers.kinds import Kind
from rehref.documents.link import Link
from rehref.documents.resolving import Resolved
from rehref.parsers.contract import PlaceTuple
from rehref.parsers.source.twin import How, TwinScan

if TYPE_CHECKING:
    from rehref.documents.document import Document

CONTEXTUAL: Final = "?"
"""In `Document.ordinary`: other attributes of the element decide."""
IDLE: Final = ""
"""There: an attribute that carries no reference; it decides about others."""

_NAMES = itemgetter(1, 0, 2)

Kinds: TypeAlias = "Sequence[Kind | Literal[''] | None]"


def kinds_of(document: Document) -> list[Kind | Literal[""] | None]:
    """For each place: its kind, if it is ordinary; "" if it carries no reference; None for any other."""
    kinds: list[Any] = list(map(document.ordinary.get, map(_NAMES, document.parsed.places)))
    if CONTEXTUAL in kinds:
        for number in compress(count(), map(eq, kinds, repeat(CONTEXTUAL))):
            kinds[number] = document.decide(document, number)
    return kinds


def all_links(document: Document) -> list[Link]:
    """Every reference of a document as a `Link`, in document order."""
    places = document.parsed.places
    if not places:
        return []
    found = by_twin(document)
    if found is not None:
        return found
    kinds = kinds_of(document)
    values = document.against
    chosen = list(compress(places, kinds))
    values.learn(map(itemgetter(3), chosen))
    known = list(map(values.__getitem__, map(itemgetter(3), chosen)))
    if not values.all_known:
        for number in compress(count(), kinds):
            if values[places[number][3]] is None:
                kinds[number] = None
        chosen = list(compress(places, kinds))
        known = [values[place[3]] for place in chosen]
    links = _ordinary(document, kinds, chosen, known) if chosen else []  # type: ignore[arg-type]  # there is no None
    return links if len(links) == len(places) else _merged(document, kinds, links)


def twin_of(document: Document) -> tuple[TwinScan, How] | None:
    """What the compiled twin has found in a document, and how it reads references; None where it has no part in it."""
    places, bases = document.parsed.places, document.against.twins()
    if bases is None or document.carriers is None or not isinstance(places, TwinScan):
        return None
    ask = partial(document.carried, document.parsed)
    return places, places.how(bases, document.carriers, ask, base_is_own=document.base is document.own)


def by_twin(document: Document) -> list[Link] | None:
    """Every link, the ordinary ones made by the compiled twin; None where it cannot tell."""
    twin = twin_of(document)
    found = None if twin is None else twin[0].links(twin[1], Link, document.base, document.part)
    if found is None:
        return None
    links, odd = found
    merged: list[Link] = []
    done = 0
    for at, number in odd:
        merged += links[done:at]
        merged += map(document.link, document.find(document, number))
        done = at
    return merged + links[done:]


def _ordinary(document: Document, kinds: Kinds, places: Sequence[PlaceTuple], known: Sequence[Resolved]) -> list[Link]:
    """The links of the ordinary places, which have a kind (rule 1)."""
    elements, _, attributes, values, starts, ends, _, _ = zip(*places, strict=True)
    targets, same, problems = zip(*known, strict=True)
    lines, columns = (compress(column, kinds) for column in document.parsed.positions)
    parsed = document.parsed
    # of a whole value: it has no white space around it
    spans: Iterable[tuple[int, int] | None]
    if parsed.direct:
        spans = zip(starts, ends, strict=True)
    else:
        numbers = compress(count(), kinds)
        spans = [parsed.span(number, 0, len(value)) for number, value in zip(numbers, values, strict=True)]
    return list(
        map(
            tuple.__new__,
            repeat(Link),
            zip(
                values,
                targets,
                repeat(document.base),
                elements,
                attributes,
                filter(None, kinds),
                lines,
                columns,
                spans,
                same,
                problems,
                repeat(document.part),
                repeat(None),
                strict=False,
            ),
        )
    )


def _merged(document: Document, kinds: Kinds, ordinary: Sequence[Link]) -> list[Link]:
    """The ordinary links, and between them those of all other places (rule 2)."""
    links: list[Link] = []
    done = others = 0
    for number, kind in enumerate(kinds):
        if kind:
            continue
        references = None if kind == "" else document.find(document, number)
        if references:
            here = number - others
            links += ordinary[done:here]
            links += map(document.link, references)
            done = here
        others += 1
    links += ordinary[done:]
    return links
