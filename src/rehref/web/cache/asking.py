"""Who asks, as far as it changes what a server says: a check sum.

1. Two runs have the same one if they send the same header fields, cookies and credentials, verify certificates alike,
   and may ask the same addresses. Limits of time and size are not in it: they only make failures, which are not kept.
2. With the salt of a file, so that it says nothing outside; and where a secret is in it, slowly, so that nobody finds
   that by trying.
"""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import blake2b, pbkdf2_hmac

from rehref.files.small_files import read_small
from rehref.web.options import NETRC_VARIABLE, WebOptions

_ROUNDS = 100_000
"""How slowly: some hundredths of a second."""


def asked_as(options: WebOptions, salt: bytes) -> bytes:
    """The check sum of 16 bytes (rules 1, 2)."""
    files = [_content(file) for file in (options.cookies, options.netrc, options.ca_file)]
    switches = (options.allows_private, options.robots, options.insecure)
    credentials = os.environ.get(NETRC_VARIABLE)
    text = repr((options.user_agent, options.headers, files, credentials, switches)).encode("utf-8", "surrogatepass")
    has_secret = any((options.headers, options.cookies, options.netrc, credentials))
    if has_secret:
        return pbkdf2_hmac("sha256", text, salt, _ROUNDS, 16)
    return blake2b(text, salt=salt[:16], digest_size=16).digest()


def _content(file: str | None) -> bytes | None:
    """What a file holds, or its name if it cannot be read: whoever uses it will say so."""
    if file is None:
        return None
    with suppress(OSError, ValueError):
        return blake2b(read_small(file), digest_size=16).digest()
    return file.encode("utf-8", "surrogateescape")
