"""The exceptions of rehref: what they have in common, those about options, and the warnings.

Every exception of our own is a `RehrefError`, and keeps the exception of Python's own as a second base that it is in
meaning: ValueError for a value that cannot be used, LookupError for a name that does not exist. What Python has an
exception for is raised as such: OSError for a file that cannot be read, TypeError for an argument of the wrong type.
The text of an error is one line for people: which option, what is wrong, what to do.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Collection
from itertools import pairwise
from typing import TypeVar

_Result = TypeVar("_Result")
_LONGEST_NAME = 100


class RehrefError(Exception):
    """The base class of all exceptions of rehref's own.

    A value of an option that cannot be used raises one of them: mostly `OptionError`, which is also a ValueError. An
    argument of the wrong type is a TypeError, and a file that cannot be read an OSError.
    """


class ParserError(RehrefError, LookupError):
    """There is no such parser core, or it cannot be loaded."""


class ResolutionError(RehrefError, ValueError):
    """The URL Standard's parser returns failure for this reference against this base."""

    def __init__(self, base: str, reference: str) -> None:
        super().__init__(base, reference)  # the arguments it is made with again in another process
        self.base = base
        self.reference = reference

    def __str__(self) -> str:
        return f"{self.reference!r} against {self.base!r} is not a URL by the URL Standard"


def other_module(error: BaseException) -> str:
    """Return the module of another package (a core, a rule) that an exception comes from; "" if it is not from one.

    Only `documents` and `rewriting` call cores and rules.
    """
    from traceback import walk_tb

    names = [str(frame.f_globals.get("__name__")) for frame, _ in walk_tb(error.__traceback__)]
    called = (name for before, name in pairwise(names) if before.startswith(("rehref.documents.", "rehref.rewriting.")))
    return next((name for name in called if name.partition(".")[0] not in {"rehref", *sys.stdlib_module_names}), "")


class SourceResemblesPathWarning(UserWarning):
    """A str was given as a source that looks like a path or a URL; it was read as the document itself."""


class NoBaseWarning(UserWarning):
    """A document was rewritten whose relative references have no base; they stay as they are."""


def with_value(option: str, value: str) -> str:
    """An option with the value given for it, for people."""
    return f"{option} {value}" if value else f'{option} ""'


def refuse_no_flags(**flags: object) -> None:
    """Raise TypeError for a value that is neither True nor False: `"no"` would count as true."""
    for name, value in flags.items():
        if not isinstance(value, bool):
            raise TypeError(f"{name} is True or False, not {value!r:.80}")


class OptionError(RehrefError, ValueError):
    """An error that a user can correct in an option or an argument; its text is `OPTION: what; what to do`."""

    def __init__(self, option: str, what: str, remedy: str) -> None:
        super().__init__(f"{option}: {what}; {remedy}")

    @classmethod
    def of(cls, text: str) -> OptionError:
        """Return the error with a text that names the option or argument itself."""
        return cls.__new__(cls, text)

    def __reduce__(self) -> tuple[Callable[..., OptionError], tuple[object, ...]]:
        """Pickle the text, the only content."""
        return OptionError.__new__, (OptionError, *self.args)


class CustomAttributeError(RehrefError, ValueError):
    """A text that does not name a custom attribute; the message is `what; remedy`."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what, remedy)
        self.what = what
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.what}; {self.remedy}"


class WorkerError(RehrefError, RuntimeError):
    """A process of the pool died (`rehref.files.pool`); the text is a line for people."""


class SlowExpressionError(RehrefError, RuntimeError):
    """An expression took too long; its arguments are where it is, and, for people, which it is and what to do."""

    def __str__(self) -> str:
        return ": ".join(self.args)


class OutOfTimeError(RehrefError, RuntimeError):
    """The references of a document take too long to read."""


class TimeLimit:
    """The time that is left for a document (`max_time`)."""

    __slots__ = ("_end", "_left", "_seconds")

    def __init__(self, seconds: float) -> None:
        self._seconds = self._left = seconds
        self._end: float | None = None  # while a place is read

    def within(self, work: Callable[..., _Result], *arguments: object) -> _Result:
        """Call `work` with arguments: its result. Raises `OutOfTimeError` if no time is left to begin with."""
        now = time.monotonic()
        if self._end is not None:
            self._check(self._end - now)
            return work(*arguments)
        self._check(self._left)
        self._end = now + self._left
        try:
            return work(*arguments)
        finally:
            self._left, self._end = self._end - time.monotonic(), None

    def _check(self, left: float) -> None:
        if left <= 0:
            seconds = f"{self._seconds:g} {'second' if self._seconds == 1 else 'seconds'}"
            raise OutOfTimeError(
                f"its references take longer than {seconds} to read; allow more (max_time, --max-time)"
            )


def refuse_unknown(what: str, value: object, names: Collection[str]) -> None:
    """Raise `OptionError` for a value that is not one of the names; `what`: what they are names of."""
    if value not in names:
        raise OptionError.of(f"unknown {what} {value!r}; there are {', '.join(names)}")


def nearest(written: str, names: Collection[str], enough: float = 0.6) -> str | None:
    """Which of these names is nearest to what was written; None if none is near.

    It is the name that has most in common with it, capitals aside. If all have less than `enough` (of 1) in common, it
    is one that begins with the written name, or with which that begins.
    """
    from difflib import get_close_matches  # only errors need it

    if len(written) > _LONGEST_NAME:
        return None
    by_lower = {name.lower(): name for name in names}
    lowered = written.lower()
    found = get_close_matches(lowered, by_lower, 1, enough)
    if not found and len(lowered) > 1:
        found = [name for name in by_lower if name.startswith(lowered) or lowered.startswith(name)][:1]
    return by_lower[found[0]] if found else None


def did_you_mean(written: str, names: Collection[str]) -> str:
    """`did you mean X?`, or, if none is near, all names: `take one of X, Y, Z`."""
    near = nearest(written, names)
    return f"take one of {', '.join(names)}" if near is None else f"did you mean {near}?"
