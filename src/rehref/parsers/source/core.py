"""The `source` core: the default, byte-preserving, with a span for every place.

A str is read as its bytes in UTF-8, so that the compiled twin reads it. One that cannot be encoded (it has surrogates)
is read as it is; so is one that is all ASCII, whose characters are its bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rehref.parsers.contract import Place, Wanted
from rehref.parsers.source.html_writing import HtmlMarkup
from rehref.parsers.source.parsed_source import SourceParsed
from rehref.parsers.source.plan import Plan
from rehref.parsers.source.twin import TwinScan, read_odd, twin_scan
from rehref.text.source import Source
from rehref.text.source_text import SourceText

if TYPE_CHECKING:
    from rehref.parsers.xml_contract import XmlDocument, XmlWanted

_MARK = b"\xef\xbb\xbf"


def in_utf8(source: Source) -> Source | None:
    """The source in UTF-8; None if it must be read as it is."""
    if not isinstance(source.data, str) or source.data.isascii():
        return None
    try:
        data = source.data.encode()
    except UnicodeEncodeError:
        return None
    return Source(data, "utf-8", len(_MARK) if data.startswith(_MARK) else 0)


def places_of(units: SourceText, wanted: Wanted) -> Sequence[Place]:
    """All places of HTML, in document order: by the compiled twin if it exists and can; else by `scan`."""
    found = twin_scan(units, wanted)
    if found is not None:
        return found
    from rehref.parsers.source.scan import scan

    return scan(units, wanted)


def parsed_from(source: Source, scan: Any, plan: Plan, wanted: Wanted) -> SourceParsed:
    """A source of bytes that the twin has scanned already, with this plan (`rehref.parsers.source.twin.plan_for`)."""
    units = SourceText(source)
    return SourceParsed(units, TwinScan(scan, plan, units, read_odd, scripting=wanted.scripting), HtmlMarkup(units))


class SourceCore(NamedTuple):
    """See `rehref.parsers.contract.Core`."""

    name: str = "source"
    summary: str = "our own tokenizer: changes only the bytes of references, knows every position"

    def parse(self, source: Source, wanted: Wanted) -> SourceParsed:
        """Scan the source."""
        encoded = in_utf8(source)
        units = SourceText(encoded or source)
        text = None if encoded is None else str(source.data)
        return SourceParsed(units, places_of(units, wanted), HtmlMarkup(units), text)

    def parse_xml(self, source: Source, wanted: XmlWanted) -> XmlDocument:
        """Read XML; see `rehref.parsers.xml_contract`."""
        from rehref.parsers.source.xml.reader import read_xml

        encoded = in_utf8(source)
        return read_xml(encoded or source, wanted, None if encoded is None else str(source.data))


CORE = SourceCore()
