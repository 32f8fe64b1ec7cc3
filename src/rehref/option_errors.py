"""What is wrong with the value of an option, wherever it is found out.

1. Its text is one line for people: which option, what is wrong, what to do.
"""

from __future__ import annotations


def with_value(option: str, value: str) -> str:
    """An option with the value that it was given, for people."""
    return f"{option} {value}" if value else f'{option} ""'


class OptionError(Exception):
    """Something a user can correct about an option or an argument; its text is `OPTION: what; what to do`."""

    def __init__(self, option: str, what: str, remedy: str) -> None:
        super().__init__(f"{option}: {what}; {remedy}")
