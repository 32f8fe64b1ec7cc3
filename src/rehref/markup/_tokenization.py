"""Markup as the HTML Standard's tokenizer reads it: tags, and where text without markup ends.

"/" separates attributes like white space; "=" may begin a name; a quoted value may contain anything except its quote. A
tag that the end of the source cuts off is not a tag; what else does not end, ends there. Everything takes linear time:
no repetition gives back what it has matched.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from rehref.text import WHITE_SPACE

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

_COMMENT_END = re.compile(r"--!?+>").search
_SCRIPT = re.compile(rf"<!--|-->|<(/?+)[sS][cC][rR][iI][pP][tT]{NAME_END}").search
_DECLARATION = re.compile(r"<(?:[!?]|/(?![A-Za-z]))").match
_BEGINS_TAG = re.compile(r"</?[A-Za-z]").match
_ENDS_ANY = "-->"


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


def is_declaration(text: str, position: int) -> bool:
    """Whether a comment, bogus comment or doctype begins there ("tag open state", "end tag open state")."""
    return _DECLARATION(text, position) is not None


def declaration_end(text: str, position: int) -> int:
    """Where the comment, bogus comment or doctype that begins there ends.

    A comment ends at `-->` or `--!>`, and at once in `<!-->` and `<!--->`; a bogus comment (`<!x`, `<?`, `</ `) and a
    doctype at the next ">", even in quotes.
    """
    if text.startswith("<!--", position):
        if text.startswith(">", position + 4):
            return position + 5
        if text.startswith("->", position + 4):
            return position + 6
        found = _COMMENT_END(text, position + 4)
        return len(text) if found is None else found.end()
    end = text.find(">", position)
    return len(text) if end == -1 else end + 1


def is_cut_off(text: str, position: int) -> bool:
    """Whether markup begins there that the end of the source cuts off: any text behind that would be part of it."""
    if not is_declaration(text, position):
        return _BEGINS_TAG(text, position) is not None and tag_at(text, position) is None
    length = len(text)
    return declaration_end(text, position) == length < declaration_end(text + _ENDS_ANY, position)


def raw_text_end(text: str, name: str, position: int) -> int:
    """Where the text of the element of that name, which begins there, ends; `plaintext` has no end.

    That is where the "appropriate end tag" begins: `</`, the element's name in any case, and white space, "/" or ">".
    """
    if name == "plaintext":
        return len(text)
    if name == "script":
        return _script_end(text, position)
    found = _end_tag(name)(text, position)
    return len(text) if found is None else found.start()


@cache
def _end_tag(name: str) -> Callable[[str, int], re.Match[str] | None]:
    """Find the "appropriate end tag"."""
    return re.compile(rf"</{re.escape(name)}{NAME_END}", re.IGNORECASE | re.ASCII).search


def _script_end(text: str, position: int) -> int:
    """Where a script's end tag begins ("script data state" and those after it).

    `<!--` begins escaped text, `-->` ends it; `<script` in it begins double escaped text, in which the next `</script`
    ends only that.
    """
    escaped = doubly = False
    while (found := _SCRIPT(text, position)) is not None:
        position = found.end()
        if found[0] == "<!--":
            escaped = True
            position = found.start() + 2  # `<!-->` ends what it begins
        elif found[0] == "-->":
            escaped = doubly = False
        elif found[1] == "/":
            if not doubly:
                return found.start()
            doubly = False
        elif escaped:
            doubly = True
    return len(text)
