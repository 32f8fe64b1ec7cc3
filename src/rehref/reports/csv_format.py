r"""Links for spreadsheets: `csv`, a header and one line for each link.

1. The columns are flat: `span` is `span_start` and `span_end`; of the base there are `base`, `base_origin` and
   `base_where`; problems are joined: `code: message; code: message`.
2. What is undefined is an empty cell. `same_document` is `true` or `false`.
3. Quoting is that of RFC 4180; lines end in LF alone.
4. No cell is a formula to a spreadsheet: one that begins with `=`, `+`, `-` or `@` gets a `'` before it (OWASP, "CSV
   Injection"). Control characters, TAB, CR and LF among them, and what else a terminal acts on are shown as escapes:
   `\t`. `raw` leaves both as they are.
   One character alone is no formula (`-` is standard input).
5. No cell is longer than what Python's `csv` reads without being asked to (131,072 characters): of one that is, the
   beginning stands, and how much more there is: `…[4,711 more characters]`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rehref.base import Base
from rehref.containers.parts import PartWord
from rehref.documents.link import Link
from rehref.reports.text import visible
from rehref.uri.privacy import mask_text

LONGEST_CELL = 131_072
"""`csv.field_size_limit()`, as it is from the beginning."""
_KEPT = 131_000

Row: TypeAlias = Sequence[str | int | None]

_FORMULA = ("=", "+", "-", "@")
# of finished lines: what a cell may begin behind is ",", what a formula begins with "=", a control character NUL
_ROLES = bytes.maketrans(
    b'"\n' + b"+-@" + bytes(range(0x0A)) + bytes(range(0x0B, 0x20)) + b"\x7f",
    b",," + b"===" + bytes(0x1F) + b"\0",
)

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
    """Comma-separated values. `raw`: cells as they are, be they formulas (rule 4)."""

    raw: bool = False
    head: str = ",".join(COLUMNS) + "\n"
    between: str = ""
    tail: str = ""

    def document(self, name: str, base: Base, links: Iterable[Link], where: PartWord = "part") -> str:
        """The links of one document, a line each."""
        return lines([row(name, link) for link in links], raw=self.raw)


def lines(rows: Sequence[Row], *, raw: bool = False) -> str:
    """Rows as lines (rules 3 to 5)."""
    text = _written(rows)
    is_long = len(text) > LONGEST_CELL and any(len(line) > LONGEST_CELL for line in text.split("\n"))
    if is_long or not (raw or _is_harmless(text, len(rows))):
        return _written([[_fit(cell, raw=raw) for cell in each] for each in rows])
    return text


def _is_harmless(text: str, rows: int) -> bool:
    """Whether in finished lines no cell has to be changed by rule 4, as nearly always; sure if it says so."""
    if text.count("\n") != rows or not (text.isascii() or visible(text.replace("\n", "")) == text.replace("\n", "")):
        return False
    roles = f"\n{text}".encode().translate(_ROLES)
    return b",=" not in roles.replace(b",=,", b",,,") and b"\0" not in roles


def _written(rows: Sequence[Row]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    if "\r" not in text.getvalue():
        return text.getvalue()
    written = _Lines()  # Python before 3.13 quotes a CR only if lines end with one
    csv.writer(written, lineterminator="\r\n").writerows(rows)
    return "".join(f"{line[:-2]}\n" for line in written)


class _Lines(list[str]):
    """Lines, each as it is written."""

    def write(self, line: str) -> None:
        """Take a line."""
        self.append(line)


def _fit(cell: str | int | None, *, raw: bool) -> str | int | None:
    """A cell that does no harm (rules 4, 5)."""
    if not isinstance(cell, str):
        return cell
    if not raw:
        cell = visible(cell)
        if len(cell) > 1 and cell.startswith(_FORMULA):
            cell = "'" + cell
    if len(cell) > LONGEST_CELL:
        cell = f"{cell[:_KEPT]}…[{len(cell) - _KEPT:,} more characters]"
    return cell


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
