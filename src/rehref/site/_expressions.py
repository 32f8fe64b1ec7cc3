"""The regular expressions that users and the files of a site write, all with the same guards.

They use the `regex` package: it supports Python's `re` syntax, and much of PCRE's, which Apache uses. The time of a
search depends on the expression. One that has taken two seconds in all, not counting the first millisecond of each
search, is too slow: this is an error, which names the expression. Processor time is counted, so that other work of the
machine hardly matters.
"""

from __future__ import annotations

import re
import time
import warnings
from typing import Any, Final, TypeAlias

from rehref.exceptions import RehrefError, SlowExpressionError

_LONGEST = 10_000
_DEEPEST = 100
_LARGEST = 100_000
_SECONDS = 2.0
_FREE = 0.001

# an escape, a class, the start or end of a group, a repetition; everything else is one character
_TOKEN: Final = r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\??|\)|\{([0-9]*+)(,?)([0-9]*+)\}|."
_CALLS_ITSELF: Final = r"\(\?(?:R|&|P>|[+-]?[0-9])"
_HAS_COMMENTS: Final = r"\(\?(?:#|[A-Za-z0-9-]*x[A-Za-z0-9-]*[:)])"


class ExpressionError(RehrefError, ValueError):
    """Why an expression is refused, for people."""


class Expression:
    """A guarded expression: its text, and where it is, for people: `--exclude`, `.htaccess:3`."""

    __slots__ = ("_left", "compiled", "pattern", "where")

    def __init__(self, pattern: str, where: str, *, dot_is_any: bool = False) -> None:
        """Compile it. Raises `ExpressionError`."""
        self.pattern = pattern
        self.where = where
        self.compiled = _compiled(pattern, dot_is_any=dot_is_any)
        self._left = _SECONDS

    def search(self, text: str) -> Any:
        """Return the first match in a text, or None. Raises `SlowExpressionError`."""
        return self._timed(self.compiled.search, text)

    def fullmatch(self, text: str) -> Any:
        """Return the match of the whole text, or None. Raises `SlowExpressionError`."""
        return self._timed(self.compiled.fullmatch, text)

    def _timed(self, find: Any, text: str) -> Any:
        began = time.thread_time()
        try:
            found = find(text, timeout=max(self._left, _FREE))
        except (TimeoutError, MemoryError):
            self._left = 0.0
        else:
            self._left -= max(0.0, time.thread_time() - began - _FREE)
        if self._left <= 0:
            raise SlowExpressionError(
                self.where,
                f"the expression {_shortened(self.pattern)} takes too long to search for; simplify its repetitions",
            )
        return found


Searched: TypeAlias = Expression | re.Pattern[str]
"""An expression, or a pattern of Python's `re`, which has no guard."""


def _shortened(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:60]}…"


def _compiled(text: str, *, dot_is_any: bool) -> Any:
    """Return the compiled expression.

    Raises `ExpressionError` for one that is too long (`_LONGEST`), nested too deeply (`_DEEPEST` groups), or too large
    with its repetitions written out (`_LARGEST`), that calls itself, or has comments.
    """
    if len(text) > _LONGEST:
        raise ExpressionError(f"the expression has more than {_LONGEST:,} characters")
    if re.search(_CALLS_ITSELF, text) is not None:
        raise ExpressionError("the expression calls itself, which is not supported")
    if re.search(_HAS_COMMENTS, text) is not None:
        raise ExpressionError("the expression has comments, which are not supported")
    _refuse_large(text)
    import regex

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a future version may read the expression differently
            return regex.compile(text, regex.DOTALL if dot_is_any else 0)
    except (regex.error, ValueError, KeyError, OverflowError, Warning) as error:
        raise ExpressionError(f"the expression is not understood: {error}") from None
    except (RecursionError, MemoryError):
        raise ExpressionError("the expression is too large") from None


def _times(digits: str) -> int:
    """Return how often something is repeated; a number that is too large in any case has nine digits."""
    return int(digits.lstrip("0")[:9] or 0)


def _refuse_large(text: str) -> None:
    """Refuse an expression that is too deeply nested, or too large when written out. Raises `ExpressionError`."""
    sizes = [0]  # one for each open group
    last = 0  # the size of what a repetition would repeat
    for token in re.finditer(_TOKEN, text, re.DOTALL):
        if token[0][0] == "(":
            sizes.append(1)
            last = 0
        elif token[0] == ")" and len(sizes) > 1:
            last = sizes.pop()
            sizes[-1] += last
        elif token[1] is not None and token[0] != "{,}":
            more = last * (max(_times(token[1]), _times(token[3]), 1) - 1)
            last += more
            sizes[-1] += more
        else:
            last = 1
            sizes[-1] += 1
        if len(sizes) > _DEEPEST:
            raise ExpressionError(f"the expression is nested deeper than {_DEEPEST} groups")
        if sizes[-1] > _LARGEST:
            raise ExpressionError("the expression is too large with its repetitions written out")
