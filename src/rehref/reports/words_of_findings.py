"""The sentences, places and counts that several formats of `rehref check` share.

In counts, all findings count, whether they are shown or not. Entries are shown: each cause by its first finding, with
the number of its findings; or all findings. The path of a document is that of the folder as it was named, and its own
below it: a terminal, an editor or a CI system can open it from the directory of the command.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import PurePath
from typing import Final, NamedTuple

from rehref.documents.base import Base, clean
from rehref.files.file_documents import encode_path
from rehref.reports.formats import Presentation
from rehref.reports.terminal import count, not_documents, visible
from rehref.site.codes import SEVERITIES, Severity
from rehref.site.findings import HOST_OPTION, UNKNOWN_HOST, Cause, CheckResult, Finding, SitePlace, Summary
from rehref.uri.components import mask_text, split

_ABOVE_ROOT: Final = ("above-root", "escapes-site")
_ON_WEB: Final = ("http://", "https://")


def summary_of(result: CheckResult) -> str:
    """The sentence that sums up a result: by findings, and by causes where these are fewer."""
    if result.sentence:
        return result.sentence
    causes = len(result.causes)
    return summary(result.summary, causes if causes < len(result.rows) else 0)


def summary(sums: Summary, causes: int = 0) -> str:
    """`3 errors and 1 warning in 12 documents; 31 files are not documents (340 links checked, …)`.

    `causes`: the number of causes, if it should be shown: `340 errors from 2 causes in …`. If servers were asked, it
    says so: `(340 links checked, 10 skipped, answers for 25 URLs, 20 from the cache, 0.4 s)`.
    """
    documents = count(sums.documents, "document") + (f"; {not_documents(sums.others)}" if sums.others else "")
    origin = f" from {count(causes, 'cause')}" if causes else ""
    return f"{tally(sums.broken, sums.warnings)}{origin} in {documents} ({how_much(sums)})"


def how_much(sums: Summary) -> str:
    """`340 links checked, 10 skipped, 0.4 s`."""
    skipped = f", {sums.skipped:,} skipped" if sums.skipped else ""
    cached = f", {sums.from_cache:,} from the cache" if sums.from_cache else ""
    asked = f", answers for {count(sums.asked, 'URL')}{cached}" if sums.asked else ""
    return f"{count(sums.checked, 'link')} checked{skipped}{asked}, {sums.seconds:,.1f} s"


def tally(errors: int, warnings: int, notes: int = 0) -> str:
    """`3 errors and 1 warning`, `no errors`, `2 notes`."""
    numbers = ((errors, "error"), (warnings, "warning"), (notes, "note"))
    return " and ".join(count(number, noun) for number, noun in numbers if number) or "no errors"


def tally_of(findings: Sequence[Finding]) -> str:
    """The same, for these findings."""
    found = Counter(finding.severity for finding in findings)
    return tally(found["error"], found["warning"], found["info"])


def is_of_server(folder: str) -> bool:
    """Whether the documents of a check are pages of a server; `folder`: that of `CheckResult`."""
    return folder.startswith(_ON_WEB)


def file_path(folder: str, document: str) -> str:
    """The path of a document, with slashes; `document`: its path below the folder, "" for the folder itself.

    `folder`: that of `CheckResult`. Documents of a server are named by their URLs.
    """
    if is_of_server(folder):
        return document or folder
    above = PurePath(folder).as_posix()
    if document == "":
        return above
    return document if above == "." else f"{above.rstrip('/')}/{document}"


def position(finding: Finding) -> str:
    """`12:5`, `12` or "": line and column, as far as they are known."""
    if finding.line is None:
        return ""
    return f"{finding.line}" if finding.column is None else f"{finding.line}:{finding.column}"


def where(folder: str, finding: Finding) -> str:
    """`public/a.html:12:5`: the path and the position, which terminals and editors turn into a link; safe to show."""
    return ":".join(filter(None, (visible(file_path(folder, finding.document)), position(finding))))


def place(finding: Finding) -> str:
    """`a@href`: the element and attribute; "" for a finding about a document as a whole."""
    return finding.element if finding.attribute is None else f"{finding.element}@{finding.attribute}"


def place_of_site(place: SitePlace, *, needs_root: bool = True) -> str:
    """The place that rehref infers for a folder, and from what; "" if options give all of it.

    `public is at https://example.org/docs/, according to its canonical links and sitemap (--site-url takes precedence);
    its host is netlify, according to _redirects (--host takes precedence)`. `needs_root`: whether anything depends on
    where the root is; otherwise a guess about it is not worth a word.
    """
    sources = ", ".join(place.sources[:-1]) + " and " * (len(place.sources) > 1) + "".join(place.sources[-1:])
    where = ""
    if place.basis == "root":
        where = f"assuming {place.folder} is the root of the site; --site-url says otherwise" if needs_root else ""
    elif place.is_inferred:
        url = f"{place.url.removeprefix(UNKNOWN_HOST)} on its host" if not place.has_host else place.url
        where = f"{place.folder} is at {url}, according to its {sources} (--site-url takes precedence)"
    if place.has_clean_urls:
        where += "; there, /a is a.html (--fallback-extensions takes precedence)"
    if place.host_source in ("", HOST_OPTION):
        return where
    before = f"{where}; its host" if where else f"the host of {place.folder}"
    return f"{before} is {place.host}, according to {place.host_source} (--host takes precedence)"


def places_of_sites(result: CheckResult) -> list[str]:
    """The places that rehref infers for the folders of a result; the root only if a finding depends on it."""
    needs_root = any(site.basis == "root" for site in result.sites) and any(
        _depends_on_root(row.finding) for row in result.rows.repeated
    )
    return [place for site in result.sites if (place := place_of_site(site, needs_root=needs_root))]


def _depends_on_root(finding: Finding) -> bool:
    """Whether a finding may differ if the folder is elsewhere: a path from the root, or one that leads above it."""
    reference = clean(finding.reference or "").replace("\\", "/")
    if finding.code in _ABOVE_ROOT or (reference.startswith("/") and not reference.startswith("//")):
        return True
    base = finding.base
    return base is not None and base.origin == "embedded" and (base.uri or "").startswith(UNKNOWN_HOST)


def leads_to(finding: Finding) -> str | None:
    """The target; None if it is the reference itself, or undefined. An unknown host is left out."""
    target = None if finding.target is None else finding.target.removeprefix(UNKNOWN_HOST)
    return None if target == finding.reference else target


def openable(uri: str | None) -> str | None:
    """A URI that a reader can open: of http or https, without a password, on a known host. Else None."""
    if uri is None or not uri.startswith(("http://", "https://")) or uri.startswith(UNKNOWN_HOST):
        return None
    hides_nothing = mask_text(uri) == uri and not split(uri).has_userinfo  # it may be in a path, after a typing error
    return uri if uri.isprintable() and hides_nothing else None


def address_of(result: CheckResult, document: str) -> str | None:
    """The URL of a document, if it is known where on the web it is; else None."""
    site = result.sites[0] if len(result.sites) == 1 else None
    return openable(document) or openable(None if site is None else f"{site.url}{encode_path(document)}")


def other_base(finding: Finding) -> Base | None:
    """The base, if it should be shown with the target, since it is not the document's own URI; else None."""
    base = finding.base
    if base is None or base.uri is None or base.origin == "retrieval" or leads_to(finding) is None:
        return None
    return base._replace(uri=base.uri.removeprefix(UNKNOWN_HOST))


def advice(finding: Finding) -> str:
    """The words before the suggestion: a sure one is an instruction; any other is a question."""
    return "write instead:" if finding.sure else "perhaps:"


MOST: Final = 10
MOST_SUGGESTED: Final = 5
"""Suggestions of a cause that are shown."""


def suggested(entry: FindingAtPlace, written: Callable[[str], str]) -> str:
    """What to write instead, after the words for it; all that is suggested at the places of a cause. "" for nothing."""
    finding, cause = entry
    found = cause.suggestions if cause is not None else ()
    if len(found) <= 1:
        text = finding.suggestion or next(iter(found), None)
        return "" if text is None else f"{advice(finding)} {written(text)}"
    words = "write instead, place by place:" if finding.sure else "perhaps:"
    names = [written(text) for text in found[:MOST_SUGGESTED]]
    rest = f" ({len(found) - MOST_SUGGESTED:,} more: --all-places)" if len(found) > MOST_SUGGESTED else ""
    return f"{words} {', '.join(names[:-1])} or {names[-1]}{rest}"


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


class FindingAtPlace(NamedTuple):
    """What is shown at one place: a finding, and its cause if that has more findings; else None."""

    finding: Finding
    cause: Cause | None


def counts_of(result: CheckResult) -> Counts | None:
    """The counts at the end of a report; None for a single finding.

    Codes are sorted by severity, worst first, then by their findings; targets and pages by theirs. At most ten targets
    and pages are shown, and none with only one finding.
    """
    if len(result.rows) < 2:
        return None
    found, pages = Counter[tuple[Severity, str]](), Counter[str]()
    for row in result.rows.repeated:
        found[row.finding.severity, row.finding.code] += row.number
        pages[row.finding.document] += row.number
    causes = Counter((cause.severity, cause.code) for cause in result.causes)
    codes = [CodeCount(*each, number, causes[each]) for each, number in found.items()]
    return Counts(
        sorted(codes, key=lambda each: (SEVERITIES.index(each.severity), -each.findings)),
        _top(_targets(result)),
        [Counted(file_path(result.folder, document), number) for document, number in _top(pages)],
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
        for row in result.rows.repeated:
            if row.finding.cause in several and (target := row.finding.common_target):
                found[target] += row.number
    return Counter({target.removeprefix(UNKNOWN_HOST): number for target, number in found.items()})


def _top(found: Counter[str]) -> list[Counted]:
    return [Counted(name, number) for name, number in found.most_common(MOST) if number > 1]


def entries(result: CheckResult, presentation: Presentation) -> Iterator[FindingAtPlace]:
    """The entries to show: each cause once, or all places; at most as many as were asked for."""
    return islice(_all(result, presentation), presentation.most)


def _all(result: CheckResult, presentation: Presentation) -> Iterator[FindingAtPlace]:
    if presentation.all_places:
        return (FindingAtPlace(finding, None) for finding in result.rows)
    return (FindingAtPlace(cause.first, cause if cause.occurrences > 1 else None) for cause in result.causes)


def number_of_entries(result: CheckResult, presentation: Presentation) -> int:
    """How many entries there are, also those that are left out."""
    return len(result.rows) if presentation.all_places else len(result.causes)


def left_out(result: CheckResult, presentation: Presentation, why: str = "") -> str:
    """A sentence about entries that are left out since there are too many; "" if there are none.

    `why`: what to do about it, if no option has asked for it.
    """
    most = presentation.most
    there_are = number_of_entries(result, presentation)
    if most is None or there_are <= most:
        return ""
    rest = sum(cause.occurrences for cause in result.causes[most:])
    findings = f" with {count(rest, 'finding')} ({share(rest, len(result.rows))})" if why else ""
    more = count(there_are - most, presentation.entry)
    return f"{more} more{findings} not shown ({why or f'--max-findings {most}'})"


def share(part: int, whole: int) -> str:
    """`41 %`, `under 1 %`."""
    percent = 100 * part // whole
    return f"{percent} %" if percent else "under 1 %"


def code_and_causes(each: CodeCount) -> str:
    """`missing-file, 14 causes`; without the causes if each finding has its own."""
    return each.code if each.causes == each.findings else f"{each.code}, {count(each.causes, 'cause')}"


def extent_of(cause: Cause) -> str:
    """`in 530 pages`, `in 530 pages (1,060 places)`, `in 530 pages (1,060 places, 90 targets)`: a cause's extent."""
    places = [count(cause.occurrences, "place")] if cause.occurrences != cause.documents else []
    places += [count(cause.targets, "target")] if cause.targets > 1 else []
    return f"in {count(cause.documents, 'page')}" + (f" ({', '.join(places)})" if places else "")
