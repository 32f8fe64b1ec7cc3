"""A run with all that belongs to it: connections, limits, repetitions, robots.txt."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import TypeAlias

from rehref.web.connections import open_client
from rehref.web.following import answer
from rehref.web.gate import Gate
from rehref.web.model import Answer, Question
from rehref.web.options import WebOptions
from rehref.web.retrying import Retrying
from rehref.web.robots import NotAllowedError, Robots
from rehref.web.running import Run

AnyGate: TypeAlias = Callable[[str], AbstractAsyncContextManager[None]]
"""`async with gate(url): …` around each request."""
Once: TypeAlias = Callable[[Question, AnyGate], Awaitable[Answer]]
"""Asks a question once, redirections followed, each request through the gate."""
Connect: TypeAlias = Callable[[WebOptions], AbstractAsyncContextManager[Once]]
"""Opens what connections need, and closes it."""


@asynccontextmanager
async def real_servers(options: WebOptions) -> AsyncIterator[Once]:
    """Connections to servers."""
    async with open_client(options) as client:
        yield lambda question, gate: answer(question, client, gate)


async def session(
    questions: Iterable[Question],
    options: WebOptions,
    answered: Callable[[Answer], Iterable[Question]],
    connect: Connect = real_servers,
) -> None:
    """Ask all questions; see `asking.ask`."""
    gate = Gate(options)
    async with connect(options) as once, _asker(options, gate, once) as asked:
        await Run(questions, options, asked, answered).all()


@asynccontextmanager
async def _asker(options: WebOptions, gate: Gate, once: Once) -> AsyncIterator[Callable[[Question], Awaitable[Answer]]]:
    """How a question is answered in this run."""
    retrying = Retrying(options, gate)

    def once_at_gate(question: Question) -> Awaitable[Answer]:
        return once(question, gate)

    def plain(question: Question) -> Awaitable[Answer]:
        return retrying.answer(question, once_at_gate)

    if not options.robots:
        yield plain
        return
    robots = Robots(options, gate, plain)

    async def once_if_allowed(question: Question) -> Answer:
        try:
            return await once(question, robots)
        except NotAllowedError as error:
            return replace(error.answer, url=question.url)

    try:
        yield lambda question: retrying.answer(question, once_if_allowed)
    finally:
        await robots.close()
