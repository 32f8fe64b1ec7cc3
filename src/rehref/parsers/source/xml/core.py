"""XML in the `source` core: byte-preserving, with a span for every place."""

from __future__ import annotations

from rehref.parsers.source.parsed_source import SourceParsed
from rehref.parsers.source.xml.reader import Reader
from rehref.parsers.source.xml.xml_writing import XmlMarkup
from rehref.parsers.xml_contract import XmlDocument, XmlWanted
from rehref.text.source import Source
from rehref.text.source_text import SourceText


def read_xml(source: Source, wanted: XmlWanted) -> XmlDocument:
    """Read an XML document. Never raises on markup. See `rehref.parsers.xml_contract`."""
    units = SourceText(source)
    reader = Reader(units, wanted)
    reader.run()
    parsed = SourceParsed(units, reader.places, XmlMarkup(units, reader.entities))
    diagnostics = [(units.position(offset)[0], what) for offset, what in sorted(reader.diagnostics)]
    return XmlDocument(parsed, reader.scopes, reader.parents, reader.root, diagnostics)
