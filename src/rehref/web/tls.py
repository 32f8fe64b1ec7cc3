"""Secure connections: the trusted certificates, and messages about servers that are not trusted.

1. The certificates of the system are trusted, and those of a file that an option names.
2. An error is recognized by OpenSSL's number, never by its text.
"""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rehref.exceptions import OptionError

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


def tls_context(ca_file: str | None, *, insecure: bool) -> ssl.SSLContext:
    """Return the TLS context (rule 1). Raises `OptionError`."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(("http/1.1",))
    if insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if ca_file is not None:
        try:
            context.load_verify_locations(cafile=ca_file)
        except ssl.SSLError:
            raise OptionError(
                f"--ca-file {ca_file}", "contains no certificates", "name a file in the PEM format"
            ) from None
        except OSError as error:
            what = f"cannot be read ({error.strerror})"
            raise OptionError(f"--ca-file {ca_file}", what, "correct the path") from None
    return context


def tls_fault(error: BaseException) -> str:
    """Return what is wrong with a server's TLS, for people (rule 2)."""
    if isinstance(error, ssl.SSLCertVerificationError):
        number = error.verify_code
        return _FAULTS.get(number, f"its certificate is not valid: {error.verify_message} ({number})")
    if isinstance(error, ssl.CertificateError):
        return "its certificate is for another host"
    reason = getattr(error, "reason", None) or ""
    return _PROTOCOL.get(reason, f"no secure connection{f': {reason}' if reason else ''}")
