"""Finds names that are an edit or two away from another name.

1. One edit inserts, deletes or replaces a character, or swaps two neighbours.
2. Names within two edits share a piece: if a name is cut into three, two edits leave one piece unchanged. So the time
   of a look-up depends on the length of the name, not on the number of names. If more than 200 share a piece with a
   name, nothing is found: a name is never compared with more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final

_SHORTEST: Final = 3
LONGEST: Final = 4096
"""The longest name, or path, that is looked for."""
_MOST_ALIKE: Final = 200
_MOST_REMEMBERED: Final = 1000


def edits(one: str, other: str) -> int:
    """How many edits turn one text into another (rule 1), a swap only as the last of them; 3 for any number above 2."""
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


class NearNames:
    """Names to search for those that are like another one (rule 2)."""

    def __init__(self, names: Iterable[str]) -> None:
        """`names`: those shorter than 3 characters are left out."""
        self._by_length: defaultdict[int, list[str]] = defaultdict(list)
        # a missing name is often referred to many times
        self.within_two = lru_cache(maxsize=_MOST_REMEMBERED)(self._within_two)
        self._pieces = cache(self._by_piece)
        for name in names:
            self._by_length[len(name)].append(name)

    def _within_two(self, name: str) -> list[str]:
        """The names within two edits of another, nearest first; none if too many share a piece with it."""
        found: set[str] = set()
        for length in range(max(len(name) - 2, _SHORTEST), min(len(name) + 2, LONGEST) + 1):
            if length not in self._by_length:
                continue
            by_piece = self._pieces(length)
            for number, (start, end) in enumerate(_cuts(length)):
                for at in range(max(0, start - 2), start + 3):
                    alike = by_piece.get((number, name[at : at + end - start]), ())
                    if len(alike) > _MOST_ALIKE:
                        return []
                    found.update(alike)
                    if len(found) > _MOST_ALIKE:
                        return []
        near = [(edits(name, one), one) for one in found]
        return [one for count, one in sorted(near) if 0 < count <= 2]

    def _by_piece(self, length: int) -> dict[tuple[int, str], list[str]]:
        """The names of a length by piece, each with its number."""
        by_piece: dict[tuple[int, str], list[str]] = {}
        for number, (start, end) in enumerate(_cuts(length)):
            for name in self._by_length[length]:
                by_piece.setdefault((number, name[start:end]), []).append(name)
        return by_piece


def _cuts(length: int) -> tuple[tuple[int, int], ...]:
    """The three pieces of a name."""
    one, two = length // 3, length * 2 // 3
    return (0, one), (one, two), (two, length)
