"""Foreign content: SVG and MathML inside HTML, read element by element (HTML Standard, "parsing main inforeign").

1. Elements are in the namespace of the one around them; a self-closing tag closes. Nothing is raw text.
2. CDATA sections exist here, and only here.
3. Some start tags (`div`, `img`, `p` …), and the end tags `p` and `br`, break out to HTML.
4. At integration points (`foreignObject`, `desc`, `title`, `mi`, `annotation-xml` of HTML …) the content is HTML again.
5. An end tag closes the innermost element of its name, but none outside of the integration point it stands in, and not
   from HTML into what is around that. One that matches nothing here ends foreign content, if it is of an HTML element
   that may stand around it, and is ignored otherwise (`</path>` after `<path/>`).
6. The text of a wanted element (`style`) is as many places as there are runs of text and CDATA sections directly in it,
   blank ones aside.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from rehref.parsers import charrefs
from rehref.parsers.contract import HTML, IN_TEMPLATE, MATHML
from rehref.parsers.source.ends import TEXT_ONLY, declaration_end, is_declaration
from rehref.parsers.source.names import (
    AROUND_FOREIGN,
    BREAKOUT,
    BREAKOUT_FONT,
    HTML_INTEGRATION_POINTS,
    MATHML_TEXT_INTEGRATION_POINTS,
    NAMESPACES,
    VOID,
    attribute_name,
    element_name,
    lower,
)
from rehref.parsers.source.patterns import ATTRIBUTE, TAG

if TYPE_CHECKING:
    from rehref.parsers.source.scan import Scanner

_CDATA = "<![CDATA["
_MARKUP = re.compile("<[A-Za-z/!?]").match


class _Open(NamedTuple):
    """An open element.

    `html`: it is an HTML integration point, `text`: a MathML text integration point; `tag`: where its start tag stands.
    """

    namespace: str
    name: str
    html: bool = False
    text: bool = False
    tag: int = -1

    @property
    def is_integration_point(self) -> bool:
        return self.html or self.text


class _Attribute(NamedTuple):
    name: str
    raw: str
    start: int
    end: int


class _Stack:
    """The open elements, and at what depths each kind of them stands, so that none has to be searched for."""

    def __init__(self) -> None:
        self.nodes: list[_Open] = []
        self._named: dict[tuple[bool, str], list[int]] = {}
        self._html: list[int] = []
        self._points: list[int] = []

    def push(self, node: _Open) -> None:
        depth = len(self.nodes)
        self.nodes.append(node)
        is_html = node.namespace == HTML
        self._named.setdefault((is_html, lower(node.name)), []).append(depth)
        if is_html:
            self._html.append(depth)
        if node.is_integration_point:
            self._points.append(depth)

    def cut(self, depth: int) -> list[_Open]:
        """Close every element from `depth` on; these."""
        closed = self.nodes[depth:]
        del self.nodes[depth:]
        for node in reversed(closed):
            is_html = node.namespace == HTML
            self._named[is_html, lower(node.name)].pop()
            if is_html:
                self._html.pop()
            if node.is_integration_point:
                self._points.pop()
        return closed

    def foreign(self, name: str) -> int:
        """The depth of the innermost foreign element of that name with no HTML element in it; -1 if there is none."""
        depth = _last(self._named.get((False, name)))
        return depth if depth > _last(self._html) else -1

    def html(self, name: str) -> int:
        """The depth of the innermost HTML element of that name with no integration point in it; -1 if there is none."""
        depth = _last(self._named.get((True, name)))
        return depth if depth > _last(self._points) else -1

    @property
    def has_point(self) -> bool:
        return bool(self._points)

    def broken_out(self) -> int:
        """The depth to cut at, for the current node to be an integration point or an HTML element."""
        return max(_last(self._points), _last(self._html)) + 1


def _last(depths: list[int] | None) -> int:
    return depths[-1] if depths else -1


def scan(scanner: Scanner, root: str, tag: int, position: int) -> int:
    """Read the content of an `svg` or `math` start tag that stands from `tag` to `position`; where HTML goes on."""
    return _Reader(scanner, root, tag).read(position)


class _Reader:
    """Reads one piece of foreign content."""

    def __init__(self, scanner: Scanner, root: str, tag: int) -> None:
        self.scanner = scanner
        self.stack = _Stack()
        self.stack.push(_Open(NAMESPACES[root], root, tag=tag))

    def read(self, position: int) -> int:
        """Read from `position` to where HTML goes on: at a tag it has to read itself, or behind the last one here."""
        scanner, nodes = self.scanner, self.stack.nodes
        text = scanner.text
        begin = position  # of the text before the next markup
        while nodes:
            position = text.find("<", position)
            if position == -1:
                position = len(text)
                self._add_text(begin, position)
                return position
            if not _MARKUP(text, position):
                position += 1
                continue
            self._add_text(begin, position)
            if nodes[-1].namespace != HTML and text.startswith(_CDATA, position):
                position = self._cdata(position + len(_CDATA))
            elif (tag := TAG(text, position)) is not None:
                position = self._end_tag(tag) if text[position + 1] == "/" else self._start_tag(tag)
            elif is_declaration(text, position):
                position = declaration_end(text, position)
            else:
                return len(text)
            begin = position
        return position

    def _cdata(self, start: int) -> int:
        """Pass over a CDATA section whose content begins at `start`."""
        end, behind = self.scanner.units.find("]]>", start)
        self._add_text(start, end, cdata=True)
        return behind

    def _add_text(self, start: int, end: int, *, cdata: bool = False) -> None:
        """Add the place of a run of text, if it stands in an element whose text is wanted (rule 6)."""
        scanner = self.scanner
        node = self.stack.nodes[-1]
        if node.namespace == HTML or node.name not in scanner.wanted.texts:
            return
        raw = scanner.text[start:end]
        if raw.strip("\t\n\f\r "):
            text = scanner.units.decode(raw)
            value = charrefs.normalize(text) if cdata else charrefs.decode_text(text)
            scanner.add_text(node.name, node.namespace, value, start, end, node.tag)

    def _start_tag(self, tag: re.Match[str]) -> int:
        """Take in a start tag; where to go on: at the tag itself, if it breaks out of all foreign content."""
        scanner, stack = self.scanner, self.stack
        name = scanner.name(tag[1])
        attributes, self_closing = self._attributes(tag.end(1))
        if not _as_html(stack.nodes[-1], name) and _breaks_out(name, attributes):
            self._close(stack.broken_out())
            if not stack.nodes:
                return tag.start()
        top = stack.nodes[-1]
        namespace = NAMESPACES.get(name, HTML) if _as_html(top, name) else top.namespace
        element = element_name(namespace, name)
        self._add_places(namespace, element, attributes, tag.start())
        if namespace != HTML:
            if not self_closing:
                stack.push(_opened(scanner, namespace, element, attributes, tag.start()))
        elif element not in VOID:
            stack.push(_Open(HTML, element))
            if name in TEXT_ONLY:
                return scanner.raw_text(name, tag.start(), tag.end())
            if name == "template":
                scanner.templates += 1
        return tag.end()

    def _end_tag(self, tag: re.Match[str]) -> int:
        """Close what an end tag closes (rule 5); where to go on."""
        stack = self.stack
        name = self.scanner.name(tag[1])
        if stack.nodes[-1].namespace != HTML:
            if name in ("p", "br"):
                self._close(stack.broken_out())
                return tag.end()
            depth = stack.foreign(name)
            if depth != -1:
                self._close(depth)
                return tag.end()
        depth = stack.html(name)
        if depth != -1:
            self._close(depth)
        elif self._ends_all(name):
            self._close(0)
            return tag.start()
        return tag.end()

    def _ends_all(self, name: str) -> bool:
        """Whether an end tag that matches nothing here is taken to close an element around foreign content."""
        if name == "template":
            return self.scanner.templates > 0
        if self.stack.has_point:
            # "have an element in table scope": of all end tags, these see past integration points
            return name in _TABLE and self.stack.html("table") == -1
        return name in AROUND_FOREIGN or ("-" in name and not name.startswith(_HYPHENATED))

    def _close(self, depth: int) -> None:
        closed = self.stack.cut(depth)
        self.scanner.templates -= sum(1 for node in closed if node[:2] == (HTML, "template"))

    def _attributes(self, position: int) -> tuple[list[_Attribute], bool]:
        """The attributes of a tag whose name ends at `position`, the first of each name; whether it closes itself."""
        text = self.scanner.text
        attributes: dict[str, _Attribute] = {}
        while True:
            found = ATTRIBUTE(text, position)
            assert found is not None  # the whole tag has matched before
            group = found.lastindex
            assert group is not None
            if group == 5:
                return list(attributes.values()), found[5].endswith("/>")
            position = found.end()
            name = self.scanner.name(found[1])
            if name not in attributes:
                start, end = (position, position) if group == 1 else found.span(group)
                attributes[name] = _Attribute(name, text[start:end], start, end)

    def _add_places(self, namespace: str, element: str, attributes: list[_Attribute], tag: int) -> None:
        scanner = self.scanner
        wanted = scanner.wanted_of(element)
        before = len(scanner.places)
        flags = IN_TEMPLATE if scanner.templates else 0
        for attribute in attributes:
            if attribute.name in wanted:
                name = attribute_name(namespace, attribute.name)
                value = scanner.value(attribute.raw)
                scanner.places.append((element, namespace, name, value, attribute.start, attribute.end, tag, flags))
        if namespace == HTML and element in ("html", "head", "body"):
            scanner.only_one(element, before, tag)


_TABLE = frozenset({"table", "caption", "thead", "tbody", "tfoot", "tr", "td", "th"})
_HYPHENATED = ("annotation-", "color-", "font-", "missing-")  # what the names of SVG and MathML begin with


def _as_html(top: _Open, name: str) -> bool:
    """Whether a start tag is read by the rules for HTML ("tree construction dispatcher")."""
    if top.namespace == HTML or top.html:
        return True
    if top.text:
        return name not in ("mglyph", "malignmark")
    return top[:2] == (MATHML, "annotation-xml") and name == "svg"


def _breaks_out(name: str, attributes: list[_Attribute]) -> bool:
    return name in BREAKOUT or (name == "font" and any(attribute.name in BREAKOUT_FONT for attribute in attributes))


def _opened(scanner: Scanner, namespace: str, element: str, attributes: list[_Attribute], tag: int) -> _Open:
    """The open element a start tag makes."""
    html = (namespace, element) in HTML_INTEGRATION_POINTS
    if (namespace, element) == (MATHML, "annotation-xml"):
        html = any(
            attribute.name == "encoding"
            and lower(scanner.value(attribute.raw)) in ("text/html", "application/xhtml+xml")
            for attribute in attributes
        )
    return _Open(namespace, element, html, (namespace, element) in MATHML_TEXT_INTEGRATION_POINTS, tag)
