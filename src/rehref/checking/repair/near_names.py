"""Finds names that are an edit or two away from another name.

1. What an edit is, `rehref.text.nearest` says.
2. Names within two edits share a piece: if a name is cut into three, two edits leave one piece unchanged. So the time
   of a look-up depends on the length of the name, not on the number of names. If more than 200 share a piece with a
   name, nothing is found: a name is never compared with more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final

from rehref.text.nearest import edits

_SHORTEST: Final = 3
LONGEST: Final = 4096
"""The longest name, or path, that is looked for."""
_MOST_ALIKE: Final = 200
_MOST_REMEMBERED: Final = 1000


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
