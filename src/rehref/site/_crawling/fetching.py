"""Fetches the pages of servers to check: which URLs are requested, and the context in which the pages are checked.

Each URL is requested once. An answer serves twice: it shows whether links to the URL are right, and it holds the page
whose links are followed. Pages are fetched first, with all that they lead to in scope; then they are checked, and
servers are asked about all other links (`rehref.site._external`). robots.txt is for programs that go from page to page:
fetching follows it by default; for named pages and for other links only an option makes rehref follow it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from rehref.documents.media_types import MediaType
from rehref.files.file_errors import FileError
from rehref.site._crawling.crawl_scope import MOST_BYTES, CrawlOptions, CrawlScope, crawl_options, page_url
from rehref.site._external.outside import Outside
from rehref.site._external.references_elsewhere import outward
from rehref.site._external.verdicts import verdict_of
from rehref.site._grounds.fetched import SentAs, pages_context, sent_document
from rehref.site._grounds.files import Fetched, FetchedPage, NotFetched
from rehref.site._pages.site_page import SitePage
from rehref.site.check_options import CheckOptions, Progress
from rehref.site.findings import HEADER_FIELDS
from rehref.site.site import Site
from rehref.uri.components import split
from rehref.web.answers import Answer, Question

_WITH_REFERENCES = ("link", "refresh")
_OF_SITEMAPS: Final = frozenset({MediaType.XML, MediaType.TEXT})
_PACKED: Final = ".xml.gz"


class Crawl:
    """Fetches pages. Pages are kept in files, facts about them in memory.

    `pages`: those that are kept, by name; `begun`: the answers to the first URLs, without bodies; `not_asked`: URLs in
    scope that were not requested or kept because of a bound: at most `max_pages` are requested (which of more may
    depend on the order of answers), and at most `MOST_BYTES` kept: beyond that it `is_full`. `asked`, `answered`: the
    numbers of URLs so far. Ctrl-C stops fetching: the pages fetched until then are checked.
    """

    def __init__(self, starts: Sequence[str], crawl: CrawlOptions, options: CheckOptions, folder: Path) -> None:
        """`starts`: the URLs to begin with, as `page_url` returns them. `folder`: where pages are kept."""
        self.pages: dict[str, FetchedPage] = {}
        self.begun: dict[str, Answer] = {}
        self.not_asked: set[str] = set()
        self.asked = self.answered = 0
        self.is_full = False
        self._size = 0
        self.starts = tuple(dict.fromkeys(starts))
        self._begins = frozenset(starts)
        self._scope = CrawlScope(self.starts, crawl.scope)
        self._crawl = crawl
        self._options = options
        self._folder = folder
        self._depths: dict[str, int] = {}
        self._known: set[str] = set()  # requested URLs, and those that redirections led to
        # where depths matter: what pages refer to, and the pages that URLs redirect to
        self._onward: dict[str, list[str]] = {}
        self._redirected: dict[str, str] = {}

    def first(self) -> list[Question]:
        """The first questions."""
        return self._reach((url, 0) for url in self.starts)

    def take(self, answer: Answer) -> list[Question]:
        """Take in an answer; return the questions that follow from it."""
        self.answered += 1
        url, sent, is_start = page_of(answer), sent_document(answer), answer.url in self._begins
        if is_start:
            self.begun[answer.url] = replace(answer, body=None)
        if url is None or sent is None or answer.body is None or not (is_start or url in self._scope):
            return []
        if is_start:
            self._scope.begin(url)
        if url != answer.url:
            self._redirected[answer.url] = url
            self._known.add(url)  # need not be requested any more
        questions = self._reach([(url, self._depths[answer.url])])
        if url in self.pages:
            return questions
        if self._size + len(answer.body) > MOST_BYTES:
            self.is_full = True
            self.not_asked.add(url)
            return questions
        documents = {url: answer.body}
        self._keep(url, url, answer.body, sent)
        fields = "".join(f"{name}: {answer.headers[name]}\r\n" for name in _WITH_REFERENCES if name in answer.headers)
        if fields != "":
            name, documents[name] = url + HEADER_FIELDS, fields.encode("utf-8", "replace")
            self._keep(name, url, documents[name], SentAs(MediaType.HEAD, None))
        return [*questions, *self._go_on(url, documents)]

    def take_sitemaps(self, sitemaps: Sequence[str]) -> list[Question]:
        """Take in the sitemaps that the robots.txt of a first page's host names; return the questions that follow.

        They are requested as if that page led to them; those of other hosts, or out of scope, are not.
        """
        found = (page_url(each) for each in sitemaps)
        return self._reach((url, 1) for url in found if url is not None and url in self._scope)

    def _keep(self, name: str, url: str, data: bytes, sent: SentAs) -> None:
        """Keep a document: a page, or those of its header fields that refer to something.

        A page is kept if it was sent as a document (`rehref.site._grounds.fetched`). Its name is the URL that gave it:
        several URLs that redirect there are one page. If redirections leave the scope, the page is not kept, unless the
        check begins there.
        """
        file = self._folder / str(len(self.pages))
        try:
            file.write_bytes(data)
        except OSError as error:  # the error names no file if there is no room
            raise FileError.of(str(self._folder), "no page can be kept there", error) from error
        self._size += len(data)
        self.pages[name] = FetchedPage(url, str(file), *sent)

    def _go_on(self, url: str, documents: Mapping[str, bytes]) -> list[Question]:
        """Ask for what a page refers to, if not too deep. `documents`: the page and its header fields."""
        if not self._crawl.recursive:
            return []
        found = list(dict.fromkeys(each for name in documents for each in self._references(name, documents[name])))
        if self._crawl.depth is not None:
            self._onward[url] = found
        return self._reach((each, self._depths[url] + 1) for each in found)

    def _references(self, name: str, data: bytes) -> Iterator[str]:
        """The URLs that a document refers to and that may be pages.

        Not one to which something is sent (`form@action`), nor data that only a sitemap would name as one of its parts
        (`a.xml.gz`), nor what is left out (`--exclude`).
        """
        page = self.pages[name]
        known = self._depths.keys() if self._crawl.depth is None else ()  # need not be found again
        context = pages_context(page.url, Fetched({name: page}), self._options, known)
        is_list = page.media_type in _OF_SITEMAPS
        for each in outward(SitePage(context, name, data)):
            url = each.url.partition("#")[0]
            if each.reference.kind != "form" and url in self._scope and (is_list or not _is_packed_data(url)):
                yield url

    def _reach(self, found: Iterable[tuple[str, int]]) -> list[Question]:
        """Ask for URLs with their depths unless already requested.

        If a page turns out to be less deep than first known, and was too deep to follow its links, they are followed
        now. So, apart from bounds, the pages that are fetched do not depend on the order of answers.
        """
        deepest = self._crawl.deepest
        waiting, questions = deque(found), list[Question]()
        while waiting:
            url, depth = waiting.popleft()
            if (deepest is not None and depth > deepest) or self._depths.get(url, depth + 1) <= depth:
                continue
            self._depths[url] = depth
            if url not in self._known:
                if self.is_full or self.asked >= self._crawl.max_pages:
                    self.not_asked.add(url)
                    continue
                self._known.add(url)
                self.asked += 1
                is_named = url in self._begins and not self._options.web.robots
                questions.append(Question(url, needs_body=True, is_named=is_named))
            if url in self._redirected:
                waiting.append((self._redirected[url], depth))
            waiting += ((each, depth + 1) for each in self._onward.get(url, ()))
        return questions


def _is_packed_data(url: str) -> bool:
    """Return whether a URL is that of packed XML which is not called a sitemap."""
    name = (split(url).path or "").rpartition("/")[2].lower()
    return name.endswith(_PACKED) and not name.startswith("sitemap")


def page_of(answer: Answer) -> str | None:
    """The name of the page that an answer holds, if it holds one; None if the server did not answer."""
    return page_url(answer.final or answer.url)


class Pages(NamedTuple):
    """Pages that were fetched.

    `context`: for checking them. `no_documents`: those of the first URLs that are not documents, with their media
    types. `not_asked`: URLs in scope beyond `CrawlOptions.max_pages`, or, if it `is_full`, beyond `most_bytes`.
    """

    context: Site
    no_documents: tuple[tuple[str, str], ...]
    not_asked: tuple[str, ...]
    is_full: bool

    @property
    def most_bytes(self) -> int:
        """How many bytes of pages are kept at most."""
        return MOST_BYTES

    @property
    def endless(self) -> str:
        """The URL without query that most of those that were not requested share; "" if there is none."""
        return trap(self.not_asked)


@contextmanager
def pages_of(starts: Sequence[str], outside: Outside, progress: Progress | None = None) -> Iterator[Pages]:
    """Fetch pages as `fetch_pages` does, and keep them while they are checked and reported on. Raises `OptionError`."""
    crawl = crawl_options(outside.options.given, starts[0])
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
    from rehref.web.asking import ask

    options = outside.options
    crawl = Crawl(starts, crawl_options, options, folder)
    web = replace(options.web, robots=crawl_options.robots or options.web.robots)

    def answered(answer: Answer) -> list[Question]:
        questions = crawl.take(answer)
        rules = outside.hosts.of(answer.final or answer.url).robots if crawl_options.robots else None
        if rules is not None and answer.url in crawl.begun:
            questions += crawl.take_sitemaps(rules.sitemaps)
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
    return Pages(Site(*context), no_documents, tuple(sorted(crawl.not_asked)), crawl.is_full)


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
