"""What is wrong with the value of an option, whoever finds it.

1. Its text is one line for people: which option, what is wrong, what to do.
"""

from __future__ import annotations

from collections.abc import Callable

from rehref.exceptions import RehrefError


def with_value(option: str, value: str) -> str:
    """An option with the value that it was given, for people."""
    return f"{option} {value}" if value else f'{option} ""'


def refuse_no_flags(**flags: object) -> None:
    """Raise TypeError for what is neither True nor False: `"no"` would count as yes."""
    for name, value in flags.items():
        if not isinstance(value, bool):
            raise TypeError(f"{name} is True or False, not {value!r:.80}")


class OptionError(RehrefError, ValueError):
    """Something a user can correct about an option or an argument; its text is `OPTION: what; what to do`."""

    def __init__(self, option: str, what: str, remedy: str) -> None:
        super().__init__(f"{option}: {what}; {remedy}")

    def __reduce__(self) -> tuple[Callable[..., OptionError], tuple[object, ...]]:
        """Pickle the text, which is all there is."""
        return OptionError.__new__, (OptionError, *self.args)
