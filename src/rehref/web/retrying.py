"""Asking once more: what is worth it, and after how long.

1. Asked again are servers that say it is too much, or not now (`RETRIED`), and questions that no answer came to
   (`FAILURES_OF_SILENCE`), at most `max_retries` times each; everything else would be no different. Where the status is
   one of errors, it does not matter whether the body came.
2. How long to wait the server says (`Retry-After`), or else it is twice as long each time, with some chance (stamina).
   A server that says that it is too much, or not now, gets no other question until then either.
3. A server that has to be waited for too long is given up: it is not asked any more, and its other questions are
   answered with the status that it gave. Too long is more than `longest_wait` that it asks for, or `max_retries` times
   that in all, without an answer to anything meanwhile.
4. A host of which several questions in a row had no answer, however often they were asked, is silent: it gets each
   other one once. After some more (`_GIVEN_UP_AFTER`) it is given up, too, and other questions have the failure that
   these had: a host that is gone, or drops what it is sent, would take so many links so many times the timeout.
5. What is known of a host is in its record, for the whole run (`host_records`). One whose name has no address is not
   looked for again for a while: its other questions have the same answer, and wait for no turn.
6. Where a program has switched stamina off (`stamina.set_active`), nothing is asked again.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace

import stamina

from rehref.exceptions import RehrefError
from rehref.web.gate import Gate
from rehref.web.host_records import HostRecords
from rehref.web.model import ASKS_TO_WAIT, FAILURES_OF_SILENCE, Answer, Ask, Question
from rehref.web.options import WebOptions

RETRIED = ASKS_TO_WAIT | {502, 504}
_GIVEN_UP_AFTER = 10  # questions in a row
_NAMELESS_FOR = 60.0  # seconds

logging.getLogger("stamina").addHandler(logging.NullHandler())  # it logs each repetition, which nobody has to see


class _AgainError(RehrefError):
    """An answer is not the last word. `wait`: seconds that the server asked for; None if it is up to us."""

    def __init__(self, wait: float | None) -> None:
        super().__init__()
        self.wait = wait


class Retrying:
    """Asks, and asks again where that is worth it."""

    def __init__(self, options: WebOptions, gate: Gate, records: HostRecords) -> None:
        self._options = options
        self._gate = gate
        self._records = records

    async def answer(self, question: Question, ask: Ask) -> Answer:
        """The last answer to a question. `ask`: how it is asked. What that raises is raised here."""
        record = self._records.of(question.url)
        if record.given_up is not None:
            return _not_asked(question, record.given_up)
        if record.nameless is not None and asyncio.get_running_loop().time() < record.nameless_until:
            return replace(record.nameless, url=question.url, final=question.url, hops=())
        answer = await ask(question)
        again = self._judge(answer, 1)
        return answer if again is None else await self._repeated(question, ask, answer, again)

    async def _repeated(self, question: Question, ask: Ask, answer: Answer, again: _AgainError | None) -> Answer:
        """The last answer, after a first one that is not the last word. Waiting holds nothing."""
        with suppress(_AgainError):  # stamina makes no repetitions (rule 6): the answer that there is counts
            async for attempt in stamina.retry_context(
                on=_wait, attempts=None, timeout=None, wait_initial=1.0, wait_max=self._options.longest_wait
            ):
                with attempt:
                    if attempt.num > 1:  # the first was made before: few questions need stamina, which takes its time
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
        """What comes of asking for the `number`th time; and what is to be done then."""
        given_up = self._records.of(before.final or question.url).given_up
        if given_up is not None:
            return _not_asked(question, given_up, number - 1), None
        answer = replace(await ask(question), attempts=number)
        return answer, self._judge(answer, number)

    def _judge(self, answer: Answer, attempts: int) -> _AgainError | None:
        """What is to be done after an answer; None if it is the last word. Keeps the host's record."""
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
        if answer.status not in RETRIED:
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
    """For stamina: whether to go on after an error, and after how long (the host's gate waits for what it asked)."""
    if not isinstance(error, _AgainError):
        return False
    return True if error.wait is None else 0.0


def _not_asked(question: Question, given_up: Answer, attempts: int = 0) -> Answer:
    """The answer to a question that is not asked (any more), since its host was given up (rules 3, 4)."""
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
