"""What is asked of servers, and what they answer.

1. A question is about one URL (http or https, without a fragment), which is asked once, however many links lead to it.
2. An answer always comes: where nothing was understood, it has a failure and no status.
3. The URL of an answer is the one that was asked for; `final` is the last one that was asked, after redirections.
4. Text for people (`detail`) decides nothing, and holds no password.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias

Failure: TypeAlias = Literal[
    "private-address",
    "unknown-host",
    "no-connection",
    "timeout",
    "tls",
    "bad-response",
    "too-large",
    "bad-redirect",
    "redirect-loop",
    "too-many-redirects",
    "robots",
]
"""Why there is no final answer.

`private-address`: the host, or one that it redirects to, has an address that is not public, and nothing was sent there.
`unknown-host`: its name has no address. `no-connection`: refused, reset, or ended before an answer. `timeout`: no
answer in time, or not all of it. `tls`: no secure connection, or the certificate is not valid for the host.
`bad-response`: what came is not HTTP, is cut off, or cannot be unpacked. `too-large`: beyond a bound, unpacked.
`bad-redirect`: a redirection to nowhere, or to what is not http(s). `robots`: robots.txt asks not to.
"""

LEADS_NOWHERE: Final[frozenset[Failure]] = frozenset({"bad-redirect", "redirect-loop", "too-many-redirects"})
"""The failures of redirections."""
PERMANENT: Final = frozenset({301, 308})
"""The statuses of redirections for good (RFC 9110 §15.4)."""
ASKS_TO_WAIT: Final = frozenset({429, 503})
"""The statuses that are about the server as a whole, not about one of its URLs: too much, or not now."""

FAILURES_OF_SILENCE: Final[frozenset[Failure]] = frozenset({"timeout", "no-connection"})
"""The failures of a server that says nothing."""


class Hop(NamedTuple):
    """One redirection: the URL that was asked, the status, and the URL that it leads to."""

    url: str
    status: int
    location: str


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be found out about a URL.

    `needs_body`: whether the body is wanted, too (so GET is sent at once), if the media type is one of documents.
    `etag`, `last_modified`: what is known of it from before; the answer may be 304 then, without a body.
    `enough`: so many bytes of the body will do, and what is behind them is not read; None: all of it is wanted.
    `is_named`: whether a person named the URL: robots.txt, which is for programs that find URLs, does not count then.
    """

    url: str
    needs_body: bool = False
    etag: str | None = None
    last_modified: str | None = None
    enough: int | None = None
    is_named: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a question.

    `status`: of the last response; None if there is a `failure`, but for a body that failed after it. `final`: the URL
    that gave it. `hops`: the redirections on the way. `headers`: the header fields of the last response, by names in
    lower case, the values of repeated ones joined with ", " (of `location` and the like the first). `body`: the bytes,
    without their content coding, if they were asked for. `detail`: for people. `attempts`: how often it was asked,
    with repetitions after 429, 503 and the like. `retry_after`: how many seconds the server asked to wait, when it
    was last asked. `checked_at`: seconds since 1970. `from_cache`: whether no server was asked.
    """

    url: str
    status: int | None = None
    failure: Failure | None = None
    detail: str = ""
    final: str = ""
    hops: tuple[Hop, ...] = ()
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    body: bytes | None = None
    attempts: int = 1
    retry_after: float | None = None
    checked_at: float = 0.0
    from_cache: bool = False


RequestGate: TypeAlias = Callable[[str], AbstractAsyncContextManager[None]]
"""`async with gate(url): …` around each single request to a URL."""
Ask: TypeAlias = Callable[[Question], Awaitable[Answer]]
"""Asks a question."""
AskThrough: TypeAlias = Callable[[Question, RequestGate], Awaitable[Answer]]
"""Asks a question once, redirections followed, each request through the gate."""
