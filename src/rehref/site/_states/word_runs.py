"""The hashes of runs of four words of a text, which texts have in common as far as their wording is the same.

A word is what expressions call one; a character of writing without spaces between words (Chinese, Japanese, Korean) is
a word by itself.
"""

from __future__ import annotations

import re
from array import array
from functools import cache
from typing import Any, Final
from zlib import crc32

from rehref._native import TWIN

_RUN: Final = 4
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
words = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+").findall
"""Returns the words of a text."""
_IN_WORDS, _ALONE = re.compile(r"\w+").finditer, re.compile(f"[{_CJK}]+").finditer
_OTHER, _IN_WORD, _WORD = bytes(1), b"\1", b"\2"
_KNOWN: Final = 0x20000
"""The twin knows the kinds of the characters below, nearly all."""


def word_runs(text: str) -> array[int]:
    """Return the hashes, sorted, each once. Those of a text with fewer words are that of all its words."""
    found = None if TWIN is None else _by_twin(TWIN, text)
    return _by_reference(text) if found is None else found


def _by_reference(text: str) -> array[int]:
    each = [word.encode("utf-8", "surrogatepass") for word in words(text)]
    runs = set(map(crc32, map(b" ".join, zip(*(each[at:] for at in range(_RUN)), strict=False))))
    return array("I", sorted(runs or ({crc32(b" ".join(each))} if each else ())))


def _by_twin(twin: Any, text: str) -> array[int] | None:
    """The same by the compiled twin; None: it leaves the text to the reference."""
    try:
        found: bytes | None = twin.word_runs(text.encode(), _kinds())
    except UnicodeEncodeError:  # a surrogate
        return None
    return None if found is None else array("I", found)


@cache
def _kinds() -> bytes:
    """Return what each character is, for `_native/word_runs.c`."""
    characters = "".join(map(chr, range(_KNOWN)))
    kinds = bytearray(_OTHER * _KNOWN)
    for find, kind in ((_IN_WORDS, _IN_WORD), (_ALONE, _WORD)):
        for found in find(characters):
            kinds[found.start() : found.end()] = kind * len(found[0])
    return bytes(kinds)
