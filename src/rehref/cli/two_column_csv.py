"""CSV tables with two columns, for `--map` and `--urls`.

1. Each row has two cells. Empty lines do not count.
2. The first row is a header if neither of its cells is an entry: a URI, or a text that looks like a path (no white
   space, and a slash, `*`, or a dot or colon within a name). A caller may know more entries, such as the files there
   are. A first row that is not a header is read like any other row, so that its errors are reported.
3. If two rows contradict each other, the first counts; one line reports this, with the number of the later row.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from rehref.files.file_errors import FileError
from rehref.files.reading import read_file
from rehref.uri.components import split

_LIKE_A_PATH = re.compile(r"\S*(?:[/*]|[^\s.:][.:]\w)\S*").fullmatch


class TableRow(NamedTuple):
    """A row: the number of its last line, from 1, and its cells."""

    line: int
    first: str
    second: str


def read_text(name: str) -> str:
    """Return the text of a table's file, which is UTF-8. Raises `FileError`."""
    try:
        return read_file(name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(name, f"is not UTF-8 (byte {error.start})", "save it as UTF-8") from error


def rows(name: str, text: str, shape: str, is_entry: Callable[[str], bool] = lambda _: False) -> Iterator[TableRow]:
    """Yield the rows except a header. Raises `FileError`.

    `name`: the name of the file; `shape`: for people, how to write the table; `is_entry`: finds other entries.
    """
    read = csv.reader(text.splitlines(keepends=True), strict=True)
    first = True
    try:
        for row in read:
            if not row:
                continue
            if len(row) != 2:
                raise FileError(name, f"line {read.line_num}: two columns are needed, not {len(row)}", shape)
            if not first or any(split(cell).scheme is not None or _LIKE_A_PATH(cell) or is_entry(cell) for cell in row):
                yield TableRow(read.line_num, row[0], row[1])
            first = False
    except csv.Error as error:
        raise FileError(name, f"is not CSV: line {read.line_num}: {error}", shape) from error


def in_one_line(name: str, contradictions: list[str]) -> str | None:
    """Return the line about rows that contradict earlier ones (rule 3); None if there are none."""
    if not contradictions:
        return None
    more = f" (and {len(contradictions) - 1:,} more like it)" if len(contradictions) > 1 else ""
    return f"{name}: {contradictions[0]}{more}"
