"""The content of an XML document, piece by piece: where elements begin and end, and the text between.

Errors are dealt with as in `reader`, but a tag that is not well-formed is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import TypeAlias

from rehref.parsers.charrefs import normalize
from rehref.parsers.source.tokenization import tag_end
from rehref.parsers.source.xml.entities import NONE, meaning, read_doctype
from rehref.parsers.source.xml.markup import (
    ATTRIBUTE,
    ATTRIBUTE_END,
    CDATA,
    LOOSE_END_TAG,
    START_NAME,
    markup_end,
)
from rehref.parsers.source.xml.namespaces import Name, NamespaceScope, RawAttribute, Undo
from rehref.text import lower
from rehref.text.source_text import SourceText

Piece: TypeAlias = Name | str | None
"""The name of an element that begins, a text, or None: the innermost element ends."""


def content(units: SourceText) -> Iterator[Piece]:
    """The content of a document, in order. Raises nothing."""
    text, entities = units.text, NONE
    scope = NamespaceScope(units, frozenset())
    around: list[tuple[str, Undo | None]] = []
    counts: Counter[str] = Counter()
    position = units.bom
    while position < len(text):
        start = text.find("<", position)
        start = len(text) if start == -1 else start
        if position < start:
            yield meaning(units, entities, units.raw(position, start), position, attribute=False)[0]
        following = text[start + 1 : start + 2]
        if following in ("!", "?"):
            if lower(text[start : start + 9]) == "<!doctype" and entities is NONE and not around:
                position, entities, _ = read_doctype(text, start, units.decode)
                continue
            inside, position = markup_end(units, start)
            if text.startswith(CDATA, start):
                yield normalize(units.decode(units.raw(start + len(CDATA), inside)))
        elif following == "/":
            tag = LOOSE_END_TAG(text, start)
            position = len(text) if tag is None else tag.end()
            while tag is not None and counts[tag[1]]:
                raw, undo = around.pop()
                counts[raw] -= 1
                scope.restore(undo)
                yield None
                if raw == tag[1]:
                    break
        elif (name := START_NAME(text, start + 1)) is None:
            yield text[start : start + 1]
            position = start + 1
        else:
            attributes: list[RawAttribute] = []
            position = name.end()
            while (found := ATTRIBUTE(text, position)) is not None and found.lastindex != ATTRIBUTE_END:
                position, group = found.end(), found.lastindex or 0
                attributes.append(RawAttribute(found[1], found[group], found.start(group)))
            if found is None:
                position = tag_end(text, position) or len(text)
                continue
            position = found.end()
            undo = scope.declare(attributes, partial(meaning, units, entities), lambda offset, what: None)
            yield scope.element(name[0])[0]
            if found[ATTRIBUTE_END]:
                scope.restore(undo)
                yield None
            else:
                around.append((name[0], undo))
                counts[name[0]] += 1
