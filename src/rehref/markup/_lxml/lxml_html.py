"""The `lxml` core for HTML: libxml2's fast tree, from libxml2 2.14 on, the first with the Standard's tokenizer.

It repairs markup otherwise than the Standard: nothing moves out of a table, not even a `base`; a misnested element is
not split; attributes of a second `html` or `body` tag are lost. Foreign content is read as HTML: CDATA is a comment,
and an element stays open after a tag that breaks out. A document without elements is empty, names end at their 100th
character, and lines from 65,535 are not known. Linear except in the number of attributes on one element.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from lxml import etree

from rehref.markup._lxml.nodes import NOT_WRITTEN, document_nodes, line_of, take_doctype, writable
from rehref.markup._source.names_of_html import (
    BREAKOUT,
    HTML_INTEGRATION_POINTS,
    MATHML_TEXT_INTEGRATION_POINTS,
    NAMESPACES,
    attribute_name,
    element_name,
)
from rehref.markup._tree import Node, TreeParsed, document_text, gather, tree_as_html
from rehref.markup.places import (
    HTML,
    IN_BODY,
    IN_TEMPLATE,
    MATHML,
    Parsed,
    Place,
    Wanted,
    XmlDocument,
    XmlWanted,
)
from rehref.text import lower
from rehref.text.encoding import Source

if etree.LIBXML_VERSION < (2, 14):
    raise ImportError(
        f"libxml2 {'.'.join(map(str, etree.LIBXML_VERSION))} is too old, it must be 2.14 (lxml 6) or later"
    )

_HOLDS_HTML = HTML_INTEGRATION_POINTS | MATHML_TEXT_INTEGRATION_POINTS
_BEGINS = {**NAMESPACES, "mglyph": MATHML}  # the last one is in an integration point of MathML
_SPECIAL = frozenset({etree.Comment, "base", "image", "meta", "noscript", "template", *_BEGINS})
"""The nodes of HTML that are not just elements of that name without flags, or whose content is not."""
_ABSENT = 1 << 8  # a flag for content that does not exist


class LxmlCore(NamedTuple):
    """See `rehref.markup.parsed.Core`."""

    name: str = "lxml"
    summary: str = "libxml2's fast tree: writes the whole document anew; knows lines only"

    def parse(self, source: Source, wanted: Wanted) -> Parsed:
        """Read the source into a tree; where libxml2 gives up (at 2048 nested elements), by the `html5lib` core."""
        parser = etree.HTMLParser(
            encoding="utf-8",
            huge_tree=True,
            no_network=True,
            collect_ids=False,
            default_doctype=False,  # type: ignore[call-arg]  # the stubs do not know it
        )
        try:
            root: etree._Element | None = etree.fromstring(_data(source), parser)
            complete = not len(parser.error_log.filter_from_fatals())
        except etree.LxmlError:
            complete = False  # no known markup leads here; in any case, the other parser may succeed
        if not complete:
            from rehref.markup._html5lib import CORE as CONFORMANT

            return CONFORMANT.parse(source, wanted)
        top = () if root is None else document_nodes(root)
        doctype = "" if root is None else take_doctype(root)

        def serialize() -> str:
            return doctype + tree_as_html("".join(etree.tostring(node, encoding="unicode") for node in top))

        found, elements = gather(_nodes(top, wanted), wanted, lambda node: node.text or "")
        places = [
            place if place.namespace == HTML and place.value.isprintable() else _adjusted(place) for place in found
        ]
        return TreeParsed(source, places, elements, _set_place, serialize, line_of)

    def parse_xml(self, source: Source, wanted: XmlWanted) -> XmlDocument:
        """Read XML; see `rehref.markup.parsed`."""
        from rehref.markup._lxml.lxml_xml import read_xml_lxml

        return read_xml_lxml(source, wanted)


CORE = LxmlCore()


def _data(source: Source) -> bytes:
    """The bytes for libxml2 to read: UTF-8, what lxml cannot write as U+FFFD, a form feed as a space."""
    text = document_text(source).replace("\0", "\ufffd").replace("\f", " ")
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def _nodes(top: Sequence[Any], wanted: Wanted) -> Iterator[Node[Any]]:
    """The elements that may have places, and conditional comments, in tree order.

    libxml2 knows no namespaces in HTML: the ancestors of an element determine its own, `svg`, `math`, their integration
    points, and the start tags that break out of them (HTML Standard §13.2.6.5).
    """
    names = wanted.anywhere.union(*wanted.on.values())
    plain = (HTML, 0)
    inside: dict[Any, tuple[str, int]] = {}  # for elements with other content: its namespace and flags
    behind = None  # where the outermost of these have ended
    for node in chain.from_iterable(start.iter() for start in top):
        tag = node.tag
        if inside and node is behind:
            inside.clear()
        if not inside and tag not in _SPECIAL:
            if tag in wanted.texts or not names.isdisjoint(node.keys()):
                yield node, tag, HTML, 0, node.items()
            continue
        namespace, flags = inside.get(node.getparent(), plain)
        if not isinstance(tag, str):
            if (node.text or "").startswith("[if") and not flags & _ABSENT:
                yield node, "#comment", HTML, flags, ()
            continue
        if namespace == HTML or tag in BREAKOUT:
            namespace = _BEGINS.get(tag, HTML)
        name = element_name(namespace, tag)
        if flags & _ABSENT == 0:
            is_of_head = name in ("base", "meta") and (namespace, flags) == (HTML, 0)
            in_body = is_of_head and node.xpath("ancestor::body")
            yield node, name, namespace, IN_BODY if in_body else flags, node.items()
        if namespace == HTML:
            flags |= IN_TEMPLATE if name == "template" else _ABSENT if wanted.scripting and name == "noscript" else 0
        content = (HTML if (namespace, name) in _HOLDS_HTML else namespace, flags)
        if content != plain:
            behind = behind if inside else _first_after_end(node)
            inside[node] = content


def _first_after_end(node: Any) -> Any:
    """Return the first node that is neither in an element nor before its end; None if there is none."""
    while node is not None and node.getnext() is None:
        node = node.getparent()
    return None if node is None else node.getnext()


def _adjusted(place: Place) -> Place:
    """Adjust the name of an attribute in foreign content, and replace what lxml cannot write."""
    value, name = NOT_WRITTEN.sub("\ufffd", place.value), place.attribute
    return place._replace(value=value, attribute=None if name is None else attribute_name(place.namespace, name))


def _set_place(node: Any, place: Place, value: str | None) -> None:
    """Give a place a value (see `TreeParsed.put`)."""
    name = place.attribute
    if name is None:
        node.text = writable(value or "")
        return
    name = name if place.namespace == HTML else lower(name)
    if value is None:
        del node.attrib[name]
    elif not name.startswith("{"):  # to lxml that is a namespace
        node.set(name, writable(value))
