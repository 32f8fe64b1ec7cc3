"""What `rehref check` tells of a folder when its parts work together (site/_checking.py)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from checked.contexts import checked, host_named
from rehref.documents.options import ReadOptions
from rehref.site.findings import CheckResult


def codes(result: CheckResult) -> list[tuple[str, str, str]]:
    return [(finding.document, finding.reference, finding.code) for finding in result.findings]


def test_header_fields_for_the_host_are_checked_with_the_pages(tmp_path: Path) -> None:
    files = {
        "index.html": "<a href=gone.html>",
        "s.css": "",
        "_headers": "/*\n  Link: </s.css>, </x.css>; rel=preload\n",
    }
    result = checked(tmp_path, files)
    assert codes(result) == [
        ("_headers", "/x.css", "missing-file"),
        ("index.html", "gone.html", "missing-file"),
    ]
    assert (result.findings[0].line, result.findings[0].column) == (2, 20)
    assert result.summary.broken == 2


def test_a_manifest_is_known_by_its_name_and_by_what_it_holds(tmp_path: Path) -> None:
    files = {
        "index.html": "<p>",
        "manifest.json": '{"icons": [{"src": "gone.png"}], "start_url": "./"}',
        "build/manifest.json": '{"main.js": {"src": "gone.js"}}',
    }
    result = checked(tmp_path, files)
    assert codes(result) == [("manifest.json", "gone.png", "missing-file")]
    assert result.summary.documents == 2


def test_a_path_from_the_root_is_not_surely_wrong_where_no_host_is_known(tmp_path: Path) -> None:
    files = {"a/index.html": "<link rel=stylesheet href=/style.css>", "style.css": ""}
    assert codes(checked(tmp_path, files)) == []
    (finding,) = checked(tmp_path, files, infer=False).findings
    assert (finding.code, finding.suggestion, finding.sure) == ("escapes-site", "../style.css", False)
    assert "--root-dir ." in finding.message
    assert codes(checked(tmp_path, files, root_dir=".")) == []


def test_comments_and_names_are_known_from_the_first_reading(tmp_path: Path) -> None:
    files = {
        "a.html": "<!-- rehref-ignore -->\n<a href=gone.html>1</a>\n<a href=b.html#instal>2</a>",
        "b.html": "<h1 id=install>1</h1><a href=#instll>2</a>",
        "c.html": "<a href=gone.html>1</a>",
    }
    result = checked(tmp_path, files)
    assert [(finding.document, finding.reference, finding.suggestion) for finding in result.findings] == [
        ("a.html", "b.html#instal", "b.html#install"),
        ("b.html", "#instll", "#install"),
        ("c.html", "gone.html", None),
    ]


def test_what_browsers_follow_is_checked(tmp_path: Path) -> None:
    files = {
        "index.html": '<img src="img\\a.png"><img src="img\\b.png"><a href="https://example.org\\c.html">'
        '<a href="https:d.html"><img srcset="img\\a.png 1x, img\\b.png 2x">',
        "img/a.png": "",
    }
    told = [
        entry for entry in codes(checked(tmp_path, files, site_url="https://example.org/")) if "missing" in entry[2]
    ]
    assert told == [
        ("index.html", "img\\b.png", "missing-file"),
        ("index.html", "https://example.org\\c.html", "missing-file"),
        ("index.html", "https:d.html", "missing-file"),
        ("index.html", "img\\b.png", "missing-file"),
    ]


def test_noscript_is_text_for_a_browser_that_runs_scripts(tmp_path: Path) -> None:
    files = {"index.html": '<noscript><base href="sub/"></noscript><a href="r.html">', "r.html": ""}
    assert [entry[2] for entry in codes(checked(tmp_path, files)) if "missing" in entry[2]] == ["missing-file"]
    assert codes(checked(tmp_path, files, how=ReadOptions(scripting=True))) == []


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.html")
    (tmp_path / "link.html").symlink_to("pipe.html")
    assert codes(checked(tmp_path, {"index.html": "<a href=pipe.html>"})) == [
        ("index.html", "pipe.html", "missing-file")
    ]


def test_a_feed_or_a_sitemap_leads_nobody_to_a_page(tmp_path: Path) -> None:
    urls = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>lost.html</loc></url></urlset>'
    files = {"index.html": "<a href=a.html>", "a.html": "<a href=./>", "lost.html": "<p>", "sitemap.xml": urls}
    result = checked(tmp_path, files, checks=frozenset({"orphans"}))
    assert [entry[::2] for entry in codes(result) if entry[2] == "orphan"] == [("lost.html", "orphan")]


def test_the_fragment_of_a_redirection_goes_before_that_of_a_link(tmp_path: Path) -> None:
    files = {
        "index.html": "<a href=old#x>1</a><a href=new.html#x>2</a>",
        "new.html": "<p id=x>",
        "_redirects": "/old /new.html#gone 301\n",
    }
    result = checked(tmp_path, files, host=host_named("netlify"), site_url="https://example.org/")
    assert codes(result) == [
        ("_redirects", "/new.html#gone", "missing-fragment"),
        ("index.html", "old#x", "missing-fragment"),
    ]


def test_a_page_for_errors_is_no_orphan(tmp_path: Path) -> None:
    files = {"index.html": "<a href=./>1</a>", "oops.html": "<p>", "lost.html": "<p>"}
    asked: dict[str, Any] = {
        "checks": frozenset({"orphans"}),
        "host": host_named("apache"),
        "site_url": "https://example.org/",
    }
    assert codes(checked(tmp_path, {**files, ".htaccess": "ErrorDocument 404 /oops.html\n"}, **asked)) == [
        ("lost.html", "", "orphan")
    ]


def test_links_of_header_fields_are_counted_and_followed_as_browsers_do(tmp_path: Path) -> None:
    headers = "/index.html\n  Link: <img\\a.png>; rel=preload, <https://else.example/>; rel=me\n"
    summary = checked(tmp_path, {"index.html": "<p>", "img/a.png": "", "_headers": headers}).summary
    assert (summary.links, summary.checked, summary.skipped, summary.broken) == (2, 1, 1, 0)


def test_a_fragment_that_a_redirection_brings_is_not_mended_in_the_link(tmp_path: Path) -> None:
    files = {
        "index.html": "<a href=old.html#aple>1</a>",
        "old.html": "<p id=apple>",
        "new.html": "<p id=section>",
        "_redirects": "/old.html /new.html#seczion 301!\n",
    }
    found = checked(tmp_path, files, host=host_named("netlify"), site_url="https://example.org/").findings
    assert [(finding.document, finding.code, finding.suggestion) for finding in found] == [
        ("_redirects", "missing-fragment", None),
        ("index.html", "missing-fragment", None),
    ]


def test_a_page_of_declarations_takes_no_time(tmp_path: Path) -> None:
    assert codes(checked(tmp_path, {"index.html": "<!aaaaaaaaa>" * 60 + "<a href=x.html>"})) == [
        ("index.html", "x.html", "missing-file")
    ]


def test_nothing_is_sure_where_a_redirection_is_not_understood(tmp_path: Path) -> None:
    files = {
        "index.html": "<a href=/shop/old/contact-form.html#postal-address>1</a>",
        "about/contact-form.html": "<p id=postal-address>",
    }
    asked: dict[str, Any] = {"host": host_named("apache"), "site_url": "https://example.org/"}
    (sure,) = checked(tmp_path, files, **asked).findings
    assert (sure.suggestion, sure.sure) == ("/about/contact-form.html#postal-address", True)
    rules = {".htaccess": "RewriteEngine On\nRewriteRule ^shop/(.*)$ https://shop.example.org/$1 [R,L]\n"}
    (unsure,) = [each for each in checked(tmp_path, rules, **asked).findings if each.severity == "error"]
    assert (unsure.suggestion, unsure.sure) == ("/about/contact-form.html#postal-address", False)


def test_nothing_is_sure_where_browsers_go_elsewhere(tmp_path: Path) -> None:
    page = '<html xmlns="http://www.w3.org/1999/xhtml" xml:base="sub/"><body><a href="Page.html">1</a></body></html>'
    told = checked(tmp_path, {"index.xhtml": page, "Page.html": "", "sub/page.html": ""}).findings
    assert [(each.code, each.sure) for each in told if each.severity == "error"] == [("case-mismatch", False)]
