"""`include` and `exclude`: which references of a site are left out (site/_grounds/site_context.py)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import rehref
from checked import contexts
from checked.contexts import written
from rehref.site.findings import CheckResult

SITE = "https://h.example/docs/"
PAGE = (
    '<p><a href="gone.html">1</a><a href="sub/../gone.html">2</a><a href="b.html#no">3</a><a href="b html">4</a>'
    '<img srcset="gone.png 2x"><a href="http://u:p@else.example/">5</a><a href="#none">6</a>'
    '<a href="https://[x/">7</a><a href="  gone.html ">8</a><a href="../b.html">9</a>'
)
FILES = {
    "index.html": PAGE,
    "b.html": "<p id=x>",
    "sub/c.html": '<a href="../gone.html">',
    "s.css": "a{b:url(gone.png)}",
}


def checked(folder: Path, files: Mapping[str, str] = FILES, **options: Any) -> CheckResult:
    return contexts.checked(folder, files, **options)


def found(result: CheckResult) -> set[tuple[str, str]]:
    return {(finding.reference, finding.code) for finding in result.findings}


def patterns(*texts: str) -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, texts))


ALL = {
    ("gone.html", "missing-file"),
    ("sub/../gone.html", "missing-file"),
    ("b.html#no", "missing-fragment"),
    ("b html", "missing-file"),
    ("b html", "not-a-uri"),
    ("gone.png", "missing-file"),
    ("http://u:p@else.example/", "password-in-uri"),
    ("#none", "missing-fragment"),
    ("https://[x/", "unresolvable"),
    ("../b.html", "above-root"),
    ("../gone.html", "missing-file"),
}


def test_without_them_all_is_reported(tmp_path: Path) -> None:
    assert found(checked(tmp_path)) - {("b html", "not-a-uri")} == ALL - {("b html", "not-a-uri")}


@pytest.mark.parametrize(
    ("expressions", "left_out"),
    [
        ((r"\.\.",), {"sub/../gone.html", "../b.html", "../gone.html"}),  # as it is written
        (("^/sub/",), set()),
        (("^/gone.html$",), {"gone.html", "sub/../gone.html", "../gone.html"}),  # its target, without an unknown host
        (("gone",), {"gone.html", "sub/../gone.html", "../gone.html", "gone.png"}),
        (("else.example",), {"http://u:p@else.example/"}),  # the warning too
        (("b html",), {"b html"}),
        (("b%20html", "^#"), {"#none"}),
        (("^https?:",), {"http://u:p@else.example/", "https://[x/"}),  # other sites, not one's own
        (("/b[.]html$",), {"../b.html"}),
        (("index.html#none",), {"#none"}),
        (("b.html#no$",), {"b.html#no"}),
    ],
)
def test_what_is_excluded_is_left_out_with_its_warnings(
    tmp_path: Path, expressions: tuple[str, ...], left_out: set[str]
) -> None:
    before = checked(tmp_path)
    after = checked(tmp_path, exclude=patterns(*expressions), jobs=1 + ("gone" in expressions))
    assert found(after) == {(reference, code) for reference, code in found(before) if reference not in left_out}
    assert after.summary.links == before.summary.links
    assert (after.summary.skipped > before.summary.skipped) == bool(left_out - {"http://u:p@else.example/"})


@pytest.mark.parametrize(
    ("expressions", "included"),
    [
        ((r"\.\.",), {"sub/../gone.html", "../b.html", "../gone.html"}),
        (("^/gone.html$",), {"gone.html", "sub/../gone.html", "../gone.html"}),
        (("^sub/",), {"sub/../gone.html"}),
        (("else.example", "b html"), {"http://u:p@else.example/", "b html"}),
        (("^#",), {"#none"}),
        (("nothing",), set()),
    ],
)
def test_what_is_included_alone_is_reported_with_its_warnings(
    tmp_path: Path, expressions: tuple[str, ...], included: set[str]
) -> None:
    before, after = checked(tmp_path), checked(tmp_path, include=patterns(*expressions))
    assert found(after) == {(reference, code) for reference, code in found(before) if reference in included}
    assert after.summary.links == before.summary.links


def test_with_a_base_element_and_in_other_formats(tmp_path: Path) -> None:
    files = {
        "a.html": '<base href="sub/"><a href="x.html"><a href="../x.html"><a href="#y">',
        "feed.xml": '<feed xmlns="http://www.w3.org/2005/Atom"><link href="gone/x.html"/><link href="y.html"/></feed>',
        "_headers": "/*\n Link: </gone.css>; rel=preload\n",
        "robots.txt": "Sitemap: /none.xml\n",
    }
    references = {finding.reference for finding in checked(tmp_path, files, checks=frozenset({"sitemap"})).findings}
    assert {"x.html", "../x.html", "#y", "gone/x.html", "y.html", "/gone.css"} <= references
    left = checked(tmp_path, files, exclude=patterns(r"^\.\./", "gone", "^#"), checks=frozenset({"sitemap"}))
    missing = references - {finding.reference for finding in left.findings}
    assert missing == {"../x.html", "gone/x.html", "/gone.css", "#y"}


_LISTED = "".join(f"<url><loc>{SITE}{name}</loc></url>" for name in ("one", "two"))
_SITEMAP = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{_LISTED}</urlset>'
_REFRESH = '<meta http-equiv="refresh" content="0">'
OF_CHECKS: dict[str, tuple[str, dict[str, str]]] = {
    "ids": ("missing-fragment", {"a.html": '<a href="a.html#one"><a href="a.html#two">'}),
    "URLs that no browser parses": ("unresolvable", {"a.html": '<a href="http://one:x/"><a href="http://two:x/">'}),
    "URIs of files": ("file-uri", {"a.html": '<a href="file:///one"><a href="file:///two">'}),
    "header fields": ("missing-file", {"_headers": "/*\n Link: </docs/one>, </docs/two>\n", "a.html": ""}),
    "refreshes": ("refresh-loop", {"one.html": _REFRESH, "two.html": _REFRESH}),
    "text fragments": ("text-fragment", {"a.html": '<a href="a.html?one#:~:text=no"><a href="a.html?two#:~:text=no">'}),
    "sitemaps": ("missing-from-site", {"a.html": "", "sitemap.xml": _SITEMAP}),
    "lint": ("http-link", {"a.html": '<a href="http://one.example/"><a href="http://two.example/">'}),
}
"""For each check, its code and two findings."""


@pytest.mark.parametrize("check", OF_CHECKS)
def test_every_check_leaves_out_what_is_not_chosen(tmp_path: Path, check: str) -> None:
    code, files = OF_CHECKS[check]
    written(tmp_path, files)

    def left(**chosen: Any) -> list[str]:
        found = rehref.check(tmp_path, jobs=1, site_url=SITE, host="netlify", select=[code], **chosen).findings
        return ["one" if "one" in f"{each.document} {each.reference}" else "two" for each in found]

    assert (left(), left(exclude=["two"]), left(include=["two"])) == (["one", "two"], ["one"], ["two"])


def test_lines_of_the_ignore_file_match_both_too(tmp_path: Path) -> None:
    files = {**FILES, ".rehrefignore": "uri:^sub/\\.\\.\nuri:^/b%20html\nuri:^/b.html#no$\n"}
    left = {reference for reference, _ in found(checked(tmp_path, files))}
    assert {reference for reference, _ in ALL} - left == {"sub/../gone.html", "b.html#no"}
