"""`rehref links --format html`: collect an entry of the inventory from each document, and write the page.

Only the first documents of a folder or of a container have a part of the page made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from rehref.archives.pieces import RunCounts
from rehref.cli import output
from rehref.cli._outcomes import Outcome
from rehref.files.file_errors import FileError
from rehref.reports.formats import AnyText
from rehref.reports.inventory import Inventory, entry_of

if TYPE_CHECKING:
    from rehref.archives.links_of_many import DocumentLinks
    from rehref.files.file_documents import DocumentOrError
    from rehref.reports.formats import InventoryLimits


@dataclass(frozen=True, slots=True)
class TakeInventory:
    """Collect a document. `extent`: how much the page shows; `shown`: the names of the files that it may show."""

    extent: InventoryLimits
    shown: frozenset[str]

    def __call__(self, file: str, number: int, name: str, read: DocumentLinks) -> Outcome:
        """Collect document `number` of a file, which is called `name` for people."""
        links = read.links
        extent = self.extent if file in self.shown and number < self.extent.documents else None
        entry = entry_of(name, read.document, links, read.where, extent)
        counts = RunCounts(documents=1, references=len(links))
        return Outcome(b"", read.notes, counts=counts, entry=entry, is_part=read.container is not None)


def taking(extent: InventoryLimits, found: Sequence[DocumentOrError]) -> TakeInventory:
    """Return what collects the documents of the files that were found."""
    first = (each for each in found if not isinstance(each, FileError))
    return TakeInventory(extent, frozenset(each.name for each in islice(first, extent.documents)))


def write(
    extent: InventoryLimits, sources: Sequence[str], outcomes: Iterable[Outcome], send: Callable[[AnyText], None]
) -> None:
    """Write the page of all documents; `send` takes it piece by piece."""
    inventory = Inventory(extent)
    for outcome in outcomes:
        for error in outcome.errors:
            inventory.add_unread(str(error))
        if outcome.entry is not None:
            inventory.add(outcome.entry)
    for piece in inventory.page(", ".join(sources)):
        send(output.for_programs(piece))
