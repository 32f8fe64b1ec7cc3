"""A run: all questions that there are, and those that come of answers, until every one is answered.

1. Each URL is asked once; once more, if a question needs its body and no one before did.
2. Questions are taken from who gives them as there is room (`_AHEAD`), and a task is made for one when it is its turn:
   memory does not grow with their number, but for the URLs that were asked (rule 1).
3. Answers are reported one after the other, as they come. What reporting raises ends the run.
4. When it ends, in whatever way, nothing is left running: all that was under way is cancelled and waited for.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator

from rehref.web.hosts import host_of
from rehref.web.model import Answer, Question
from rehref.web.options import WebOptions
from rehref.web.turns import Turns

_AHEAD = 50_000
"""So many questions at most wait or are under way: among them are enough hosts, in whatever order they come."""
_TASKS = 20
"""So many tasks at most for each place among all: those that wait for their host, or to ask again, need none."""


class Run:
    """A run. `answer`: how a question is asked, with all limits kept; `answered`: reports, and may give more."""

    def __init__(
        self,
        questions: Iterable[Question],
        options: WebOptions,
        answer: Callable[[Question], Awaitable[Answer]],
        answered: Callable[[Answer], Iterable[Question]],
    ) -> None:
        self._answer = answer
        self._answered = answered
        self._sources: deque[Iterator[Question]] = deque((iter(questions),))
        self._seen: set[str] = set()
        self._seen_whole: set[str] = set()
        self._turns = Turns(options.host_concurrency)
        self._tasks: dict[asyncio.Task[Answer], str] = {}  # with the host
        self._most_tasks = options.max_concurrency * _TASKS
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

    def _go_on(self) -> None:
        """Make a task for each question whose turn it is."""
        self._read()
        while len(self._tasks) < self._most_tasks and (taken := self._turns.take()) is not None:
            host, question = taken
            task = asyncio.ensure_future(self._answer(question))
            self._tasks[task] = host
            task.add_done_callback(self._done)
            self._read()
        if not self._tasks and not self._ended.done():
            self._ended.set_result(None)

    def _read(self) -> None:
        """Take more questions, if there is room."""
        while self._sources and len(self._turns) + len(self._tasks) < _AHEAD:
            question = next(self._sources[0], None)
            if question is None:
                self._sources.popleft()
            elif self._is_new(question):
                self._turns.add(host_of(question.url), question)

    def _is_new(self, question: Question) -> bool:
        seen = self._seen_whole if question.needs_body else self._seen
        if question.url in seen or question.url in self._seen_whole:
            return False
        seen.add(question.url)
        return True

    def _done(self, task: asyncio.Task[Answer]) -> None:
        """Report an answer, and go on."""
        host = self._tasks.pop(task, None)
        if host is None or self._ended.done():
            if not task.cancelled():
                task.exception()  # it is known by now that something went wrong
            return
        self._turns.done(host)
        try:
            more = self._answered(task.result())
            if more:
                self._sources.append(iter(more))
            self._go_on()
        except BaseException as error:  # it is raised where the run is waited for
            self._ended.set_exception(error)
