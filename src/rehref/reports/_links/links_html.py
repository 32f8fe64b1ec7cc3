"""Links as a page for browsers: an inventory of documents, `html`.

A document is a part of the page that can be opened: its base, its references, and its source, with every reference
marked (`marked_source`). Documents are written as they come, to a temporary file, so that memory does not grow with
them. All text from documents is text only: no reference is a link here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from rehref._version import __version__
from rehref.containers.parts import PartWord
from rehref.documents.base import Base
from rehref.documents.document import Document
from rehref.documents.link import Link
from rehref.reports._html.html_page import page, rendered
from rehref.reports._inventory.facts import place_of
from rehref.reports._inventory.grouping import Referrers
from rehref.reports._inventory.marked_source import MarkedSource, marked
from rehref.reports._links.overview import Overview, severity_of
from rehref.reports.disagreement import Disagreement
from rehref.reports.formats import InventoryLimits, Presentation
from rehref.reports.terminal import count, readable, shown
from rehref.text.encoding import Source

_STYLES: Final = ("_links/page.css",)
_SCRIPTS: Final = ("_links/page.js",)
_HERE: Final = "[documents]"
_WHO: Final = "<!-- who refers to it -->\n"
"""The place for the documents that refer to one, once they are known; no text of a document is markup."""


class ShownReference(NamedTuple):
    """A reference as it is shown: its place, kind and target; `notes`: about it, `problems`: with codes."""

    position: str
    place: str
    kind: str
    reference: str
    target: str
    base: str
    base_where: str
    notes: tuple[str, ...]
    problems: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class LinksPage:
    """The page; `extent`: how much it shows. Sums are for all, and the page says what it does not show."""

    extent: InventoryLimits
    between: str = ""

    @property
    def head(self) -> str:
        """The text before the documents, if nothing is known about all of them."""
        return "".join(self.whole("", None, [_HERE])).partition(_HERE)[0]

    @property
    def tail(self) -> str:
        """The text after them."""
        return "".join(self.whole("", None, [_HERE])).partition(_HERE)[2]

    def document(
        self, name: str, base: Base, links: Iterable[Link], where: PartWord = "part", source: Source | None = None
    ) -> str:
        """The part of the page for one document; `source`: its source, if that should be shown.

        The base and the target of a reference appear when its mark is pointed at, or has the focus, without a script.
        """
        links = list(links)
        kept = links[: self.extent.references]
        seen = MarkedSource() if source is None else marked(source, kept, self.extent.source)
        return rendered(
            "_links/document.html",
            {
                "name": shown(name, 2000),
                "base": base,
                "skipped": base.rejected,
                "references": len(links),
                "problems": sum(map(bool, (link.problems for link in links))),
                "rows": [_row(link, base) for link in kept],
                "left_out": len(links) - len(kept),
                "source": seen,
                "unit": "bytes" if source is not None and isinstance(source.data, bytes) else "characters",
            },
            functions=(shown, count),
        )

    def written(self, name: str, document: Document, where: PartWord = "part") -> None:
        """None: this format makes each link."""

    def disagreements(self, name: str, bases: Mapping[str, Base], found: Sequence[Disagreement]) -> str:
        """The disagreements of parser cores about one document; "" if all agree."""
        if not found and len({base.uri for base in bases.values()}) <= 1:
            return ""
        values = {
            "name": shown(name, 2000),
            "bases": bases,
            "found": [(_row(each.links[0].link, None), each) for each in found],
        }
        return rendered("_links/disagreements.html", values, functions=(shown, count))

    def with_referrers(self, document: str, who: Referrers) -> str:
        """The part of the page for one document, with the documents that refer to it."""
        return document.replace(_WHO, rendered("_links/referrers.html", {"who": who}, functions=(readable, count)), 1)

    def whole(self, title: str, overview: Overview | None, documents: Iterable[str]) -> Iterator[str]:
        """The whole page, piece by piece; `overview`, the summary, comes first; None if nothing is known about all
        documents.

        `documents`: the parts that are shown.
        """
        return page(
            "_links/page.html",
            {"sources": shown(title), "overview": overview, "documents": documents, "version": __version__},
            styles=_STYLES,
            scripts=_SCRIPTS,
            data={},
            functions=(shown, count),
        )


def html(presentation: Presentation) -> LinksPage:
    """The format, from a presentation."""
    return LinksPage(presentation.extent)


def _row(link: Link, base: Base | None) -> ShownReference:
    """A reference as it is shown, in a document with that base."""
    line, column = link.line, link.column
    other = base is not None and link.kind != "base" and link.base.uri is not None and link.base.uri != base.uri
    notes = [f"the same as {shown(link.inside)} of this container"] if link.inside is not None else []
    if other:
        notes.append(f"relative to {shown(link.base.uri or '')} ({shown(link.base.where)})")
    return ShownReference(
        position="" if line is None else f"{line}" if column is None else f"{line}:{column}",
        place=shown(place_of(link.element, link.attribute, link.kind), 80),
        kind=link.kind,
        reference=shown(link.reference),
        target="nowhere" if link.target is None else "this document" if link.same_document else shown(link.target),
        base="none" if link.base.uri is None else shown(link.base.uri),
        base_where=shown(link.base.where),
        notes=tuple(notes),
        problems=tuple((each.code, severity_of(each.code), shown(each.message, 2000)) for each in link.problems),
    )
