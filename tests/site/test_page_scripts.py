"""Fragments that name nothing, and are right all the same (site/_pages/fragments.py)."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from checked.contexts import checked
from rehref.cli.program import program
from rehref.site.findings import CheckResult

RUSTDOC = '<head><meta charset="utf-8"><meta name="generator" content="rustdoc"><script src="x.js"></script></head>'
NUMBERS = '<script src="scripts/linenumber.js"> </script>'
LINES = "".join(f'<span id="{number}">{number}</span>' for number in range(1, 10))
KEEPS = '<script>location.replace("new.html" + location.search + location.hash);</script>'
# as mkdocs-redirects writes it
MKDOCS = '<script>var anchor=window.location.hash.substr(1);location.href="new.html"+(anchor?"#"+anchor:"")</script>'
SCRIPT = "<script src='https://cdn.example/app.js'></script>"


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
        "a.html": links("old.html#x", "late.html#x", "none.html#x", "script.html#x"),
        "old.html": refresh("0; url=new.html"),
        "late.html": refresh("5; url=new.html") + KEEPS,
        "none.html": f"<noscript>{refresh('0; url=new.html')}</noscript>",
        "script.html": refresh("0; url=new.html") + "<script>location='new.html'</script><p>location.hash",
        "new.html": "<p id=x>",
    }
    messages = {finding.reference: finding.message for finding in checked(tmp_path, files).findings}
    dropped = "refreshes to new.html, and browsers drop the fragment 'x'"
    assert messages == {
        "old.html#x": f"old.html {dropped}",
        "late.html#x": "nothing in late.html has the id 'x'",
        "none.html#x": "nothing in none.html has the id 'x'",
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


# --- time


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
