"""The options of `image-set()` in CSS text (CSS Images 4 §5), for those who leave some of them out."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from rehref.text.encoding import Splice
from rehref.uri.syntaxes import SYNTAXES

_SET: Final = re.compile(r"(?<![\w-])(?:-webkit-)?image-set\(", re.IGNORECASE).match
_CLOSERS: Final = {"(": ")", "[": "]", "{": "}"}
_STOP: Final = re.compile(
    r"""
    "(?:[^"\\\n]|\\[\s\S])*"?+ | '(?:[^'\\\n]|\\[\s\S])*'?+ | /\*[\s\S]*?(?:\*/|\Z) | \\[\s\S]?+
    | (?<![\w-])url\([\t\n\f\r ]*+(?!["'])(?:[^)\\]|\\[\s\S])*\)?+
    | (?<![\w-])(?:-webkit-)?image-set\( | [(){}\[\],]""",
    re.VERBOSE | re.IGNORECASE,
).finditer


class _Option(NamedTuple):
    """An option: where it begins and ends, and its reference; None for a gradient or the like."""

    start: int
    end: int
    reference: str | None


def without(value: str, goes: Callable[[str], bool], counts: Callable[[str], bool]) -> tuple[list[Splice[str]], int]:
    """Leave options out of every `image-set()`: return the splices that do it, and how many options go.

    `goes`: whether an option with that reference goes; but only if `counts` of another one, which stays.
    """
    splices: list[Splice[str]] = []
    removed = 0
    for options in _sets(value):
        stay = [option for option in options if option.reference is None or not goes(option.reference)]
        if len(stay) < len(options) and any(option.reference and counts(option.reference) for option in stay):
            text = ", ".join(value[option.start : option.end].strip() for option in stay)
            splices.append((options[0].start, options[-1].end, text))
            removed += len(options) - len(stay)
    return splices, removed


def _sets(value: str) -> list[list[_Option]]:
    """The options of each `image-set()` that ends; one inside another counts as part of it."""
    found: list[list[_Option]] = []
    options: list[_Option] = []
    references = SYNTAXES["css"].find(value)
    closers: list[str] = []  # of what is open, from the image-set() on; other closing brackets are without effect
    begins = number = 0
    for stop in _STOP(value):
        text, start = stop[0], stop.start()
        if not closers:
            if _SET(value, start):
                closers, begins, options = [")"], stop.end(), []
            continue
        if text[-1] in _CLOSERS and text[0] not in "\"'/\\":
            closers.append(_CLOSERS[text[-1]])
        elif text == closers[-1]:
            closers.pop()
        if not closers or (len(closers) == 1 and text == ","):
            while number < len(references) and references[number].start < begins:
                number += 1
            is_in = number < len(references) and references[number].start < start
            options.append(_Option(begins, start, references[number].text if is_in else None))
            begins = stop.end()
        if not closers:
            found.append(options)
    return found
