"""Questions to servers, and their answers.

Every question has an answer: if no response could be used, the answer has a failure and no status. Text for people
(`detail`) decides nothing, and contains no password.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, TypeAlias

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
    "challenge",
]
"""Why there is no final answer.

`private-address`: the host, or one that it redirects to, has an address that is not public; nothing was sent there.
`unknown-host`: its name has no address. `no-connection`: refused, reset, or closed before an answer. `timeout`: no
complete answer in time. `tls`: no secure connection, or the certificate is not valid for the host. `bad-response`: the
response is not HTTP, is incomplete, or cannot be decompressed. `too-large`: it exceeds a limit when decompressed.
`bad-redirect`: a redirect to nowhere, or to a URL that is not http(s). `robots`: robots.txt excludes the URL.
`challenge`: instead of a page there is a test that only browsers pass.
"""

LEADS_NOWHERE: Final[frozenset[Failure]] = frozenset({"bad-redirect", "redirect-loop", "too-many-redirects"})
"""The failures of redirects."""
PERMANENT: Final = frozenset({301, 308})
"""The statuses of permanent redirects (RFC 9110 §15.4)."""
ASKS_TO_WAIT: Final = frozenset({429, 503})
"""The statuses about the server as a whole, not about one of its URLs: too many requests, or unavailable."""

FAILURES_OF_SILENCE: Final[frozenset[Failure]] = frozenset({"timeout", "no-connection"})
"""The failures of a server that does not answer."""


class Hop(NamedTuple):
    """One redirect: the requested URL, the status, and the URL that it leads to."""

    url: str
    status: int
    location: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a URL (http or https, without a fragment), which is asked once, however many links lead to it.

    `needs_body`: whether the body is needed, too (so GET is sent at once), if the media type is one of documents.
    `etag`, `last_modified`: known from an earlier answer; the new answer may then be 304, without a body. `enough`: how
    many bytes of the body are enough, so that the rest is not read; None: the whole body is needed. `is_named`: whether
    a person named the URL: then robots.txt, which is for programs that find URLs, does not count.
    """

    url: str
    needs_body: bool = False
    etag: str | None = None
    last_modified: str | None = None
    enough: int | None = None
    is_named: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question.

    `status`: of the last response; None if there is a `failure`, unless only the body failed. `final`: the URL of the
    last response. `hops`: the redirects. `headers`: the header fields of the last response, by names in lower case, the
    values of repeated ones joined with ", " (of `location` and the like the first). `body`: the bytes without their
    content coding, if needed. `detail`: for people. `attempts`: the number of attempts, with repetitions after 429, 503
    and the like. `retry_after`: how many seconds the server last asked to wait. `checked_at`: seconds since 1970.
    `from_cache`: whether the answer is from the cache.
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
Ask: TypeAlias = Callable[[Question], Coroutine[Any, Any, Answer]]
"""Asks a question."""
AskThrough: TypeAlias = Callable[[Question, RequestGate], Coroutine[Any, Any, Answer]]
"""Asks a question once, follows redirects, and sends each request through the gate."""
