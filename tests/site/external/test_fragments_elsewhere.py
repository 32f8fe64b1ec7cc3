"""Fragments of pages that servers sent, now or earlier: with the page's own base, and the encoding of the response."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import rehref
from bounded import assert_bounded
from checked.made_web import Servers
from rehref.site._external.fragments_elsewhere import Recalled, Remembered, _defined
from rehref.site._pages.fragments import Defined, Scripts
from rehref.web.answers import Answer, Question
from rehref.web.asking_options import WebOptions
from rehref.web.cache_ages import Ages
from rehref.web.kept_answers import Cache

A = "https://a.example"
Codes = Callable[..., list[str]]


@pytest.fixture
def codes(tmp_path: Path) -> Codes:
    """The codes that are found about links to these URLs."""

    def of(*urls: str, **options: Any) -> list[str]:
        (tmp_path / "index.html").write_text("".join(f'<a href="{url}">x</a>' for url in urls), "utf-8")
        return [one.code for one in rehref.check(tmp_path, external=True, **options).findings]

    return of


@pytest.mark.parametrize(
    ("body", "fragment"),
    [
        ("<p id=x>", "x"),
        ("<a name=x>", "x"),
        ("<p id='ä'>", "%C3%A4"),
        ("<svg><g id=x></svg>", "x"),
        ("<p>", "top"),
        ("<p>x</p><script>1</script>", "!/route"),
        ("<p id=user-content-x><script>1</script>", "x"),
        ("<p>x</p><script>1</script>", "L10-L20"),
        ("<p>x</p><script>1</script>", "issuecomment-123456"),
        ("<base href=/other/><p id=x>", "x"),
    ],
)
def test_fragments_that_are_there(codes: Codes, servers: Servers, body: str, fragment: str) -> None:
    servers.page(f"{A}/p", body)
    assert codes(f"{A}/p#{fragment}") == []


@pytest.mark.parametrize(
    ("body", "fragment"),
    [
        ("<p id=y>", "x"),
        ("<template><p id=x></template>", "x"),
        ("<p>", "!/route"),
        ("<p id=user-content-x>", "x"),
        ("<p>", "L10"),
        ("<p>x</p><script>1</script>", "Lost"),
        ("<!-- <p id=x> -->", "x"),
    ],
)
def test_fragments_that_are_not(codes: Codes, servers: Servers, body: str, fragment: str) -> None:
    servers.page(f"{A}/p", body)
    assert codes(f"{A}/p#{fragment}") == ["missing-fragment"]


@pytest.mark.parametrize(
    ("data", "media_type", "is_there"),
    [
        ("<p id='ä'>".encode("latin-1"), "text/html; charset=iso-8859-1", True),
        ("<p id='ä'>".encode("latin-1"), "text/html; charset=utf-8", False),
        ("<p id='ä'>".encode(), "text/html;charset=UTF-8", True),
        ("<meta charset=utf-8><p id='ä'>".encode(), "text/html", True),
        ("<p id='ä'>".encode("utf-16"), "text/html; charset=utf-8", True),
        ("<meta charset=utf-8><p id='ä'>".encode(), "text/html; charset=none-such", True),
        ("<p id='ä'>".encode(), "text/html; charset=utf_8_sig", False),  # which Python knows, and no browser
        ("<p id='ä'>".encode(), "text/html", False),  # nothing says it: browsers read windows-1252
        ("<p id='ä'>".encode("latin-1"), "text/html", True),
    ],
)
def test_the_encoding_is_that_of_the_response(
    codes: Codes, servers: Servers, data: bytes, media_type: str, *, is_there: bool
) -> None:
    servers.page(f"{A}/p", data, media_type)
    assert codes(f"{A}/p#%C3%A4") == ([] if is_there else ["missing-fragment"])


@pytest.mark.parametrize(
    ("media_type", "is_looked_at"),
    [
        ("text/html", True),
        ("application/xhtml+xml", True),
        ("image/svg+xml", True),
        ("application/pdf", False),
        ("text/plain", False),
        ("image/png", False),
        ("application/json", False),
    ],
)
def test_only_documents_that_browsers_show_have_fragments(
    codes: Codes, servers: Servers, media_type: str, *, is_looked_at: bool
) -> None:
    servers.page(f"{A}/p", "<svg xmlns='http://www.w3.org/2000/svg'/>", media_type)
    assert codes(f"{A}/p#x") == (["missing-fragment"] if is_looked_at else [])


@pytest.mark.parametrize(
    ("data", "is_there"),
    [(b"<p id=y>", False), (b"\x89PNG\r\n\x1a\n<p id=y>", True), (b"<?xml version='1.0'?><r/>", True)],
)
def test_without_a_type_only_what_looks_like_html_has_fragments(
    codes: Codes, servers: Servers, data: bytes, *, is_there: bool
) -> None:
    servers.page(f"{A}/p", data, "")
    assert codes(f"{A}/p#x") == ([] if is_there else ["missing-fragment"])


def test_the_encoding_that_is_asked_for_is_that_of_the_own_pages(tmp_path: Path, servers: Servers) -> None:
    servers.page(f"{A}/p", "<p id='ä'>".encode(), "text/html; charset=utf-8")
    (tmp_path / "index.html").write_bytes(f"<a href='{A}/p#ä'>x</a>".encode("latin-1"))
    assert rehref.check(tmp_path, external=True, encoding="latin-1").findings == ()


REFRESH = "<base href='/sub/'><meta http-equiv=refresh content='0; url=../new.html'>"
KEEPS = "<script>location.replace('../new.html' + location.hash)</script>"


def test_a_page_that_sends_browsers_on_does_so_from_its_own_base(codes: Codes, servers: Servers) -> None:
    servers.page(f"{A}/old/p", REFRESH + KEEPS)
    servers.page(f"{A}/new.html", "<p id=x>")
    assert codes(f"{A}/old/p#x", f"{A}/old/p#gone") == ["missing-fragment"]
    assert servers.asked == [Question(f"{A}/old/p", needs_body=True), Question(f"{A}/new.html", needs_body=True)]


def test_one_that_drops_the_fragment_is_not_followed(codes: Codes, servers: Servers) -> None:
    servers.page(f"{A}/old/p", REFRESH)
    assert codes(f"{A}/old/p#x") == ["missing-fragment"]
    assert servers.urls == [f"{A}/old/p"]


def test_pages_that_send_browsers_on_to_each_other_end(codes: Codes, servers: Servers) -> None:
    for one, other in (("a", "b"), ("b", "a")):
        servers.page(f"{A}/{one}", f"<meta http-equiv=refresh content='0; url={other}'>{KEEPS}")
    assert codes(f"{A}/a#x") == ["missing-fragment"]
    assert servers.urls == [f"{A}/a", f"{A}/b"]


@pytest.mark.parametrize("target", ["http://[bad/", "https://", "ftp://h/", "http://a b/", "//[", "http://:0/"])
def test_what_browsers_are_sent_on_to_need_not_be_a_url(codes: Codes, servers: Servers, target: str) -> None:
    servers.page(f"{A}/old", f"<meta http-equiv=refresh content='0;url={target}'><script>location.hash</script>")
    assert codes(f"{A}/old#x") == []
    assert [question.url for question in servers.asked if question.url.startswith(A)] == [f"{A}/old"]
    assert len(servers.asked) < 3


@pytest.mark.parametrize(("most", "asked"), [(10, 4), (1, 2), (0, 1)])
def test_an_endless_series_of_pages_ends(codes: Codes, servers: Servers, most: int, asked: int) -> None:
    for number in range(100):
        servers.page(f"{A}/{number}", f"<meta http-equiv=refresh content='0; url={number + 1}'>{KEEPS}")
    assert codes(f"{A}/0#x", max_redirects=most) == []
    assert len(servers.asked) == asked


@pytest.mark.parametrize(
    ("to", "options"),
    [
        (f"{A}/new", {"exclude": ["/new"]}),
        ("https://own.example/p", {"site_url": "https://own.example/"}),
        ("https://also.example/p", {"site_url": "https://own.example/", "own_hosts": ["also.example"]}),
        (f"{A}/new", {"remap": ["/new=/other"]}),
    ],
)
def test_browsers_are_not_followed_to_what_is_not_asked_about(
    codes: Codes, servers: Servers, to: str, options: dict[str, Any]
) -> None:
    servers.page(f"{A}/old", f"<meta http-equiv=refresh content='0; url={to}'>{KEEPS}")
    assert codes(f"{A}/old#x", **options) == []
    assert servers.urls == [f"{A}/old"]


def test_a_page_that_is_not_there_has_no_second_finding(codes: Codes, servers: Servers) -> None:
    assert codes(f"{A}/gone#x") == ["web-not-found"]


# what earlier runs learnt


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
        *(b"", b"null", b"[]", b"{}", b"[[1], [2], 3]", b"\xff"),
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
    with pytest.raises(ValueError, match=r"^no_cache: and cache contradict"):
        check(tmp_path, "<p>", no_cache=True)
    with pytest.raises(ValueError, match=r"^cache_age"):
        check(tmp_path, "<p>", cache_age=["soon"])


def test_what_is_remembered_is_bounded() -> None:
    assert_bounded(lambda number: _defined(f"[[], [true, true, {number}], null]".encode()))
