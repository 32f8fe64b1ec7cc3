"""Pages that nothing leads to: the code `orphan`.

An orphan is an HTML page that no reference of another page leads to. The index of the folder, the pages for 404 and
other errors, and excluded pages are not orphans, nor are pages that refresh at once to another address: they serve
links from elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from rehref.documents.media_types import MediaType
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.read_page import ReadPage
from rehref.site._pages.site_tables import SiteTable
from rehref.site.findings import Finding


def collect(read: ReadPage) -> list[str] | None:
    """Return the files that a page leads to."""
    return [*read.files()] if read.page.media_type in MediaType.PAGES else None


def findings(context: SiteContext, table: SiteTable, facts: Mapping[str, list[str]]) -> Iterator[Finding]:
    """Yield the findings for pages that nothing leads to."""
    host = context.host
    expected = {*filter(None, (*host.index_names, host.not_found, *host.error_pages)), *table.other_formats}
    if context.fetched is not None:
        expected |= _beginnings(context, context.fetched.begun, expected)
    expected.update(*facts.values())
    expected.update(path for path, to in table.refreshes.items() if to.at_once and to.path != path)
    for path in context.scope.checked:
        if context.files.types.of(path) == MediaType.HTML and path not in expected:
            yield Finding(document=path, code="orphan", message="no other page leads here")


def _beginnings(context: SiteContext, begun: Collection[str], names: Collection[str]) -> set[str]:
    """Return where visitors of a server start.

    `begun`, and the index and error pages (`names`) of its root, or of folders.
    """
    folders = {context.uri, *(url.partition("?")[0].rpartition("/")[0] + "/" for url in begun)}
    return {*begun, *(folder + name.lstrip("/") for folder in folders for name in ("", *names))}
