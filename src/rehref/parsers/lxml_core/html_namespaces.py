"""The namespace of an element of an XML form, and the flags of its places, by its ancestors.

1. libxml2 knows no namespaces in HTML: they are derived from the names of an element's ancestors, by the Standard's
   rules for `svg`, `math`, their integration points and the start tags that break out of them (§13.2.6.5).
2. The content of an HTML `template` is flagged; the content of a `noscript` does not exist, if scripts run.
3. An element that is in none of these is in HTML, and has no flags: its ancestors need not be examined.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from rehref.parsers.contract import HTML, IN_TEMPLATE, MATHML, SVG
from rehref.parsers.lxml_core.html_as_xml import ATTRIBUTE, TOKEN
from rehref.parsers.source.construction.stack import Node, Open
from rehref.parsers.source.names import (
    BREAKOUT,
    BREAKOUT_FONT,
    HTML_INTEGRATION_POINTS,
    MATHML_TEXT_INTEGRATION_POINTS,
    NAMESPACES,
    element_name,
)
from rehref.text.ascii import lower

_ABSENT = 1 << 8  # a flag for content that does not exist

# Kinds of content that are not namespaces of their own: the namespace of their children depends on the names.
_MATHML_TEXT = "MathML text integration point"
_ANNOTATION = "MathML annotation-xml"


class Surrounded(NamedTuple):
    """An element or comment, with its namespace and flags."""

    token: re.Match[str]
    """Its start tag, or the comment."""
    name: str
    namespace: str
    flags: int


def inside(text: str, start: int, *, scripting: bool) -> tuple[list[Surrounded], int]:
    """Yield an element, whose start tag is at `start`, with all elements and comments in it; return where it ends."""
    found: list[Surrounded] = []
    content, flags = HTML, 0
    around: list[tuple[str, int]] = []
    for token in TOKEN.finditer(text, start):
        _, closing, tag, rest = token.groups()
        if closing:
            content, flags = around.pop()
        else:
            namespace = HTML if tag is None else _namespace(tag, content, rest)
            name = "#comment" if tag is None else element_name(namespace, tag)
            if not flags & _ABSENT:
                found.append(Surrounded(token, name, namespace, flags))
            if tag is not None and not rest.endswith("/"):
                around.append((content, flags))
                content = _content(name, namespace, rest)
                if namespace == HTML and name == "template":
                    flags |= IN_TEMPLATE
                elif namespace == HTML and name == "noscript" and scripting:
                    flags |= _ABSENT
        if not around:
            return found, token.end()
    return found, len(text)


def _namespace(tag: str, content: str, attributes: str) -> str:
    """Return the namespace of an element from its tag and the kind of content that contains it (§13.2.6.5)."""
    if content == HTML:
        return NAMESPACES.get(tag, HTML)
    if content == _MATHML_TEXT:
        return MATHML if tag in ("mglyph", "malignmark") else NAMESPACES.get(tag, HTML)
    if content == _ANNOTATION and tag == "svg":
        return SVG
    if tag in BREAKOUT or (tag == "font" and not BREAKOUT_FONT.isdisjoint(dict(ATTRIBUTE.findall(attributes)))):
        return HTML
    return SVG if content == SVG else MATHML


def _content(name: str, namespace: str, attributes: str) -> str:
    """Return the kind of content an element has."""
    if (namespace, name) in HTML_INTEGRATION_POINTS:
        return HTML
    if (namespace, name) in MATHML_TEXT_INTEGRATION_POINTS:
        return _MATHML_TEXT
    if namespace == MATHML and name == "annotation-xml":
        encoding = lower(dict(ATTRIBUTE.findall(attributes)).get("encoding", ""))
        return HTML if encoding in ("text/html", "application/xhtml+xml") else _ANNOTATION
    return namespace


def in_body(text: str, offsets: Iterable[int]) -> set[int]:
    """Return which of the start tags at these offsets, in ascending order, have a `body` among their ancestors."""
    found: set[int] = set()
    depth = 0
    token = TOKEN.search(text)
    for offset in offsets:
        while token is not None and token.start() < offset:
            _, closing, tag, rest = token.groups()
            if tag == "body" and not rest.endswith("/"):
                depth += -1 if closing else 1
            token = TOKEN.search(text, token.end())
        if depth > 0:
            found.add(offset)
    return found


def before_others(text: str, bases: Iterable[int]) -> set[int]:
    """Return which of the `base` elements at these offsets, in ascending order, the Standard's tree has before others.

    libxml2 moves nothing out of a table, so its elements are opened and closed once more (`Open.takes_over`).
    """
    found: set[int] = set()
    stack = Open()
    tokens = TOKEN.finditer(text)
    for offset in bases:
        for token in tokens:
            _, closing, tag, rest = token.groups()
            if token.start() == offset:
                if stack.takes_over(Node(HTML, tag)):
                    found.add(offset)
                break
            if closing:
                stack.pop()
            elif tag is not None and not rest.endswith("/"):
                stack.push(Node(HTML, tag))
    stack.clear()
    return found
