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

from rehref.web.model import Failure
from rehref.web.tls import tls_fault
from rehref.web.transport.http1 import BodyError, ClosedError, NotHttpError
from rehref.web.transport.pool import AddressRefusedError

ERRORS = (OSError, ValueError, BodyError, ClosedError, NotHttpError)
"""The exceptions that requests raise."""


class RequestFailure(NamedTuple):
    """The reason why there is no response, or no body. `connected`: whether there was a connection (rule 2)."""

    kind: Failure
    detail: str
    connected: bool


def failure_to_connect(error: BaseException) -> RequestFailure:
    """Return the meaning of an exception of making a connection (`ERRORS`)."""
    if isinstance(error, AddressRefusedError):
        return RequestFailure("private-address", "its address is not public", connected=False)
    if isinstance(error, socket.gaierror):
        return RequestFailure("unknown-host", _of_name(error), connected=False)
    if isinstance(error, ssl.SSLError | ssl.CertificateError):
        return RequestFailure("tls", tls_fault(error), connected=False)
    if isinstance(error, TimeoutError) and error.errno is None:  # not one of the system
        return RequestFailure("timeout", "no connection in time", connected=False)
    return RequestFailure("no-connection", _of_system(error) or "no connection", connected=False)


def failure_of_request(error: BaseException) -> RequestFailure:
    """Return the meaning of an exception of a request on a connection (`ERRORS`)."""
    match error:
        case ssl.SSLError() | ssl.CertificateError():
            return RequestFailure("tls", tls_fault(error), connected=False)
        case TimeoutError():
            return RequestFailure("timeout", "no answer in time", connected=True)
        case ClosedError():
            return RequestFailure("no-connection", "the connection was closed before an answer", connected=True)
        case BodyError():
            return RequestFailure("bad-response", "the answer is incomplete or inconsistent", connected=True)
        case NotHttpError():
            return RequestFailure("bad-response", "the answer is not HTTP", connected=True)
        case OSError():
            return RequestFailure("no-connection", _of_system(error) or "the connection was lost", connected=True)
        case _:
            return RequestFailure("bad-response", "the answer cannot be read", connected=True)


def _of_name(cause: BaseException | None) -> str:
    if isinstance(cause, socket.gaierror) and cause.errno == socket.EAI_AGAIN:
        return "its name could not be looked up at the moment"
    return "its name has no address"


def _of_system(error: BaseException | None) -> str:
    number = error.errno if isinstance(error, OSError) else None
    return "" if number is None or number <= 0 else os.strerror(number).lower()
