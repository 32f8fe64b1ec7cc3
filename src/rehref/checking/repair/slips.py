"""Whether a name surely is another one misspelt, or may be a different word that is similar.

1. If no other name is similar, a name is surely the one that was meant if it has at least 5 characters, and is one edit
   away. Another member of a series (`moves.py`) is not misspelt.
2. Words that differ on purpose often begin with another letter (`getter`, `setter`), or have another ending, or none
   (`server`, `serves`, `serve`): that is not a sure slip.
3. A word that occurs elsewhere in names, or in the text beside the reference (`said_words.py`), is a word, and not
   misspelt.
4. Identifiers of programs (`Admonition.content_model`, `Q_CHECK_PTR`, `javax.net`) are different names even if they
   differ only in case, or in one letter. A name with a dot, an underscore, a colon or the like, or with capitals that
   do not begin words, may be one.
5. A name that is too different is not even a guess: another member of a series; one with a word more, or a word less;
   one that is two edits away, unless that is in a word of at least 7 letters; an identifier with an edit in a word of
   less than 5.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from typing import Final

from rehref.checking.repair.moves import is_another
from rehref.text.nearest import edits

SHORTEST_SURE: Final = 5
"""The length of the shortest name that can surely be misspelt."""
_ENDINGS: Final = frozenset("dnrs")
_SHORTEST_TWICE: Final = 7
_WORD = re.compile(r"[^\W\d_]+")
_NEW_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")
_IN_IDENTIFIER = re.compile(r"[_.:$()<>/\\#]|[a-z][A-Z]|[A-Z]{2}")


def is_slip(wanted: str, name: str, words: Container[str]) -> bool:
    """Whether a name, the only similar one, is surely the one that was meant (rules 1 to 3).

    `words`: those of other names, in lower case.
    """
    if len(name) < SHORTEST_SURE or edits(wanted, name) != 1 or is_another(wanted, name):
        return False
    one, other = _differing(wanted, name)
    if any(word in words for word in one):
        return False
    return len(one) != 1 or len(other) != 1 or not _may_be_on_purpose(one[0], other[0])


def may_be_meant(wanted: str, name: str, *, is_identifier: bool = False) -> bool:
    """Whether a name, an edit or two away, is worth a guess (rule 5)."""
    if is_another(wanted, name):
        return False
    one, other = _differing(*(_NEW_WORD.sub(" ", text) if is_identifier else text for text in (wanted, name)))
    longest = max(map(len, (*one, *other)), default=_SHORTEST_TWICE)
    shortest = SHORTEST_SURE if is_identifier else 0
    return bool(one) == bool(other) and longest >= (shortest if edits(wanted, name) == 1 else _SHORTEST_TWICE)


def words_misspelt(wanted: str, name: str) -> frozenset[str]:
    """The words, in lower case, that are misspelt if `wanted` means `name` (rule 3)."""
    return frozenset(_differing(wanted, name)[0])


def words_in(texts: Iterable[str]) -> frozenset[str]:
    """All words of some texts, in lower case."""
    return frozenset(word for text in texts for word in _words(text))


def is_identifier(name: str) -> bool:
    """Whether a name may be an identifier of a program (rule 4)."""
    return _IN_IDENTIFIER.search(name) is not None


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _differing(wanted: str, name: str) -> tuple[list[str], list[str]]:
    """The words of each of two names that the other does not have."""
    words, others = _words(wanted), _words(name)
    return [word for word in words if word not in others], [word for word in others if word not in words]


def _may_be_on_purpose(one: str, other: str) -> bool:
    """Whether two words, an edit apart, differ as different words do (rule 2)."""
    if one[1:] == other[1:]:
        return True
    if one[:-1] == other[:-1]:
        return {one[-1], other[-1]} <= _ENDINGS
    longer, shorter = sorted((one, other), key=len, reverse=True)
    return longer[:-1] == shorter and longer[-1] in _ENDINGS
