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
"""What a reference is for, as `Link.kind` tells."""


ORIGIN_RELS: Final = frozenset({"dns-prefetch", "preconnect"})
"""Keywords of `rel` on account of which browsers connect to the target's host: only its origin counts."""


class Occurrence(NamedTuple):
    """A reference found in a value: `value[start:end]` is how it is written, `text` what it means."""

    start: int
    end: int
    text: str
    form: str
    """How a replacement is to be written; opaque, handed back to `write` of the same micro-syntax."""
    bases: tuple[str, ...] = ()
    """References that stand between this one and the document's base, nearest first (`@base` of JSON-LD)."""
    kind: Kind | None = None
    """What this reference is for, where the micro-syntax tells; None: what the carrier is for."""
    fetched: bool = True
    """Whether something may be fetched by it: not where others are compared with it, or it is a part of others."""
