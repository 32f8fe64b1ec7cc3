"""A run: all questions that there are, and those that come of answers, until every one is answered.

1. Every question is asked that is given. Whoever gives them knows what was asked, for all askings of a run; a second
   set of all URLs here would be as large.
2. Questions are taken from who gives them as there is room (`_AHEAD`), and a task is made for one when it is its turn:
   memory does not grow with their number.
3. Answers are reported one after the other, as they come. What reporting raises ends the run.
4. One with a body is reported in a thread, since to read a page may take seconds: no other host waits for that, and
   runs out of time. Where much waits to be reported (`_MOST_UNREPORTED`), nothing more is asked for the time being.
5. When it ends, in whatever way, nothing is left running: all that was under way is cancelled and waited for,
   and so is the answer that is being reported.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from rehref.web.host_queues import HostQueues
from rehref.web.hosts import host_of
from rehref.web.model import Answer, Ask, Question
from rehref.web.options import WebOptions

_AHEAD = 50_000
"""So many questions at most wait or are under way: among them are enough hosts, in whatever order they come."""
_TASKS = 20
"""So many tasks at most for each place among all: those that wait for their host, or to ask again, need none."""
_MOST_UNREPORTED = 64 * 1024 * 1024
"""So many bytes of bodies wait to be reported before nothing more is asked (rule 4)."""


class Run:
    """A run. `answer`: how a question is asked, with all limits kept; `answered`: reports, and may give more."""

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
        self._reporting: asyncio.Future[Iterable[Question]] | None = None  # in the thread (rule 4)
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def all(self) -> None:
        """Have all questions answered and reported."""
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
        """Make a task for each question whose turn it is."""
        self._read()
        while self._has_room() and (taken := self._queues.take()) is not None:
            host, question = taken
            task = asyncio.ensure_future(self._answer(question))
            self._tasks[task] = host
            task.add_done_callback(self._done)
            self._read()
        if not self._tasks and self._reporting is None and not self._ended.done():
            self._ended.set_result(None)

    def _has_room(self) -> bool:
        """Whether one more task may be made."""
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
        """Take an answer, and go on."""
        host = self._tasks.pop(task, None)
        if host is None or self._ended.done():
            if not task.cancelled():
                task.exception()  # it is known by now that something went wrong
            return
        try:
            answer = task.result()
            self._unreported.append((host, answer))
            self._unreported_size += len(answer.body or b"")
            self._report()
        except BaseException as error:  # it is raised where the run is waited for
            self._ended.set_exception(error)

    def _report(self) -> None:
        """Report what can be now, and go on (rules 3, 4)."""
        while self._unreported and self._reporting is None:
            host, answer = self._unreported.popleft()
            self._queues.done(host)
            if answer.body is None:
                self._take(self._answered(answer))
            else:
                self._unreported_size -= len(answer.body)
                self._reporting = asyncio.get_running_loop().run_in_executor(None, self._answered, answer)
                self._reporting.add_done_callback(self._reported)
        self._go_on()

    def _reported(self, reporting: asyncio.Future[Iterable[Question]]) -> None:
        """An answer has been reported in the thread."""
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
        """Have what comes of an answer asked, too."""
        if more:
            self._sources.append(iter(more))
