"""The URLs that robots.txt excludes (RFC 9309), if the option to follow it is given.

It is fetched once for each host in a run, like everything else. Protego parses it: the rule with the longest path
counts, and `*` and `$` are wildcards (`urllib.robotparser` does not support them).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import islice

from protego import Protego

from rehref.exceptions import RehrefError
from rehref.web._gate import Gate
from rehref.web.answers import LEADS_NOWHERE, Answer, Ask, Question
from rehref.web.asking_options import WebOptions
from rehref.web.servers import HostRecords, RobotsRules, host_of

MOST_DELAY = 10.0
"""Seconds of `Crawl-delay` that count as the interval of the host, if that is shorter."""
_TOKEN = "rehref"
_MOST_READ = 500 * 1024  # bytes (§2.5)
_MOST_SITEMAPS = 50
_UNREACHABLE = frozenset({"unknown-host", "no-connection", "tls", "private-address"})


class NotAllowedError(RehrefError):
    """A request is not sent: `answer` says why, except for the URL of the question."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.detail)
        self.answer = answer


class Rules:
    """The rules of the robots.txt of one host. `given`: the answer to the request for it. `sitemaps`: the first that it
    names, for those who fetch pages.

    If the server says that there is none (4xx), or redirects lead nowhere, every URL is allowed (§2.3.1.2 f.). If the
    server fails (5xx), or the response could not be read, no URL is allowed (§2.3.1.4). If the host cannot be reached
    at all, that is the answer to its questions.
    """

    def __init__(self, given: Answer, agent: str) -> None:
        self._given = replace(given, body=None)
        self._agent = agent
        self._all_may = given.failure in LEADS_NOWHERE or 400 <= (given.status or 0) < 500
        is_read = given.failure is None and 200 <= (given.status or 0) < 300
        text = _beginning(given.body or b"").decode("utf-8-sig", "replace")
        self._parsed = Protego.parse(text) if is_read else None
        self.sitemaps = () if self._parsed is None else tuple(islice(self._parsed.sitemaps, _MOST_SITEMAPS))

    def delay(self) -> float:
        """The seconds it asks to wait from one request to the next."""
        delay = self._parsed.crawl_delay(self._agent) if self._parsed is not None else None
        return min(max(delay or 0.0, 0.0), MOST_DELAY)

    def check(self, url: str) -> None:
        """Raise NotAllowedError if a URL may not be asked for."""
        if self._all_may or (self._parsed is not None and self._parsed.can_fetch(url, self._agent)):
            return
        given = self._given
        if given.failure in _UNREACHABLE:
            raise NotAllowedError(Answer(url, failure=given.failure, detail=given.detail, final=url))
        why = "" if self._parsed is not None else f"it could not be read ({given.failure or given.status})"
        raise NotAllowedError(Answer(url, failure="robots", detail=why, final=url))


def _beginning(body: bytes) -> bytes:
    """The part that is read (§2.5): whole lines, since half a rule may forbid more than the rule."""
    if len(body) < _MOST_READ:
        return body
    whole = max(body.rfind(b"\n", 0, _MOST_READ), body.rfind(b"\r", 0, _MOST_READ))
    return body[: whole + 1]


class Robots:
    """The robots.txt of all hosts. `fetch`: fetches one, with repetitions."""

    def __init__(self, options: WebOptions, gate: Gate, records: HostRecords, fetch: Ask) -> None:
        self._agent = options.user_agent or _TOKEN
        self._gate = gate
        self._records = records
        self._fetch = fetch
        self._reading: dict[str, asyncio.Future[Rules]] = {}

    @asynccontextmanager
    async def __call__(self, url: str) -> AsyncIterator[None]:
        """A gate like `Gate`, which lets only allowed requests through."""
        await self.check(url)
        async with self._gate(url):
            yield

    async def check(self, url: str) -> None:
        """Raise NotAllowedError if a URL may not be asked for."""
        (await self.rules(url)).check(url)

    async def rules(self, url: str) -> RobotsRules:
        """Return the rules of the host of a URL."""
        host = host_of(url)
        rules = self._records.of(url).robots
        if rules is None:
            future = self._reading.get(host)
            if future is None:
                future = self._reading[host] = asyncio.ensure_future(self._read(host))
            rules = await asyncio.shield(future)
        return rules

    async def _read(self, host: str) -> Rules:
        question = Question(f"{host}/robots.txt", needs_body=True, enough=_MOST_READ)
        rules = Rules(await self._fetch(question), self._agent)
        record = self._records.of(host)
        record.robots, record.interval = rules, max(record.interval, rules.delay())
        return rules

    async def close(self) -> None:
        """Leave nothing running."""
        for future in self._reading.values():
            future.cancel()
        await asyncio.gather(*self._reading.values(), return_exceptions=True)
