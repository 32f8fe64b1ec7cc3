"""Text directives (site/_checks/text_fragments.py), and the text of pages (markup/_page/visible_text.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from site_parts import found_by

from checked.contexts import written
from growth import assert_proportional
from rehref.documents.reading import read_page
from rehref.site._checks.text_fragments import Directive, directives, is_found, parse
from rehref.site._pages.folded_text import BLOCK, folded
from rehref.site.check_options import CheckOptions
from rehref.site.findings import UNKNOWN_HOST, Finding
from rehref.site.site import Site
from rehref.text.encoding import Source

PAGE = (
    "<title>Not me</title><h1>The Quick   Brown</h1>"
    "<p>fox <b>jum</b>ps over\n the lazy&nbsp;dog. The end, well-known.</p>"
)


def found(folder: Path, files: Mapping[str, str | bytes], **options: Any) -> list[Finding]:
    written(folder, files)
    context = Site.of(folder, CheckOptions(**{"jobs": 1, **options}))
    return found_by("text_fragments", context)


def shown(page: str, *, is_xml: bool = False) -> str | None:
    """The text of a page, as it is searched; None if it is not known."""
    blocks = read_page(Source(page), is_xml=is_xml).blocks()
    return None if blocks is None else folded(BLOCK.join(blocks))


def is_in(directive: str, page: str = PAGE) -> bool:
    parsed, text = parse(directive), shown(page)
    return parsed is not None and text is not None and is_found(parsed, text)


def test_a_directive_that_is_not_found_is_reported_where_it_stands(tmp_path: Path) -> None:
    files = {"a.html": "<p>\n<a href='b/p.html#x:~:text=lazy%20dog&text=lazy%20cat'>", "b/p.html": PAGE}
    (finding,) = found(tmp_path, files)
    assert (finding.document, finding.line, finding.column) == ("a.html", 2, 10)
    assert finding.span is not None
    assert (tmp_path / "a.html").read_bytes()[slice(*finding.span)] == finding.reference.encode()
    assert (finding.element, finding.attribute) == ("a", "href")
    assert finding.reference == "b/p.html#x:~:text=lazy%20dog&text=lazy%20cat"
    assert finding.target == f"{UNKNOWN_HOST}/b/p.html#x:~:text=lazy%20dog&text=lazy%20cat"
    assert (finding.code, finding.severity) == ("text-fragment", "error")
    assert finding.message == "the text 'lazy cat' is not in b/p.html"


def test_each_directive_is_reported(tmp_path: Path) -> None:
    lists = ("none&amp;text=page", "page&amp;text=of", "page&amp;x=y&amp;text=this&amp;text=page")
    files = {"a.html": "page" + "".join(f"<a href='#:~:text={each}'></a>" for each in lists)}
    assert [finding.message[:15] for finding in found(tmp_path, files)] == [
        "the text 'none'",
        "the text 'of' i",
        "the text 'this'",
    ]


def test_what_is_no_text_directive_is_reported(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, {"a.html": "<a href='#:~:text=a,b,c'>a,b,c"})
    assert finding.message == ("'a,b,c' is not a text directive; in the text, a comma is written %2C, and a hyphen %2D")


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("a", Directive(None, "a", None, None)),
        ("a%2C%20b,c", Directive(None, "a, b", "c", None)),
        ("p-,a,b,-s", Directive("p", "a", "b", "s")),
        ("p-,a", Directive("p", "a", None, None)),
        ("a,-s", Directive(None, "a", None, "s")),
        ("%C3%A9-,a", Directive("é", "a", None, None)),
        ("a-b", Directive(None, "a-b", None, None)),
        *(
            (text, None)
            for text in ("", ",", "p-", "-s", "p-,-s", "-,a", "a,-", "a,", ",a", "a,b,c", "p-,a,b,c", "a,b,c,-s")
        ),
    ],
)
def test_directives_are_taken_apart(text: str, parsed: Directive | None) -> None:
    assert parse(text) == parsed


def test_directives_are_found_in_uris() -> None:
    assert directives("x#y:~:text=a&foo&text=b:~:&selector(x)&TEXT=c") == ["a", "b:~:"]
    assert directives("x#:~:x=text=a") == directives("x?:~:text=a") == directives("x#text=a") == []


@pytest.mark.parametrize(
    "directive",
    [
        "quick",
        "the%20quick%20brown",
        "QUICK%20BROWN",
        "fox%20jumps%20over%20the%20lazy%20dog",  # through an inline element, a line end, a no-break space
        "fox%20jumps%20%20over",
        "dog",  # before a full stop
        "known",  # behind a hyphen
        "the,brown",
        "quick,lazy",  # over blocks
        "brown-,fox",  # and beside each other
        "brown,-fox",
        "quick-,brown,over,-the",
        "end,-%2C%20well",
        "lazy-,dog,-.%20The",
        "well%2Dknown",
    ],
)
def test_what_the_text_has_is_found(directive: str) -> None:
    assert is_in(directive)


@pytest.mark.parametrize(
    "directive",
    [
        "not%20me",  # the title
        "qui",  # inside of a word
        "uick",
        "jum",  # of one that markup divides, too
        "ps",
        "brown%20fox",  # over blocks
        "brownfox",
        "lazy,quick",  # in that order
        "the,cat",
        "quick-,fox",  # not beside each other
        "quick,-fox",
        "the%20qui-,k",
        "dog,brown",
        "uick-,brown",  # the prefix begins with a word
        "brown,-fo",  # the suffix ends with one
        "%20",
        "%00",
    ],
)
def test_what_the_text_does_not_have_is_not_found(directive: str) -> None:
    assert not is_in(directive)


def test_a_text_may_begin_and_end_within_a_word_beside_prefix_and_suffix() -> None:
    assert is_in("ju-,mps")
    assert is_in("jum,-ps")
    assert not is_in("ju-,mp")
    assert not is_in("jum,jum,-ps")


def test_the_first_place_need_not_be_the_one() -> None:
    page = "<p>a b, a c, a d e; d f"
    assert is_in("a,-d", page)
    assert is_in("c%2C-,a", page)
    assert is_in("a,d,-f", page)
    assert not is_in("d-,f,d", page)


def test_case_accents_and_quotation_marks_do_not_matter() -> None:
    page = "<p>Straße: „Éte\u0301“ – don’t co\u00adoperate, ﬁne"
    for text in ("STRASSE", "straße", "ete", "ÉTÉ", "don't", "cooperate", "FINE", '"été" – don\u2019t'):
        assert is_in(quote(text), page), text


def test_scripts_without_spaces_have_words_everywhere() -> None:
    assert is_in(quote("文字"), "<p>日本語の文字列")
    assert is_in(quote("ไทย"), "<p>ภาษาไทยง่าย")
    assert not is_in(quote("лов"), "<p>слово")


def test_xhtml_is_searched_as_xml(tmp_path: Path) -> None:
    links = "".join(
        f"<a href='p.{end}#:~:text={text}'/>" for end in ("xhtml", "xht") for text in ("b%20c", "a,d", "no")
    )
    page = "<html xmlns='http://www.w3.org/1999/xhtml'><title>no</title><p>a</p><p>b<br/>c <![CDATA[d]]></p></html>"
    files = {"a.xhtml": f"<html xmlns='http://www.w3.org/1999/xhtml'>{links}</html>", "p.xhtml": page, "p.xht": page}
    assert [(one.document, one.reference, one.message) for one in found(tmp_path, files)] == [
        ("a.xhtml", "p.xhtml#:~:text=no", "the text 'no' is not in p.xhtml"),
        ("a.xhtml", "p.xht#:~:text=no", "the text 'no' is not in p.xht"),
    ]


def test_xhtml_whose_text_is_not_known_is_not_searched(tmp_path: Path) -> None:
    files = {"a.html": "<a href='p.xhtml#:~:text=no'><a href='q.xhtml#:~:text=no'>", "p.xhtml": "<p>&x;</p>"}
    assert len(found(tmp_path, {**files, "q.xhtml": "<p>x</p>"})) == 1


def test_the_encoding_of_xhtml_counts(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a.html": "<a href='b.xhtml#:~:text=%C3%A9t%C3%A9'><a href='c.xhtml#:~:text=%C3%A9t%C3%A9'>",
        "b.xhtml": "<?xml version='1.0' encoding='iso-8859-1'?><p>été</p>".encode("latin-1"),
        "c.xhtml": "\ufeff<p>été</p>".encode("utf-16-le"),
    }
    assert found(tmp_path, files) == []


def test_references_of_any_document_count_but_what_is_unclear(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a.html": "<base href=sub/><a href='p.html#:~:text=no'><template><a href='../a.html#:~:text=x'></template>"
        "<iframe srcdoc='<a href=../a.html#:~:text=x>'></iframe><link rel=namespace href='q'>",
        "feed.atom": "<feed xmlns='http://www.w3.org/2005/Atom'><link href='sub/p.html#:~:text=no'/></feed>",
        "wide.html": "\ufeff<a href='sub/p.html#:~:text=no'>".encode("utf-16-be"),
        "sub/p.html": "<p>yes",
    }
    assert [finding.document for finding in found(tmp_path, files)] == ["a.html", "feed.atom", "wide.html"]


def test_targets_without_a_page_are_left_to_others(tmp_path: Path) -> None:
    files = {
        "a.html": "<a href='gone.html#:~:text=x'><a href='https://else.example/#:~:text=x'><a href='t.txt#:~:text=x'>"
        "<a href='B.html#:~:text=x'><a href='?q#:~:text=unmentioned'>",
        "t.txt": "y",
        "b.html": "y",
    }
    assert [finding.reference for finding in found(tmp_path, files)] == ["?q#:~:text=unmentioned"]


def test_a_long_directive_is_left_out(tmp_path: Path) -> None:
    assert found(tmp_path, {"a.html": f"<a href='#:~:text={'x' * 2001}'>"}) == []
    assert len(found(tmp_path, {"a.html": f"<a href='#:~:text={'x' * 1990}'>"})) == 1


def test_the_encoding_of_the_page_counts(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a.html": "<a href='b.html#:~:text=%C3%A9t%C3%A9'>",
        "b.html": "<meta charset=latin1>été".encode("latin-1"),
    }
    assert found(tmp_path, files) == []


WORDS = st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta"]), min_size=1, max_size=9)


@given(WORDS, st.data())
def test_each_run_of_words_is_found_with_what_is_around_it(words: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first + 1, len(words)))
    directive = quote(" ".join(words[first:last]))
    if first:
        directive = f"{quote(' '.join(words[:first]))}-,{directive}"
    if last < len(words):
        directive += f",-{quote(' '.join(words[last:]))}"
    assert is_in(directive, "<p>" + "<i> </i>".join(words))


@pytest.mark.parametrize("page", ["<", "<p", "<p>", "<!--", "</", "&", "<template>", "a ", "<svg>", "<script>"])
def test_time_is_linear(page: str) -> None:
    def looking(n: int) -> Callable[[], bool]:
        html = page * n
        return lambda: is_found(Directive("a", "a", "b", "c"), shown(html) or "")

    assert not looking(5000)()
    assert_proportional(looking, 1000)


@pytest.mark.parametrize(
    "page",
    ["<p>", "</p>", "<p/>", "<p", "<", "&", "&lt;", "<!--", "<![CDATA[", "<!DOCTYPE ", "<!DOCTYPE [>", "<?", "<title>"],
)
def test_time_is_linear_for_xhtml(page: str) -> None:
    def looking(n: int) -> Callable[[], bool]:
        xml = page * n

        def run() -> bool:
            text = shown(xml, is_xml=True)
            return text is not None and is_found(Directive("a", "a", "b", "c"), text)

        return run

    assert not looking(5000)()
    assert_proportional(looking, 1000)
