"""The formats of `rehref check` by name.

1. A format is a value with one method, `text`, that takes the whole result and gives the whole report.
2. Modules are loaded when their format is asked for.
3. Formats for programs are the same on every machine: no colours, no widths.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from rehref.checking.model import CheckResult
from rehref.reports.check.places import LineOf
from rehref.reports.style import PLAIN, Style

NAMES = ("text", "json", "jsonl", "csv", "sarif", "junit", "github", "markdown", "html")
"""All formats; the first is for terminals."""


class CheckFormat(Protocol):
    """A way to show what checking found."""

    def text(self, result: CheckResult) -> str:
        """The whole report, with a line end at its end (or nothing)."""


@runtime_checkable
class PieceByPiece(Protocol):
    """A format whose reports may be large, and are never made as a whole."""

    def pieces(self, result: CheckResult) -> Iterator[str]:
        """The report, piece by piece."""


def make_format(
    name: str,
    *,
    columns: int | None = None,
    style: Style = PLAIN,
    line_of: LineOf | None = None,
    note: str = "",
    raw_csv: bool = False,
) -> CheckFormat:
    """The format of that name. Raises `ValueError` for a name that is none.

    `columns`, `style`: those of the terminal, for `text`; `columns` None: no folding. `line_of`: gives source lines,
    for `text` and `html`, and for `sarif` and `github`, which know more columns by it. `note`: what the summary of
    `text` says besides. `raw_csv`: cells of `csv` as they are, be they formulas.
    """
    if name == "text":
        from rehref.reports.check.text import Text

        return Text(columns, style, line_of, note)
    if name in ("json", "jsonl"):
        from rehref.reports.check.json import Json, JsonLines

        return Json() if name == "json" else JsonLines()
    if name == "csv":
        from rehref.reports.check.csv import Csv

        return Csv(raw_csv)
    if name == "sarif":
        from rehref.reports.check.sarif import Sarif

        return Sarif(line_of)
    if name == "junit":
        from rehref.reports.check.junit import JUnit

        return JUnit()
    if name == "github":
        from rehref.reports.check.github import GitHub

        return GitHub(line_of)
    if name == "markdown":
        from rehref.reports.check.markdown import Markdown

        return Markdown()
    if name == "html":
        from rehref.reports.check.html import Html

        return Html(line_of)
    raise ValueError(f"{name!r} is no format; there are {', '.join(NAMES)}")
