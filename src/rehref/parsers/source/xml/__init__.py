"""The `source` core's reading of XML: byte-preserving, with a span for every place.

`patterns` says what markup looks like, `reading` finds the places, `namespaces`, `entities` and `content` say what they
mean; `writing` knows how they are written.
"""

from __future__ import annotations

from rehref.parsers.contract import Source
from rehref.parsers.source.xml.parsed import XmlSourceParsed
from rehref.parsers.source.xml.reading import Reader
from rehref.parsers.units import Units
from rehref.parsers.xml_contract import XmlWanted

__all__ = ["read_xml"]


def read_xml(source: Source, wanted: XmlWanted) -> XmlSourceParsed:
    """Read an XML document. Never raises on markup. See `rehref.parsers.xml_contract`."""
    units = Units(source)
    reader = Reader(units, wanted)
    reader.run()
    return XmlSourceParsed(units, reader)
