"""Hashes that say which bytes a browser accepts, and a page with them.

Integrity metadata (Subresource Integrity, "parse metadata") is a list of `algorithm-hash?options`, separated by white
space; what is not a hash of a known algorithm is ignored, and only the hashes of the strongest count. A policy (CSP 3,
`hash-source`) has them in quotes: `'sha256-…'`.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from rehref.markup.places import Edit, Parsed
from rehref.text.header_fields import POLICY
from rehref.text.large_bytes import contains_in_any_case

_MOST: Final = 32
_HASH: Final = r"(sha256|sha384|sha512)-([A-Za-z0-9+/_-]{1,128}={0,2})"
_IN_METADATA = re.compile(rf"(?<![^\t\n\f\r\x20]){_HASH}(?=\?|[\t\n\f\r\x20]|\Z)", re.IGNORECASE | re.ASCII).finditer
_IN_POLICY = re.compile(f"'{_HASH}'", re.IGNORECASE | re.ASCII).finditer
_TO_BASE64 = str.maketrans("-_", "+/")


class Digests(NamedTuple):
    """The hashes of some bytes by every algorithm, the strongest last, in base64."""

    sha256: str
    sha384: str
    sha512: str

    @classmethod
    def of(cls, data: bytes) -> Digests:
        """The hashes of some bytes."""
        return cls(*(b64encode(hashlib.new(name, data, usedforsecurity=False).digest()).decode() for name in _NAMES))


_NAMES: Final = Digests._fields

Become: TypeAlias = Callable[[str], Iterable[Digests]]
"""What must be accepted instead of a hash, by its value; nothing: it stays."""


class Hash(NamedTuple):
    """A hash, in base64, at `start` to `end` of a text. `algorithm`: its number among those of `Digests`.

    One in base64url, or without padding, is read as the same in base64.
    """

    algorithm: int
    value: str
    start: int
    end: int

    def is_of(self, digests: Digests) -> bool:
        """Whether it is the hash of the bytes with these digests."""
        return self.value == digests[self.algorithm]


@dataclass(frozen=True, slots=True)
class Hashes:
    """The hashes in a text: in integrity metadata, or in any text with policies."""

    text: str
    found: tuple[Hash, ...]
    are_in_policy: bool

    @classmethod
    def in_metadata(cls, text: str) -> Hashes:
        """The hashes in integrity metadata."""
        return cls(text, tuple(_hashes_of(_IN_METADATA(text))), are_in_policy=False)

    @classmethod
    def in_policy(cls, text: str) -> Hashes:
        """The hashes in a policy."""
        return cls(text, tuple(_hashes_of(_IN_POLICY(text))), are_in_policy=True)

    @staticmethod
    def may_be_in(page: bytes) -> bool:
        """Whether a page may have integrity metadata."""
        return _contains(page, "integrity")

    @property
    def values(self) -> list[str]:
        """Their values, in order."""
        return [each.value for each in self.found]

    def have(self, digests: Digests) -> bool:
        """Whether one of them is a hash of the bytes with these digests."""
        return any(each.is_of(digests) for each in self.found)

    def accept(self, digests: Digests) -> bool:
        """Whether metadata with them accepts some bytes (SRI, "Do bytes match metadataList?")."""
        strongest = max((each.algorithm for each in self.found), default=None)
        return strongest is None or any(each.is_of(digests) for each in self.found if each.algorithm == strongest)

    def renewed(self, become: Become) -> str:
        """The text with hashes replaced."""
        written, end = [], 0
        for each in self.found:
            first, name = each.start, _NAMES[each.algorithm]
            if self.are_in_policy:
                first -= len(name) + 2
                old, name = self.text[first : each.end + 1], self.text[first + 1 : each.start - 1]
                new = " ".join(dict.fromkeys(_quoted(old, name, each, digests) for digests in become(each.value)))
            else:
                new = f" {name}-".join(dict.fromkeys(digests[each.algorithm] for digests in become(each.value)))
            if new:
                written += [self.text[end:first], new]
                end = each.end + self.are_in_policy
        return "".join((*written, self.text[end:]))


def _quoted(old: str, name: str, hash_: Hash, digests: Digests) -> str:
    return old if hash_.is_of(digests) else f"'{name}-{digests[hash_.algorithm]}'"


def _hashes_of(matches: Iterable[re.Match[str]]) -> Iterator[Hash]:
    for each in matches:
        value = each[2].translate(_TO_BASE64).rstrip("=")
        yield Hash(_NAMES.index(each[1].lower()), value + "=" * (-len(value) % 4), *each.span(2))


def mentions_policy(page: bytes | str) -> bool:
    """Whether a page has the name of policies."""
    return POLICY in page.lower() if isinstance(page, str) else _contains(page, POLICY)


def _contains(page: bytes, word: str) -> bool:
    """Whether a page contains a word in any case, also in UTF-16."""
    if contains_in_any_case(page, word.encode()):
        return True
    return b"\0" in page and contains_in_any_case(page, b"\0".join(letter.encode() for letter in word))


class Guard(NamedTuple):
    """Integrity metadata for what a reference leads to.

    `place`, `start`, `end`: where it is written; `form`: how, in JSON; None in an attribute. `fetched`: whether
    browsers fetch something with it.
    """

    place: int
    start: int
    end: int
    metadata: str
    reference: str
    form: str | None
    fetched: bool

    @property
    def hashes(self) -> Hashes:
        """What its metadata lists (Subresource Integrity §3.3)."""
        return Hashes.in_metadata(self.metadata)

    def edit(self, metadata: str) -> Edit:
        """The edit that writes other metadata in its place."""
        if self.form is not None:
            from rehref.text import json_text

            metadata = json_text.write(metadata, self.form)
        return Edit(self.place, self.start, self.end, metadata)


class Inline(NamedTuple):
    """A script or style sheet in a page, or a `style` attribute (`directive`: `style-src-attr`), by its place.

    `directive`: of CSP3, that decides whether it is used; "" if browsers do not use it. `nonce`: "" if it has none.
    """

    place: int
    directive: str
    data: bytes
    nonce: str


@dataclass(slots=True)
class GuardedPage:
    """A page, a style sheet or an HTTP head, as far as integrity matters. `policies`: the places of policies.

    `read`: reads it with other content.
    """

    parsed: Parsed
    read: Callable[[bytes | str], GuardedPage]
    guards: list[Guard] = field(default_factory=list)
    contents: list[Inline] = field(default_factory=list)
    policies: list[int] = field(default_factory=list)

    @property
    def has_hashes(self) -> bool:
        """Whether there are hashes in its policies."""
        return any(Hashes.in_policy(self.parsed.places[number].value).found for number in self.policies)

    def digests(self) -> list[Digests]:
        """The digests of its contents, in order."""
        return [Digests.of(content.data) for content in self.contents]

    def become(self, before: Sequence[Digests]) -> Callable[[str], Collection[Digests]]:
        """What gives, for a hash, the digests that contents with it have now; none if their number has changed.

        Contents are matched in document order. A hash of several equal contents that became different ones becomes the
        hashes of all of them, unless these are more than `_MOST`. `before`: those that the contents had.
        """
        now, found = self.digests(), defaultdict[str, dict[str, Digests]](dict)
        for old, new in zip(before, now, strict=True) if len(before) == len(now) else ():
            for value in old:
                found[value][new.sha256] = new

        def become(value: str) -> Collection[Digests]:
            known = found.get(value, {})
            return known.values() if len(known) <= _MOST else ()

        return become

    def with_metadata(self, metadata: Mapping[int, str]) -> bytes:
        """The page with other metadata, by the numbers of its guards."""
        edits = [self.guards[number].edit(text) for number, text in sorted(metadata.items())]
        new = self.parsed.apply(edits)
        assert isinstance(new, bytes)
        return new

    def renewed(self, metadata: Mapping[int, str], others: Become) -> bytes:
        """The same, with the hashes in its policies right.

        `others`: what a hash that is not of a content must accept instead.
        """
        new = self.read(self.with_metadata(metadata)).following(self, others)
        assert isinstance(new, bytes)
        return new

    def following(self, before: GuardedPage, others: Become = lambda _: ()) -> bytes | str:
        """The page with the hashes in its policies right for its contents. `before`: the page as it was.

        If there are others than before, the policy stays.
        """
        become, edits = self.become(before.digests()), list[Edit]()
        for number in self.policies:
            old = self.parsed.places[number].value
            new = Hashes.in_policy(old).renewed(lambda value: become(value) or others(value))
            if new != old:
                edits.append(Edit(number, 0, len(old), new))
        return self.parsed.apply(edits)
