"""The scopes of `xml:base` in a document (XML Base, Second Edition).

An `xml:base` is the base of its element and of its content, and relative to the next one out; the outermost is relative
to the document's base (§4.2). One that cannot be a base is skipped with a reason. Scopes may be nested to any depth:
nothing recurses, a scope needs only the next one out, and only the first few reasons are kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from rehref.documents._bases.bound_resolver import BoundResolver, HasBases, Within
from rehref.documents.base import (
    LONGEST_EMBEDDED,
    NO_BASE,
    Base,
    Candidate,
    Problem,
    clean,
    establish_within,
    plain_base,
    rejected_for,
    too_long,
)
from rehref.documents.document import Document
from rehref.markup.places import NOT_KNOWN, XmlDocument, at
from rehref.uri.components import split
from rehref.uri.ordinary_references import NOWHERE, Prefixes, is_canonical, prefixes_of

_MOST_REJECTED = 8
_MOST_KEPT = 64
"""How many resolvers for scopes are kept at a time: places come in document order."""
_TOO_LONG = too_long(LONGEST_EMBEDDED)
_NOT_KNOWN = "an entity in it is not known, or not expanded: it could be any base"


@lru_cache(maxsize=16)
def _canonical_prefixes(base: str) -> Prefixes:
    """What precedes references to a base, if it is canonical."""
    return prefixes_of(base, base) if is_canonical(base) else NOWHERE


def base_not_known(candidate: Candidate) -> Base:
    """The base if the candidate has an entity that is not known: none."""
    return NO_BASE._replace(rejected=(rejected_for(candidate, _NOT_KNOWN),))


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """A scope: its base, and the candidates for it. Scopes with the very same base are one."""

    base: Base
    candidates: tuple[Candidate, ...]
    too_long: bool = False


@dataclass(slots=True)
class Scopes:
    """The scopes of one document. `for_browsers`: whether browsers show it; they ignore `xml:base`."""

    parsed: XmlDocument
    for_browsers: bool
    known: dict[int, Scope] = field(default_factory=dict)
    """The scopes known so far, by the number of the place of their `xml:base`."""
    parts: dict[Scope, Within] = field(default_factory=dict)
    resolvers: dict[Scope, BoundResolver] = field(default_factory=dict)

    def within(self, document: Document, number: int) -> HasBases:
        """The part of the document whose `xml:base` has this number; the document itself for -1."""
        if number < 0:
            return document
        scope = self.scope(document, number)
        known = self.parts.get(scope)
        if known is None:
            if len(self.parts) >= _MOST_KEPT:
                self.parts.clear()
            resolver = (
                document.resolvers.relative_to(scope.base, (), in_browsers=document.resolver)
                if self.for_browsers
                else self._resolver(document, scope)
            )
            known = self.parts[scope] = Within(document.bases.with_base(scope.base, scope.candidates), resolver)
        return known

    def resolver_of(self, document: Document, number: int) -> BoundResolver:
        """The resolver for the `xml:base` in place `number`: browsers do not follow it, so there is no difference."""
        outer = self.parsed.scopes[number]
        return document.resolver if outer < 0 else self._resolver(document, self.scope(document, outer))

    def _resolver(self, document: Document, scope: Scope) -> BoundResolver:
        resolver = self.resolvers.get(scope)
        if resolver is None:
            if len(self.resolvers) >= _MOST_KEPT:
                self.resolvers.clear()
            resolver = self.resolvers[scope] = document.resolvers.relative_to(scope.base, scope.candidates)
        return resolver

    def plain(self, number: int, uri: str) -> Base:
        """The base of the scope of the `xml:base` in place `number`, if that is plain and known."""
        return Base(uri, "embedded", self._where(number, self.parsed.places[number].element), scope="xml:base")

    def _where(self, number: int, element: str) -> str:
        return f"xml:base of <{element}>{at(self.parsed, number)}"

    def scope(self, document: Document, number: int) -> Scope:
        """The scope of the `xml:base` in place `number`."""
        unknown = []
        scopes = self.parsed.scopes
        while number >= 0 and number not in self.known:
            unknown.append(number)
            number = scopes[number]
        scope = Scope(document.base, ()) if number < 0 else self.known[number]
        for inner in reversed(unknown):
            scope = self.known[inner] = self._inner_scope(scope, inner, document)
        return scope

    def _inner_scope(self, outer: Scope, number: int, document: Document) -> Scope:
        """The scope of an `xml:base` that is relative to `outer`.

        Nested bases grow, and each is a prefix of the references relative to it. So one is skipped that has more than
        `LONGEST_EMBEDDED` characters together with the base around it, or, with an authority, itself. Those inside it
        that are skipped for the same cause have the very same base, without a reason or a problem of their own.
        """
        element, _, _, value, _, _, _, flags = self.parsed.places[number]
        is_too_long = len(value) + len(outer.base.uri or "") > LONGEST_EMBEDDED
        if is_too_long and len(value) <= LONGEST_EMBEDDED:
            # in some profiles `http:a/` is relative, too
            is_too_long = split(clean(value)).authority is None
        if is_too_long and outer.too_long:
            return outer
        candidate = Candidate(value, "embedded", self._where(number, element), scope="xml:base")
        if flags & NOT_KNOWN:
            return Scope(base_not_known(candidate), ())
        # the base around it, as if it were a retrieval URI; a space at its end was before a fragment, and belongs to it
        base = outer.base
        around = f"{base.uri}#" if base.uri is not None and base.uri.endswith(" ") else base.uri
        candidates = () if around is None else (Candidate(around, "retrieval", base.where),)
        if is_too_long:
            base = base._replace(rejected=(rejected_for(candidate, _TOO_LONG), *base.rejected))
        else:
            plain = plain_base(candidate, base, NOWHERE if base.rejected else _canonical_prefixes(base.uri or ""))
            base = establish_within(base, candidate, document.how.profile) if plain is None else plain
            candidates = (candidate, *candidates)
        return Scope(base._replace(rejected=base.rejected[:_MOST_REJECTED]), candidates, is_too_long)

    def problems(self, document: Document) -> dict[int, tuple[Problem, ...]]:
        """What is wrong with each `xml:base`, by place: it is too long."""
        found: dict[int, tuple[Problem, ...]] = {}
        for number, place in enumerate(self.parsed.places):
            if place.attribute != "xml:base":
                continue
            scope, outer = self.scope(document, number), self.parsed.scopes[number]
            if scope.too_long and (outer < 0 or scope is not self.scope(document, outer)):
                found[number] = (Problem("base-not-hierarchical", f"it is rejected: {_TOO_LONG}"),)
        return found
