"""The `source` core's reading of XML: byte-preserving, with a span for every place.

`patterns` says what markup looks like, `reading` finds the places, `namespaces`, `entities` and `content` say what they
mean; `writing` knows how they are written.
"""

from __future__ import annotations

from rehref.parsers.source.xml.parsed import XmlSourceParsed
from rehref.parsers.source.xml.reading import Reader
from rehref.parsers.xml_contract import XmlWanted
from rehref.text.source import Source
from rehref.text.source_text import SourceText

__all__ = ["read_xml"]


def read_xml(source: Source, wanted: XmlWanted) -> XmlSourceParsed:
    """Read an XML document. Never raises on markup. See `rehref.parsers.xml_contract`."""
    units = SourceText(source)
    reader = Reader(units, wanted)
    reader.run()
    return XmlSourceParsed(units, reader)
