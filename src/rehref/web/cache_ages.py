"""How long an answer is fresh, so that the server is not asked again.

The status decides: a page that exists is likely to stay (days), a missing one may be added soon (an hour).
`--cache-age` overrides this: `AGE` for every status, `STATUSES=AGE` for some; the last value for a status counts, and 0
keeps nothing. An answer that is kept, but not fresh, is used to ask whether anything has changed (`Kept.etag`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rehref.exceptions import OptionError, with_value
from rehref.web.answers import PERMANENT, Answer
from rehref.web.written_numbers import seconds_of, statuses_of

OPTION = "--cache-age"
MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
LONGEST = 90 * DAY
"""How long a row is kept at most, in seconds."""
AFTER_OTHER_REDIRECTIONS = DAY

_REMEDY = "write such as 2d, 404=6h or 500..=599=10m"


class StatusAge(NamedTuple):
    """The number of seconds for which answers with these statuses are fresh, both ends included."""

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
"""The ages by status; a later one takes precedence. After a temporary status (408, 425, 429, every 5xx), or without
one, the next run asks again."""


class Ages(NamedTuple):
    """How long answers are fresh: the defaults and the given ages."""

    asked: tuple[StatusAge, ...] = ()

    def of(self, answer: Answer) -> float:
        """For how many seconds after `checked_at` an answer is fresh; 0 for one that is not kept.

        After a redirect that is not permanent at most a day, unless an age is given; with a failure never.
        """
        if answer.status is None or answer.failure is not None:
            return 0.0
        asked = _age_for(self.asked, answer.status)
        if asked is not None:
            return asked
        found = _age_for(DEFAULT, answer.status) or 0.0
        is_permanent = all(hop.status in PERMANENT for hop in answer.hops)
        return found if is_permanent else min(found, AFTER_OTHER_REDIRECTIONS)


def _age_for(ages: tuple[StatusAge, ...], status: int) -> float | None:
    return next((age.seconds for age in reversed(ages) if age.first <= status <= age.last), None)


def ages_of(texts: Iterable[str]) -> Ages:
    """Return the ages of the values of `--cache-age`: `[STATUSES=]AGE`. Raises `OptionError`.

    `rehref.web.written_numbers` defines STATUSES and AGE; an age is at most 90 days.
    """
    return Ages(tuple(each for text in texts for each in _ages(text)))


def _ages(text: str) -> list[StatusAge]:
    statuses, equals, written = text.replace(" ", "").rpartition("=")
    seconds = seconds_of(written)
    if seconds is None:
        raise OptionError(with_value(OPTION, text), "is not [STATUSES=]AGE", _REMEDY)
    if seconds > LONGEST:
        raise OptionError(with_value(OPTION, text), "nothing is kept for longer than 90 days", "write 90d, or less")
    try:
        ranges = statuses_of(statuses if equals else "..")
    except ValueError as error:
        raise OptionError(with_value(OPTION, text), str(error), _REMEDY) from error
    return [StatusAge(each.start, each.stop - 1, seconds) for each in ranges]
