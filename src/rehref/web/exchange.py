"""One request, and one bounded response.

1. If the body is not needed, only the header of the response is read, and the connection is closed. But a small body
   that comes at once after its header is read, so that the connection can be kept.
2. A body is needed if it is a document (its media type is one that rehref reads, or missing). It has at most `max_size`
   bytes, both as received and decompressed. If a beginning is `enough`, the body may have any size, unless it is
   compressed: only the beginning is read.
3. This module decodes content codings, with a limit; `http1` decodes transfer codings.
4. For fields that occur once in a response (`_SINGLE`), the first value counts, as in browsers; the values of others
   are joined. The text of a field is UTF-8 if that is valid, else ISO-8859-1. Fields that set cookies go only to the
   client's cookies.
5. If a connection that was kept turns out to be closed, the request is sent again on another one (RFC 9112 §9.3.1): the
   server has not seen it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Final, NamedTuple

from rehref.containers.http.bodies import codings_of, without_codings
from rehref.containers.parts import Limits
from rehref.documents.types.media_types import essence, reader_of
from rehref.text.header_fields import utf8
from rehref.web.connections import Client
from rehref.web.failures import ERRORS, RequestFailure, failure_of_request, failure_to_connect
from rehref.web.hosts import Place
from rehref.web.model import Failure
from rehref.web.transport.http1 import Connection, Head, NotHttpError, StaleError

_MOST_CODINGS: Final = 3
_SMALL: Final = 14_000  # what servers send before they wait for the client (RFC 6928)
_AT_ONCE: Final = 0.25
_SINGLE: Final = frozenset({"location", "content-type", "content-length", "retry-after", "etag", "last-modified"})
_NO_FIELDS: Mapping[str, str] = MappingProxyType({})


class Response(NamedTuple):
    """The result of a request: a status, or why there is none; or both, if the body failed after the header.

    `headers`: values by names in lower case. `sets_cookies`: whether there was a field that sets cookies.
    """

    status: int | None
    headers: Mapping[str, str] = _NO_FIELDS
    body: bytes | None = None
    failed: RequestFailure | None = None
    sets_cookies: bool = False


async def exchange(
    client: Client,
    method: str,
    place: Place,
    fields: Mapping[str, str],
    *,
    wants_body: bool,
    enough: int | None = None,
) -> Response:
    """Send a request, and read the response. Raises nothing but cancellation.

    `fields`: header fields to send, besides those of every request. `enough`: how many bytes of the body are enough.
    """
    loop = asyncio.get_running_loop()
    ends = loop.time() + client.options.timeout
    try:
        request = client.request(method, place, fields)
    except ValueError:
        return Response(None, failed=_bad("a header field to send is not one line"))
    while True:
        connection = client.connections.kept(place.host)
        if connection is None:
            try:
                async with asyncio.timeout_at(ends - client.options.timeout / 2):
                    connection = await client.connections.made(place)
            except ERRORS as error:
                return Response(None, failed=failure_to_connect(error))
        try:
            head = await connection.ask(method, request, ends)
            return await _read(client, place, connection, head, wants_body=wants_body, enough=enough)
        except StaleError:
            continue  # rule 5
        except ERRORS as error:
            return Response(None, failed=failure_of_request(error))
        finally:
            client.connections.let_go(place.host, connection)


async def _read(
    client: Client, place: Place, connection: Connection, head: Head, *, wants_body: bool, enough: int | None
) -> Response:
    """Read the rest of a response, as far as it is needed. Raises what reading the header raises."""
    if head.status == 101:  # not requested
        raise NotHttpError
    headers, cookies = _header_fields(head.fields)
    if cookies:
        client.cookies.take(cookies, place)
    body, failed = None, None
    if wants_body and _is_document(headers):
        body, failed = await _body(connection, headers, client.options.max_size, enough)
    elif not connection.can_be_kept and _is_small(headers):
        await _drop(connection)
    return Response(head.status, headers, body, failed, bool(cookies))


def _header_fields(raw: list[tuple[bytes, bytes]]) -> tuple[Mapping[str, str], list[str]]:
    """Return header fields by names in lower case, without those that set cookies, and the values of these."""
    found: dict[str, str] = {}
    cookies: list[str] = []
    for raw_name, raw_value in raw:
        name, value = raw_name.decode("latin-1"), utf8(raw_value.decode("latin-1"))
        if name == "set-cookie":
            cookies.append(value)
        elif name not in found:
            found[name] = value
        elif name not in _SINGLE:
            found[name] = f"{found[name]}, {value}"
    return MappingProxyType(found), cookies


def _is_document(headers: Mapping[str, str]) -> bool:
    media_type = essence(headers.get("content-type"))
    return media_type == "" or reader_of(media_type) is not None


def _is_small(headers: Mapping[str, str]) -> bool:
    length = headers.get("content-length", "")
    return length.isdecimal() and len(length) < 6 and int(length) <= _SMALL


async def _drop(connection: Connection) -> None:
    """Read a body that is not needed, if it comes at once (rule 1)."""
    with suppress(*ERRORS):
        async with asyncio.timeout(_AT_ONCE):
            await connection.body(_SMALL)


async def _body(
    connection: Connection, headers: Mapping[str, str], max_size: int, enough: int | None
) -> tuple[bytes | None, RequestFailure | None]:
    """Return a decompressed body (rules 2, 3), or why there is none."""
    length, coding = headers.get("content-length", ""), headers.get("content-encoding", "")
    least = None if codings_of(coding) else enough
    if least is None and length.isdecimal() and len(length) < 20 and int(length) > max_size:
        return None, _too_large(f"the body has {int(length):,} bytes")
    try:
        body = await connection.body(max_size + 1 if least is None else least)
    except ERRORS as error:
        return None, failure_of_request(error)
    if least is not None:
        return body[:least], None
    if len(body) > max_size:
        return None, _too_large(f"the body has more than {max_size:,} bytes")
    return _unpacked(body, coding, max_size)


def _unpacked(data: bytes, coding: str, max_size: int) -> tuple[bytes | None, RequestFailure | None]:
    codings = codings_of(coding)
    if len(codings) > _MOST_CODINGS:
        return None, _bad("its body is compressed too many times")
    decoded = without_codings(codings, data, Limits(size=max_size, free=max_size))
    if decoded.is_too_large:
        return None, _too_large(f"the body has more than {max_size:,} bytes when decompressed")
    if decoded.data is None or decoded.note:
        return None, _bad(decoded.note)
    return decoded.data, None


def _too_large(detail: str) -> RequestFailure:
    return _failed("too-large", detail)


def _bad(detail: str) -> RequestFailure:
    return _failed("bad-response", detail)


def _failed(failure: Failure, detail: str) -> RequestFailure:
    return RequestFailure(failure, detail, connected=True)
