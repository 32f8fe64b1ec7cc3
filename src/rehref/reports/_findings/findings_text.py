"""The findings of a check for people: each cause once, with the source line of its first place; the summary last.

Errors come before warnings, and causes with more findings first. The causes with the most findings are shown, the first
of them with their source lines, and one line counts the others, unless all are asked for, or a number of them. With a
width, sentences are folded; paths and references are not, so that they can be clicked and copied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rehref.reports._findings.places_shown import by_document, excerpt, source_line
from rehref.reports.formats import Presentation
from rehref.reports.terminal import shown, visible, width, wrap
from rehref.reports.words_of_findings import (
    FindingAtPlace,
    code_and_causes,
    counts_of,
    entries,
    extent_of,
    file_path,
    leads_to,
    left_out,
    other_base,
    place,
    share,
    suggested,
    summary_of,
    tally_of,
    where,
)
from rehref.site.findings import CheckResult, Finding

_INDENT = "    "
_NARROWEST = 40
_USUAL = 100
_MOST = 25
"""Causes that are shown by default."""
_WITH_SOURCE = 4
"""Of these, the causes with source line, target and base."""
_TOP = 5
"""Targets and pages that are named if not all causes are shown."""
_MANY = 100
"""Findings from which on causes are shown with their share of them."""


def text(result: CheckResult, presentation: Presentation) -> Iterator[str]:
    """The report, from a result."""
    style = presentation.style
    is_short = presentation.most is None and not (presentation.all or presentation.all_places)
    if is_short:
        presentation = presentation._replace(most=_MOST)
    total = len(result.rows)
    tallies = {}
    if presentation.all_places:
        tallies = {document: tally_of(own) for document, own in by_document(result.rows)}
    document = None
    is_cut = is_short and len(result.causes) > _WITH_SOURCE
    for number, entry in enumerate(entries(result, presentation)):
        if presentation.all_places and entry.finding.document != document:
            document = entry.finding.document
            path = visible(file_path(result.folder, document))
            yield f"{style.strong(path)}  {style.faint(tallies[document])}\n\n"
        part = "" if entry.cause is None or total < _MANY else f", {share(entry.cause.occurrences, total)} of all"
        is_brief = is_cut and number >= _WITH_SOURCE
        lines = _entry(where(result.folder, entry.finding), entry, presentation, part, is_brief=is_brief)
        yield from (f"{line}\n" for line in lines)
        yield "" if is_brief else "\n"
    yield "\n" if is_cut else ""
    missing = left_out(result, presentation, "--all shows all" if is_short else "")
    yield f"{missing}\n\n" if missing else ""
    yield from _counts(result, presentation, _TOP if is_cut else None)
    mark = style.removed if result.summary.broken else style.alarm if result.summary.warnings else style.good
    if not presentation.quiet:
        yield f"{mark(summary_of(result))}{shown(presentation.note)}\n"


def _counts(result: CheckResult, presentation: Presentation, most: int | None) -> Iterator[str]:
    """The lines about all findings together. `most`: the number of targets and pages to name; None: all there are."""
    counts = counts_of(result)
    if counts is None:
        return
    style = presentation.style
    widest = max(len(f"{each.findings:,}") for each in counts.codes)
    yield f"{style.strong('by code')}\n"
    for code in counts.codes:
        mark = style.removed if code.severity == "error" else style.alarm
        yield f"{code.findings:{widest + 2},}  {mark(f'{code.severity} {code_and_causes(code)}')}\n"
    for heading, top in (("top targets", counts.targets), ("top pages", counts.pages)):
        yield f"{style.strong(heading)}\n" if top else ""
        yield from (f"{each.findings:{widest + 2},}  {shown(each.name)}\n" for each in top[:most])
    yield "\n"
    if len(result.causes) < len(result.rows) and not presentation.all_places:
        yield f"{style.faint('a cause is one mistake, wherever it is; shown is its first place (--all-places: all)')}\n"


def _entry(at: str, entry: FindingAtPlace, presentation: Presentation, part: str, *, is_brief: bool) -> Iterator[str]:
    """A finding begins with `path:line:column`, which terminals and editors turn into a link, then severity, code and
    place.

    A cause with several findings begins with the number of its pages and the reference; the first place comes last. The
    message follows, then the source line with the reference underlined, the target, the base and the suggestion.
    """
    style = presentation.style
    finding, cause = entry
    mark = style.removed if finding.severity == "error" else style.alarm
    heading = [at if cause is None else f"{extent_of(cause)}{part}: {_quoted(finding.reference)}"]
    heading.append(mark(f"{finding.severity} {finding.code}"))
    if place(finding):
        heading.append(style.place(shown(place(finding), 80)))
    yield "  ".join(heading) + ("" if cause is None else f", first {at}")
    room = None if presentation.columns is None else max(_NARROWEST, presentation.columns - len(_INDENT))
    yield from (_INDENT + line for line in wrap(shown(finding.message, 2000), room))
    if not is_brief:
        yield from _details(finding, presentation, mark)
    instead = suggested(entry, lambda text: style.good(_quoted(text)))
    if instead:
        yield _INDENT + instead


def _details(finding: Finding, presentation: Presentation, mark: Callable[[str], str]) -> Iterator[str]:
    """The source line, the target, and the base if that is another."""
    style = presentation.style
    yield from (_INDENT + line for line in _source(finding, presentation, mark))
    target, base = leads_to(finding), other_base(finding)
    if target is not None:
        yield f"{_INDENT}{style.faint('→')} {style.target(shown(target))}"
    if base is not None:
        yield _INDENT + style.faint(f"relative to {shown(base.uri or '')}  ({shown(base.where)})")


def _source(finding: Finding, presentation: Presentation, mark: Callable[[str], str]) -> Iterator[str]:
    """The source line and the underline, with the line's number on their left."""
    line = source_line(finding, presentation.line_of)
    number = f"{finding.line} "
    columns = _USUAL if presentation.columns is None else max(_NARROWEST, presentation.columns)
    found = None if line is None else excerpt(finding, line, columns - len(_INDENT) - len(number) - 4)
    if found is None:
        if place(finding):
            yield _quoted(finding.reference)
        return
    faint = presentation.style.faint
    yield f"{faint(f'{number}|')} {found.before}{mark(found.marked)}{found.after}"
    underline = " " * width(found.before) + mark("^" * max(1, width(found.marked)))
    yield f"{faint(' ' * len(number) + '|')} {underline}"


def _quoted(reference: str) -> str:
    """A reference as it is shown; an empty one is `""`."""
    return shown(reference) or '""'
