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

from collections.abc import Iterable
from typing import NamedTuple

from rehref.option_errors import OptionError, with_value
from rehref.text.written import seconds_of, statuses_of
from rehref.web.model import PERMANENT, Answer

OPTION = "--cache-age"
MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
LONGEST = 90 * DAY
"""How long a row is kept at most, in seconds."""
AFTER_OTHER_REDIRECTIONS = DAY

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

    STATUSES and AGE are written as everywhere (`rehref.text.written`); an age is 90 days at most.
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
