"""The findings of a check as a page for browsers: one file that requests nothing from servers.

At its top is the summary, with charts, in which all findings count; then the options, and the inputs that were not
read. The script shows the findings (`records.py`) by cause, page, target or host, filtered and sorted; the view is kept
in the URL's fragment. Without scripts there is a list of the first causes. Links are what a reader can open: pages
whose URLs are known, and targets on the web without a password; the server does not learn where the reader was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from rehref._version import __version__
from rehref.reports._findings.places_shown import Excerpt, excerpt, folder_of, shared_folder, source_line
from rehref.reports._findings.records import COLUMNS_OF_LINE, records, why
from rehref.reports._html.html_page import Bar, Chart, page
from rehref.reports.formats import Presentation
from rehref.reports.terminal import count, not_documents, shown, visible
from rehref.reports.words_of_findings import (
    MOST_SUGGESTED,
    FindingAtPlace,
    address_of,
    advice,
    entries,
    extent_of,
    file_path,
    how_much,
    leads_to,
    left_out,
    number_of_entries,
    openable,
    place,
    places_of_sites,
    summary_of,
    tally,
    where,
)
from rehref.site.codes import CODES, SEVERITIES, Severity
from rehref.site.findings import UNKNOWN_HOST, Cause, CheckResult, Finding, SitePlace
from rehref.uri.components import mask_text

_WITHOUT_SCRIPTS: Final = 100
_NAMED: Final = 10
_FOLDERS: Final = 500
"""The number of folders to choose from: those with the most findings."""
_SCRIPTS: Final = ("_findings/records.js", "_findings/choosing.js", "_findings/rows.js", "_findings/report.js")
_VIEWS: Final = (("causes", "Causes"), ("pages", "Pages"), ("targets", "Targets"), ("hosts", "Hosts"))
_SEVERITIES: Final = (("error", "Errors"), ("warning", "Warnings"), ("info", "Notes"))
_NOT_READ: Final = (
    ("unreadable", "Cannot be read"),
    ("other-format", "Not documents, despite their names"),
    ("redirect-not-read", "Rules not understood"),
)
"""Codes of inputs that were not read, with headings."""


class Headline(NamedTuple):
    """The result, in large letters. `kind`: its colour; `origin`: from how many causes."""

    sentence: str
    kind: str
    origin: str


class Shown(NamedTuple):
    """A base, ready to be shown: its URI, and its origin."""

    uri: str
    why: str


class NotRead(NamedTuple):
    """Inputs that were not read or checked: a heading, a sentence, and some of their names."""

    what: str
    sentence: str
    names: list[str]


def html(result: CheckResult, presentation: Presentation) -> Iterator[str]:
    """The report, from a result."""

    def source(finding: Finding) -> Excerpt | None:
        line = source_line(finding, presentation.line_of)
        return None if line is None else excerpt(finding, line, COLUMNS_OF_LINE)

    above = shared_folder(finding.document for finding in result.findings)
    has_entries = bool(result.findings) and presentation.most != 0
    plain = list(islice(entries(result, presentation), _WITHOUT_SCRIPTS))
    severities = {finding.severity for finding in result.findings}
    views = _VIEWS if not presentation.all_places else (_VIEWS[1], _VIEWS[0], *_VIEWS[2:])
    yield from page(
        "_findings/page.html",
        {
            "summary": _title(result),
            "folder": _checked(result),
            "verdict": _verdict(result),
            "extent": _extent(result),
            "run": ", ".join(filter(None, (f"rehref {__version__}", presentation.made))),
            "version": __version__,
            "sites": places_of_sites(result),
            "sites_at": [_site(site) for site in result.sites],
            "hints": list(result.hints),
            "charts": charts(result),
            "options": presentation.options,
            "not_read": list(_not_read(result)),
            "views": views,
            "severities": [each for each in _SEVERITIES if each[0] in severities],
            "codes": code_bars(result),
            "folders": folder_bars(result)[:_FOLDERS],
            "entries": plain if has_entries else [],
            "in_scripts": _in_scripts(result, presentation, plain),
            "left_out": left_out(result, presentation),
            "most_suggested": MOST_SUGGESTED,
            "where": lambda finding: mask_text(where(".", finding)),
            "excerpt": source,
            "base_of": _base_of,
            "address": lambda finding: address_of(result, finding.document),
            "meaning": lambda finding: CODES[finding.code].sentence,
        },
        styles=("_findings/report.css",),
        scripts=_SCRIPTS,
        data=records(result, presentation, above) if has_entries else None,
        functions=(advice, extent_of, leads_to, openable, place, shown),
    )


def _checked(result: CheckResult) -> str:
    """The checked input: the folder as it was named, or the page of a server; of several folders the common one."""
    site = result.sites[0].folder if len(result.sites) == 1 else file_path(result.folder, "")
    return shown(site)


def _title(result: CheckResult) -> str:
    """The title of the window."""
    return "Nothing was checked" if _is_nothing(result) else summary_of(result)


def _is_nothing(result: CheckResult) -> bool:
    """Whether there was nothing to check, and no problem with that."""
    sums = result.summary
    return not (sums.checked or sums.broken or sums.warnings)


def _verdict(result: CheckResult) -> Headline:
    sums, causes = result.summary, len(result.causes)
    if _is_nothing(result):
        return Headline("Nothing was checked", "warning", "")
    notes = len(result.findings) - sums.broken - sums.warnings
    kind = "error" if sums.broken else "warning" if sums.warnings else "good"
    sentence = tally(sums.broken, sums.warnings, notes)
    origin = f"from {count(causes, 'cause')}" if causes < len(result.findings) else ""
    return Headline(sentence[0].upper() + sentence[1:], kind, origin)


def _extent(result: CheckResult) -> str:
    """How much was checked."""
    sums = result.summary
    others = f", {not_documents(sums.others)}" if sums.others else ""
    return f"{count(sums.documents, 'document')}{others}, {how_much(sums)}"


def _site(site: SitePlace) -> dict[str, str]:
    return {"folder": shown(site.folder), "url": shown(site.url.removeprefix(UNKNOWN_HOST)), "host": site.host}


def _not_read(result: CheckResult) -> Iterator[NotRead]:
    """The inputs that were not read or checked."""
    sums = result.summary
    if sums.skipped:
        sentence = "to other sites that were not asked, of schemes that lead nowhere, or left out by options"
        yield NotRead("Links skipped", f"{sums.skipped:,}: {sentence}", [])
    if sums.others:
        yield NotRead("Other files", f"{sums.others:,} that are not documents: links may lead to them", [])
    for code, what in _NOT_READ:
        found = list(dict.fromkeys(finding.document for finding in result.findings if finding.code == code))
        if found:
            names = [visible(mask_text(document)) for document in found[:_NAMED]]
            yield NotRead(what, f"{count(len(found), 'file')}:", names)


def _base_of(finding: Finding) -> Shown | None:
    base = finding.base
    if base is None or base.uri is None:
        return None
    return Shown(shown(base.uri.removeprefix(UNKNOWN_HOST)), shown(why(base)))


def _in_scripts(result: CheckResult, presentation: Presentation, plain: list[FindingAtPlace]) -> str:
    """A sentence, for readers without scripts, about what scripts would show; "" if all is shown."""
    there_are = number_of_entries(result, presentation)
    if presentation.most is not None:
        there_are = min(there_are, presentation.most)
    more = there_are - len(plain)
    return f"{count(more, f'more {presentation.entry}')} with scripts, which do not run here" if more > 0 else ""


MOST: Final = 8
CODES_CHART: Final = "codes"


def charts(result: CheckResult) -> list[Chart]:
    """All charts of a result.

    One with only one bar is left out, except that of codes; so is one of causes with one finding each.
    """
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
    most = causes[:MOST]
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
    above = shared_folder(finding.document for finding in result.findings)
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
