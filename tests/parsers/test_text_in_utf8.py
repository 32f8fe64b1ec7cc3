"""A str is read as its bytes in UTF-8: all that is said of it is said in characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rehref
from rehref.parsers.source.core import in_utf8
from rehref.parsers.source.splicing import Characters
from rehref.text.source import Source

URL = "http://h.example/a/"
PAGE = (
    "é\u2028\U0001f600<a href=\"é&amp;x\">ä</a>\n<a href=ü.html><img srcset='ß 1x,\té 2x'>" + "ö" * 300 + "<a href=z>"
)


def test_what_is_read_as_it_is() -> None:  # rule 1
    assert in_utf8(Source("a")) is None
    assert in_utf8(Source("é\ud800")) is None
    assert in_utf8(Source(b"\xc3\xa9", "utf-8")) is None
    assert in_utf8(Source("\ufeffé")) == Source(b"\xef\xbb\xbf\xc3\xa9", "utf-8", 3)


@given(st.text(st.sampled_from("aé\u2028\U0001f600"), max_size=2000), st.integers(0, 2000))
def test_characters_are_counted(text: str, at: int) -> None:
    characters = Characters(text.encode())
    assert characters.at(len(text[:at].encode())) == len(text[:at])
    assert characters.at(len(text[: at // 2].encode())) == len(text[: at // 2])  # and from there back


def test_spans_lines_and_columns_are_those_of_the_text() -> None:  # rule 2
    for text in (PAGE, "\ufeff" + PAGE):
        links = rehref.links(text, url=URL)
        written = ["é&amp;x", "ü.html", "ß", "é", "z"]
        assert [text[slice(*link.span)] for link in links if link.span] == written
        mark = text[0] == "\ufeff"
        assert [(link.line, link.column) for link in links][:2] == [(1, 13), (2, 9)]
        assert links[0].span == (12 + mark, 19 + mark)


@pytest.mark.parametrize("rule", [rehref.Absolute(), rehref.Relative(), lambda link: "é" + link.reference, None])
def test_a_str_is_rewritten_as_its_bytes_are(rule: object) -> None:
    changed = rehref.rewrite(PAGE, rule or (lambda link: None), url=URL)  # type: ignore[arg-type]
    assert changed.encode() == rehref.rewrite(PAGE.encode(), rule or (lambda link: None), url=URL, encoding="utf-8")  # type: ignore[arg-type]
    assert (changed == PAGE) == (rule is None or rule == rehref.Relative())


def test_a_srcdoc_in_a_str_is_rewritten_in_it() -> None:
    page = "é<iframe srcdoc='ü<a href=x>é</a><a href=\"ä b\">'></iframe>"
    new = rehref.rewrite(page, rehref.Absolute(), url=URL)
    assert new == "é<iframe srcdoc='ü<a href=http://h.example/a/x>é</a><a href=\"http://h.example/a/ä b\">'></iframe>"
