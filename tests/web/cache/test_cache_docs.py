"""The page says for how long answers are fresh, as it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rehref.web.cache.ages import AFTER_OTHER_REDIRECTIONS, DAY, HOUR, LONGEST, Ages
from rehref.web.cache.file import MOST_BYTES, NAME
from rehref.web.model import Answer

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


def test_the_page_has_every_age_and_bound() -> None:
    assert len(ROWS) == 5
    assert AFTER_OTHER_REDIRECTIONS == DAY
    assert "(302, 303, 307) | 1 day at most" in TEXT
    assert LONGEST == 90 * DAY
    assert "nothing older than 90 days" in TEXT
    assert MOST_BYTES == 64 * 2**20
    assert "at most 64 MiB" in TEXT
    assert f"`{NAME}`" in TEXT
