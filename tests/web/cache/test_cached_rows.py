"""An answer as a row, and back; and a file that somebody else has written."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers import answers
from bounded import assert_bounded
from rehref.web import kept_answers
from rehref.web._cache.cached_rows import KEPT_FIELDS, LARGEST, LARGEST_EXTRA, CachedUrl, answer_of, row_of
from rehref.web.answers import Answer, Hop
from rehref.web.asking_options import WebOptions
from rehref.web.cache_ages import ages_of
from rehref.web.kept_answers import Cache

URL = "https://example.org/"


@given(answers(), st.none() | st.binary())
def test_an_answer_comes_back_as_it_was(answer: Answer, extra: bytes | None) -> None:
    row = row_of(answer, extra)
    assert row is not None
    headers = {name: text for name, text in answer.headers.items() if name in KEPT_FIELDS}
    assert answer_of(row) == replace(answer, body=None, headers=headers, from_cache=True)
    assert row.extra == extra


def test_no_cookie_is_kept() -> None:
    row = row_of(Answer(URL, status=200, headers={"set-cookie": "id=secret", "etag": '"1"'}), None)
    assert row is not None
    assert "secret" not in row.said
    assert '\\"1\\"' in row.said


@pytest.mark.parametrize(
    "answer",
    [
        Answer("https://me:secret@example.org/", status=200),
        Answer("https://me@example.org/", status=200),
        Answer(URL, status=200, final="https://me:secret@example.org/b"),
        Answer(URL, status=200, hops=(Hop(URL, 302, "//me:secret@example.org/b"),)),
        Answer(URL, status=201, headers={"location": "https://me:secret@example.org/b"}),
        Answer(URL, status=200, from_cache=True),
        Answer(URL, status=200, checked_at=float("nan")),
        Answer(URL + "a" * LARGEST, status=200),
        Answer(URL + "\ud800", status=200),
        Answer(URL, status=200, final=URL + "a" * LARGEST),
    ],
)
def test_what_is_not_to_be_kept_is_no_row(answer: Answer) -> None:
    assert row_of(answer, None) is None


def test_an_at_sign_elsewhere_is_no_password() -> None:
    assert row_of(Answer("https://example.org/@me", status=200), None) is not None


def test_what_is_too_large_to_be_kept_beside_it_is_left_out() -> None:
    row = row_of(Answer(URL, status=200), b"a" * (LARGEST_EXTRA + 1))
    assert row is not None
    assert row.extra is None


def said(**changed: Any) -> str:
    row = row_of(Answer(URL, status=200, hops=(Hop(URL, 301, URL),)), None)
    assert row is not None
    return json.dumps({**json.loads(row.said), **changed})


@pytest.mark.parametrize(
    "text",
    [
        *("", "null", "[]", "{}", "[" * 100_000, "\ud800"),
        *(said(status="200"), said(status=True), said(failure="no such"), said(hops=[["a", 301]]), said(hops=4)),
        *(said(hops=[[1, 2, 3]]), said(headers=[]), said(headers={"etag": 1}), said(detail=None), said(final=3)),
        *(said(final="http://[bad/"), said(final="HTTP://example.org"), said(hops=[[URL, 301, "http://[bad/"]])),
        *(said(headers={"etag": '"a"\r\nX: y'}), said(headers={"last-modified": "\x00"})),
        *(said(attempts=None), said(retry_after="1"), said(failure=["timeout"])),
    ],
)
def test_what_is_no_answer_is_not_one(text: str) -> None:
    assert answer_of(CachedUrl(URL, 0.0, text, None)) is None


@pytest.mark.parametrize("url", ["http://[bad/", "HTTP://example.org/", "x"])
def test_what_is_no_url_has_no_answer(url: str) -> None:
    assert answer_of(CachedUrl(url, 0.0, said(), None)) is None


def test_what_says_all_of_it_is_one() -> None:
    assert answer_of(CachedUrl(URL, 0.0, said(retry_after=1, failure="timeout", status=None), None)) == Answer(
        URL, failure="timeout", hops=(Hop(URL, 301, URL),), retry_after=1.0, from_cache=True
    )


@given(st.text())
def test_reading_a_row_never_fails(text: str) -> None:
    answer_of(CachedUrl(URL, 0.0, text, None))


CACHED = (
    '{"status": %s, "failure": null, "detail": "", "final": "", "hops": [], "headers": {}, "attempts": %s, '
    '"retry_after": %s}'
)


@pytest.mark.parametrize("row", [CACHED % ("%s", 1, "null"), CACHED % (200, "%s", "null"), CACHED % (200, 1, "%s")])
def test_what_a_row_says_is_bounded(row: str) -> None:
    assert_bounded(lambda number: answer_of(CachedUrl("http://h/", 1.0, row % number, None)))


NOW = 1_800_000_000.0


@pytest.fixture
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time at which rows leave."""
    monkeypatch.setattr(kept_answers.time, "time", lambda: NOW)


_STEPS = st.lists(
    st.sampled_from("abc").flatmap(
        lambda name: answers(url=URL + name, checked_at=NOW).flatmap(
            lambda answer: st.tuples(st.just(answer), st.none() | st.binary(max_size=9), st.booleans())
        )
    ),
    max_size=12,
)


@pytest.mark.usefixtures("_now")
@given(_STEPS)
def test_it_is_a_table_of_the_last_answers(steps: list[tuple[Answer, bytes | None, bool]]) -> None:
    expected: dict[str, tuple[Answer, bytes | None]] = {}
    ages = ages_of(["1d"])
    said: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "c.sqlite")
        cache = Cache.open(path, ages, WebOptions(), said.append)
        for answer, extra, reopens in steps:
            cache.keep(answer, extra)
            if answer.failure is None:
                headers = {name: text for name, text in answer.headers.items() if name in KEPT_FIELDS}
                expected[answer.url] = (replace(answer, headers=headers, from_cache=True), extra)
            if reopens:
                cache.close()
                cache = Cache.open(path, ages, WebOptions(), said.append)
            for url in (URL + "a", URL + "b", URL + "c"):
                kept = cache.find(url, NOW)
                assert (None if kept is None else (kept.answer, kept.extra)) == expected.get(url)
        cache.close()
    assert said == []
