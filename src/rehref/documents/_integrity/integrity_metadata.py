"""Hashes that say which bytes a browser accepts: in integrity metadata, and in content security policies.

1. Integrity metadata (Subresource Integrity, "parse metadata") is a list of `algorithm-hash?options`, separated by
   white space; what is not a hash of a known algorithm is ignored. Only the hashes of the strongest algorithm count.
2. A policy (CSP3, `hash-source`) has them in quotes: `'sha256-…'`.
3. A hash in base64url, or without padding, is read as the same in base64.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from rehref.text.header_fields import POLICY
from rehref.text.large_bytes import contains_in_any_case

_ALGORITHMS: Final = ("sha256", "sha384", "sha512")
_HASH: Final = r"(sha256|sha384|sha512)-([A-Za-z0-9+/_-]{1,128}={0,2})"
_IN_METADATA = re.compile(rf"(?<![^\t\n\f\r\x20]){_HASH}(?=\?|[\t\n\f\r\x20]|\Z)", re.IGNORECASE | re.ASCII).finditer
_IN_POLICY = re.compile(f"'{_HASH}'", re.IGNORECASE | re.ASCII)
_TO_BASE64 = str.maketrans("-_", "+/")

Digests: TypeAlias = Mapping[str, str]
"""The hashes of some bytes by every algorithm, in base64."""


class Hash(NamedTuple):
    """A hash at `start` to `end` of a text. `algorithm`: in lower case; `value`: in base64 (rule 3)."""

    algorithm: str
    value: str
    start: int
    end: int

    def is_of(self, digests: Digests) -> bool:
        """Whether it is the hash of the bytes with these digests."""
        return self.value == digests[self.algorithm]


def digests(data: bytes) -> Digests:
    """Return the hashes of some bytes."""
    return {name: b64encode(hashlib.new(name, data, usedforsecurity=False).digest()).decode() for name in _ALGORITHMS}


def hashes_in(metadata: str) -> list[Hash]:
    """Return the hashes in integrity metadata (rule 1)."""
    return list(_found(_IN_METADATA(metadata)))


def accepts(hashes: Sequence[Hash], digests: Digests) -> bool:
    """Whether metadata with these hashes accepts some bytes (SRI, "Do bytes match metadataList?")."""
    strongest = max((_ALGORITHMS.index(each.algorithm) for each in hashes), default=None)
    if strongest is None:
        return True
    return any(each.is_of(digests) for each in hashes if each.algorithm == _ALGORITHMS[strongest])


def renewed(metadata: str, become: Mapping[str, Iterable[Digests]]) -> str:
    """Return metadata in which hashes are replaced. `become`: by their values, what must be accepted instead."""
    written, end = [], 0
    for each in hashes_in(metadata):
        texts = dict.fromkeys(new[each.algorithm] for new in become.get(each.value, ()))
        if texts:
            written += [metadata[end : each.start], f" {each.algorithm}-".join(texts)]
            end = each.end
    return "".join((*written, metadata[end:]))


def hashes_in_policy(policy: str) -> list[Hash]:
    """Return the hashes in a policy, or in any text with policies (rule 2)."""
    return list(_found(_IN_POLICY.finditer(policy)))


def renewed_policy(policy: str, become: Callable[[Hash], Iterable[Digests]]) -> str:
    """Return a policy in which hashes are replaced. `become`: what must be accepted instead; nothing: a hash stays."""

    def replaced(found: re.Match[str]) -> str:
        (old,) = _found((found,))
        texts = (found[0] if old.is_of(new) else f"'{found[1]}-{new[old.algorithm]}'" for new in become(old))
        return " ".join(dict.fromkeys(texts)) or found[0]

    return _IN_POLICY.sub(replaced, policy)


def mentions_policy(data: bytes | str) -> bool:
    """Whether a page has the name of policies."""
    return POLICY in data.lower() if isinstance(data, str) else _contains(data, POLICY)


def may_have_guards(data: bytes) -> bool:
    """Whether a page may have integrity metadata."""
    return _contains(data, "integrity")


def _contains(data: bytes, word: str) -> bool:
    """Whether a page contains a word in any case, also in UTF-16."""
    if contains_in_any_case(data, word.encode()):
        return True
    return b"\0" in data and contains_in_any_case(data, b"\0".join(letter.encode() for letter in word))


def _found(matches: Iterable[re.Match[str]]) -> Iterator[Hash]:
    for each in matches:
        value = each[2].translate(_TO_BASE64).rstrip("=")
        yield Hash(each[1].lower(), value + "=" * (-len(value) % 4), *each.span(2))
