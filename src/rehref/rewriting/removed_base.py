"""References with a scheme and without a host, when the embedded base is removed.

1. The scheme of the base decides whether `file:/b` or `x:/../b` is relative: for browsers, for `rfc3986-compat`, and
   for `Absolute`. A reference that does not have the scheme of the removed base may have that of the document's own
   URI, against which it is resolved then.
2. The reference is written so that browsers read it as before; and as it would be written if the document's own URI had
   been the base, so that a second run changes nothing.
"""

from __future__ import annotations

from rehref.base import Base, Candidate
from rehref.documents.bound_resolver import BoundResolver
from rehref.rewriting.browser_differences import difference
from rehref.uri.components import split
from rehref.uri.resolver import Profile
from rehref.uri.whatwg import parse_or_none


class WithoutBase:
    """Finds the new text of references with a scheme and no host, in a document with the URI `own`."""

    __slots__ = ("_begin", "_own", "_resolver", "_size")

    def __init__(self, own: Base, profile: Profile) -> None:
        self._own = own.uri
        scheme = None if own.uri is None else split(own.uri).scheme
        self._begin = "" if scheme is None else f"{scheme.lower()}:"
        self._size = len(self._begin)
        candidates = () if own.uri is None else (Candidate(own.uri, "retrieval", own.where),)
        self._resolver = BoundResolver(own, candidates, own=own.uri, profile=profile)

    def __call__(self, text: str, target: str, base: Base) -> str:
        """Return what to write instead of `text`, which leads to `target` with `base`, also in browsers."""
        size = self._size
        if text[:size].lower() != self._begin or text[size : size + 2] == "//":
            return text
        if not size or base.uri == self._own or base.scope == "@base":  # an `@base` stays
            return text
        seen = parse_or_none(target)
        if seen is not None and seen != self._resolver.in_browsers(text):
            return seen
        again, _, problems = self._resolver(text)
        return text if again is None or difference(problems) is not None else again
