"""Statuses and times in options: one grammar for all."""

from __future__ import annotations

import re
from typing import Final

_FIRST: Final = 100
_LAST: Final = 599
_BEYOND: Final = 999
"""The one status in use that RFC 9110 does not have, and so the end of a range without one."""
_STATUS = re.compile(r"(?P<first>[1-9][0-9]{2})?(?P<dots>\.\.(?:(?P<including>=)?(?P<last>[1-9][0-9]{2}))?)?").fullmatch
_NUMBERS = re.compile(r"[0-9]{0,9}(?:\.\.=?[0-9]{0,9})?").fullmatch
_TIME = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(ms|[smhdw])?").fullmatch
_UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0, "w": 604_800.0}


def statuses_of(text: str) -> tuple[range, ...]:
    """The statuses that a text names, with commas between them. Raises ValueError with what is wrong.

    One, `404`, or a range: `200..=299`, `200..300` (without its end), `200..`, `..=299`, `..300`, or `..` for all. A
    number is one from 100 to 599 (RFC 9110 §15), or 999, with which one large site refuses programs; 600 may be the end
    that is not meant.
    """
    return tuple(_range(part.strip()) for part in text.split(","))


def _range(text: str) -> range:
    found = _STATUS(text)
    if text and _NUMBERS(text):
        numbers = [int(number) for number in re.findall("[0-9]+", text)]
        if ".." in text and "=" not in text and text[-1] != "." and numbers[-1] == _LAST + 1:
            numbers.pop()  # it is not meant itself
        if not all(_FIRST <= number <= _LAST or number == _BEYOND for number in numbers):
            raise ValueError(f"a status is a number from {_FIRST} to {_LAST}")
    if found is None or not text:
        raise ValueError(f"{text!r} is neither a status nor a range of them")
    first = int(found["first"] or _FIRST)
    if found["dots"] is None:
        return range(first, first + 1)
    end = _BEYOND + 1 if found["last"] is None else int(found["last"]) + (found["including"] is not None)
    if end <= first:
        raise ValueError(f"the range {text} is empty")
    return range(first, end)


def seconds_of(text: str) -> float | None:
    """How many seconds a text says; None if it is not a time.

    A number, decimals included, followed by `ms`, `s`, `m`, `h`, `d` or `w`; without a unit it is seconds.
    """
    found = _TIME(text)
    return None if found is None else float(found[1]) * _UNITS[found[2] or "s"]
