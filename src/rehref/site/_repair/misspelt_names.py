"""Misspelt names: those that are an edit or two away, and whether a name surely is another one misspelt.

What an edit is, `rehref.site._series` says. Words that differ on purpose, words that occur elsewhere, and identifiers
of programs are not slips.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable
from functools import cache, lru_cache
from typing import Final

from rehref.site._series import edits, is_another

_SHORTEST: Final = 3
LONGEST: Final = 4096
"""The longest name, or path, that is looked for."""
_MOST_ALIKE: Final = 200
_MOST_REMEMBERED: Final = 1000


class NearNames:
    """Names to search for those that are like another one.

    Names within two edits share a piece: if a name is cut into three, two edits leave one piece unchanged. So the time
    of a look-up depends on the length of the name, not on the number of names. If more than `_MOST_ALIKE` share a piece
    with a name, nothing is found: a name is never compared with more.
    """

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


SHORTEST_SURE: Final = 5
"""The length of the shortest name that can surely be misspelt."""
_ENDINGS: Final = frozenset("dnrs")
_SHORTEST_TWICE: Final = 7
_WORD = re.compile(r"[^\W\d_]+")
_NEW_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")
_IN_IDENTIFIER = re.compile(r"[_.:$()<>/\\#]|[a-z][A-Z]|[A-Z]{2}")


def is_slip(wanted: str, name: str, words: Container[str]) -> bool:
    """Whether a name, the only similar one, is surely the one that was meant: it has at least 5 characters, and is an
    edit away.

    Another member of a series (`_series.py`) is not misspelt. `words`: those of other names, in lower case.
    """
    if len(name) < SHORTEST_SURE or edits(wanted, name) != 1 or is_another(wanted, name):
        return False
    one, other = _differing(wanted, name)
    if any(word in words for word in one):
        return False
    return len(one) != 1 or len(other) != 1 or not _may_be_on_purpose(one[0], other[0])


def may_be_meant(wanted: str, name: str, *, is_identifier: bool = False) -> bool:
    """Whether a name, an edit or two away, is worth a guess.

    A name that is too different is not: another member of a series; one with a word more, or a word less; one that is
    two edits away, unless that is in a word of at least 7 letters; an identifier with an edit in a word of less than 5.
    """
    if is_another(wanted, name):
        return False
    one, other = _differing(*(_NEW_WORD.sub(" ", text) if is_identifier else text for text in (wanted, name)))
    longest = max(map(len, (*one, *other)), default=_SHORTEST_TWICE)
    shortest = SHORTEST_SURE if is_identifier else 0
    return bool(one) == bool(other) and longest >= (shortest if edits(wanted, name) == 1 else _SHORTEST_TWICE)


def words_misspelt(wanted: str, name: str) -> frozenset[str]:
    """The words, in lower case, that are misspelt if `wanted` means `name`.

    One that occurs elsewhere in names, or in the text beside the reference (`doubts.not_misspelt`), is a word, and not
    misspelt.
    """
    return frozenset(_differing(wanted, name)[0])


def words_in(texts: Iterable[str]) -> frozenset[str]:
    """All words of some texts, in lower case."""
    return frozenset(word for text in texts for word in _words(text))


def is_identifier(name: str) -> bool:
    """Whether a name may be an identifier of a program (`Admonition.content_model`, `Q_CHECK_PTR`, `javax.net`).

    They are different names even if they differ only in case, or in one letter. A name with a dot, an underscore, a
    colon or the like, or with capitals that do not begin words, may be one.
    """
    return _IN_IDENTIFIER.search(name) is not None


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _differing(wanted: str, name: str) -> tuple[list[str], list[str]]:
    """The words of each of two names that the other does not have."""
    words, others = _words(wanted), _words(name)
    return [word for word in words if word not in others], [word for word in others if word not in words]


def _may_be_on_purpose(one: str, other: str) -> bool:
    """Whether two words, an edit apart, differ as different words do.

    Such words often begin with another letter (`getter`, `setter`), or have another ending, or none (`server`,
    `serves`, `serve`).
    """
    if one[1:] == other[1:]:
        return True
    if one[:-1] == other[:-1]:
        return {one[-1], other[-1]} <= _ENDINGS
    longer, shorter = sorted((one, other), key=len, reverse=True)
    return longer[:-1] == shorter and longer[-1] in _ENDINGS
