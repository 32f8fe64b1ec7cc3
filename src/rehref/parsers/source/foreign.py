"""Foreign content: SVG and MathML inside HTML, read element by element (HTML Standard, "parsing main inforeign").

1. Elements are in the namespace of the one around them; a self-closing tag closes. Nothing is raw text.
2. CDATA sections exist here, and only here.
3. Some start tags (`div`, `img`, `p` …), and the end tags `p` and `br`, break out to HTML.
4. At integration points (`foreignObject`, `desc`, `title`, `mi`, `annotation-xml` of HTML …) the content is HTML again.
5. An end tag that nothing here matches closes what stands around: foreign content ends there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rehref.parsers.contract import HTML, IN_TEMPLATE, MATHML
from rehref.parsers.source.names import (
    BREAKOUT,
    BREAKOUT_FONT,
    HTML_INTEGRATION_POINTS,
    MATHML_TEXT_INTEGRATION_POINTS,
    NAMESPACES,
    VOID,
    attribute_name,
    element_name,
)
from rehref.parsers.source.patterns import ATTRIBUTE, RAW_TEXT, RCDATA, TAG

if TYPE_CHECKING:
    import re

    from rehref.parsers.source.scan import Scanner


class _Open(NamedTuple):
    """An element on the stack; `html`: it is an HTML integration point, `text`: a MathML text integration point."""

    namespace: str
    name: str
    html: bool = False
    text: bool = False


class _Attribute(NamedTuple):
    name: str
    raw: str
    start: int
    end: int


def scan(scanner: Scanner, root: str, position: int) -> int:
    """Read the content of an `svg` or `math` start tag that ends at `position`; where HTML goes on."""
    text = scanner.text
    stack = [_Open(NAMESPACES[root], root)]
    while stack:
        position = text.find("<", position)
        if position == -1:
            return len(text)
        second = text[position + 1 : position + 2]
        if second == "!" and text.startswith("<![CDATA[", position) and stack[-1].namespace != HTML:
            end = text.find("]]>", position + 9)
            position = len(text) if end == -1 else end + 3
        elif second in ("!", "?"):
            position = scanner.declaration(position)
        elif second == "/":
            if not _is_letter(text[position + 2 : position + 3]):
                position = scanner.declaration(position)
                continue
            tag = TAG(text, position)
            if tag is None:
                return len(text)
            position = tag.end()
            _end_tag(stack, tag[1].lower())
        elif _is_letter(second):
            tag = TAG(text, position)
            if tag is None:
                return len(text)
            after = _start_tag(scanner, stack, tag)
            if after == -1:
                return position  # broken out: the tag is read again, as HTML
            position = after
        else:
            position += 1
    return position


def _is_letter(char: str) -> bool:
    return char.isascii() and char.isalpha()


def _start_tag(scanner: Scanner, stack: list[_Open], tag: re.Match[str]) -> int:
    """Take in a start tag; where to go on, or -1 if it breaks out of all foreign content."""
    name = tag[1].lower()
    attributes, self_closing = _attributes(scanner.text, tag.end(1))
    if not _as_html(stack[-1], name) and _breaks_out(name, attributes):
        _break_out(stack)
        if not stack:
            return -1
    top = stack[-1]
    as_html = _as_html(top, name)
    namespace = NAMESPACES.get(name, HTML) if as_html else top.namespace
    element = element_name(namespace, name)
    _yield_places(scanner, namespace, element, attributes, tag.start(), stack)
    if namespace != HTML:
        if not self_closing:
            stack.append(_opened(scanner, namespace, element, attributes))
    elif name in RAW_TEXT or name in RCDATA or name in ("script", "plaintext"):
        return scanner.raw_text(name, tag.start(), tag.end())
    elif name not in VOID:
        stack.append(_Open(HTML, name))
    return tag.end()


def _as_html(top: _Open, name: str) -> bool:
    """Whether a start tag is read by the rules for HTML ("tree construction dispatcher")."""
    if top.namespace == HTML or top.html:
        return True
    if top.text:
        return name not in ("mglyph", "malignmark")
    return top == _Open(MATHML, "annotation-xml") and name == "svg"


def _breaks_out(name: str, attributes: list[_Attribute]) -> bool:
    return name in BREAKOUT or (
        name == "font" and any(attribute.name in BREAKOUT_FONT for attribute in attributes)
    )


def _break_out(stack: list[_Open]) -> None:
    """Pop until the current node is an integration point or an HTML element."""
    while stack and not (stack[-1].html or stack[-1].text or stack[-1].namespace == HTML):
        stack.pop()


def _opened(scanner: Scanner, namespace: str, element: str, attributes: list[_Attribute]) -> _Open:
    html = (namespace, element) in HTML_INTEGRATION_POINTS
    if (namespace, element) == (MATHML, "annotation-xml"):
        html = any(
            attribute.name == "encoding"
            and scanner.value(attribute.raw).lower() in ("text/html", "application/xhtml+xml")
            for attribute in attributes
        )
    return _Open(namespace, element, html, (namespace, element) in MATHML_TEXT_INTEGRATION_POINTS)


def _end_tag(stack: list[_Open], name: str) -> None:
    """Close what an end tag closes; the stack is empty where that lies outside of foreign content."""
    if stack[-1].namespace != HTML and name in ("p", "br"):
        _break_out(stack)
        return
    depth = len(stack)
    in_html = stack[-1].namespace == HTML
    while depth:
        depth -= 1
        node = stack[depth]
        if in_html and node.namespace != HTML:
            return  # what HTML is inside of is not closed from there
        in_html = in_html or node.namespace == HTML
        if node.name.lower() == name:
            del stack[depth:]
            return
    stack.clear()


def _attributes(text: str, position: int) -> tuple[list[_Attribute], bool]:
    """The attributes of a tag whose name ends at `position`, the first of each name; whether it closes itself."""
    attributes: list[_Attribute] = []
    names = set()
    while True:
        found = ATTRIBUTE(text, position)
        assert found is not None  # the whole tag has matched before
        group = found.lastindex
        assert group is not None
        if group == 5:
            return attributes, found[5].endswith("/>")
        name = found[1].lower()
        if name not in names:
            names.add(name)
            if group == 1:
                attributes.append(_Attribute(name, "", found.end(), found.end()))
            else:
                attributes.append(_Attribute(name, found[group], *found.span(group)))
        position = found.end()


def _yield_places(
    scanner: Scanner, namespace: str, element: str, attributes: list[_Attribute], tag: int, stack: list[_Open]
) -> None:
    wanted, anywhere = scanner.wanted.on.get(element.lower(), frozenset()), scanner.wanted.anywhere
    in_template = scanner.templates or any(node.name == "template" and node.namespace == HTML for node in stack)
    for attribute in attributes:
        if attribute.name in wanted or attribute.name in anywhere:
            name = attribute_name(namespace, attribute.name)
            value = scanner.value(attribute.raw)
            flags = IN_TEMPLATE if in_template else 0
            scanner.places.append((element, namespace, name, value, attribute.start, attribute.end, tag, flags))

