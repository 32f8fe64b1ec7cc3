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

from collections.abc import Iterator
from dataclasses import dataclass

from rehref.checking.model import CheckResult, Finding
from rehref.reports.check.places import LineOf, by_document, excerpt, file_path, position, source_line
from rehref.reports.check.words import advice, place, summary, tally_of
from rehref.reports.style import PLAIN, Style
from rehref.reports.text import shown, visible, width, wrap

_INDENT = "    "
_NARROWEST = 40
_USUAL = 100


@dataclass(frozen=True, slots=True)
class Text:
    """Text for a terminal; `columns`: the width to fold to, None for no folding; `line_of`: gives source lines.

    `note`: what the summary says besides.
    """

    columns: int | None = None
    style: Style = PLAIN
    line_of: LineOf | None = None
    note: str = ""

    def text(self, result: CheckResult) -> str:
        """The whole report."""
        return "\n".join(self._lines(result)) + "\n"

    def _lines(self, result: CheckResult) -> Iterator[str]:
        style = self.style
        for document, findings in by_document(result.findings):
            path = visible(file_path(result.folder, document))
            yield f"{style.strong(path)}  {style.faint(tally_of(findings))}"
            for finding in findings:
                yield ""
                yield from self._finding(path, finding)
            yield ""
        mark = style.removed if result.summary.broken else style.alarm if result.summary.warnings else style.good
        yield mark(summary(result.summary)) + shown(self.note)

    def _finding(self, path: str, finding: Finding) -> Iterator[str]:
        style = self.style
        mark = style.removed if finding.severity == "error" else style.alarm
        heading = [":".join(filter(None, (path, position(finding)))), mark(f"{finding.severity} {finding.code}")]
        if place(finding):
            heading.append(style.place(shown(place(finding), 80)))
        yield "  ".join(heading)
        room = None if self.columns is None else max(_NARROWEST, self.columns - len(_INDENT))
        yield from (_INDENT + line for line in wrap(shown(finding.message, 2000), room))
        yield from (_INDENT + line for line in self._source(finding))
        yield from (_INDENT + line for line in self._target(finding))
        if finding.suggestion is not None:
            yield f"{_INDENT}{advice(finding)} {style.good(_quoted(finding.suggestion))}"

    def _target(self, finding: Finding) -> Iterator[str]:
        """Where the reference leads, and what it is relative to (rule 4)."""
        target, base = finding.target, finding.base
        if target is None or target == finding.reference:
            return
        yield f"{self.style.faint('→')} {self.style.target(shown(target))}"
        if base is not None and base.uri is not None and base.origin != "retrieval":
            yield self.style.faint(f"relative to {shown(base.uri)}  ({shown(base.where)})")

    def _source(self, finding: Finding) -> Iterator[str]:
        """The source line and the underline, with the line's number at their left."""
        line = source_line(finding, self.line_of)
        number = f"{finding.line} "
        columns = _USUAL if self.columns is None else max(_NARROWEST, self.columns)
        found = None if line is None else excerpt(finding, line, columns - len(_INDENT) - len(number) - 4)
        if found is None:
            if place(finding):
                yield _quoted(finding.reference)
            return
        before, marked, after = found
        mark = self.style.removed if finding.severity == "error" else self.style.alarm
        yield f"{self.style.faint(f'{number}|')} {before}{mark(marked)}{after}"
        underline = " " * width(before) + mark("^" * max(1, width(marked)))
        yield f"{self.style.faint(' ' * len(number) + '|')} {underline}"


def _quoted(reference: str) -> str:
    """A reference as it is shown; an empty one is `""`."""
    return shown(reference) or '""'
