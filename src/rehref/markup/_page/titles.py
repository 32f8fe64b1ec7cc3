"""The title of a page: the text of the first `title` of the document (HTML Standard, "the title element").

One in a comment, in raw text, in a `template` or in SVG is not meant; in XML, neither is one of another namespace than
that of the document. White space becomes one space, and only the first characters of a long one are taken.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import Final

from rehref.markup._source.construction.construct import steps
from rehref.markup._source.xml.content import content
from rehref.markup.places import HTML, IN_TEMPLATE, Wanted
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText

_TITLE: Final = Wanted(texts=frozenset({"title"}), scripting=True)
_TITLE_TAG: Final = re.compile("<[tT](?i:itle)", re.ASCII).search
_LONGEST: Final = 2000


def title_of(page: str, *, xml: bool = False) -> str:
    """Return the title of a decoded page, "" if it has none. Raises nothing, and takes linear time."""
    text = _of_xml(page) if xml else _of_html(page)
    return " ".join(text[:_LONGEST].split())


def _of_html(page: str) -> str:
    """Run tree construction up to the first title."""
    if _TITLE_TAG(page) is None:
        return ""
    places = chain.from_iterable(step.places for step in steps(SourceText(Source(page)), _TITLE, texts_of_titles=True))
    return next((each.value for each in places if each.namespace == HTML and not each.flags & IN_TEMPLATE), "")


def _of_xml(page: str) -> str:
    """The text of the first title of XHTML, in no namespace, or in that of the document element."""
    if "title" not in page:
        return ""
    namespaces = {HTML, ""}
    depth = template = title = 0  # how many elements are open; how many in the template, and in the title
    texts: list[str] = []
    for piece in content(SourceText(Source(page))):
        if isinstance(piece, str):
            if title:
                texts.append(piece)
        elif piece is None:
            depth -= 1
            if depth < title:
                break
            template = 0 if depth < template else template
        else:
            namespaces.add(piece[0] if depth == 0 else "")
            depth += 1
            if piece == (HTML, "template"):
                template = template or depth
            elif piece[1] == "title" and piece[0] in namespaces and not template:
                title = title or depth
    return "".join(texts)
