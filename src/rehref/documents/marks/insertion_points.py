"""Where something can be put into a page: in HTML behind the doctype, in XHTML in the head, or where the body ends."""

from __future__ import annotations

from typing import NamedTuple

from rehref.documents.marks.beginnings import first_tag
from rehref.parsers.source.construction.tokens import Tag, Text, next_token
from rehref.parsers.source.tokenization import is_cut_off
from rehref.parsers.source.xml.markup import ATTRIBUTE, ATTRIBUTE_END, START_NAME
from rehref.text import WHITE_SPACE, lower
from rehref.text.source_text import SourceText

_LONGEST_END = 200


def behind_doctype(units: SourceText) -> int:
    """Where the first tag or text of HTML is: behind the doctype, comments, what is left out, and white space.

    Markup that the end of the page cuts off counts as a tag: browsers drop it, but what is put behind it completes it.
    """
    text, position = units.text, units.bom
    while position < len(text) and not is_cut_off(text, position):
        token = next_token(units, position, str, foreign=False)
        if not isinstance(token, int) and not (isinstance(token, Text) and not token.raw.strip(WHITE_SPACE)):
            break
        position = token if isinstance(token, int) else token.end
    return position


def before_last_end_tags(units: SourceText) -> int | None:
    """Where the end tag of `body` is, if only white space and that of `html` are behind it; else None."""
    text = units.text
    start = position = lower(text).rfind("</body", max(len(text) - _LONGEST_END, 0))
    names = ["html", "body"]
    while 0 <= position < len(text):
        token = next_token(units, position, lower, foreign=False)
        if isinstance(token, Tag) and token.is_end and names[-1:] == [token.name]:
            names.pop()
        elif not isinstance(token, Text) or token.raw.strip(WHITE_SPACE):
            return None
        position = token.end
    return start if "body" not in names else None


class HeadTag(NamedTuple):
    """The start tag of a head: where it ends, its name, and whether it is that of an empty element."""

    end: int
    name: str
    is_empty: bool


def head_of_xhtml(units: SourceText) -> HeadTag | None:
    """The start tag of the first child of `html`, if that is a `head`; None also if it is not well-formed."""
    html = _first_tag(units, units.bom)
    head = None if html is None or html.is_empty or _local(html.name) != "html" else _first_tag(units, html.end)
    return None if head is None or _local(head.name) != "head" else head


def _first_tag(units: SourceText, position: int) -> HeadTag | None:
    """The first start tag from a position on, with only comments, instructions and the doctype before it."""
    start = first_tag(units, position)
    return None if start is None else _start_tag(units.text, start)


def _start_tag(text: str, start: int) -> HeadTag | None:
    name = START_NAME(text, start + 1)
    position = 0 if name is None else name.end()
    while name is not None and (found := ATTRIBUTE(text, position)) is not None:
        position = found.end()
        if found.lastindex == ATTRIBUTE_END:
            return HeadTag(position, name[0], found[ATTRIBUTE_END] != "")
    return None


def _local(name: str) -> str:
    return name.rpartition(":")[2]
