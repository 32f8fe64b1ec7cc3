"""The scopes of `xml:base` in a document (XML Base, Second Edition).

1. An `xml:base` is the base of its element and of what is in it, and relative to the next one out; the outermost is
   relative to what the document itself has for a base (XML Base §4.2).
2. One that cannot be a base is passed over with a reason (`rehref.base`): then the next one out counts.
3. Scopes may be nested as deep as one likes: nothing recurses, what is known of one is what the next one needs, and of
   the reasons only the first few are kept.
4. A scope is looked at as a document of its own, with the same places and another base (`view`). Few of these are kept
   at a time: places come in document order.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rehref.base import Base, Candidate, establish_within
from rehref.documents.document import Document, at
from rehref.documents.resolving import Against
from rehref.parsers.xml_contract import XmlParsed

_MOST_REJECTED = 8
_MOST_VIEWS = 64


@dataclass(slots=True)
class Scopes:
    """The scopes of one document. `for_browsers`: whether it is one that browsers show; they ignore `xml:base`."""

    parsed: XmlParsed
    for_browsers: bool
    bases: dict[int, Base] = field(default_factory=dict)
    """The bases of scopes, by the number of the place of their `xml:base`, so far as they are known."""
    views: dict[int, Document] = field(default_factory=dict)

    def view(self, document: Document, scope: int) -> Document:
        """The document as its places in a scope see it; itself for -1."""
        if scope < 0:
            return document
        view = self.views.get(scope)
        if view is None:
            if len(self.views) >= _MOST_VIEWS:
                self.views.clear()
            view = self.views[scope] = self._view(document, scope)
        return view

    def _view(self, document: Document, scope: int) -> Document:
        base = self.base(document, scope)
        candidates = self._candidates(document, scope)
        view = Document(
            document.parsed,
            document.find,
            {},
            document.profile,
            base,
            document.own,
            candidates,
            document.outside,
            document.encode,
            document.decide,
            document.container,
            document.depth,
        )
        if self.for_browsers:
            view.against = view.relative_to(base, document.candidates)
        return view

    def around(self, document: Document, number: int) -> Against:
        """What resolves the `xml:base` in place `number`: a browser goes nowhere there, so there is no difference."""
        scope = self.parsed.scopes[number]
        if scope < 0:
            return document.against
        return document.relative_to(self.base(document, scope), self._candidates(document, scope))

    def base(self, document: Document, scope: int) -> Base:
        """The base of a scope (rule 1)."""
        unknown = []
        scopes = self.parsed.scopes
        while scope >= 0 and scope not in self.bases:
            unknown.append(scope)
            scope = scopes[scope]
        base = document.base if scope < 0 else self.bases[scope]
        for scope in reversed(unknown):
            base = establish_within(base, self._candidate(scope), document.profile)
            self.bases[scope] = base = replace(base, rejected=base.rejected[:_MOST_REJECTED])
        return base

    def _candidates(self, document: Document, scope: int) -> tuple[Candidate, ...]:
        """The `xml:base` of a scope, and what is established around it, as if it were a retrieval URI."""
        outer = self.parsed.scopes[scope]
        around = document.base if outer < 0 else self.bases[outer]
        candidate = self._candidate(scope)
        return (candidate,) if around.uri is None else (candidate, Candidate(around.uri, "retrieval", around.where))

    def _candidate(self, scope: int) -> Candidate:
        element, _, _, value, *_ = self.parsed.places[scope]
        return Candidate(value, "embedded", f"xml:base of <{element}>{at(self.parsed, scope)}")
