"""How far two texts, or two lists of names, are alike."""

from __future__ import annotations

from collections.abc import Sequence


def alike_up_to(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of what both begin with."""
    at = 0
    for here, there in zip(one, other, strict=False):
        if here != there:
            break
        at += 1
    return at
