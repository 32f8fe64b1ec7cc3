"""The extents of elements that have some attribute: from their start tag to what closes them. Positions count.

In HTML, tree construction is run on the source: an element extends to its end tag, that of an element around it, or a
start tag that implies its end; `html` and `body`, and what nothing closes, to the end of the source. An element that
tree construction repeats (`<p><b></p>x`) extends to where it is closed first.
"""

from __future__ import annotations

from typing import NamedTuple

from rehref.markup._charrefs import decode
from rehref.markup._source.construction.construct import steps
from rehref.markup._source.construction.stack import Ended, OpenElement, Started
from rehref.markup._source.xml.content import EndTag, StartTag, XmlContent
from rehref.markup.places import Place, Wanted
from rehref.text.source_text import SourceText


class ElementExtent(NamedTuple):
    """An element: the units from `start` to before `end`, and the value of the attribute."""

    start: int
    end: int
    value: str


def html_extents(units: SourceText, names: frozenset[str], *, scripting: bool) -> list[ElementExtent]:
    """The elements that have one of these attributes (names in lower case), in no order.

    One without content (`img`) is its tag; a raw text element is its tag and its text. Attributes of a second `body`
    count.
    """
    last = len(units.text)
    open_ones: dict[OpenElement, Place] = {}
    found: list[ElementExtent] = []
    for step in steps(units, Wanted(anywhere=names, scripting=scripting)):
        begun = {event.element.tag: event.element for event in step.events if isinstance(event, Started)}
        ended = {event.element for event in step.events if isinstance(event, Ended)}
        closed = [open_ones.pop(element) for element in ended & open_ones.keys()]
        found += (ElementExtent(place.tag, step.start, place.value) for place in closed)
        for place in step.places:
            element = begun.get(place.tag)
            if place.element in ("html", "body"):
                found.append(ElementExtent(place.tag, last, place.value))
            elif element is None or element in ended:
                found.append(ElementExtent(place.tag, step.end, place.value))
            else:
                open_ones[element] = place
    return found + [ElementExtent(place.tag, last, place.value) for place in open_ones.values()]


def xml_extents(units: SourceText, names: frozenset[str]) -> list[ElementExtent]:
    """The elements that have one of these attributes, by their names as written, in no order.

    Tags that are not well-formed are not elements here. An end tag ends the nearest open element of its name, and those
    in it.
    """
    content, found = XmlContent(units), list[ElementExtent]()

    def add(tag: StartTag, end: int) -> None:
        values = [decode(each.value) for each in tag.attributes or () if each.name in names]
        if values:
            found.append(ElementExtent(tag.start, end, values[-1]))

    for piece in content:
        if isinstance(piece, EndTag):
            for tag in piece.ended:
                add(tag, piece.start)
        elif isinstance(piece, StartTag) and piece.is_empty:
            add(piece, piece.end)
    for tag in content.open:
        add(tag, len(units.text))
    return found
