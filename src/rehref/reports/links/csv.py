"""Links for spreadsheets: `csv`, a header and one line for each link.

1. The columns are flat: `span` is `span_start` and `span_end`; for the base there are `base`, `base_origin` and
   `base_where`; problems are joined: `code: message; code: message`.
2. An undefined value is an empty cell. `same_document` is `true` or `false`.
3. For links that not all parser cores have, the last column names those that have it: `source; lxml`.
4. `rehref.reports.cells` writes the cells. Passwords are masked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rehref.base import Base
from rehref.containers.parts import PartWord
from rehref.documents.link import Link
from rehref.reports import cells
from rehref.reports.formats import HasLinkTexts, Presentation
from rehref.reports.links.disagreement import Disagreement
from rehref.reports.text import mask
from rehref.uri.privacy import mask_text

COLUMNS = (
    *("document", "line", "column", "span_start", "span_end", "element", "attribute", "kind", "reference", "target"),
    *("same_document", "base", "base_origin", "base_where", "problems", "part", "inside", "page", "date"),
    *("rel", "text"),
)


@dataclass(frozen=True, slots=True)
class CsvLinks:
    """Comma-separated values. `raw`: cells unchanged, even formulas."""

    head: str
    raw: bool
    between: str = ""
    tail: str = ""

    def document(self, name: str, base: Base, links: Iterable[Link], where: PartWord = "part") -> str:
        """The links of one document, a line each."""
        return cells.lines([_row(name, link) for link in links], raw=self.raw)

    def written(self, name: str, document: HasLinkTexts, where: PartWord = "part") -> None:
        """None: this format makes each link."""

    def disagreements(self, name: str, bases: Mapping[str, Base], found: Sequence[Disagreement]) -> str:
        """The disagreements of cores, a line for each link (rule 3)."""
        held = (link for each in found for link in each.links)
        return cells.lines([(*_row(name, each.link), "; ".join(each.parsers)) for each in held], raw=self.raw)


def csv(presentation: Presentation) -> CsvLinks:
    """The format, from a presentation."""
    columns = (*COLUMNS, "parsers") if presentation.compared else COLUMNS
    return CsvLinks(",".join(columns) + "\n", presentation.raw_csv)


def _row(name: str, link: Link) -> cells.Cells:
    """The cells of one link."""
    start, end = link.span if link.span is not None else (None, None)
    return (
        name,
        link.line,
        link.column,
        start,
        end,
        link.element,
        link.attribute,
        link.kind,
        mask_text(link.reference),
        mask(link.target),
        "true" if link.same_document else "false",
        mask(link.base.uri),
        link.base.origin,
        link.base.where,
        "; ".join(f"{problem.code}: {mask_text(problem.message)}" for problem in link.problems),
        link.part,
        link.inside,
        mask(link.page),
        link.date,
        mask(link.rel),
        mask(link.text),
    )
