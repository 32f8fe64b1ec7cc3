"""The meaning of values in XML: of attributes, of texts, and of pseudo-attributes.

1. The text of an element consists of its character data and CDATA sections (`markup`, rule 5).
2. In an instruction only the predefined entities are known.
"""

from __future__ import annotations

from collections.abc import Iterator

from rehref.parsers.charrefs import normalize
from rehref.parsers.contract import Place
from rehref.parsers.source.splicing import Segment
from rehref.parsers.source.xml.entities import NONE, NOT_KNOWN, Entities
from rehref.parsers.source.xml.markup import INSTRUCTION, PSEUDO, segments
from rehref.text.source_text import SourceText


def meaning(
    units: SourceText, entities: Entities, raw: str, start: int, *, attribute: bool = True, cdata: bool = False
) -> tuple[str, int]:
    """The meaning of a raw value, or of a part of it, which begins at `start`; and the flags of its place."""
    text = units.decode(raw)
    if cdata:
        return normalize(text), 0
    entities.charge(text, start)
    value = entities.decode(text, start, attribute=attribute)
    return value, NOT_KNOWN if "&" in value and entities.stay(text, start) else 0


def text_in(units: SourceText, entities: Entities, start: int, end: int) -> tuple[str, int, list[Segment]]:
    """The text of an element without child elements, from `start` to `end`: its meaning, flags, and segments."""
    texts, flags = [], 0
    parts = segments(units, start, end)
    for first, behind, cdata in parts:
        text, more = meaning(units, entities, units.raw(first, behind), first, attribute=False, cdata=cdata)
        texts.append(text)
        flags |= more
    return "".join(texts), flags, parts


def pseudo_attributes(units: SourceText, text: str, start: int, end: int) -> Iterator[Place]:
    """The places of the pseudo-attributes of the instruction in `text` from `start` on, before `end`."""
    found = INSTRUCTION(text, start)
    assert found is not None
    position = found.end()
    while (pseudo := PSEUDO(text, position)) is not None and pseudo.end() <= end:
        position = pseudo.end()
        group = pseudo.lastindex or 0
        raw = units.decode(pseudo[group])
        value, flags = NONE.decode(raw, 0, attribute=True), NOT_KNOWN if NONE.stay(raw, 0) else 0
        inside, behind = pseudo.span(group)
        yield Place(f"?{found[1]}", "", units.decode(pseudo[1]), value, inside, behind, start, flags)
