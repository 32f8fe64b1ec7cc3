"""What checking found, for people: grouped by document, each finding with its source line, the summary last.

1. A document begins with its path and how many errors and warnings it has.
2. A finding begins with `path:line:column`, which terminals and editors make a link of, then its severity, code,
   element and attribute. The message follows.
3. Below is the source line with the reference underlined. Without it, the reference stands alone.
4. Then the target, unless it is the reference itself; with it the base, if that is another than the document's own
   URI; and the suggestion.
5. With a width, sentences are folded; paths and references are not, so that they can be clicked and copied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rehref.checking.model import CheckResult, Finding
from rehref.reports.check.places import by_document, excerpt, file_path, position, source_line
from rehref.reports.check.words import advice, leads_to, other_base, place, summary, tally_of
from rehref.reports.formats import Presentation
from rehref.reports.text import shown, visible, width, wrap

_INDENT = "    "
_NARROWEST = 40
_USUAL = 100


def text(result: CheckResult, presentation: Presentation) -> Iterator[str]:
    """The format."""
    style = presentation.style
    for document, findings in by_document(result.findings):
        path = visible(file_path(result.folder, document))
        yield f"{style.strong(path)}  {style.faint(tally_of(findings))}\n"
        for finding in findings:
            yield "\n"
            yield from (f"{line}\n" for line in _finding(path, finding, presentation))
        yield "\n"
    mark = style.removed if result.summary.broken else style.alarm if result.summary.warnings else style.good
    yield f"{mark(summary(result.summary))}{shown(presentation.note)}\n"


def _finding(path: str, finding: Finding, presentation: Presentation) -> Iterator[str]:
    style = presentation.style
    mark = style.removed if finding.severity == "error" else style.alarm
    heading = [":".join(filter(None, (path, position(finding)))), mark(f"{finding.severity} {finding.code}")]
    if place(finding):
        heading.append(style.place(shown(place(finding), 80)))
    yield "  ".join(heading)
    room = None if presentation.columns is None else max(_NARROWEST, presentation.columns - len(_INDENT))
    yield from (_INDENT + line for line in wrap(shown(finding.message, 2000), room))
    yield from (_INDENT + line for line in _source(finding, presentation, mark))
    target, base = leads_to(finding), other_base(finding)
    if target is not None:
        yield f"{_INDENT}{style.faint('→')} {style.target(shown(target))}"
    if base is not None:
        yield _INDENT + style.faint(f"relative to {shown(base.uri or '')}  ({shown(base.where)})")
    if finding.suggestion is not None:
        yield f"{_INDENT}{advice(finding)} {style.good(_quoted(finding.suggestion))}"


def _source(finding: Finding, presentation: Presentation, mark: Callable[[str], str]) -> Iterator[str]:
    """The source line and the underline, with the line's number at their left."""
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
