"""Pages that refresh to each other in a circle: the code `refresh-loop`.

1. What counts are `meta` refreshes that lead to pages of the site, through redirections as everywhere. A page has one
   at most (`rehref.checking.metas`), so the pages of a circle are on no other.
2. A circle of two pages or more is one, whatever the times. A page that refreshes to itself is one if it does so at
   once; after a time that is how pages keep up to date.
3. A page that goes to a fragment of itself stays where it is: no circle.
4. Each page of a circle has a finding, where its refresh names a URL, or at its time if it does not.
5. All pages are read for the word; those with a circle once more, for the place. Linear in their number and size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rehref.base import without_fragment
from rehref.checking.details import finding_of
from rehref.checking.metas import PAGE_TYPES, Refresh, may_refresh, read_metas, refresh_of
from rehref.checking.model import Finding
from rehref.checking.pages import Site, type_of
from rehref.checking.passes import Asked
from rehref.checking.rereading import mentioning, site_of
from rehref.checking.workers import chunks_of, how_many, results
from rehref.documents.document import Document

if TYPE_CHECKING:
    from rehref.checking.surroundings import Surroundings

_MOST_SHOWN = 4


def findings(around: Surroundings, documents: Iterable[str]) -> Iterator[Finding]:
    """The findings for the refreshes of `documents` (paths below the folder) that lead in circles."""
    options = around.options
    site = site_of(around)
    pages = [path for path in documents if type_of(path) in PAGE_TYPES]
    jobs = how_many(options.jobs, len(pages))
    leads: dict[str, str] = {}
    for found in results(_Pass(site, Asked(options.include, options.exclude)), chunks_of(pages, jobs), jobs):
        leads.update(found)
    for loop in loops(leads):
        for number, path in enumerate(loop):
            for _, data in mentioning(site, (path,), may_refresh):
                document = read_metas(site, path, data)
                refresh = refresh_of(document)
                if refresh is not None:  # the page is still as it was
                    yield _finding(document, path, refresh, _message(loop, number))


def loops(leads: Mapping[str, str]) -> Iterator[list[str]]:
    """The circles of a graph in which each page leads to one other, each once, in the order of going round."""
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


@dataclass(frozen=True, slots=True)
class _Pass:
    """Reads pages for where they refresh to."""

    site: Site
    asked: Asked

    def __call__(self, paths: Sequence[str]) -> list[tuple[str, str]]:
        """Those pages of some that refresh, each with the page it leads to; not where that is fine (rules 2, 3)."""
        found = []
        for path, data in mentioning(self.site, paths, may_refresh):
            document = read_metas(self.site, path, data)
            refresh = refresh_of(document)
            to = None if refresh is None else self._leads_to(document, path, refresh)
            if to is not None:
                found.append((path, to))
        return found

    def _leads_to(self, document: Document, path: str, refresh: Refresh) -> str | None:
        if refresh.reference is None:
            return path if refresh.at_once and self.asked.chooses(document.own.uri or "") else None
        target = document.resolved(refresh.reference).target
        if target is None or not self.asked.chooses(target):
            return None
        located = self.site.locate(without_fragment(target))
        if located.code or located.path is None:
            return None
        if located.path == path and ("#" in target or not refresh.at_once):
            return None
        return located.path


def _finding(document: Document, path: str, refresh: Refresh, message: str) -> Finding:
    if refresh.reference is not None:
        return finding_of(path, document.link(refresh.reference), "refresh-loop", "error", message)
    number, own = refresh.place, document.own
    line, column = document.parsed.locate(number, 0)
    span = document.parsed.span(number, 0, len(document.parsed.places[number][3]))
    return Finding(path, line, column, span, "meta", "content", "", own.uri, own, "refresh-loop", "error", message)


def _message(loop: Sequence[str], number: int) -> str:
    """What is wrong with the page of that number."""
    if len(loop) == 1:
        return "the page refreshes itself at once, without end"
    pages = [loop[(number + step) % len(loop)] for step in range(min(len(loop), _MOST_SHOWN))]
    pages += [loop[number]] if len(loop) <= _MOST_SHOWN else [f"… ({len(loop):,} pages)"]
    return f"the refreshes lead in a circle: {' → '.join(pages)}"
