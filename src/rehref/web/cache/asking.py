"""A digest of the settings that can change a server's answer.

1. Two runs have the same digest if they send the same header fields, cookies and credentials, verify certificates
   alike, and may ask the same addresses. Limits of time and size are not included: they only cause failures, which are
   not kept.
2. The digest uses the salt of the cache file, so that it means nothing elsewhere. If it includes a secret, it is slow
   to compute, so that nobody finds the secret by trying.
"""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import blake2b, pbkdf2_hmac

from rehref.files.reading import read_small
from rehref.web.options import NETRC_VARIABLE, WebOptions

_ROUNDS = 100_000
"""The number of rounds: some hundredths of a second."""


def asked_as(options: WebOptions, salt: bytes) -> bytes:
    """Return the digest, of 16 bytes (rules 1, 2)."""
    files = [_content(file) for file in (options.cookies, options.netrc, options.ca_file)]
    switches = (options.allows_private, options.robots, options.insecure, *sorted(options.named_hosts))
    credentials = os.environ.get(NETRC_VARIABLE)
    text = repr((options.user_agent, options.headers, files, credentials, switches)).encode("utf-8", "surrogatepass")
    has_secret = any((options.headers, options.cookies, options.netrc, credentials))
    if has_secret:
        return pbkdf2_hmac("sha256", text, salt, _ROUNDS, 16)
    return blake2b(text, salt=salt[:16], digest_size=16).digest()


def _content(file: str | None) -> bytes | None:
    """Return the content of a file, or its name if it cannot be read, which is reported when it is used."""
    if file is None:
        return None
    with suppress(OSError, ValueError):
        return blake2b(read_small(file), digest_size=16).digest()
    return file.encode("utf-8", "surrogateescape")
