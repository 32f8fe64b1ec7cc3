"""The bases of a document: what its references are relative to; and references resolved against one, with problems.

Nearly all references of a document are relative to the same base, and many are written more than once: the result for a
text is remembered. For an ordinary reference against an ordinary base (`rehref.uri.ordinary_references`) the target is
known at once, and there are no problems; all others go through the full algorithm. Most bases are plain
(`rehref.documents.base.plain_base`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, cached_property, partial
from typing import Final, NamedTuple, Protocol, TypeAlias

from rehref.documents.base import (
    Base,
    Candidate,
    Layers,
    Problem,
    clean,
    establish,
    establish_within,
    plain_base,
    without_fragment,
)
from rehref.documents.options import ReadOptions
from rehref.exceptions import ResolutionError
from rehref.text import lower
from rehref.text.encoding import Encode
from rehref.uri.components import HAS_DOT_SEGMENT, mask_password, remove_dot_segments, split
from rehref.uri.ordinary_references import (
    NOWHERE,
    WITHOUT_BASE,
    Prefixes,
    is_canonical,
    is_ordinary_base,
    prefixes_of,
)
from rehref.uri.resolver import (
    Profile,
    Resolver,
    above_root,
    is_current_document,
    parse_or_none,
    prefixes_in,
)

Resolved: TypeAlias = tuple["str | None", bool, tuple[Problem, ...]]
"""The result for a reference: its target, whether that is in this document, and its problems."""

_WITH_HOST: Final = re.compile(r"(https?://)([^/?#]*)([^?#]*)(.*)", re.DOTALL).fullmatch
_PLAIN_PATH: Final = re.compile(r"[A-Za-z0-9\-._~!$&'()*+,;=:@/]*").fullmatch
_MOST_REMEMBERED: Final = 50_000
_UTF: Final = frozenset({"utf-8", "utf-16le", "utf-16be", "replacement"})


@cache
def query_encoder(name: str | None) -> Encode | None:
    """The function that writes queries in the document's encoding, if that is not UTF-8 or UTF-16 (URL Standard)."""
    if name is None or name in _UTF:
        return None
    from rehref.text.encoders import encode_for_urls

    return partial(encode_for_urls, name=name)


@cache
def _alike(profile: Profile, iris: bool, fine_iris: bool) -> Prefixes:
    """What the prefixes of plain bases have in common, besides the texts."""
    return prefixes_in(profile, prefixes_of("http://h/", None), iris=iris, fine_iris=fine_iris)


class Bases(NamedTuple):
    """The base of a document, and its own URI, which would be the base without an embedded one.

    `candidates`: the candidates that `base` was established from; `outside`: those of `own`. `is_plain`: whether the
    base is certainly canonical. `around`: the bases without the base that the document embeds; None if it embeds none.
    `policies`: the Content Security Policies that come from outside it.
    """

    base: Base
    candidates: tuple[Candidate, ...]
    own: Base
    outside: tuple[Candidate, ...]
    is_plain: bool
    around: Bases | None = None
    policies: tuple[str, ...] = ()

    @property
    def before(self) -> Prefixes:
        """The texts that precede ordinary references; `NOWHERE` if the base is not plain."""
        return prefixes_of(self.base.uri or "", self.own.uri) if self.is_plain else NOWHERE

    def with_base(self, base: Base, candidates: tuple[Candidate, ...]) -> Bases:
        """The same with another base."""
        return self._replace(base=base, candidates=candidates, is_plain=False)

    def below(self, candidate: Candidate, profile: Profile) -> Base:
        """The base that a candidate in the document gives for a part of it."""
        plain = plain_base(candidate, self.base, self.before)
        return establish((candidate, *self.candidates), profile) if plain is None else plain

    def with_embedded(self, embedded: Candidate | None, how: ReadOptions) -> Bases:
        """The same bases with a base that the document embeds, if there is one."""
        if embedded is None:
            return self
        plain = plain_base(embedded, self.base, self.before)
        base = establish_within(self.base, embedded, how.profile) if plain is None else plain
        candidates = (embedded, *self.candidates)
        return Bases(base, candidates, self.own, self.outside, plain is not None, self, self.policies)


def bases_outside(layers: Layers, how: ReadOptions) -> Bases:
    """The bases of a document without an embedded base."""
    outside = layers.candidates()
    plain = plain_base(outside[0]) if outside else None
    own = establish(outside, how.profile) if plain is None else plain
    return Bases(own, outside, own, outside, plain is not None, None, layers.policies)


class Within(NamedTuple):
    """What references in a part of a document are relative to."""

    bases: Bases
    resolver: BoundResolver


class HasBases(Protocol):
    """A document, or a part of one."""

    @property
    def bases(self) -> Bases:
        """The base of its references, and its own URI."""

    @property
    def resolver(self) -> BoundResolver:
        """The resolver for that base."""


def differing(seen: str) -> tuple[Problem, ...]:
    """The problems of an ordinary reference for which browsers go to a target of their own."""
    return (Problem("browser-differs", f"a browser goes to {mask_password(seen)}", seen),)


class BoundResolver:
    """Resolves references of a document against one base, and remembers the results.

    `own`: the document's own URI. `is_plain`: whether the base is certainly canonical. `candidates`: the candidates
    that `base` was established from. `encode`: writes text in the document's encoding, if that matters
    (`rehref.uri._whatwg`). `guessed`: the encoding that the document is read in, if it is a guess and the document is
    not all ASCII. `has_fragments`: whether `#x` may mean something in the document itself; in a feed it means the page
    that the content is from, so that `leaves-document` is not a problem. `strict`: report characters outside ASCII.
    `nowhere`: why none of the references has a target, if that is so. `in_browsers`: the resolver for the base that
    browsers use, if they do not know this one; its candidates count.
    """

    def __init__(
        self,
        base: Base,
        candidates: Sequence[Candidate],
        *,
        own: str | None,
        is_plain: bool = False,
        profile: Profile,
        encode: Encode | None = None,
        guessed: str | None = None,
        has_fragments: bool = True,
        strict: bool = False,
        nowhere: Problem | None = None,
        in_browsers: BoundResolver | None = None,
    ) -> None:
        """Prepare to resolve. The rest is worked out when a reference needs it."""
        self.base = base
        self.encode = encode
        self._own = own
        self._candidates: Sequence[Candidate] = candidates if in_browsers is None else in_browsers._candidates
        self._in_browsers = in_browsers
        self._profile = profile
        self._guessed = guessed
        self._has_fragments = has_fragments
        self._strict = strict
        self._nowhere = nowhere
        self._is_plain = is_plain
        self._known: dict[str, Resolved] = {}
        self._prefixes: Prefixes | None = NOWHERE  # not known

    def __call__(self, reference: str) -> Resolved:
        """Resolve one reference, or return the remembered result. Raises nothing."""
        known = self._known.get(reference)
        if known is None:
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            known = self._known[reference] = self._resolve(reference)
        return known

    def _resolve(self, reference: str) -> Resolved:
        target, has_problems = (None, False) if self.prefixes is None else self.prefixes.known(reference)
        if target is None:
            target = self._target_of_other_spelling(reference)
        if target is None:
            return self.resolve(reference)
        return target, self._is_own(target, reference), self.problems_of_known(reference) if has_problems else ()

    def _target_of_other_spelling(self, reference: str) -> str | None:
        """The target of one that capitals in its host, or dot segments, keep from being ordinary; or None.

        It has no problem either: browsers read it as the ordinary one.
        """
        found = _WITH_HOST(reference)
        if found is None or self.prefixes is None:
            return None
        scheme, host, path, rest = found.groups()
        if HAS_DOT_SEGMENT(path):
            if self._profile == "rfc2396" or not _PLAIN_PATH(path) or above_root(reference, None, self._profile):
                return None
            path = remove_dot_segments(path)
        target, has_problems = self.prefixes.known(f"{scheme}{lower(host)}{path}{rest}")
        if target is None or has_problems:
            return None
        return target if self._profile == "whatwg" else f"{scheme}{host}{path}{rest}"

    def problems_of_known(self, reference: str) -> tuple[Problem, ...]:
        """The problems of a reference whose target is known."""
        from rehref.documents._problems import problems_of_known

        if self.base.uri is None:
            return self.resolve(reference)[2]
        found = problems_of_known(reference, self.base.uri, self._profile, strict=self._strict)
        return found + self._of_encoding(reference)

    @property
    def prefixes(self) -> Prefixes | None:
        """The prefixes of the targets of ordinary references; None if the base is not ordinary."""
        if self._prefixes is NOWHERE:
            self._prefixes = self._before_ordinary()
        return self._prefixes

    def _before_ordinary(self) -> Prefixes | None:
        uri, before = self.base.uri, WITHOUT_BASE
        if self._nowhere is not None:
            return None
        if uri is None and self._candidates:  # browsers may have a base
            before = WITHOUT_BASE._replace(absolute=False)
        if uri is not None:
            if not self._is_plain and not (is_canonical(uri) if self._profile == "whatwg" else self._is_ordinary(uri)):
                return None
            before = prefixes_of(uri, self._own)
        profile, iris, fine_iris = self._as_in_profile
        return prefixes_in(profile, before, iris=iris, fine_iris=fine_iris)

    @property
    def _as_in_profile(self) -> tuple[Profile, bool, bool]:
        iris = self.encode is None  # else browsers encode queries so
        return self._profile, iris, iris and self._guessed is None and not self._strict

    def _is_ordinary(self, uri: str) -> bool:
        """Whether the base is ordinary, and the same as in browsers."""
        nearest = self._candidates[0] if self._candidates else None
        is_given = nearest is not None and nearest.policy is None and without_fragment(nearest.reference) == uri
        if is_given and is_canonical(uri):
            return True  # the usual case, which needs no parsing
        in_browsers = self._browser_base
        if uri == in_browsers and is_canonical(uri):
            return True
        return is_ordinary_base(uri) and in_browsers is not None and parse_or_none(uri) == in_browsers

    def for_twin(self) -> tuple[Prefixes | str, str | None]:
        """The prefixes for references that the twin finds ordinary, which are ASCII, and the own URI.

        For a plain base with a host, the base: the twin makes the prefixes (`set_base` in `_native/resolve.c`).
        """
        if not (self._own or "").isascii():
            return NOWHERE, None
        uri = self.base.uri or ""
        if self._is_plain and uri.startswith("http") and uri.isascii():
            return uri, self._own
        is_known = self.prefixes is not None and uri.isascii()
        return self.prefixes if is_known and self.prefixes is not None else NOWHERE, self._own

    def alike(self) -> Prefixes | None:
        """The prefixes of a plain base of a part of the document, except for the texts; None if the twin knows none."""
        return _alike(*self._as_in_profile) if (self._own or "").isascii() else None

    @cached_property
    def in_utf8(self) -> BoundResolver:
        """The same for CSS in attributes: browsers encode its queries in UTF-8, in documents of any encoding."""
        return BoundResolver(
            self.base,
            self._candidates,
            own=self._own,
            profile=self._profile,
            guessed=self._guessed,
            has_fragments=self._has_fragments,
            strict=self._strict,
            nowhere=self._nowhere,
            in_browsers=self._in_browsers,
        )

    @cached_property
    def _browser_base(self) -> str | None:
        if self._in_browsers is not None:
            return self._in_browsers._browser_base
        return establish(self._candidates, "whatwg").uri

    @cached_property
    def _resolver(self) -> Resolver:
        assert self.base.uri is not None
        return Resolver(self.base.uri, self._profile, self.encode)

    def in_browsers(self, reference: str) -> str | None:
        """Where a browser goes (URL Standard, "basic URL parser"), or None if it goes nowhere."""
        base, cleaned = self._browser_base, clean(reference)
        return parse_or_none(cleaned, base, self.encode)

    def resolve(self, reference: str) -> Resolved:
        """Resolve one reference (RFC 3986 §5.2). Raises nothing."""
        from rehref.documents._problems import problems_of  # most documents have no odd reference

        if self._nowhere is not None:
            return None, False, (self._nowhere,)
        cleaned = clean(reference)
        target, resolvable = self._target(cleaned)
        same = self._is_own(target, cleaned)
        problems = problems_of(
            reference,
            cleaned,
            target,
            profile=self._profile,
            base=self.base.uri,
            browser_base=self._browser_base,
            encode=self.encode,
            resolvable=resolvable,
            strict=self._strict,
        )
        leaves = self._has_fragments and self.base.origin == "embedded" and not same
        if leaves and is_current_document(cleaned):
            message = f"the base, {self.base.where}, makes this leave the document"
            problems += (Problem("leaves-document", message),)
        return target, same, problems + self._of_encoding(reference)

    def _of_encoding(self, reference: str) -> tuple[Problem, ...]:
        """The problem of a reference that depends on a guessed encoding."""
        if self._guessed is None or reference.isascii():
            return ()
        from rehref.documents._problems import encoding_undeclared

        return (encoding_undeclared(self._guessed),)

    def _target(self, cleaned: str) -> tuple[str | None, bool]:
        """The target of a cleaned reference, and whether there was a base to resolve it against."""
        uri = self.base.uri
        if ":" in cleaned:
            parts = split(cleaned)
            if parts.scheme is not None:
                if parts.authority is None and parts.path[:1] != "/" and self._keeps(parts.scheme, uri):
                    return cleaned, True
                if uri is None:
                    uri = cleaned
        if uri is None:
            return None, False
        try:
            resolver = self._resolver if uri == self.base.uri else Resolver(uri, self._profile, self.encode)
            target = resolver(cleaned)
        except ResolutionError:
            return None, True
        if self._profile == "rfc2396" and is_current_document(cleaned) and self._own is not None:
            target = self._own + cleaned
        return target, True

    def _keeps(self, scheme: str, base: str | None) -> bool:
        """Whether a reference with this scheme and a rootless path is its own target (`javascript:`, `data:`, `mailto:`
        …).
        """
        if self._profile == "whatwg":
            return False
        if self._profile == "rfc3986-compat" and base is not None:
            return (split(base).scheme or "").lower() != scheme.lower()
        return True

    def _is_own(self, target: str | None, cleaned: str) -> bool:
        """Whether the target is this document: its own URI, fragments aside. (RFC 3986 §4.4 compares with the base
        instead.)

        If that URI is not known, only `""` and `#x` are, unless there is an embedded base: they need no base. In the
        `rfc2396` profile they mean the current document, whatever the base (RFC 2396 §4.2).
        """
        own = self._own
        if own is None or target is None:
            return is_current_document(cleaned) and self.base.origin != "embedded"
        return target.startswith(own) and target[len(own) : len(own) + 1] in ("", "#")
