"""What checking found, as a page to be looked at in a browser.

1. It is one file, made of `page.html`, and asks nothing of any server: style and script are in it, and its
   Content-Security-Policy allows those two by their hashes and nothing else. It follows the colours the reader
   prefers, light or dark.
2. Whatever comes from documents is escaped by the template (Jinja's autoescape), and is text only: no reference of a
   document is a link here.
3. A code is a section with its causes, each shown by its first place; with `all_places`, a document is one with its
   path and its findings. Each has its place, severity, code (with what that means),
   message, source line with the reference marked, target, base (if another than the document's URI) and suggestion.
4. Findings can be filtered by words, all of which must occur, and by severity. Without scripts all are shown.
5. The counts are the end.
6. Passwords are masked; control characters are shown as escapes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from typing import NamedTuple

from rehref.checking.model import CheckResult, Finding
from rehref.codes import CODES
from rehref.reports.check.counts import Entry, code_and_causes, counts_of, entries, extent_of, left_out
from rehref.reports.check.places import Excerpt, excerpt, file_path, position, source_line, where
from rehref.reports.check.words import advice, leads_to, other_base, place, place_of_site, summary_of, tally_of
from rehref.reports.content_policy import policy_hash
from rehref.reports.formats import Presentation
from rehref.reports.text import shown, visible

_COLUMNS = 160
_FUNCTIONS = (advice, code_and_causes, extent_of, leads_to, other_base, place, position, shown)
"""What the template calls."""

_STYLE = re.compile("<style>(.*?)</style>", re.DOTALL)
_SCRIPT = re.compile("<script>(.*?)</script>", re.DOTALL)


def html(result: CheckResult, presentation: Presentation) -> Iterator[str]:
    """The format."""
    from jinja2 import Environment, StrictUndefined

    def source(finding: Finding) -> Excerpt | None:
        line = source_line(finding, presentation.line_of)
        return None if line is None else excerpt(finding, line, _COLUMNS)

    page = files("rehref.reports.check").joinpath("page.html").read_text("utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=True)
    yield environment.from_string(page).render(
        summary=summary_of(result),
        path=lambda document: visible(file_path(result.folder, document)),
        sites=list(map(place_of_site, result.sites)),
        hints=list(result.hints),
        sections=list(_sections(result, presentation)),
        left_out=left_out(result, presentation),
        counts=counts_of(result),
        by_document=presentation.all_places,
        codes=CODES,
        where=lambda finding: where(result.folder, finding),
        excerpt=source,
        **{
            each.__name__: each
            for each in (advice, code_and_causes, extent_of, leads_to, other_base, place, position, shown, tally_of)
        },
        style_hash=policy_hash("".join(_STYLE.findall(page))),
        script_hash=policy_hash("".join(_SCRIPT.findall(page))),
    )


class Section(NamedTuple):
    """A part of the page: what it is headed by, how much is in it, and what is shown of that."""

    heading: str
    tally: str
    entries: list[Entry]


def _sections(result: CheckResult, presentation: Presentation) -> Iterator[Section]:
    """The parts of the page (rule 3)."""
    findings: dict[str, list[Finding]] = {}
    shown_are: dict[str, list[Entry]] = {}
    for entry in entries(result, presentation):
        shown_are.setdefault(_heading(result, entry.finding, presentation), []).append(entry)
    for finding in result.findings:
        findings.setdefault(_heading(result, finding, presentation), []).append(finding)
    for heading, own in shown_are.items():
        yield Section(heading, tally_of(findings[heading]), own)


def _heading(result: CheckResult, finding: Finding, presentation: Presentation) -> str:
    """What a finding stands below."""
    return visible(file_path(result.folder, finding.document)) if presentation.all_places else finding.code
