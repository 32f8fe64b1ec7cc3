"""Statuses and times in options: one grammar for all.

1. Statuses are one, `404`, or a range: `200..=299`, `200..300` (without its end), `200..`, `..=299`, `..300`, or `..`
   for all.
2. A time is a number, decimals included, followed by `ms`, `s`, `m`, `h`, `d` or `w`; without a unit it is seconds.
"""

from __future__ import annotations

import re
from typing import Final

_FIRST: Final = 100
_LAST: Final = 999
_STATUS = re.compile(r"(?P<first>[1-9][0-9]{2})?(?P<dots>\.\.(?:(?P<including>=)?(?P<last>[1-9][0-9]{2}))?)?").fullmatch
_NUMBERS = re.compile(r"[0-9]{0,9}(?:\.\.=?[0-9]{0,9})?").fullmatch
_TIME = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(ms|[smhdw])?").fullmatch
_UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0, "w": 604_800.0}


def statuses_of(text: str) -> tuple[range, ...]:
    """The statuses that a text names, with commas between them (rule 1). Raises ValueError with what is wrong."""
    return tuple(_range(part.strip()) for part in text.split(","))


def _range(text: str) -> range:
    found = _STATUS(text)
    if found is None or not text:
        if _NUMBERS(text) and any(not _FIRST <= int(number) <= _LAST for number in re.findall("[0-9]+", text)):
            raise ValueError(f"no status is below {_FIRST} or above {_LAST}")
        raise ValueError(f"{text!r} is neither a status nor a range of them")
    first = int(found["first"] or _FIRST)
    if found["dots"] is None:
        return range(first, first + 1)
    end = _LAST + 1 if found["last"] is None else int(found["last"]) + (found["including"] is not None)
    if end <= first:
        raise ValueError(f"the range {text} is empty")
    return range(first, end)


def seconds_of(text: str) -> float | None:
    """How many seconds a text says (rule 2); None if it is not a time."""
    found = _TIME(text)
    return None if found is None else float(found[1]) * _UNITS[found[2] or "s"]
