"""The title of a page: the text of the first `title` of the document (HTML Standard, "the title element").

One in a comment, in raw text, in a `template` or in SVG is not meant. White space becomes one space, and only
the first characters of a long one are taken.
"""

from __future__ import annotations

import re
from typing import Final

from rehref.parsers.charrefs import decode_text
from rehref.parsers.contract import HTML, IN_TEMPLATE, Wanted
from rehref.parsers.source.construction.run import begin, step
from rehref.parsers.source.place_collector import PlaceCollector
from rehref.parsers.source.texts.text_of_xml import visible_text_of_xml
from rehref.parsers.source.tokenization import declaration_end, is_declaration, tag_at
from rehref.parsers.source.xml.markup import CDATA
from rehref.text import lower
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText

_TITLE: Final = Wanted(texts=frozenset({"title"}), scripting=True)
_TITLE_TAG: Final = re.compile("<[tT](?i:itle)", re.ASCII).search
_LONGEST: Final = 2000
_END_OF_CDATA = "]]>"
_END_TAG = "</"


def title_of(page: str, *, xml: bool = False) -> str:
    """Return the title of a decoded page, "" if it has none. Raises nothing, and takes linear time."""
    text = _of_xml(page) if xml else _of_html(page)
    return " ".join(text[:_LONGEST].split())


def _of_html(page: str) -> str:
    """Run tree construction up to the first title."""
    if _TITLE_TAG(page) is None:
        return ""
    collector = PlaceCollector(SourceText(Source(page)), _TITLE, texts_of_titles=True)
    builder = begin(collector)
    position, looked_at = collector.begin, 0
    while position < len(collector.text):
        position = step(builder, position)
        for place in collector.places[looked_at:]:
            if place.namespace == HTML and not place.flags & IN_TEMPLATE:
                return place.value
        looked_at = len(collector.places)
    return ""


def _of_xml(page: str) -> str:
    """The text of the first element that is called so."""
    position = 0
    while (start := page.find("<", position)) != -1:
        if page.startswith(CDATA, start):
            end = page.find(_END_OF_CDATA, start)
            position = len(page) if end < 0 else end + len(_END_OF_CDATA)
        elif (tag := tag_at(page, start)) is not None:
            position = tag.end
            if lower(tag.name) == "title" and page[start + 1] != "/":
                return "" if page[position - 2] == "/" else _text_of_xml(page, position)
        else:
            position = declaration_end(page, start) if is_declaration(page, start) else start + 1
    return ""


def _text_of_xml(page: str, start: int) -> str:
    end = page.find(_END_TAG, start)
    inside = page[start : start + _LONGEST if end < 0 else min(end, start + _LONGEST)]
    return (visible_text_of_xml(inside) if CDATA in inside else None) or decode_text(inside)
