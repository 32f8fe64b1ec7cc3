"""The findings of a check for spreadsheets: `csv`, a header and one line for each finding.

1. The columns are those of the JSON, made flat: `span` is `span_start` and `span_end`; for the base there are `base`,
   `base_origin` and `base_where`.
2. An undefined value is an empty cell.
3. `rehref.reports.cells` writes the cells. Passwords are masked, unless asked for.
"""

from __future__ import annotations

from collections.abc import Iterator

from rehref.checking.model import CheckResult, Finding
from rehref.reports import cells
from rehref.reports.formats import Presentation
from rehref.reports.text import Mask

COLUMNS = (
    *("document", "line", "column", "span_start", "span_end", "element", "attribute", "reference", "target"),
    *("base", "base_origin", "base_where", "code", "severity", "message", "suggestion", "cause"),
)


def csv(result: CheckResult, presentation: Presentation) -> Iterator[str]:
    """The report, from a result."""
    yield ",".join(COLUMNS) + "\n"
    yield cells.lines([tuple(_cells(each, presentation.mask)) for each in result.findings], raw=presentation.raw_csv)


def _cells(finding: Finding, mask: Mask) -> Iterator[str | int | None]:
    """The cells of one finding."""
    yield from (finding.document, finding.line, finding.column)
    yield from (None, None) if finding.span is None else finding.span
    yield from (finding.element, finding.attribute, mask(finding.reference), mask(finding.target))
    base = finding.base
    yield from (None, None, None) if base is None else (mask(base.uri), base.origin, base.where)
    yield from (finding.code, finding.severity, mask(finding.message), mask(finding.suggestion), finding.cause)
