"""The meaning of errors of requests: a `Failure`, and a text for people.

1. An error is recognized by its class and its numbers (those of OpenSSL, too), never by its text.
2. A request that failed before there was a connection would fail again, with any method. A request that failed after
   that may have failed because of its method.
"""

from __future__ import annotations

import os
import socket
import ssl
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

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

ERRORS = (ClientError, OSError, ValueError)
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
    """The reason why there is no response, or no body. `connected`: whether there was a connection (rule 2)."""

    kind: Failure
    detail: str
    connected: bool


def request_failure(error: BaseException) -> RequestFailure:
    """Return the meaning of an exception of a request (`ERRORS`)."""
    if isinstance(error, ClientConnectorCertificateError):
        return RequestFailure("tls", _tls_fault(error.certificate_error), connected=False)
    cause = error.os_error if isinstance(error, ClientConnectorError) else error.__cause__
    if isinstance(cause, AddressRefusedError) or isinstance(error, AddressRefusedError):
        return RequestFailure("private-address", "its address is not public", connected=False)
    if isinstance(error, ClientConnectorDNSError):
        return RequestFailure("unknown-host", _of_name(cause), connected=False)
    if isinstance(cause, ssl.SSLError | ssl.CertificateError):
        return RequestFailure("tls", _tls_fault(cause), connected=False)
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


def _tls_fault(error: BaseException) -> str:
    """Return what is wrong with a server's TLS, for people (rule 1)."""
    if isinstance(error, ssl.SSLCertVerificationError):
        number = error.verify_code
        return _FAULTS.get(number, f"its certificate is not valid: {error.verify_message} ({number})")
    if isinstance(error, ssl.CertificateError):
        return "its certificate is for another host"
    reason = getattr(error, "reason", None) or ""
    return _PROTOCOL.get(reason, f"no secure connection{f': {reason}' if reason else ''}")
