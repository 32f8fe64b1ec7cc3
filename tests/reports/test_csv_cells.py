"""Cells of CSV: no formulas, nothing that commands a terminal, nothing that Python's `csv` does not read."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from patience import PATIENCE
from rehref.reports.spreadsheets import LONGEST_CELL, lines
from rehref.reports.terminal import visible


def read_back(text: str) -> list[list[str]]:
    assert csv.field_size_limit() == LONGEST_CELL == 131_072
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ('=a"b,c', "'=a\"b,c"),
        ("\t=1", "\\t=1"),
        ("\r=1", "\\r=1"),
        ("\n=1", "\\n=1"),
        ("a\x1b[31mb\x7f\x9b", "a\\x1b[31mb\\x7f\\x9b"),
        ("a\u202eb", "a\\u202eb"),
        ("a\ud800b", "a\\ud800b"),
        ("a\nb", "a\\nb"),
        ("", ""),
        ("-", "-"),
        ("'=1", "'=1"),
        ("a=1,-2 @3", "a=1,-2 @3"),
        ("grün", "grün"),
    ],
)
@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_cell_that_does_no_harm(cell: str, shown: str, at: int) -> None:
    row: list[str | int | None] = ["x", 1, None]
    row[at] = cell
    wanted = ["x", "1", ""]
    wanted[at] = shown
    assert read_back(lines([row, ["y"]])) == [wanted, ["y"]]
    assert read_back(lines([["y"], row], raw=True))[1][at] == cell


def test_numbers_stay_numbers() -> None:
    assert lines([[-1, "a"]]) == "-1,a\n"


@example([["@,"]])
@given(st.lists(st.lists(st.text(max_size=5), min_size=1, max_size=3), max_size=4))
def test_every_cell_is_harmless_and_else_as_it_is(rows: list[list[str]]) -> None:
    found = read_back(lines(rows))
    wanted = [
        ["'" + visible(cell) if len(visible(cell)) > 1 and cell[:1] in {*"=+-@"} else visible(cell) for cell in row]
        for row in rows
    ]
    assert found == wanted
    assert all(cell[:1] not in {*"=+-@\t\r"} for row in found for cell in row if len(cell) > 1)


@pytest.mark.parametrize("raw", [True, False])
@pytest.mark.parametrize("cell", ["x" * 131_072, "x" * 131_073, "=" * 131_072, "\x01" * 40_000, "x" * 1_000_000])
def test_no_cell_is_longer_than_python_reads(cell: str, raw: bool) -> None:
    ((found,),) = read_back(lines([[cell]], raw=raw))
    whole = cell if raw else "'" + cell if cell[0] == "=" else visible(cell)
    if len(whole) <= LONGEST_CELL:
        assert found == whole
    else:
        assert found == f"{whole[:131_000]}…[{len(whole) - 131_000:,} more characters]"


PAGE = b'<a href="=cmd|calc">1</a><a href="-x&#27;.html">2</a><img src="data:,%s">' % (b"x" * 200_000)


@pytest.mark.parametrize("command", [("links",), ("links", "--parser", "all"), ("check",)])
@pytest.mark.parametrize("raw", [True, False])
def test_on_the_command_line(tmp_path: Path, command: tuple[str, ...], raw: bool) -> None:
    (tmp_path / "page.html").write_bytes(PAGE if command != ("links", "--parser", "all") else b"<select><a href==1>")
    arguments = [*command, "--format", "csv", *(["--raw-csv"] if raw else []), "."]
    ran = subprocess.run(
        [sys.executable, "-m", "rehref", *arguments], cwd=tmp_path, capture_output=True, timeout=PATIENCE, check=False
    )
    assert ran.returncode in (0, 1), ran.stderr
    rows = list(csv.DictReader(io.StringIO(ran.stdout.decode(), newline="")))
    references = list(dict.fromkeys(row["reference"] for row in rows))
    if "all" in command:
        assert rows == [] or references[0] == ("=1" if raw else "'=1")
    else:
        assert references[:2] == (["=cmd|calc", "-x\x1b.html"] if raw else ["'=cmd|calc", "'-x\\x1b.html"])
