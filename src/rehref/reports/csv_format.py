"""Links for spreadsheets: `csv`, a header and one line for each link.

1. The columns are flat: `span` is `span_start` and `span_end`; of the base there are `base`, `base_origin` and
   `base_where`; problems are joined: `code: message; code: message`.
2. What is undefined is an empty cell. `same_document` is `true` or `false`.
3. Quoting is that of RFC 4180; lines end in LF alone.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rehref.base import Base
from rehref.documents.link import Link
from rehref.entities.parts import Where
from rehref.uri.privacy import mask_text

COLUMNS = (
    "document",
    "line",
    "column",
    "span_start",
    "span_end",
    "element",
    "attribute",
    "kind",
    "reference",
    "target",
    "same_document",
    "base",
    "base_origin",
    "base_where",
    "problems",
    "part",
    "inside",
)


@dataclass(frozen=True, slots=True)
class Csv:
    """Comma-separated values."""

    head: str = ",".join(COLUMNS) + "\n"
    between: str = ""
    tail: str = ""

    def document(self, name: str, base: Base, links: Iterable[Link], where: Where = "part") -> str:
        """The links of one document, a line each."""
        return lines(row(name, link) for link in links)


def lines(rows: Iterable[Sequence[str | int | None]]) -> str:
    """Rows as lines (rule 3)."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def row(name: str, link: Link) -> tuple[str | int | None, ...]:
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
        None if link.target is None else mask_text(link.target),
        "true" if link.same_document else "false",
        None if link.base.uri is None else mask_text(link.base.uri),
        link.base.origin,
        link.base.where,
        "; ".join(f"{problem.code}: {mask_text(problem.message)}" for problem in link.problems),
        link.part,
        link.inside,
    )
