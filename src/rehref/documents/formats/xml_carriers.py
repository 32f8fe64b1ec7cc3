"""The places that carry references in XML: the names that a reader is asked for, and what any place carries.

1. XHTML, SVG and MathML have the same names as in HTML (`rehref.documents.formats.html_carriers`), in their own case.
2. Attributes that options add (`img@data-src`) are looked for in XHTML, in SVG if they name the element, and on
   elements of that name in any other vocabulary whose table does not list them. They are named in lower case.
3. Decisions from names alone (`XmlDocumentCarriers`) are for documents in which no `xml:base` has an effect.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rehref.carriers.html_attributes import ANY
from rehref.carriers.html_context import CONTEXT
from rehref.carriers.kinds import Kind
from rehref.carriers.syntaxes import Carrier
from rehref.carriers.xml_context import DECIDING, XML_CONTEXT
from rehref.carriers.xml_vocabularies import (
    EVERYWHERE,
    GENERIC,
    HTML_TEXTS,
    RSS,
    TEXT,
    TYPED_TEXTS,
    XML_CARRIERS,
    vocabulary_of,
)
from rehref.documents.formats.html_carriers import ODD, HtmlCarriers, code_of, html_carriers
from rehref.options import ReadOptions
from rehref.parsers.contract import HTML, SVG, Parsed
from rehref.parsers.xml_contract import XmlWanted

STYLESHEET = "xml-stylesheet"
"""The processing instruction with a reference (Associating Style Sheets with XML documents 1.0)."""

_HELPERS = frozenset({"srcdoc", "type", "target", "as"})


class XmlCarriers(NamedTuple):
    """What carries references: the names of HTML, those that options add, and what to ask a reader for."""

    html: HtmlCarriers
    wanted: XmlWanted

    def carrier(self, vocabulary: str, element: str, attribute: str) -> Carrier | None:
        """The carrier in the tables for an attribute (`TEXT`: the text) of an element outside HTML's vocabularies."""
        key = element, attribute
        carrier = XML_CARRIERS.get(vocabulary, {}).get(key) or GENERIC.get((ANY, attribute))
        if carrier is None and vocabulary == RSS[0] and key not in CONTEXT:
            # old feeds have HTML among their own elements, without its namespace
            carrier = self.html.carrier(HTML, element, attribute)
        return carrier or self.html.extras.get(key) or self.html.extras.get((ANY, attribute))


@lru_cache(maxsize=32)
def xml_carriers(how: ReadOptions) -> XmlCarriers:
    """The carriers for documents that are read with these options. Raises `CustomAttributeError`."""
    html = html_carriers(how)
    attributes = {*_HELPERS, *DECIDING, *(name for names in CONTEXT.values() for name in names)}
    texts = {(HTML, "style"), (SVG, "style"), (HTML, "script")}
    for vocabulary, table in (*html.tables.items(), *XML_CARRIERS.items(), ("", GENERIC), ("", EVERYWHERE)):
        for element, attribute in table:
            if attribute == TEXT:
                texts.add((_namespace(vocabulary), element))
            else:
                attributes.add(attribute)
    for vocabularies in (HTML_TEXTS, TYPED_TEXTS):
        for vocabulary, elements in vocabularies.items():
            texts.update((_namespace(vocabulary), element) for element in elements)
    return XmlCarriers(html, XmlWanted(frozenset(attributes), frozenset(texts), frozenset({STYLESHEET})))


def _namespace(vocabulary: str) -> str:
    """The namespace of a vocabulary: the vocabulary itself, or none."""
    return vocabulary if ":" in vocabulary else ""


class XmlDocumentCarriers(NamedTuple):
    """What the places of a document carry (`rehref.documents.document.DocumentCarriers`); `root`: see `XmlDocument`."""

    carriers: XmlCarriers
    root: tuple[str, str]
    kinds: tuple[Kind, ...] = ()

    def carries(self, namespace: str, element: str, attribute: str | None) -> int:
        """The byte for an attribute of an element, or for its text (None), as far as the name decides."""
        vocabulary, name = vocabulary_of(namespace, self.root), attribute or TEXT
        if namespace in self.carriers.html.tables and (ANY, name) not in EVERYWHERE:
            return self.carriers.html.carries(namespace, element, attribute)
        carrier = XML_CARRIERS.get(vocabulary, {}).get((element, name))
        is_odd = carrier is None or (vocabulary, element, name) in XML_CONTEXT
        return ODD if is_odd else code_of(carrier, namespace, element)

    def carried(self, parsed: Parsed, number: int) -> int:
        """What a place carries if other attributes decide about it."""
        return self.carriers.html.carried(parsed, number)

    def may_have_rel(self, element: str) -> bool:
        """See `DocumentCarriers`: in XML any element may."""
        return True
