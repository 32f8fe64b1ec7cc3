"""Which questions are taken next, and how many at once."""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import Iterator
from dataclasses import replace

import pytest

from rehref.web import _asking_many as running
from rehref.web._asking_many import _TASKS, HostQueues
from rehref.web.answers import Answer, Question
from web.stub import QUICK, Servers


def test_hosts_take_turns() -> None:
    queues = HostQueues(at_once=2)
    for url in ("a1", "a2", "a3", "b1", "c1"):
        queues.add(url[0], Question(url))
    assert len(queues) == 5
    assert [queues.take()[1].url for _ in range(4)] == ["a1", "b1", "c1", "a2"]  # type: ignore[index]
    assert queues.take() is None  # a has its two
    queues.done("a")
    assert queues.take() == ("a", Question("a3"))
    assert queues.take() is None
    assert len(queues) == 0


def test_questions_are_taken_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a task nor a place in memory for each of the questions that there are."""
    monkeypatch.setattr(running, "_AHEAD", 500)
    given: weakref.WeakSet[object] = weakref.WeakSet()
    most = 0

    class Url(str):
        __slots__ = ("__weakref__",)

    class Forgetful(Servers):
        async def once(self, question: Question, gate: object) -> Answer:
            await asyncio.sleep(1)
            return Answer(str(question.url), 200)

    def questions() -> Iterator[Question]:
        nonlocal most
        for number in range(5000):
            url = Url(f"http://h{number % 100}/{number}")
            given.add(url)
            yield Question(url)
            del url
            most = max(most, len(given))

    assert len(Forgetful().ask(questions())) == 5000
    assert 450 <= most <= 500 + 1


def test_most_questions_have_no_task() -> None:
    asked_at_once = 0

    class Counting(Servers):
        under_way = 0

        async def once(self, question: Question, gate: object) -> Answer:
            nonlocal asked_at_once
            self.under_way += 1
            asked_at_once = max(asked_at_once, self.under_way)
            try:
                return await super().once(question, gate)  # type: ignore[arg-type]
            finally:
                self.under_way -= 1

    options = replace(QUICK, max_concurrency=5)
    assert len(Counting(0.1).ask((f"http://h{number}/" for number in range(3000)), options)) == 3000
    assert asked_at_once == 5 * _TASKS


def test_no_more_is_asked_while_many_bodies_wait_to_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rehref.web._asking_many._MOST_UNREPORTED", 10)
    servers, waits = Servers(), list[int]()
    urls = [f"http://h{number}/" for number in range(500)]
    for url in urls:
        servers.give(url, Answer(url, 200, final=url, body=b"<p>four</p>"))

    def reading(answer: Answer) -> Iterator[Question]:
        before = -1
        while not waits and before < len(servers.asked):
            before = len(servers.asked)
            time.sleep(0.3)
        waits.append(len(servers.asked))
        return iter(())

    options = replace(QUICK, max_concurrency=2)
    assert len(servers.ask(urls, options, answered=reading)) == 500
    assert waits[0] <= 2 * _TASKS + 1
