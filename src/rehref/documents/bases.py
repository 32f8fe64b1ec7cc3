"""The bases of a document: that of its references, and its own URI.

A base that the document embeds is relative to those outside it (RFC 3986 §5.1.1).
"""

from __future__ import annotations

from typing import NamedTuple

from rehref.base import Base, Candidate, Layers, establish
from rehref.options import ReadOptions


class Bases(NamedTuple):
    """The base of a document, and its own URI, which would be the base without an embedded one.

    `candidates`: the candidates that `base` was established from; `outside`: those of `own`. `around`: the bases
    without the base that the document embeds; None if it embeds none.
    """

    base: Base
    candidates: tuple[Candidate, ...]
    own: Base
    outside: tuple[Candidate, ...]
    around: Bases | None = None

    def with_embedded(self, embedded: Candidate | None, how: ReadOptions) -> Bases:
        """The same bases with a base that the document embeds, if there is one."""
        if embedded is None:
            return self
        candidates = (embedded, *self.candidates)
        return Bases(establish(candidates, how.profile), candidates, self.own, self.outside, self)


def bases_outside(layers: Layers, how: ReadOptions) -> Bases:
    """The bases of a document without an embedded base."""
    outside = layers.candidates()
    own = establish(outside, how.profile)
    return Bases(own, outside, own, outside)
