"""The content of an XML document, piece by piece, with positions: tags, and the text between them.

Errors are dealt with as in `reader`, but a start tag that is not well-formed has no attributes, and begins no element.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from rehref.markup._source.xml.entities import NONE, meaning, read_doctype
from rehref.markup._source.xml.markup import (
    ATTRIBUTE,
    ATTRIBUTE_END,
    CDATA,
    LOOSE_END_TAG,
    START_NAME,
    markup_end,
)
from rehref.markup._source.xml.namespaces import Name, NamespaceScope, RawAttribute, Undo
from rehref.markup._tokenization import tag_end
from rehref.text import lower
from rehref.text.source_text import SourceText


class StartTag(NamedTuple):
    """A start tag, from `start` to before `end`; `name` is as written, and ends at `name_end`.

    `attributes`: None if it is not well-formed. `is_empty`: whether its element ends with it.
    """

    start: int
    end: int
    name: str
    name_end: int
    attributes: Sequence[RawAttribute] | None
    is_empty: bool


class EndTag(NamedTuple):
    """An end tag. `ended`: the tags of the elements that end with it, innermost first."""

    start: int
    name: str
    ended: Sequence[StartTag]


class XmlText(NamedTuple):
    """A text. `is_known`: False if it has a reference to an unknown entity, or is a `<` that begins no markup.

    So is what the document ends in, without text, if that is a start tag.
    """

    text: str
    is_known: bool = True


class XmlContent:
    """The content of a document from a position on (None: all of it), to be iterated over once. Raises nothing.

    `entities`: those that are known so far. `open`: the tags of the elements that are open, outermost first.
    """

    def __init__(self, units: SourceText, position: int | None = None) -> None:
        self.units = units
        self.entities = NONE
        self.open: list[StartTag] = []
        self._counts: Counter[str] = Counter()  # of open elements, by name
        self._position = units.bom if position is None else position

    def __iter__(self) -> Iterator[StartTag | EndTag | XmlText]:
        units, text, position = self.units, self.units.text, self._position
        while position < len(text):
            start = text.find("<", position)
            start = len(text) if start == -1 else start
            if position < start:
                yield self._text(position, start)
            following = text[start + 1 : start + 2]
            if following in ("!", "?"):
                if lower(text[start : start + 9]) == "<!doctype" and self.entities is NONE and not self.open:
                    position, self.entities, _ = read_doctype(text, start, units.decode)
                    continue
                inside, position = markup_end(units, start)
                if text.startswith(CDATA, start):
                    yield self._text(start + len(CDATA), inside, cdata=True)
            elif following == "/":
                tag = LOOSE_END_TAG(text, start)
                position = len(text) if tag is None else tag.end()
                yield EndTag(start, "" if tag is None else tag[1], () if tag is None else self._end(tag[1]))
            elif (name := START_NAME(text, start + 1)) is not None:
                found = _start_tag(text, start, name)
                if found is None:
                    yield XmlText("", is_known=False)
                    return
                position = found.end
                if found.attributes is not None and not found.is_empty:
                    self.open.append(found)
                    self._counts[found.name] += 1
                yield found
            else:
                position = start + 1
                if start < len(text):
                    yield XmlText("<", is_known=False)

    def _text(self, start: int, end: int, *, cdata: bool = False) -> XmlText:
        raw = self.units.raw(start, end)
        value, flags = meaning(self.units, self.entities, raw, start, attribute=False, cdata=cdata)
        return XmlText(value, flags == 0)

    def _end(self, name: str) -> list[StartTag]:
        """End the nearest open element of a name, and those in it."""
        ended: list[StartTag] = []
        while self._counts[name] and (not ended or ended[-1].name != name):
            ended.append(self.open.pop())
            self._counts[ended[-1].name] -= 1
        return ended


def _start_tag(text: str, start: int, name: re.Match[str]) -> StartTag | None:
    """The start tag with a name ([40] STag, [44] EmptyElemTag); None if the document ends in it."""
    attributes: list[RawAttribute] = []
    position = name.end()
    while (found := ATTRIBUTE(text, position)) is not None:
        position, group = found.end(), found.lastindex or 0
        if group == ATTRIBUTE_END:
            return StartTag(start, position, name[0], name.end(), attributes, found[ATTRIBUTE_END] != "")
        attributes.append(RawAttribute(found[1], found[group], found.start(group)))
    end = tag_end(text, position)
    return None if end is None else StartTag(start, end, name[0], name.end(), None, text.endswith("/>", start, end))


def local_name(name: str) -> str:
    """The name of an element without its prefix, as written."""
    return name.rpartition(":")[2]


Piece: TypeAlias = Name | str | None
"""The name of an element that begins, a text, or None: the innermost element ends."""


def content(units: SourceText) -> Iterator[Piece]:
    """The content of a document, with the namespaces of elements, in order. Raises nothing."""
    pieces, scope = XmlContent(units), NamespaceScope(units, frozenset())
    undone: list[Undo | None] = []
    for piece in pieces:
        if isinstance(piece, XmlText):
            yield piece.text
        elif isinstance(piece, EndTag):
            for _ in piece.ended:
                scope.restore(undone.pop())
                yield None
        elif piece.attributes is not None:
            known = partial(meaning, units, pieces.entities)
            undone.append(scope.declare(piece.attributes, known, lambda offset, what: None))
            yield scope.element(piece.name)[0]
            if piece.is_empty:
                scope.restore(undone.pop())
                yield None
