"""The findings of a build's check as messages: at the source line where a reference is written, if that is known.

Passwords in texts are masked, and control characters are visible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from rehref.reports.terminal import count, shown, visible
from rehref.reports.words_of_findings import advice, file_path, place, places_of_sites, position, summary_of
from rehref.site.codes import SEVERITIES, Severity
from rehref.site.findings import CheckResult, Finding

_MOST_LINES = 5


class LinesInSource(NamedTuple):
    """Where something built comes from: the path of a source, and the lines in which a reference is written.

    `lines`: ascending, 1-based; empty if it is not written in the source, or cannot be found there. `written`: the
    reference as it is written there; None if it is as in the built file. `suggestion`: what to write there instead;
    None if that is not known, or not how to write it.
    """

    path: str
    lines: tuple[int, ...] = ()
    written: str | None = None
    suggestion: str | None = None


Locate: TypeAlias = Callable[[Finding], LinesInSource | None]
"""Returns the source of a finding in a built file, or None."""


class Message(NamedTuple):
    """A message and its place: `path` is a source, or a built file if there is no source. `text` is one line."""

    severity: Severity
    code: str
    path: str
    line: int | None
    text: str


def from_here(path: str) -> str:
    """A path with slashes, relative to the working directory if it is below it, else whole.

    Terminals, editors and CI systems turn it into a link.
    """
    whole = Path(path)
    here = Path.cwd()
    return (whole.relative_to(here) if whole.is_relative_to(here) else whole).as_posix()


def messages(result: CheckResult, locate: Locate) -> list[Message]:
    """The messages, sorted by source and line; those about what is in no source come last."""
    written: dict[tuple[str, str, str, Severity], tuple[Finding, LinesInSource]] = {}
    rest: list[tuple[Finding, LinesInSource | None]] = []
    for finding in result.findings:
        source = locate(finding)
        if source is None or not source.lines:
            rest.append((finding, source))
        else:
            written.setdefault((source.path, finding.code, finding.reference, finding.severity), (finding, source))
    others: dict[str, tuple[Finding, LinesInSource | None]] = {}
    numbers = Counter(finding.cause for finding, _ in rest)
    for finding, source in rest:
        if finding.cause not in others or (others[finding.cause][1] is None and source is not None):
            others[finding.cause] = finding, source
    at_lines = sorted((_at_lines(*each) for each in written.values()), key=lambda one: (one.path, one.line or 0))
    return at_lines + [_elsewhere(result.folder, *each, numbers[cause]) for cause, each in others.items()]


def _at_lines(finding: Finding, source: LinesInSource) -> Message:
    """A message for a reference in a source: at the first line, which names the other lines with the same problem."""
    line, *more = source.lines
    also = ""
    if more:
        named = ", ".join(map(str, more[:_MOST_LINES])) + ("…" if len(more) > _MOST_LINES else "")
        also = f"; also in line{'s' if len(more) > 1 else ''} {named}"
    advised = "" if source.suggestion is None else f"; {advice(finding)} {shown(source.suggestion)}"
    return Message(
        finding.severity, finding.code, source.path, line, f"{_what(finding, source.written)}{also}{advised}"
    )


def _elsewhere(folder: str, finding: Finding, source: LinesInSource | None, number: int) -> Message:
    """A message for a reference that a theme, a template or a plugin made, so that it is only in built files.

    There is one for each cause, at its first place, preferably of a page with a source. It names that source and the
    number of places.
    """
    built = visible(file_path(folder, finding.document))
    at = ":".join(filter(None, (built, position(finding))))
    extent = f", and in {count(number - 1, 'place')} more" if number > 1 else ""
    path, line = (built, finding.line) if source is None else (source.path, None)
    where = f"; in the built {at}{extent}" if source is not None else extent
    return Message(finding.severity, finding.code, path, line, f"{_what(finding)}{where}")


def _what(finding: Finding, written: str | None = None) -> str:
    """What is wrong with which reference: `there is no file gone.html (a@href gone.html, missing-file)`."""
    about = " ".join(filter(None, (place(finding), shown(finding.reference if written is None else written))))
    return f"{shown(finding.message, 2000)} ({', '.join(filter(None, (about, finding.code)))})"


def limited(found: Sequence[Message], most: int) -> list[Message]:
    """At most `most` messages, in order; errors take precedence over warnings if not all can be shown."""
    by_severity = sorted(range(len(found)), key=lambda number: SEVERITIES.index(found[number].severity))
    return [found[number] for number in sorted(by_severity[:most])]


class Logged(NamedTuple):
    """What a program logs of a check: `shown`, a limited number of messages with places, and `notes`, texts without a
    place.

    The notes are the number of messages that were left out, those about the site, and the summary.
    """

    shown: list[Message]
    notes: list[str]


def logged(result: CheckResult, locate: Locate, most: int, option: str) -> Logged:
    """The messages to log. `most`: how many at most; `option`: the name of the option for that."""
    found = messages(result, locate)
    kept = limited(found, most)
    more = [f"{count(len(found) - len(kept), 'message')} more not shown ({option})"] if len(kept) < len(found) else []
    return Logged(kept, [*more, *_notes(result)])


def _notes(result: CheckResult) -> Iterator[str]:
    yield from places_of_sites(result)
    yield from (f"hint: {hint}" for hint in result.hints)
    yield summary_of(result)
