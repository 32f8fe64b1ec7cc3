"""Reading a page for other places than those of its references: the names that it defines, its forms, its metas."""

from __future__ import annotations

from rehref.markup._source.core import CORE
from rehref.markup.places import CompleteParsed, Wanted, XmlWanted
from rehref.text.encoding import Source


def read_html(source: Source, wanted: Wanted) -> CompleteParsed:
    """Return HTML as the core `source` reads it, with its places. Raises nothing."""
    return CORE.parse(source, wanted)


def read_xml(source: Source, wanted: XmlWanted) -> CompleteParsed:
    """Return XML in the same way. Raises nothing."""
    return CORE.parse_xml(source, wanted)
