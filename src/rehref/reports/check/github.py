"""What checking found, as annotations of a GitHub workflow: a workflow command for each finding, the summary last.

1. A finding is `::error file=…,line=…,col=…,endColumn=…,title=CODE::MESSAGE` or `::warning …`; what is not known is
   left out. The file is named as from where the command was run, which GitHub takes for the root of the repository.
2. In messages `%`, CR and LF are written `%25`, `%0D` and `%0A`; in properties `:` and `,` also, `%3A` and `%2C`.
   So nothing in a document can give a command of its own: each finding is one line.
3. A suggestion is the second line of the message.
4. The summary is a line of plain text.
"""

from __future__ import annotations

from collections.abc import Iterator

from rehref.checking.model import CheckResult, Finding
from rehref.reports.check.places import LineOf, end_column, file_path, source_line
from rehref.reports.check.words import advice, summary
from rehref.reports.formats import Presentation
from rehref.reports.text import shown

_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def github(result: CheckResult, presentation: Presentation) -> Iterator[str]:
    """The format."""
    for finding in result.findings:
        yield f"{_command(result.folder, finding, presentation.line_of)}\n"
    yield f"rehref: {summary(result.summary)}\n"


def _command(folder: str, finding: Finding, line_of: LineOf | None) -> str:
    properties = ",".join(
        f"{name}={str(value).translate(_PROPERTY)}" for name, value in _properties(folder, finding, line_of)
    )
    message = shown(finding.message, 2000)
    if finding.suggestion is not None:
        message += f"\n{advice(finding)} {shown(finding.suggestion)}"
    severity = "notice" if finding.severity == "info" else finding.severity
    return f"::{severity} {properties}::{message.translate(_DATA)}"


def _properties(folder: str, finding: Finding, line_of: LineOf | None) -> Iterator[tuple[str, str | int]]:
    yield "file", file_path(folder, finding.document)
    if finding.line is not None:
        yield "line", finding.line
        if finding.column is not None:
            yield "col", finding.column
            end = end_column(finding, source_line(finding, line_of))
            if end is not None:
                yield "endColumn", end
    yield "title", finding.code
