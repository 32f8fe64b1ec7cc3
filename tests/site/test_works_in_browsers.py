"""What works in browsers, or is nobody's fault, and is not called broken (checking/pages, site/_checks/links.py)."""

from __future__ import annotations

from pathlib import Path

import pytest

from checked.contexts import checked, host_named
from rehref.site.findings import CheckResult
from rehref.site.given_options import patterns


def told(result: CheckResult) -> list[tuple[str, str]]:
    return [(finding.reference, finding.code) for finding in result.findings]


def test_what_something_is_sent_to_is_a_warning(tmp_path: Path) -> None:
    page = (
        "<form action=subscribe><button formaction=save><input formaction=B.html></form><a href=b.html ping='count /p'>"
        "<svg><a href=b.html ping=p2></a></svg><img src=i.png attributionsrc=a><form action=b.html#no></form>"
        "<a href=gone><form action=gone>"
    )
    result = checked(tmp_path, {"a.html": page, "b.html": "", "i.png": ""})
    endpoints = ["subscribe", "save", "B.html", "count", "/p", "p2", "a", "b.html#no", "gone"]
    expected = [*((each, "missing-endpoint") for each in endpoints[:-1]), ("gone", "missing-file")]
    assert told(result) == [*expected, ("gone", "missing-endpoint")]
    assert {finding.severity for finding in result.findings if finding.code == "missing-endpoint"} == {"warning"}
    assert (result.summary.broken, result.summary.warnings) == (1, 9)


def test_what_a_feed_sends_something_to_is_one_too(tmp_path: Path) -> None:
    inside = "<link>gone</link><textInput><link>search</link></textInput>"
    feed = f"<rss><channel>{inside}<item xmlns:t='http://madskills.com/public/xml/rss/module/trackback/'>"
    result = checked(tmp_path, {"feed.rss": f"{feed}<t:ping>track</t:ping></item></channel></rss>"})
    expected = [("gone", "missing-file"), ("search", "missing-endpoint"), ("track", "missing-endpoint")]
    assert told(result) == expected


def test_where_programs_send_something_is_one_too(tmp_path: Path) -> None:
    page = "<link rel=pingback href=x.php><link rel=webmention href=wm><link rel=EditURI href='x.php?rsd'>"
    expected = [(each, "missing-endpoint") for each in ("x.php", "wm", "x.php?rsd")]
    assert told(checked(tmp_path, {"a.html": page})) == expected


def test_identifiers_of_other_programs_are_skipped(tmp_path: Path) -> None:
    page = "<link rel=me href='at://did:plc:abc/x'><a href='at://did:plc:abc'>x</a><a href='did:plc:abc'>x</a><a href='http://a:b:c'>"
    result = checked(tmp_path, {"a.html": page})
    assert told(result) == [("http://a:b:c", "unresolvable")]
    assert result.summary.skipped == 3


def test_a_form_that_goes_nowhere_is_still_broken(tmp_path: Path) -> None:
    assert told(checked(tmp_path, {"a.html": "<form action='http://'>"})) == [("http://", "unresolvable")]


def test_what_only_a_condition_of_css_tests_is_not_fetched(tmp_path: Path) -> None:
    style = "@import url(s.css) supports(mask: url(a)); @supports (mask: url('b')) { p { mask: url(c) } }"
    assert told(checked(tmp_path, {"a.html": f"<style>{style}</style>", "s.css": style})) == [
        ("c", "missing-file"),
        ("c", "missing-file"),
    ]


def test_the_older_attribute_of_svg_counts_only_without_the_newer(tmp_path: Path) -> None:
    page = (
        "<svg><use href=i.svg xlink:href=gone.svg></use><use xlink:href='old.svg'></use>"
        "<image xlink:href=gone.png href=i.svg></image></svg><a href=i.svg xlink:href=html.svg>"
    )
    svg = (
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'>"
        "<use xlink:href='gone.svg' href='i.svg'/><use xlink:href='old.svg'/></svg>"
    )
    found = told(checked(tmp_path, {"a.html": page, "i.svg": svg}))
    assert found == [("old.svg", "missing-file")] * 2


FONT = """
@font-face {{ font-family: x; src: url(f.woff2) format("woff2"),
  url({url}) format("svg") }}
p {{ background: url(f.svg#no) }} q {{ mask: url("f.svg#icon") }}
"""


@pytest.mark.parametrize("url", ["f.svg#name", '"f.svg#name"', "'f.svg?v=4.7.0#name'", "F.svg#name", "sub/no.svg#name"])
def test_a_font_in_svg_is_only_looked_for_as_a_file(tmp_path: Path, url: str) -> None:
    files = {
        "s.css": FONT.format(url=url),
        "f.woff2": "",
        "f.svg": "<svg xmlns='http://www.w3.org/2000/svg'><g id='icon'/>",
    }
    files |= {"a.html": f"<style>{FONT.format(url=url)}</style><link rel=stylesheet href=s.css>"}
    found = told(checked(tmp_path, files))
    bare = url.strip("'\"")
    file = [(bare, {"F": "case-mismatch", "s": "missing-file"}[bare[0]])] if bare[0] in "Fs" else []
    # inside HTML and in the file alike
    assert [one for one in found if one[1] != "not-well-formed"] == [*file, ("f.svg#no", "missing-fragment")] * 2


@pytest.mark.parametrize(
    "css",
    [
        "p { background: url(f.svg#no) }",
        "@font-face { } p { background: url(f.svg#no) }",
        "@font-facex { src: url(f.svg#no) }",
        "{ src: url(f.svg#no)",
        "a: url(f.svg#no)",
        "@font-face /* x */ { } .p { mask: url('f.svg#no') }",
    ],
)
def test_other_fragments_of_svg_in_css_are_looked_up(tmp_path: Path, css: str) -> None:
    files = {"s.css": css, "f.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>"}
    assert told(checked(tmp_path, files)) == [("f.svg#no", "missing-fragment")]


@pytest.mark.parametrize("css", ["@FONT-FACE{src:url(f.svg#x)", "@font-face /* x */ {src:url(f.svg#x)}"])
def test_a_font_face_is_known_however_it_is_written(tmp_path: Path, css: str) -> None:
    assert told(checked(tmp_path, {"s.css": css, "f.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>"})) == []


OF_ITSELF = (
    "<link rel=canonical href=https://example.org/404/><link rel=alternate hreflang=fr href=https://example.org/fr/404>"
    "<meta property=og:url content=https://example.org/404/><a hreflang=de href=/de/missing/>"
    "<a lang=fr href=/fr/404.html><a href='/it/404/?x#y'><a href=/es/404/index.html>"
    '<script type=application/ld+json>{"@context":"https://schema.org","@type":"WebPage","url":"/404"}</script>'
)


@pytest.mark.parametrize("path", ["404.html", "fr/404.html", "404/index.html", "de/404.htm"])
def test_what_a_404_page_says_of_itself_is_left_out(tmp_path: Path, path: str) -> None:
    page = f"{OF_ITSELF}<a href=/gone.html><link rel=icon href=/gone.ico><a href=/404x/><p id=x><a href='#no'>"
    result = checked(tmp_path, {path: page, "index.html": ""}, site_url="https://example.org/")
    assert [each[0] for each in told(result)] == ["/gone.html", "/gone.ico", "/404x/", "#no"]


def test_other_pages_answer_for_what_they_say(tmp_path: Path) -> None:
    result = checked(tmp_path, {"x404.html": OF_ITSELF, "404s/index.html": OF_ITSELF}, site_url="https://example.org/")
    assert len(result.findings) == 2 * 8


def test_the_hosts_own_page_for_404_is_one(tmp_path: Path) -> None:
    files = {".htaccess": "ErrorDocument 404 /missing.html", "missing.html": OF_ITSELF}
    assert told(checked(tmp_path, files, site_url="https://example.org/", host=host_named("apache"))) == []


def test_a_backslash_becomes_the_slash_that_browsers_read(tmp_path: Path) -> None:
    slashes = {
        "..\\b\\c.html": "../b/c.html",
        "\\b\\c.html?x|y": "/b/c.html?x|y",  # browsers send the "|" as it is
        "\\b\\c.html?x#i\\j": "/b/c.html?x#i\\j",
        "..\\b\\d e.html": "../b/d%20e.html",
        "..\\b\\é.html": "../b/é.html",
        "https:/b/c.html": "/b/c.html",
        "https:\\\\x.org\\y": "https://x.org/y",
        "http:/x.org/y": "http://x.org/y",
        "\\\\x.org\\y": "//x.org/y",
        "javascript:'\\n'": None,
    }
    page = "<meta charset=utf-8>" + "".join(f'<a href="{reference}">1</a>' for reference in slashes)
    page += '<img srcset="..\\b\\c.html 2x">'
    files = dict.fromkeys(("b/c.html", "b/d e.html", "b/é.html"), "<p id='i\\j'>")
    result = checked(tmp_path, {**files, "a/i.html": page}, site_url="https://example.org/")
    slashes = [*slashes.items(), ("..\\b\\c.html", "../b/c.html")]
    assert [(finding.reference, finding.suggestion) for finding in result.findings] == slashes
    assert {finding.code for finding in result.findings} == {"not-a-uri", "browser-differs"}
    assert [finding.sure for finding in result.findings] == [
        new is not None and finding.code == "not-a-uri"
        for finding, (_, new) in zip(result.findings, slashes, strict=True)
    ]
    for finding in (result.findings[0], result.findings[-1]):
        assert finding.target == "https://example.org/b/c.html"


@pytest.mark.parametrize("base", ["", "<base href=/>"])
def test_the_target_shown_is_the_one_that_decided(tmp_path: Path, base: str) -> None:
    page = base + r"<a href='b\no.html'>1</a><a href='b\c.html#no'>2</a><p style='background:url(b\\no.png)'>"
    result = checked(tmp_path, {"b/c.html": "<p>", "i.html": page}, site_url="https://example.org/")
    targets = [finding.target.removeprefix("https://example.org/") for finding in result.findings if finding.target]
    assert targets == ["b/no.html", "b/c.html#no", "b/no.png"]


LOCAL = [
    "http://localhost",
    "https://localhost:8000/docs/",
    "HTTP://LocalHost./x",
    "//127.0.0.1:4000/",
    "http://127.1.2.3",
    "http://[::1]:8080/x",
    "http://app.localhost/#x",
    "http://me@localhost/",
]
ELSEWHERE = [
    "http://localhost.example/",
    "http://127.example.org/",
    "http://example.org/localhost",
    "http://example.org/?http://localhost",
    "http://[::11]/",
    "http://notlocalhost/",
    "mailto:me@localhost",
]


def test_the_readers_own_computer_is_no_place_to_lead_to(tmp_path: Path) -> None:
    page = "".join(f"<a href='{uri}'>" for uri in (*LOCAL, *ELSEWHERE))
    page += "<img srcset='http://localhost/i.png 2x'><style>p{background:url(http://localhost/i.png)}</style>"
    page += "<template><a href=http://localhost/t></template>"
    published = checked(tmp_path, {"index.html": page}, site_url="https://example.org/docs/")
    expected = [*LOCAL, "http://localhost/i.png", "http://localhost/i.png"]
    assert told(published) == [(uri, "local-address") for uri in expected]
    assert {finding.severity for finding in published.findings} == {"warning"}
    assert published.summary.broken == 0
    for site_url in ("http://localhost:8000/", None):
        assert not any(code == "local-address" for _, code in told(checked(tmp_path, {}, site_url=site_url)))
    excluded = checked(tmp_path, {}, site_url="https://example.org/", exclude=patterns("--exclude", ["(?i)localhost"]))
    assert [uri for uri, _ in told(excluded)] == [uri for uri in expected if "localhost" not in uri.lower()]


def test_what_may_reach_a_server_otherwise_is_odd(tmp_path: Path) -> None:
    odd = ["https://h.example/a>b", "https://h.example/?a`b", "https://h.example/%zz", "https://h.example/^é#x y"]
    fine = [
        "data:image/png;base64,AA  BB==",
        "DATA:text/html,<p>x",
        "https://h.example/#%_sec",
        "https://h.example/#text=#text=x",
        "https://h.example/#a b",
        "#a^b",
        "https://bücher.example/é?é#é",
        "https://h.example/\u0085",
    ]
    ids = "<p id='a^b'>"
    page = "<meta charset=utf-8>" + ids + "".join(f'<a href="{uri}">' for uri in (*odd, *fine))
    result = checked(tmp_path, {"a.html": page})
    assert told(result) == [(uri, "not-a-uri") for uri in odd]
    assert result.findings[-1].message.startswith("path, character")
