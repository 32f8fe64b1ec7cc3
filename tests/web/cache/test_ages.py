"""For how long answers count."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rehref.exceptions import OptionError
from rehref.web.answers import Answer, Hop
from rehref.web.cache_ages import AFTER_OTHER_REDIRECTIONS, DAY, HOUR, LONGEST, MINUTE, Ages, ages_of

URL = "https://example.org/"


def hop(status: int) -> Hop:
    return Hop(URL, status, URL + "b")


@pytest.mark.parametrize(
    ("status", "seconds"),
    [
        *((200, 7 * DAY), (206, 7 * DAY), (299, 7 * DAY), (300, DAY), (304, DAY), (400, HOUR), (404, HOUR)),
        *((410, HOUR), (451, HOUR), (408, 0), (425, 0), (429, 0), (500, 0), (503, 0), (599, 0), (100, 0), (999, 0)),
    ],
)
def test_a_status_has_its_age(status: int, seconds: float) -> None:
    assert Ages().of(Answer(URL, status=status)) == seconds


def test_what_has_no_status_or_a_failure_is_asked_again() -> None:
    assert Ages().of(Answer(URL, failure="timeout")) == 0
    assert Ages().of(Answer(URL, status=200, failure="too-large")) == 0
    assert ages_of(["7d"]).of(Answer(URL, failure="unknown-host")) == 0


@pytest.mark.parametrize(
    ("hops", "seconds"),
    [((301,), 7 * DAY), ((308, 301), 7 * DAY), ((302,), DAY), ((301, 307, 301), DAY), ((303,), DAY)],
)
def test_a_redirection_for_now_shortens_the_age(hops: tuple[int, ...], seconds: float) -> None:
    assert Ages().of(Answer(URL, status=200, hops=tuple(map(hop, hops)))) == seconds


def test_a_redirection_for_now_makes_no_age_longer() -> None:
    assert Ages().of(Answer(URL, status=404, hops=(hop(302),))) == HOUR


@pytest.mark.parametrize(
    ("texts", "status", "seconds"),
    [
        (["2d"], 200, 2 * DAY),
        (["2d"], 503, 2 * DAY),
        (["90"], 200, 90),
        (["90s"], 200, 90),
        (["10m"], 200, 10 * MINUTE),
        (["1w"], 200, 7 * DAY),
        (["0"], 404, 0),
        (["404=6h"], 404, 6 * HOUR),
        (["404=6h"], 200, 7 * DAY),
        (["404,410=6h"], 410, 6 * HOUR),
        (["500..=599=5m"], 599, 5 * MINUTE),
        (["500..599=5m"], 599, 0),
        (["500..599=5m"], 598, 5 * MINUTE),
        (["500..=5m"], 599, 5 * MINUTE),
        (["200 = 1h"], 200, HOUR),
        (["..=299=1.5h"], 204, 1.5 * HOUR),
        (["..=500ms"], 503, 0.5),
        (["..300=1h"], 300, DAY),
        (["1d", "404=1h"], 404, HOUR),
        (["404=1h", "1d"], 404, DAY),
        (["90d"], 200, LONGEST),
    ],
)
def test_ages_can_be_asked_for(texts: list[str], status: int, seconds: float) -> None:
    assert ages_of(texts).of(Answer(URL, status=status)) == seconds


def test_what_was_asked_for_is_not_shortened() -> None:
    assert ages_of(["200=3d"]).of(Answer(URL, status=200, hops=(hop(302),))) == 3 * DAY


@pytest.mark.parametrize(
    "text", ["", "x", "1y", "-1d", "=1d", "2xx=1d", "99=1d", "404=", "404..=200=1d", "1000=1d", "404,=1d"]
)
def test_what_is_no_age_is_an_error(text: str) -> None:
    with pytest.raises(OptionError, match=r"^--cache-age .*; write "):
        ages_of([text])


def test_nothing_is_kept_for_longer_than_rows_are() -> None:
    with pytest.raises(OptionError, match="90 days"):
        ages_of(["200=91d"])


# the page says the same


SECTION = re.search(
    r"^## The cache\n(.*?)(?=^## |\Z)",
    (Path(__file__).parents[3] / "docs" / "external.md").read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)
TEXT = "" if SECTION is None else " ".join(SECTION[1].split())
ROWS = re.findall(r"\| ([0-9][^|]*?) \| ([0-9]+)(?: (day|hour)s?)?\b", TEXT)


def statuses(text: str) -> list[int]:
    first, to, last = text.partition(" to ")
    return [int(each) for each in text.split(", ")] if not to else [int(first), int(last)]


@pytest.mark.parametrize(("named", "number", "unit"), ROWS)
def test_each_age_is_as_the_page_says(named: str, number: str, unit: str) -> None:
    seconds = int(number) * {"day": DAY, "hour": HOUR, "": 1}[unit]
    assert {Ages().of(Answer("https://example.org/", status=status)) for status in statuses(named)} == {seconds}


def test_the_page_has_every_age() -> None:
    assert len(ROWS) == 5
    assert AFTER_OTHER_REDIRECTIONS == DAY
    assert "(302, 303, 307) | 1 day at most" in TEXT
    assert LONGEST == 90 * DAY
    assert "nothing older than 90 days" in TEXT
