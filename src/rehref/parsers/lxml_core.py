"""The `lxml` core: libxml2's fast tree.

1. The text is decoded here, not by libxml2, so every core reads the same characters. NUL and lone surrogates,
   which libxml2 cannot hold, are read as U+FFFD everywhere.
2. libxml2 knows no namespaces in HTML: they are worked out from the names of an element's ancestors, by the
   Standard's rules for `svg`, `math`, their integration points and the start tags that break out of them.
3. Where libxml2 gives up (it stops at 2048 nested elements), the `html5lib` core stands in, since half a
   document would be worse than a slow one.
4. Written anew, a document keeps its document type, its encoding and the escapes of its URIs.
5. libxml2 2.14 or later is needed, the first with the Standard's tokenizer. Importing this module with an older one
   is an `ImportError`.

libxml2 differs from the HTML Standard where that repairs markup: nothing moves out of a table, a misnested
element is not split in two, and attributes of a second `html` or `body` tag, or of one that comes late, are lost.
It reads foreign content as HTML: CDATA sections are comments, the text of `style`, `script` and `title` is no
markup, and an element that is broken out of stays open. A document without any element (only comments, say) is
empty. The line of an element is that of its start tag's end; lines from 65,535 are not known. Its work is linear but
for the number of attributes on one element, and it remembers each of a document's errors until the end.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lxml import etree

from rehref.parsers.contract import HTML, IN_TEMPLATE, MATHML, SVG, Parsed, Source, Wanted
from rehref.parsers.serialize import Dialect, doctype, serialize
from rehref.parsers.source.names import (
    BREAKOUT,
    BREAKOUT_FONT,
    HTML_INTEGRATION_POINTS,
    MATHML_TEXT_INTEGRATION_POINTS,
    NAMESPACES,
    attribute_name,
    element_name,
)
from rehref.parsers.tree import NewValues, TreeParsed, document_text, gather, restore

if etree.LIBXML_VERSION < (2, 14):
    raise ImportError(
        f"libxml2 {'.'.join(map(str, etree.LIBXML_VERSION))} is too old, it must be 2.14 (lxml 6) or later"
    )

_LAST_LINE = 65535
_UNHOLDABLE = re.compile("[\0\ud800-\udfff]")

# Kinds of content that are no namespace of their own: what their children are depends on their names.
_MATHML_TEXT = "MathML text integration point"
_ANNOTATION = "MathML annotation-xml"


@dataclass(frozen=True, slots=True)
class LxmlCore:
    """See `rehref.parsers.contract.Core`."""

    name: str = "lxml"
    summary: str = "libxml2's fast tree: writes the whole document anew; knows lines only"

    def parse(self, source: Source, wanted: Wanted) -> Parsed:
        """Read the source into a tree."""
        tree = _read(document_text(source))
        if tree is None:
            from rehref.parsers.html5lib_core import CORE as CONFORMANT

            return CONFORMANT.parse(source, wanted)
        root = tree.getroot()
        if root is None:
            return TreeParsed(source, (), (), lambda _: source.data)
        found = gather(_nodes(root), wanted, _attributes, _text, _line)

        def write(values: NewValues) -> bytes | str:
            changes: dict[etree._Element, dict[str | None, str | None]] = {}
            for number, value in values.items():
                _, _, attribute, _, _, _, tag, _ = found.places[number]
                key = None if attribute is None else attribute.lower()
                changes.setdefault(found.elements[tag], {})[key] = value
            return restore(source, serialize(_top(root), _DIALECT, changes))

        return TreeParsed(source, found.places, found.lines, write)


CORE = LxmlCore()


def _read(text: str) -> etree._ElementTree | None:
    """Parse text; None where libxml2 has given up before the end. The tree may have no root."""
    parser = etree.HTMLParser(
        encoding="utf-8",
        huge_tree=True,
        no_network=True,
        default_doctype=False,  # type: ignore[call-arg]  # the stubs do not know it
    )
    data = _UNHOLDABLE.sub("\ufffd", text).encode()
    try:
        tree = etree.parse(io.BytesIO(data), parser)
    except etree.LxmlError:
        # No markup is known to lead here; whatever it is, the other parser may cope.
        return None
    return None if len(parser.error_log.filter_from_fatals()) else tree


def _nodes(root: etree._Element) -> Iterator[tuple[etree._Element, str, str, int]]:
    """Give all elements in tree order, each with its name, namespace and flags."""
    # A link behind `</html>` and a comment is an element beside the root.
    top = [root, *root.itersiblings()]
    if all(next(node.iter("svg", "math", "template"), None) is None for node in top):
        for node in top:
            for element in node.iter(etree.Element):
                yield element, element_name(HTML, str(element.tag)), HTML, 0
        return
    stack = [(iter(top), HTML, 0)]
    while stack:
        children, content, flags = stack[-1]
        for element in children:
            tag = element.tag
            if not isinstance(tag, str):
                continue
            namespace = _namespace(tag, content, element)
            name = element_name(namespace, tag)
            yield element, name, namespace, flags
            inner_flags = flags | IN_TEMPLATE if namespace == HTML and name == "template" else flags
            stack.append((iter(element), _content(name, namespace, element), inner_flags))
            break
        else:
            stack.pop()


def _namespace(tag: str, content: str, element: etree._Element) -> str:
    """Give the namespace of an element from its tag and the kind of content it stands in (§13.2.6.5)."""
    if content == HTML:
        return NAMESPACES.get(tag, HTML)
    if content == _MATHML_TEXT:
        return MATHML if tag in ("mglyph", "malignmark") else NAMESPACES.get(tag, HTML)
    if content == _ANNOTATION and tag == "svg":
        return SVG
    if tag in BREAKOUT or (tag == "font" and not BREAKOUT_FONT.isdisjoint(element.keys())):
        return HTML
    return SVG if content == SVG else MATHML


def _content(name: str, namespace: str, element: etree._Element) -> str:
    """Give the kind of content an element has."""
    if (namespace, name) in HTML_INTEGRATION_POINTS:
        return HTML
    if (namespace, name) in MATHML_TEXT_INTEGRATION_POINTS:
        return _MATHML_TEXT
    if namespace == MATHML and name == "annotation-xml":
        encoding = element.get("encoding", "").lower()
        return HTML if encoding in ("text/html", "application/xhtml+xml") else _ANNOTATION
    return namespace


def _attributes(element: etree._Element) -> list[tuple[str, str]]:
    # libxml2 has not adjusted any name; of those adjusted in MathML one carries a reference.
    return [
        (attribute_name(MATHML, str(name)) if name == "definitionurl" else str(name), str(value))
        for name, value in element.items()
    ]


def _text(element: etree._Element) -> str:
    return "".join((element.text or "", *(child.tail or "" for child in element)))


def _line(element: etree._Element) -> int | None:
    line: Any = element.sourceline
    return int(line) if line is not None and line < _LAST_LINE else None


def _top(root: etree._Element) -> Iterator[etree._Element | str]:
    """Give what a document consists of: document type, comments around the root, and the root."""
    dtd: Any = root.getroottree().docinfo.internalDTD
    if dtd is not None:
        yield doctype(dtd.name or "", dtd.external_id, dtd.system_url)
    yield from reversed(list(root.itersiblings(preceding=True)))
    yield root
    yield from root.itersiblings()


def _special(node: Any) -> str:
    """Write a node that is no element."""
    if node.tag is etree.Comment:
        return f"<!--{node.text or ''}-->"
    if node.tag is etree.PI:
        return f"<?{node.target} {node.text or ''}>"
    return str(node.text)  # an entity reference


_DIALECT = Dialect(
    # libxml2 has read everything by the rules of HTML, so by them it is written.
    element=lambda tag: (tag, True),
    attribute=lambda name: name,
    special=_special,
    drops_newline=False,
)
