"""The extents of XML elements that have some attribute: from their start tag to their end tag.

1. Tags that are not well-formed are not elements here. An end tag ends the nearest open element of its name, and those
   in it; an element that nothing ends extends to the end of the document.
2. Attributes are compared by their names as written.
"""

from __future__ import annotations

from collections import Counter

from rehref.parsers.charrefs import decode
from rehref.parsers.source.construction.extents import Extent
from rehref.parsers.source.xml.element_text import markup_end
from rehref.parsers.source.xml.patterns import ATTRIBUTE, ATTRIBUTE_END, END_TAG, START_NAME
from rehref.text.source_text import SourceText


def xml_extents(units: SourceText, names: frozenset[str]) -> list[Extent]:
    """The elements that have one of these attributes, in no order."""
    text, found = units.text, list[Extent]()
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
                found += () if value is None else (Extent(tag, position, value),)
                if name == end_tag[1]:
                    break
        elif (start_tag := _start_tag(text, position, names)) is not None:
            name, value, is_empty, behind = start_tag
            if is_empty:
                found += () if value is None else (Extent(position, behind, value),)
            else:
                stack.append((name, position, value))
                counts[name] += 1
        position = text.find("<", behind)
    return found + [Extent(tag, len(text), value) for _, tag, value in stack if value is not None]


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
