"""Names that are like another, but for an edit or two.

1. One edit inserts, deletes or replaces a character, or swaps two neighbours.
2. Names within two edits share a piece: of three that a name is cut into, two edits leave one as it was. So a look-up
   takes time by the length of the name, not by their number. Where very many share a piece, nothing is found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

_SHORTEST: Final = 3
LONGEST: Final = 4096
"""The longest name, or path, that is looked for."""
_MOST_ALIKE: Final = 500


def edits(one: str, other: str) -> int:
    """How many edits make one text of another (rule 1), a swap only as the last of them; 3 stands for all above 2."""
    if one == other:
        return 0
    return 1 if _is_within(one, other, 1) else 2 if _is_within(one, other, 2) else 3


def _is_within(one: str, other: str, most: int) -> bool:
    same = alike_up_to(one, other)
    one, other = one[same:], other[same:]
    if one == "" or other == "":
        return len(one) + len(other) <= most
    if most == 0 or abs(len(one) - len(other)) > most:
        return False
    if one[:2] == other[1::-1] and one[2:] == other[2:]:
        return True
    rest, other_rest, fewer = one[1:], other[1:], most - 1
    return _is_within(rest, other_rest, fewer) or _is_within(rest, other, fewer) or _is_within(one, other_rest, fewer)


def alike_up_to(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of what both begin with."""
    at = 0
    for here, there in zip(one, other, strict=False):
        if here != there:
            break
        at += 1
    return at


class NearNames:
    """Names among which those are found that are like another (rule 2)."""

    def __init__(self, names: Iterable[str]) -> None:
        """Names shorter than 3 characters are left out."""
        self._by_length: defaultdict[int, list[str]] = defaultdict(list)
        self._by_piece: dict[int, dict[tuple[int, str], list[str]]] = {}
        for name in names:
            self._by_length[len(name)].append(name)

    def within_two(self, name: str) -> list[str]:
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

    def _pieces(self, length: int) -> dict[tuple[int, str], list[str]]:
        """The names of a length by their pieces, each with its number."""
        by_piece = self._by_piece.get(length)
        if by_piece is None:
            by_piece = self._by_piece[length] = {}
            for number, (start, end) in enumerate(_cuts(length)):
                for name in self._by_length[length]:
                    by_piece.setdefault((number, name[start:end]), []).append(name)
        return by_piece


def _cuts(length: int) -> tuple[tuple[int, int], ...]:
    """The three pieces of a name."""
    one, two = length // 3, length * 2 // 3
    return (0, one), (one, two), (two, length)
