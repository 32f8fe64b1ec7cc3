"""The rule that replaces references by a function or a table.

Targets are compared as URIs, not as texts (`rehref.uri.normalization.comparison_key`, in the document's profile):
`http://example.org` in the table matches `HTTP://Example.ORG:80/` in a document. A key that is written exactly like the
target takes precedence; of other keys for the same URI the first counts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from collections.abc import Mapping as AbstractMapping
from itertools import islice, takewhile
from typing import Final, NamedTuple

from rehref.documents.base import Base
from rehref.documents.link import Link
from rehref.exceptions import refuse_no_flags
from rehref.rewriting.link_properties import (
    in_full,
    is_below_json_ld_base,
    is_out_of_reach,
    is_same_document_as_written,
    is_usual,
    settled,
)
from rehref.rewriting.rule import Attributes, ByBeginning, Drop, NewBeginning, RowRule, Rule
from rehref.uri.normalization import comparison_key
from rehref.uri.resolver import Profile

# replaces the rest of a target after a prefix: normalizing does not change it, and it does not form a dot segment
_REST: Final = "x"
_MOST_ALIKE: Final = 50
_MOST_ANSWERS: Final = 10_000
_HOSTS: Final = {"http://": 0, "https://": 0, "http:": 2, "https:": 2}
"""Beginnings that hosts follow, behind so many slashes. An ordinary host is written like its key's, or differs."""
_SCHEMES: Final = ""
"""The beginning that other schemes follow, of which the same is true."""


class Mapping:
    """Replace references by a function or a table.

    A function is called with each `Link` (including those of kind `base`) and returns the new reference as text, or
    None. A table maps target URIs to replacements. URIs are normalized before they are compared (RFC 3986 §6.2.2,
    §6.2.3), in the `whatwg` profile as the URL Standard serializes them. A key that ends in `*` is a prefix: the rest
    of the target is added to the replacement's end (or instead of its own `*`, if it has one). An exact key counts
    before prefixes, and the longest prefix before others. A target with a fragment that has no entry is looked up
    without the fragment, which is added again. A table leaves `base` elements unchanged: references relative to them
    that are in the table become absolute. `metadata`: the table is for metadata too, as with `Absolute`. References
    that browsers read differently (`browser-differs`) stay under a table.
    """

    __slots__ = ("_entries", "_function", "_metadata", "_tables")

    def __init__(
        self, mapping: Callable[[Link], str | None] | AbstractMapping[str, str], *, metadata: bool = False
    ) -> None:
        if not callable(mapping) and not isinstance(mapping, AbstractMapping):
            raise TypeError(f"a mapping is made of a function or a table, not {type(mapping).__name__}")
        refuse_no_flags(metadata=metadata)
        self._metadata = metadata
        self._function = mapping if callable(mapping) else None
        self._entries = dict(mapping) if isinstance(mapping, AbstractMapping) else {}
        for key, value in self._entries.items():
            if not isinstance(key, str) or not isinstance(value, str):
                raise TypeError(f"a mapping has texts for keys and values, not {key!r}: {value!r}")
        self._tables: dict[Profile, _Table] = {}

    def _value(self) -> tuple[object, ...]:
        return self._function, frozenset(self._entries.items()), self._metadata

    def __eq__(self, other: object) -> bool:
        """Return whether the other has the same function or table."""
        return self._value() == other._value() if isinstance(other, Mapping) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._value())

    def __repr__(self) -> str:
        made_of = self._entries if self._function is None else self._function
        return f"Mapping({made_of!r}{', metadata=True' if self._metadata else ''})"

    def for_document(self, own: Base, base: Base, profile: Profile) -> Rule:
        """Return the rule for one document."""
        if self._function is not None:
            return self._function
        if profile not in self._tables:
            self._tables[profile] = _Table(self._entries, profile, metadata=self._metadata)
        return self._tables[profile].row_rule

    def __call__(self, link: Link) -> str | Drop | None:
        """Return the new reference of the link in the profile `rfc3986`, or None if it stays."""
        return self.for_document(link.base, link.base, "rfc3986")(link)


class _Prefix(NamedTuple):
    """A prefix of targets, as written and normalized, and its replacement.

    The rest of the target is added unchanged if the prefix matches as written, else normalized.
    """

    written: str
    key: str
    new: str


class _Table:
    """A table for the documents of one profile."""

    __slots__ = ("_all", "_answers", "_by_key", "_metadata", "_prefixes", "_profile", "_written", "row_rule")

    def __init__(self, entries: AbstractMapping[str, str], profile: Profile, *, metadata: bool) -> None:
        """`entries`: replacements by target URI or prefix."""
        self._metadata = metadata
        self._profile = profile
        self._written = {key: new for key, new in entries.items() if not key.endswith("*")}
        self._by_key: dict[str, str] = {}
        for key, new in self._written.items():
            self._by_key.setdefault(_key(key, profile), new)
        prefixes = (
            _Prefix(key[:-1], _prefix_key(key[:-1], profile), new.removesuffix("*"))
            for key, new in entries.items()
            if key.endswith("*")
        )
        self._prefixes = sorted(prefixes, key=lambda prefix: -len(prefix.key))
        own = (text for prefix in self._prefixes for text in (prefix.written, prefix.key))
        self._all = sorted({*self._written, *self._by_key, *own})
        self._answers: dict[str, NewBeginning | None] = {}
        self.row_rule = RowRule(self._write, ByBeginning(self._of_beginning, metadata=metadata))

    def _write(self, link: Link, _attributes: Attributes) -> str | None:
        """Return the new reference of the link, or None if it stays."""
        if is_usual(link):
            return self._plain(link)
        if link.kind == "base" or is_out_of_reach(link, metadata=self._metadata):  # codebase too
            return None
        if settled(link, base_goes=False) is None:
            return None
        assert link.target is not None
        if is_below_json_ld_base(link):
            assert link.base.uri is not None
            new = self._look_up(link.target)
            # a reference that is not in the table must not change with its `@base`
            return in_full(link) if new is None and self._look_up(link.base.uri) is not None else new
        return self._plain(link)

    def _plain(self, link: Link) -> str | None:
        if link.target is None or is_same_document_as_written(link):
            return None
        return self._look_up(link.target)

    def _look_up(self, target: str) -> str | None:
        """Return the replacement of a target; None if it is not in the table."""
        key = _key(target, self._profile)
        new = self._written.get(target, self._by_key.get(key))
        if new is not None:
            return new
        document, mark, fragment = target.partition("#")
        if mark:
            new = self._written.get(document, self._by_key.get(_key(document, self._profile)))
            if new is not None:
                return new if "#" in new else f"{new}#{fragment}"
        for prefix in self._prefixes:
            if target.startswith(prefix.written):
                return prefix.new + target[len(prefix.written) :]
            if key.startswith(prefix.key):
                return prefix.new + key[len(prefix.key) :]
        return None

    def _of_beginning(self, beginning: str, *_of: str | None) -> NewBeginning | None:
        """What replaces the beginning of ordinary targets; None if each must be looked up: too many entries begin like
        that.
        """
        if beginning not in self._answers:  # the pages of a site have the same
            if len(self._answers) >= _MOST_ANSWERS:
                self._answers.clear()
            self._answers[beginning] = self._new_beginning(beginning)
        return self._answers[beginning]

    def _new_beginning(self, beginning: str) -> NewBeginning | None:
        slashes = _HOSTS.get(beginning)
        is_path = slashes is None and beginning != _SCHEMES
        if is_path and (beginning[-1:] != "/" or _key(beginning + _REST, self._profile) != beginning + _REST):
            return None
        begins = takewhile(
            lambda key: key.startswith(beginning), islice(self._all, bisect_left(self._all, beginning), None)
        )
        longer = [key[len(beginning) :] for key in islice(begins, _MOST_ALIKE)]
        if len(longer) == _MOST_ALIKE:
            return None
        if slashes is not None:  # a host may be the whole target
            unless = {"/" * slashes + rest.lstrip("/").partition("/")[0] for rest in longer}
        elif is_path:
            unless = {rest or "#" for rest in longer}
        else:
            unless = {key.partition(":")[0] for key in longer}
        shorter = next((prefix for prefix in self._prefixes if beginning.startswith(prefix.written)), None)
        if any(beginning.startswith(prefix.key) for prefix in self._prefixes if prefix is not shorter):
            return None
        new = None if shorter is None else shorter.new + beginning[len(shorter.written) :]
        return NewBeginning(new, tuple(sorted(unless)), unless_escaped=is_path and bool(longer))


def entry_key(entry: str, profile: Profile) -> tuple[bool, str]:
    """Return the key by which an entry of a table is compared: whether it is a prefix, and its normalized text."""
    if entry.endswith("*"):
        return True, _prefix_key(entry[:-1], profile)
    return False, _key(entry, profile)


def _key(uri: str, profile: Profile) -> str:
    """Return the text by which a URI is compared. Its fragment counts, also that of a URN."""
    key = comparison_key(uri, profile)
    _, mark, fragment = uri.partition("#")
    return f"{key}#{fragment}" if mark and "#" not in key else key


def _prefix_key(prefix: str, profile: Profile) -> str:
    """Return the common beginning of the keys of all targets with a prefix; the prefix itself if it is not known."""
    key = comparison_key(prefix + _REST, profile)
    for end in (_REST, _REST + "/"):  # the latter if there is only a host
        if key.endswith(end):
            return key[: -len(end)]
    return prefix
