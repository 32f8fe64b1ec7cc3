"""Which URLs on other sites servers are asked about: only those for which something may be reported.

URLs that options and `.rehrefignore` leave out are not asked about. The number of references to each URL is kept: they
are all checked with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from rehref.site._checks.all_checks import CHECKS, reported
from rehref.site._external.references_elsewhere import outward
from rehref.site._grounds.site_context import SiteContext, is_found
from rehref.site._ignoring import IgnoreRules
from rehref.site._pages.made_findings import finding_of
from rehref.site._pages.reading_site_pages import read_or_skip
from rehref.site._pages.site_page import SitePage
from rehref.site._pages.site_tables import SiteTable
from rehref.site._results.leaving_out import ignored_in, per_path

_CHECK = next(check for check in CHECKS if check.asks_servers)
"""The check whose facts are these URLs."""


def urls_to_ask(context: SiteContext, table: SiteTable, rules: IgnoreRules) -> Counter[str]:
    """The URLs that servers are asked about, with fragments that matter, and how many references lead to each."""
    facts: Mapping[str, Mapping[str, int]] = table.facts.get(_CHECK.name, {})
    codes = _worth_asking(context)
    left_out, commented = per_path(context.options), frozenset(table.commented)
    found: Counter[str] = Counter()
    for document, urls in sorted(facts.items()):
        if rules.ignores(document) or not context.scope.reports(document) or codes.issubset(left_out(document)):
            continue
        counts = Counter(_not_ignored(context, document, codes)) if document in commented else urls
        found.update({url: number for url, number in counts.items() if not is_found(rules.uris, url, "")})
    return found


def _worth_asking(context: SiteContext) -> frozenset[str]:
    """The codes for which servers are asked, as far as they are reported."""
    return frozenset(reported(context.options)).intersection(_CHECK.codes)


def _not_ignored(context: SiteContext, document: str, codes: Collection[str]) -> Iterator[str]:
    """The URLs that a document refers to, without those that it leaves out for all codes of servers' answers.

    Documents with such comments or attributes are read again; few have any.
    """
    data = read_or_skip(context, document)
    if data is None:
        return
    ignored, page = ignored_in(context, document), SitePage(context, document, data)
    for each in outward(page):
        link = page.document.link(each.reference)
        if not all(ignored.cover(finding_of(document, link, code, "")) for code in codes):
            yield each.url
