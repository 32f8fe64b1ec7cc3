"""The findings of a check in Markdown as GitHub, GitLab and others show it (GFM), for the summary of a job.

The summary is the first line. Then comes a table of the causes; with `all_places`, each document has a heading and a
table of its findings instead. The counts are at the end. No text of a document makes a link, an image or a heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rehref.reports.formats import Presentation
from rehref.reports.terminal import count, shown, visible
from rehref.reports.words_of_findings import (
    FindingAtPlace,
    counts_of,
    entries,
    file_path,
    left_out,
    place,
    position,
    suggested,
    summary_of,
    where,
)
from rehref.site.findings import Cause, CheckResult, Finding

LONGEST = 1_000_000
"""Bytes; slightly less than 1 MiB."""

_HEAD = "| Place | Reference | Severity | Problem | Suggestion |\n|---|---|---|---|---|\n"
_CAUSES_HEAD = "| Pages | First | Reference | Severity | Problem | Suggestion |\n|--:|---|---|---|---|---|\n"
_UNFIT_FOR_SPAN = re.compile(r"[`|\\]|^ | $")
# punctuation with a meaning (CommonMark §2.4, GFM tables and strikethrough, GitHub's $ and @), beginnings of addresses
_MEANINGFUL = re.compile(r"[\\`*_{}\[\]<>&|~$@#!]|:(?=//)|(?<=www)\.", re.IGNORECASE)
_ANY = re.compile(r"[^A-Za-z0-9 /-]")


def _reference(found: re.Match[str]) -> str:
    return f"&#{ord(found[0])};"


def code(text: str) -> str:
    """The text as code in a cell, masked, shortened and visible; "" for an empty text.

    In backticks, or, if it has backticks, vertical bars or backslashes, in a `code` element with character references,
    which nothing about the end of a cell or a code span affects.
    """
    text = shown(text, 200)
    if text == "":
        return "<code></code>"
    if _UNFIT_FOR_SPAN.search(text) is None:
        return f"`{text}`"
    return f"<code>{_ANY.sub(_character, text)}</code>"


def _character(found: re.Match[str]) -> str:
    return _reference(found) if found[0].isascii() else found[0]


def prose(text: str) -> str:
    """The text as prose in a cell, masked and visible.

    Characters with a meaning in Markdown are character references.
    """
    return _MEANINGFUL.sub(_reference, shown(text, 1000))


def markdown(result: CheckResult, presentation: Presentation, longest: int = LONGEST) -> Iterator[str]:
    """The report, from a result; `longest`: its length in bytes, at most.

    A job's summary may be 1 MiB long on GitHub, and is refused if it is longer. Entries that do not fit are left out,
    and their number follows; there is always room for the counts.
    """
    first = f"**rehref**: {summary_of(result)}\n"
    yield first
    end = "".join(_counts(result))
    size = len(first) + len(end.encode("utf-8", "backslashreplace")) + 100  # for the line about missing entries
    missing = left_out(result, presentation)
    shown_are = list(entries(result, presentation))
    for done, piece in enumerate(_pieces(result.folder, shown_are, all_places=presentation.all_places)):
        size += len(piece.encode("utf-8", "backslashreplace"))
        if size > longest:
            missing = f"{count(len(shown_are) - done, presentation.entry)} more: too many to show here."
            break
        yield piece
    yield f"\n{missing}\n" if missing else ""
    yield end


def _pieces(folder: str, shown_are: list[FindingAtPlace], *, all_places: bool) -> Iterator[str]:
    """The row of each entry, the first, or the first of a document, with the headings before it."""
    head = "" if all_places else f"\n{_CAUSES_HEAD}"
    document = None
    for finding, cause in shown_are:
        if all_places and finding.document != document:
            document = finding.document
            head = f"\n### {code(visible(file_path(folder, document)))}\n\n{_HEAD}"
        place_of = position(finding) if all_places else f"{_extent(cause)} | {code(where(folder, finding))}"
        yield f"{head}| {place_of} | {_cells(finding, cause)} |\n"
        head = ""


def _extent(cause: Cause | None) -> str:
    """The number of its pages."""
    if cause is None:
        return "1"
    places = "" if cause.documents == cause.occurrences else f" ({count(cause.occurrences, 'place')})"
    return f"{cause.documents:,}{places}"


def _counts(result: CheckResult) -> Iterator[str]:
    """The tables of counts."""
    counts = counts_of(result)
    if counts is None:
        return
    yield "\n| Findings | Severity | Code | Causes |\n|--:|---|---|--:|\n"
    for each in counts.codes:
        yield f"| {each.findings:,} | {each.severity} | {prose(each.code)} | {each.causes:,} |\n"
    for heading, top in (("Top targets", counts.targets), ("Top pages", counts.pages)):
        if top:
            yield f"\n| Findings | {heading} |\n|--:|---|\n"
            yield from (f"| {each.findings:,} | {code(each.name)} |\n" for each in top)


def _suggested(finding: Finding, cause: Cause | None) -> str:
    """What to write instead; all that is suggested at the places of a cause, if that differs."""
    if cause is not None and len(cause.suggestions) > 1:
        return suggested(FindingAtPlace(finding, cause), code)
    return "" if finding.suggestion is None else code(finding.suggestion) + ("" if finding.sure else " ?")


def _cells(finding: Finding, cause: Cause | None) -> str:
    """The cells besides its place."""
    cells = (
        code(finding.reference) if finding.reference or place(finding) else "",
        f"**{finding.severity}**" if finding.severity == "error" else finding.severity,
        f"{prose(finding.code)}: {prose(finding.message)}",
        _suggested(finding, cause),
    )
    return " | ".join(cells)
