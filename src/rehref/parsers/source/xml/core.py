"""The `source` core's reading of XML."""

from __future__ import annotations

from rehref.parsers.source.xml.parsed import XmlSourceParsed
from rehref.parsers.source.xml.reader import Reader
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
