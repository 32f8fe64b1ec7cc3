"""One request, and one bounded response.

1. Of a response whose body is not wanted, the header is read, and no more: the connection is closed. A small body that
   comes at once, behind its header, is read all the same, since the connection can be kept then.
2. A body is wanted if it is that of a document (a media type that we read, or none at all). It has at most `max_size`
   bytes, as it comes and unpacked. Where its beginning is `enough`, it may be of any size, if it is not packed: no
   more is read.
3. Content codings are taken off here, with a bound; transfer codings by aiohttp.
4. Of fields that there is one of in any response (`_SINGLE`), the first counts, as in browsers; the values of others
   are joined. The text of a field is UTF-8 where it is, and else ISO-8859-1. What sets cookies goes to the jar alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Final, NamedTuple

from aiohttp import ClientResponse
from yarl import URL

from rehref.containers.http.bodies import codings_of, without_codings
from rehref.containers.parts import Limits
from rehref.documents.types.media_types import essence, reader_of
from rehref.text.header_fields import utf8
from rehref.web.connections import Client
from rehref.web.failures import ERRORS, RequestFailure, request_failure
from rehref.web.model import Failure

_MOST_CODINGS: Final = 3
_SMALL: Final = 14_000  # what servers send before they wait for us (RFC 6928)
_AT_ONCE: Final = 0.25
_SINGLE: Final = frozenset({"location", "content-type", "content-length", "retry-after", "etag", "last-modified"})
_NO_FIELDS: Mapping[str, str] = MappingProxyType({})


class Response(NamedTuple):
    """What came of a request: a status, or why there is none; or both, where the body failed behind the header.

    `headers`: by names in lower case. `sets_cookies`: whether there was a field that does.
    """

    status: int | None
    headers: Mapping[str, str] = _NO_FIELDS
    body: bytes | None = None
    failed: RequestFailure | None = None
    sets_cookies: bool = False


async def exchange(
    client: Client,
    method: str,
    url: URL,
    fields: Mapping[str, str],
    *,
    wants_body: bool,
    enough: int | None = None,
) -> Response:
    """Send a request, and read what comes. Raises nothing but cancellation.

    `url`: without userinfo, encoded. `fields`: header fields to be sent, beside those of every request. `enough`: so
    many bytes of the body will do.
    """
    if client.sockets.are_many():
        fields = {**fields, "Connection": "close"}
    try:
        response = await client.session.request(method, url, headers=fields, allow_redirects=False)
    except ERRORS as error:
        return Response(None, failed=request_failure(error))
    try:
        if response.status == 101:  # nobody asked for it
            return Response(None, failed=RequestFailure("bad-response", "the answer is not HTTP", connected=True))
        headers, sets_cookies = _header_fields(response.raw_headers)
        body, failed = None, None
        if wants_body and _is_document(headers):
            body, failed = await _body(response, headers, client.options.max_size, enough)
        elif method != "HEAD" and _is_small(headers):
            await _drop(response)
        return Response(response.status, headers, body, failed, sets_cookies)
    finally:
        response.release()


def _header_fields(raw: tuple[tuple[bytes, bytes], ...]) -> tuple[Mapping[str, str], bool]:
    """Header fields by names in lower case, without those that set cookies; and whether there were such."""
    found: dict[str, str] = {}
    sets_cookies = False
    for raw_name, raw_value in raw:
        name = raw_name.decode("latin-1").lower()
        if name == "set-cookie":
            sets_cookies = True
            continue
        if name in found and name in _SINGLE:
            continue
        value = utf8(raw_value.decode("latin-1"))
        found[name] = f"{found[name]}, {value}" if name in found else value
    return MappingProxyType(found), sets_cookies


def _is_document(headers: Mapping[str, str]) -> bool:
    media_type = essence(headers.get("content-type"))
    return media_type == "" or reader_of(media_type) is not None


def _is_small(headers: Mapping[str, str]) -> bool:
    length = headers.get("content-length", "")
    return length.isdecimal() and len(length) < 6 and int(length) <= _SMALL


async def _drop(response: ClientResponse) -> None:
    """Read a body that nobody wants, if it comes at once (rule 1)."""
    with suppress(*ERRORS):
        async with asyncio.timeout(_AT_ONCE):
            await response.read()


async def _body(
    response: ClientResponse, headers: Mapping[str, str], max_size: int, enough: int | None
) -> tuple[bytes | None, RequestFailure | None]:
    """A body, unpacked (rules 2, 3); or why there is none."""
    length, coding = headers.get("content-length", ""), headers.get("content-encoding", "")
    least = None if codings_of(coding) else enough
    if least is None and length.isdecimal() and len(length) < 20 and int(length) > max_size:
        return None, _too_large(f"the body has {int(length):,} bytes")
    pieces: list[bytes] = []
    room = max_size if least is None else least
    try:
        async for piece in response.content.iter_any():
            pieces.append(piece)
            room -= len(piece)
            if room <= 0 and least is not None:
                return b"".join(pieces)[:least], None
            if room < 0:
                return None, _too_large(f"the body has more than {max_size:,} bytes")
    except ERRORS as error:
        return None, request_failure(error)
    return _unpacked(b"".join(pieces), coding, max_size)


def _unpacked(data: bytes, coding: str, max_size: int) -> tuple[bytes | None, RequestFailure | None]:
    codings = codings_of(coding)
    if len(codings) > _MOST_CODINGS:
        return None, _bad("its body is packed too often")
    decoded = without_codings(codings, data, Limits(size=max_size, free=max_size))
    if decoded.is_too_large:
        return None, _too_large(f"the body has more than {max_size:,} bytes when unpacked")
    if decoded.data is None or decoded.note:
        return None, _bad(decoded.note)
    return decoded.data, None


def _too_large(detail: str) -> RequestFailure:
    return _failed("too-large", detail)


def _bad(detail: str) -> RequestFailure:
    return _failed("bad-response", detail)


def _failed(failure: Failure, detail: str) -> RequestFailure:
    return RequestFailure(failure, detail, connected=True)
