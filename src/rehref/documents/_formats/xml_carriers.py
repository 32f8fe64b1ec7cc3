"""The places that carry references in XML: the names that a reader is asked for, and what any place carries.

XHTML, SVG and MathML have the same names as in HTML (`html_carriers`), in their own case. Attributes that options add
(`img@data-src`, in lower case) are looked for in XHTML, in SVG if they name the element, and on elements of that name
in any other vocabulary whose table does not list them. The text of an element outside of these three that carries
something whose byte is `ODD` is HTML.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rehref.documents._carriers.html_attributes import ANY, TEXT
from rehref.documents._carriers.html_context import CONTEXT
from rehref.documents._carriers.xml_applications import OWN_BASES
from rehref.documents._carriers.xml_vocabularies import (
    DECIDING,
    EVERYWHERE,
    GENERIC,
    HTML_TEXTS,
    RSS,
    TYPED_TEXTS,
    XML_CARRIERS,
    XML_CONTEXT,
    decide_xml,
    is_html,
    vocabulary_of,
)
from rehref.documents._formats.html_carriers import (
    ASK,
    DECIDES,
    KINDS,
    NOTHING,
    ODD,
    OF_BASE,
    HtmlCarriers,
    code_of,
    html_carriers,
)
from rehref.documents.options import ReadOptions
from rehref.markup.places import HTML, ID_NAMES, SVG, Parsed, XmlDocument, XmlWanted, attributes_beside
from rehref.text import WHITE_SPACE
from rehref.uri.syntaxes import Carrier, Kind

INSTRUCTIONS = frozenset({"xml-stylesheet", "xml-model"})
"""The processing instructions with a reference (Associating Style Sheets, and Associating Schemas, with XML documents
1.0)."""

_HELPERS = frozenset({"srcdoc", "type", "target", "as"})


class XmlCarriers(NamedTuple):
    """What carries references: the names of HTML, those that options add, and what to ask a reader for."""

    html: HtmlCarriers
    wanted: XmlWanted

    def carrier(self, vocabulary: str, element: str, attribute: str) -> Carrier | None:
        """The carrier in the tables for an attribute (`TEXT`: the text) of an element outside HTML's vocabularies."""
        key = element, attribute
        table = XML_CARRIERS.get(vocabulary, GENERIC)
        carrier = table.get(key) or table.get((ANY, attribute)) or GENERIC.get((ANY, attribute))
        if carrier is None and vocabulary == RSS[0] and key not in CONTEXT[HTML]:
            # old feeds have HTML among their own elements, without its namespace
            carrier = self.html.carrier(HTML, element, attribute)
        return carrier or self.html.extras.get(key) or self.html.extras.get((ANY, attribute))


@lru_cache(maxsize=32)
def xml_carriers(how: ReadOptions) -> XmlCarriers:
    """The carriers for documents that are read with these options. Raises `CustomAttributeError`."""
    html = html_carriers(how)
    attributes = {
        *_HELPERS,
        *DECIDING,
        *(name for carriers in CONTEXT.values() for names in carriers.values() for name in names),
    }
    if how.names:
        attributes |= {*ID_NAMES, "name"}
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
    return XmlCarriers(html, XmlWanted(frozenset(attributes), frozenset(texts), INSTRUCTIONS))


def _namespace(vocabulary: str) -> str:
    """The namespace of a vocabulary: the vocabulary itself, or none."""
    return vocabulary if ":" in vocabulary else ""


class XmlDocumentCarriers(NamedTuple):
    """What places carry (`rehref.markup.twin_exchange.DocumentCarriers`); `root`: see `XmlDocument`."""

    carriers: XmlCarriers
    root: tuple[str, str]
    kinds: tuple[Kind, ...] = KINDS

    def carries(self, namespace: str, element: str, attribute: str | None) -> int:
        """The byte for an attribute of an element, or for its text (None), as far as the name decides."""
        vocabulary, name = vocabulary_of(namespace, self.root), attribute or TEXT
        if element.startswith("?"):
            return ODD
        if name == "xml:base":
            return OF_BASE
        if (everywhere := EVERYWHERE.get((ANY, name))) is not None:
            return code_of(everywhere, "", "")
        if namespace in self.carriers.html.tables:
            return self.carriers.html.carries(namespace, element, attribute)
        if attribute is None and element in HTML_TEXTS.get(vocabulary, ()):
            return ODD
        if attribute is None and element in TYPED_TEXTS.get(vocabulary, ()):
            return ASK
        carrier = self.carriers.carrier(vocabulary, element, name)
        if carrier is None:
            return DECIDES if name in DECIDING else NOTHING
        if name in DECIDING or vocabulary in OWN_BASES:
            return ODD
        return ASK if _is_decided(vocabulary, element, name) else _code_of(carrier)

    def carrier_of(self, parsed: XmlDocument, number: int) -> Carrier | None:
        """How a place of an element outside XHTML, SVG and MathML carries references, unless it is HTML."""
        element, namespace, attribute, value, *_ = parsed.places[number]
        if attribute is None and not value.strip(WHITE_SPACE):
            return None
        vocabulary, name = vocabulary_of(namespace, self.root), attribute or TEXT
        carrier = self.carriers.carrier(vocabulary, element, name)
        if carrier is not None and _is_decided(vocabulary, element, name):
            parent = parsed.parents[number][1]
            kind = decide_xml(vocabulary, element, name, value, attributes_beside(parsed.places, number), parent)
            carrier = None if kind is None else carrier._replace(kind=kind)
        return carrier

    def has_markup(self, parsed: Parsed, number: int) -> bool | None:
        """Whether the text in a place of such an element is HTML; None: it never is."""
        element, namespace, attribute, *_ = parsed.places[number]
        vocabulary = vocabulary_of(namespace, self.root)
        if attribute is None and element in HTML_TEXTS.get(vocabulary, ()):
            return True
        if attribute is None and element in TYPED_TEXTS.get(vocabulary, ()):
            return is_html(vocabulary, element, attributes_beside(parsed.places, number))
        return None

    def carried(self, parsed: Parsed, number: int) -> int:
        """What a place carries if other attributes decide about it."""
        if parsed.places[number].namespace in self.carriers.html.tables:
            return self.carriers.html.carried(parsed, number)
        has_markup = self.has_markup(parsed, number)
        if has_markup is not None:
            return ODD if has_markup else NOTHING
        assert isinstance(parsed, XmlDocument)
        return _code_of(self.carrier_of(parsed, number))

    def may_have_rel(self, element: str) -> bool:
        """See `DocumentCarriers`: in XML any element may."""
        return True


def _is_decided(vocabulary: str, element: str, name: str) -> bool:
    """Whether more than the name decides what a carrier is for."""
    return name == "xlink:href" or (vocabulary, element, name) in XML_CONTEXT


def _code_of(carrier: Carrier | None) -> int:
    """The byte for a carrier outside XHTML, SVG and MathML, where `#x` in CSS is not a fragment."""
    return ODD if carrier is not None and carrier.syntax == "css" else code_of(carrier, "", "")
