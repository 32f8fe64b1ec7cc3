"""How far two texts are apart: an edit inserts, deletes or replaces a character, or swaps two neighbours."""

from __future__ import annotations


def edits(one: str, other: str) -> int:
    """How many edits turn one text into another, a swap only as the last of them; 3 for any number above 2."""
    if one == other:
        return 0
    if abs(len(one) - len(other)) > 2:
        return 3
    same = _same_beginning(one, other)
    one, other = one[same:], other[same:]
    same = _same_beginning(one[::-1], other[::-1])
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


def _same_beginning(one: str, other: str) -> int:
    """The length of the common beginning; by bisection, since comparing slices takes almost no time."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
