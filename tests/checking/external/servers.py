"""Servers that are not there: what they would answer, and what they were asked (`rehref.web.asking.ask`)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import pytest

from rehref.web.hosts import HostRecords
from rehref.web.model import Answer, Hop, Question
from rehref.web.options import WebOptions


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


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Servers:
    """Servers that are asked in the place of real ones."""
    found = Servers()
    monkeypatch.setattr("rehref.web.asking.ask", found.ask)
    return found
