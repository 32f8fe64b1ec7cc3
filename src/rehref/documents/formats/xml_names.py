"""The names of elements and attributes that carry references in XML, as a reader is asked for them.

1. XHTML, SVG and MathML have the names that they have in HTML (`rehref.documents.formats.html_names`), in their own
   case.
2. What an author selects besides (`img@data-src`) is looked for in XHTML, and on elements of that name in any other
   vocabulary whose table says nothing of it. It is selected in lower case.
3. `ordinary` is for documents in which no `xml:base` has a say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from rehref.carriers.html_attributes import ANY
from rehref.carriers.html_context import CONTEXT
from rehref.carriers.kinds import Carrier, Kind
from rehref.carriers.xml_context import DECIDING, XML_CONTEXT
from rehref.carriers.xml_vocabularies import EVERYWHERE, GENERIC, HTML_TEXTS, RSS, TEXT, TYPED_TEXTS, XML_CARRIERS
from rehref.documents.document import LOCAL_KINDS, Names
from rehref.documents.formats.html_names import CarrierNames, carrier_names
from rehref.options import ReadOptions
from rehref.parsers.contract import HTML, SVG
from rehref.parsers.xml_contract import XmlWanted

STYLESHEET = "xml-stylesheet"
"""The processing instruction with a reference (Associating Style Sheets with XML documents 1.0)."""

_HELPERS = frozenset({"srcdoc", "type", "target"})


@dataclass(frozen=True, slots=True)
class XmlNames:
    """What carries references: the names of HTML, what is selected besides, and what to ask a reader for."""

    html: CarrierNames
    wanted: XmlWanted

    def carrier(self, vocabulary: str, element: str, attribute: str) -> Carrier | None:
        """What the tables say of an attribute (`TEXT` for the text) of an element in no vocabulary of HTML's."""
        key = element, attribute
        carrier = XML_CARRIERS.get(vocabulary, {}).get(key) or GENERIC.get((ANY, attribute))
        if carrier is None and vocabulary == RSS[0] and key not in CONTEXT:
            # old feeds have HTML among their own elements, without its namespace
            carrier = self.html.carrier(HTML, element, attribute)
        return carrier or self.html.extras.get(key) or self.html.extras.get((ANY, attribute))


@lru_cache(maxsize=32)
def xml_names(how: ReadOptions) -> XmlNames:
    """The names for documents that are read so. Raises `CustomAttributeError`."""
    html = carrier_names(how)
    return XmlNames(html, _wanted(html))


def _wanted(html: CarrierNames) -> XmlWanted:
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
    return XmlWanted(frozenset(attributes), frozenset(texts), frozenset({STYLESHEET}))


def _namespace(vocabulary: str) -> str:
    """The namespace of a vocabulary: itself, or none."""
    return vocabulary if ":" in vocabulary else ""


@lru_cache(maxsize=32)
def ordinary(how: ReadOptions, none: str) -> Mapping[Names, Kind | Literal["", "?"]]:
    """The ordinary places (see `Document.ordinary`), where elements in no namespace are of the vocabulary `none`."""
    kinds = dict(carrier_names(how).ordinary)
    for vocabulary, table in XML_CARRIERS.items():
        namespace = _namespace(vocabulary)
        if namespace == "" and vocabulary != none:
            continue
        for (element, attribute), carrier in table.items():
            if carrier.kind not in LOCAL_KINDS and (vocabulary, element, attribute) not in XML_CONTEXT:
                kinds[namespace, element, None if attribute == TEXT else attribute] = carrier.kind
    return kinds
