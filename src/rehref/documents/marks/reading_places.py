"""Reading a page for other places than those of its references: the names that it defines, its forms, its metas."""

from __future__ import annotations

from rehref.parsers.source.core import CORE
from rehref.parsers.source.twin import may_be_bases
from rehref.places import CompleteParsed, Wanted, XmlWanted
from rehref.text.encoding import Source


def read_html(source: Source, wanted: Wanted) -> CompleteParsed:
    """Return HTML as the core `source` reads it, with its places. Raises nothing."""
    return CORE.parse(source, wanted)


def read_xml(source: Source, wanted: XmlWanted) -> CompleteParsed:
    """Return XML in the same way. Raises nothing."""
    return CORE.parse_xml(source, wanted)


def has_base_element(parsed: CompleteParsed) -> bool:
    """Return whether HTML has a `base` element with a wanted attribute."""
    places = parsed.places
    return any(places[number].element == "base" for number in may_be_bases(places))
