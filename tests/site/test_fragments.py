"""What fragments name (site/_pages/fragments.py)."""

from __future__ import annotations

import re
from collections.abc import Container
from functools import partial
from pathlib import Path

import pytest

from checked.contexts import found
from growth import assert_proportional
from rehref.documents.base import Layers
from rehref.documents.media_types import MediaType
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.site._pages.fragments import (
    NO_SCRIPTS,
    Scripts,
    is_for_scripts,
    is_right,
    is_top,
    keeps_fragment,
    names_one_of,
    shown_fragment,
    without_directive,
)
from rehref.site._pages.fragments import scripts_of as scripts_of_document

NAMES = frozenset({"intro", "é", "a%20b", "100%"})


@pytest.mark.parametrize("fragment", ["intro", "é", "%C3%A9", "%c3%a9", "a%20b", "a%2520b", "100%", "100%25"])
def test_a_fragment_names_an_id_as_it_stands_or_decoded(fragment: str) -> None:
    assert names_one_of(fragment, NAMES)


@pytest.mark.parametrize("fragment", ["Intro", "a b", "%E9", "intro ", "", "intr"])
def test_what_is_no_id_names_nothing(fragment: str) -> None:
    assert not names_one_of(fragment, NAMES)


@pytest.mark.parametrize(
    ("fragment", "right"), [("", True), ("top", True), ("ToP", True), ("t%6Fp", True), ("tops", False)]
)
def test_the_top_is_everywhere(fragment: str, right: bool) -> None:
    assert is_top(fragment) is right


@pytest.mark.parametrize(
    ("fragment", "left"),
    [(":~:text=a", ""), ("x:~:text=a,b", "x"), ("x", "x"), ("a:~b", "a:~b"), ("x:~:y:~:z", "x")],
)
def test_directives_name_nothing(fragment: str, left: str) -> None:
    assert without_directive(fragment) == left


@pytest.mark.parametrize(
    "fragment", ["svgView(viewBox(0,0,1,1))", "xywh=0,0,9,9", "t=5", "only-dark", "gh-light-mode-only"]
)
def test_views_are_right_in_svg_alone(fragment: str) -> None:
    assert is_right(fragment, NAMES, (), NO_SCRIPTS._replace(views=True))
    assert not is_right(fragment, NAMES, ())


def test_patterns_tell_what_scripts_make() -> None:
    patterns = (re.compile(r"L\d+"), re.compile("é.*"))
    assert is_right("L12", NAMES, patterns)
    assert is_right("%C3%A9x", NAMES, patterns)
    assert not is_right("L12-", NAMES, patterns)
    assert not is_right("L12", NAMES, ())


@pytest.mark.parametrize(
    ("fragment", "shown"),
    [
        ("%C3%A9", "'é'"),
        ("a%20b", "'a b'"),
        ("é", "'é'"),
        ("%E9", "'%E9'"),  # of no text in UTF-8
        ("%00", r"'\x00'"),
        ("100%", "'100%'"),
    ],
)
def test_fragments_are_shown_decoded(tmp_path: Path, fragment: str, shown: str) -> None:
    assert shown_fragment(fragment) == shown
    (tmp_path / "b.html").write_text("<p>")
    page = f'<meta charset="utf-8"><a href="#{fragment}">1</a><a href="b.html#{fragment}">2</a>'
    messages = [finding.message for finding in found(tmp_path, page) if finding.code == "missing-fragment"]
    assert messages == [f"nothing in this document has the id {shown}", f"nothing in b.html has the id {shown}"]


def test_a_long_fragment_is_shown_in_part() -> None:
    assert len(shown_fragment("a" * 9000)) < 250


RUSTDOC = '<head><meta charset="utf-8"><meta name="generator" content="rustdoc"><script src="x.js"></script></head>'


NUMBERS = '<script src="scripts/linenumber.js"> </script>'


def scripts_of(page: bytes, names: Container[str], encoding: str = "utf-8") -> Scripts:
    return scripts_of_document(read_document(page, MediaType.HTML, encoding, Layers(), ReadOptions.DEFAULT), names)


def source(code: str) -> str:
    """A source page as jsdoc makes it; `code`: escaped."""
    before = "<script src=scripts/prettify/prettify.js></script>"
    return f'{before}<pre class="prettyprint source linenums"><code>{code}</code></pre>{NUMBERS}'


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


def test_only_scripts_keep_fragments() -> None:
    assert keeps_fragment(b"<SCRIPT>location.hash</SCRIPT>")
    assert keeps_fragment(b"<script>x</script><script>\nconst {location} = window\nlocation\n.hash")
    assert not keeps_fragment(b"<script>Location.Hash</script>")
    assert not keeps_fragment(b"<script>location=x</script>hash")
    assert not keeps_fragment(b"<script>location</script><script>hash</script>")
    assert not keeps_fragment(b"location.hash")


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


@pytest.mark.parametrize(
    ("fragment", "shown"),
    [
        ("a", "'a'"),
        (r"a\:b", r"'a\:b'"),
        ("it's", '"it\'s"'),
        ("a%C3%A9", "'aé'"),
        ("a\x07", r"'a\x07'"),
        ("%ff", "'%ff'"),
    ],
)
def test_a_fragment_is_shown_as_it_is_written(fragment: str, shown: str) -> None:
    assert shown_fragment(fragment) == shown
