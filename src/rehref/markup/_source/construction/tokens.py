"""The tokens of HTML source, one at a time, each with its position (HTML Standard, "tokenization").

Text comes in runs, raw, from markup to markup; a "<" that begins no markup is text. Comments, the doctype, and CDATA
outside of foreign content give no token: their effect on the tree makes no difference to references.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from rehref.markup._tokenization import (
    ATTRIBUTE,
    TAG_END,
    TAG_NAME,
    declaration_end,
    is_declaration,
)
from rehref.text.source_text import SourceText

_CDATA = "<![CDATA["
_MARKUP = re.compile("<(?=[A-Za-z/!?])").search


class Attribute(NamedTuple):
    """An attribute as written: its name in lower case, its raw value, and where that begins and ends."""

    name: str
    raw: str
    start: int
    end: int


@dataclass(slots=True)
class Tag:
    """A start or end tag, its attributes raw. `start` is the position of its "<", `end` is after its ">".

    Of attributes with the same name the first counts.
    """

    name: str
    is_end: bool
    attributes: list[Attribute]
    self_closing: bool
    start: int
    end: int


class Text(NamedTuple):
    """A run of text from `start` to `stop`; `end` is where to go on."""

    raw: str
    start: int
    stop: int
    end: int
    cdata: bool = False


def next_token(units: SourceText, position: int, name_of: Callable[[str], str], *, foreign: bool) -> Tag | Text | int:
    """The token at `position`, or the position after markup without a token. `foreign`: CDATA sections exist here."""
    text = units.text
    markup = _MARKUP(text, position)
    start = len(text) if markup is None else markup.start()
    if start > position:
        return Text(text[position:start], position, start, start)
    if foreign and text.startswith(_CDATA, position):
        start = position + len(_CDATA)
        stop, behind = units.find("]]>", start)
        return Text(text[start:stop], start, stop, behind, True)
    if is_declaration(text, position):
        return declaration_end(text, position)
    is_end = text.startswith("</", start)
    tag_name = TAG_NAME(text, start + 1 + is_end)
    position = len(text) if tag_name is None else tag_name.end()
    attributes: dict[str, Attribute] = {}
    while tag_name is not None and (found := ATTRIBUTE(text, position)) is not None:
        position = found.end()
        group = found.lastindex or 1
        if group == TAG_END:
            self_closing = found[TAG_END].endswith("/>")
            return Tag(name_of(tag_name[0]), is_end, list(attributes.values()), self_closing, start, position)
        name = name_of(found[1])
        if name not in attributes:
            first, behind = (position, position) if group == 1 else found.span(group)
            attributes[name] = Attribute(name, text[first:behind], first, behind)
    return len(text)  # a tag that the end of the source cuts off is not a token, and nothing follows it
