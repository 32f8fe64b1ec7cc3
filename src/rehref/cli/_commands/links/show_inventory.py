"""`rehref links --format html`: collect the facts and parts of the page from each document, and write the page.

1. A document gives its facts, which are added up, and the part of the page that shows it, if there may be room for it:
   for the first documents of a folder or of a container.
2. Parts are kept in a temporary file until everything is added up; then the page is written from its beginning.
   Memory does not grow with them, except for what `rehref.reports._inventory` bounds.
3. The options limit how many documents and references are shown. The first document is always shown, with as many of
   its references as fit. After a document that does not fit, no other is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, Final

from rehref.cli import output
from rehref.cli._outcomes import Outcome, RunCounts
from rehref.files.file_errors import FileError
from rehref.reports._inventory.facts import Facts, facts_of
from rehref.reports._inventory.grouping import referrers
from rehref.reports._inventory.totals import Totals
from rehref.reports._links.links_html import LinksPage
from rehref.reports._links.overview import overview_of
from rehref.reports.formats import in_pieces

if TYPE_CHECKING:
    from rehref.archives.links_of_many import DocumentLinks
    from rehref.files.file_documents import DocumentOrError

_IN_MEMORY: Final = 8 << 20
"""Bytes that are kept in memory before a file is used."""
_MOST_ERRORS: Final = 20
"""How many messages about what could not be read are kept."""


@dataclass(frozen=True, slots=True)
class TakeInventory:
    """Collect a document. `shown`: the names of the files whose documents may be shown (rule 1)."""

    page: LinksPage
    shown: frozenset[str]

    def __call__(self, file: str, number: int, name: str, read: DocumentLinks) -> Outcome:
        """Collect document `number` of a file, which is called `name` for people."""
        document, links = read.document, read.links
        facts = facts_of(name, document.own.uri, document.base, links)
        text = ""
        if file in self.shown and number < self.page.extent.documents:
            text = self.page.document(name, document.base, links, read.where, document.source)
        counts = RunCounts(documents=1, references=len(links))
        is_part = read.container is not None
        return Outcome(output.for_programs(text), read.notes, counts=counts, facts=facts, is_part=is_part)


def taking(page: LinksPage, found: Sequence[DocumentOrError]) -> TakeInventory:
    """Return what collects the documents of the files that were found."""
    first = (each for each in found if not isinstance(each, FileError))
    return TakeInventory(page, frozenset(each.name for each in islice(first, page.extent.documents)))


@dataclass(slots=True)
class _Shown:
    """The parts of the page that show documents, and whether there is room for more (rule 3)."""

    page: LinksPage
    lengths: list[int] = field(default_factory=list)
    uris: list[str] = field(default_factory=list)
    references: int = 0
    full: bool = False

    def takes(self, facts: Facts, length: int) -> bool:
        """Return whether there is room for a document, and reserve it; `length`: bytes of its part of the page."""
        extent = self.page.extent
        references = min(facts.references, extent.references)
        fits = not self.lengths or self.references + references <= extent.references
        self.full = self.full or len(self.lengths) >= extent.documents or not fits or length == 0
        if not self.full:
            self.lengths.append(length)
            self.uris.append(facts.uri)
            self.references += references
        return not self.full


def write(page: LinksPage, sources: Sequence[str], outcomes: Iterable[Outcome], send: Callable[[bytes], None]) -> None:
    """Write the page of all documents (rule 2); `send` takes it piece by piece."""
    totals, room = Totals(), _Shown(page)
    errors: list[str] = []
    with SpooledTemporaryFile(_IN_MEMORY) as kept:
        for outcome in outcomes:
            totals.not_read += len(outcome.errors)
            errors += map(str, outcome.errors[: _MOST_ERRORS - len(errors)])
            if outcome.facts is not None:
                totals.add(outcome.facts)
                text = b"".join(in_pieces(outcome.output))
                if room.takes(outcome.facts, len(text)):
                    kept.write(text)
        kept.seek(0)
        overview = overview_of(totals, len(room.lengths), room.references, page.extent, errors)
        for piece in page.whole(", ".join(sources), overview, _parts(room, kept.read, totals)):
            send(output.for_programs(piece))


def _parts(room: _Shown, read: Callable[[int], bytes], totals: Totals) -> Iterator[str]:
    """Yield the parts of the shown documents, each with the documents that refer to it, if there are others."""
    who = referrers(totals.structure, room.uris) if totals.documents > 1 else {}
    for length, uri in zip(room.lengths, room.uris, strict=True):
        part = read(length).decode()
        yield room.page.with_referrers(part, who[uri]) if uri in who else part
