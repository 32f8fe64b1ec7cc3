"""What a parser core is (`rehref.markup.places` says what it finds), with all names that the module of one needs.

A core gets a `Source` (the bytes or the text, and the encoding already established) and a `Wanted`. It never raises on
markup, however broken.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from rehref.markup.places import (
    BEFORE_OTHERS,
    HTML,
    IN_BODY,
    IN_TEMPLATE,
    MATHML,
    MOST_DIAGNOSTICS,
    PREFIXES,
    RDF,
    SVG,
    XLINK,
    XML,
    XMLNS,
    CompleteParsed,
    Edit,
    Parsed,
    Place,
    Wanted,
    XmlDocument,
    XmlWanted,
    at,
    complete,
    extent,
    on_same_element,
    qualified,
)
from rehref.text.encoding import Source

__all__ = (
    "BEFORE_OTHERS",
    "HTML",
    "IN_BODY",
    "IN_TEMPLATE",
    "MATHML",
    "MOST_DIAGNOSTICS",
    "PREFIXES",
    "RDF",
    "SVG",
    "XLINK",
    "XML",
    "XMLNS",
    "CompleteParsed",
    "Core",
    "Edit",
    "Parsed",
    "Place",
    "Source",
    "Wanted",
    "XmlCore",
    "XmlDocument",
    "XmlWanted",
    "at",
    "complete",
    "extent",
    "on_same_element",
    "qualified",
)


class Core(Protocol):
    """A parser core. Registered under its name in the entry-point group `rehref.parsers`."""

    @property
    def name(self) -> str:
        """Its name for users, as in `--parser NAME`."""

    @property
    def summary(self) -> str:
        """One line for `rehref parsers`."""

    def parse(self, source: Source, wanted: Wanted) -> Parsed:
        """Read the source. Never raises on markup."""


@runtime_checkable
class XmlCore(Protocol):
    """A parser core that reads XML, too."""

    def parse_xml(self, source: Source, wanted: XmlWanted) -> XmlDocument:
        """Read the source. Never raises on markup."""
