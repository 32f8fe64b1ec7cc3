"""What checking found, as a page: what is in it, that it asks nothing of anybody, that no document writes markup in it.

What its script does with it, tests/browser/test_browser_report.py asks a browser.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from typing import Any

import html5lib
import pytest

from made_findings import HOSTILE, finding, many, result, shown_as
from rehref.documents.base import Base, Rejected
from rehref.reports.terminal import visible
from rehref.site.codes import CODES
from rehref.site.findings import CheckResult, SitePlace


def parsed(text: str) -> Any:
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)  # raises what is no HTML
    return parser.parse(text)


def page(report: CheckResult, **options: Any) -> Any:
    return parsed(shown_as("html", report, **options))


def words_of(body: Any) -> str:
    for parent in body.iter():
        for child in list(parent):
            if child.tag in ("script", "style"):
                parent.remove(child)
    return " ".join("".join(body.find("body").itertext()).split())


def data_of(body: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(next(each.text for each in body.iter("script") if each.get("id") == "data"))
    return found


def column(data: dict[str, Any], name: str) -> list[str | None]:
    """The texts of a column."""
    return [None if number < 0 else data["texts"][number] for number in data["columns"][name]]


def line(number: int, text: str) -> Any:
    return lambda document, asked: text if asked == number else ""


def test_the_page_shows_everything() -> None:
    base = Base("http://o/", "embedded", "<base href> at 1:1")
    report = result(finding(column=16, suggestion="y.html", base=base), finding("z", line=9, code="orphan"))
    options = {"made": "22 November 2026", "options": ("--site-url", "http://h/d/")}
    body = page(report, line_of=line(3, '<p><a    href="x.html">x</a>'), **options)
    assert [mark.text for mark in body.iter("mark")] == ["x.html", "z"]
    cards = [each for each in body.iter("li") if "card" in each.get("class", "")]
    assert [each.get("class") for each in cards] == ["card error", "card warning"]
    titles = {each.get("title") for card in cards for each in card.iter("code") if each.get("title")}
    assert titles == {CODES["missing-file"].sentence, CODES["orphan"].sentence}
    title = body.find("head/title").text
    assert title == "1 error and 1 warning in 2 documents (1,200 links checked, 100 skipped, 0.2 s) · rehref check"
    words = words_of(body)
    for shown in (
        "rehref check public",
        "1 error and 1 warning",
        "2 documents, 1,200 links checked, 100 skipped, 0.2 s",
        "22 November 2026",
        "Options --site-url http://h/d/",
        "Links skipped 100: to other sites",
        "92.3% of all links were checked",
        "By code missing-file 1 finding, error",
        *("error missing-file", 'there is no file "x.html"', "a/b.html:3:16 a@href", '<p><a href="x.html">x</a>'),
        "leads to http://h/d/x.html",
        "relative to http://o/ <base href> at 1:1 (RFC 3986 §5.1.1)",
        "perhaps: y.html",
        "a/b.html:9:10 a@href",
    ):
        assert shown in words


def test_the_page_has_the_same_for_its_script() -> None:
    rejected = Rejected("data:,", "embedded", "<base href> at 1:1", "no base can be data:")
    base = Base("http://o/", "retrieval", "retrieval URI", (rejected,))
    found = finding(column=16, suggestion="y" * 900, sure=True, base=base)
    data = data_of(page(result(found), line_of=line(3, '<p><a    href="x.html">x</a>')))
    assert {name: column(data, name) for name in ("document", "place", "target", "host", "folder")} == {
        "document": ["a/b.html"],
        "place": ["a@href"],
        "target": ["http://h/d/x.html"],
        "host": ["h"],
        "folder": ["a/"],
    }
    assert [column(data, name)[0] for name in ("before", "marked", "after")] == ['<p><a    href="', "x.html", '">x</a>']
    assert column(data, "whole") == ["y" * 900]
    assert len(column(data, "suggestion")[0] or "") < 500
    assert (data["columns"]["line"], data["columns"]["column"], data["columns"]["sure"]) == ([3], [16], [1])
    uri, why, (why_not,) = data["bases"][0]
    assert [data["texts"][each] for each in (uri, why)] == ["http://o/", "retrieval URI (RFC 3986 §5.1.3)"]
    assert data["texts"][why_not] == "data:, (<base href> at 1:1): no base can be data:"
    assert data["codes"] == [["missing-file", CODES["missing-file"].sentence]]
    assert [number for _, number, _ in data["causes"]] == [1]


def test_the_page_without_findings_has_no_form_and_no_script() -> None:
    body = page(result())
    assert {each.tag for each in body.iter()}.isdisjoint({"form", "script", "ol"})
    assert "script-src 'none'" in next(each.get("content") for each in body.iter("meta") if each.get("http-equiv"))
    assert "No errors" in words_of(body)


def test_where_nothing_was_checked_there_is_nothing_good() -> None:
    body = page(result(links=3, checked=0, skipped=3))
    (verdict,) = [each for each in body.iter("p") if "verdict" in each.get("class", "")]
    assert (verdict.text, verdict.get("class")) == ("Nothing was checked", "verdict warning")
    assert body.find("head/title").text == "Nothing was checked · rehref check"
    assert "1 error" in words_of(page(result(finding(), checked=0)))


def test_the_page_asks_nothing_of_any_server() -> None:
    body = page(result(finding()))
    for each in body.iter():
        assert each.tag not in ("link", "img", "iframe", "object", "base")
        assert each.tag == "a" or "href" not in each.keys()  # noqa: SIM118 -- an element is no dict
        assert not {"src", "ping", "style", "action", "{http://www.w3.org/1999/xlink}href"} & set(each.keys())
        assert not [name for name in each.keys() if name.startswith("on")]  # noqa: SIM118 -- an element is no dict
    policy = next(each.get("content") for each in body.iter("meta") if each.get("http-equiv"))
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    texts = {"style": [each.text for each in body.iter("style")]}
    texts["script"] = [each.text for each in body.iter("script") if each.get("type") is None]
    assert [len(found) for found in texts.values()] == [1, 2]
    for name, found in texts.items():
        allowed = re.search(f"{name}-src ([^;]*)", policy)
        assert allowed is not None
        hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in found]
        assert allowed[1].split() == [f"'sha256-{digest}'" for digest in hashes]
        for text in found:
            assert not re.search(
                r"url\(|@import|innerHTML|outerHTML|insertAdjacent|eval\(|document\.write|fetch\(", text
            )
    assert "(prefers-color-scheme: dark)" in texts["style"][0]


PAYLOADS = [
    *HOSTILE,
    *('"><img src=x onerror=alert(1)>', "</pre></title><b>", "</script><script>alert(1)</script>", "<!--<script>"),
    *("</style><b>", "{{ 7 * 7 }}", "{% raw %}", "a\u2028b\u2029c\x00\x1b\udc80", "&lt;b&gt;"),
]


@pytest.mark.parametrize("all_places", [False, True])
@pytest.mark.parametrize("text", PAYLOADS)
def test_the_page_has_no_markup_of_documents(text: str, all_places: bool) -> None:
    harmless = page(result(finding("x", target="y", suggestion="z"), folder="."))
    base = Base(f"http://h/{text}", "embedded", text, (Rejected(text, "embedded", text, text),))
    values: dict[str, Any] = {"message": text, "suggestion": text, "document": text, "element": text, "base": base}
    report = result(finding(text, column=1, target="y", **values), folder=".")
    site = SitePlace(folder=text, url=f"https://h/{text}", basis="stated", sources=(text,), host_source=text)
    hostile = shown_as("html", report, line_of=lambda document, line: text, all_places=all_places, options=(text,))
    body = html5lib.parse(hostile, namespaceHTMLElements=False)
    kept = ("mark", "code")  # where there are options, and a reference is found in its line
    names = [each.tag for each in body.iter() if each.tag not in kept]
    assert names == [each.tag for each in harmless.iter() if each.tag not in kept]
    data = data_of(body)
    assert column(data, "message") == [visible(text)]
    assert visible(text) in words_of(body) or visible(text).split() != [visible(text)]
    with_sites = shown_as("html", CheckResult("x", report.summary, (), (site,), hints=(text,)))
    assert text not in with_sites or not re.search("[<\x00\udc80\u2028]", text)


def test_no_password_is_in_the_page() -> None:
    url = "http://user:secret@h/x"
    base = Base(url, "embedded", url, (Rejected(url, "embedded", url, url),))
    changes: dict[str, Any] = {"target": url, "suggestion": url, "message": f"no {url}", "base": base}
    report = result(finding(url, **changes), folder=".")
    shown = shown_as("html", report, line_of=lambda document, line: f'<a href="{url}">', options=(f"--site-url={url}",))
    assert "secret" not in shown
    assert "user:***@h" in shown


def test_a_page_of_a_server_is_named_by_its_url() -> None:
    url = "https://user:secret@h/a/"
    found = [finding(document=f"{url}{name}/x.html") for name in ("b", "c")]
    site = SitePlace(folder=url, url=url)
    report = replace(result(*found, folder="."), sites=(site,))
    body = page(report)
    data, words = data_of(body), words_of(body)
    assert words.startswith("To the findings rehref check https://user:***@h/a/ 2 errors")
    assert "secret" not in words
    assert column(data, "document") == [f"https://user:***@h/a/{name}/x.html" for name in ("b", "c")]
    assert column(data, "folder") == [f"https://user:***@h/a/{name}/" for name in ("b", "c")]
    assert "By folder https://user:***@h/a/b/ 1 finding" in words


def test_each_cause_is_a_card_and_all_places_are_for_the_script() -> None:
    body = page(many())
    cards = [each for each in body.iter("li") if "card" in each.get("class", "")]
    assert len(cards) == 2
    assert len(data_of(body)["columns"]["cause"]) == 1061
    assert "in 530 pages (1,060 places), this is the first" in words_of(body)


def test_with_all_places_the_view_by_page_is_first() -> None:
    body = page(many(), all_places=True)
    assert len([each for each in body.iter("li") if "card" in each.get("class", "")]) == 100
    assert [each.get("value") for each in body.iter("input") if each.get("name") == "view"][:2] == ["pages", "causes"]
    assert "961 more findings with scripts" in words_of(body)


def test_no_more_is_in_the_page_than_asked_for() -> None:
    assert "1 cause more not shown (--max-findings 1)" in words_of(page(many(20), most=1))
    data = data_of(page(many(20), most=1))
    assert (len(data["causes"]), len(data["columns"]["code"])) == (1, 40)
    data = data_of(page(many(20), most=3, all_places=True))
    assert len(data["columns"]["code"]) == 3
    assert {each.tag for each in page(many(20), most=0).iter()}.isdisjoint({"script", "form"})


def test_charts_have_all_numbers_as_text() -> None:
    found = [finding(f"{number % 12}.html", document=f"d{number % 12}/a.html") for number in range(24)]
    words = words_of(page(result(*found, finding(code="orphan", document="e/x/b.html"))))
    assert "By code missing-file 24 findings, error orphan 1 finding, warning" in words
    assert "By cause http://h/d/0.html 2 findings, error" in words
    assert "and 5 more causes" in words
    assert "By folder d0/ 2 findings" in words
    assert "and 5 more folders" in words


def test_causes_of_one_name_are_told_apart_by_their_codes() -> None:
    found = [finding("x.html", code=code) for code in ("missing-file", "case-mismatch") for _ in range(2)]
    words = words_of(page(result(*found, *(finding("y.html"),))))
    assert "missing-file: http://h/d/x.html 2 findings, error" in words
    assert "case-mismatch: http://h/d/x.html 2 findings" in words
    assert " http://h/d/y.html 1 finding, error" in words
    assert ": http://h/d/y.html" not in words


def test_there_is_no_chart_that_says_nothing() -> None:
    words = words_of(page(result(*(finding(f"{number}.html") for number in range(3)))))
    assert "By code" in words
    assert "By cause" not in words
    assert "By folder" not in words


def test_a_share_is_never_rounded_up_to_all() -> None:
    words = words_of(page(result(links=100_000, checked=99_999, skipped=1)))
    assert "99.9% of all links were checked" in words
    assert "of all links" not in words_of(page(result(links=0, checked=0, skipped=0)))


def test_what_was_not_read_is_named() -> None:
    found = [finding(document=f"{number}.png", code="other-format", line=None) for number in range(12)]
    words = words_of(page(result(*found, others=7)))
    assert "Not documents, despite their names 12 files: 0.png, 1.png" in words
    assert " 11.png," not in words
    assert "Other files 7 that are not documents" in words


def test_what_is_shortened_to_the_same_is_told_apart() -> None:
    names = [f"{'x' * 500}{number}{'y' * 500}" for number in range(3)]
    data = data_of(page(result(*(finding(name) for name in names for _ in range(2)))))
    goals = [goal or "" for goal in column(data, "goal")]
    assert len(set(goals)) == 3
    assert [goal[-4:] for goal in goals] == ["yyyy", "yyyy", " (2)", " (2)", " (3)", " (3)"]


def test_each_text_is_in_the_page_once() -> None:
    found = [finding("gone.html", document=f"p{number % 100}.html", line=number) for number in range(10_000)]
    data = data_of(page(result(*found), line_of=lambda document, line: '<a href="gone.html">'))
    assert len(data["columns"]["line"]) == 10_000
    assert len(data["texts"]) < 120


def test_what_a_reader_can_open_is_a_link() -> None:
    site = SitePlace("public", "https://h.example/d/")
    found = [
        finding("x y.html", document="a b.html", target="https://h.example/d/x%20y.html"),
        finding("http://o.example/p?q=1", target="http://o.example/p?q=1", document="c.html"),
        finding("https://me:secret@o.example/", target="https://me:secret@o.example/", document="c.html"),
        finding("javascript:x", target="javascript:x", document="c.html"),
    ]
    report = replace(result(*found), sites=(site,))
    body = page(report)
    links = {each.get("href"): each.get("rel") for each in body.iter("a")}
    expected = {
        *("https://h.example/d/a%20b.html", "https://h.example/d/c.html"),
        *("https://h.example/d/x%20y.html", "http://o.example/p?q=1"),
    }
    assert links == dict.fromkeys(expected, "noreferrer")
    data = data_of(body)
    assert set(column(data, "page_url")) | set(column(data, "target_url")) == {*expected, None}
    # nobody can open what is at a place that is not known
    unknown = replace(report, sites=(SitePlace("public", "https://site.invalid/d/"),))
    assert {each.get("href") for each in page(unknown).iter("a")} == {
        "http://o.example/p?q=1",
        "https://h.example/d/x%20y.html",
    }


def test_a_page_of_a_server_is_a_link() -> None:
    document = "https://h.example/a?b"
    body = page(result(finding(document=document)))
    assert document in {each.get("href") for each in body.iter("a")}
