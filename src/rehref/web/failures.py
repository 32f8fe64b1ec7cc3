"""The meaning of errors of requests: a `Failure`, and a text for people.

1. An error is recognized by its class and its numbers, never by its text.
2. A request that failed before there was a connection would fail again, with any method. A request that failed after
   that may have failed because of its method.
"""

from __future__ import annotations

import os
import socket
import ssl
from typing import NamedTuple

from aiohttp import (
    ClientConnectorCertificateError,
    ClientConnectorDNSError,
    ClientConnectorError,
    ClientError,
    ClientOSError,
    ClientPayloadError,
    ClientResponseError,
    ConnectionTimeoutError,
    InvalidURL,
    ServerDisconnectedError,
)

from rehref.web.connections import AddressRefusedError
from rehref.web.model import Failure
from rehref.web.tls import tls_fault

ERRORS = (ClientError, OSError, ValueError)
"""The exceptions that requests raise."""


class RequestFailure(NamedTuple):
    """The reason why there is no response, or no body. `connected`: whether there was a connection (rule 2)."""

    kind: Failure
    detail: str
    connected: bool


def request_failure(error: BaseException) -> RequestFailure:
    """Return the meaning of an exception of a request (`ERRORS`)."""
    if isinstance(error, ClientConnectorCertificateError):
        return RequestFailure("tls", tls_fault(error.certificate_error), connected=False)
    cause = error.os_error if isinstance(error, ClientConnectorError) else error.__cause__
    if isinstance(cause, AddressRefusedError) or isinstance(error, AddressRefusedError):
        return RequestFailure("private-address", "its address is not public", connected=False)
    if isinstance(error, ClientConnectorDNSError):
        return RequestFailure("unknown-host", _of_name(cause), connected=False)
    if isinstance(cause, ssl.SSLError | ssl.CertificateError):
        return RequestFailure("tls", tls_fault(cause), connected=False)
    if isinstance(error, ConnectionTimeoutError):
        return RequestFailure("timeout", "no connection in time", connected=False)
    if isinstance(error, TimeoutError):
        return RequestFailure("timeout", "no answer in time", connected=True)
    if isinstance(error, ClientConnectorError):
        return RequestFailure("no-connection", _of_system(cause) or "no connection", connected=False)
    if isinstance(error, ServerDisconnectedError):
        return RequestFailure("no-connection", "the connection was closed before an answer", connected=True)
    if isinstance(error, ClientPayloadError):
        return RequestFailure("bad-response", "the answer is incomplete or inconsistent", connected=True)
    if isinstance(error, ClientResponseError):
        return RequestFailure("bad-response", "the answer is not HTTP", connected=True)
    if isinstance(error, InvalidURL):
        return RequestFailure("unknown-host", "the URL names no host that can be asked", connected=False)
    if isinstance(error, ClientOSError | OSError):
        return RequestFailure("no-connection", _of_system(error) or "the connection was lost", connected=True)
    return RequestFailure("bad-response", "the answer cannot be read", connected=True)


def _of_name(cause: BaseException | None) -> str:
    if isinstance(cause, socket.gaierror) and cause.errno == socket.EAI_AGAIN:
        return "its name could not be looked up at the moment"
    return "its name has no address"


def _of_system(error: BaseException | None) -> str:
    number = error.errno if isinstance(error, OSError) else None
    return "" if number is None or number <= 0 else os.strerror(number).lower()
