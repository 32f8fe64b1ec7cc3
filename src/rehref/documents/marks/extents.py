"""The extents of elements that have some attribute: from their start tag to what closes them.

1. In HTML, tree construction is run on the source, and an element extends to the token that closes it: its end tag,
   that of an element around it, or a start tag that implies its end.
2. An HTML element without content (`img`) is its tag; a raw text element is its tag and its text. `html` and `body`
   extend to the end of the source; attributes of a second `body` count, too. An element that tree construction repeats
   (`<p><b></p>x`) extends to where it is closed first.
3. In XML, tags that are not well-formed are not elements here. An end tag ends the nearest open element of its name,
   and those in it. Attributes are compared by their names as written.
4. An element that nothing closes extends to the end of the source. Positions in the source count.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from rehref.parsers.charrefs import decode
from rehref.parsers.source.construction.run import begin, step
from rehref.parsers.source.construction.stack import Ended, TreeEvent
from rehref.parsers.source.place_collector import PlaceCollector
from rehref.parsers.source.xml.markup import ATTRIBUTE, ATTRIBUTE_END, END_TAG, START_NAME, markup_end
from rehref.places import Place, Wanted
from rehref.text.source_text import SourceText


class ElementExtent(NamedTuple):
    """An element: the units from `start` to before `end`, and the value of the attribute."""

    start: int
    end: int
    value: str


def html_extents(units: SourceText, names: frozenset[str], *, scripting: bool) -> list[ElementExtent]:
    """The elements that have one of these attributes (names in lower case), in no order."""
    collector = PlaceCollector(units, Wanted(anywhere=names, scripting=scripting))
    builder = begin(collector)
    events = builder.open.events = list[TreeEvent]()
    position, last = collector.begin, len(collector.text)
    open_ones: dict[int, Place] = {}
    found: list[ElementExtent] = []
    while position < last:
        taken, before = len(collector.places), builder.open.current
        behind = step(builder, position)
        current = builder.open.current
        closed = [event.element for event in events if isinstance(event, Ended)]
        ended = [open_ones.pop(id(node)) for node in closed if id(node) in open_ones]
        found += (ElementExtent(place.tag, position, place.value) for place in ended)
        for place in collector.places[taken:]:
            if place.element in ("html", "body"):
                found.append(ElementExtent(place.tag, last, place.value))
            elif current is not before and (current.namespace, current.name) == (place.namespace, place.element):
                open_ones[id(current)] = place
            else:
                found.append(ElementExtent(place.tag, behind, place.value))
        events.clear()
        position = behind
    builder.stop()
    return found + [ElementExtent(place.tag, last, place.value) for place in open_ones.values()]


def xml_extents(units: SourceText, names: frozenset[str]) -> list[ElementExtent]:
    """The elements that have one of these attributes, in no order."""
    text, found = units.text, list[ElementExtent]()
    stack: list[tuple[str, int, str | None]] = []  # name, position of the tag, value of the attribute
    counts: Counter[str] = Counter()
    position = text.find("<", units.bom)
    while position != -1:
        behind = position + 1
        if text.startswith(("<!", "<?"), position):
            behind = markup_end(units, position)[1]
        elif (end_tag := END_TAG(text, position)) is not None:
            behind = end_tag.end()
            while counts[end_tag[1]]:
                name, tag, value = stack.pop()
                counts[name] -= 1
                found += () if value is None else (ElementExtent(tag, position, value),)
                if name == end_tag[1]:
                    break
        elif (start_tag := _start_tag(text, position, names)) is not None:
            name, value, is_empty, behind = start_tag
            if is_empty:
                found += () if value is None else (ElementExtent(position, behind, value),)
            else:
                stack.append((name, position, value))
                counts[name] += 1
        position = text.find("<", behind)
    return found + [ElementExtent(tag, len(text), value) for _, tag, value in stack if value is not None]


def _start_tag(text: str, start: int, names: frozenset[str]) -> tuple[str, str | None, bool, int] | None:
    """A start tag: its name, the value of the attribute, whether it is empty, where it ends; None if there is none."""
    name = START_NAME(text, start + 1)
    position, value = 0 if name is None else name.end(), None
    while name is not None and (found := ATTRIBUTE(text, position)) is not None:
        position = found.end()
        group = found.lastindex or 0
        if group == ATTRIBUTE_END:
            return name[0], value, found[ATTRIBUTE_END] != "", position
        if found[1] in names:
            value = decode(found[group])
    return None
