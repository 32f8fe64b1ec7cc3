"""Send one request on a connection, and receive the head of its response.

aiohttp opens connections, keeps them and parses responses; the request is written here. aiohttp's `ClientSession`,
which can also send bodies, follow redirects and more, takes three times as long for a request that is only a head.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from aiohttp import (
    ClientConnectorError,
    ClientOSError,
    ClientRequest,
    ConnectionTimeoutError,
    ServerDisconnectedError,
    StreamReader,
)
from aiohttp.connector import Connection
from aiohttp.http import RawResponseMessage
from yarl import URL

from rehref.web._connections import Client
from rehref.web.servers import host_of

_LONGEST_LINE: Final = 1 << 16
_MOST_FIELDS: Final = 256
"""Bounds of the head of a response."""
_MOST_ORIGINS: Final = 10_000
_BREAKS_TARGET: Final = re.compile(r"[\x00-\x20\x7f]").search
_BREAKS_FIELD: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]").search


class Received(NamedTuple):
    """The head of a response, and where its body comes. The caller releases the connection."""

    head: RawResponseMessage
    body: StreamReader
    connection: Connection


async def send(client: Client, method: str, url: str, fields: Mapping[str, str]) -> Received:
    """Send a request without a body. Raises `ClientError`, `HttpProcessingError`, `OSError`, ValueError.

    `url`: as the URL Standard serializes it; its userinfo and fragment are not sent. `fields`: header fields besides
    the usual ones; they replace those with the same name. A request whose connection ends without an answer is sent
    once more (RFC 9112 §9.3.1), since servers close connections that were kept.
    """
    origin = host_of(url)
    request = client.origins.get(origin)
    if request is None:
        if len(client.origins) >= _MOST_ORIGINS:
            client.origins.clear()
        request = client.origins[origin] = ClientRequest("GET", URL(origin, encoded=True), ssl=client.tls)
    head = _head(client, method, url, request.headers["Host"], fields)
    try:
        return await _sent(client, request, method, head)
    except ClientConnectorError:
        raise
    except (ClientOSError, ServerDisconnectedError):
        return await _sent(client, request, method, head)


async def _sent(client: Client, request: ClientRequest, method: str, head: bytes) -> Received:
    """Send a head, and receive one. `request`: says where to connect to."""
    try:
        connection = await client.connector.connect(request, [], client.timeout)
    except TimeoutError as error:
        raise ConnectionTimeoutError from error
    try:
        protocol = connection.protocol
        assert protocol is not None  # until it is released
        protocol.set_response_params(
            skip_payload=method == "HEAD",
            read_until_eof=True,
            auto_decompress=False,
            max_line_size=_LONGEST_LINE,
            max_field_size=_LONGEST_LINE,
            max_headers=_MOST_FIELDS,
        )
        if connection.transport is not None:  # else reading raises why it was closed as soon as it was opened
            connection.transport.write(head)
        while True:
            message, body = await protocol.read()
            if message.code >= 200 or message.code == 101:  # others are followed by the response (RFC 9110 §15.2)
                return Received(message, body, connection)
    except BaseException:
        connection.close()
        raise


def _head(client: Client, method: str, url: str, host: str, fields: Mapping[str, str]) -> bytes:
    """Return the head of a request. Raises ValueError where a text would end a line, and become another field."""
    start = url.find("/", url.find("//") + 2)
    target = url[start:].partition("#")[0]
    if start < 0 or _BREAKS_TARGET(target):
        raise ValueError(url)
    lines = [f"{method} {target} HTTP/1.1", f"Host: {host}"]
    if cookies := _cookies(client, url, fields):
        fields = {name: text for name, text in fields.items() if name.lower() != "cookie"} | {"Cookie": cookies}
    if not fields:
        lines += client.usual_lines
    else:
        replaced = {name.lower() for name in fields}
        if "host" in replaced:
            del lines[1]
        lines += [line for line in client.usual_lines if line.partition(":")[0].lower() not in replaced]
        for name, text in fields.items():
            if _BREAKS_FIELD(name) or _BREAKS_FIELD(text):
                raise ValueError(name)
            lines.append(f"{name}: {text}")
    return "\r\n".join((*lines, "", "")).encode()


def _cookies(client: Client, url: str, fields: Mapping[str, str]) -> str:
    """Return the cookies for a URL, those of the jar before those of a field; "" if the jar has none."""
    if not len(client.jar):
        return ""
    found = client.jar.filter_cookies(URL(url, encoded=True))
    if not found:
        return ""
    given = "".join(text for name, text in fields.items() if name.lower() == "cookie")
    others = (each.strip() for each in given.split(";"))
    pieces = [f"{name}={found[name].coded_value}" for name in sorted(found)]
    return "; ".join((*pieces, *(each for each in others if each and each.partition("=")[0] not in found)))
