"""Fragments that name nothing, and are right all the same (site/_pages/fragments.py)."""

from __future__ import annotations

from array import array
from collections.abc import Container
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from checked.contexts import checked
from growth import assert_proportional
from rehref.cli.program import program
from rehref.documents.base import Layers
from rehref.documents.media_types import MediaType
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.site._pages.fragments import (
    NO_SCRIPTS,
    Defined,
    LeadsOn,
    Scripts,
    is_for_scripts,
    keeps_fragment,
)
from rehref.site._pages.fragments import scripts_of as scripts_of_document
from rehref.site._pages.site_tables import Chunk, DocumentRow, SiteTable
from rehref.site.findings import CheckResult

RUSTDOC = '<head><meta charset="utf-8"><meta name="generator" content="rustdoc"><script src="x.js"></script></head>'
NUMBERS = '<script src="scripts/linenumber.js"> </script>'
LINES = "".join(f'<span id="{number}">{number}</span>' for number in range(1, 10))
KEEPS = '<script>location.replace("new.html" + location.search + location.hash);</script>'
# as mkdocs-redirects writes it
MKDOCS = '<script>var anchor=window.location.hash.substr(1);location.href="new.html"+(anchor?"#"+anchor:"")</script>'
SCRIPT = "<script src='https://cdn.example/app.js'></script>"


def scripts_of(page: bytes, names: Container[str], encoding: str = "utf-8") -> Scripts:
    return scripts_of_document(read_document(page, MediaType.HTML, encoding, Layers(), ReadOptions.DEFAULT), names)


def wrong(result: CheckResult) -> list[str]:
    return [finding.reference for finding in result.findings if finding.code == "missing-fragment"]


def links(*references: str) -> str:
    return "".join(f'<a href="{reference}">x</a>' for reference in references)


def refresh(content: str) -> str:
    return f'<meta http-equiv="refresh" content="{content}">'


def test_line_ranges_are_right_in_source_pages_of_rustdoc(tmp_path: Path) -> None:
    files = {
        "a.html": links(
            "s.rs.html#2-4", "s.rs.html#4-2", "s.rs.html#3", "s.rs.html#2-10", "s.rs.html#0-4", "s.rs.html#x"
        ),
        "s.rs.html": f"{RUSTDOC}{LINES}{links('#1-9', '#1-99', 's.rs.html#5-6')}<script src=x.js></script>",
        "x.js": "",
    }
    assert wrong(checked(tmp_path, files)) == ["s.rs.html#2-10", "s.rs.html#0-4", "s.rs.html#x", "#1-99"]


@pytest.mark.parametrize(
    "page",
    [
        LINES,
        SCRIPT + LINES,
        f'<meta name="generator" content="rustdoc">{LINES}',
        "<meta name=generator content=rustdoc2><script></script>" + LINES,
        "<p title='rustdoc'><script></script>" + LINES,
    ],
)
def test_line_ranges_are_wrong_in_other_pages(tmp_path: Path, page: str) -> None:
    assert wrong(checked(tmp_path, {"a.html": links("s.html#2-4"), "s.html": page})) == ["s.html#2-4"]


def source(code: str) -> str:
    """A source page as jsdoc makes it; `code`: escaped."""
    before = "<script src=scripts/prettify/prettify.js></script>"
    return f'{before}<pre class="prettyprint source linenums"><code>{code}</code></pre>{NUMBERS}'


def test_lines_are_right_in_source_pages_of_jsdoc(tmp_path: Path) -> None:
    here = ["#line1", "#line3", "#line4", "#line99", "#line0", "#line01", "#line", "#line1-2", "#line1e0", "#top"]
    files = {
        "a.html": links(*(f"a.js.html{each}" for each in here)),
        "a.js.html": source("/** A thing. */\nfunction thing() {}\n\n") + links("#line2", "#line4"),
        "scripts/linenumber.js": "",
        "scripts/prettify/prettify.js": "",
    }
    wrong_here = ["#line4", "#line99", "#line0", "#line01", "#line", "#line1-2", "#line1e0"]
    assert wrong(checked(tmp_path, files)) == [*(f"a.js.html{each}" for each in wrong_here), "#line4"]


@pytest.mark.parametrize(
    ("page", "count"),
    [
        (source("a\n"), 1),
        (source("a\nb"), 2),
        (source("a\r\nb\r\n"), 2),
        (source(""), 1),
        (source("\n\n"), 2),
        (source("a\n").replace(' linenums"', ' linenums" id="source-code"'), 1),
        (source("a\n") + source("a\nb\nc\n"), 1),
        (source("a\n").replace("linenums", "lines"), 0),
        (source("a\n").replace(NUMBERS, ""), 0),
        (source("a\n") + " " * 5000, 0),
    ],
)
def test_the_script_of_jsdoc_numbers_the_lines_of_the_first_source(page: str, count: int) -> None:
    assert scripts_of(page.encode(), ()).numbered == count


@pytest.mark.parametrize("fragment", ["/", "/guide/start", "!", "!/guide", "/a?b=c", "!x"])
def test_routes_are_right_where_a_script_can_read_them(tmp_path: Path, fragment: str) -> None:
    files = {
        "a.html": links(f"b.html#{fragment}", f"c.html#{fragment}", f"d.svg#{fragment}", f"#{fragment}"),
        "b.html": SCRIPT,
        "c.html": "<p title='script'>",
        "d.svg": "<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>",
    }
    expected = [f"c.html#{fragment}", f"d.svg#{fragment}", f"#{fragment}"]
    assert wrong(checked(tmp_path, files)) == expected
    here = checked(tmp_path, {**files, "a.html": SCRIPT + files["a.html"]})
    assert wrong(here) == expected[:2]


def test_what_only_holds_a_slash_is_no_route(tmp_path: Path) -> None:
    assert wrong(checked(tmp_path, {"a.html": SCRIPT + links("#x/y", "#x!", "#")})) == ["#x/y", "#x!"]


def test_what_a_page_has_is_found_in_any_encoding() -> None:
    assert scripts_of("<script>".encode("utf-16-le"), (), "utf-16le").any
    assert scripts_of(b"<SCRIPT>", ()) == Scripts(any=True, lines=False)
    assert scripts_of(b"<p>", ("1",)) == NO_SCRIPTS
    late = b" " * 5000 + RUSTDOC.encode()
    assert not scripts_of(late, ("1",)).lines
    assert not scripts_of(RUSTDOC.encode(), ("x",)).lines
    assert scripts_of(RUSTDOC.encode(), ("1",)).lines


def test_a_range_has_two_ends() -> None:
    lines = Scripts(any=True, lines=True)
    assert is_for_scripts("1-2", ("1", "2"), lines)
    assert not any(is_for_scripts(each, ("1", "2"), lines) for each in ("1-", "-2", "1-2-1", "1–2", "1", "1-3", ""))


@pytest.mark.parametrize(
    "script", [KEEPS, MKDOCS, KEEPS.upper().replace("LOCATION", "location").replace("HASH", "hash")]
)
def test_a_fragment_is_looked_up_where_a_script_sends_it(tmp_path: Path, script: str) -> None:
    files = {
        "a.html": links("old.html#x", "old.html#y", "old.html", "old.html#own", "old.html#top"),
        "old.html": f"{refresh('0; url=new.html')}<p id=own>{script}",
        "new.html": "<p id=x>",
    }
    result = checked(tmp_path, files)
    assert wrong(result) == ["old.html#y"]
    assert result.findings[0].message == "nothing in new.html, to which old.html refreshes, has the id 'y'"


def test_without_a_script_the_fragment_is_dropped(tmp_path: Path) -> None:
    files = {
        "a.html": links("old.html#x", "late.html#x", "script.html#x"),
        "old.html": refresh("0; url=new.html"),
        "late.html": refresh("5; url=new.html") + KEEPS,
        "script.html": refresh("0; url=new.html") + "<script>location='new.html'</script><p>location.hash",
        "new.html": "<p id=x>",
    }
    messages = {finding.reference: finding.message for finding in checked(tmp_path, files).findings}
    dropped = "refreshes to new.html, and browsers drop the fragment 'x'"
    assert messages == {
        "old.html#x": f"old.html {dropped}",
        "late.html#x": "nothing in late.html has the id 'x'",
        "script.html#x": f"script.html {dropped}",
    }


def test_pages_may_send_browsers_on_and_on(tmp_path: Path) -> None:
    files = {
        "a.html": links("1.html#x", "1.html#y", "away.html#x", "image.html#x", "gone.html#x", "turn.html#x"),
        "1.html": refresh("0; url=2.html") + KEEPS,
        "2.html": refresh("0; url=3.html") + KEEPS,
        "3.html": "<p id=x>",
        "away.html": refresh("0; url=https://elsewhere.example/") + KEEPS,
        "image.html": refresh("0; url=i.png") + KEEPS,
        "i.png": "",
        "gone.html": refresh("0; url=no.html") + KEEPS,
        "turn.html": refresh("0; url=back.html") + KEEPS,
        "back.html": refresh("0; url=turn.html") + KEEPS,
    }
    assert wrong(checked(tmp_path, files)) == ["1.html#y", "turn.html#x"]


def test_several_processes_find_the_same(tmp_path: Path) -> None:
    files = {
        f"{number:03}.html": links(f"old{number}.html#x", "s.rs.html#1-2", "s.rs.html#1-77") for number in range(90)
    }
    files |= {f"old{number}.html": refresh(f"0; url={number:03}.html") + KEEPS for number in range(90)}
    files["s.rs.html"] = RUSTDOC.replace('<script src="x.js"></script>', SCRIPT) + LINES
    alone, several = (checked(tmp_path, files, jobs=jobs) for jobs in (1, 2))
    assert len(alone.findings) == 180
    assert several.findings == alone.findings


def test_only_scripts_keep_fragments() -> None:
    assert keeps_fragment(b"<SCRIPT>location.hash</SCRIPT>")
    assert keeps_fragment(b"<script>x</script><script>\nconst {location} = window\nlocation\n.hash")
    assert not keeps_fragment(b"<script>Location.Hash</script>")
    assert not keeps_fragment(b"<script>location=x</script>hash")
    assert not keeps_fragment(b"<script>location</script><script>hash</script>")
    assert not keeps_fragment(b"location.hash")


def test_pages_that_send_browsers_on_are_no_orphans(tmp_path: Path) -> None:
    files = {
        "index.html": "",
        "here.html": refresh("0; url=index.html"),
        "away.html": refresh("0; url=https://elsewhere.example/"),
        "gone.html": refresh("0; url=no.html"),
        "late.html": refresh("5; url=index.html"),
        "self.html": refresh("0"),
        "plain.html": "",
    }
    found = checked(tmp_path, files, checks=frozenset({"orphans"})).findings
    assert [each.document for each in found if each.code == "orphan"] == ["late.html", "plain.html", "self.html"]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("s.html#2-4", "the fragment #2-4 is for the scripts of the page"),
        ("old.html#1", "the fragment #1 exists in the page that this one redirects to"),
        ("old.html#x", "missing-fragment: nothing in s.html, to which old.html refreshes, has the id 'x'"),
    ],
)
def test_why_says_so(tmp_path: Path, url: str, said: str) -> None:
    checked(tmp_path, {"s.html": RUSTDOC + LINES, "old.html": refresh("0; url=s.html") + KEEPS})
    assert said in CliRunner().invoke(program, ["check", "--why", url, str(tmp_path)]).stdout


@pytest.mark.parametrize(
    ("tag", "runs"),
    [
        ("<script>", True),
        ("<script async src=x>", True),
        ("<script type=module>", True),
        ("<script type='text/javascript'>", True),
        ('<SCRIPT TYPE="application/x-javascript">', True),
        ("<script type=''>", True),
        ("<script type=application/ld+json>", False),
        ('<script id=x type="application/json">', False),
        ("<script type=importmap></script><script type=module>", True),
        ("<script type=speculationrules>", False),
        ("<scripts>", False),
    ],
)
def test_data_in_a_script_read_no_routes(tag: str, runs: bool) -> None:
    assert scripts_of(f"<p>{tag}x</script>".encode(), ()).any is runs


@pytest.mark.parametrize(
    ("before", "runs"),
    [
        ("<div><template shadowrootmode=open>", True),
        ("<template>", False),
        ("<div><template><template shadowrootmode=open>", False),
        ("<svg><template>", True),
    ],
)
@pytest.mark.parametrize("type_", ["", " type=module"])
def test_scripts_in_shadow_roots_run_and_those_in_templates_do_not(before: str, type_: str, *, runs: bool) -> None:
    assert scripts_of(f"{before}<script{type_}>x</script>".encode(), ()).any is runs


def test_old_addresses_share_the_names_of_the_page_they_lead_to(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    defined = SiteTable.defined

    def counted(table: SiteTable, path: str) -> Defined | None:
        asked.append(path)
        return defined(table, path)

    monkeypatch.setattr(SiteTable, "defined", counted)
    old = [f"old{number}.html" for number in range(30)]
    chunk = Chunk(
        fragments=[f"{path}\0{name}" for path in old for name in ("x", "no")],
        rows=[DocumentRow(path, "") for path in old] + [DocumentRow("new.html", "x\0y")],
        refreshes={path: LeadsOn("new.html", at_once=True, keeps_fragment=True) for path in old},
    )
    chunk.rows.append(DocumentRow("a.html", "", array("I", range(1, 61)).tobytes()))
    table = SiteTable()
    table.merge(chunk)
    missing = {number for each in table.missing(()) for number in each.fragments}
    assert [(path, list(found)) for path, found in table.using(missing)] == [
        ("a.html", [f"{path}\0no" for path in old])
    ]
    assert sorted(asked) == sorted([*old, "new.html"])


# --- time


def test_looking_for_numbered_lines_takes_time_by_the_length() -> None:
    begun = b'<pre class="prettyprint source linenums" '
    assert_proportional(lambda n: partial(scripts_of, begun * n + NUMBERS.encode(), ()), 500)


@pytest.mark.parametrize("repeated", [b"location ", b"<script>location "])
def test_looking_for_the_hash_takes_time_by_the_length(repeated: bytes) -> None:
    assert_proportional(lambda n: partial(keeps_fragment, b"hash<script>" + repeated * n), 2000)


@pytest.mark.parametrize(
    ("before", "repeated", "after"),
    [(b"<script type=", b" ", b">"), (b"", b"<script ", b" type=foo>"), (b"", b"<script type=foo>", b"")],
)
def test_looking_for_scripts_takes_time_by_the_length(before: bytes, repeated: bytes, after: bytes) -> None:
    assert_proportional(lambda n: partial(scripts_of, before + repeated * n + after, ()), 4000)


def test_spaces_around_a_type_do_not_matter() -> None:
    assert not scripts_of(b"<script type \n= \n' foo'>", ()).any
    assert scripts_of(b"<script type \n= \n' module'>", ()).any
    assert scripts_of(b"<script type= >", ()).any
    assert scripts_of(b"<script type=foo></script><script src=x>", ()).any


RUNS = "<script>{}</script>"
DATA = "<script type=application/json>{}</script>"
HIDING = {
    "a comment": "<!-- {} -->",
    "a textarea": "<textarea>{}</textarea>",
    "a title": "<title>{}</title>",
    "an attribute": '<p title="{}">',
    "an iframe": "<iframe>{}</iframe>",
    "a style sheet": "<style>/* {} */</style>",
    "a template": "<template>{}</template>",
    "CDATA": "<svg><![CDATA[{}]]></svg>",
}
"""What hides a script from browsers."""


@pytest.mark.parametrize(
    ("page", "runs"),
    [
        ("&lt;script>", False),
        ("<SCRIPT></SCRIPT>", True),
        ("<script title='>' type=module></script>", True),
        ("<script data-type=text/javascript type=application/json></script>", False),
        *((around.format(RUNS.format("")), False) for around in HIDING.values()),
        (DATA.format("'<script>'"), False),
        ("<script-x></script-x>", False),
        ("<Script></Script>", True),
        ("<script data-type=application/json></script>", True),
        ("<script title='type=application/json'></script>", True),
        ("<script type='&#116;ext/javascript'></script>", True),
    ],
)
def test_only_what_is_a_script_reads_routes(tmp_path: Path, page: str, runs: bool) -> None:
    found = wrong(checked(tmp_path, {"a.html": links("b.html#/x"), "b.html": page}))
    assert found == ([] if runs else ["b.html#/x"])


@pytest.mark.parametrize(
    ("page", "keeps"),
    [
        (KEEPS, True),
        ("<script>x</script ><p>location.hash", False),
        *((around.format("<script>location.hash</script>"), False) for around in HIDING.values()),
        (DATA.format("'location.hash'"), False),
        ("<script src='location-hash.js'></script>", False),
        ("<script-x>location.hash</script-x>", False),
        ("<script>'</script-x>'; location.hash</script>", True),
        ("<script><!-- <script> </script> location.hash --></script>", True),
    ],
)
def test_only_what_is_a_script_keeps_the_fragment(tmp_path: Path, page: str, keeps: bool) -> None:
    files = {"a.html": links("old.html#x"), "old.html": refresh("0; url=new.html") + page, "new.html": "<p id=x>"}
    assert wrong(checked(tmp_path, files)) == ([] if keeps else ["old.html#x"])


MADE_BY = '<meta name="generator" content="rustdoc">'


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        (MADE_BY, True),
        *((around.format(MADE_BY.replace('"', "")), False) for around in HIDING.values()),
        (RUNS.format(f"'{MADE_BY}'"), False),
        ("<meta name=keywords content='rustdoc, rust'>", False),
        ("<META NAME=generator CONTENT=rustdoc>", True),
        ("<meta title='>' name=generator content=rustdoc>", True),
    ],
)
def test_only_a_meta_of_rustdoc_has_lines(tmp_path: Path, page: str, lines: bool) -> None:
    files = {"a.html": links("b.html#1-2"), "b.html": f"{page}{LINES}<script>x</script>"}
    assert wrong(checked(tmp_path, files)) == ([] if lines else ["b.html#1-2"])


NUMBERED = '<pre class="prettyprint source linenums"><code>{}</code></pre>'


@pytest.mark.parametrize(
    ("page", "right"),
    [
        (f"{NUMBERED.format('a')}{NUMBERS}", True),
        (f"<!-- {NUMBERED.format('a')} -->{NUMBERS}", False),
        (f"<textarea>{NUMBERED.format('a')}</textarea>{NUMBERS}", False),
        (f"<template>{NUMBERED.format('a')}</template>{NUMBERS}", False),
        (f"{NUMBERED.format('a')}<p>linenumber.js", False),
        (f"{NUMBERED.format('a')}<!-- {NUMBERS} -->", False),
        (NUMBERED.format("a").replace("prettyprint source", "source prettyprint") + NUMBERS, True),
        (NUMBERED.format("a").replace("<pre ", "<pre id=x ") + NUMBERS, True),
    ],
)
def test_only_a_pre_with_the_script_of_jsdoc_has_lines(tmp_path: Path, page: str, right: bool) -> None:
    files = {"a.html": links("b.html#line1"), "b.html": f"<h1>a.js</h1>{page}", "scripts/linenumber.js": ""}
    assert wrong(checked(tmp_path, files)) == ([] if right else ["b.html#line1"])
