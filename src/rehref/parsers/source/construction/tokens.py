"""The tokens of HTML source, one at a time, each with its place (HTML Standard, "tokenization").

1. A tag token has its attributes raw, with their positions; of those with the same name the first counts.
2. Text comes in runs, raw, from markup to markup. A "<" that begins none is text.
3. Comments, bogus comments, the doctype, and CDATA outside of foreign content give no token: for what they do to the
   tree makes no difference to references.
4. A tag that the end of the file cuts off gives no token; nothing follows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from rehref.parsers.source.ends import declaration_end, is_declaration
from rehref.parsers.source.patterns import ATTRIBUTE, TAG
from rehref.parsers.units import Units

_CDATA = "<![CDATA["
_MARKUP = re.compile("<(?=[A-Za-z/!?])").search


class Attribute(NamedTuple):
    """An attribute as it stands: its name in lower case, its raw value, and where that begins and ends."""

    name: str
    raw: str
    start: int
    end: int


@dataclass(slots=True)
class Tag:
    """A start or end tag. `start` is where its "<" stands, `end` is behind its ">"."""

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


def next_token(units: Units, position: int, name_of: Callable[[str], str], *, foreign: bool) -> Tag | Text | int:
    """The token at `position`, or the position behind what gives none. `foreign`: CDATA sections exist here."""
    text = units.text
    markup = _MARKUP(text, position)
    start = len(text) if markup is None else markup.start()
    if start > position:
        return Text(text[position:start], position, start, start)
    if foreign and text.startswith(_CDATA, position):
        start = position + len(_CDATA)
        stop, behind = units.find("]]>", start)
        return Text(text[start:stop], start, stop, behind, True)
    found = TAG(text, position)
    if found is not None:
        attributes, self_closing = read_attributes(text, found.end(1), name_of)
        is_end = text[position + 1] == "/"
        return Tag(name_of(found[1]), is_end, attributes, self_closing, position, found.end())
    # a comment, bogus comment or doctype; or a tag that does not end
    return declaration_end(text, position) if is_declaration(text, position) else len(text)


def read_attributes(text: str, position: int, name_of: Callable[[str], str]) -> tuple[list[Attribute], bool]:
    """The attributes of a whole tag whose name ends at `position`, the first of each name; whether it closes itself."""
    attributes: dict[str, Attribute] = {}
    while True:
        found = ATTRIBUTE(text, position)
        assert found is not None  # the whole tag has matched before
        group = found.lastindex
        assert group is not None
        if group == 5:
            return list(attributes.values()), found[5].endswith("/>")
        position = found.end()
        name = name_of(found[1])
        if name not in attributes:
            start, end = (position, position) if group == 1 else found.span(group)
            attributes[name] = Attribute(name, text[start:end], start, end)
