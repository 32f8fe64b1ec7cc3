"""What is kept is found again, as long as it counts, by whoever asks in the same way."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rehref.web import kept_answers as cache_module
from rehref.web.answers import Answer, Hop, Question
from rehref.web.asking_options import NETRC_VARIABLE, HeaderField, WebOptions
from rehref.web.cache_ages import DAY, HOUR, LONGEST, ages_of
from rehref.web.kept_answers import Cache, Kept

URL = "https://example.org/"
NOW = 1_800_000_000.0
OPTIONS = WebOptions()

Opened = Callable[..., Cache]


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time at which rows leave."""
    monkeypatch.setattr(cache_module.time, "time", lambda: NOW)


@pytest.fixture
def said() -> list[str]:
    """What is said for people."""
    return []


@pytest.fixture
def opened(tmp_path: Path, said: list[str]) -> Opened:
    """Open one file, again and again."""

    def opening(*ages: str, **options: Any) -> Cache:
        return Cache.open(tmp_path / "c.sqlite", ages_of(ages), replace(OPTIONS, **options), said.append)

    return opening


def kept_in(cache: Cache, now: float = NOW, url: str = URL) -> Kept:
    """What is kept, which is found."""
    kept = cache.find(url, now)
    assert kept is not None
    return kept


def ok(url: str = URL, **more: Any) -> Answer:
    return Answer(url, **{"status": 200, "final": url, "checked_at": NOW, **more})


def test_what_was_kept_is_found_by_another_run(opened: Opened, said: list[str]) -> None:
    with opened() as cache:
        cache.keep(ok(body=b"<p>", headers={"content-type": "text/html"}), b"names")
    with opened() as cache:
        kept = kept_in(cache, NOW + DAY)
        assert kept.answer == ok(headers={"content-type": "text/html"}, from_cache=True)
        assert (kept.extra, kept.is_fresh) == (b"names", True)
        assert cache.find(URL + "b", NOW) is None
    assert said == []


def test_what_was_kept_is_found_by_the_same_run(opened: Opened) -> None:
    with opened() as cache:
        cache.keep(ok())
        assert cache.find(URL, NOW) is not None


@pytest.mark.parametrize(
    ("after", "is_fresh"), [(0, True), (7 * DAY - 1, True), (7 * DAY, False), (-1, False), (89 * DAY, False)]
)
def test_what_is_old_or_of_the_future_is_not_fresh(opened: Opened, after: float, is_fresh: bool) -> None:
    with opened() as cache:
        cache.keep(ok())
        kept = kept_in(cache, NOW + after)
    assert kept.is_fresh == is_fresh


def test_ages_count_when_it_is_looked_up(opened: Opened) -> None:
    with opened() as cache:
        cache.keep(ok())
    for ages, is_fresh in ((["1h"], False), (["2d"], True), (["200=0"], False)):
        with opened(*ages) as cache:
            kept = kept_in(cache, NOW + DAY)
        assert kept.is_fresh == is_fresh


@pytest.mark.parametrize("status", [408, 429, 500, 503, None])
def test_what_does_not_last_is_not_kept(opened: Opened, status: int | None) -> None:
    with opened() as cache:
        cache.keep(ok(status=status, failure=None if status else "timeout"))
        assert cache.find(URL, NOW) is None


def test_what_does_not_last_leaves_what_is_known(opened: Opened) -> None:
    with opened() as cache:
        cache.keep(ok(headers={"etag": '"1"'}))
        cache.keep(ok(status=503))
        kept = kept_in(cache)
    assert kept.answer.status == 200


def test_of_two_answers_the_last_one_counts(opened: Opened) -> None:
    with opened() as cache:
        cache.keep(ok(), b"names")
    with opened() as cache:
        cache.keep(ok(status=404))
    with opened() as cache:
        kept = kept_in(cache)
    assert (kept.answer.status, kept.extra) == (404, None)


def test_what_is_not_fresh_is_asked_for_with_its_validators(opened: Opened) -> None:
    with opened("0") as cache:
        cache.keep(ok(headers={"etag": '"1"', "last-modified": "Sat, 01 Jan 2000 00:00:00 GMT"}))
        kept = kept_in(cache)
        assert not kept.is_fresh
        assert kept.asked_again(Question(URL, needs_body=True)) == Question(
            URL, True, etag='"1"', last_modified="Sat, 01 Jan 2000 00:00:00 GMT"
        )
        cache.keep(ok(URL + "b"))
        assert cache.find(URL + "b", NOW) is None  # there is nothing to ask with, and nothing that counts


@pytest.mark.parametrize("more", [{"status": 404}, {"hops": (Hop(URL, 301, URL + "b"),), "final": URL + "b"}])
def test_validators_of_another_url_or_of_no_success_are_not_used(opened: Opened, more: dict[str, Any]) -> None:
    with opened() as cache:
        cache.keep(ok(headers={"etag": '"1"'}, **more))
        kept = kept_in(cache)
    assert kept.asked_again(Question(URL)) == Question(URL)


def test_what_has_not_changed_counts_from_then_on(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    later = NOW + 30 * DAY
    monkeypatch.setattr(cache_module.time, "time", lambda: later)
    with opened() as cache:
        cache.keep(ok(headers={"etag": '"1"', "content-type": "text/html", "content-length": "9"}), b"names")
        kept = kept_in(cache, later)
        said = {"etag": '"2"', "content-length": "0", "set-cookie": "a"}
        meant = cache.renew(kept, Answer(URL, status=304, headers=said, checked_at=later, attempts=2))
    headers = {"etag": '"2"', "content-type": "text/html", "content-length": "9"}
    assert meant == ok(headers=headers, checked_at=later, attempts=2)
    with opened() as cache:
        kept = kept_in(cache, later + DAY)
    assert (kept.answer, kept.extra, kept.is_fresh) == (replace(meant, from_cache=True), b"names", True)


@pytest.mark.parametrize(
    "others",
    [
        {"headers": (("x-key", "1"),)},
        {"user_agent": "another"},
        {"cookies": "cookies.txt"},
        {"netrc": "netrc"},
        {"ca_file": "ca.pem"},
        {"allows_private": True},
        {"robots": True},
        {"insecure": True},
        {"named_hosts": frozenset({"http://127.0.0.1:8000"})},
    ],
)
def test_what_others_were_answered_does_not_count(opened: Opened, others: dict[str, Any]) -> None:
    with opened(**others) as cache:
        cache.keep(ok())
    with opened() as cache:
        assert cache.find(URL, NOW) is None
        cache.keep(ok(status=404))
    with opened(**others) as cache:
        kept = kept_in(cache)
    assert kept.answer.status == 200


@pytest.mark.parametrize(
    "limits", [{"timeout": 1.0}, {"max_concurrency": 1}, {"host_interval": 0.0}, {"max_size": 1}, {"max_retries": 0}]
)
def test_limits_change_nothing(opened: Opened, limits: dict[str, Any]) -> None:
    with opened() as cache:
        cache.keep(ok())
    with opened(**limits) as cache:
        assert cache.find(URL, NOW) is not None


def test_what_came_by_more_redirections_than_are_followed_does_not_count(opened: Opened) -> None:
    hops = (Hop(URL, 301, URL + "b"), Hop(URL + "b", 301, URL + "c"))
    with opened() as cache:
        cache.keep(ok(hops=hops, final=URL + "c"))
    for most in (2, 1, 0):
        with opened(max_redirects=most) as cache:
            assert (cache.find(URL, NOW) is None) == (most < 2)


def test_other_credentials_in_the_environment_are_others(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened() as cache:
        cache.keep(ok())
    monkeypatch.setenv(NETRC_VARIABLE, "machine example.org login me password a")
    with opened() as cache:
        assert cache.find(URL, NOW) is None


def test_other_credentials_in_the_same_file_are_others(opened: Opened, tmp_path: Path) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine example.org login me password a")
    with opened(netrc=str(netrc)) as cache:
        cache.keep(ok())
    netrc.write_text("machine example.org login me password b")
    with opened(netrc=str(netrc)) as cache:
        assert cache.find(URL, NOW) is None


def test_no_secret_is_in_the_file(opened: Opened, tmp_path: Path) -> None:
    with opened(headers=(HeaderField("authorization", "s3cret"),)) as cache:
        cache.keep(ok("https://me:s3cret@example.org/"))
        cache.keep(ok(headers={"set-cookie": "s3cret"}))
        cache.keep(ok(URL + "b", hops=(Hop(URL + "b", 302, "https://me:s3cret@example.org/"),)))
        assert cache.find("https://me:s3cret@example.org/", NOW) is None
    data = (tmp_path / "c.sqlite").read_bytes()
    assert b"example.org" in data
    assert b"s3cret" not in data


def test_what_is_very_old_leaves(opened: Opened) -> None:
    with opened("90d") as cache:
        cache.keep(ok(URL + "old", checked_at=NOW - LONGEST - 1))
        cache.keep(ok(URL + "new", checked_at=NOW - LONGEST + HOUR))
        cache.keep(ok(URL + "future", checked_at=NOW + 2 * DAY))
    with opened("90d") as cache:
        assert [cache.find(URL + name, NOW) is None for name in ("old", "new", "future")] == [True, False, True]


def test_a_cache_of_nothing_has_nothing() -> None:
    with Cache.none() as cache:
        cache.keep(ok())
        assert cache.find(URL, NOW) is None


def test_what_cannot_be_a_url_is_not_found(opened: Opened, said: list[str]) -> None:
    with opened() as cache:
        cache.keep(ok("https://example.org/\udcff"))
        assert cache.find("https://example.org/\udcff", NOW) is None
        cache.keep(ok())
        assert cache.find(URL, NOW) is not None
    assert said == []


def test_rows_are_written_while_the_run_goes_on(opened: Opened, tmp_path: Path) -> None:
    with opened() as cache:
        for number in range(450):
            cache.keep(ok(f"{URL}{number}"))
        with closing(sqlite3.connect(tmp_path / "c.sqlite")) as other:
            ((number,),) = other.execute("SELECT count(*) FROM answers")
    assert number > 250
