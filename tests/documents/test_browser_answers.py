"""What Chromium says of documents made for this: the same places, the same base, the same targets.

Where this is not so, it is listed in `browser_expected_differences.txt`: the document, what differs (its order, or the
target of a reference) and the reason, between tabs. What is listed and does not differ is an error too. What is
compared, `suites/browser.py` says.
"""

from __future__ import annotations

import pytest

from suites import listed
from suites.browser import ATTRIBUTES, LIST, Case, announced, announcements, bases, places, read_cases, targets


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return read_cases()


def expected(what: str) -> set[str]:
    """The listed cases in which something of that kind differs."""
    return {case for case in listed(LIST) if case.partition("\t")[2].startswith(what)}


def test_all_the_answers_are_there(cases: list[Case]) -> None:
    assert len(cases) == 73
    assert sum(len(case.answers) for case in cases) > 1200
    assert {answer.attribute for case in cases for answer in case.answers} == set(ATTRIBUTES)


def test_the_places_are_the_same(cases: list[Case]) -> None:
    assert places(cases).failed == expected("order")


def test_the_base_is_the_same(cases: list[Case]) -> None:
    assert sorted(bases(cases).failed) == []


def test_the_targets_are_the_same(cases: list[Case]) -> None:
    result = targets(cases)
    assert result.cases > 1150
    assert result.failed == expected("target of ")


def test_the_profile_of_the_rfc_says_where_a_browser_goes_elsewhere(cases: list[Case]) -> None:
    assert sum(each.said for each in announcements(cases)) > 50
    assert sorted(announced(cases).failed) == []


def test_every_listed_difference_is_of_one_of_these_kinds() -> None:
    assert listed(LIST).keys() == expected("order") | expected("target of ")
