"""An inventory: the page about many documents together (`links --format html`).

A document gives an entry: its facts, which are added up, and the part of the page that shows it, if there may be room
for it. Parts are kept in a temporary file until everything is added up; then the page is written from its beginning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from tempfile import SpooledTemporaryFile
from typing import Final, NamedTuple

from rehref.containers.parts import PartWord
from rehref.documents.document import Document
from rehref.documents.link import Link
from rehref.reports._inventory.facts import Facts, facts_of
from rehref.reports._inventory.grouping import referrers
from rehref.reports._inventory.totals import Totals
from rehref.reports._links.links_html import LinksPage
from rehref.reports._links.overview import overview_of
from rehref.reports.formats import InventoryLimits

_IN_MEMORY: Final = 8 << 20
"""Bytes that are kept in memory before a file is used."""
_MOST_ERRORS: Final = 20
"""How many messages about what could not be read are kept."""


class Entry(NamedTuple):
    """A document in an inventory: its facts, and the part of the page that shows it, "" if it is not shown."""

    facts: Facts
    shown: str = ""


def entry_of(
    name: str, document: Document, links: Sequence[Link], where: PartWord, extent: InventoryLimits | None
) -> Entry:
    """The entry of a document that is called `name`; `where`: what parts of its container are called.

    `extent`: how much of it may be shown; None: nothing.
    """
    facts = facts_of(name, document.own.uri, document.base, links)
    if extent is None:
        return Entry(facts)
    return Entry(facts, LinksPage(extent).document(name, document.base, links, where, document.source))


class Inventory:
    """What is known about all documents, and the parts of the page that show the first ones.

    `extent`: how much the page shows.
    """

    def __init__(self, extent: InventoryLimits) -> None:
        self._extent = extent
        self._totals = Totals()
        self._errors: list[str] = []
        self._kept = SpooledTemporaryFile[bytes](_IN_MEMORY)
        self._lengths: list[int] = []
        self._uris: list[str] = []
        self._references = 0
        self._is_full = False

    def add(self, entry: Entry) -> None:
        """Take in a document."""
        self._totals.add(entry.facts)
        part = entry.shown.encode("utf-8", "backslashreplace")
        if self._takes(entry.facts, len(part)):
            self._kept.write(part)

    def add_unread(self, error: str) -> None:
        """Take in what could not be read."""
        self._totals.not_read += 1
        if len(self._errors) < _MOST_ERRORS:
            self._errors.append(error)

    def _takes(self, facts: Facts, length: int) -> bool:
        """Whether there is room for a document, which is reserved; `length`: bytes of its part of the page.

        The first document is always shown, with as many of its references as fit. After one that does not fit, no other
        is.
        """
        extent = self._extent
        references = min(facts.references, extent.references)
        fits = not self._lengths or self._references + references <= extent.references
        self._is_full = self._is_full or len(self._lengths) >= extent.documents or not fits or length == 0
        if not self._is_full:
            self._lengths.append(length)
            self._uris.append(facts.uri)
            self._references += references
        return not self._is_full

    def page(self, title: str) -> Iterator[str]:
        """The page of all documents, piece by piece."""
        with self._kept:
            self._kept.seek(0)
            overview = overview_of(self._totals, len(self._lengths), self._references, self._extent, self._errors)
            page = LinksPage(self._extent)
            yield from page.whole(title, overview, self._parts(page))

    def _parts(self, page: LinksPage) -> Iterator[str]:
        """The parts of the shown documents, each with the documents that refer to it, if there are others."""
        who = referrers(self._totals.structure, self._uris) if self._totals.documents > 1 else {}
        for length, uri in zip(self._lengths, self._uris, strict=True):
            part = self._kept.read(length).decode()
            yield page.with_referrers(part, who[uri]) if uri in who else part
