"""What has a scheme and no host, once no element names a base any more.

1. Whether `file:/b` or `x:/../b` is relative depends on the base's scheme: to browsers, to `rfc3986-compat`, and to
   whether `Absolute` makes something of it. What does not have the scheme of the base that goes may have that of the
   document's own URI, against which it is read then.
2. It is written so that browsers read it as they did; and as it would be written if the document's own URI had been the
   base, so that a second run has nothing to do.
"""

from __future__ import annotations

from rehref.base import Base, Candidate
from rehref.documents.bound_resolver import BoundResolver
from rehref.rewriting.browser_differences import difference
from rehref.uri.components import split
from rehref.uri.resolver import Profile
from rehref.uri.whatwg import parse_or_none


class WithoutBase:
    """Gives what to write of what has a scheme, but no host, in a document with the own URI of `own`."""

    __slots__ = ("_begin", "_own", "_resolver", "_size")

    def __init__(self, own: Base, profile: Profile) -> None:
        self._own = own.uri
        scheme = None if own.uri is None else split(own.uri).scheme
        self._begin = "" if scheme is None else f"{scheme.lower()}:"
        self._size = len(self._begin)
        candidates = () if own.uri is None else (Candidate(own.uri, "retrieval", own.where),)
        self._resolver = BoundResolver(own, candidates, own=own.uri, profile=profile)

    def __call__(self, text: str, target: str, base: Base) -> str:
        """What to write in place of `text`, which leads to `target` below `base`, as browsers see it, too."""
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
