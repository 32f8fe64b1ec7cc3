"""Asking: servers that are there, one question after the other; and those that are not there, for tests of the pace."""

from __future__ import annotations

import asyncio
import selectors
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager

from rehref.web._asking_many import real_servers, session
from rehref.web.answers import Answer, AskThrough, Question, RequestGate
from rehref.web.asking_options import WebOptions
from rehref.web.servers import HostRecords, host_of
from web.servers import anyhow

QUICK = WebOptions(host_interval=0.0)
LOCAL = WebOptions(allows_private=True)


_A_BIT = 1e-9  # some time always passes, else an error of rounding is waited for again and again


class Clock(selectors.DefaultSelector):
    """A selector that does not wait, but says that it is later."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            return super().select(None)
        self.now += timeout + _A_BIT
        return super().select(0)


def clockwork(begins: float = 0.0) -> asyncio.AbstractEventLoop:
    """An event loop whose time is exact, and passes at once where there is nothing to do but wait."""
    clock = Clock()
    clock.now = begins
    loop = asyncio.SelectorEventLoop(clock)
    loop.time = lambda: clock.now  # type: ignore[method-assign]
    # From Python 3.12 on, asyncio waits for threads for a limited time, which passes at once on this clock.
    shut_down = loop.shutdown_default_executor
    loop.shutdown_default_executor = lambda timeout=None: shut_down()  # type: ignore[method-assign, misc]
    return loop


@asynccontextmanager
async def connected(
    options: WebOptions = LOCAL, records: HostRecords | None = None
) -> AsyncIterator[Callable[..., Awaitable[Answer]]]:
    """What asks servers that are there: a URL or a question, and a gate to pass."""
    async with real_servers(options, HostRecords() if records is None else records) as ask:

        async def once(question: Question | str, gate: RequestGate = anyhow) -> Answer:
            return await ask(question if isinstance(question, Question) else Question(question), gate)

        yield once


class Servers:
    """All servers there are. `answers`: what each URL gives, one answer after the other, the last one again and again.

    A URL that is not named gives 200. Kept is what servers notice: `asked`, the URLs in order; `at`, when, by host;
    `most`, how many requests there were at once, by host and in all ("").
    """

    def __init__(self, takes: float | Callable[[str], float] = 0.0) -> None:
        self.takes: Callable[[str], float] = takes if callable(takes) else lambda _: takes
        self.answers: dict[str, list[Answer]] = {}
        self.asked: list[str] = []
        self.at: defaultdict[str, list[float]] = defaultdict(list)
        self.most: Counter[str] = Counter()
        self._now: Counter[str] = Counter()
        self.is_closed = False
        self.cancelled = 0
        self.now = 0.0

    def give(self, url: str, *answers: Answer) -> None:
        self.answers[url] = list(answers)

    @asynccontextmanager
    async def connect(self, _: WebOptions, records: HostRecords) -> AsyncIterator[AskThrough]:
        try:
            yield self.once
        finally:
            self.is_closed = True

    async def once(self, question: Question, gate: RequestGate) -> Answer:
        url = question.url
        async with gate(url):
            host = host_of(url)
            self.asked.append(url)
            self.at[host].append(asyncio.get_running_loop().time())
            for key in (host, ""):
                self._now[key] += 1
                self.most[key] = max(self.most[key], self._now[key])
            try:
                await asyncio.sleep(self.takes(url))
            except asyncio.CancelledError:
                self.cancelled += 1
                raise
            finally:
                for key in (host, ""):
                    self._now[key] -= 1
        answers = self.answers.get(url)
        if not answers:
            return Answer(url, 200, final=url)
        return answers.pop(0) if len(answers) > 1 else answers[0]

    def ask(
        self,
        questions: Iterable[Question | str],
        options: WebOptions = QUICK,
        answered: Callable[[Answer], Iterable[Question]] | None = None,
        records: HostRecords | None = None,
    ) -> list[Answer]:
        """Ask them; all answers, in the order of their arrival. Time goes on from one asking to the next."""
        found: list[Answer] = []

        def report(answer: Answer) -> Iterable[Question]:
            found.append(answer)
            return answered(answer) if answered is not None else ()

        each = (question if isinstance(question, Question) else Question(question) for question in questions)
        with asyncio.Runner(loop_factory=lambda: clockwork(self.now)) as runner:
            runner.run(session(each, options, report, HostRecords() if records is None else records, self.connect))
            self.left = asyncio.all_tasks(runner.get_loop())
            self.now = runner.get_loop().time()
        return found


def refused(url: str, status: int, wait: float | None = None) -> Answer:
    """An answer that asks to wait."""
    return Answer(url, status, final=url, retry_after=wait)
