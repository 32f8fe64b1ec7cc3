"""The `lxml` core for XML: libxml2's tree.

1. libxml2 gets the characters that every core reads, as UTF-8, without XML declaration and document type. So it knows
   no entities, no default attributes and nothing external, and never touches the network; declaration and document type
   come back when the document is written.
2. libxml2 does not decode references either: every "&" that begins a reference, every other "&", and every character
   that XML does not allow is replaced by a private use character that the document does not contain. Values are decoded
   by the rules of all cores (`entities`), and unchanged text is written with the references that the author wrote.
3. If libxml2 finds an error, or its limits are exceeded (256 open elements), the `source` core replaces it: half a
   document would be worse. So it does if a place has a reference to an entity that is not known, or no longer expanded:
   written anew, that would become text.
4. A document that is written anew keeps its encoding, and loses the white space in tags and around the document
   element. The data that an edited document is made from never change: edits may be applied repeatedly.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any
from urllib.parse import quote as percent_encode

from lxml import etree

from rehref.parsers.contract import HTML, Place
from rehref.parsers.source.names import VOID
from rehref.parsers.source.xml.core import read_xml
from rehref.parsers.source.xml.entities import NONE, REFERENCE, Entities, read_doctype
from rehref.parsers.source.xml.patterns import PSEUDO
from rehref.parsers.tree import NewValues, TreeParsed, document_text, restore
from rehref.parsers.xml_contract import XmlDocument, XmlWanted, qualified
from rehref.text.source import Source
from rehref.text.splices import spliced

_LAST_LINE = 65535
_PRIVATE = range(0xF0000, 0xFFFFE)
_NOT_ALLOWED = re.compile("[\1-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_DECLARATION = re.compile(r"<\?xml[\t\n\r ](?s:.*?)\?>[\t\n\r ]*+").match
_MISC = re.compile(r"[\t\n\r ]++|<!--(?s:.*?)-->|<\?(?s:.*?)\?>").match  # §2.8 [27], one after the other
# the first group: one that begins a reference; the last: any other; before: a section without references, which goes on
# to the end if it is not closed
_AMPERSANDS = re.compile(
    rf"<!\[CDATA\[(?s:.*?)(?:\]\]>|\Z)|<!--(?s:.*?)(?:-->|\Z)|<\?(?s:.*?)(?:\?>|\Z)|((?={REFERENCE})&)|(&)"
)
_TARGET = "rehref-doctype"


def read_xml_lxml(source: Source, wanted: XmlWanted) -> XmlDocument:
    """Read an XML document into a tree. Never raises on markup. See `rehref.parsers.xml_contract`."""
    prepared = _prepare(document_text(source))
    root = None if prepared is None else _parse(prepared)
    if prepared is None or root is None:
        return read_xml(source, wanted)
    found = _Finder(prepared, root, wanted)
    if not found.find():
        return read_xml(source, wanted)
    write = partial(_write, source, prepared, found.places)
    parsed = TreeParsed(source, found.places, found.lines, write, escapes_text=True)
    return XmlDocument(parsed, found.scopes, found.parents, _name(str(root.tag)))


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A document as libxml2 gets it, and the data to undo the replacements."""

    data: bytes
    declaration: str
    doctype: str
    entities: Entities
    ampersand: str
    """Replaces one that begins a reference."""
    literal: str
    """Replaces any other, except in a CDATA section, where it is itself."""
    stand_ins: dict[int, str]
    """Replaces a character that XML does not allow."""

    def value(self, text: str, start: int, *, attribute: bool) -> str | None:
        """The decoded value of a text of the tree; None if an entity prevents that (rule 3). They come in order."""
        if not text.isascii():
            text = self._restored(text)
        if self.ampersand in text:
            # in a CDATA section an "&" is literal; it must not become part of a reference
            text = text.replace("&", self.literal).replace(self.ampersand, "&")
            self.entities.charge(text, start)
            if self.entities.stay(text, start):
                return None
            text = self.entities.decode(text, start, attribute=attribute)
        return text.replace(self.literal, "&")

    def written(self, text: str) -> str:
        """A document that libxml2 has written, with the author's references."""
        text = self._restored(text).replace(self.ampersand, "&").replace(self.literal, "&")
        doctype = re.compile(rf"<\?{_TARGET} &\n*\?>")
        return self.declaration + doctype.sub(lambda _: self.doctype, text, count=1)

    def accepted(self, text: str) -> str:
        """A new value for the tree: what XML does not allow is percent-encoded, unless the document has it already."""
        text = text.translate(self.stand_ins)
        return re.sub("[\0\1-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", _percent, text)

    def _restored(self, text: str) -> str:
        return text.translate({ord(stand_in): code for code, stand_in in self.stand_ins.items()})


def _percent(found: re.Match[str]) -> str:
    return percent_encode(found[0], errors="replace")


def _prepare(text: str) -> _Prepared | None:
    """Prepare a document for libxml2 (rules 1 and 2); None if that cannot be done."""
    text = text.replace("\0", "\ufffd")
    found = _DECLARATION(text)
    declaration = found[0] if found is not None else ""
    text = text[len(declaration) :]
    entities, doctype = NONE, ""
    start = end = position = 0
    while (misc := _MISC(text, position)) is not None:
        position = misc.end()
    if text.startswith("<!DOCTYPE", position):
        start = position
        end, entities, diagnostic = read_doctype(text, start, str)
        if diagnostic:
            return None
        doctype = text[start:end]
    used = set(text)
    odd = sorted(set(_NOT_ALLOWED.findall(text)))
    free = list(islice((char for char in map(chr, _PRIVATE) if char not in used), len(odd) + 2))
    if len(free) < len(odd) + 2 or _TARGET in text:
        return None
    ampersand, literal, *others = free
    stand_ins = {ord(char): stand_in for char, stand_in in zip(odd, others, strict=True)}
    parts = []
    for part in (text[:start], text[end:]):
        part = _AMPERSANDS.sub(
            lambda found: ampersand if found[1] is not None else literal if found[0] == "&" else found[0], part
        )
        parts.append(part.translate(stand_ins))
    marker = f"<?{_TARGET} {ampersand}{chr(10) * doctype.count(chr(10))}?>" if doctype else ""
    lines = "\n" * declaration.count("\n")
    data = f"{lines}{parts[0]}{marker}{parts[1]}".encode()
    return _Prepared(data, declaration, doctype, entities, ampersand, literal, stand_ins)


def _parse(prepared: _Prepared) -> etree._Element | None:
    """Parse a document with libxml2; None if it finds an error (rule 3)."""
    parser = etree.XMLParser(
        encoding="utf-8",
        recover=True,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        strip_cdata=False,
        collect_ids=False,
    )
    try:
        root: etree._Element | None = etree.fromstring(prepared.data, parser)
    except etree.LxmlError:
        return None
    return None if len(parser.error_log) else root


def _nodes(root: etree._Element) -> Iterator[Any]:
    """The instructions before the document element, and all elements, in document order."""
    before: list[Any] = list(root.itersiblings(preceding=True))
    yield from (node for node in reversed(before) if node.tag is etree.PI)
    yield from root.iter(etree.Element)


def _name(tag: str) -> tuple[str, str]:
    """Namespace and local name, from the name in the tree."""
    uri, _, local = tag.rpartition("}")
    return uri[1:], local


class _Finder:
    """Finds the places of a tree, and for each its `xml:base`, its element's parent, and its line."""

    def __init__(self, prepared: _Prepared, root: etree._Element, wanted: XmlWanted) -> None:
        self.places: list[Place] = []
        self.scopes: list[int] = []
        self.parents: list[tuple[str, str]] = []
        self.lines: list[int | None] = []
        self._prepared = prepared
        self._root = root
        self._wanted = wanted
        self._hindered = False

    def _add(self, place: Place, scope: int, parent: tuple[str, str], line: int | None) -> None:
        self.places.append(place)
        self.scopes.append(scope)
        self.parents.append(parent)
        self.lines.append(line if line is not None and line < _LAST_LINE else None)

    def find(self) -> bool:
        """Walk through the tree; return whether no entity prevents it (rule 3)."""
        bases: dict[Any, int] = {}  # of elements that are open or were
        for number, node in enumerate(_nodes(self._root)):
            if node.tag is etree.PI:
                self._instruction(number, node)
                continue
            parent = node.getparent()
            outer = -1 if parent is None else bases[parent]
            bases[node] = self._element(number, node, ("", "") if parent is None else _name(parent.tag), outer)
        return not self._hindered

    def _value(self, text: str, start: int, *, attribute: bool) -> str:
        value = self._prepared.value(text, start, attribute=attribute)
        self._hindered = self._hindered or value is None
        return value or ""

    def _instruction(self, number: int, node: Any) -> None:
        """Add the pseudo-attributes of an instruction."""
        if node.target not in self._wanted.instructions:
            return
        for name, raw, _, _ in _pseudo_attributes(node.text or ""):
            self._hindered = self._hindered or NONE.stay(raw, 0)
            value = NONE.decode(self._value(raw, 0, attribute=True), 0, attribute=True)
            self._add(Place(f"?{node.target}", "", name, value, None, None, number, 0), -1, ("", ""), node.sourceline)

    def _element(self, number: int, node: Any, parent: tuple[str, str], outer: int) -> int:
        """Add the places of an element; return the place of the `xml:base` in force in it."""
        uri, local = _name(node.tag)
        found: list[tuple[str, str]] = []
        base = outer
        for key, value in node.items():
            name = qualified(*_name(key))
            if name in self._wanted.attributes or name == "xml:base":
                if name == "xml:base":
                    base = len(self.places) + len(found)
                found.append((name, value))
        for name, value in found:
            value = self._value(value, number, attribute=True)
            scope = outer if name == "xml:base" else base
            self._add(Place(local, uri, name, value, None, None, number, 0), scope, parent, node.sourceline)
        texts = self._wanted.texts
        if (uri, local) in texts or ("*", local) in texts:
            pieces = [node.text or ""]
            for child in node:
                if isinstance(child.tag, str):
                    return base
                pieces.append(child.tail or "")
            value = self._value("".join(pieces), number, attribute=False)
            if value:
                self._add(Place(local, uri, None, value, None, None, number, 0), base, parent, node.sourceline)
        return base


def _pseudo_attributes(text: str) -> Iterator[tuple[str, str, int, int]]:
    """The pseudo-attributes of an instruction: name, raw value, and where that begins and ends."""
    position = 0
    while (found := PSEUDO(text, position)) is not None:
        group = found.lastindex or 0
        yield found[1], found[group], found.start(group), found.end(group)
        position = found.end()


def _write(source: Source, prepared: _Prepared, places: Sequence[Place], values: NewValues) -> bytes | str:
    """The document with new values, from a tree of its own."""
    root = _parse(prepared)
    if root is None:
        return source.data
    nodes = list(_nodes(root))
    instructions: dict[int, dict[str, str]] = {}
    removed: list[Any] = []
    for number, new in values.items():
        place = places[number]
        node, attribute = nodes[place.tag], place.attribute
        if place.element.startswith("?"):
            if new is not None and attribute is not None:
                instructions.setdefault(place.tag, {})[attribute] = new
        elif attribute is None:
            _set_text(node, prepared.accepted(new or ""))
        elif new is None:
            del node.attrib[_key(node, attribute)]
            removed.append(node)
        else:
            node.set(_key(node, attribute), prepared.accepted(new))
    for tag, changed in instructions.items():
        nodes[tag].text = _instruction_text(nodes[tag].text, changed, prepared.accepted)
    for node in removed:
        _drop_empty_base(node)
    for node in root.iter(f"{{{HTML}}}*"):
        if len(node) == 0 and not node.text and _name(str(node.tag))[1] not in VOID:
            node.text = ""  # so that it is written with an end tag, as HTML needs it
    around = [*reversed(list(root.itersiblings(preceding=True))), root, *root.itersiblings()]
    written = [etree.tostring(node, encoding="unicode", with_tail=False) for node in around]
    end = "\n" if prepared.data.endswith(b"\n") else ""
    return restore(source, prepared.written("\n".join(written) + end))


def _key(node: Any, attribute: str) -> str:
    """The name in the tree of an attribute, from its qualified name."""
    return next(str(key) for key in node.attrib if qualified(*_name(key)) == attribute)


def _set_text(node: Any, text: str) -> None:
    """Replace the text of an element; comments in it stay."""
    for child in node:
        child.tail = None
    node.text = text


def _instruction_text(text: str, changed: dict[str, str], accepted: Callable[[str], str]) -> str:
    """The text of an instruction with new values for some pseudo-attributes."""
    splices = []
    for name, _, start, end in _pseudo_attributes(text):
        if name in changed:
            value = accepted(changed[name])
            for char, reference in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
                value = value.replace(char, reference)
            splices.append((start, end, re.sub("[\t\n\r]", lambda found: f"&#{ord(found[0])};", value)))
    return spliced(text, splices)


def _drop_empty_base(node: Any) -> None:
    """Remove an XHTML `base` without attributes from the tree."""
    parent = node.getparent()
    if node.tag != f"{{{HTML}}}base" or node.attrib or len(node) or node.text or parent is None:
        return
    before = node.getprevious()
    if before is None:
        parent.text = (parent.text or "") + (node.tail or "")
    else:
        before.tail = (before.tail or "") + (node.tail or "")
    parent.remove(node)
