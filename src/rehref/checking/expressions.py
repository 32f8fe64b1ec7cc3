"""The regular expressions that a file of a site may hold, compiled if matching them cannot take long.

1. Not taken is an expression that could take long: longer than 500 characters, with a repeated group that itself
   repeats or chooses, or with too many repetitions without an end (more than three) or choices, each
   back-reference counting as one more repetition.
2. Nor is one that Python reads otherwise than Perl does (`[[:alpha:]]`), or not at all.
"""

from __future__ import annotations

import re
import warnings
from math import log2

_LONGEST_EXPRESSION = 500
# steps as powers of two, on paths of 512 characters; measured, so that none takes longer than a tenth of a second or so
_REPETITION = 8.0
_CHOICE = 1.25
_MOST_STEPS = 26.0
# an escape, a class, a group's begin or end, a quantifier, "|"; nothing else matters to its cost
_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\??|\)|\{[0-9,]*+\}|[*+?|]", re.DOTALL)


class ExpressionError(ValueError):
    """Why an expression is not taken, for people."""


def compile_expression(text: str) -> re.Pattern[str]:
    """Compile an expression, with `.` for any character. Raises `ExpressionError`."""
    if not _is_cheap(text):
        raise ExpressionError("the expression could take too long")
    try:
        with warnings.catch_warnings():
            # Python warns of what other dialects read otherwise: [[:alpha:]]
            warnings.simplefilter("error")
            return re.compile(text, re.DOTALL)
    except (re.error, RecursionError, OverflowError, Warning) as error:
        raise ExpressionError(f"the expression is not understood: {error}") from None


def _is_cheap(text: str) -> bool:
    """Whether matching takes few steps, however it fails (rule 1).

    A repetition may be tried at every character of a path, a choice in each of its ways; where several follow each
    other, the numbers multiply. So their logarithms are added.
    """
    if len(text) > _LONGEST_EXPRESSION:
        return False
    steps = 0.0 if text.startswith("^") else _REPETITION
    # of each open group: how many alternatives it has, and whether anything in it may match in several ways
    alternatives = [1]
    varies = [False]
    closed_varies = False  # whether that holds for a group that ended just before
    end = 0
    was_repetition = False
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token[0] == "\\" and token[1] in "123456789":
            steps += _REPETITION
        follows = match.start() == end
        is_repetition = token[0] in "*+{"
        if is_repetition:
            if follows and closed_varies:
                return False
            steps += _REPETITION if token[0] != "{" or "," in token else 0
            varies[-1] = True
        elif token == "?" and not (follows and was_repetition):
            steps += _CHOICE
            varies[-1] = True
        elif token == "|":
            alternatives[-1] += 1
            varies[-1] = True
        elif token[0] == "(":
            alternatives.append(1)
            varies.append(False)
        closed_varies = False
        if token == ")" and len(varies) > 1:
            steps += _CHOICE * log2(alternatives.pop())
            closed_varies = varies.pop()
            varies[-1] |= closed_varies
        end = match.end()
        was_repetition = is_repetition
    return steps + _CHOICE * sum(map(log2, alternatives)) <= _MOST_STEPS
