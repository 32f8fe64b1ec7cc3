"""An answer as a row of the cache, and back; and the digest of the settings that can change an answer.

A row has an answer without its body, as JSON, so that it can contain any text, even half characters. Only the header
fields in `KEPT_FIELDS` are kept: no cookies, and nothing that gives access.
"""

from __future__ import annotations

import json
import math
import os
from contextlib import suppress
from hashlib import blake2b, pbkdf2_hmac
from types import MappingProxyType
from typing import Any, NamedTuple, cast, get_args

from rehref.files.reading_files import MOST, read_small, whole_number
from rehref.uri.components import split
from rehref.uri.resolver import parse_or_none
from rehref.web.answers import Answer, Failure, Hop
from rehref.web.asking_options import NETRC_VARIABLE, WebOptions

KEPT_FIELDS = frozenset(
    {"content-type", "content-length", "content-location", "etag", "last-modified", "link", "location", "retry-after"}
)
LARGEST = 64 * 1024
"""The most bytes of a row's JSON, and of its URL."""
LARGEST_EXTRA = 1024 * 1024
"""The most bytes that the caller can keep with an answer; more is not kept."""
_FAILURES = frozenset(get_args(Failure))


class CachedUrl(NamedTuple):
    """What is kept of one URL. `said`: JSON. `checked_at`: seconds since 1970."""

    url: str
    checked_at: float
    said: str
    extra: bytes | None

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return len(self.url) + len(self.said) + len(self.extra or b"")


def row_of(answer: Answer, extra: bytes | None) -> CachedUrl | None:
    """The row of an answer; None if it must not be kept.

    That is so if a URL in it has userinfo, so that no password is in the file; if it is from the cache itself; or if it
    is larger than `LARGEST`, as with a URL of megabytes.
    """
    if answer.from_cache or not math.isfinite(answer.checked_at):
        return None
    urls = [answer.url, answer.final, *(url for hop in answer.hops for url in (hop.url, hop.location))]
    headers = {name: value for name, value in answer.headers.items() if name in KEPT_FIELDS}
    if any(
        split(url).has_userinfo for url in (*urls, headers.get("location", ""), headers.get("content-location", ""))
    ):
        return None
    said = json.dumps(
        {
            "status": answer.status,
            "failure": answer.failure,
            "detail": answer.detail,
            "final": answer.final,
            "hops": answer.hops,
            "headers": headers,
            "attempts": answer.attempts,
            "retry_after": answer.retry_after,
        },
        separators=(",", ":"),
    )
    if len(said) > LARGEST or len(answer.url) > LARGEST or not answer.url.isprintable():
        return None
    fits = extra is None or len(extra) <= LARGEST_EXTRA
    return CachedUrl(answer.url, answer.checked_at, said, extra if fits else None)


def answer_of(row: CachedUrl) -> Answer | None:
    """The answer of a row.

    None if it is not valid: one that this module would not write, since anybody may have written it.
    """
    try:
        said = json.loads(row.said)
        failure = said["failure"]
        answer = Answer(
            row.url,
            status=None if said["status"] is None else whole_number(said["status"], 100, 999),
            failure=cast(Failure, failure) if failure in _FAILURES else _a(type(None), failure),
            detail=_a(str, said["detail"]),
            final=_a(str, said["final"]),
            hops=tuple(
                Hop(_a(str, url), whole_number(status, 100, 999), _a(str, to)) for url, status, to in said["hops"]
            ),
            headers=MappingProxyType({_a(str, name): _a(str, text) for name, text in said["headers"].items()}),
            attempts=whole_number(said["attempts"]),
            retry_after=_a(float, said["retry_after"], optional=True),
            checked_at=_a(float, row.checked_at),
            from_cache=True,
        )
        return answer if _can_be(answer) else None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _hop(said: Any) -> Hop:
    url, status, to = said
    return Hop(_a(str, url), whole_number(status, 100, 999), _a(str, to))


def _can_be(answer: Answer) -> bool:
    """Whether URLs are as the URL Standard serializes them, and what is sent to servers (`ETag`, `Last-Modified`) is
    one line.
    """
    urls = {answer.url, answer.final or answer.url}.union(*(hop[::2] for hop in answer.hops))
    sent = (answer.headers.get("etag", ""), answer.headers.get("last-modified", ""))
    return all(parse_or_none(url) == url for url in urls) and all(map(str.isprintable, sent))


def _a(wanted: type, value: Any, *, optional: bool = False) -> Any:
    """Return the value, if it is of that type. Raises `TypeError`."""
    if wanted is float and type(value) in (int, float) and abs(value) <= MOST:  # neither infinite nor NaN
        return float(value)
    if (type(value) is wanted and wanted is not float) or (optional and value is None):
        return value
    raise TypeError


_ROUNDS = 100_000
"""The number of rounds: some hundredths of a second."""


def asked_as(options: WebOptions, salt: bytes) -> bytes:
    """The digest, of 16 bytes: the same for two runs that send the same and may ask the same addresses.

    It has header fields, cookies, credentials, and whether certificates are verified; limits of time and size only
    cause failures, which are not kept. It uses the salt of the cache file, so that it means nothing elsewhere; if it
    includes a secret, it is slow to compute, so that nobody finds the secret by trying.
    """
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
