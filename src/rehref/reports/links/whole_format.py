"""The formats of links that summarize all documents (`rehref.reports.formats`, rule 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rehref.reports.formats import OF_LINKS, Presentation, function_of, named

if TYPE_CHECKING:
    from rehref.reports.links.html import LinksPage


def whole_format(name: str, presentation: Presentation) -> LinksPage | None:
    """The format of that name, if it is one of these; else None. Raises `ValueError` for an unknown name."""
    if not named(name, OF_LINKS).of_all:
        return None
    made: LinksPage = function_of(name, OF_LINKS)(presentation)
    return made
