"""The `source` core: the default, byte-preserving, with a span for every place.

A str and UTF-16 are read in UTF-8, so that the compiled twin reads them (`recoded`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from rehref.markup._source.parsed_source import SourceParsed
from rehref.markup.places import Place, Wanted
from rehref.markup.twin import twin_scan
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText, recoded, text_in_utf8

if TYPE_CHECKING:
    from rehref.markup._source.html_writing import HtmlMarkup
    from rehref.markup.places import XmlDocument, XmlWanted


def places_of(units: SourceText, wanted: Wanted) -> Sequence[Place]:
    """All places of HTML, in document order: by the compiled twin if it exists and can; else by `scan`."""
    found = twin_scan(units, wanted)
    if found is not None:
        return found
    from rehref.markup._source.scan import scan

    return scan(units, wanted)


def markup_of(units: SourceText) -> HtmlMarkup:
    """How values are written in a source of HTML."""
    from rehref.markup._source.html_writing import HtmlMarkup

    return HtmlMarkup(units)


class SourceCore(NamedTuple):
    """See `rehref.markup.parsed.Core`."""

    name: str = "source"
    summary: str = "our own tokenizer: changes only the bytes of references, knows every position"

    def parse(self, source: Source, wanted: Wanted) -> SourceParsed:
        """Scan the source."""
        units, in_utf8 = text_in_utf8(source)
        return SourceParsed(units, places_of(units, wanted), markup_of, in_utf8)

    def parse_xml(self, source: Source, wanted: XmlWanted) -> XmlDocument:
        """Read XML; see `rehref.markup.parsed`."""
        from rehref.markup._source.xml.reader import read_xml

        in_utf8 = None if source.encoding == "utf-8" else recoded(source)
        return read_xml(source if in_utf8 is None else in_utf8.source, wanted, in_utf8)


CORE = SourceCore()
