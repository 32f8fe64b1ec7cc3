"""From one question to one answer: redirections are followed by hand, and each is asked as if it were the first.

A URL is requested as browsers do it: parsed and serialized by the URL Standard, without fragment and userinfo. HEAD is
sent first, if no body is needed. A gate is entered for every single request, so limits also hold for hosts that
redirects lead to. This module does not repeat requests after 429, 503 or the like.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from yarl import URL

from rehref.uri.resolver import parse_or_none
from rehref.web._challenges import challenger
from rehref.web._connections import Client
from rehref.web._credentials import is_same_place, of_userinfo
from rehref.web._exchange import RequestFailure, Response, exchange
from rehref.web.answers import (
    ASKS_TO_WAIT,
    FAILURES_OF_SILENCE,
    LEADS_NOWHERE,
    Answer,
    Failure,
    Hop,
    Question,
    RequestGate,
)
from rehref.web.servers import host_of

_REDIRECTIONS: Final = frozenset({301, 302, 303, 307, 308})  # Fetch Standard, "redirect status"
_MOST_DIGITS: Final = 12
"""Of a number of seconds."""


async def answer(
    question: Question, client: Client, gate: RequestGate, is_silent: Callable[[str], bool] = lambda _: False
) -> Answer:
    """The servers' answer to a question. Raises nothing but cancellation.

    `gate(url)`: an async context manager, entered with the URL of each request, and left when the response has been
    read. `is_silent`: whether the host of a URL did not answer several others: it gets no GET after HEAD.
    """
    if question.needs_body:
        return await _followed(question, client, gate, "GET", is_silent)
    found = await _followed(question, client, gate, "HEAD", is_silent)
    return await _followed(question, client, gate, "GET", is_silent) if found.failure in LEADS_NOWHERE else found


@dataclass(slots=True)
class _RedirectChain:
    """The state of a question. `url`, `method`: the next request. `asked`: how often each URL was requested."""

    question: Question
    url: str
    method: str
    hops: list[Hop] = field(default_factory=list)
    asked: dict[str, int] = field(default_factory=dict)
    was_secure: bool = False

    def ended(self, response: Response) -> Answer:
        """Return the answer for the last response."""
        now = time.time()
        failed, body = response.failed, response.body
        if failed is None and (program := challenger(response.status, response.headers, body)):
            failed, body = RequestFailure("challenge", f"by {program}", connected=True), None
        return Answer(
            self.question.url,
            status=response.status,
            failure=None if failed is None else failed.kind,
            detail="" if failed is None else failed.detail,
            final=self.url,
            hops=tuple(self.hops),
            headers=response.headers,
            body=body,
            retry_after=seconds_to_wait(response.headers.get("retry-after"), now),
            checked_at=now,
        )

    def failed(self, failure: Failure, detail: str) -> Answer:
        """Return the answer if there is no last response."""
        return self.ended(Response(None, failed=RequestFailure(failure, detail, connected=False)))


async def _followed(
    question: Question, client: Client, gate: RequestGate, method: str, is_silent: Callable[[str], bool]
) -> Answer:
    """Follow a question to its end, beginning with a method."""
    first = _requested_url(question.url)
    chain = _RedirectChain(question, first or question.url, method)
    if first is None:
        return chain.failed("unknown-host", "it is not a URL of http or https")
    while True:
        chain.was_secure |= chain.url.startswith("https:")
        fields = _fields(chain, first, client)
        async with gate(chain.url):
            response = await exchange(
                client.for_host(chain.url),
                chain.method,
                chain.url,
                fields,
                wants_body=question.needs_body,
                enough=question.enough,
            )
        if chain.method == "HEAD" and _is_doubtful(response) and not (_says_nothing(response) and is_silent(chain.url)):
            chain.method = "GET"
        elif response.status not in _REDIRECTIONS:
            return chain.ended(response)
        elif (end := _redirected(chain, response, client.options.max_redirects)) is not None:
            return end


def _is_doubtful(response: Response) -> bool:
    """Whether an answer to HEAD is not trusted, so that GET is sent instead, here and after further redirects.

    It is an error (a status from 400 on), is not HTTP, or does not come although there was a connection. If redirects
    lead nowhere, they are followed again with GET. Not after 429, and 503 with `Retry-After`: the server asks to wait.
    """
    if response.status is None:
        return response.failed is not None and response.failed.connected
    if response.status in ASKS_TO_WAIT:
        return response.status == 503 and "retry-after" not in response.headers
    return response.status >= 400


def _says_nothing(response: Response) -> bool:
    """Return whether there was no answer, good or bad."""
    return response.status is None and response.failed is not None and response.failed.kind in FAILURES_OF_SILENCE


def _redirected(chain: _RedirectChain, response: Response, most: int) -> Answer | None:
    """Follow a redirect; return the answer if it leads nowhere.

    Redirects to other schemes than http and https are not followed (`bad-redirect`). A URL is requested again if
    cookies were set since the last request for it, but only once: else it is a loop. `Hop.location` keeps the fragment.
    """
    assert response.status is not None
    location = response.headers.get("location")
    if location is None:
        return chain.failed("bad-redirect", f"status {response.status} without a Location")
    target = parse_or_none(location, chain.url)
    if target is None:
        return chain.failed("bad-redirect", "it redirects to an invalid URL")
    chain.hops.append(Hop(chain.url, response.status, target))
    asked = _requested_url(target)
    if asked is None:
        return chain.failed("bad-redirect", f"it redirects to a URL of the scheme {target.partition(':')[0]}")
    chain.asked[chain.url] = chain.asked.get(chain.url, 0) + 1
    before = chain.asked.get(asked, 0)
    if before > 1 or (before == 1 and not response.sets_cookies):
        return chain.failed("redirect-loop", "it redirects in a circle")
    if len(chain.hops) > most:
        return chain.failed("too-many-redirects", f"it redirects more than {most} times")
    chain.url = asked
    return None


def _requested_url(url: str) -> str | None:
    """A URL as it is requested, but with its userinfo; None if it cannot be requested."""
    parsed = parse_or_none(url)
    if parsed is None or not parsed.startswith(("http://", "https://")):
        return None
    return parsed.partition("#")[0]


def _fields(chain: _RedirectChain, first: str, client: Client) -> Mapping[str, str]:
    """The header fields to send with one request, besides those of every request.

    Those of the options are sent like credentials of the URL itself. Only that is asked whether it has changed (`etag`,
    `last_modified`), not the URLs that it redirects to.
    """
    fields: dict[str, str] = {}
    question = chain.question
    if question.enough is not None:
        fields["Accept-Encoding"] = "identity"  # the beginning of a compressed body cannot be read alone
    if question.etag is not None and not chain.hops:
        fields["If-None-Match"] = question.etag
    if question.last_modified is not None and not chain.hops:
        fields["If-Modified-Since"] = question.last_modified
    if chain.was_secure and not chain.url.startswith("https:"):
        return fields
    if not client.credentials and not client.options.headers and "@" not in first and "@" not in chain.url:
        return fields
    own, here = URL(first, encoded=True), URL(chain.url, encoded=True)
    authorization = None
    if client.credentials:
        authorization = client.credentials.get(here.raw_host or "")
    is_own, host = is_same_place(own, here), host_of(str(here))
    said = client.options.headers
    fields |= {name: value for name, value, only in said if only == host or (only is None and is_own)}
    if is_own:
        authorization = of_userinfo(here) or of_userinfo(own) or authorization
    if authorization is not None and not any(name.lower() == "authorization" for name in fields):
        fields["Authorization"] = authorization
    return fields


def seconds_to_wait(retry_after: str | None, now: float) -> float | None:
    """How long a server asks to wait by `Retry-After` (RFC 9110 §10.2.3): a number of seconds, or a date.

    Seconds from `now` (seconds since 1970), not below 0; None where the field says nothing.
    """
    if retry_after is None:
        return None
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return float(text[:_MOST_DIGITS])
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, OverflowError, IndexError, TypeError):
        return None
    if date.tzinfo is None:  # "-0000", or no zone: HTTP dates are in UTC
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - datetime.fromtimestamp(now, UTC)).total_seconds())
