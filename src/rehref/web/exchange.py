"""One request, and one bounded response.

1. If the body is not needed, only the header of the response is read, and the connection is closed. But a small body
   that comes at once after its header is read, so that the connection can be kept.
2. A body is needed if it is a document (its media type is one that rehref reads, or missing). It has at most `max_size`
   bytes, both as received and decompressed. If a beginning is `enough`, the body may have any size, unless it is
   compressed: only the beginning is read.
3. This module decodes content codings, with a limit; aiohttp decodes transfer codings.
4. For fields that occur once in a response (`_SINGLE`), the first value counts, as in browsers; the values of others
   are joined. The text of a field is UTF-8 if that is valid, else ISO-8859-1. Fields that set cookies go only to the
   jar.
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
    url: URL,
    fields: Mapping[str, str],
    *,
    wants_body: bool,
    enough: int | None = None,
) -> Response:
    """Send a request, and read the response. Raises nothing but cancellation.

    `url`: without userinfo, encoded. `fields`: header fields to send, besides those of every request. `enough`: how
    many bytes of the body are enough.
    """
    if client.sockets.are_many():
        fields = {**fields, "Connection": "close"}
    try:
        response = await client.session.request(method, url, headers=fields, allow_redirects=False)
    except ERRORS as error:
        return Response(None, failed=request_failure(error))
    try:
        if response.status == 101:  # not requested
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
    """Return header fields by names in lower case, without those that set cookies; and whether there were such."""
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
    """Read a body that is not needed, if it comes at once (rule 1)."""
    with suppress(*ERRORS):
        async with asyncio.timeout(_AT_ONCE):
            await response.read()


async def _body(
    response: ClientResponse, headers: Mapping[str, str], max_size: int, enough: int | None
) -> tuple[bytes | None, RequestFailure | None]:
    """Return a decompressed body (rules 2, 3), or why there is none."""
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
