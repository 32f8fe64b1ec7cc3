"""Foreign content as it ordinarily is: SVG and MathML whose tags match, read tag by tag.

1. Elements are in the namespace of the one around them; a self-closing tag closes. Nothing is raw text.
2. CDATA sections exist here, and only here.
3. The text of a wanted element (`style`) is as many places as there are runs of text and CDATA sections directly in
   it, blank ones aside.
4. An icon that is but one `use` is read at once.
5. What is not ordinary needs tree construction: an end tag that does not match, a start tag that breaks out to HTML
   (`div`, `img`, `p` …), markup in an integration point (`foreignObject`, `desc`, `title`, `mi`, `annotation-xml`).
"""

from __future__ import annotations

from collections.abc import Sequence

from rehref.parsers.contract import MATHML, SVG
from rehref.parsers.source.construction.tokens import Attribute, Text, next_token
from rehref.parsers.source.names import (
    BREAKOUT,
    HTML_INTEGRATION_POINTS,
    MATHML_TEXT_INTEGRATION_POINTS,
    NAMESPACES,
    element_name,
    lower,
)
from rehref.parsers.source.patterns import ICON, patterns_for
from rehref.parsers.source.reading import Reading

_INTEGRATION_POINTS = HTML_INTEGRATION_POINTS | MATHML_TEXT_INTEGRATION_POINTS | {(MATHML, "annotation-xml")}


class NotOrdinaryError(Exception):
    """What follows depends on more than can be known without tree construction."""


def scan(reading: Reading, root: str, tag: int, position: int) -> int:
    """Read the content of an `svg` or `math` start tag that stands from `tag` to `position`; where HTML goes on.

    Raises `NotOrdinaryError` (rule 5).
    """
    units, end = reading.units, len(reading.text)
    namespace = NAMESPACES[root]
    if root == "svg" and (icon := ICON(reading.text, position)) is not None:
        reading.add_element(SVG, "use", [Attribute(icon[1], icon[2], *icon.span(2))], icon.start(1) - 5)
        return icon.end()
    # the open elements: name, and where the start tag stands
    stack = [(root, tag)]
    pass_over, texts = patterns_for(reading.wanted).foreign, reading.wanted.texts
    while stack:
        if position >= end:
            return end
        element, tag = stack[-1]
        if element not in texts and (idle := pass_over(reading.text, position)) is not None:
            position, start = idle.end(), idle.start(2) - 1
            name, is_end, closes = reading.name(idle[2]), idle[1] == "/", idle[3].endswith("/>")
            attributes: Sequence[Attribute] = ()
        else:
            token = next_token(units, position, reading.name, foreign=True)
            if isinstance(token, int):
                reading.comment(position, token)
                position = token
                continue
            position = token.end
            if isinstance(token, Text):
                reading.foreign_text(namespace, element, tag, token.start, token.stop, cdata=token.cdata)
                continue
            name, is_end, closes = token.name, token.is_end, token.self_closing
            start, attributes = token.start, token.attributes
        if is_end:
            if lower(element) != name:
                raise NotOrdinaryError
            stack.pop()
            continue
        if (namespace, element) in _INTEGRATION_POINTS or name in BREAKOUT or name == "font":
            raise NotOrdinaryError
        element = element_name(namespace, name)
        if attributes:
            reading.add_element(namespace, element, attributes, start)
        if not closes:
            stack.append((element, start))
    return position
