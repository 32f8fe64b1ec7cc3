"""The sentences that several formats of `rehref check` share.

1. The summary is one sentence; numbers that are 0 are left out, except that of broken links.
2. A sure suggestion is an instruction; any other is a question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rehref.base import Base
from rehref.checking.model import HOST_OPTION, UNKNOWN_HOST, CheckResult, Finding, SitePlace, Summary
from rehref.reports.text import count


def summary_of(result: CheckResult) -> str:
    """The sentence that sums up a result: by findings, and by causes where these are fewer."""
    if result.sentence:
        return result.sentence
    causes = len(result.causes)
    return summary(result.summary, causes if causes < len(result.findings) else 0)


def summary(sums: Summary, causes: int = 0) -> str:
    """`3 errors and 1 warning in 12 documents; 31 other files (340 links checked, 10 skipped, 0.4 s)`.

    `causes`: the number of causes, if it should be shown: `340 errors from 2 causes in …`. If servers were asked, it
    says so: `(340 links checked, 10 skipped, answers for 25 URLs, 20 from the cache, 0.4 s)`.
    """
    documents = count(sums.documents, "document") + (f"; {count(sums.others, 'other file')}" if sums.others else "")
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


def place(finding: Finding) -> str:
    """`a@href`: the element and attribute; "" for a finding about a document as a whole."""
    return finding.element if finding.attribute is None else f"{finding.element}@{finding.attribute}"


def place_of_site(place: SitePlace) -> str:
    """The place that rehref infers for a folder, and from what; "" if options give all of it.

    `public is at https://example.org/docs/, according to its canonical links and sitemap (--site-url takes precedence);
    its host is netlify, according to _redirects (--host takes precedence)`.
    """
    sources = ", ".join(place.sources[:-1]) + " and " * (len(place.sources) > 1) + "".join(place.sources[-1:])
    where = ""
    if place.basis == "root":
        unknown = "no file clearly says where it is on the web (--site-url does)"
        where = f"{place.folder} counts as the root of its host: {unknown}"
    elif place.is_inferred:
        url = f"{place.url.removeprefix(UNKNOWN_HOST)} on its host" if place.basis == "links" else place.url
        where = f"{place.folder} is at {url}, according to its {sources} (--site-url takes precedence)"
    if place.has_clean_urls:
        where += "; there, /a is a.html (--fallback-extensions takes precedence)"
    if place.host_source in ("", HOST_OPTION):
        return where
    before = f"{where}; its host" if where else f"the host of {place.folder}"
    return f"{before} is {place.host}, according to {place.host_source} (--host takes precedence)"


def leads_to(finding: Finding) -> str | None:
    """The target; None if it is the reference itself, or undefined. An unknown host is left out."""
    target = None if finding.target is None else finding.target.removeprefix(UNKNOWN_HOST)
    return None if target == finding.reference else target


def other_base(finding: Finding) -> Base | None:
    """The base, if it should be shown with the target, since it is not the document's own URI; else None."""
    base = finding.base
    if base is None or base.uri is None or base.origin == "retrieval" or leads_to(finding) is None:
        return None
    return base._replace(uri=base.uri.removeprefix(UNKNOWN_HOST))


def advice(finding: Finding) -> str:
    """The words before the suggestion (rule 2)."""
    return "write instead:" if finding.sure else "perhaps:"
