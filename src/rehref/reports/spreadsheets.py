"""Links and findings for spreadsheets: comma-separated values that do no harm, one line for each.

Quoting is that of RFC 4180; lines end in LF alone. The columns are those of the JSON, made flat; problems are joined:
`code: message; code: message`. An undefined value is an empty cell.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from rehref.reports.terminal import Mask, mask, visible
from rehref.uri.components import mask_text

if TYPE_CHECKING:
    from rehref.containers.parts import PartWord
    from rehref.documents.base import Base
    from rehref.documents.document import Document
    from rehref.documents.link import Link
    from rehref.reports.disagreement import Disagreement
    from rehref.reports.formats import Presentation
    from rehref.site.findings import CheckResult, Finding

LONGEST_CELL = 131_072
"""The default of `csv.field_size_limit()`."""
_KEPT = 131_000

Cells: TypeAlias = Sequence[str | int | None]
"""The cells of one line."""

_FORMULA = ("=", "+", "-", "@")
# of finished lines: the character before a cell is ",", a formula begins with "=", a control character is NUL
_ROLES = bytes.maketrans(
    b'"\n' + b"+-@" + bytes(range(0x0A)) + bytes(range(0x0B, 0x20)) + b"\x7f",
    b",," + b"===" + bytes(0x1F) + b"\0",
)


def lines(rows: Sequence[Cells], *, raw: bool = False) -> str:
    r"""Rows as lines. `raw`: leave cells as they are.

    No cell is a formula to a spreadsheet: one that begins with `=`, `+`, `-` or `@` gets a `'` before it (OWASP, "CSV
    Injection"; one character alone is not a formula). Control characters, including TAB, CR and LF, and others that a
    terminal acts on are shown as escapes: `\t`. No cell is longer than Python's `csv` reads by default: a longer one is
    cut, and ends with the number of characters left out: `…[4,711 more characters]`.
    """
    text = _written(rows)
    is_long = len(text) > LONGEST_CELL and any(len(line) > LONGEST_CELL for line in text.split("\n"))
    if is_long or not (raw or _is_harmless(text, len(rows))):
        return _written([[_fit(cell, raw=raw) for cell in each] for each in rows])
    return text


def _is_harmless(text: str, rows: int) -> bool:
    """Whether no cell of finished lines has to change, as is nearly always so; True is certain, False is not."""
    if text.count("\n") != rows or not (text.isascii() or visible(text.replace("\n", "")) == text.replace("\n", "")):
        return False
    roles = f"\n{text}".encode().translate(_ROLES)
    if '"' not in text:  # then a cell is the whole text between commas
        roles = roles.replace(b",=,", b",,,")
    return b",=" not in roles and b"\0" not in roles


def _written(rows: Sequence[Cells]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    if "\r" not in text.getvalue():
        return text.getvalue()
    written = _Lines()  # Python before 3.13 quotes a CR only if lines end with it
    csv.writer(written, lineterminator="\r\n").writerows(rows)
    return "".join(f"{line[:-2]}\n" for line in written)


class _Lines(list[str]):
    """Lines, each as it is written."""

    def write(self, line: str) -> None:
        """Take a line."""
        self.append(line)


def _fit(cell: str | int | None, *, raw: bool) -> str | int | None:
    """A cell that does no harm."""
    if not isinstance(cell, str):
        return cell
    if not raw:
        cell = visible(cell)
        if len(cell) > 1 and cell.startswith(_FORMULA):
            cell = "'" + cell
    if len(cell) > LONGEST_CELL:
        cell = f"{cell[:_KEPT]}…[{len(cell) - _KEPT:,} more characters]"
    return cell


LINK_COLUMNS = (
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
        return lines([_row(name, link) for link in links], raw=self.raw)

    def written(self, name: str, document: Document, where: PartWord = "part") -> None:
        """None: this format makes each link."""

    def disagreements(self, name: str, bases: Mapping[str, Base], found: Sequence[Disagreement]) -> str:
        """The disagreements of cores, a line for each link.

        The last column names those that have it: `source; lxml`.
        """
        held = (link for each in found for link in each.links)
        return lines([(*_row(name, each.link), "; ".join(each.parsers)) for each in held], raw=self.raw)


def links(presentation: Presentation) -> CsvLinks:
    """The format of links, from a presentation."""
    columns = (*LINK_COLUMNS, "parsers") if presentation.compared else LINK_COLUMNS
    return CsvLinks(",".join(columns) + "\n", presentation.raw_csv)


def _row(name: str, link: Link) -> Cells:
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


FINDING_COLUMNS = (
    *("document", "line", "column", "span_start", "span_end", "element", "attribute", "reference", "target"),
    *("base", "base_origin", "base_where", "code", "severity", "message", "suggestion", "cause"),
)


def findings(result: CheckResult, presentation: Presentation) -> Iterator[str]:
    """The report of findings, from a result."""
    yield ",".join(FINDING_COLUMNS) + "\n"
    yield lines([tuple(_cells(each, presentation.mask)) for each in result.rows], raw=presentation.raw_csv)


def _cells(finding: Finding, mask: Mask) -> Iterator[str | int | None]:
    """The cells of one finding."""
    yield from (finding.document, finding.line, finding.column)
    yield from (None, None) if finding.span is None else finding.span
    yield from (finding.element, finding.attribute, mask(finding.reference), mask(finding.target))
    base = finding.base
    yield from (None, None, None) if base is None else (mask(base.uri), base.origin, base.where)
    yield from (finding.code, finding.severity, mask(finding.message), mask(finding.suggestion), finding.cause)
