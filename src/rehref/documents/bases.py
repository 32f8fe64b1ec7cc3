"""The bases of a document: what its references are relative to, and what they would be relative to without it.

1. The base of a document follows from the layers around it (RFC 3986 §5.1), and from the base that it embeds, if any.
2. Most bases are plain (`rehref.base.plain_base`): then it is known at once what precedes the targets of ordinary
   references (`rehref.uri.ordinary_references`).
"""

from __future__ import annotations

from typing import NamedTuple

from rehref.base import Base, Candidate, Layers, establish, establish_within, plain_base
from rehref.options import ReadOptions
from rehref.uri.ordinary_references import NOWHERE, Prefixes, prefixes_of


class Bases(NamedTuple):
    """The base of a document, and its own URI, which would be the base without an embedded one.

    `candidates`: the candidates that `base` was established from; `outside`: those of `own`. `before`: the texts that
    precede ordinary references, if the base is canonical; else `NOWHERE`. `around`: the bases without the base that the
    document embeds; None if it embeds none.
    """

    base: Base
    candidates: tuple[Candidate, ...]
    own: Base
    outside: tuple[Candidate, ...]
    before: Prefixes
    around: Bases | None = None

    def with_base(self, base: Base, candidates: tuple[Candidate, ...]) -> Bases:
        """The same with another base."""
        return self._replace(base=base, candidates=candidates, before=NOWHERE)

    def with_embedded(self, embedded: Candidate | None, how: ReadOptions) -> Bases:
        """The same bases with a base that the document embeds, if there is one."""
        if embedded is None:
            return self
        plain = plain_base(embedded, self.base, self.before)
        base = establish_within(self.base, embedded, how.profile) if plain is None else plain
        before = NOWHERE if plain is None else prefixes_of(plain.uri or "", self.own.uri)
        return Bases(base, (embedded, *self.candidates), self.own, self.outside, before, self)


def bases_outside(layers: Layers, how: ReadOptions) -> Bases:
    """The bases of a document without an embedded base."""
    outside = layers.candidates()
    plain = plain_base(outside[0]) if outside else None
    own = establish(outside, how.profile) if plain is None else plain
    return Bases(own, outside, own, outside, NOWHERE if plain is None else prefixes_of(own.uri or "", own.uri))
