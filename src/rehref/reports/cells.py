r"""Cells of spreadsheets: comma-separated values that do no harm, for the formats of links and of findings.

1. Quoting is that of RFC 4180; lines end in LF alone.
2. No cell is a formula to a spreadsheet: a cell that begins with `=`, `+`, `-` or `@` gets a `'` before it (OWASP, "CSV
   Injection"). Control characters, including TAB, CR and LF, and other characters that a terminal acts on are shown as
   escapes: `\t`. `raw` leaves both as they are.
   One character alone is not a formula (`-` is standard input).
3. No cell is longer than Python's `csv` reads by default (131,072 characters): a longer one is cut, and ends with the
   number of characters left out: `…[4,711 more characters]`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import TypeAlias

from rehref.reports.text import visible

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
    """Rows as lines (rules 1 to 3)."""
    text = _written(rows)
    is_long = len(text) > LONGEST_CELL and any(len(line) > LONGEST_CELL for line in text.split("\n"))
    if is_long or not (raw or _is_harmless(text, len(rows))):
        return _written([[_fit(cell, raw=raw) for cell in each] for each in rows])
    return text


def _is_harmless(text: str, rows: int) -> bool:
    """Whether rule 2 changes no cell of finished lines, as is nearly always so; True is certain, False is not."""
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
