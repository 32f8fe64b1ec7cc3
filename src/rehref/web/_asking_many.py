"""A run: all questions, and those that follow from answers, until every one is answered.

Every given question is asked. The caller knows what was asked in the whole run; a second set of all URLs here would be
as large. Questions are taken from the caller when there is room, and a task is created for each when it is its turn:
memory does not grow with their number. When the run ends, in whatever way, nothing is left running: all tasks are
cancelled and waited for, and so is the answer that is being reported.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import replace
from typing import TypeAlias

from rehref.web._connections import open_client
from rehref.web._credentials import cookie_jar
from rehref.web._following_redirects import answer
from rehref.web._gate import Gate
from rehref.web._retrying import Retrying
from rehref.web._robots import NotAllowedError, Robots
from rehref.web.answers import Answer, Ask, AskThrough, Question
from rehref.web.asking_options import WebOptions
from rehref.web.servers import HostRecords, host_of


class HostQueues:
    """Questions by host, those of one host in the order in which they were given.

    A host with as many current questions as allowed is left out, until one of them is done. The queues do not know
    about time: the gate of a host knows when it may be asked (`_gate.py`).
    """

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._waiting: dict[str, deque[Question]] = {}
        self._under_way: dict[str, int] = {}
        self._next: deque[str] = deque()  # the hosts that have both a question that waits, and room
        self._count = 0

    def __len__(self) -> int:
        """Return how many questions wait."""
        return self._count

    def add(self, host: str, question: Question) -> None:
        """Add a question, which waits for its turn."""
        waiting = self._waiting.get(host)
        if waiting is None:
            self._waiting[host] = deque((question,))
            if self._has_room(host):
                self._next.append(host)
        else:
            waiting.append(question)
        self._count += 1

    def take(self) -> tuple[str, Question] | None:
        """Return the next question with its host, and count it as started; None if no host with room has any."""
        if not self._next:
            return None
        host = self._next.popleft()
        waiting = self._waiting[host]
        question = waiting.popleft()
        self._under_way[host] = self._under_way.get(host, 0) + 1
        self._count -= 1
        if not waiting:
            del self._waiting[host]
        elif self._has_room(host):
            self._next.append(host)
        return host, question

    def done(self, host: str) -> None:
        """Record that a question of a host is done."""
        had_room = self._has_room(host)
        self._under_way[host] -= 1
        if not self._under_way[host]:
            del self._under_way[host]
        if not had_room and host in self._waiting:
            self._next.append(host)

    def _has_room(self, host: str) -> bool:
        return self._under_way.get(host, 0) < self._at_once


_AHEAD = 50_000
"""The most questions that wait or have started: among them are enough hosts, in whatever order they come."""
_TASKS = 20
"""The most tasks for each place among all hosts: tasks that wait for their host, or to repeat, need no place."""
_MOST_UNREPORTED = 64 * 1024 * 1024
"""The most bytes of bodies that wait to be reported; beyond this no question is asked."""


class Run:
    """A run. `answer`: asks a question within all limits; `answered`: reports, and may return more questions."""

    def __init__(
        self,
        questions: Iterable[Question],
        options: WebOptions,
        answer: Ask,
        answered: Callable[[Answer], Iterable[Question]],
    ) -> None:
        self._answer = answer
        self._answered = answered
        self._sources: deque[Iterator[Question]] = deque((iter(questions),))
        self._queues = HostQueues(options.host_concurrency)
        self._tasks: dict[asyncio.Task[Answer], str] = {}  # with the host
        self._most_tasks = options.max_concurrency * _TASKS
        self._unreported: deque[tuple[str, Answer]] = deque()  # with the host
        self._unreported_size = 0
        self._reporting: asyncio.Future[Iterable[Question]] | None = None  # in the thread
        self._loop = asyncio.get_running_loop()
        self._ended: asyncio.Future[None] = self._loop.create_future()

    async def all(self) -> None:
        """Ask all questions, and report the answers."""
        try:
            self._go_on()
            await self._ended
        finally:
            tasks = list(self._tasks)
            self._tasks.clear()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if self._reporting is not None:
                await asyncio.wait((self._reporting,))

    def _go_on(self) -> None:
        """Create a task for each question whose turn it is."""
        self._read()
        while self._has_room() and (taken := self._queues.take()) is not None:
            host, question = taken
            task = self._loop.create_task(self._answer(question))
            self._tasks[task] = host
            task.add_done_callback(self._done)
            self._read()
        if not self._tasks and self._reporting is None and not self._ended.done():
            self._ended.set_result(None)

    def _has_room(self) -> bool:
        """Return whether one more task may be created."""
        return len(self._tasks) < self._most_tasks and self._unreported_size <= _MOST_UNREPORTED

    def _read(self) -> None:
        """Take more questions, if there is room."""
        while self._sources and len(self._queues) + len(self._tasks) < _AHEAD:
            question = next(self._sources[0], None)
            if question is None:
                self._sources.popleft()
            else:
                self._queues.add(host_of(question.url), question)

    def _done(self, task: asyncio.Task[Answer]) -> None:
        """Accept an answer, and go on."""
        host = self._tasks.pop(task, None)
        if host is None or self._ended.done():
            if not task.cancelled():
                task.exception()  # the run is already failing
            return
        try:
            answer = task.result()
            self._unreported.append((host, answer))
            self._unreported_size += len(answer.body or b"")
            self._report()
        except BaseException as error:  # it is raised where the run is waited for
            self._ended.set_exception(error)

    def _report(self) -> None:
        """Report the answers that can be reported now, one after the other, and go on. An exception of the report ends
        the run.

        An answer with a body is reported in a thread, since reading a page may take seconds: other hosts do not wait
        for that, and do not run into timeouts.
        """
        while self._unreported and self._reporting is None:
            host, answer = self._unreported.popleft()
            self._queues.done(host)
            if answer.body is None:
                self._take(self._answered(answer))
            else:
                self._unreported_size -= len(answer.body)
                self._reporting = self._loop.run_in_executor(None, self._answered, answer)
                self._reporting.add_done_callback(self._reported)
        self._go_on()

    def _reported(self, reporting: asyncio.Future[Iterable[Question]]) -> None:
        """Go on after an answer has been reported in the thread."""
        self._reporting = None
        if self._ended.done():
            reporting.exception()
            return
        try:
            self._take(reporting.result())
            self._report()
        except BaseException as error:  # it is raised where the run is waited for
            self._ended.set_exception(error)

    def _take(self, more: Iterable[Question]) -> None:
        """Add the questions that follow from an answer."""
        if more:
            self._sources.append(iter(more))


Connect: TypeAlias = Callable[[WebOptions, HostRecords], AbstractAsyncContextManager[AskThrough]]
"""Opens the resources of connections, and closes them."""


@asynccontextmanager
async def real_servers(options: WebOptions, records: HostRecords) -> AsyncIterator[AskThrough]:
    """Connections to servers."""
    if records.cookies is None:
        records.cookies = cookie_jar(options.cookies)
    to_named = open_client(replace(options, allows_private=True), jar=records.cookies)
    async with (
        open_client(options, jar=records.cookies) as plain,
        to_named if options.named_hosts else nullcontext() as of_named,
    ):
        client = replace(plain, of_named=of_named)
        yield lambda question, gate: answer(question, client, gate, lambda url: records.of(url).is_silent)


async def session(
    questions: Iterable[Question],
    options: WebOptions,
    answered: Callable[[Answer], Iterable[Question]],
    records: HostRecords,
    connect: Connect = real_servers,
) -> None:
    """Ask all questions; see `asking.ask`."""
    async with connect(options, records) as ask, _repeating(options, records, ask) as repeating:
        await Run(questions, options, repeating, answered).all()


@asynccontextmanager
async def _repeating(options: WebOptions, records: HostRecords, ask: AskThrough) -> AsyncIterator[Ask]:
    """Return the function that answers a question, within all limits and with repetitions."""
    gate = Gate(options, records)
    retrying = Retrying(options, gate, records)

    async def plain(question: Question) -> Answer:
        return await retrying.answer(question, lambda each: ask(each, gate))

    if not options.robots:
        yield plain
        return
    robots = Robots(options, gate, records, plain)

    async def if_allowed(question: Question) -> Answer:
        if question.is_named:
            given = await plain(question)
            if given.failure is None:  # the sitemaps in it count for what follows
                await robots.rules(given.final)
            return given
        try:
            return await retrying.answer(question, lambda each: ask(each, robots))
        except NotAllowedError as error:  # nothing was sent, so there is nothing to repeat
            return replace(error.answer, url=question.url)

    try:
        yield if_allowed
    finally:
        await robots.close()
