"""Where something can be put as the first thing of a page: in HTML behind the doctype, in XHTML in the head."""

from __future__ import annotations

from typing import NamedTuple

from rehref.parsers.source.construction.tokens import Text, next_token
from rehref.parsers.source.xml.entities import read_doctype
from rehref.parsers.source.xml.markup import ATTRIBUTE, ATTRIBUTE_END, START_NAME, markup_end
from rehref.text import WHITE_SPACE
from rehref.text.source_text import SourceText


def behind_doctype(units: SourceText) -> int:
    """Where the first tag or text of HTML is: behind the doctype, comments, what is left out, and white space."""
    position = units.bom
    while position < len(units.text):
        token = next_token(units, position, str, foreign=False)
        if not isinstance(token, int) and not (isinstance(token, Text) and not token.raw.strip(WHITE_SPACE)):
            break
        position = token if isinstance(token, int) else token.end
    return position


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
    text = units.text
    while (start := text.find("<", position)) != -1 and not text[position:start].strip(WHITE_SPACE):
        if text.startswith("<!DOCTYPE", start):
            position = read_doctype(text, start, units.decode)[0]
        elif text.startswith(("<!--", "<?"), start):
            position = markup_end(units, start)[1]
        else:
            return _start_tag(text, start)
    return None


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
