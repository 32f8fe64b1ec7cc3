"""For how long an answer is fresh, so that no server is asked again.

1. By its status: what is there is likely to stay (days), what is not there may be put there soon (an hour), and what is
   said to be for a moment (408, 425, 429, every 5xx) is asked again in the next run. So is what has no status.
2. What was reached by a redirection that is not permanent (any but 301 and 308) is fresh for a day at most.
3. `--cache-age` says otherwise: `AGE` for every status, `STATUSES=AGE` for some. What is said last goes before. 0 keeps
   nothing; what rules 1 and 2 would shorten is not shortened then.
4. What is not fresh, but kept, serves to ask whether anything has changed (`Kept.etag`).
5. No answer without a status, or with a failure, is ever fresh.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from rehref.option_errors import OptionError, with_value
from rehref.web.model import Answer

OPTION = "--cache-age"
MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
LONGEST = 90 * DAY
"""How long a row is kept at most, in seconds."""
PERMANENT = frozenset({301, 308})
AFTER_OTHER_REDIRECTIONS = DAY

_SECONDS = {"s": 1.0, "m": MINUTE, "h": HOUR, "d": DAY, "w": 7 * DAY}
_AGE = re.compile(r"([0-9]{1,9})([smhdw]?)").fullmatch
_STATUSES = re.compile(r"([1-9][0-9]{2})(?:\.\.(?:(=)?([1-9][0-9]{2}))?)?").fullmatch
_REMEDY = "write such as 2d, 404=6h or 500..=599=10m"


class StatusAge(NamedTuple):
    """How many seconds an answer is fresh whose status is one of these, both ends included."""

    first: int
    last: int
    seconds: float


DEFAULT = (
    StatusAge(200, 299, 7 * DAY),
    StatusAge(300, 399, DAY),
    StatusAge(400, 499, HOUR),
    StatusAge(408, 408, 0),
    StatusAge(425, 425, 0),
    StatusAge(429, 429, 0),
)
"""The ages by rule 1; a later one goes before."""


class Ages(NamedTuple):
    """For how long answers are fresh: by default, and what was asked for."""

    asked: tuple[StatusAge, ...] = ()

    def of(self, answer: Answer) -> float:
        """The seconds after `checked_at` in which an answer is fresh; 0 for one that is not kept."""
        if answer.status is None or answer.failure is not None:
            return 0.0
        asked = _found(self.asked, answer.status)
        if asked is not None:
            return asked
        found = _found(DEFAULT, answer.status) or 0.0
        is_permanent = all(hop.status in PERMANENT for hop in answer.hops)
        return found if is_permanent else min(found, AFTER_OTHER_REDIRECTIONS)


def _found(ages: tuple[StatusAge, ...], status: int) -> float | None:
    return next((age.seconds for age in reversed(ages) if age.first <= status <= age.last), None)


def ages_of(texts: Iterable[str]) -> Ages:
    """The ages that the values of `--cache-age` say: `[STATUSES=]AGE`. Raises `OptionError`.

    STATUSES: `404`, `200..=299`, `500..600` (without the end) or `500..`, several with commas. AGE: a number with s, m,
    h, d or w behind it, or of seconds; 90 days at most.
    """
    return Ages(tuple(each for text in texts for each in _ages(text)))


def _ages(text: str) -> list[StatusAge]:
    statuses, equals, written = text.replace(" ", "").rpartition("=")
    found = _AGE(written)
    if found is None:
        raise OptionError(with_value(OPTION, text), "is not [STATUSES=]AGE", _REMEDY)
    seconds = int(found[1]) * _SECONDS[found[2] or "s"]
    if seconds > LONGEST:
        raise OptionError(with_value(OPTION, text), "nothing is kept for longer than 90 days", "write 90d, or less")
    ranges = [_range(text, each) for each in statuses.split(",")] if equals else [(100, 999)]
    return [StatusAge(first, last, seconds) for first, last in ranges]


def _range(text: str, statuses: str) -> tuple[int, int]:
    found = _STATUSES(statuses)
    if found is None:
        raise OptionError(with_value(OPTION, text), f"{statuses!r} is neither a status nor a range of them", _REMEDY)
    first = int(found[1])
    if ".." not in statuses:
        return first, first
    last = 999 if found[3] is None else int(found[3]) - (found[2] is None)
    if last < first:
        raise OptionError(with_value(OPTION, text), f"there is no status in {statuses}", "write the lower one first")
    return first, last
