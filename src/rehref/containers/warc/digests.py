"""Digests of WARC records (ISO 28500 §5.8, §5.9), computed again in their old form.

1. A digest is `algorithm:value`. The value is base 32, base 16 or base 64 (RFC 4648), base 64 also in its alphabet for
   URLs; its length shows which one, since the length of the digest is known. Padding is kept or left out as before.
2. Base 16 keeps its case. If the form cannot be determined, it is base 32, as usual for sha1.
3. For an unknown algorithm, there is no digest.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Final

from rehref._native import TWIN

_ALGORITHMS = {
    "md5": "md5",
    "sha1": "sha1",
    "sha-1": "sha1",
    "sha224": "sha224",
    "sha-224": "sha224",
    "sha256": "sha256",
    "sha-256": "sha256",
    "sha384": "sha384",
    "sha-384": "sha384",
    "sha512": "sha512",
    "sha-512": "sha512",
    "blake2b": "blake2b",
    "blake2s": "blake2s",
}


_SHA1: Final = "sha1:"
_USUAL: Final = len(_SHA1) + 32
"""The length of a sha1 in base 32, which needs no padding."""


def digest_like(old: str, data: Iterable[bytes]) -> str | None:
    """The digest of `data`, given in pieces, with the algorithm and form of an old one; None if these are unknown."""
    if len(old) == _USUAL and old.startswith(_SHA1) and old[len(_SHA1) :].isalnum():
        return _SHA1 + _base32(_digest("sha1", data))
    name, _, value = old.partition(":")
    algorithm = _ALGORITHMS.get(name.strip().lower())
    if algorithm is None:
        return None
    return f"{name}:{_written(_digest(algorithm, data), value.strip())}"


def hash_of(algorithm: str, data: Iterable[bytes]) -> str:
    """`algorithm:value`, in base 16."""
    return f"{algorithm}:{_digest(algorithm, data).hex()}"


def _digest(algorithm: str, data: Iterable[bytes]) -> bytes:
    import hashlib  # not where archives are only read: it loads OpenSSL

    digester = getattr(hashlib, algorithm)(usedforsecurity=False)
    for piece in data:
        digester.update(piece)
    digest: bytes = digester.digest()
    return digest


def _written(digest: bytes, old: str) -> str:
    """A digest in the form of an old one (rules 1 and 2)."""
    plain = old.rstrip("=")
    if len(plain) == len(digest) * 2:
        return digest.hex() if plain == plain.lower() else digest.hex().upper()
    if len(plain) == (len(digest) * 8 + 5) // 6:
        encode = base64.urlsafe_b64encode if "-" in plain or "_" in plain else base64.b64encode
        text = encode(digest).decode("ascii")
    else:
        text = _base32(digest)
    return text.rstrip("=") if old != "" and plain == old else text


def _base32(data: bytes) -> str:
    text: str = base64.b32encode(data).decode("ascii") if TWIN is None else TWIN.base32(data)
    return text
