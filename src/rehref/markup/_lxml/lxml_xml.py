"""The `lxml` core for XML: libxml2's tree. It gets the characters that every core reads, as UTF-8; nothing external is
read.

A document that is written anew keeps its declaration, document type and encoding; it loses the white space in tags and
around the document element, and has characters where the author wrote references to them. An XHTML element that is not
void has an end tag, as HTML needs it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from lxml import etree

from rehref.markup._lxml.nodes import document_nodes, line_of, take_doctype, writable
from rehref.markup._source.names_of_html import VOID
from rehref.markup._source.xml.entities import NONE
from rehref.markup._source.xml.markup import PSEUDO
from rehref.markup._source.xml.reader import read_xml
from rehref.markup._tree import TreeParsed, document_text, put_text, text_in
from rehref.markup.places import HTML, Place, XmlDocument, XmlWanted, qualified
from rehref.text.encoding import Source, spliced

_IN_INSTRUCTION = {'"': "&quot;", "'": "&apos;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
_DECLARATION = re.compile(r"<\?xml[\t\n\r ](?s:.*?)\?>[\t\n\r ]*+").match
# white space, comments and instructions, and a document type with declarations
_DECLARES = re.compile(
    r"(?:[\t\n\r ]|<!--(?s:.*?)-->|<\?(?s:.*?)\?>)*<!DOCTYPE(?:\"[^\"]*+\"|'[^']*+'|[^\"'\[>])*\["
).match


def read_xml_lxml(source: Source, wanted: XmlWanted) -> XmlDocument:
    """Read an XML document into a tree. Never raises on markup. See `rehref.markup.parsed`."""
    text = document_text(source)
    root = None if _DECLARES(text) else _parse(text)
    if root is None:
        return read_xml(source, wanted)
    for element in root.iter(f"{{{HTML}}}*"):
        if len(element) == 0 and not element.text and etree.QName(element).localname not in VOID:
            element.text = ""
    declaration = _DECLARATION(text)
    prolog = (declaration[0] if declaration else "") + take_doctype(root)
    top = document_nodes(root)
    end = "\n" if text.endswith("\n") else ""

    def serialize() -> str:
        return prolog + "\n".join(etree.tostring(node, encoding="unicode", with_tail=False) for node in top) + end

    rows = _find(root, wanted)
    places, nodes = [row.place for row in rows], [row.node for row in rows]
    parsed = TreeParsed(source, places, nodes, _set_place, serialize, line_of, escapes_text=True)
    return XmlDocument(parsed, [row.scope for row in rows], [row.parent for row in rows], _name(root.tag))


def _parse(text: str) -> Any:
    """Parse a document with libxml2; None if it finds an error or exceeds its limits (256 open elements).

    Then, and if the document declares anything itself or has an entity of a DTD, the `source` core reads it: half a
    document, or one without its entities, would be worse.
    """
    # not `collect_ids=False`: libxml2 reads external subsets then
    parser = etree.XMLParser(encoding="utf-8", recover=True, resolve_entities=False, no_network=True, strip_cdata=False)
    try:
        root = etree.fromstring(text.encode(), parser)
    except (etree.LxmlError, UnicodeEncodeError):
        return None
    return None if len(parser.error_log) else root


def _name(tag: Any) -> tuple[str, str]:
    """Namespace and local name, from the name in the tree."""
    uri, _, local = tag.rpartition("}")
    return uri[1:], local


class _Found(NamedTuple):
    """A place, its node, the place of the `xml:base` that applies to it, and its element's parent."""

    place: Place
    node: Any
    scope: int
    parent: tuple[str, str]


def _find(root: Any, wanted: XmlWanted) -> list[_Found]:
    """Find the places of the instructions before the document element, and of all elements."""
    rows: list[_Found] = []
    before = reversed([*root.itersiblings(etree.PI, preceding=True)])
    bases: dict[Any, int] = {None: -1}  # the place of the `xml:base` in force in an element
    for number, node in enumerate(chain(before, root.iter(etree.Element))):
        if node.tag is etree.PI:
            for name, raw, _, _ in _pseudo_attributes(node) if node.target in wanted.instructions else ():
                value = NONE.decode(raw, 0, attribute=True)
                place = Place(f"?{node.target}", "", name, value, start=None, end=None, tag=number, flags=0)
                rows.append(_Found(place, node, -1, ("", "")))
            continue
        (uri, local), around = _name(node.tag), node.getparent()
        parent, outer = ("", "") if around is None else _name(around.tag), bases[around]
        named = [(qualified(*_name(key)), value) for key, value in node.items()]
        found = [(name, value) for name, value in named if name in wanted.attributes or name == "xml:base"]
        own = [at for at, (name, _) in enumerate(found, len(rows)) if name == "xml:base"]
        base = bases[node] = own[0] if own else outer
        for name, value in found:
            place = Place(local, uri, name, value, start=None, end=None, tag=number, flags=0)
            rows.append(_Found(place, node, outer if name == "xml:base" else base, parent))
        has_text = not wanted.texts.isdisjoint({(uri, local), ("*", local)})
        if has_text and next(node.iterchildren("*"), None) is None and (text := text_in(node)):
            place = Place(local, uri, None, text, start=None, end=None, tag=number, flags=0)
            rows.append(_Found(place, node, base, parent))
    return rows


def _pseudo_attributes(instruction: Any) -> Iterator[tuple[str, str, int, int]]:
    """The pseudo-attributes of an instruction: name, raw value, and where that begins and ends."""
    text, position = instruction.text or "", 0
    while (found := PSEUDO(text, position)) is not None:
        group = found.lastindex or 0
        yield found[1], found[group], found.start(group), found.end(group)
        position = found.end()


def _set_place(node: Any, place: Place, value: str | None) -> None:
    """Give a place a value (see `TreeParsed.put`). A `base` that loses its only attribute stays."""
    value = None if value is None else writable(value)
    if place.attribute is None:
        put_text(node, value)
    elif place.element.startswith("?"):
        raw = escape(value or "", _IN_INSTRUCTION)
        found = [(start, end, raw) for name, _, start, end in _pseudo_attributes(node) if name == place.attribute]
        node.text = spliced(node.text, found)
    else:
        key = next((key for key in node.attrib if qualified(*_name(key)) == place.attribute), place.attribute)
        if value is None:
            del node.attrib[key]
        else:
            node.set(key, value)
