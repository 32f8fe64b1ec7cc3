"""An XML document that has been read: what `SourceParsed` answers of any source, and what only XML has."""

from __future__ import annotations

from collections.abc import Sequence

from rehref.parsers.source.parsed_source import SourceParsed
from rehref.parsers.source.xml.reader import Reader
from rehref.parsers.source.xml.xml_writing import XmlMarkup
from rehref.text.source_text import SourceText


class XmlSourceParsed:
    """An XML document that the `source` core has read. See `rehref.parsers.xml_contract.XmlParsed`."""

    __slots__ = (
        *("_parsed", "_troubles", "_units"),
        *("apply", "direct", "locate", "parents", "places", "root", "scopes", "span", "splices"),
    )

    def __init__(self, units: SourceText, reader: Reader) -> None:
        """Hold what a reader has found."""
        self.places = reader.places
        self.scopes: Sequence[int] = reader.scopes
        self.parents: Sequence[tuple[str, str]] = reader.parents
        self.root = reader.root
        self._troubles = reader.diagnostics
        self._units = units
        self._parsed = SourceParsed(units, reader.places, XmlMarkup(units, reader.entities))
        self.direct = self._parsed.direct
        self.span, self.locate = self._parsed.span, self._parsed.locate
        self.apply, self.splices = self._parsed.apply, self._parsed.splices

    @property
    def diagnostics(self) -> Sequence[tuple[int, str]]:
        """What is not well-formed: the line (1-based) and what it is."""
        return [(self._units.position(offset)[0], what) for offset, what in sorted(self._troubles)]

    @property
    def positions(self) -> tuple[Sequence[int], Sequence[int]]:
        """For each place, the line, and the column (1-based, characters), where its value begins."""
        return self._parsed.positions
