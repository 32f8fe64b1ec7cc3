"""The findings of a check as annotations of a GitHub workflow: workflow commands, other causes, counts, summary.

GitHub shows ten annotations of each severity for a step, the first ones. So there are no more; the other causes follow
as lines of plain text, and then the counts. No text of a document can give a command of its own: each cause is one
line, no line of plain text begins with `::`, and `##[`, which begins older commands anywhere in a line, is broken up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from rehref.reports._findings.places_shown import end_column, source_line
from rehref.reports.formats import Presentation
from rehref.reports.terminal import shown, visible
from rehref.reports.words_of_findings import (
    FindingAtPlace,
    code_and_causes,
    counts_of,
    entries,
    extent_of,
    file_path,
    is_of_server,
    left_out,
    suggested,
    summary_of,
    where,
)
from rehref.site.codes import Severity
from rehref.site.findings import CheckResult, Finding, LineOf

_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


MOST_ANNOTATIONS: Final = 10
"""Of each severity; more are not shown."""


def github(result: CheckResult, presentation: Presentation) -> Iterator[str]:
    """The report, from a result."""
    shown_as: Counter[Severity] = Counter()
    others: list[FindingAtPlace] = []
    for entry in entries(result, presentation):
        severity = entry.finding.severity
        shown_as[severity] += 1
        if shown_as[severity] > MOST_ANNOTATIONS:
            others.append(entry)
        else:
            yield f"{_command(result.folder, entry, presentation.line_of)}\n"
    for line in (*(_line(result.folder, each) for each in others), *_counts(result, presentation)):
        yield f"rehref: {visible(line).replace('##[', '## [')}\n"
    yield f"rehref: {summary_of(result)}\n"


def _line(folder: str, entry: FindingAtPlace) -> str:
    """A line for a cause that is not an annotation."""
    finding, cause = entry
    extent = "" if cause is None else f" {extent_of(cause)}, first"
    return f"{finding.severity} {finding.code}{extent} {where(folder, finding)}: {shown(finding.message)}"


def _counts(result: CheckResult, presentation: Presentation) -> Iterator[str]:
    missing = left_out(result, presentation)
    if missing:
        yield missing
    counts = counts_of(result)
    if counts is not None:
        yield from (f"{each.findings:,} × {each.severity} {code_and_causes(each)}" for each in counts.codes)
        yield from (f"{each.findings:,} × target {shown(each.name)}" for each in counts.targets)
        yield from (f"{each.findings:,} × page {shown(each.name)}" for each in counts.pages)


def _command(folder: str, entry: FindingAtPlace, line_of: LineOf | None) -> str:
    """A cause at its first place: `::error file=…,line=…,col=…,endColumn=…,title=CODE::MESSAGE` or `::warning …`.

    The number of its findings comes last in the message; a suggestion is the second line. In messages `%`, CR and LF
    are written `%25`, `%0D` and `%0A`; in properties also `:` and `,` as `%3A` and `%2C`.
    """
    finding, cause = entry
    properties = ",".join(
        f"{name}={visible(str(value).translate(_PROPERTY))}" for name, value in _properties(folder, finding, line_of)
    )
    message = shown(finding.message, 2000)
    instead = suggested(entry, shown)
    message += f"\n{instead}" if instead else ""
    if cause is not None:
        message += f"\n{extent_of(cause)}"
    severity = "notice" if finding.severity == "info" else finding.severity
    return f"::{severity} {properties}::{message.translate(_DATA)}"


def _properties(folder: str, finding: Finding, line_of: LineOf | None) -> Iterator[tuple[str, str | int]]:
    """Those that are known. The file is relative to the directory of the command, which GitHub takes for the root of
    the repository. A page of a server is not a file there: the title has its URL.
    """
    path = file_path(folder, finding.document)
    if is_of_server(folder):
        yield "title", f"{finding.code} {path}"
        return
    yield "file", path
    if finding.line is not None:
        yield "line", finding.line
        if finding.column is not None:
            yield "col", finding.column
            end = end_column(finding, source_line(finding, line_of))
            if end is not None:
                yield "endColumn", end
    yield "title", finding.code
