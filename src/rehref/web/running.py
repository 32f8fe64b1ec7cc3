"""A run: all questions, and those that follow from answers, until every one is answered.

1. Every given question is asked. The caller knows what was asked in the whole run; a second set of all URLs here would
   be as large.
2. Questions are taken from the caller when there is room (`_AHEAD`), and a task is created for each when it is its
   turn: memory does not grow with their number.
3. Answers are reported one after the other, as they come. An exception of the report ends the run.
4. An answer with a body is reported in a thread, since reading a page may take seconds: other hosts do not wait for
   that, and do not run into timeouts. While many bytes wait to be reported (`_MOST_UNREPORTED`), no question is asked.
5. When the run ends, in whatever way, nothing is left running: all tasks are cancelled and waited for, and so is the
   answer that is being reported.
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
"""The most questions that wait or have started: among them are enough hosts, in whatever order they come."""
_TASKS = 20
"""The most tasks for each place among all hosts: tasks that wait for their host, or to repeat, need no place."""
_MOST_UNREPORTED = 64 * 1024 * 1024
"""The most bytes of bodies that wait to be reported; beyond this no question is asked (rule 4)."""


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
        self._reporting: asyncio.Future[Iterable[Question]] | None = None  # in the thread (rule 4)
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

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
            task = asyncio.ensure_future(self._answer(question))
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
        """Report the answers that can be reported now, and go on (rules 3, 4)."""
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
