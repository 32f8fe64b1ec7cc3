"""What servers are asked because of the pages of a folder, and what comes of that (`rehref.check(external=True)`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from checked.asked_sites import Check, OutsideAndResult, found
from checked.made_web import Servers
from rehref.site._external.fragments_elsewhere import Recalled, Remembered
from rehref.web.answers import Answer, Hop, Question

A = "https://a.example"


def test_nothing_is_asked_unless_that_is_said(check: Check, servers: Servers) -> None:
    result = check(f"<a href={A}/x>", external=False, select=["all"])
    assert servers.asked == []
    assert (result.summary.checked, result.summary.skipped, result.summary.asked) == (0, 1, 0)


def test_each_url_is_asked_once_and_every_place_is_a_finding(check: Check, servers: Servers) -> None:
    page = f"<a href={A}/x>1</a><a href={A}/x>2</a><a href=HTTPS://A.example:443/x>3</a>"
    result = check(page, page)
    assert servers.asked == [Question(f"{A}/x")]
    assert [one.code for one in result.findings] == ["web-not-found"] * 6
    assert [cause.occurrences for cause in result.causes if cause.target == f"{A}/x"] == [4]
    sums = result.summary
    assert (sums.links, sums.checked, sums.skipped, sums.asked, sums.from_cache) == (6, 6, 0, 1, 0)
    assert result.findings[1].column == 1 + page.index(f"{A}/x", 20)


def test_the_body_is_asked_for_only_where_a_fragment_is_looked_for(check: Check, servers: Servers) -> None:
    check(f"<a href={A}/1><a href={A}/2#x><a href={A}/2><a href={A}/3#><a href={A}/4#top><a href={A}/5#:~:text=x>")
    assert {question.url[-1]: question.needs_body for question in servers.asked} == {
        "1": False,
        "2": True,
        "3": False,
        "4": False,
        "5": False,
    }
    servers.asked.clear()
    check(f"<a href={A}/2#x>", no_fragments=True)
    assert servers.asked == [Question(f"{A}/2")]


@pytest.mark.parametrize(
    "markup",
    [
        "<a href=https://own.example/1.html>",
        "<link rel=preconnect href=https://a.example>",
        "<link rel=dns-prefetch href=//a.example>",
        "<form method=post action=https://a.example/f></form>",
        "<form method=DIALOG action=https://a.example/f></form>",
        "<form method=get><button formaction=https://a.example/f>x</button></form>",
        "<a href=0.html ping=https://a.example/p>x</a>",
        "<svg xmlns=http://www.w3.org/2000/svg></svg>",
        "<a href=mailto:x@a.example>x</a><a href=ftp://a.example/>y</a>",
        "<!DOCTYPE html PUBLIC 'x' 'http://www.w3.org/TR/x.dtd'>",
        "<template><p></template><link rev=made href=https://a.example/m>",
        "<a href='https://a b.example/'>x</a>",
    ],
)
def test_what_is_not_asked(check: Check, servers: Servers, markup: str) -> None:
    check(markup + "<a href=0.html>", "")
    assert servers.asked == []


@pytest.mark.parametrize(
    ("markup", "url"),
    [
        ("<form action=https://a.example/f></form>", f"{A}/f"),
        ("<form method=get action=https://a.example/f></form>", f"{A}/f"),
        ("<img srcset='https://a.example/1 1x'>", f"{A}/1"),
        ("<p style='background: url(https://a.example/b)'>", f"{A}/b"),
        ("<base href=https://a.example/sub/><a href=../x>", f"{A}/x"),
        ("<a href=//a.example/x>", f"{A}/x"),
        ("<a href='https://a.example/ä b'>", f"{A}/%C3%A4%20b"),
        ("<a href='  https://ä.example'>", "https://xn--4ca.example/"),
        ("<iframe srcdoc='&lt;a href=https://a.example/i>'></iframe>", f"{A}/i"),
        ("<link rel=canonical href=https://a.example/c>", f"{A}/c"),
    ],
)
def test_what_is_asked(check: Check, servers: Servers, markup: str, url: str) -> None:
    result = check(f"<meta charset=utf-8>{markup}")
    assert servers.urls == [url]
    assert [code for code, _ in found(result) if code.startswith("web-")] == ["web-not-found"]


@pytest.mark.parametrize(
    "options",
    [
        {"exclude": ["a\\.example"]},
        {"include": ["own"]},
        {"exclude_path": ["0.html"]},
        {"ignore": ["web"]},
        {"per_path_ignores": {"0.html": ["web"]}},
        {"own_hosts": ["a.example"]},
        {"remap": ["https://a.example/=https://own.example/"]},
        {"files": ["1.html"]},
    ],
    ids=str,
)
def test_what_options_leave_out_is_not_asked(check: Check, servers: Servers, options: dict[str, Any]) -> None:
    result = check(f"<a href={A}/x#y>", "<a href=0.html>", **options)
    assert servers.asked == []
    assert result.summary.asked == 0


@pytest.mark.parametrize(
    "page",
    [
        "<!-- rehref-ignore-next-line -->\n<a href=https://a.example/x>",
        "<!-- rehref-ignore-next-line web -->\n<a href=https://a.example/x>",
        "<p data-rehref-ignore><a href=https://a.example/x></p>",
    ],
)
def test_what_a_page_leaves_out_is_not_asked(check: Check, servers: Servers, page: str) -> None:
    check(page + "\n\n<a href=https://a.example/other>")
    assert servers.urls == [f"{A}/other"]


def test_what_a_page_leaves_out_of_one_code_is_asked(check: Check, servers: Servers) -> None:
    result = check("<!-- rehref-ignore-next-line web-redirected -->\n<a href=https://a.example/x>")
    assert found(result) == [("web-not-found", f"{A}/x")]


def test_what_the_ignore_file_leaves_out_is_not_asked(check: Check, servers: Servers, tmp_path: Path) -> None:
    (tmp_path / ".rehrefignore").write_text("0.html\nuri:a\\.example/y\n")
    check(f"<a href={A}/x>", f"<a href={A}/y><a href={A}/z>")
    assert servers.urls == [f"{A}/z"]


def test_selected_codes_alone_are_reported(check: Check, servers: Servers) -> None:
    servers.moved(f"{A}/old", f"{A}/new")
    servers.moved(f"{A}/now", f"{A}/new", 302)
    page = f"<a href={A}/old><a href={A}/gone><a href={A}/now><a href=none.html>"
    every = [("web-redirected", f"{A}/old"), ("web-not-found", f"{A}/gone"), ("missing-file", "none.html")]
    assert found(check(page)) == every
    assert found(check(page, select=["web-not-found"])) == [every[1]]
    assert found(check(page, select=["missing-file"])) == every
    assert found(check(page, select=["web", "web-moved-for-now"])) == [
        *every[:2],
        ("web-moved-for-now", f"{A}/now"),
    ]
    assert found(check(page, ignore=["web-not-found"], warn=["missing-file"])) == [every[0], every[2]]
    assert check(page, error=["web-redirected"]).summary.broken == 3


def test_a_new_url_is_suggested_with_the_fragment(check: Check, servers: Servers) -> None:
    servers.page(f"{A}/old", "<p id=x>", "text/html", Hop(f"{A}/old", 301, f"{A}/new"))
    result = check(f"<a href={A}/old#x><a href={A}/old#gone>")
    assert [(one.code, one.suggestion, one.sure) for one in result.findings] == [
        ("web-redirected", f"{A}/new#x", True),
        ("missing-fragment", None, False),
        ("web-redirected", f"{A}/new#gone", False),
    ]
    assert "https://a.example/new has the id 'gone'" in result.findings[1].message


def test_the_fragment_of_a_redirection_goes_before_that_of_the_link(check: Check, servers: Servers) -> None:
    servers.page(f"{A}/old", "<p id=there>", "text/html", Hop(f"{A}/old", 308, f"{A}/new#there"))
    (one,) = check(f"<a href={A}/old#x>").findings
    assert (one.code, one.suggestion, one.sure) == ("web-redirected", f"{A}/new#there", False)
    (one,) = check(f"<a href={A}/old>").findings
    assert (one.code, one.suggestion, one.sure) == ("web-redirected", f"{A}/new#there", True)


def test_where_another_url_is_judged_no_new_one_is_suggested(check: Check, servers: Servers) -> None:
    servers.moved(f"{A}/old", f"{A}/new")
    (one,) = check("<a href=https://b.example/old>", remap=["https://b.example/=https://a.example/"]).findings
    assert (one.code, one.suggestion) == ("web-redirected", None)


def test_accepted_statuses_are_fine(check: Check, servers: Servers) -> None:
    servers.status(f"{A}/x", 403)
    assert found(check(f"<a href={A}/x>")) == [("web-forbidden", f"{A}/x")]
    for accept in ("200..=299,403", ["200..=299", "403"], [200, 403]):
        assert found(check(f"<a href={A}/x>", accept=accept)) == []


def test_in_python_ctrl_c_is_what_it_always_is(check: Check, servers: Servers) -> None:
    servers.interrupt_after = 0
    with pytest.raises(KeyboardInterrupt):
        check(f"<a href={A}/x>")


def test_ctrl_c_while_the_cache_is_looked_into_leaves_what_is_known(
    outside_and_result: OutsideAndResult, tmp_path: Path, servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(remembered: Remembered, question: Question) -> Recalled | Question:
        if question.url == f"{A}/y":
            raise KeyboardInterrupt
        return Recalled(Answer(question.url, 404, final=question.url, from_cache=True), None)

    monkeypatch.setattr(Remembered, "recall", interrupted)
    page = f"<a href={A}/x><a href={A}/y><a href=gone.html>"
    outside, result = outside_and_result(tmp_path, page)
    assert outside.stopped
    assert sorted(one.code for one in result.findings) == ["missing-file", "web-not-found"]
    assert servers.asked == []


def test_one_host_that_answers_means_that_there_is_a_network(check: Check, servers: Servers) -> None:
    urls = [f"https://h{number}.example/" for number in range(9)]
    for url in urls[1:]:
        servers.answers[url] = Answer(url, failure="no-connection")
    assert len(check("".join(f"<a href={url}>" for url in urls)).findings) == 9


def test_with_few_hosts_a_note_asks_for_the_network(check: Check, servers: Servers) -> None:
    asks = "no host had an address: is there a network?"
    servers.answers = {f"{A}/": Answer(f"{A}/", failure="unknown-host")}
    result = check(f"<a href={A}/>")
    assert found(result) == [("web-unknown-host", f"{A}/")]
    assert asks in result.hints
    assert asks not in check(f"<a href={A}/><a href=https://b.example/>").hints
    servers.answers["https://b.example/"] = Answer("https://b.example/", failure="no-connection")
    assert asks not in check(f"<a href={A}/><a href=https://b.example/>").hints


def test_a_host_that_stops_answering_is_one_note_and_the_errors_that_were_seen(check: Check, servers: Servers) -> None:
    servers.page(f"{A}/1", "<p>")
    servers.answers[f"{A}/2"] = Answer(f"{A}/2", failure="no-connection")
    dead = "https://dead.example/1"
    for url in (f"{A}/3", f"{A}/4", dead):
        servers.answers[url] = Answer(url, failure="no-connection", attempts=0)
    result = check("".join(f"<a href={url}>" for url in (*(f"{A}/{number}" for number in range(1, 5)), dead)))
    assert found(result) == [("web-no-connection", f"{A}/2"), ("web-no-connection", dead)]
    (hint,) = result.hints
    assert hint.startswith(f"{A} stopped answering (answers until then: 1); it was not asked about 2 more of its URLs")
    assert (result.summary.checked, result.summary.skipped) == (3, 2)


def test_passwords_are_in_no_message(check: Check, servers: Servers) -> None:
    url = "https://u:secret@a.example/x"
    servers.page(url, "<p>", "text/html", Hop(url, 301, "https://u:secret@a.example/new"))
    result = check(f"<a href={url}#x>")
    assert {"missing-fragment", "web-redirected"} <= {one.code for one in result.findings}
    assert all("secret" not in one.message for one in result.findings)
    assert all(one.suggestion is None for one in result.findings)
