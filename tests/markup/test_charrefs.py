"""Character references."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.entities import html5

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import assert_proportional
from rehref.markup import _charrefs as charrefs


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        # 1 numeric
        ("&#65;&#65&#x41;&#X41&#x41g", "AAAAAg"),
        ("&#0;&#x0;&#xD800;&#xDFFF;&#x110000;&#99999999;", "\ufffd" * 6),
        ("&#x10FFFF;&#xFFFF;&#1;&#13;", "\U0010ffff\uffff\x01\r"),
        ("&#128;&#x9F;&#129;&#x8d;", "€Ÿ\x81\x8d"),
        ("&#0000000000000065;&#x000000000041;", "AA"),
        ("&#;&#x;&#xg;&# 1;", "&#;&#x;&#xg;&# 1;"),
        # 2 named
        ("&amp;&AMP;&amp&AMP", "&&&&"),
        ("&amp;amp;", "&amp;"),
        ("&copy;&copy", "©©"),
        ("&copy=&copya&copy1&copy.", "&copy=&copya&copy1©."),
        ("&copy=1;", "&copy=1;"),
        ("&notit;&notin;&not;", "&notit;∉¬"),
        ("&NotEqualTilde;&fjlig;", "\u2242\u0338fj"),
        ("&ThickSpace;&bne;", "\u205f\u200a=\u20e5"),
        ("&lang&lang;", "&lang\u27e8"),
        # 3 none
        ("&&;& &nosuch;&nosuch&", "&&;& &nosuch;&nosuch&"),
        # 4 line ends and NUL
        ("a\r\nb\rc\nd\r\r\n\0", "a\nb\nc\nd\n\n\ufffd"),
        ("&am\rp;", "&am\np;"),
    ],
)
def test_decode(raw: str, value: str) -> None:
    assert charrefs.decode(raw) == value


def test_the_longest_name_counts_in_text() -> None:
    assert charrefs.decode_text("&notit;&copy=&copya&ampx;&nosuch;&a\r\n\0&#65") == "¬it;©=©a&x;&nosuch;&a\n\ufffdA"


def test_every_name() -> None:
    assert len(html5) > 2200
    assert {name: charrefs.decode(f"&{name}") for name in html5} == html5
    assert {name: charrefs.decode_text(f"&{name}") for name in html5} == html5


def test_normalize() -> None:
    assert charrefs.normalize("a\r\n\r\0&amp;") == "a\n\n\ufffd&amp;"


@given(st.text("a;&#x1=\r\n\0copyNtEqualide "))
def test_what_is_replaced_is_all_that_differs(raw: str) -> None:
    for attribute, decode in ((True, charrefs.decode), (False, charrefs.decode_text)):
        result, last = "", 0
        for start, end, text in charrefs.replaced(raw, attribute=attribute):
            assert last <= start < end
            result += raw[last:start] + text
            last = end
        assert result + raw[last:] == decode(raw)
    assert (
        "".join(text for _, _, text in charrefs.normalized(raw))
        == "".join(re.findall("[\n\ufffd]", charrefs.normalize(raw.replace("\n", ""))))
        or "\n" in raw
    )


@given(st.text("a;&#x1=\r\n\0copyamp'\"<> é\x80😀"), st.sampled_from(["'", '"', "<"]), st.booleans())
def test_escaped_text_means_itself(text: str, quote: str, every: bool) -> None:
    raw = charrefs.escape(text, quote, every_ampersand=every)
    decode = charrefs.decode_text if quote == "<" else charrefs.decode
    assert decode(raw) == text.replace("\0", "%00")
    assert quote not in raw


def test_no_more_is_escaped_than_needs_be() -> None:
    assert charrefs.escape("?a=1&b&=c&.& <>\"'", "'") == '?a=1&amp;b&=c&.& <>"&#39;'
    assert charrefs.escape("& <>\"'", '"') == "& <>&quot;'"
    assert charrefs.escape("& <>\"'", "<") == "& &lt;>\"'"
    assert charrefs.escape("& a&", "'", every_ampersand=True) == "&amp; a&amp;"


@pytest.mark.parametrize(
    "raw", [lambda n: "&#" + "9" * n, lambda n: "&#" + "0" * n + "65", lambda n: "&" + "a" * n, lambda n: "&" * n]
)
def test_long_references_take_linear_time(raw: Callable[[int], str]) -> None:
    def reading(n: int) -> Callable[[], object]:
        text = raw(n)
        return lambda: (charrefs.decode(text), charrefs.decode_text(text))

    assert_proportional(reading, 5000)
