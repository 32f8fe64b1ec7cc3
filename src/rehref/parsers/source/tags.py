"""Tags as the HTML Standard's tokenizer reads them ("tag name state" to "self-closing start tag state").

1. "/" separates attributes like white space; "=" may begin a name; a quoted value may contain anything except its
   quote.
2. A tag that the end of the source cuts off is not a tag.
3. Everything takes linear time: no repetition gives back what it has matched.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rehref.text.ascii import WHITE_SPACE

_SPACE = rf"[{WHITE_SPACE}]"
_BEFORE = rf"[{WHITE_SPACE}/]*+"
NAME = rf"[A-Za-z][^{WHITE_SPACE}/>]*+"
"""The pattern of a tag's name."""
NAME_END = rf"(?=[{WHITE_SPACE}/>])"
"""The pattern of what follows a whole name."""

TAG_NAME = re.compile(NAME).match
"""Matches the name of a tag, after its "<" or "</"."""

ATTRIBUTE_PATTERN = (
    # "before attribute name state", "attribute name state"
    rf"{_BEFORE}([^{WHITE_SPACE}/>][^{WHITE_SPACE}/>=]*+)"
    # "after attribute name state", "before attribute value state"; the value; or there is no "="
    rf"""(?:{_SPACE}*+={_SPACE}*+(?:"([^"]*+)"|'([^']*+)'|([^{WHITE_SPACE}>"'][^{WHITE_SPACE}>]*+)|(?=>))|(?!{_SPACE}*+=))"""
)
ATTRIBUTE = re.compile(rf"{ATTRIBUTE_PATTERN}|({_BEFORE}>)").match
"""Matches one attribute. Groups: 1 its name; 2 to 4 its value in double quotes, in single quotes, unquoted; or 5, the
end of the tag. `lastindex` is that of the value, 2 to 4; 1: no value."""

TAG_END = 5


class TagExtent(NamedTuple):
    """A whole tag: its name as written, where that ends, and where the tag ends, after its ">"."""

    name: str
    name_end: int
    end: int


def tag_at(text: str, position: int) -> TagExtent | None:
    """The start or end tag whose "<" is at `position`; None if there is none, or if the source ends in it."""
    found = TAG_NAME(text, position + (2 if text.startswith("</", position) else 1))
    if found is None:
        return None
    end = tag_end(text, found.end())
    return None if end is None else TagExtent(found[0], found.end(), end)


def tag_end(text: str, position: int) -> int | None:
    """Where a tag ends, after its ">", read from its name or an attribute on; None if the source ends in it."""
    while (found := ATTRIBUTE(text, position)) is not None:
        position = found.end()
        if found.lastindex == TAG_END:
            return position
    return None
