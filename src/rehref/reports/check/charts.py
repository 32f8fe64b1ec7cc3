"""The charts of the page: findings by code, by cause and by folder, and the links that were checked.

1. All findings count, whether they are shown or not.
2. A chart with only one bar is left out, except that of codes; so is one of causes that have one finding each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from rehref.checking.model import UNKNOWN_HOST, Cause, CheckResult
from rehref.codes import CODES, SEVERITIES, Severity
from rehref.reports.check.folders import common_folder, folder_of
from rehref.reports.html.bars import Bar, Chart
from rehref.reports.text import count, shown, visible
from rehref.uri.privacy import mask_text

MOST: Final = 8
CODES_CHART: Final = "codes"


def charts(result: CheckResult) -> list[Chart]:
    """All charts of a result."""
    return [each for each in (_of_links(result), *_of_findings(result)) if each is not None]


def _of_findings(result: CheckResult) -> Iterator[Chart | None]:
    if not result.findings:
        return
    codes = code_bars(result)
    more = len(codes) - MOST
    yield Chart(CODES_CHART, "By code", codes[:MOST], "finding", f"and {count(more, 'more code')}" if more > 0 else "")
    yield _of_causes(result)
    yield _of_folders(result)


def code_bars(result: CheckResult) -> list[Bar]:
    """The codes of all findings, the worst first, then by their number."""
    found = Counter(finding.code for finding in result.findings)
    worst: dict[str, Severity] = {}
    for finding in result.findings:
        known = worst.setdefault(finding.code, finding.severity)
        if known != finding.severity and SEVERITIES.index(finding.severity) < SEVERITIES.index(known):
            worst[finding.code] = finding.severity
    bars = [Bar(code, number, worst[code], code, CODES[code].sentence) for code, number in found.items()]
    return sorted(bars, key=lambda bar: (SEVERITIES.index(worst[bar.label]), -bar.number))


def _of_causes(result: CheckResult) -> Chart | None:
    causes = result.causes
    if len(causes) < 2 or max(cause.occurrences for cause in causes) < 2:
        return None
    own = result.sites[0].url if len(result.sites) == 1 else UNKNOWN_HOST
    most = sorted(causes, key=lambda cause: (SEVERITIES.index(cause.severity), -cause.occurrences))[:MOST]
    names = [_name(each, own) for each in most]
    bars = [
        Bar(
            f"{each.code}: {name}" if names.count(name) > 1 else name,
            each.occurrences,
            each.severity,
            each.id,
            shown(each.first.message),
        )
        for name, each in zip(names, most, strict=True)
    ]
    more = len(causes) - len(bars)
    return Chart(
        "causes", "By cause", bars, "finding", f"and {count(more, 'more cause')}" if more > 0 else "", has_paths=True
    )


def _name(cause: Cause, own: str) -> str:
    """The name of a cause: the target of its links (below `own` the path), the reference, or the message."""
    target = None if cause.target is None else cause.target.removeprefix(own).removeprefix(UNKNOWN_HOST)
    return shown(target or cause.first.reference or cause.first.message)


def folder_bars(result: CheckResult) -> list[Bar]:
    """The folders of all findings, those with the most first."""
    above = common_folder(finding.document for finding in result.findings)
    found = Counter(visible(mask_text(folder_of(finding.document, above))) for finding in result.findings)
    return [Bar(name, number, "", name, name) for name, number in found.most_common()]


def _of_folders(result: CheckResult) -> Chart | None:
    bars = folder_bars(result)
    if len(bars) < 2:
        return None
    more = len(bars) - MOST
    return Chart(
        "folders",
        "By folder",
        bars[:MOST],
        "finding",
        f"and {count(more, 'more folder')}" if more > 0 else "",
        has_paths=True,
    )


def _of_links(result: CheckResult) -> Chart | None:
    sums = result.summary
    if not sums.links:
        return None
    share = sums.checked * 1000 // sums.links / 10  # less than all never shows as "100%"
    bars = [Bar("checked", sums.checked, "good")]
    if sums.skipped:
        bars.append(Bar("skipped", sums.skipped, "info", about="on other sites, or left out by options"))
    return Chart("links", f"{share:g}% of all links were checked", bars, "link", is_share=True)
