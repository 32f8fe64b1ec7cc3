"""One connection to a server: one request and its response after the other (HTTP/1.1, RFC 9112).

1. httptools (llhttp, the parser of Node.js) parses what comes, as leniently as browsers: line ends, white space, bytes
   in values. Each response has a parser of its own, because a response to HEAD ends with its header, whatever that says
   about a body (RFC 9112 §6.3).
2. Interim responses (1xx) are skipped, but not 101, which nobody asked for: it is the response.
3. A header has at most `_LONGEST_HEAD` bytes, interim responses included, and `_MOST_FIELDS` fields.
4. What is not HTTP fails the response with `NotHttpError`; if that is in a part of the body that comes after the
   header, or if the connection ends before the body does, with `BodyError`. An end before the header is complete is
   `ClosedError`, or the error of the system, or if nothing came on a connection that was kept, `StaleError`. What fails
   a response is raised where it is waited for.
5. A connection can be used again if the last response was read to its end, and neither side wants to close it
   (RFC 9112 §9.3). Bytes that nobody asked for close it.
"""

from __future__ import annotations

import asyncio
from typing import Final, NamedTuple

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

from rehref.exceptions import RehrefError

_LONGEST_HEAD: Final = 256 * 1024
_MOST_FIELDS: Final = 256


class NotHttpError(RehrefError):
    """What a server sends is not an HTTP response."""


class BodyError(RehrefError):
    """A body is incomplete, or does not have its form."""


class ClosedError(RehrefError):
    """A connection was closed before there was a response."""


class StaleError(ClosedError):
    """A connection that was kept was closed before anything came: the server has not seen the request."""


class Head(NamedTuple):
    """The header of a response. `fields`: names in lower case and values, in their order."""

    status: int
    fields: list[tuple[bytes, bytes]]


class Connection(asyncio.Protocol):
    """A connection. `was_used`: whether there was a response on it. `is_open`: whether a request can be sent."""

    def __init__(self) -> None:
        self.is_open = False
        self.was_used = False
        self._loop = asyncio.get_running_loop()
        self._ends = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._failed: Exception | None = None
        self._is_whole = True  # no response is under way
        self._begin(is_head=False)

    def _begin(self, *, is_head: bool) -> None:
        """Prepare for the next response. `is_head`: whether it is one to HEAD (rule 1)."""
        self._is_head = is_head
        self._head: Head | None = None
        self._head_size = 0
        self._fields: list[tuple[bytes, bytes]] = []
        self._body: list[bytes] = []
        self._body_size = 0
        self._may_be_kept = False
        self._ends_with_connection = False
        self._parser = HttpResponseParser(self)
        self._parser.set_dangerous_leniencies(  # rule 1
            lenient_headers=True,
            lenient_data_after_close=True,
            lenient_optional_lf_after_cr=True,
            lenient_optional_cr_before_lf=True,
            lenient_spaces_after_chunk_size=True,
        )

    async def ask(self, method: str, request: bytes, ends: float) -> Head:
        """Send a request without a body, and return the header of its response (rule 4).

        `ends`: the time of the event loop at which the whole response must be there.
        """
        self._ends = ends
        if self._timer is None:  # few requests last so long, so one timer serves those of many
            self._timer = self._loop.call_at(ends, self._look_at_time)
        self._is_whole = False
        self._begin(is_head=method == "HEAD")
        self._transport.write(request)
        while self._head is None:
            await self._more()
        self.was_used = True
        return self._head

    async def body(self, enough: int) -> bytes:
        """Return the rest of a response, or only its beginning, if that has at least so many bytes (rule 4)."""
        while not self._is_whole and self._body_size < enough:
            await self._more()
        return b"".join(self._body)

    async def _more(self) -> None:
        """Wait for more of the response."""
        if self._failed is not None:
            raise self._failed
        self._waiter = self._loop.create_future()
        await self._waiter

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _fail(self, error: Exception) -> None:
        """End the response that is under way."""
        self._failed = self._failed or error
        self._wake()

    def _look_at_time(self) -> None:
        """End a response that takes too long."""
        self._timer = None
        if not self._is_whole and self._loop.time() < self._ends:
            self._timer = self._loop.call_at(self._ends, self._look_at_time)
        elif not self._is_whole:
            self._fail(TimeoutError())

    @property
    def can_be_kept(self) -> bool:
        """Return whether another request can be sent (rule 5)."""
        return self.is_open and self._is_whole and self._may_be_kept

    def close(self) -> None:
        """Close the connection at once."""
        self.is_open = False
        self._transport.abort()
        if self._timer is not None:
            self._timer.cancel()

    # of asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self.is_open = True

    def data_received(self, data: bytes) -> None:
        """Read a part of a response (rules 3, 4)."""
        if self._is_whole:
            self.close()  # rule 5
            return
        had_head = self._head is not None
        try:
            self._parser.feed_data(data)
        except HttpParserUpgrade:
            self._is_whole = True
        except HttpParserError:
            if not (self._is_head and self._head is not None):
                self._fail(BodyError() if had_head else NotHttpError())
                self._head = self._head if had_head else None
            self._may_be_kept = False
        if self._head is None:
            self._head_size += len(data)
            if self._head_size > _LONGEST_HEAD:
                self._fail(NotHttpError())
        else:
            self._wake()

    def eof_received(self) -> None:
        """The server sends nothing more; asyncio then closes the connection."""
        self.is_open = False
        self._end(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        self.is_open = False
        self._end(exc)

    def _end(self, error: Exception | None) -> None:
        """The connection has ended (rule 4)."""
        self._may_be_kept = False
        if self._head is None:
            self._fail(StaleError() if self.was_used and not self._head_size else error or ClosedError())
        elif error is None and self._ends_with_connection:
            self._is_whole = True
            self._wake()
        elif not self._is_whole:
            self._fail(BodyError())

    # of the parser

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header field (rule 3)."""
        if len(self._fields) >= _MOST_FIELDS:
            raise NotHttpError
        self._fields.append((name.lower(), value.strip(b" \t")))

    def on_headers_complete(self) -> None:
        """Decide how the response goes on (rules 1, 2, 5)."""
        status = self._parser.get_status_code()
        if status < 200 and status != 101:  # rule 2
            self._fields = []
            return
        self._head = Head(status, self._fields)
        said = dict(self._fields)
        wishes = said.get(b"connection", b"").lower()
        self._may_be_kept = b"close" not in wishes and (
            b"keep-alive" in wishes or self._parser.get_http_version() == "1.1"
        )
        if self._is_head:
            self._is_whole = True
            return
        coding = said.get(b"transfer-encoding", b"").lower()
        self._ends_with_connection = not coding.endswith(b"chunked") if coding else b"content-length" not in said

    def on_body(self, data: bytes) -> None:
        """Take a part of the body."""
        self._body.append(data)
        self._body_size += len(data)
        if self._is_head:
            self._may_be_kept = False  # what comes after it is not a response

    def on_message_complete(self) -> None:
        """Note the end, unless it is that of an interim response."""
        self._is_whole = self._head is not None
