"""One request, and one bounded response; or what an error of it means: a `Failure`, and a text for people.

A body is needed if it is a document (its media type is one that rehref reads, or missing; or its name is that of a
sitemap, which may be gzipped). Else only the header of the response is read, and the connection is closed. This module
decodes content codings, with a limit; aiohttp decodes transfer codings.
"""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Final, NamedTuple

import aiohttp
from aiohttp.http import HttpProcessingError, RawResponseMessage
from yarl import URL

from rehref.containers.codings import codings_of, without_codings
from rehref.containers.parts import Limits
from rehref.documents.media_types import FileName, MediaType
from rehref.text.header_fields import Head
from rehref.web._connections import AddressRefusedError, Client
from rehref.web._sending import send
from rehref.web.answers import Failure

_MOST_CODINGS: Final = 3
_SMALL: Final = 14_000  # what servers send before they wait for the client (RFC 6928)
_AT_ONCE: Final = 0.25
_GZIP: Final = b"\x1f\x8b"
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
    url: str,
    fields: Mapping[str, str],
    *,
    wants_body: bool,
    enough: int | None = None,
) -> Response:
    """Send a request, and read the response. Raises nothing but cancellation.

    `url`: as the URL Standard serializes it; its userinfo is not sent. `fields`: header fields to send, besides those
    of every request. `enough`: how many bytes of the body are enough.
    """
    if client.sockets.are_many():
        fields = {**fields, "Connection": "close"}
    response = Response(None)
    try:
        async with asyncio.timeout(client.options.timeout):
            received = await send(client, method, url, fields)
            try:
                response = _of_head(received.head, client, url)
                if response.status is None:
                    return response
                if wants_body:
                    body, failed = await _document(
                        received.body, response.headers, url, client.options.max_size, enough
                    )
                    return response._replace(body=body, failed=failed)
                if method != "HEAD" and _is_small(response.headers):
                    await _drop(received.body)
                return response
            finally:
                received.connection.release()
    except ERRORS as error:
        needs_no_more = response.status is not None and not wants_body
        return response if needs_no_more else response._replace(failed=request_failure(error))


def _of_head(head: RawResponseMessage, client: Client, url: str) -> Response:
    """Return a response without its body, and keep its cookies."""
    if head.code == 101:  # not requested
        return Response(None, failed=RequestFailure("bad-response", "the answer is not HTTP", connected=True))
    headers, sets_cookies = _header_fields(head.raw_headers)
    if sets_cookies:
        client.jar.update_cookies_from_headers(
            head.headers.getall("Set-Cookie"), URL(url, encoded=True).with_user(None)
        )
    return Response(head.code, headers, sets_cookies=sets_cookies)


def _header_fields(raw: tuple[tuple[bytes, bytes], ...]) -> tuple[Mapping[str, str], bool]:
    """Return the fields of a response, and whether some of them set cookies: those go only to the jar.

    Their text is UTF-8 if that is valid, else ISO-8859-1.

    For fields that occur once in a response (`_SINGLE`), the first value counts, as in browsers; the values of others
    are joined.
    """
    found: dict[str, str] = {}
    sets_cookies = False
    for raw_name, raw_value in raw:
        name = raw_name.decode("latin-1").lower()
        if name == "set-cookie":
            sets_cookies = True
            continue
        if name in found and name in _SINGLE:
            continue
        value = Head.text_of(raw_value)
        found[name] = f"{found[name]}, {value}" if name in found else value
    return MappingProxyType(found), sets_cookies


def _is_document(headers: Mapping[str, str]) -> bool:
    media_type = MediaType.of(headers.get("content-type"))
    return media_type == "" or media_type.reader is not None


def _is_small(headers: Mapping[str, str]) -> bool:
    length = headers.get("content-length", "")
    return length.isdecimal() and len(length) < 6 and int(length) <= _SMALL


async def _drop(body: aiohttp.StreamReader) -> None:
    """Read a small body that comes at once after its header, so that the connection can be kept."""
    with suppress(*ERRORS):
        async with asyncio.timeout(_AT_ONCE):
            await body.read()


async def _document(
    content: aiohttp.StreamReader, headers: Mapping[str, str], url: str, max_size: int, enough: int | None
) -> tuple[bytes | None, RequestFailure | None]:
    """Return the decompressed body of a document, or why there is none; nothing of other responses."""
    is_map = FileName.is_of_sitemap(URL(url, encoded=True).path)
    if not is_map and not _is_document(headers):
        if _is_small(headers):
            await _drop(content)
        return None, None
    body, failed = await _body(content, headers, max_size, enough)
    if is_map and body is not None and body.startswith(_GZIP):
        return _unpacked(body, "gzip", max_size)
    return body, failed


async def _body(
    content: aiohttp.StreamReader, headers: Mapping[str, str], max_size: int, enough: int | None
) -> tuple[bytes | None, RequestFailure | None]:
    """Return a decompressed body, or why there is none: it has at most `max_size` bytes, as received and decompressed.

    If a beginning is `enough`, the body may have any size, unless it is compressed: only the beginning is read.
    """
    length, coding = headers.get("content-length", ""), headers.get("content-encoding", "")
    least = None if codings_of(coding) else enough
    if least is None and length.isdecimal() and len(length) < 20 and int(length) > max_size:
        return None, _too_large(f"the body has {int(length):,} bytes")
    pieces: list[bytes] = []
    room = max_size if least is None else least
    try:
        async for piece in content.iter_any():
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


ERRORS = (aiohttp.ClientError, HttpProcessingError, OSError, ValueError)
"""The exceptions that requests raise."""
_FAULTS: Final[Mapping[int, str]] = MappingProxyType(
    {
        # X509_V_ERR_… of OpenSSL's x509_vfy.h
        9: "its certificate is not valid yet",
        10: "its certificate has expired",
        18: "its certificate is self-signed",
        19: "its certificate is from an issuer that is not trusted (self-signed)",
        20: "its certificate is from an unknown issuer, or an intermediate certificate is missing",
        21: "its certificate is from an unknown issuer, or an intermediate certificate is missing",
        23: "its certificate has been revoked",
        26: "its certificate is not for servers",
        62: "its certificate is for another host",
        64: "its certificate is for another address",
    }
)
_PROTOCOL: Final[Mapping[str, str]] = MappingProxyType(
    {
        "WRONG_VERSION_NUMBER": "what it speaks there is not TLS",
        "HTTP_REQUEST": "what it speaks there is not TLS",
        "RECORD_LAYER_FAILURE": "what it speaks there is not TLS",
        "UNSUPPORTED_PROTOCOL": "it knows only versions of TLS that are not safe",
        "TLSV1_ALERT_PROTOCOL_VERSION": "it knows only versions of TLS that are not safe",
        "SSLV3_ALERT_HANDSHAKE_FAILURE": "it refused the connection: there is no cipher in common",
        "TLSV1_UNRECOGNIZED_NAME": "it does not know the host's name",
        "TLSV13_ALERT_CERTIFICATE_REQUIRED": "it asks for a client certificate",
        "DH_KEY_TOO_SMALL": "its key is too short",
        "EE_KEY_TOO_SMALL": "its key is too short",
        "CA_MD_TOO_WEAK": "its certificate is signed in a way that is not safe",
        "UNSAFE_LEGACY_RENEGOTIATION_DISABLED": "it supports only renegotiation that is not safe",
    }
)


class RequestFailure(NamedTuple):
    """The reason why there is no response, or no body. `connected`: whether there was a connection.

    A request that failed before would fail again, with any method. One that failed after that may have failed because
    of its method.
    """

    kind: Failure
    detail: str
    connected: bool


def request_failure(error: BaseException) -> RequestFailure:
    """Return the meaning of an exception of a request (`ERRORS`)."""
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return RequestFailure("tls", _tls_fault(error.certificate_error), connected=False)
    cause = error.os_error if isinstance(error, aiohttp.ClientConnectorError) else error.__cause__
    if isinstance(cause, AddressRefusedError) or isinstance(error, AddressRefusedError):
        return RequestFailure("private-address", "its address is not public", connected=False)
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return RequestFailure("unknown-host", _of_name(cause), connected=False)
    if isinstance(cause, ssl.SSLError | ssl.CertificateError):
        return RequestFailure("tls", _tls_fault(cause), connected=False)
    if isinstance(error, aiohttp.ConnectionTimeoutError):
        return RequestFailure("timeout", "no connection in time", connected=False)
    if isinstance(error, TimeoutError):
        return RequestFailure("timeout", "no answer in time", connected=True)
    if isinstance(error, aiohttp.ClientConnectorError):
        return RequestFailure("no-connection", _of_system(cause) or "no connection", connected=False)
    if isinstance(error, aiohttp.ServerDisconnectedError):
        return RequestFailure("no-connection", "the connection was closed before an answer", connected=True)
    if isinstance(error, aiohttp.ClientPayloadError):
        return RequestFailure("bad-response", "the answer is incomplete or inconsistent", connected=True)
    if isinstance(error, HttpProcessingError):
        return RequestFailure("bad-response", "the answer is not HTTP", connected=True)
    if isinstance(error, aiohttp.InvalidURL):
        return RequestFailure("unknown-host", "the URL names no host that can be asked", connected=False)
    if isinstance(error, aiohttp.ClientOSError | OSError):
        return RequestFailure("no-connection", _of_system(error) or "the connection was lost", connected=True)
    return RequestFailure("bad-response", "the answer cannot be read", connected=True)


def _of_name(cause: BaseException | None) -> str:
    if isinstance(cause, socket.gaierror) and cause.errno == socket.EAI_AGAIN:
        return "its name could not be looked up at the moment"
    return "its name has no address"


def _of_system(error: BaseException | None) -> str:
    number = error.errno if isinstance(error, OSError) else None
    return "" if number is None or number <= 0 else os.strerror(number).lower()


def _tls_fault(error: BaseException) -> str:
    """Return what is wrong with a server's TLS, for people; recognized by OpenSSL's numbers, never by its text."""
    if isinstance(error, ssl.SSLCertVerificationError):
        number = error.verify_code
        return _FAULTS.get(number, f"its certificate is not valid: {error.verify_message} ({number})")
    if isinstance(error, ssl.CertificateError):
        return "its certificate is for another host"
    reason = getattr(error, "reason", None) or ""
    return _PROTOCOL.get(reason, f"no secure connection{f': {reason}' if reason else ''}")
