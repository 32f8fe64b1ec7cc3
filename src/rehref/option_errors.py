"""Errors in the values of options, for all parts of rehref that find them.

1. The text of an error is one line for people: which option, what is wrong, what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from rehref.exceptions import RehrefError


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


class SlowExpressionError(RehrefError, RuntimeError):
    """An expression took too long; its arguments are where it is, and, for people, which it is and what to do."""

    def __str__(self) -> str:
        return ": ".join(self.args)


def refuse_unknown(what: str, value: object, names: Collection[str]) -> None:
    """Raise `OptionError` for a value that is not one of the names; `what`: what they are names of."""
    if value not in names:
        raise OptionError.of(f"unknown {what} {value!r}; there are {', '.join(names)}")
