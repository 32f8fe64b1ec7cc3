"""The end of formats for people: how often each code was found, and the targets and pages with the most findings.

1. There are counts if there is more than one finding: a single one needs no sum.
2. Codes are sorted by severity, worst first, then by their findings; targets and pages by theirs, then in the order of
   their first finding. At most ten targets and pages are shown, and none with only one finding.
3. All findings count, whether they are shown or not.
4. Entries are shown: each cause by its first finding, with the number of its findings; or all findings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from rehref.checking.model import UNKNOWN_HOST, Cause, CheckResult, Finding
from rehref.checking.results.causes import common_target
from rehref.codes import SEVERITIES, Severity
from rehref.reports.check.places import file_path
from rehref.reports.formats import Presentation
from rehref.reports.text import count

MOST: Final = 10


class CodeCount(NamedTuple):
    """A code, and the numbers of its findings and causes."""

    severity: Severity
    code: str
    findings: int
    causes: int


class Counted(NamedTuple):
    """A target or a page, and the number of its findings."""

    name: str
    findings: int


class Counts(NamedTuple):
    """The counts of all findings."""

    codes: list[CodeCount]
    targets: list[Counted]
    pages: list[Counted]


class Entry(NamedTuple):
    """What is shown at one place: a finding, and its cause if that has more findings; else None."""

    finding: Finding
    cause: Cause | None


def counts_of(result: CheckResult) -> Counts | None:
    """The counts at the end of a report; None if there are none (rule 1)."""
    findings = result.findings
    if len(findings) < 2:
        return None
    found = Counter((finding.severity, finding.code) for finding in findings)
    causes = Counter((cause.severity, cause.code) for cause in result.causes)
    codes = [CodeCount(*each, number, causes[each]) for each, number in found.items()]
    return Counts(
        sorted(codes, key=lambda each: (SEVERITIES.index(each.severity), -each.findings)),
        _top(_targets(result)),
        [
            Counted(file_path(result.folder, document), number)
            for document, number in _top(Counter(finding.document for finding in findings))
        ],
    )


def _targets(result: CheckResult) -> Counter[str]:
    """The targets, with their findings; for a template, those of its findings. An unknown host is left out."""
    found: Counter[str] = Counter()
    several = set()
    for cause in result.causes:
        if cause.target is not None:
            found[cause.target] += cause.occurrences
        elif cause.first.target is not None:
            several.add(cause.id)
    if several:
        found.update(filter(None, (common_target(one) for one in result.findings if one.cause in several)))
    return Counter({target.removeprefix(UNKNOWN_HOST): number for target, number in found.items()})


def _top(found: Counter[str]) -> list[Counted]:
    return [Counted(name, number) for name, number in found.most_common(MOST) if number > 1]


def entries(result: CheckResult, presentation: Presentation) -> Iterator[Entry]:
    """The entries to show: each cause once, or all places; at most as many as were asked for."""
    return islice(_all(result, presentation), presentation.most)


def _all(result: CheckResult, presentation: Presentation) -> Iterator[Entry]:
    if presentation.all_places:
        return (Entry(finding, None) for finding in result.findings)
    return (Entry(cause.first, cause if cause.occurrences > 1 else None) for cause in result.causes)


def left_out(result: CheckResult, presentation: Presentation) -> str:
    """A sentence about entries that are left out since there are too many; "" if there are none."""
    most = presentation.most
    there_are = len(result.findings) if presentation.all_places else len(result.causes)
    if most is None or there_are <= most:
        return ""
    noun = "finding" if presentation.all_places else "cause"
    return f"{count(there_are - most, noun)} more not shown (--max-findings {most})"


def code_and_causes(each: CodeCount) -> str:
    """`missing-file, 14 causes`; without the causes if each finding has its own."""
    return each.code if each.causes == each.findings else f"{each.code}, {count(each.causes, 'cause')}"


def extent_of(cause: Cause) -> str:
    """`in 530 pages`, `in 530 pages (1,060 places)`, `in 530 pages (1,060 places, 90 targets)`: a cause's extent."""
    places = [count(cause.occurrences, "place")] if cause.occurrences != cause.documents else []
    places += [count(cause.targets, "target")] if cause.targets > 1 else []
    return f"in {count(cause.documents, 'page')}" + (f" ({', '.join(places)})" if places else "")
