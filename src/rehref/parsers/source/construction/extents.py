"""The extents of HTML elements that have some attribute: from their start tag to what closes them.

1. Tree construction is run on the source, and an element extends to the token that closes it: its end tag, that of an
   element around it, or a start tag that implies its end. An element that nothing closes extends to the end of the
   source.
2. An element without content (`img`) is its tag; a raw text element is its tag and its text.
3. `html` and `body` extend to the end of the source; attributes of a second `body` count, too.
4. Positions in the source count. An element that tree construction repeats (`<p><b></p>x`) extends to where it is
   closed first.
"""

from __future__ import annotations

from typing import NamedTuple

from rehref.parsers.contract import Place, Wanted
from rehref.parsers.source.construction.builder import Builder
from rehref.parsers.source.construction.dispatch import MODES
from rehref.parsers.source.construction.run import step
from rehref.parsers.source.construction.stack import Node
from rehref.parsers.source.place_collector import PlaceCollector
from rehref.text.source_text import SourceText


class Extent(NamedTuple):
    """An element: the units from `start` to before `end`, and the value of the attribute."""

    start: int
    end: int
    value: str


def html_extents(units: SourceText, names: frozenset[str], *, scripting: bool) -> list[Extent]:
    """The elements that have one of these attributes (names in lower case), in no order."""
    collector = PlaceCollector(units, Wanted(anywhere=names, scripting=scripting))
    builder = Builder(collector, MODES)
    closed = builder.open.closed = list[Node]()
    position, last = collector.begin, len(collector.text)
    open_ones: dict[int, Place] = {}
    found: list[Extent] = []
    while position < last:
        taken, before = len(collector.places), builder.open.current
        behind = step(builder, position)
        current = builder.open.current
        ended = [open_ones.pop(id(node)) for node in closed if id(node) in open_ones]
        found += (Extent(place.tag, position, place.value) for place in ended)
        for place in collector.places[taken:]:
            if place.element in ("html", "body"):
                found.append(Extent(place.tag, last, place.value))
            elif current is not before and (current.namespace, current.name) == (place.namespace, place.element):
                open_ones[id(current)] = place
            else:
                found.append(Extent(place.tag, behind, place.value))
        closed.clear()
        position = behind
    builder.stop()
    return found + [Extent(place.tag, last, place.value) for place in open_ones.values()]
