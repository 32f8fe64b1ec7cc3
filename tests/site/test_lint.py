"""The group `lint`: what is not wrong, but worth a look (site/_checks/lint_links.py, lint_pages.py)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rehref
from checked.contexts import written
from rehref.site.codes import GROUPS, LINT

ICON = "<link rel=icon href=data:,>"
SITE = "https://www.example.org/docs/"


def linted(
    folder: Path, files: dict[str, str], *, site_url: str | None = SITE, **options: Any
) -> list[tuple[Any, ...]]:
    """Document, line, code and reference of each finding."""
    written(folder, files)
    options.setdefault("select", ["lint"])
    found = rehref.check(folder, site_url=site_url, **options).findings
    return [(one.document, one.line, one.code, one.reference) for one in found]


def of_page(folder: Path, html: str, **options: Any) -> list[str]:
    """The codes, in order, of what is found in a page that has an icon."""
    return [code for _, _, code, _ in linted(folder, {"index.html": ICON + html}, **options)]


@pytest.mark.parametrize(
    ("html", "codes"),
    [
        ("<a href='#'>", ["hash-link"]),
        ("<a href=' # '>", ["hash-link"]),
        ("<map><area href='#'></map>", ["hash-link"]),
        ("<a href='#top'><a href=''><a href='index.html#'><svg><use href='#'/></svg>", []),
        ("<a href='//other.example/'>", ["protocol-relative"]),
        ("<img src='//other.example/x'>", ["protocol-relative"]),
        ("<meta property='og:image' content='//other.example/x'>", ["protocol-relative"]),
        ("<meta property='og:image' content='http://other.example/x'>", []),
        ("<a href='/docs/'><a href='https://other.example//x'>", []),
        ("<a href='http://www.example.org/docs/'>", ["own-http"]),
        ("<a href='http://WWW.example.org:80/docs/'>", ["own-http"]),
        ("<form action='http://www.example.org/docs/'>", ["own-http"]),
        ("<a href='http://other.example/'>", ["http-link"]),
        ("<a href='http://example.org/'>", ["http-link"]),
        ("<a href='https://other.example/'><a href='mailto:a@b.example'><cite cite='http://x.example'>", []),
        ("<img src='http://other.example/x'>", ["mixed-content"]),
        ("<img srcset='http://other.example/x 1x'>", ["mixed-content"]),
        ("<script src='http://other.example/x' integrity=x></script>", ["mixed-content"]),
        ("<link rel=stylesheet href='http://other.example/x' integrity=x>", ["mixed-content"]),
        ("<p style='background: url(http://other.example/x)'>", ["mixed-content"]),
        ("<iframe src='http://other.example/x'></iframe>", ["mixed-content"]),
        ("<iframe srcdoc='<img src=http://other.example/x>'></iframe>", ["mixed-content"]),
        ("<link rel=canonical href='http://other.example/x'>", ["http-link"]),
        ("<script src='https://cdn.example/x'></script>", ["no-integrity"]),
        ("<script src='https://cdn.example/x' integrity=' '></script>", ["no-integrity"]),
        ("<link rel='alternate STYLESHEET' href='https://cdn.example/x'>", ["no-integrity"]),
        ("<link rel=preload as=script href='https://cdn.example/x'>", ["no-integrity"]),
        ("<link rel=preload as=font href='https://cdn.example/x'>", []),
        ("<link rel=stylesheet href='https://cdn.example/x' integrity=sha384-x>", []),
        ("<script src='x.js'></script><script src='https://www.example.org/x.js'></script>", []),
        ("<img src='https://cdn.example/x'><link rel=me href='https://cdn.example/'>", []),
        ("<a target=_blank href='http://other.example/'>", ["blank-to-http", "http-link"]),
        ("<a target=_BLANK href='https://other.example/'><a target=x href='https://other.example/'>", []),
        ("<template><a href='http://other.example/'></template><!-- <a href='#'> -->", []),
    ],
)
def test_references(tmp_path: Path, html: str, codes: list[str]) -> None:
    assert sorted(code for code in of_page(tmp_path, html) if code in GROUPS["lint"].codes) == codes


def test_folders_without_a_slash(tmp_path: Path) -> None:
    files = {
        "index.html": ICON + "<a href=a>\n<a href=a/><a href=b>\n<a href='a?x#y'><a href=c><img src=a><a href=d%20e>\n"
        "<a href='/docs/a'><a href=../docs><a href=https://www.example.org/docs/a>",
        "a/index.html": ICON,
        "b.html": ICON,
        "b/index.html": ICON,
        "c": "",
        "d e/index.html": ICON,
    }
    found = [(line, reference) for _, line, _, reference in linted(tmp_path, files, host="github-pages")]
    assert found == [(1, "a"), (3, "a?x#y"), (3, "d%20e"), (4, "/docs/a"), (4, "https://www.example.org/docs/a")]


def test_a_site_on_http_loads_by_http(tmp_path: Path) -> None:
    html = "<img src='http://other.example/x'><a href='http://www.example.org/'>"
    assert of_page(tmp_path, html, site_url="http://www.example.org/") == ["http-link", "http-link"]
    assert of_page(tmp_path, html, site_url=None) == ["mixed-content", "http-link"]


def test_a_base_on_http_has_everything_there(tmp_path: Path) -> None:
    html = "<base href='http://other.example/'><a href=x>\n<img src=y><a href='https://other.example/'>"
    found = linted(tmp_path, {"index.html": ICON + html})
    assert [(line, code, reference) for _, line, code, reference in found] == [
        (1, "http-link", "x"),
        (2, "mixed-content", "y"),
    ]


def test_other_hosts_of_the_site(tmp_path: Path) -> None:
    html = "<a href='http://old.example/'><script src='https://old.example/x.js'></script>"
    assert of_page(tmp_path, html, own_hosts=["OLD.example"], select=["own-http", "no-integrity"]) == ["own-http"]


def test_pages_without_an_icon(tmp_path: Path) -> None:
    files = {
        "a.html": "<p>",
        "b.html": "<link rel='Shortcut ICON' href=x>",
        "c.html": "<link rel=icons href=x><template><link rel=icon href=x></template>",
        "d.html": "<meta http-equiv=refresh content='0; a.html'>",
        "e.html": "<meta http-equiv=refresh content='9; a.html'>",
        "f.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    }
    expected = [(name, None, "no-favicon", "") for name in ("a.html", "c.html", "e.html")]
    for site_url in (SITE, "https://www.example.org/"):
        assert linted(tmp_path, files, site_url=site_url, select=["no-favicon"]) == expected
    (tmp_path / "favicon.ico").write_bytes(b"")
    assert linted(tmp_path, files, select=["no-favicon"]) == expected  # it is not at the root of the host
    assert linted(tmp_path, files, site_url="https://www.example.org/", select=["no-favicon"]) == []


def test_open_graph(tmp_path: Path) -> None:
    html = (
        "<meta property=og:title content=x>\n<meta property=og:image content=''>\n<meta property=OG:url>\n"
        "<meta name=og:x content=''><meta property=fb:x content=''><meta content=' ' property='og:type'>\n"
        "<template><meta property=og:x></template>"
    )
    found = linted(tmp_path, {"a.html": ICON + html})
    assert [(line, code, reference) for _, line, code, reference in found] == [
        (2, "empty-open-graph", "og:image"),
        (3, "empty-open-graph", "OG:url"),
        (4, "empty-open-graph", "og:type"),
    ]


def test_all_of_it_is_off_by_default(tmp_path: Path) -> None:
    html = "<a href='#'><img src='http://other.example/x'><script src='//cdn.example/x'></script><meta property=og:x>"
    assert linted(tmp_path, {"a.html": html}, select=[]) == []
    assert {code for _, _, code, _ in linted(tmp_path, {}, select=["default", "lint"])} == {
        *("hash-link", "mixed-content", "no-integrity", "protocol-relative", "empty-open-graph", "no-favicon")
    }
    assert {code for _, _, code, _ in linted(tmp_path, {}, select=[], error=["hash-link"])} == {"hash-link"}
    assert linted(tmp_path, {}, select=["errors", "warnings"]) == []
    assert {row.name for row in LINT} == {*GROUPS["lint"].codes}
    assert not {*GROUPS["lint"].codes} & {*GROUPS["default"].codes}


def test_https_can_be_required(tmp_path: Path) -> None:
    html = "<a href='http://other.example/'><img src='http://other.example/x'><a href='http://www.example.org/docs/a.html'>"
    (tmp_path / "a.html").write_text(html)
    result = rehref.check(tmp_path, site_url=SITE, require_https=True)
    assert [(one.code, one.severity) for one in result.findings] == [
        ("http-link", "error"),
        ("mixed-content", "error"),
        ("own-http", "error"),
    ]
    assert result.summary.broken == 3
    quiet = rehref.check(tmp_path, site_url=SITE, require_https=True, ignore=["http-link"])
    assert [one.code for one in quiet.findings] == ["mixed-content", "own-http"]


def test_style_sheets_and_feeds(tmp_path: Path) -> None:
    files = {
        "a.css": "a { background: url(http://other.example/x) }",
        "b.atom": "<feed xmlns='http://www.w3.org/2005/Atom'><link href='http://other.example/'/></feed>",
    }
    assert [(document, code) for document, _, code, _ in linted(tmp_path, files)] == [
        ("a.css", "mixed-content"),
        ("b.atom", "http-link"),
    ]


def test_a_code_on_request_asks_for_its_check(tmp_path: Path) -> None:
    files = {"index.html": "<a href='b.html#:~:text=nothing'></a>", "b.html": "<p>x", "c.html": "<p>y"}
    assert linted(tmp_path, files, select=["orphan"]) == [("c.html", None, "orphan", "")]
    assert linted(tmp_path, files, select=[], warn=["orphan"]) == [("c.html", None, "orphan", "")]
    assert [one[2] for one in linted(tmp_path, files, select=["text-fragment"])] == ["text-fragment"]
    assert [one[2] for one in linted(tmp_path, files, select=["no-sitemap"])] == ["no-sitemap"]
    assert linted(tmp_path, files, select=["default", "errors"]) == []
    assert linted(tmp_path, files, select=["missing-file"], orphans=True) == [("c.html", None, "orphan", "")]
    assert linted(tmp_path, files, select=[], orphans=True, ignore=["orphan"]) == []


def test_a_code_that_an_option_is_for_asks_for_it(tmp_path: Path) -> None:
    files = {"é.html": "<meta charset=utf-8><a href='é.html'>"}
    assert linted(tmp_path, files, select=[]) == []
    assert [code for _, _, code, _ in linted(tmp_path, files, select=["non-ascii"])] == ["non-ascii"]
    assert [code for _, _, code, _ in linted(tmp_path, files, select=[], warn=["non-ascii"])] == ["non-ascii"]
