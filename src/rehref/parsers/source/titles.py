"""The title of a page: the text of the first `title` of the document (HTML Standard, "the title element").

One in a comment, in raw text, in a `template` or in SVG is not meant. White space becomes one space, and only
the first characters of a long one are taken.
"""

from __future__ import annotations

import re
from typing import Final

from rehref.parsers.charrefs import decode_text
from rehref.parsers.source.tokenization import declaration_end, is_declaration, raw_text_end, tag_at
from rehref.parsers.source.visible_text import visible_text_of_xml
from rehref.parsers.source.xml.markup import CDATA
from rehref.text import lower

_MARKUP = re.compile("<(?=[A-Za-z/!?])").search
_APART: Final = frozenset({"svg", "math", "template"})
_RAW: Final = frozenset(["script", "style", "textarea", "xmp", "iframe", "noembed", "noframes"])
_LONGEST: Final = 2000
_END_OF_CDATA = "]]>"
_END_TAG = "</"


def title_of(page: str, *, xml: bool = False) -> str:
    """Return the title of a decoded page, "" if it has none. Raises nothing, and takes linear time."""
    position = apart = 0
    while (markup := _MARKUP(page, position)) is not None:
        start = markup.start()
        tag = None if xml and page.startswith(CDATA, start) else tag_at(page, start)
        if tag is None:
            position = _behind(page, start, xml=xml)
            continue
        position = tag.end
        name, is_end, is_empty = lower(tag.name), page[start + 1] == "/", page[position - 2] == "/"
        if name in _APART and not xml:
            apart = max(0, apart - 1) if is_end else apart + (not is_empty or name == "template")
        elif name == "title" and not is_end and not apart:
            return "" if xml and is_empty else _text(page, position, xml=xml)
        elif name in _RAW and not (is_end or xml or apart):
            position = raw_text_end(page, name, position)
    return ""


def _behind(page: str, start: int, *, xml: bool) -> int:
    """Return where markup ends that is not a tag; a tag without an end extends to that of the page."""
    if xml and page.startswith(CDATA, start):
        end = page.find(_END_OF_CDATA, start)
        return len(page) if end < 0 else end + len(_END_OF_CDATA)
    return declaration_end(page, start) if is_declaration(page, start) else len(page)


def _text(page: str, start: int, *, xml: bool) -> str:
    if not xml:
        text = decode_text(page[start : min(raw_text_end(page, "title", start), start + _LONGEST)])
    else:
        end = page.find(_END_TAG, start)
        inside = page[start : start + _LONGEST if end < 0 else min(end, start + _LONGEST)]
        text = (visible_text_of_xml(inside) if CDATA in inside else None) or decode_text(inside)
    return " ".join(text.split())
