"""Repeat requests: when, and after how long.

A question is repeated if the server is overloaded or unavailable (`RETRIED`), or if no answer came, at most
`max_retries` times. The server says how long to wait (`Retry-After`); else the wait doubles each time, with some
randomness (stamina). A server that makes rehref wait too long, or is silent, is given up: else a dead host would cost
the timeout for every link.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace

import stamina

from rehref.exceptions import RehrefError
from rehref.web._gate import Gate
from rehref.web.answers import ASKS_TO_WAIT, FAILURES_OF_SILENCE, Answer, Ask, Question
from rehref.web.asking_options import WebOptions
from rehref.web.servers import HostRecords

RETRIED = ASKS_TO_WAIT | {502, 504}
_GIVEN_UP_AFTER = 10  # questions in a row
_NAMELESS_FOR = 60.0  # seconds

logging.getLogger("stamina").addHandler(logging.NullHandler())  # it logs each repetition, which users need not see


class _AgainError(RehrefError):
    """An answer is not final. `wait`: seconds that the server asked for; None if it asked for none."""

    def __init__(self, wait: float | None) -> None:
        super().__init__()
        self.wait = wait


class Retrying:
    """Asks questions, and repeats them if that may help."""

    def __init__(self, options: WebOptions, gate: Gate, records: HostRecords) -> None:
        self._options = options
        self._gate = gate
        self._records = records

    async def answer(self, question: Question, ask: Ask) -> Answer:
        """Return the last answer to a question. `ask`: asks it; its exceptions are raised here."""
        record = self._records.of(question.url)
        if record.given_up is not None:
            return _not_asked(question, record.given_up)
        if record.nameless is not None and asyncio.get_running_loop().time() < record.nameless_until:
            return replace(record.nameless, url=question.url, final=question.url, hops=())
        answer = await ask(question)
        again = self._judge(answer, 1)
        return answer if again is None else await self._repeated(question, ask, answer, again)

    async def _repeated(self, question: Question, ask: Ask, answer: Answer, again: _AgainError | None) -> Answer:
        """Return the last answer, after a first one that is not final. Waiting holds nothing that others need."""
        with suppress(
            _AgainError
        ):  # a program has switched stamina off (`stamina.set_active`): the first answer counts
            async for attempt in stamina.retry_context(
                on=_wait, attempts=None, timeout=None, wait_initial=1.0, wait_max=self._options.longest_wait
            ):
                with attempt:
                    if attempt.num > 1:  # the first attempt is already made: few questions need stamina, which is slow
                        answer, again = await self._once_more(question, ask, answer, attempt.num)
                    if again is None:
                        return answer
                    if again.wait is None and answer.status in ASKS_TO_WAIT:
                        self._gate.pause(answer.final, attempt.next_wait)
                    raise again
        return answer

    async def _once_more(
        self, question: Question, ask: Ask, before: Answer, number: int
    ) -> tuple[Answer, _AgainError | None]:
        """Ask for the `number`th time; return the answer, and whether to repeat."""
        given_up = self._records.of(before.final or question.url).given_up
        if given_up is not None:
            return _not_asked(question, given_up, number - 1), None
        answer = replace(await ask(question), attempts=number)
        return answer, self._judge(answer, number)

    def _judge(self, answer: Answer, attempts: int) -> _AgainError | None:
        """How to go on after an answer; None if it is final. Updates the host's record.

        The wait is too long if it is more than `longest_wait` at once, or `max_retries` times that in total, without
        any answer meanwhile. A host is silent if several questions in a row had no answer, even when repeated: each
        other question is then asked only once, and after `_GIVEN_UP_AFTER` none. If its name has no address, it is not
        looked up again for a while.
        """
        record = self._records.of(answer.final or answer.url)
        if answer.failure in FAILURES_OF_SILENCE and (answer.status is None or answer.status < 400):
            if attempts <= self._options.max_retries and not record.is_silent:
                return _AgainError(None)
            record.silent += 1
            if record.silent >= _GIVEN_UP_AFTER and answer.status is None:
                record.given_up = record.given_up or answer
            return None
        record.silent = 0
        if answer.failure == "unknown-host":
            record.nameless = answer
            record.nameless_until = asyncio.get_running_loop().time() + _NAMELESS_FOR
        if answer.status not in RETRIED or answer.failure == "challenge":
            record.waited = 0.0
            return None
        longest = self._options.longest_wait
        wait = answer.retry_after
        if wait is not None and wait <= longest:
            self._gate.pause(answer.final, wait)
        if (wait or 0.0) > longest or record.waited > longest * max(self._options.max_retries, 1):
            record.given_up = record.given_up or replace(answer, body=None)
            return None
        return _AgainError(wait) if attempts <= self._options.max_retries else None


def _wait(error: Exception) -> bool | float:
    """For stamina: return whether to repeat after an error, and after how long (the gate waits what the host asked)."""
    if not isinstance(error, _AgainError):
        return False
    return True if error.wait is None else 0.0


def _not_asked(question: Question, given_up: Answer, attempts: int = 0) -> Answer:
    """The answer to a question that is not asked any more, since its host was given up."""
    detail = "not asked: another URL of this host had this answer, and asking again would take too long"
    if given_up.status is None:
        detail = f"not asked, since other URLs of this host had no answer ({given_up.detail or given_up.failure})"
    return Answer(
        question.url,
        given_up.status,
        failure=given_up.failure if given_up.status is None else None,
        detail=detail,
        final=question.url,
        headers=given_up.headers,
        attempts=attempts,
    )
