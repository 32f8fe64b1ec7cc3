"""Checking a folder (site/_checking.py, reading_pages.py, pages/tables.py, checks/links.py)."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from checked.contexts import checked, host_named, written
from rehref.documents.options import ReadOptions
from rehref.site.check import CheckRun
from rehref.site.check_options import CheckOptions
from rehref.site.findings import UNKNOWN_HOST, CheckResult, Finding
from rehref.site.site import Site


def check(folder: Path, files: Mapping[str, str | bytes] | None = None, **options: Any) -> CheckResult:
    return checked(folder, files or {}, **options)


def told(result: CheckResult) -> list[tuple[str, str, str]]:
    return [(finding.document, finding.reference, finding.code) for finding in result.findings]


def test_a_site_without_fault_gives_no_findings(tmp_path: Path) -> None:
    result = check(
        tmp_path,
        {
            "index.html": "<p id=x><a href=a/><a href=a/b.html#y><a href='#x'><img srcset='i.png 1x, i.png 2x'>",
            "a/index.html": "<link rel=stylesheet href=../s.css><a href=../#x>",
            "a/b.html": "<a name=y href=https://elsewhere.example/>",
            "s.css": "a{b:url(i.png)}",
            "i.png": b"",
        },
    )
    assert result.findings == ()
    summary = result.summary
    assert (summary.documents, summary.links, summary.checked, summary.skipped) == (4, 9, 8, 1)
    assert (summary.broken, summary.warnings) == (0, 0)


def test_a_finding_says_where_what_and_why(tmp_path: Path) -> None:
    page = "<p>é\n<p><a class=x href='b.html#no'>"
    result = check(tmp_path, {"a/a.html": "<meta charset=utf-8>" + page, "a/b.html": ""})
    (finding,) = result.findings
    start = len(b"<meta charset=utf-8>") + page.encode().index(b"b.html")
    assert finding.base is not None
    assert finding.base.uri == f"{UNKNOWN_HOST}/a/a.html"
    assert finding._replace(base=None, message="") == Finding(
        document="a/a.html",
        code="missing-fragment",
        message="",
        line=2,
        column=21,
        span=(start, start + 9),
        element="a",
        attribute="href",
        reference="b.html#no",
        target=f"{UNKNOWN_HOST}/a/b.html#no",
        cause=finding.cause,
    )
    assert finding.severity == "error"
    assert "a/b.html" in finding.message
    assert "'no'" in finding.message


BROKEN = {
    "index.html": "<a href=no.html><a href=NO/A.html><a href=folder><img src='x y.png'>"
    "<a href=b.html#no><a href=b.html><img srcset='no.png 2x'><p style='b:url(no.gif)'>",
    "b.html": "<base href='x/'><a href=b.html><a href=../index.html><a href='#no'>",
    "s.css": "@import 'no.css';",
    "no/a.html": "<meta http-equiv=refresh content='0; url=no.html'>",
    "folder/x.png": b"",
    "i.svg": "<svg xmlns='http://www.w3.org/2000/svg'><a href='no.svg'/><a href='b.html#no'/></svg>",
}


@pytest.mark.parametrize("jobs", [1, 2])
def test_all_that_is_wrong_is_reported(tmp_path: Path, jobs: int) -> None:
    result = check(tmp_path, BROKEN, jobs=jobs)
    errors = {
        (finding.document, finding.reference, finding.code)
        for finding in result.findings
        if finding.severity == "error"
    }
    assert errors == {
        ("b.html", "b.html", "missing-file"),
        ("b.html", "#no", "missing-file"),
        ("i.svg", "b.html#no", "missing-fragment"),
        ("i.svg", "no.svg", "missing-file"),
        ("index.html", "NO/A.html", "case-mismatch"),
        ("index.html", "b.html#no", "missing-fragment"),
        ("index.html", "folder", "missing-index"),
        ("index.html", "no.gif", "missing-file"),
        ("index.html", "no.html", "missing-file"),
        ("index.html", "no.png", "missing-file"),
        ("index.html", "x y.png", "missing-file"),
        ("no/a.html", "no.html", "missing-file"),
        ("s.css", "no.css", "missing-file"),
    }
    warnings = {(finding.document, finding.code) for finding in result.findings if finding.severity == "warning"}
    assert warnings == {("b.html", "base-relative"), ("b.html", "leaves-document")}
    assert result.summary.broken == len(errors)
    assert result.summary.broken + result.summary.warnings == len(result.findings)


def test_the_base_can_be_ignored(tmp_path: Path) -> None:
    result = check(
        tmp_path,
        {"b.html": "<base href='x/'><a href=b.html><a href='#no'><p id=a>"},
        how=ReadOptions(ignore_embedded_base=True),
    )
    assert told(result) == [("b.html", "x/", "base-relative"), ("b.html", "#no", "missing-fragment")]


def test_findings_come_in_the_order_of_their_places(tmp_path: Path) -> None:
    result = check(tmp_path, BROKEN)
    places = [(finding.document, finding.line, finding.column) for finding in result.findings]
    assert places == sorted(places)


def test_every_occurrence_is_reported(tmp_path: Path) -> None:
    result = check(tmp_path, {"a.html": "<a href=b.html#x></a>" * 3 + "<a href=no></a>" * 2, "b.html": ""})
    assert [finding.column for finding in result.findings] == [9, 30, 51, 72, 87]


def test_a_site_url_maps_to_the_folder(tmp_path: Path) -> None:
    files = {
        "index.html": "<a href=https://example.org/docs/a.html><a href=https://example.org/docs/no.html>"
        "<a href=/docs/a.html><a href=/a.html><a href=https://example.org/a.html><a href=https://h.example/>",
        "a.html": "<link rel=canonical href=https://example.org/docs/a.html>",
    }
    result = check(tmp_path, files, site_url="https://example.org/docs")
    assert told(result) == [
        ("index.html", "https://example.org/docs/no.html", "missing-file"),
        ("index.html", "/a.html", "escapes-site"),
    ]
    assert result.summary.skipped == 2
    result = check(tmp_path, {}, site_url="https://example.org/docs/", root_dir="")
    assert told(result) == [("index.html", "https://example.org/docs/no.html", "missing-file")]


def test_hosts_and_what_replaces_their_rules(tmp_path: Path) -> None:
    files = {"index.html": "<a href=a><a href=f/>", "a.html": "", "f/main.htm": ""}
    assert len(check(tmp_path, files).findings) == 2
    assert told(check(tmp_path, host=host_named("github-pages"))) == [("index.html", "f/", "missing-index")]
    assert check(tmp_path, fallback_extensions=("html",), index_files=("main.htm",)).findings == ()


def test_redirections_are_followed_and_unread_ones_reported(tmp_path: Path) -> None:
    files = {
        "_redirects": "/old /a.html\n/x y z w\n",
        "index.html": "<a href=/old#x><a href=/old#y>",
        "a.html": "<p id=x>",
    }
    result = check(tmp_path, files, site_url="https://example.org/", host=host_named("netlify"))
    assert told(result) == [("_redirects", "", "redirect-not-read"), ("index.html", "/old#y", "missing-fragment")]
    assert result.findings[0].line == 2


def test_fragments_need_not_be_checked(tmp_path: Path) -> None:
    files = {"a.html": "<a href='#no'><a href=b.html#no><img usemap='#no'>", "b.html": "<a href=no>"}
    assert told(check(tmp_path, files, fragments=False)) == [("b.html", "no", "missing-file")]
    assert len(check(tmp_path, files).findings) == 4


def test_scripts_may_make_ids(tmp_path: Path) -> None:
    files = {"a.html": "<a href='#L1'><a href=b.html#L2><a href=b.html#M>", "b.html": ""}
    assert told(check(tmp_path, files, script_ids=(re.compile(r"L\d"),))) == [
        ("a.html", "b.html#M", "missing-fragment")
    ]


def test_fragments_only_matter_in_what_browsers_show(tmp_path: Path) -> None:
    files = {"a.html": "<a href=b.pdf#page=3><a href=c.txt#x><a href=d.css#x><a href=e.svg#x><a href=e.svg#xywh=1>"}
    result = check(
        tmp_path, files | {"b.pdf": "", "c.txt": "", "d.css": "", "e.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>"}
    )
    assert told(result) == [("a.html", "e.svg#x", "missing-fragment")]


def test_include_and_exclude_choose_targets(tmp_path: Path) -> None:
    files = {
        "a.html": "<a href='#no'><a href=no.html><a href=no/x.html><a href=no/x.html><a href=b.html#no>",
        "b.html": "",
    }
    result = check(tmp_path, files, exclude=(re.compile("/no/"), re.compile("a.html#")))
    assert [finding.reference for finding in result.findings] == ["no.html", "b.html#no"]
    assert (result.summary.checked, result.summary.skipped) == (2, 3)
    result = check(tmp_path, include=(re.compile("b.html"),))
    assert [finding.reference for finding in result.findings] == ["b.html#no"]
    assert result.summary.skipped == 4


def test_what_is_excluded_is_not_checked_but_may_be_linked_to(tmp_path: Path) -> None:
    files = {
        "a.html": "<a href=v/b.html#x><a href=v/b.html#no>",
        "v/b.html": "<p id=x><a href=no>",
        "w/c.html": "<a href=no>",
    }
    result = check(tmp_path, files, exclude_paths=("v", "*/c.html"))
    assert told(result) == [("a.html", "v/b.html#no", "missing-fragment")]
    assert (result.summary.documents, result.summary.links) == (1, 2)


def test_double_ids_are_a_warning_each(tmp_path: Path) -> None:
    page = "<p id=x>\n<p id=y><p id=x><p id=x><template><p id=y></template><p id=é><p id=é>"
    result = check(tmp_path, {"a.html": f"<meta charset=utf-8>{page}", "b.html": "<a href=a.html#x><a href=a.html#y>"})
    assert [(finding.code, finding.severity, finding.line, finding.column) for finding in result.findings] == [
        ("duplicate-id", "warning", 2, 15),
        ("duplicate-id", "warning", 2, 23),
    ]


@pytest.mark.parametrize(
    ("markup", "count"),
    [
        ("<div class='table wrapper' id=x>\n<table id=x class=t><caption>", 0),
        ("<div id=x><p>y</p><div id=x>\n<p id='x'>", 1),
        ("<div id=x><p id=x><a id=x name=x>", 0),
        ("<li id=x><p id=x>", 0),
        ("<div id=x><img src=i.png id=x>", 0),
        ("<div id=x>text<p id=x>", 1),
        ("<div id=x></div><div id=x>", 1),
        ("<div id=x><!-- --><p id=x>", 1),
        ("<div id=x><b><p id=x>", 1),
        ("<p id=x><p id=x>", 1),
        ("<p id=x><div id=x>", 1),
        ("<img src=i.png id=x><img src=i.png id=x>", 1),
        ("<svg><path id=x /><path id=x /></svg>", 1),
        ("<p id=x><p><p id=x name=x>", 1),
        ("<div id=x><p id='&#120;'>", 1),
    ],
)
def test_an_id_of_an_element_and_of_its_first_child_is_no_double(tmp_path: Path, markup: str, count: int) -> None:
    found = check(tmp_path, {"a.html": f"<a href=#x></a>{markup}", "i.png": b""}).findings
    assert [one.code for one in found] == ["duplicate-id"] * count


def test_a_fragment_of_a_link_that_browsers_do_not_show_is_a_warning(tmp_path: Path) -> None:
    files = {
        "a.html": "<link rel=Section href='#no'><link rel=Chapter href=b.html#no><link rel=next href=no.html>"
        "<link rel=icon href=i.svg#no><a href=b.html#no>",
        "b.html": "",
        "feed.atom": "<feed xmlns='http://www.w3.org/2005/Atom'><link href='b.html#no'/></feed>",
        "i.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    }
    result = check(tmp_path, files)
    assert [(one.document, one.severity, one.reference) for one in result.findings] == [
        ("a.html", "warning", "#no"),
        ("a.html", "warning", "b.html#no"),
        ("a.html", "error", "no.html"),
        ("a.html", "error", "i.svg#no"),
        ("a.html", "error", "b.html#no"),
        ("feed.atom", "error", "b.html#no"),
    ]
    assert len({(one.cause, one.severity) for one in result.findings}) == len({one.cause for one in result.findings})
    assert (result.summary.broken, result.summary.warnings) == (4, 2)


@pytest.mark.parametrize("jobs", [1, 2])
def test_double_ids_matter_wherever_the_link_is(tmp_path: Path, jobs: int) -> None:
    pages = {f"{number:03}.html": "<p id=x><p id=x><p id='é y'><p id='é y'><a href=#x>" for number in range(60)}
    links = "<meta charset=utf-8><a href=003.html#x><a href='005.html#é%20y'><a href='005.html#z'>"
    found = check(tmp_path, {"a.html": links, **pages}, jobs=jobs).findings
    doubles = [(one.document, one.reference) for one in found if one.code == "duplicate-id"]
    assert doubles == sorted([*((page, "x") for page in pages), ("005.html", "é y")])
    assert [(one.document, one.code) for one in found if one.code != "duplicate-id"] == [("a.html", "missing-fragment")]


IN_TEMPLATE = (
    "<a href='#no'><a href=a.html#no><a href=b.html#no><a href=no.html><img src='{{ url }}'>"
    "<img srcset='no.png, no2.png'><style>p{background:url(no3.png)}</style><svg><use href='#no-symbol'/></svg>"
    "<a href=b.html#no4>"
)


def test_what_is_in_a_template_is_left_to_scripts(tmp_path: Path) -> None:
    result = check(tmp_path, {"a.html": f"<template>{IN_TEMPLATE}</template>", "b.html": ""})
    assert result.findings == ()
    assert (result.summary.links, result.summary.checked, result.summary.skipped) == (10, 0, 10)
    inside = f"<div><template>{IN_TEMPLATE}</template>{IN_TEMPLATE}</div>"
    nested = f"<a href=no.html><template>{inside}</template><a href=no.html>"
    again = check(tmp_path, {"a.html": nested})
    assert [(finding.reference, finding.column) for finding in again.findings] == [
        ("no.html", 9),
        ("no.html", len(nested) - 7),
    ]
    assert (again.summary.links, again.summary.checked) == (22, 2)


@pytest.mark.parametrize(
    "shadow", ["shadowrootmode=open", "class=x shadowRootMode = 'closed' x", 'SHADOWROOTMODE="open"']
)
def test_what_parsers_put_into_the_page_is_checked(tmp_path: Path, shadow: str) -> None:
    links = "<img src=no.png><a href='#shadow'><a href=b.html#x><a href=b.html#y>"
    page = (
        f"<div><template {shadow}>{links}<template><img src=no2.png></template><img src=no3.png></template></div>"
        f"<p><template><i><template {shadow}><img src=no4.png></template></i><img src=no5.png></template>"
        "<img src=no6.png>"
    )
    result = check(tmp_path, {"a.html": page, "b.html": "<p id=y>"})
    assert [finding.reference for finding in result.findings] == ["no.png", "b.html#x", "no3.png", "no6.png"]


def test_what_is_in_a_template_leads_to_nothing(tmp_path: Path) -> None:
    page = '<p id=x><p id=x><template><a href="#x">1</a><a href=b.html>2</a></template><a href=no.html>3</a>'
    result = check(tmp_path, {"index.html": page, "b.html": ""}, checks=frozenset({"orphans"}))
    assert {(each.document, each.code) for each in result.findings} == {
        ("index.html", "missing-file"),
        ("b.html", "orphan"),
    }
    outside = page.replace("template", "div")
    result = check(tmp_path, {"index.html": outside, "b.html": ""}, checks=frozenset({"orphans"}))
    assert {(each.document, each.code) for each in result.findings} == {
        ("index.html", "missing-file"),
        ("index.html", "duplicate-id"),
    }


@pytest.mark.parametrize(
    "tag", ["<template shadowroot=open>", "<template title=shadowrootmode>", "<template shadowrootmode=x>"]
)
def test_other_templates_are_no_shadow_roots(tmp_path: Path, tag: str) -> None:
    result = check(tmp_path, {"a.html": f"{tag}<img src=no.png>"})
    assert (result.findings, result.summary.skipped) == ((), 1)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_link_with_rev_alone_is_none(tmp_path: Path, jobs: int) -> None:
    markup = (
        "<link rev=made href=me@example.org><link href=no.css REV=made><link rev href='a b\\c'>"
        "<link rev=made rel=author href=no2><link href=no3><link rel=next href=no4><link rev=next href=no5>"
    )
    files = {f"{number}.html": markup for number in range(45)}
    result = check(tmp_path, files, jobs=jobs)
    assert [finding.reference for finding in result.findings if finding.document == "7.html"] == ["no2", "no3", "no4"]
    assert result.summary.skipped == 4 * 45


def test_a_link_with_rev_alone_is_none_behind_one_without_both(tmp_path: Path) -> None:
    # options of its own, so that nothing is remembered of other tests
    files = {"a.html": "<link href=b.html><link rev=made href=c.html>", "b.html": "", "c.html": ""}
    result = check(tmp_path, files, how=ReadOptions(attributes=("*@data-x-here",)))
    assert (result.findings, result.summary.checked, result.summary.skipped) == ((), 1, 1)


def test_fragments_of_other_places_outside_of_templates_are_looked_up(tmp_path: Path) -> None:
    markup = "<img usemap='#no-map'><svg><use href='#no-symbol'/></svg><link rel=expect href='#no-part'>"
    inside = check(tmp_path, {"a.html": f"<template>{markup}</template>"})
    assert (inside.summary.skipped, inside.findings) == (3, ())
    outside = check(tmp_path, {"a.html": markup})
    assert [finding.reference for finding in outside.findings] == ["#no-map", "#no-symbol", "#no-part"]


def test_orphans(tmp_path: Path) -> None:
    files = {
        "index.html": "<a href=a.html>",
        "a.html": "",
        "b.html": "<a href=b.html><a href=c.html>",
        "c.html": "<a href=d/><a href=404.html>",
        "d/index.html": "",
        "404.html": "",
        "x.css": "",
    }
    assert [finding.document for finding in check(tmp_path, files, checks=frozenset({"orphans"})).findings] == [
        "b.html"
    ]
    assert check(tmp_path).findings == ()


def test_what_is_in_a_folder_that_cannot_be_read_is_not_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    links = "<a href=d/e.html#x><a href=d/f/><a href=d/><a href=d><a href=de/e.html><a href=d.html><a href=moved>"
    files = {"a.html": links, "d/e.html": "", "_redirects": "/d/e.html /gone\n/moved /d/g.html\n"}
    written(tmp_path, files)
    real = os.scandir

    def scandir(path: str) -> Any:
        if path == f"{tmp_path}/d":
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    result = check(tmp_path, host=host_named("netlify"), site_url="https://example.org/")
    assert [one for one in told(result) if one[0] != "_redirects"] == [
        ("a.html", "de/e.html", "missing-file"),
        ("a.html", "d.html", "missing-file"),
        ("d", "", "unreadable"),
    ]
    assert (result.summary.links, result.summary.skipped) == (9, 7)


def test_an_empty_folder(tmp_path: Path) -> None:
    result = check(tmp_path)
    assert (result.summary.documents, result.summary.links, result.findings) == (0, 0, ())


def test_progress_goes_up_to_the_number_of_documents(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    folder = written(tmp_path, {f"{number}.html": "" for number in range(30)})
    CheckRun().check(Site.of(folder, CheckOptions(jobs=1)), lambda done, all_: seen.append((done, all_)))
    assert seen[-1] == (30, 30)
    assert seen == sorted(seen)


@pytest.mark.parametrize(
    "content",
    [b"", b"<", b'\0\xff<a href="\xff\0', b"<a href='//[' id='\0'>", b"\xff\xfe<\0a\0", b"<a href=http://[::1/>" * 9],
)
@pytest.mark.parametrize("name", ["a.html", "a.svg", "a.xhtml", "a.css", "a.xml", "a.webmanifest"])
def test_no_content_stops_it(tmp_path: Path, content: bytes, name: str) -> None:
    assert check(tmp_path, {name: content}).summary.documents == 1


def test_the_places_of_missing_fragments_are_found_again(tmp_path: Path) -> None:
    page = (
        "<!DOCTYPE html><meta charset=utf-8><title>é</title><p>é\r\n<a title='é' href='b.html#no'>"
        '<A HREF="b.html#n&#111;">'
        "<area href=b.html#no alt><link rel=next href=b.html#no2><a href='./b.html#%C3%A9' href=x>\n"
        "<image src=b.html#no><a href='b.html#é'><a href=../up/b.html#x>"
    )
    written(tmp_path, {"up/a.html": page, "up/b.html": "<p id=o>"})
    found = [one for one in checked(tmp_path, {}).findings if one.code == "missing-fragment"]
    assert sorted((one.line, one.column, one.element, one.reference) for one in found) == [
        (2, 20, "a", "b.html#no"),
        (2, 40, "a", "b.html#no"),
        (2, 67, "area", "b.html#no"),
        (2, 101, "link", "b.html#no2"),
        (2, 121, "a", "./b.html#%C3%A9"),
        (3, 12, "img", "b.html#no"),
        (3, 31, "a", "b.html#é"),
        (3, 49, "a", "../up/b.html#x"),
    ]


# --- beside an independent way to do it: lxml's tree, urljoin, and the disk


def test_what_is_merely_of_note_is_info_and_off_by_default(tmp_path: Path) -> None:
    page = '<meta charset=utf-8><a href="é.html">a</a><a href="é.html">b</a><img srcset="é.html 1x">'
    files = {
        "index.html": page,
        "é.html": "",
        "ü.svg": "<svg xmlns='http://www.w3.org/2000/svg'><a href='é.html'/></svg>",
    }
    assert check(tmp_path, files).findings == ()
    result = check(tmp_path, files, how=ReadOptions(strict_uris=True))
    assert [(found.code, found.severity) for found in result.findings] == [("non-ascii", "info")] * 4
    assert (result.summary.broken, result.summary.warnings) == (0, 0)
