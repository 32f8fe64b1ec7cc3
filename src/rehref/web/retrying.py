"""Asking once more: what is worth it, and after how long.

1. Asked again are servers that say it is too much, or not now (`RETRIED`), and questions that no answer came to
   (`RETRIED_FAILURES`), at most `max_retries` times each; everything else would be no different. Where the status is
   one of errors, it does not matter whether the body came.
2. How long to wait the server says (`Retry-After`), or else it is twice as long each time, with some chance (stamina).
   A server that says that it is too much, or not now, gets no other question until then either.
3. A server that has to be waited for too long is given up: it is not asked any more, and its other questions are
   answered with the status that it gave. Too long is more than `longest_wait` that it asks for, or `max_retries` times
   that in all, without an answer to anything meanwhile.
4. A host of which several questions in a row had no answer, however often they were asked, gets each other one once.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

import stamina

from rehref.web.gate import Gate
from rehref.web.hosts import host_of
from rehref.web.model import Answer, Question
from rehref.web.options import WebOptions

RETRIED = frozenset({429, 502, 503, 504})
REFUSALS = frozenset({429, 503})
"""Statuses that are about the server as a whole, not about one of its URLs."""
RETRIED_FAILURES = frozenset({"timeout", "no-connection"})
_SILENT_AFTER = 3  # questions in a row

Once: TypeAlias = Callable[[Question], Awaitable[Answer]]

logging.getLogger("stamina").addHandler(logging.NullHandler())  # it logs each repetition, which nobody has to see


class _AgainError(Exception):
    """An answer that is not the last word. `wait`: seconds that the server asked for; None if it is up to us."""

    def __init__(self, wait: float | None) -> None:
        super().__init__()
        self.wait = wait


@dataclass(slots=True)
class _Record:
    """How a host has done so far: waited for how long without an answer, and questions in a row that had none.

    `given_up`: the answer for which it was.
    """

    waited: float = 0.0
    silent: int = 0
    given_up: Answer | None = None


class Retrying:
    """Asks, and asks again where that is worth it; keeps a record of each host."""

    def __init__(self, options: WebOptions, gate: Gate) -> None:
        self._options = options
        self._gate = gate
        self._records: dict[str, _Record] = {}

    async def answer(self, question: Question, once: Once) -> Answer:
        """The last answer to a question. `once`: how it is asked."""
        record = self._record(question.url)
        if record.given_up is not None:
            return _not_asked(question, record.given_up)
        answer = await once(question)
        again = self._judge(answer, 1)
        return answer if again is None else await self._repeat(question, once, answer, again)

    async def _repeat(self, question: Question, once: Once, answer: Answer, again: _AgainError | None) -> Answer:
        """Ask again after an answer that is not the last word. The waiting holds nothing."""
        contexts = stamina.retry_context(
            on=_wait, attempts=None, timeout=None, wait_initial=1.0, wait_max=self._options.longest_wait
        )
        async for attempt in contexts:
            with attempt:
                if attempt.num > 1:
                    if (given_up := self._record(answer.final or question.url).given_up) is not None:
                        return _not_asked(question, given_up, attempt.num - 1)
                    answer = await once(question)
                    again = self._judge(answer, attempt.num)
                    answer = replace(answer, attempts=attempt.num)
                if again is not None:
                    if again.wait is None and answer.status in REFUSALS:
                        self._pause(answer, attempt.next_wait)
                    raise again
        return answer

    def _judge(self, answer: Answer, attempts: int) -> _AgainError | None:
        """What is to be done after an answer; None if it is the last word. Keeps the host's record."""
        record = self._record(answer.final or answer.url)
        if answer.failure in RETRIED_FAILURES and (answer.status is None or answer.status < 400):
            if attempts <= self._options.max_retries and record.silent < _SILENT_AFTER:
                return _AgainError(None)
            record.silent += 1
            return None
        record.silent = 0
        if answer.status not in RETRIED:
            record.waited = 0.0
            return None
        longest = self._options.longest_wait
        wait = answer.retry_after
        if wait is not None and wait <= longest:
            self._pause(answer, wait)
        if (wait or 0.0) > longest or record.waited > longest * max(self._options.max_retries, 1):
            record.given_up = record.given_up or answer
            return None
        return _AgainError(wait) if attempts <= self._options.max_retries else None

    def _pause(self, answer: Answer, seconds: float) -> None:
        """Leave the host that gave an answer alone for so long."""
        waited = self._gate.host(host_of(answer.final)).pause(seconds)
        self._record(answer.final).waited += waited

    def _record(self, url: str) -> _Record:
        return self._records.setdefault(host_of(url), _Record())


def _wait(error: Exception) -> bool | float:
    """For stamina: whether to go on after an error, and after how long (the host's gate waits for what it asked)."""
    if not isinstance(error, _AgainError):
        return False
    return True if error.wait is None else 0.0


def _not_asked(question: Question, given_up: Answer, attempts: int = 0) -> Answer:
    """The answer to a question that is not asked (any more), since the host asked to be left alone for too long."""
    detail = "not asked: another URL of this host had this answer, and asking again would take too long"
    return Answer(
        question.url, given_up.status, detail=detail, final=question.url, headers=given_up.headers, attempts=attempts
    )
