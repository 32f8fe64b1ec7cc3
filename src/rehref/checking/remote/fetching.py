"""Fetches the pages of servers to check: the context in which they are checked like those of a folder.

1. Pages are fetched first, with all that they lead to in scope; then they are checked, and servers are asked about all
   other links (`rehref.checking.external`). No question is asked twice.
2. robots.txt is for programs that go from page to page: fetching follows it by default; for named pages and for other
   links only an option makes rehref follow it.
3. Ctrl-C stops fetching: the pages fetched until then are checked, and nothing else is requested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeAlias

from rehref.checking.external.outside import Outside
from rehref.checking.external.verdicts import verdict_of
from rehref.checking.remote.crawl_scope import CrawlOptions, crawl_options
from rehref.checking.remote.crawling import Crawl, page_of
from rehref.checking.site.fetched import pages_context
from rehref.checking.site.files import Fetched, NotFetched
from rehref.checking.site.site_context import SiteContext
from rehref.uri.components import split
from rehref.web.model import Answer, Question

Progress: TypeAlias = Callable[[int, int], None]


class Pages(NamedTuple):
    """Pages that were fetched.

    `context`: for checking them. `no_documents`: those of the first URLs that are not documents, with their media
    types. `not_asked`: URLs in scope beyond `CrawlOptions.max_pages`, or, if it `is_full`, beyond `MOST_BYTES`.
    """

    context: SiteContext
    no_documents: tuple[tuple[str, str], ...]
    not_asked: tuple[str, ...]
    is_full: bool


@contextmanager
def pages_of(
    starts: Sequence[str], given: Mapping[str, Any], outside: Outside, progress: Progress | None = None
) -> Iterator[Pages]:
    """Fetch pages, and keep them while they are checked and reported on.

    `given`: the options by name; the rest as for `fetch_pages`. Raises `OptionError`.
    """
    crawl = crawl_options(given, starts[0])
    with TemporaryDirectory(prefix="rehref-", ignore_cleanup_errors=True) as folder:
        yield fetch_pages(starts, crawl, outside, Path(folder), progress)


def fetch_pages(
    starts: Sequence[str],
    crawl_options: CrawlOptions,
    outside: Outside,
    folder: Path,
    progress: Progress | None = None,
) -> Pages:
    """Fetch pages. `starts`: the URLs to begin with, as `page_url` returns them.

    `outside`: asks about other links later; it takes in the answers given here, and whether Ctrl-C came. `folder`:
    where pages are kept while they are checked and reported on. `progress`: called with the number of answered URLs,
    and of all so far. Raises `OptionError` if the extra `web` is not installed, and `FileError` if there is no room in
    the folder.
    """
    from rehref.web.asking import ask  # needs more packages than the rest

    options = outside.options
    crawl = Crawl(starts, crawl_options, options, folder)
    web = replace(options.web, robots=crawl_options.robots or options.web.robots)

    def answered(answer: Answer) -> list[Question]:
        questions = crawl.take(answer)
        outside.know(answer, is_page=page_of(answer) in crawl.pages and not answer.hops)
        if progress is not None:
            progress(crawl.answered, crawl.asked)
        return questions

    try:
        ask(crawl.first(), web, answered, outside.hosts)
    except KeyboardInterrupt:
        outside.fetched = len({page.url for page in crawl.pages.values()})
        outside.stop()
    failed, no_documents = _without_page(crawl, options.accept)
    begun = frozenset(url for url in map(page_of, crawl.begun.values()) if url in crawl.pages)
    context = pages_context(crawl.starts[0], Fetched(crawl.pages, failed, begun), options)
    return Pages(context, no_documents, tuple(sorted(crawl.not_asked)), crawl.is_full)


def _without_page(
    crawl: Crawl, accepted: Sequence[range]
) -> tuple[tuple[NotFetched, ...], tuple[tuple[str, str], ...]]:
    """The first URLs that gave no page: those with an error, and those that are not documents."""
    failed, others = [], []
    for url, answer in crawl.begun.items():
        if page_of(answer) in crawl.pages:
            continue
        verdict = verdict_of(answer, accepted)
        if verdict is not None and verdict.moved_to is None:
            failed.append(NotFetched(url, verdict.code, verdict.message))
        else:
            others.append((url, answer.headers.get("content-type", "of no type")))
    return tuple(failed), tuple(others)


def trap(urls: Sequence[str]) -> str:
    """The URL without query that most of some URLs share, as those of an endless calendar do; "" if there is none."""
    counts: dict[str, int] = {}
    for url in urls:
        if split(url).query:
            path = url.partition("?")[0]
            counts[path] = counts.get(path, 0) + 1
    path, count = max(counts.items(), key=lambda one: one[1], default=("", 0))
    return path if 2 * count > len(urls) else ""
