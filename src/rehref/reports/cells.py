r"""Cells for spreadsheets: comma-separated values that do no harm, as the formats of links and of findings have them.

1. Quoting is that of RFC 4180; lines end in LF alone.
2. No cell is a formula to a spreadsheet: one that begins with `=`, `+`, `-` or `@` gets a `'` before it (OWASP, "CSV
   Injection"). Control characters, TAB, CR and LF among them, and what else a terminal acts on are shown as escapes:
   `\t`. `raw` leaves both as they are.
   One character alone is no formula (`-` is standard input).
3. No cell is longer than what Python's `csv` reads without being asked to (131,072 characters): of one that is, the
   beginning stands, and how much more there is: `…[4,711 more characters]`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import TypeAlias

from rehref.reports.text import visible

LONGEST_CELL = 131_072
"""`csv.field_size_limit()`, as it is from the beginning."""
_KEPT = 131_000

Cells: TypeAlias = Sequence[str | int | None]
"""The cells of one line."""

_FORMULA = ("=", "+", "-", "@")
# of finished lines: what a cell may begin behind is ",", what a formula begins with "=", a control character NUL
_ROLES = bytes.maketrans(
    b'"\n' + b"+-@" + bytes(range(0x0A)) + bytes(range(0x0B, 0x20)) + b"\x7f",
    b",," + b"===" + bytes(0x1F) + b"\0",
)


def lines(rows: Sequence[Cells], *, raw: bool = False) -> str:
    """Rows as lines (rules 1 to 3)."""
    text = _written(rows)
    is_long = len(text) > LONGEST_CELL and any(len(line) > LONGEST_CELL for line in text.split("\n"))
    if is_long or not (raw or _is_harmless(text, len(rows))):
        return _written([[_fit(cell, raw=raw) for cell in each] for each in rows])
    return text


def _is_harmless(text: str, rows: int) -> bool:
    """Whether in finished lines no cell has to be changed by rule 2, as nearly always; sure if it says so."""
    if text.count("\n") != rows or not (text.isascii() or visible(text.replace("\n", "")) == text.replace("\n", "")):
        return False
    roles = f"\n{text}".encode().translate(_ROLES)
    if '"' not in text:  # then what stands between commas is all of a cell
        roles = roles.replace(b",=,", b",,,")
    return b",=" not in roles and b"\0" not in roles


def _written(rows: Sequence[Cells]) -> str:
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
    """A cell that does no harm (rules 2, 3)."""
    if not isinstance(cell, str):
        return cell
    if not raw:
        cell = visible(cell)
        if len(cell) > 1 and cell.startswith(_FORMULA):
            cell = "'" + cell
    if len(cell) > LONGEST_CELL:
        cell = f"{cell[:_KEPT]}…[{len(cell) - _KEPT:,} more characters]"
    return cell
