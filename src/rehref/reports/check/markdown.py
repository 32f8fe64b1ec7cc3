"""What checking found, in Markdown as GitHub, GitLab and others show it (GFM): fit for the summary of a job.

1. The summary is the first line. Then each document has a heading and a table: place, reference, severity, problem,
   suggestion.
2. References are code: in backticks, or, where they have backticks, vertical bars or backslashes, in a `code` element
   with character references, which need no rule about what ends a cell or a code span.
3. In messages all characters that mean something in Markdown are character references, so that nothing in a document
   makes a link, an image or a heading; what looks like an address is no link.
4. A job's summary may be 1 MiB long on GitHub, and is refused if it is longer. What does not fit is left out, and how
   much that is comes last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rehref.checking.model import CheckResult, Finding
from rehref.reports.check.places import by_document, file_path, position
from rehref.reports.check.words import place, summary
from rehref.reports.formats import Presentation
from rehref.reports.text import count, shown, visible

LONGEST = 1_000_000
"""Bytes; somewhat less than 1 MiB."""

_HEAD = "| Place | Reference | Severity | Problem | Suggestion |\n|---|---|---|---|---|\n"
_UNFIT_FOR_SPAN = re.compile(r"[`|\\]|^ | $")
# punctuation with a meaning (CommonMark §2.4, GFM tables and strikethrough, GitHub's $ and @), what begins an address
_MEANINGFUL = re.compile(r"[\\`*_{}\[\]<>&|~$@#!]|:(?=//)|(?<=www)\.", re.IGNORECASE)
_ANY = re.compile(r"[^A-Za-z0-9 /-]")


def _reference(found: re.Match[str]) -> str:
    return f"&#{ord(found[0])};"


def code(text: str) -> str:
    """The text as code in a cell (rule 2), masked, shortened and visible; "" of nothing."""
    text = shown(text, 200)
    if text == "":
        return "<code></code>"
    if _UNFIT_FOR_SPAN.search(text) is None:
        return f"`{text}`"
    return f"<code>{_ANY.sub(_character, text)}</code>"


def _character(found: re.Match[str]) -> str:
    return _reference(found) if found[0].isascii() else found[0]


def prose(text: str) -> str:
    """The text as prose in a cell (rule 3), masked and visible."""
    return _MEANINGFUL.sub(_reference, shown(text, 1000))


def markdown(result: CheckResult, _: Presentation, longest: int = LONGEST) -> Iterator[str]:
    """The format; `longest`: bytes of it all (rule 4)."""
    first = f"**rehref**: {summary(result.summary)}\n"
    yield first
    size = len(first) + 100  # for the last line
    for done, piece in enumerate(_pieces(result)):
        size += len(piece.encode("utf-8", "backslashreplace"))
        if size > longest:
            yield f"\n{count(len(result.findings) - done, 'finding')} more: too many to be shown here.\n"
            return
        yield piece


def _pieces(result: CheckResult) -> Iterator[str]:
    """The row of each finding, the first of a document with the headings before it."""
    for document, findings in by_document(result.findings):
        path = visible(file_path(result.folder, document))
        head = f"\n### {code(path)}\n\n{_HEAD}"
        for finding in findings:
            yield head + _row(finding)
            head = ""


def _row(finding: Finding) -> str:
    cells = (
        position(finding),
        code(finding.reference) if finding.reference or place(finding) else "",
        f"**{finding.severity}**" if finding.severity == "error" else finding.severity,
        f"{prose(finding.code)}: {prose(finding.message)}",
        "" if finding.suggestion is None else code(finding.suggestion) + ("" if finding.sure else " ?"),
    )
    return f"| {' | '.join(cells)} |\n"
