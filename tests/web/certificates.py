"""Certificates for servers on loopback, as they should be, and as they should not."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime
from pathlib import Path

import trustme

HOSTS = ("127.0.0.1", "localhost")
KINDS = ("valid", "expired", "not-yet", "self-signed", "other-host", "unknown-issuer")


class Certificates:
    """One for each kind, from an authority of their own. `ca_file`: the certificate of that, to be trusted.

    `hosts`: what they are for.
    """

    def __init__(self, folder: Path, hosts: tuple[str, ...] = HOSTS) -> None:
        self._hosts = hosts
        self._authority = trustme.CA()
        self.ca_file = folder / "ca.pem"
        self._authority.cert_pem.write_to_path(str(self.ca_file))
        self._folder = folder

    def context(self, kind: str) -> ssl.SSLContext:
        """What a server with a certificate of that kind needs."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        if kind == "self-signed":
            file = self._folder / "self-signed.pem"
            own = trustme.CA()
            file.write_bytes(own.private_key_pem.bytes() + own.cert_pem.bytes())
            context.load_cert_chain(file)
            return context
        long_ago, far_off = datetime(2001, 1, 1, tzinfo=UTC), datetime(2090, 1, 1, tzinfo=UTC)
        authority = trustme.CA() if kind == "unknown-issuer" else self._authority
        hosts = ("other.example",) if kind == "other-host" else self._hosts
        not_before = datetime(2089, 1, 1, tzinfo=UTC) if kind == "not-yet" else long_ago
        not_after = datetime(2002, 1, 1, tzinfo=UTC) if kind == "expired" else far_off
        authority.issue_cert(*hosts, not_before=not_before, not_after=not_after).configure_cert(context)
        return context
