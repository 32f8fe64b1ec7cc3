"""All questions of one call of `asking.ask`, with connections, limits, repetitions and robots.txt."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import replace
from typing import TypeAlias

from rehref.web.connections import open_client
from rehref.web.cookies import cookie_jar
from rehref.web.following import answer
from rehref.web.gate import Gate
from rehref.web.host_records import HostRecords
from rehref.web.model import Answer, Ask, AskThrough, Question
from rehref.web.options import WebOptions
from rehref.web.retrying import Retrying
from rehref.web.robots import NotAllowedError, Robots
from rehref.web.running import Run

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
            return await plain(question)
        try:
            return await retrying.answer(question, lambda each: ask(each, robots))
        except NotAllowedError as error:  # nothing was sent, so there is nothing to repeat
            return replace(error.answer, url=question.url)

    try:
        yield if_allowed
    finally:
        await robots.close()
