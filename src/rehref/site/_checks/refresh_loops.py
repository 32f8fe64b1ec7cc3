"""Pages that refresh to each other in a circle: the code `refresh-loop`.

Only `meta` refreshes to pages of the site count, through redirections as everywhere. A page has at most one
(`rehref.site._pages.metas`), so each page is in one circle at most. Targets are collected when pages are first read;
the pages of a circle are read again, for the place: the URL of the refresh, or its time if it has no URL.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rehref.documents.document import Document
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.made_findings import finding_at, finding_of
from rehref.site._pages.metas import Refresh, read_metas, refresh_of
from rehref.site._pages.reading_site_pages import read_or_skip
from rehref.site._pages.site_tables import SiteTable
from rehref.site.findings import Finding

_MOST_SHOWN = 4


def findings(context: SiteContext, table: SiteTable, facts: Mapping[str, object]) -> Iterator[Finding]:
    """Yield the findings for pages that refresh in circles."""
    refreshes = table.refreshes
    for loop in loops({path: to.path for path, to in sorted(refreshes.items())}):
        if not any(refreshes[path].at_once for path in loop):
            continue
        for number, path in enumerate(loop):
            document = read_metas(context, path, read_or_skip(context, path) or b"")
            refresh = refresh_of(document)
            if refresh is not None:  # the page has not changed
                yield _finding(document, path, refresh, _message(loop, number))


def loops(leads: Mapping[str, str]) -> Iterator[list[str]]:
    """Return the circles that are reported: one of the pages refreshes at once. If all wait, they are a slide show.

    A page that refreshes to itself after a time updates itself, and one that refreshes to a fragment of itself stays.
    """
    walks: dict[str, int] = {}
    for walk, first in enumerate(leads):
        page = first
        while page in leads and page not in walks:
            walks[page] = walk
            page = leads[page]
        if walks.get(page) == walk:
            loop = [page]
            while leads[loop[-1]] != page:
                loop.append(leads[loop[-1]])
            yield loop


def _finding(document: Document, path: str, refresh: Refresh, message: str) -> Finding:
    if refresh.reference is not None:
        return finding_of(path, document.link(refresh.reference), "refresh-loop", message)
    own = document.own
    found = finding_at(path, document, refresh.place, "refresh-loop", message)
    return found._replace(reference="", target=own.uri, base=own)


def _message(loop: Sequence[str], number: int) -> str:
    """Return what is wrong with the page of that number."""
    if len(loop) == 1:
        return "the page refreshes itself at once, without end"
    pages = [loop[(number + step) % len(loop)] for step in range(min(len(loop), _MOST_SHOWN))]
    pages += [loop[number]] if len(loop) <= _MOST_SHOWN else [f"… ({len(loop):,} pages)"]
    return f"the refreshes lead in a circle: {' → '.join(pages)}"
