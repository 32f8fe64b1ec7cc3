"""Webs of a few pages, made for a test: what asks them, in the place of `rehref.web.asking.ask`.

`Web` has pages that are fetched, through redirections; `Servers` answers about URLs as it was told.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from unittest.mock import patch

from rehref.site.check import CheckRun
from rehref.site.check_options import CheckOptions
from rehref.site.findings import CheckResult, Finding
from rehref.web.answers import Answer, Hop, Question
from rehref.web.asking_options import WebOptions
from rehref.web.servers import HostRecords

HTML = {"content-type": "text/html; charset=utf-8"}


@dataclass(frozen=True)
class Response:
    """What a server says to a URL."""

    body: bytes | str = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: HTML)
    location: str | None = None


@dataclass
class Web:
    """Servers, and what they were asked.

    `responses`: by URLs; a text is a page of HTML, a number a status. `takes`: which of the questions that wait is
    answered next, by its number. `stop_after`: Ctrl-C comes after so many answers.
    """

    responses: Mapping[str, Response | str | int]
    takes: Callable[[Sequence[Question]], int] = lambda _: 0
    stop_after: int | None = None
    asked: list[str] = field(default_factory=list)
    options: WebOptions | None = None
    records: HostRecords | None = None

    def ask(
        self,
        questions: Iterable[Question],
        options: WebOptions,
        answered: Callable[[Answer], Iterable[Question]],
        records: HostRecords,
    ) -> None:
        """Answer questions, and those that come of the answers."""
        self.options, self.records = options, records
        waiting = list(questions)
        while waiting:
            if self.stop_after is not None and len(self.asked) >= self.stop_after:
                raise KeyboardInterrupt
            question = waiting.pop(self.takes(waiting))
            self.asked.append(question.url)
            waiting += answered(self.answer(question))

    def answer(self, question: Question) -> Answer:
        """The answer to a question, through redirections."""
        url, hops = question.url, list[Hop]()
        response = self._response(url)
        while response.location is not None:
            hops.append(Hop(url, response.status, response.location))
            url = response.location
            response = self._response(url)
        body = response.body.encode() if isinstance(response.body, str) else response.body
        return Answer(
            question.url,
            response.status,
            final=url,
            hops=tuple(hops),
            headers=response.headers,
            body=body if question.needs_body else None,
        )

    def _response(self, url: str) -> Response:
        found = self.responses.get(url, 404)
        if isinstance(found, Response):
            return found
        return Response(found) if isinstance(found, str) else Response(status=found)


def moved(location: str, status: int = 301) -> Response:
    """A redirection."""
    return Response(status=status, location=location)


@contextmanager
def fetching(
    web: Web, *starts: str, options: CheckOptions | None = None, recursive: bool = True, **crawl: Any
) -> Iterator[tuple[Any, CheckRun]]:
    """The pages that are fetched, from some URLs on, and the run of it; `web` answers all questions."""
    options = CheckOptions(jobs=1) if options is None else options
    given: Any = {**options.given, "external": True, "recursive": recursive, **crawl}
    asking = options._replace(given=given, checks=options.checks | {"external"})
    with (
        patch("rehref.web.asking.ask", web.ask),
        CheckRun.begun(asking, print) as run,
        run.fetched(starts) as pages,
    ):
        yield pages, run


def documents(web: Web, *starts: str, **given: Any) -> list[str]:
    """What the pages are called that are fetched."""
    with fetching(web, *starts, **given) as (pages, _):
        return sorted(pages.context.scope.documents)


def checked(web: Web, *starts: str, **given: Any) -> CheckResult:
    """What is found in the pages that are fetched."""
    with fetching(web, *starts, **given) as (pages, run):
        return run.check(pages.context).result


def found(web: Web, *starts: str, **given: Any) -> list[tuple[str, str, str]]:
    """The same, in short: the document, the code and the reference of each finding."""
    return [short(finding) for finding in checked(web, *starts, **given).findings]


def short(finding: Finding) -> tuple[str, str, str]:
    """The document, the code and the reference of a finding."""
    return finding.document, finding.code, finding.reference


@dataclass
class Servers:
    """What each URL answers (404 if nothing is said); `asked`: the questions that came; `interrupt_after`: so many."""

    answers: dict[str, Answer] = field(default_factory=dict)
    asked: list[Question] = field(default_factory=list)
    interrupt_after: int | None = None
    records: list[HostRecords] = field(default_factory=list)

    def page(self, url: str, body: str | bytes, media_type: str = "text/html; charset=utf-8", *hops: Hop) -> None:
        """There is a page at a URL."""
        data = body.encode() if isinstance(body, str) else body
        final = hops[-1].location.partition("#")[0] if hops else url
        self.answers[url] = Answer(url, 200, final=final, hops=hops, headers={"content-type": media_type}, body=data)

    def status(self, url: str, status: int) -> None:
        """A URL answers with a status."""
        self.answers[url] = Answer(url, status, final=url)

    def moved(self, url: str, to: str, status: int = 301) -> None:
        """A URL redirects to what is there."""
        self.answers[url] = Answer(url, 200, final=to.partition("#")[0], hops=(Hop(url, status, to),))

    @property
    def urls(self) -> list[str]:
        """What was asked, in order."""
        return sorted(question.url for question in self.asked)

    def ask(
        self,
        questions: Iterable[Question],
        options: WebOptions,
        answered: Callable[[Answer], Iterable[Question]],
        records: HostRecords,
    ) -> None:
        """Stands for `rehref.web.asking.ask`."""
        self.records.append(records)
        waiting = deque(questions)
        while waiting:
            if self.interrupt_after is not None and len(self.asked) >= self.interrupt_after:
                raise KeyboardInterrupt
            question = waiting.popleft()
            self.asked.append(question)
            answer = self.answers.get(question.url, Answer(question.url, 404, final=question.url))
            waiting.extend(answered(answer if question.needs_body else replace(answer, body=None)))
