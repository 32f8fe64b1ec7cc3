"""Ordinary foreign content: SVG and MathML whose tags match, read tag by tag.

1. Elements are in the namespace of the one around them; a self-closing tag closes. Nothing is raw text.
2. CDATA sections exist here, and only here.
3. The text of a wanted element (`style`) has one place for each run of text and each CDATA section directly in it,
   except blank ones.
4. Other content needs tree construction: an end tag that does not match, a start tag that breaks out to HTML (`div`,
   `img`, `p` …), markup in an integration point (`foreignObject`, `desc`, `title`, `mi`, `annotation-xml`).
"""

from __future__ import annotations

from rehref.exceptions import RehrefError
from rehref.parsers.contract import MATHML
from rehref.parsers.source.construction.tokens import Text, next_token
from rehref.parsers.source.names import (
    BREAKOUT,
    HTML_INTEGRATION_POINTS,
    MATHML_TEXT_INTEGRATION_POINTS,
    NAMESPACES,
    element_name,
)
from rehref.parsers.source.place_collector import PlaceCollector
from rehref.text.ascii import lower

_INTEGRATION_POINTS = HTML_INTEGRATION_POINTS | MATHML_TEXT_INTEGRATION_POINTS | {(MATHML, "annotation-xml")}


class NotOrdinaryError(RehrefError):
    """The rest depends on more than can be known without tree construction."""


def scan(collector: PlaceCollector, root: str, tag: int, position: int) -> int:
    """Read the content of an `svg` or `math` start tag, which is from `tag` to `position`; return where HTML goes on.

    Raises `NotOrdinaryError` (rule 4).
    """
    units, end = collector.units, len(collector.text)
    namespace = NAMESPACES[root]
    # the open elements: name, and the position of the start tag
    stack = [(root, tag)]
    while stack:
        if position >= end:
            return end
        element, tag = stack[-1]
        token = next_token(units, position, collector.name, foreign=True)
        if isinstance(token, int):
            collector.comment(position, token)
            position = token
            continue
        position = token.end
        if isinstance(token, Text):
            collector.foreign_text(namespace, element, tag, token.start, token.stop, cdata=token.cdata)
            continue
        if token.is_end:
            if lower(element) != token.name:
                raise NotOrdinaryError
            stack.pop()
            continue
        if (namespace, element) in _INTEGRATION_POINTS or token.name in BREAKOUT or token.name == "font":
            raise NotOrdinaryError
        element = element_name(namespace, token.name)
        collector.add_element(namespace, element, token.attributes, token.start)
        if not token.self_closing:
            stack.append((element, token.start))
    return position
