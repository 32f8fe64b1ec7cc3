"""Links to other sites, according to their servers (`--external`): only on request, since servers are slow.

Servers are asked between reading and finding (`rehref.site._checking`); here their verdicts become findings
(`SiteTable.outside`). Nothing is asked about a form that sends something (`method=post`), or about the target of a
button or a ping: a GET request would test something else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import starmap
from typing import Any

from rehref.documents.base import without_fragment
from rehref.site._external.references_elsewhere import Outward, outward, urls_on
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.made_findings import finding_of
from rehref.site._pages.read_page import ReadPage
from rehref.site._pages.reading_site_pages import in_processes, read_or_skip
from rehref.site._pages.site_page import SitePage
from rehref.site._pages.site_tables import SiteTable
from rehref.site._target_rules import asked_severity
from rehref.site.findings import Finding, WebVerdict


def collect(read: ReadPage) -> dict[str, int] | None:
    """Return the URLs on other sites in a page, with their fragments, and how often each occurs."""
    return urls_on(read.page) or None


def findings(context: SiteContext, table: SiteTable, facts: Mapping[str, Mapping[str, int]]) -> Iterator[Finding]:
    """Yield what is wrong with them, at each place.

    Only pages with a URL that has a finding are read again for these.
    """
    verdicts = table.outside
    documents = [path for path, urls in facts.items() if not verdicts.keys().isdisjoint(urls)]
    items = [(path, {url: verdicts[url] for url in facts[path] if url in verdicts}) for path in documents]
    for found in in_processes(context, partial(_placed, context), items):
        yield from starmap(Finding, found)


def _placed(
    context: SiteContext, items: Sequence[tuple[str, Mapping[str, Sequence[WebVerdict]]]]
) -> list[tuple[Any, ...]]:
    """Read documents again, and find the places of the URLs with a verdict. Raises nothing."""
    found: list[tuple[Any, ...]] = []
    for path, verdicts in items:
        data = read_or_skip(context, path)
        if data is not None:
            page = SitePage(context, path, data)
            for each in outward(page):
                for verdict in verdicts.get(each.url, ()):
                    finding = _finding(page, each, verdict)
                    if asked_severity(context.options.rules, finding, verdict.status) != "ignore":
                        found.append(tuple(finding))
    return found


def _finding(page: SitePage, outward: Outward, verdict: WebVerdict) -> Finding:
    """Return the finding for a verdict, with what to write instead.

    A new URL is written in full, with the fragment of the reference, or the one that the server named. It is suggested
    only if the URL that was asked is that of the reference, not one judged in its place.
    """
    link = page.document.link(outward.reference)
    finding = finding_of(page.path, link, verdict.code, verdict.message)
    if verdict.moved_to is None or outward.is_mapped or link.target is None:
        return finding
    new = verdict.moved_to
    fragment = link.target[len(without_fragment(link.target)) :]
    return finding._replace(suggestion=new if "#" in new else new + fragment, sure=verdict.sure)
