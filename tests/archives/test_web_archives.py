"""Captures that are nearest in time; the rest of the rules is tested with whole archives (`cli`)."""

from __future__ import annotations

import pytest

from rehref.archives._unpacking.web_archives import plan_captures
from rehref.archives.saved_captures import CapturePlan
from rehref.containers.parts import Capture, Part
from rehref.documents.base import Layers
from rehref.rewriting.offline_rule import comparable


def capture(number: int, uri: str, date: str, *, location: str = "") -> Capture:
    part = None if location else Part("n", "l", b"x", "text/html", None, Layers())
    return Capture(number, uri, date, 301 if location else 200, location, "", "", part=part)


def planned(*captures: Capture, all_captures: bool = True) -> CapturePlan:
    found, _, diagnostics = plan_captures(captures, all_captures=all_captures)
    assert diagnostics == []
    return found


@pytest.mark.parametrize("date", ["", "0000-00-00", "2024-13-45T99:99:99Z", "9999", "x"])
def test_whatever_the_date_there_is_a_nearest_capture(date: str) -> None:
    found = planned(capture(0, "http://h/a", "2020"), capture(1, "http://h/a", date), capture(2, "http://h/a", "2024"))
    assert len(found.entries) == 3
    assert found.find("http://h/a", date) is not None
    assert found.find("http://h/a", "2024") == "20240101000000/h/a.html"


def test_of_two_as_near_the_earlier_one_counts() -> None:
    found = planned(capture(0, "http://h/a", "2020-01-03"), capture(1, "http://h/a", "2020-01-01"))
    assert found.find("http://h/a", "2020-01-02") == "20200101000000/h/a.html"
    assert found.find("http://h/a", "2020-01-02T00:00:01") == "20200103000000/h/a.html"
    assert found.find("http://h/a", "1999") == "20200101000000/h/a.html"
    assert found.find("http://h/a", "2030") == "20200103000000/h/a.html"


def test_of_one_moment_a_body_counts_before_a_redirect() -> None:
    moved = capture(1, "http://h/a", "2020", location="/b")
    for captures in ((capture(0, "http://h/a", "2020"), moved), (moved, capture(2, "http://h/a", "2020"))):
        assert planned(*captures, capture(3, "http://h/b", "2020")).find("http://h/a", "2020") == (
            "20200101000000/h/a.html"
        )


def test_a_body_counts_before_a_later_redirect() -> None:
    found = planned(
        capture(0, "http://h/a", "2020"), capture(1, "http://h/a", "2021", location="/b"), all_captures=False
    )
    assert found.find("http://h/a", "2021") == "h/a.html"


def test_long_chains_of_redirects_end() -> None:
    chain = [capture(n, f"http://h/{n}", "2020", location=f"/{n + 1}") for n in range(100)]
    found = planned(*chain, capture(100, "http://h/100", "2020"))
    assert found.find("http://h/90", "2020") == "20200101000000/h/100.html"
    assert found.find("http://h/1", "2020") is None


@pytest.mark.parametrize(
    ("saved", "asked", "fits"),
    [
        ("http://h/x,y.css", "http://h/x%2Cy.css", True),
        ("http://h/load?m=a%7Cb%2Cc", "https://h/load?m=a|b,c", True),
        ("http://h/a%2Fb", "http://h/a/b", False),
        ("http://h/?a%26b", "http://h/?a&b", False),
        ("http://h/s.css", "http://h/s.css?v=3", True),
        ("http://h/i.PNG?v=1", "http://h/i.PNG?v=2", True),
        ("http://h/page?v=1", "http://h/page?v=2", False),
        ("http://h/page.html", "http://h/page.html?v=2", False),
        ("http://h/s.css", "http://other/s.css?v=3", False),
        ("urn:a,b", "urn:a%2Cb", False),
    ],
)
def test_nearly_the_same_uri_serves_if_nothing_else_does(saved: str, asked: str, fits: bool) -> None:
    found = planned(capture(0, saved, "2020"))
    assert (found.find(comparable(asked), "2020") is not None) is fits


def test_an_exact_match_takes_precedence() -> None:
    found = planned(capture(0, "http://h/s.css?v=1", "2020"), capture(1, "http://h/s.css?v=2", "2021"))
    assert found.find("http://h/s.css?v=1", "2021") == "20200101000000/h/s.css-v-1.html"
    assert found.find("http://h/s.css?v=9", "2021") == "20210101000000/h/s.css-v-2.html"
