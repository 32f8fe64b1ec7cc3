"""Ordinary foreign content: SVG and MathML whose end tags are of open elements in it, read tag by tag.

Elements are in the namespace of the one around them; a self-closing tag closes; nothing is raw text. CDATA sections
exist here, and only here.
"""

from __future__ import annotations

from rehref.exceptions import RehrefError
from rehref.markup._source.construction.tokens import Text, next_token
from rehref.markup._source.names_of_html import BREAKOUT, INTEGRATION_POINTS, NAMESPACES, element_name
from rehref.markup._source.place_collector import PlaceCollector
from rehref.text import lower


class NotOrdinaryError(RehrefError):
    """The rest depends on more than can be known without tree construction.

    That is, an end tag of an element that is not open in foreign content, a start tag that breaks out to HTML (`div`,
    `img`, `p` …), markup in an integration point (`foreignObject`, `desc`, `title`, `mi`, `annotation-xml`); and see
    `scan`.
    """


def scan(collector: PlaceCollector, root: str, tag: int, position: int) -> int:
    """Read the content of an `svg` or `math` start tag, which is from `tag` to `position`; return where HTML goes on.

    The text of a wanted element (`style`) has one place for each run of text and each CDATA section directly in it,
    except blank ones. Raises `NotOrdinaryError`.
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
            _close(stack, token.name)
            continue
        if (namespace, element) in INTEGRATION_POINTS or token.name in BREAKOUT or token.name == "font":
            raise NotOrdinaryError
        element = element_name(namespace, token.name)
        collector.add_element(namespace, element, token.attributes, token.start)
        if not token.self_closing:
            stack.append((element, token.start))
    return position


def _close(stack: list[tuple[str, int]], name: str) -> None:
    """Close the innermost element of this name, and all inside it ("any other end tag"). Raises `NotOrdinaryError`."""
    for at in reversed(range(len(stack))):
        if lower(stack[at][0]) == name:
            del stack[at:]
            return
    raise NotOrdinaryError
