"""How near two texts are, and what an author may have meant by a name that does not exist.

1. The nearest name is the one that has most in common with the written name, capitals aside; if all have little in
   common (less than `enough`, of 1), there is none.
2. A name is near if the written name begins with it, or it begins with the written name.
3. An edit inserts, deletes or replaces a character, or swaps two neighbours.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeVar

_ENOUGH = 0.6
_LONGEST = 100

T = TypeVar("T", bound=Sequence[str])
"""A text, or a list of names."""


def nearest(written: str, names: Collection[str], enough: float = _ENOUGH) -> str | None:
    """Which of these names is nearest to what was written; None if none is near (rules 1 and 2)."""
    from difflib import get_close_matches  # only errors need it

    if len(written) > _LONGEST:
        return None
    by_lower = {name.lower(): name for name in names}
    lowered = written.lower()
    found = get_close_matches(lowered, by_lower, 1, enough)
    if not found and len(lowered) > 1:
        found = [name for name in by_lower if name.startswith(lowered) or lowered.startswith(name)][:1]
    return by_lower[found[0]] if found else None


def did_you_mean(written: str, names: Collection[str]) -> str:
    """`did you mean X?`, or, if none is near, all names: `take one of X, Y, Z`."""
    near = nearest(written, names)
    return f"take one of {', '.join(names)}" if near is None else f"did you mean {near}?"


def alike_up_to(one: T, other: T) -> int:
    """The length of what both begin with; by bisection, since comparing slices takes almost no time."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def edits(one: str, other: str) -> int:
    """How many edits turn one text into another, a swap only as the last of them; 3 for any number above 2 (rule 3)."""
    if one == other:
        return 0
    if abs(len(one) - len(other)) > 2:
        return 3
    same = alike_up_to(one, other)
    one, other = one[same:], other[same:]
    same = alike_up_to(one[::-1], other[::-1])
    one, other = one[: len(one) - same], other[: len(other) - same]
    if one == "" or other == "":
        return len(one) + len(other)
    if len(one) == len(other) == 1 or (len(one) == len(other) == 2 and one == other[::-1]):
        return 1
    # both the first and the last characters differ: one edit is at the beginning, and one at the end
    first = ((one[1:], other[1:]), (one[1:], other), (one, other[1:]))
    return 2 if any(_is_edited_at_the_end(rest, other_rest) for rest, other_rest in first) else 3


def _is_edited_at_the_end(one: str, other: str) -> bool:
    more = len(one) - len(other)
    if more == 0:
        return one[:-1] == other[:-1] or (one[:-2] == other[:-2] and one[-2:] == other[:-3:-1])
    return one[:-1] == other if more == 1 else more == -1 and one == other[:-1]
