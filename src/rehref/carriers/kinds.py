"""What is found in a value: references, and what each is for."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal[
    "hyperlink",
    "resource",
    "form",
    "citation",
    "fragment",
    "base",
    "namespace",
    "metadata",
    "header",
    "text",
    "part",  # whatever it is for, its target is another document of the same container
]
"""What a reference is for, as in `Link.kind`."""


ORIGIN_RELS: Final = frozenset({"dns-prefetch", "preconnect"})
"""Keywords of `rel` that make browsers connect to the target's host: only its origin counts."""


class Occurrence(NamedTuple):
    """A reference found in a value: `value[start:end]` is how it is written, `text` what it means."""

    start: int
    end: int
    text: str
    form: str
    """How to write a replacement; opaque, passed back to `write` of the same micro-syntax."""
    bases: tuple[str, ...] = ()
    """References between this one and the document's base, nearest first (`@base` of JSON-LD)."""
    kind: Kind | None = None
    """What this reference is for, if the micro-syntax decides it; None: the kind of the carrier."""
    fetched: bool = True
    """Whether something may be fetched for it: not if others are only compared with it, or it is a part of others."""
