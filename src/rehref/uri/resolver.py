"""A base, split once, that resolves one reference after another, in any of the profiles; and the way back.

By RFC 3986 a reference without a dot segment, as nearly all are, is joined to a part of the base. The others go through
the components; a property test holds both equal. Many at once are resolved by the compiled twin, if the base is
ordinary (`ordinary_references`). Only the `whatwg` profile can fail: there a text need not be a URL.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from rehref._native import TWIN
from rehref.exceptions import OptionError, ResolutionError, refuse_unknown
from rehref.uri import _whatwg as whatwg
from rehref.uri._relative_references import candidates, rootless
from rehref.uri._rfc3986 import Step, StepRow, Steps, guard, row_of, transform
from rehref.uri.components import (
    SCHEME,
    SPECIAL_SCHEMES,
    Components,
    refuse_other_types,
    remove_dot_segments,
    split,
    unsplit,
)
from rehref.uri.ordinary_references import NOWHERE, Prefixes, is_canonical, is_ordinary_base, prefixes_of

if TYPE_CHECKING:
    from rehref.text.encoding import Encode

Profile: TypeAlias = Literal["rfc3986", "rfc3986-compat", "rfc2396", "whatwg"]
"""How references are resolved: as RFC 3986 says, strictly; or with a scheme that equals the base's ignored (§5.2.2); as
RFC 2396 says; or as browsers do (URL Standard)."""
PROFILES: tuple[Profile, ...] = get_args(Profile)

_SCHEME = re.compile(f"{SCHEME}:").match
_ENCODED_DOT = re.compile("%2[eE]")

# A reference without scheme and authority: its path, and the rest as it is
_PATH = re.compile(rf"(?!//|{SCHEME}:)([^?#]++)(.*+)", re.DOTALL).fullmatch


def prefixes_in(profile: Profile, before: Prefixes, *, iris: bool = False, fine_iris: bool = False) -> Prefixes:
    """The texts that precede ordinary references in a profile. `before`: those of `prefixes_of`.

    `iris`, `fine_iris`: see `Prefixes`.
    """
    folders, document, query, root, scheme, _, climbs, _, _, absolute, nowhere = before
    if profile == "rfc2396":
        query, climbs, nowhere = None, False, False
    canonical = profile == "whatwg"
    return Prefixes(folders, document, query, root, scheme, canonical, climbs, iris, fine_iris, absolute, nowhere)


class Resolver:
    """Resolves references against one base, split once; calling it with a reference gives the target URI.

    `base`: the base URI; without a scheme it raises ValueError, unless `relative_base` is true, and then the targets
    have none either. `profile`: one of `PROFILES`; anything else raises ValueError. `encode`: writes text in the
    encoding of the document that has the references, where that is not UTF-8 or UTF-16; it matters in `whatwg` only.
    """

    def __init__(
        self,
        base: str,
        profile: Profile = "rfc3986",
        encode: Encode | None = None,
        *,
        relative_base: bool = False,
    ) -> None:
        self.base = base
        self.profile = profile
        self._encode = encode
        self._slow = _long_way(base, profile, encode)
        self._is_relative = relative_base
        if not relative_base:
            _refuse_relative(base, profile)
        self._strict = profile == "rfc3986"
        self._glues = False
        if profile in ("rfc3986", "rfc3986-compat"):
            self._prepare(split(base))

    def __reduce__(self) -> tuple[Callable[..., Resolver], tuple[str, Profile, Encode | None]]:
        """Pickle the arguments it was made with: functions cannot be pickled."""
        made = partial(Resolver, relative_base=True) if self._is_relative else Resolver
        return made, (self.base, self.profile, self._encode)

    def __repr__(self) -> str:
        return f"Resolver({self.base!r}, {self.profile!r})"

    def _prepare(self, parts: Components) -> None:
        """Compute once what joining needs."""
        # §5.2.2 takes the base's path as it is where the reference has none
        self._root = root = unsplit((parts.scheme, parts.authority, "", None, None))
        self._path = root + guard(parts.scheme, parts.authority, parts.path)
        self._document = self._path if parts.query is None else f"{self._path}?{parts.query}"
        # What §5.2.3 puts before a relative path. Dot segments are removed from left to right, so those of the base
        # may be removed before anything is added.
        self._folder = remove_dot_segments(parts.merged(""))
        self._directory = root + self._folder
        self._above = root + remove_dot_segments(self._folder + "..")
        # a base without a scheme, authority or rooted path may need a guard for any reference: nothing is joined there
        self._glues = parts.scheme is not None and parts.authority is not None
        self._scheme = "" if parts.scheme is None else parts.scheme + ":"

    def __call__(self, reference: str) -> str:
        """Resolve a reference: the target URI (RFC 3986 §5.2.2, §5.3).

        Raises `ResolutionError` (a ValueError) in the `whatwg` profile, where the reference is not a URL; TypeError for
        what is not a str.
        """
        try:
            if not self._glues:
                return self._slow(reference)
            first = reference[:1]
            if first == "#":
                return self._document + reference
            if first == ".":
                if reference[:3] == "../" and "/." not in (rest := reference[3:]) and rest[:1] != ".":
                    return self._above + rest
                return self._remove_dots(reference)
            if "/." in reference:
                return self._remove_dots(reference)
            if first == "/":
                return (self._scheme if reference[1:2] == "/" else self._root) + reference
            if first == "?":
                return self._path + reference
            if ":" in reference and (scheme := _SCHEME(reference)) is not None:
                if self._strict and reference[scheme.end() : scheme.end() + 1] != ".":
                    return reference
                return self._slow(reference)
            if first == "":
                return self._document
            return self._directory + reference
        except (TypeError, AttributeError):  # costs nothing unless it happens
            refuse_other_types("reference", reference)
            raise

    def resolve_all(self, references: Iterable[str]) -> list[str]:
        """Resolve many references: their target URIs, in order; those that calling it with each of them gives.

        Raises what that raises, and TypeError for a single str, whose characters nobody means.
        """
        if isinstance(references, str):
            raise TypeError("references are an iterable of texts, not a str; call the resolver with a single one")
        given = tuple(references)
        if TWIN is None:
            return list(map(self, given))
        targets: list[str]
        targets, odd = TWIN.targets(self._prefixes, given)
        for number in odd:
            targets[number] = self(given[number])
        return targets

    @cached_property
    def _prefixes(self) -> Prefixes:
        """The texts that precede ordinary references; `NOWHERE` if the base is not ordinary."""
        uri = self.base.partition("#")[0]
        is_ordinary = is_canonical(uri) if self.profile == "whatwg" else is_ordinary_base(uri) and uri.isascii()
        own = None if self.profile == "rfc2396" else uri  # there a fragment does not get the base before it
        return prefixes_in(self.profile, prefixes_of(uri, own), iris=True) if is_ordinary else NOWHERE

    def or_none(self, reference: str) -> str | None:
        """The target, or None where the reference is not a URL."""
        try:
            return self(reference)
        except ResolutionError:
            return None

    def _remove_dots(self, reference: str) -> str:
        """Resolve a reference that seems to have dot segments (§5.2.4)."""
        found = _PATH(reference)
        if found is None:
            return self._slow(reference)
        path, rest = found.groups()
        return f"{self._root}{remove_dot_segments(path if path.startswith('/') else self._folder + path)}{rest}"


def _long_way(base: str, profile: Profile, encode: Encode | None = None) -> Callable[[str], str]:
    """The profile's algorithm, component by component, against `base`. ValueError for an unknown profile.

    TypeError for a base that is not a str.
    """
    refuse_other_types("base", base)
    refuse_unknown("profile", profile, PROFILES)
    if profile == "whatwg":
        return lambda reference: whatwg.resolve(base, reference, encode)
    parts = split(base)
    if profile == "rfc2396":
        from rehref.uri import _rfc2396 as rfc2396  # few need it

        return lambda reference: rfc2396.resolve(parts, split(reference))
    compat = profile == "rfc3986-compat"
    return lambda reference: unsplit(transform(parts, split(reference), compat=compat))


def _refuse_relative(base: str, profile: Profile, reference: str = "") -> None:
    """Raise `OptionError` for a base without a scheme; a reference that has one was probably meant to be the base."""
    if _SCHEME(base) is not None or (profile == "whatwg" and parse_or_none(base) is not None):
        return
    remedy = "give an absolute URI such as https://example.org/folder/page.html"
    if _SCHEME(reference) is not None:
        remedy = f"the base comes first: is {reference!r} the base?"
    raise OptionError.of(f"base is {base!r}, which is not absolute (it has no scheme); {remedy}")


def resolve(base: str, reference: str, profile: Profile = "rfc3986", *, relative_base: bool = False) -> str:
    """Resolve one reference against a base URI; see `Resolver` for many against the same.

    `relative_base`: allow a base without a scheme, such as `docs/`; the target of a relative reference has none either.

    Raises ValueError for an unknown profile and for a base without a scheme, `ResolutionError` where `whatwg` finds no
    URL, and TypeError for a value that is not a str.
    """
    refuse_other_types("reference", reference)
    way = _long_way(base, profile)
    if not relative_base:
        _refuse_relative(base, profile, reference)
    return way(reference)


def is_same_document(target: str, base: str) -> bool:
    """Whether a target URI is the base URI, fragments aside: what RFC 3986 §4.4 calls a same-document reference.

    `page.html#x` is one on `http://h/page.html`; `#x` is not where a base element points elsewhere. Both are URIs, not
    references: a reference is resolved first. Characters are compared (normalizing is the caller's choice), and an
    empty query is not an undefined one. Without a scheme the answer is no. Raises TypeError for what is not a str.
    """
    refuse_other_types("target", target)
    refuse_other_types("base", base)
    before, _, _ = base.partition("#")
    return before == target.partition("#")[0] and split(before).scheme is not None


def is_current_document(reference: str) -> bool:
    """Whether a reference, as written, has nothing but a fragment or nothing at all (RFC 2396 §4.2)."""
    return reference == "" or reference.startswith("#")


def parse_or_none(reference: str, base: str | None = None, encode: Encode | None = None) -> str | None:
    """Parse a text as browsers do, and serialize the URL; None for failure. `encode`: as for `Resolver`.

    Without a base, only an absolute URL has no failure.
    """
    if base is None:
        if is_canonical(reference):
            return reference
        base = "about:blank"  # of a scheme like no other, that nothing is relative to
    try:
        return whatwg.resolve(base, reference, encode)
    except ResolutionError:
        return None


class Relativizer:
    """Writes targets as references relative to one base, split once.

    `base`: the base URI. `profile`: how references are to be resolved. `paths_only`: write no absolute path to what has
    the scheme and authority of the base. Raises ValueError for an unknown profile, and for a base without a scheme.
    """

    __slots__ = ("_base", "_directory", "_paths_only", "_resolver")

    def __init__(self, base: str, profile: Profile = "rfc3986", *, paths_only: bool = False) -> None:
        refuse_other_types("base", base)
        self._base = split(base)
        self._directory = remove_dot_segments(self._base.merged(""))
        self._resolver = Resolver(base, profile)
        self._paths_only = paths_only

    def __repr__(self) -> str:
        more = ", paths_only=True" if self._paths_only else ""
        return f"Relativizer({self._resolver.base!r}, {self._resolver.profile!r}{more})"

    def __call__(self, target: str) -> str:
        """The shortest reference that gives `target` (RFC 3986 §4.2, §5.2), or `target` itself.

        Raises TypeError for what is not a str.
        """
        refuse_other_types("target", target)
        parts = split(target)
        queries = self._resolver.profile != "rfc2396"
        best: str | None = None
        for candidate in candidates(self._base, self._directory, parts, queries=queries, paths_only=self._paths_only):
            if (best is None or len(candidate) < len(best)) and self._resolver.or_none(candidate) == target:
                best = candidate
        if best is None and self._resolver.or_none(target) != target:
            relative = rootless(self._directory, parts)
            best = relative if self._resolver.or_none(relative) == target else None
        if best is None or (len(target) < len(best) and not self._paths_only):
            return target
        return best


def relativize(base: str, target: str) -> str:
    """The shortest reference that, resolved against `base`, gives `target`.

    A target that no reference can give comes back as it is. See `Relativizer` for many targets.

    Raises ValueError for a base without a scheme, and TypeError for what is not a str.
    """
    return Relativizer(base)(target)


@dataclass(frozen=True, slots=True)
class Explanation:
    """How one reference was resolved: what went in, the steps, and the target (None: the profile finds none)."""

    profile: Profile
    base: Components
    reference: Components
    steps: tuple[Step, ...]
    target: str | None
    others: tuple[tuple[Profile, str | None], ...]
    """The targets in the profiles that disagree with this one."""

    @property
    def rows(self) -> list[StepRow]:
        """The steps, each as a line with its result."""
        return list(map(row_of, self.steps))


def explain(base: str, reference: str, profile: Profile = "rfc3986", *, relative_base: bool = False) -> Explanation:
    """Resolve a reference against a base URI, and report each step.

    Of the URL Standard's parser, which has several hundred steps, one statement stands for all. `relative_base`: as for
    `resolve`. Raises ValueError for an unknown profile and for a base without a scheme, TypeError for what is not a
    str.
    """
    refuse_other_types("base", base)
    refuse_other_types("reference", reference)
    refuse_unknown("profile", profile, PROFILES)
    if not relative_base:
        _refuse_relative(base, profile, reference)
    from rehref.uri import _rfc2396 as rfc2396

    from_base, from_reference = split(base), split(reference)
    taken: list[Step] = []
    steps = Steps(taken)
    target: str | None
    if profile == "whatwg":
        target = Resolver(base, profile, relative_base=True).or_none(reference)
        failure = "" if target is not None else ", and returns failure"
        steps.note("", f"the basic URL parser is run on the reference, with the base URL{failure}")
    elif profile == "rfc2396":
        target = rfc2396.resolve(from_base, from_reference, steps)
    else:
        target = unsplit(transform(from_base, from_reference, compat=profile == "rfc3986-compat", steps=steps))
    others = tuple(
        (other, given)
        for other in PROFILES
        if other != profile and (given := Resolver(base, other, relative_base=True).or_none(reference)) != target
    )
    return Explanation(profile, from_base, from_reference, tuple(taken), target, others)


def above_root(reference: str, base: str | None, profile: Profile) -> int:
    """The number of `..` in a reference for which there is no segment to remove (RFC 3986 §5.2.4).

    `reference`: without white space around it. `base`: the URI it is resolved against; None if there is none.
    """
    scheme, authority, path, _, _ = split(reference)
    base_scheme, directory = ("", "") if base is None else _scheme_and_directory(base)
    special = (scheme or base_scheme).lower() in SPECIAL_SCHEMES
    if profile == "whatwg":
        path = _ENCODED_DOT.sub(".", path)
        path = path.replace("\\", "/") if special else path
    if scheme is not None and authority is None and scheme.lower() == base_scheme:
        # the profiles in which such a reference is relative
        scheme = None if profile == "rfc3986-compat" or (profile == "whatwg" and special) else scheme
    depth = 0
    if authority is None and not path.startswith("/"):
        if scheme is not None or not directory.startswith("/"):
            return 0
        depth = directory.count("/") - 1
    surplus = 0
    for segment in path.removeprefix("/").split("/"):
        if segment == ".." and depth:
            depth -= 1
        elif segment == "..":
            surplus += 1
        elif segment != ".":
            depth += 1
    return surplus


@lru_cache(maxsize=64)
def _scheme_and_directory(base: str) -> tuple[str, str]:
    """The scheme of a base in lower case, and the path that a relative one is merged with (RFC 3986 §5.2.3)."""
    parts = split(base)
    return (parts.scheme or "").lower(), remove_dot_segments(parts.merged(""))
