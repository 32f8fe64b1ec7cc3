"""From one question to one answer: redirections are followed by hand, and each is asked as if it were the first.

    async with open_client(options) as client:
        found = await answer(question, client, gate)

`gate(url)` gives an async context manager. It is entered for every single request, with the URL that is asked, and left
when the response has been read. So limits are kept for hosts that redirections lead to, too. Nothing is asked again
here because of 429, 503 or the like: `Answer.retry_after` says what was asked for.

1. A URL is asked as a browser would ask it: parsed and serialized by the URL Standard, without fragment and userinfo.
   That goes for redirections, too. What leads elsewhere than to http and https is not followed (`bad-redirect`).
2. HEAD is asked first, if no body is needed. Nothing bad is believed of HEAD alone: where its answer is an error (a
   status from 400 on), is not HTTP, or does not come though there was a connection, GET is asked in its place, and for
   the rest of the way. Where redirections lead nowhere, the way is gone once more with GET. Exempt are 429, and 503
   with `Retry-After`: who asks us to wait is not asked twice; nor is a host twice that is silent (`is_silent`).
3. A URL is asked once more, if cookies were set since it was last asked, and that only once: else it is a loop.
4. Credentials: `credentials`, rules 2 and 3. Header fields of the options are sent as what the URL itself has.
5. Whether something has changed (`etag`, `last_modified`) is asked of the URL itself, and of none that it redirects to.
6. A redirection keeps the fragment of its target in `Hop.location`; the URL that is asked has none.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from yarl import URL

from rehref.text.retry_after import retry_after
from rehref.uri.whatwg import parse_or_none, resolve_or_none
from rehref.web.connections import Client
from rehref.web.credentials import is_same_place, of_userinfo
from rehref.web.exchange import Response, exchange
from rehref.web.failures import RequestFailure
from rehref.web.hosts import host_of
from rehref.web.model import (
    ASKS_TO_WAIT,
    FAILURES_OF_SILENCE,
    LEADS_NOWHERE,
    Answer,
    Failure,
    Hop,
    Question,
    RequestGate,
)

_REDIRECTIONS: Final = frozenset({301, 302, 303, 307, 308})  # Fetch Standard, "redirect status"


async def answer(
    question: Question, client: Client, gate: RequestGate, is_silent: Callable[[str], bool] = lambda _: False
) -> Answer:
    """What servers answer to a question (rules 1 to 6). Raises nothing but cancellation.

    `is_silent`: whether the host of a URL had no answer to several others (rule 2).
    """
    if question.needs_body:
        return await _followed(question, client, gate, "GET", is_silent)
    found = await _followed(question, client, gate, "HEAD", is_silent)
    return await _followed(question, client, gate, "GET", is_silent) if found.failure in LEADS_NOWHERE else found


@dataclass(slots=True)
class _RedirectChain:
    """How far a question has come. `url`: that is asked next; `method`: how. `asked`: how often each URL was."""

    question: Question
    url: str
    method: str
    hops: list[Hop] = field(default_factory=list)
    asked: dict[str, int] = field(default_factory=dict)
    was_secure: bool = False

    def ended(self, response: Response) -> Answer:
        """The answer that a last response makes."""
        now = time.time()
        failed = response.failed
        return Answer(
            self.question.url,
            status=response.status,
            failure=None if failed is None else failed.kind,
            detail="" if failed is None else failed.detail,
            final=self.url,
            hops=tuple(self.hops),
            headers=response.headers,
            body=response.body,
            retry_after=retry_after(response.headers.get("retry-after"), now),
            checked_at=now,
        )

    def failed(self, failure: Failure, detail: str) -> Answer:
        """The answer where there is no last response."""
        return self.ended(Response(None, failed=RequestFailure(failure, detail, connected=False)))


async def _followed(
    question: Question, client: Client, gate: RequestGate, method: str, is_silent: Callable[[str], bool]
) -> Answer:
    """Go the way of a question to its end, beginning with a method."""
    first = _asked(question.url)
    chain = _RedirectChain(question, first or question.url, method)
    if first is None:
        return chain.failed("unknown-host", "it is not a URL of http or https")
    own = URL(first, encoded=True)
    while True:
        here = URL(chain.url, encoded=True)
        chain.was_secure |= here.scheme == "https"
        fields = _fields(chain, own, here, client)
        async with gate(chain.url):
            response = await exchange(
                client,
                chain.method,
                _sent(here, chain.url),
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
    """Whether an answer to HEAD is not believed (rule 2)."""
    if response.status is None:
        return response.failed is not None and response.failed.connected
    if response.status in ASKS_TO_WAIT:
        return response.status == 503 and "retry-after" not in response.headers
    return response.status >= 400


def _says_nothing(response: Response) -> bool:
    """Whether there was no answer, good or bad."""
    return response.status is None and response.failed is not None and response.failed.kind in FAILURES_OF_SILENCE


def _redirected(chain: _RedirectChain, response: Response, most: int) -> Answer | None:
    """Go where a redirection leads; the answer, if that is nowhere."""
    assert response.status is not None
    location = response.headers.get("location")
    if location is None:
        return chain.failed("bad-redirect", f"status {response.status} without a Location")
    target = resolve_or_none(chain.url, location)
    if target is None:
        return chain.failed("bad-redirect", "it redirects to what is not a URL")
    chain.hops.append(Hop(chain.url, response.status, target))
    asked = _asked(target)
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


def _asked(url: str) -> str | None:
    """A URL as it is asked, but for its userinfo (rule 1); None if it cannot be."""
    parsed = parse_or_none(url)
    if parsed is None or not parsed.startswith(("http://", "https://")):
        return None
    return parsed.partition("#")[0]


def _sent(url: URL, text: str) -> URL:
    """A URL without its userinfo. An empty query, of which yarl knows nothing, is the end of its path."""
    bare = url if url.raw_user is None and url.raw_password is None else url.with_user(None)
    is_empty = text.endswith("?") and url.raw_query_string == ""
    return bare.with_path(f"{bare.raw_path}?", encoded=True) if is_empty else bare


def _fields(chain: _RedirectChain, own: URL, here: URL, client: Client) -> Mapping[str, str]:
    """The header fields to be sent to a place on the way, beside those that go everywhere (rule 4)."""
    fields: dict[str, str] = {}
    question = chain.question
    if question.enough is not None:
        fields["Accept-Encoding"] = "identity"  # of what is packed the beginning cannot be read alone
    if question.etag is not None and not chain.hops:
        fields["If-None-Match"] = question.etag
    if question.last_modified is not None and not chain.hops:
        fields["If-Modified-Since"] = question.last_modified
    if chain.was_secure and here.scheme != "https":
        return fields
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
