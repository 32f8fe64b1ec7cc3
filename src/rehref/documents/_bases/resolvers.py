"""The resolvers of a document: for its base, for its own URI, and for the bases inside it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from rehref.documents._bases.bound_resolver import Bases, BoundResolver, HasBases
from rehref.documents._format_rules import Parts
from rehref.documents.base import NO_BASE, Base, Candidate, Problem, establish
from rehref.documents.options import ReadOptions
from rehref.markup.twin_exchange import BasesOfParts
from rehref.text.encoding import Encode


class Resolvers:
    """Makes the resolvers of a document, and keeps them. `resolver`: for the base.

    `encode`: writes queries in the document's encoding; None: in UTF-8. `guessed`: the encoding that it is read in, if
    that is a guess and not all is ASCII. `base_elements`: the places of the `base` elements that, when they were read,
    became the one that counts; the last still does. `has_fragments`: as for `BoundResolver`. `is_inner`: whether
    another document contains it.
    """

    def __init__(
        self,
        bases: Bases,
        how: ReadOptions,
        *,
        encode: Encode | None = None,
        guessed: str | None = None,
        base_elements: Sequence[int] = (),
        has_fragments: bool = True,
        is_inner: bool = False,
    ) -> None:
        self.bases = bases
        self.encode = encode
        self.guessed = guessed
        self.base_elements = base_elements
        self.has_fragments = has_fragments
        self._how = how
        self._is_inner = is_inner
        self._kept: dict[object, BoundResolver] = {}  # those for other bases, by the candidates for these
        self.resolver = self._for(bases)

    def _for(self, bases: Bases) -> BoundResolver:
        return self.relative_to(bases.base, bases.candidates, is_plain=bases.is_plain)

    def relative_to(
        self,
        base: Base,
        candidates: Sequence[Candidate],
        *,
        is_plain: bool = False,
        nowhere: Problem | None = None,
        in_browsers: BoundResolver | None = None,
    ) -> BoundResolver:
        """The resolver for references relative to `base`, established from `candidates`.

        `is_plain`: as in `Bases`. `nowhere`: why none has a target, if so. `in_browsers`: see `BoundResolver`.
        """
        return BoundResolver(
            base,
            candidates,
            own=self.bases.own.uri,
            is_plain=is_plain,
            profile=self._how.profile,
            encode=self.encode,
            guessed=self.guessed,
            has_fragments=self.has_fragments,
            strict=self._how.strict_uris,
            nowhere=nowhere,
            in_browsers=in_browsers,
        )

    @cached_property
    def own(self) -> BoundResolver:
        """The resolver for the document's own URI."""
        own, around = self.bases.own, self.bases.around
        if around is not None and around.base is own:
            return self._for(around)
        return self.resolver if self.bases.base is own else self.relative_to(own, self.bases.outside)

    @property
    def around(self) -> BoundResolver:
        """The resolver for the `href` of the document's own `base` elements."""
        around = self.bases.around
        if around is None:
            return self.resolver if self._is_inner else self.own
        if around.base is self.bases.own:
            return self.own
        if around.candidates not in self._kept:
            self._kept[around.candidates] = self._for(around)
        return self._kept[around.candidates]

    def below(self, bases: Sequence[Candidate], within: HasBases | None = None) -> BoundResolver:
        """The resolver for references relative to bases inside the document, or a part of it, nearest first."""
        candidates = (*bases, *(within or self).bases.candidates)
        known = self._kept.get(candidates)
        if known is None:
            known = self._kept[candidates] = self.relative_to(establish(candidates, self._how.profile), candidates)
        return known

    def below_values(self, bases: Sequence[str], within: HasBases | None = None) -> BoundResolver:
        """The same for the values of `@base` in JSON-LD."""
        return self.below([Candidate(each, "embedded", "@base", scope="@base") for each in bases], within)

    def below_codebase(self, codebase: Candidate, within: HasBases) -> BoundResolver:
        """The same for a `codebase`, which browsers do not know."""
        known = self._kept.get(codebase)  # its place is one of its own
        if known is None:
            base = within.bases.below(codebase, self._how.profile)
            known = self._kept[codebase] = self.relative_to(base, (), in_browsers=within.resolver)
        return known

    def nowhere(self, problem: Problem) -> BoundResolver:
        """The resolver for references that lead nowhere that is known, and why."""
        known = self._kept.get(problem)
        if known is None:
            known = self._kept[problem] = self.relative_to(NO_BASE, (), nowhere=problem)
        return known

    def for_parts(self, parts: Parts | None) -> BasesOfParts:
        """How the compiled twin reads bases of parts."""
        alike, size = self.resolver.alike(), len(self.bases.base.uri or "")
        if parts is None:
            return BasesOfParts(alike, size=size)
        codebase, is_plain = self._how.profile != "whatwg", self.bases.is_plain
        return BasesOfParts(alike, parts.are_plain, parts.xml_base, codebase, is_plain, size)
