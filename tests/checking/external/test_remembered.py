"""What is known of URLs from runs before, with the names in pages (checking/external/remembered.py)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from servers import Servers

import rehref
from rehref.checking.external.remembered import Recalled, Remembered
from rehref.checking.pages.fragments import Defined, Scripts
from rehref.web.cache.ages import Ages
from rehref.web.cache.cache import Cache
from rehref.web.model import Answer, Question
from rehref.web.options import WebOptions

A = "https://a.example"
NOW = datetime.now(tz=UTC).timestamp()


@pytest.fixture
def now(servers: Servers) -> None:
    """All answers are of now, as those of real servers."""
    made = servers.page

    def page(*given: Any) -> None:
        made(*given)
        servers.answers[given[0]] = replace(servers.answers[given[0]], checked_at=NOW)

    servers.page = page  # type: ignore[method-assign]


def check(folder: Path, page: str, **options: Any) -> rehref.CheckResult:
    site = folder / "site"
    site.mkdir(exist_ok=True)
    (site / "index.html").write_text(page)
    return rehref.check(site, external=True, cache=str(folder / "web.sqlite"), **options)


@pytest.mark.usefixtures("now")
def test_a_second_run_asks_nothing_and_finds_the_same(tmp_path: Path, servers: Servers) -> None:
    servers.page(f"{A}/p", "<p id=x>")
    page = f"<a href={A}/p#x><a href={A}/p#gone>"
    first = check(tmp_path, page)
    second = check(tmp_path, page)
    assert [one.code for one in first.findings] == ["missing-fragment"]
    assert second.findings == first.findings
    assert servers.urls == [f"{A}/p"]
    assert (first.summary.asked, first.summary.from_cache) == (1, 0)
    assert (second.summary.asked, second.summary.from_cache) == (1, 1)


@pytest.mark.usefixtures("now")
def test_a_page_that_was_not_read_is_asked_for_again_where_a_fragment_is_looked_for(
    tmp_path: Path, servers: Servers
) -> None:
    servers.page(f"{A}/p", "<p id=x>")
    check(tmp_path, f"<a href={A}/p>")
    assert [one.code for one in check(tmp_path, f"<a href={A}/p#gone>").findings] == ["missing-fragment"]
    assert [question.needs_body for question in servers.asked] == [False, True]
    check(tmp_path, f"<a href={A}/p>")
    assert len(servers.asked) == 2


@pytest.mark.usefixtures("now")
def test_what_is_as_it_was_has_the_names_that_it_had(tmp_path: Path, servers: Servers) -> None:
    servers.page(f"{A}/p", "<p id=x>")
    answer = servers.answers[f"{A}/p"]
    servers.answers[f"{A}/p"] = replace(answer, headers={**answer.headers, "etag": '"v1"'})
    page = f"<a href={A}/p#x><a href={A}/p#gone>"
    check(tmp_path, page, cache_age=["0"])
    servers.answers[f"{A}/p"] = Answer(f"{A}/p", 304, final=f"{A}/p", checked_at=NOW)
    assert [one.code for one in check(tmp_path, page, cache_age=["0"]).findings] == ["missing-fragment"]
    assert servers.asked[1].etag == '"v1"'


@pytest.mark.usefixtures("now")
def test_where_a_page_sends_browsers_on_to_is_remembered(tmp_path: Path, servers: Servers) -> None:
    script = "<script>location.replace('new' + location.hash)</script>"
    servers.page(f"{A}/old", f"<meta http-equiv=refresh content='0; url=new'>{script}")
    servers.page(f"{A}/new", "<p id=x>")
    for _ in range(2):
        result = check(tmp_path, f"<a href={A}/old#x><a href={A}/old#gone>")
        assert [one.reference for one in result.findings] == [f"{A}/old#gone"]
    assert len(servers.asked) == 2


def test_without_a_cache_in_python_nothing_is_written(
    tmp_path: Path, servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text(f"<a href={A}/p>")
    rehref.check(tmp_path / "site", external=True)
    assert servers.urls == [f"{A}/p"]
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize(
    "extra",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"[[1], [2], 3]",
        b"\xff",
        b"[" * 100_000,
        b'[["x"], [true, false], ["y"]]',
        b'[["x"], [true, false], ["http://[bad/", true, true]]',
        b'[["x"], [true, false], [7, true, true]]',
        b'[["x"], [true, false], ["file:///etc/passwd", true, true]]',
        b'[["x"], [true, false, 1e999], null]',
    ],
)
def test_what_is_not_as_it_was_written_is_not_taken(tmp_path: Path, extra: bytes) -> None:
    cache = Cache.open(tmp_path / "web.sqlite", Ages(), WebOptions(), print)
    answer = Answer(f"{A}/p", 200, final=f"{A}/p", checked_at=NOW)
    cache.keep(answer, extra)
    remembered = Remembered(cache)
    found = remembered.recall(Question(f"{A}/p"))
    assert getattr(found, "defined", "asked") is None
    remembered.close()


@pytest.mark.parametrize(("scripts", "numbered"), [("[true, false]", 0), ("[true, false, 3]", 3)])
def test_what_an_older_version_has_written_is_taken(tmp_path: Path, scripts: str, numbered: int) -> None:
    cache = Cache.open(tmp_path / "web.sqlite", Ages(), WebOptions(), print)
    cache.keep(Answer(f"{A}/p", 200, final=f"{A}/p", checked_at=NOW), f'[["x"], {scripts}, null]'.encode())
    remembered = Remembered(cache)
    found = remembered.recall(Question(f"{A}/p"))
    assert isinstance(found, Recalled)
    assert found.defined == Defined(frozenset({"x"}), Scripts(any=True, lines=False, numbered=numbered))
    remembered.close()


def test_a_cache_and_none_are_not_to_be_had_together(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="--no-cache"):
        check(tmp_path, "<p>", no_cache=True)
    with pytest.raises(ValueError, match="--cache-age"):
        check(tmp_path, "<p>", cache_age=["soon"])
