"""The table of a `Mapping`: replacements of targets.

1. Targets are compared as URIs, not as texts (`rehref.uri.normalization.comparison_key`, in the document's profile):
   `http://example.org` in the table matches `HTTP://Example.ORG:80/` in a document.
2. A key that is written exactly like the target takes precedence; of other keys for the same URI the first counts.
3. A target with a fragment that has no entry is looked up without the fragment, which is added again.
4. A key that ends in `*` is a prefix; the longest one counts. The rest of the target is added to the replacement's end
   (or instead of its own `*`, if it has one): unchanged if the prefix matches as written, else normalized.
5. What begins like some target is looked up at once (`of_beginning`), unless too many entries begin like that, too.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping as AbstractMapping
from itertools import islice, takewhile
from typing import Final, NamedTuple

from rehref.rewriting.contract import NewBeginning
from rehref.uri.normalization import comparison_key
from rehref.uri.resolver import Profile

# replaces the rest of a target after a prefix: normalizing does not change it, and it does not form a dot segment
_REST: Final = "x"
_MOST_ALIKE: Final = 50
_MOST_ANSWERS: Final = 10_000
_HOSTS: Final = {"http://": 0, "https://": 0, "http:": 2, "https:": 2}
"""Beginnings that hosts follow, behind so many slashes."""


class _Prefix(NamedTuple):
    """A prefix of targets, as written and normalized, and its replacement."""

    written: str
    key: str
    new: str


class Table:
    """Looks up targets in one profile."""

    __slots__ = ("_all", "_answers", "_by_key", "_prefixes", "_profile", "_written")

    def __init__(self, entries: AbstractMapping[str, str], profile: Profile) -> None:
        """`entries`: replacements by target URI or prefix."""
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

    def __call__(self, target: str) -> str | None:
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

    def of_beginning(self, beginning: str) -> NewBeginning | None:
        """Return what replaces the beginning of ordinary targets; None if each must be looked up (rule 5)."""
        if beginning not in self._answers:  # the pages of a site have the same
            if len(self._answers) >= _MOST_ANSWERS:
                self._answers.clear()
            self._answers[beginning] = self._of_beginning(beginning)
        return self._answers[beginning]

    def _of_beginning(self, beginning: str) -> NewBeginning | None:
        slashes = _HOSTS.get(beginning)
        if slashes is None and (beginning[-1:] != "/" or _key(beginning + _REST, self._profile) != beginning + _REST):
            return None
        begins = takewhile(
            lambda key: key.startswith(beginning), islice(self._all, bisect_left(self._all, beginning), None)
        )
        longer = [key[len(beginning) :] for key in islice(begins, _MOST_ALIKE)]
        if len(longer) == _MOST_ALIKE:
            return None
        if slashes is not None:  # a host may be the whole target
            unless = {"/" * slashes + rest.lstrip("/").partition("/")[0] for rest in longer}
        else:
            unless = {rest or "#" for rest in longer}
        shorter = next((prefix for prefix in self._prefixes if beginning.startswith(prefix.written)), None)
        if any(beginning.startswith(prefix.key) for prefix in self._prefixes if prefix is not shorter):
            return None
        new = None if shorter is None else shorter.new + beginning[len(shorter.written) :]
        return NewBeginning(new, tuple(sorted(unless)), unless_escaped=bool(longer))


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
