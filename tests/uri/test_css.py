"""CSS against tinycss2, on the published cases and on generated text, and the rules one by one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from growth import assert_proportional
from rehref.uri._syntaxes import css
from rehref.uri.syntaxes import SYNTAXES
from suites.css import is_exact, kinds, oracle, published, replaced, texts


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a{background:url(x.png)}", ["x.png"]),
        ("background: url( x.png\n), url('y.png') , url( \"z.png\" )", ["x.png", "y.png", "z.png"]),
        ("@import 'a.css'; @import\"b.css\" screen; @import url(c.css); @IMPORT/**/ /**/'d.css'", list("abcd")),
        ("@import foo 'a.css'; @imports 'b.css'", []),
        ("image-set('a' 1x, url(b) 2x, \"c\" type('image/png') 3x) 'd'", ["a", "b", "c"]),
        ("-webkit-image-set(url(a) 1x, 'b')", ["a", "b"]),
        ("image-set(linear-gradient('x', [ ) ] {'y'}) 'a' ] } ')') 'z'", ["a", ")"]),
        ("image-set( ( ] 'x' ) 'a' image-set('b' ('x')) url('c' 'x') src('d' 'x') 'e')", ["a", "b", "c", "d", "e"]),
        ("image-set('a'", ["a"]),
        ("src('a') src( /**/ \"b\" mod(1)) src(x)", ["a", "b"]),
        ("url('a' foo('b') 'c')", ["a"]),
        ("URL(a) uRl('b') \\75 rl(c) u\\72l(d) ur\\l (x) u\\52 l('e')", ["a", "b", "c", "d", "e"]),
        ("myurl(a) #url(b) @url(c) 5url(d) -url(e) url\\ (f) \u00fcrl(g) \\#url(h) url\u00a0(i)", []),
        ("+url(a) /url(b) 1.url(c) --5+url(d) -->url(e) a,url(f)", ["a", "b", "c", "d", "e", "f"]),
        ("\\@import 'a'; @\\69mport 'b'; @im\\70ort'c'; x@import 'd'", ["b", "c", "d"]),
        ("\\66 url(a) a\\url(b) #\\75rl(c) @\\75rl(d) @\\url(e) #\\66 url(f)", []),
        ("\\69mage-set('a') -\\77 ebkit-image-set('b') image\\-set('c') x\\69mage-set('d')", ["a", "b", "c"]),
        ("\u017frc('a') lin\u212a-url(b) @\u0131mport 'c'", []),
        ("u\\\nrl(a) \\\nurl(b)", ["b"]),
        ("/* url(a) */ content: 'url(b)' \"url(c)\" url(d) /* url(e)", ["d"]),
        ("content: '\\' url(a) \\'' url(b)", ["b"]),
        ("content: 'a\\\r\nurl(b)' url(c)", ["c"]),
        ("content: 'a\nurl(b)' url(c)", ["b"]),
        ("'\\61\n' url(b) '\\61\r\n' url(c)", ["b", "c"]),  # an escape takes the line break behind it
        ("url(a b) url(c'd) url(e\"f) url(g(h) url(i\x01) url(j\x7f) url(k)", ["k"]),
        ("url(a b\\) url(c) url(d)", ["d"]),
        ("url(a b\\\\) url(c)", ["c"]),
        ("url('a\nb) url(c)", ["c"]),
        ("url(/* a */) url(b)", ["b"]),
        ("url(a\\\n) url(b)", ["b"]),
        ("url(a", ["a"]),
        ("url(a  ", ["a"]),
        ("url('a", ["a"]),
        ("@import 'a", ["a"]),
        ("url(\\61\\000062 c\\(\\)) url('\\61\\\nb\\'') url(\\1f600)", ["abc()", "ab'", "\U0001f600"]),
        ("url(\\0) url(\\d800) url(\\110000) url(\0) url('\\\0')", ["\ufffd"] * 5),
        ("url(a\\", ["a\ufffd"]),
        ("url('a\\", ["a"]),
        ("url(\\61\r\nb)", ["ab"]),
        ("url() url( ) url('') @import ''; @namespace ''; src('') image-set('') url(", []),
    ],
)
def test_rules(value: str, expected: list[str]) -> None:
    found = [text.removesuffix(".css") for text in texts(value)]
    assert found == expected


@pytest.mark.parametrize(
    ("value", "raw"),
    [
        ("url( a\\)b\t)", "a\\)b"),
        ("url(\\61 )", "\\61 "),
        ("url( 'a b' )", "a b"),
        ("url(a", "a"),
        ("@import 'a\\'b'", "a\\'b"),
        ("url('a\\", "a\\"),
    ],
)
def test_spans(value: str, raw: str) -> None:
    (found,) = css.find(value)
    assert value[found.start : found.end] == raw


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("@namespace url(a); url(b)", [("a", True), ("b", False)]),
        ("@namespace svg 'a'; @import 'b'", [("a", True), ("b", False)]),
        ("@NAMESPACE/**/s/**/url( 'a' )", [("a", True)]),
        ("@namespace url \\75rl(a)", [("a", True)]),
        ("@n\\61mespace 'a'", [("a", True)]),
        ("@namespace a b url(c)", [("c", False)]),
        ("@namespace a b 'c'", []),
        ("@namespace image-set('a')", [("a", False)]),
        ("@namespace - 'a'; @namespace 5 'b'; @namespace -5 'c'", []),
        ("@namespace -- 'a'; @namespace \\35 'b'", [("a", True), ("b", True)]),
        ("@namespaces 'a'", []),
        ("@namespace", []),
    ],
)
def test_namespaces_are_reported_apart(value: str, expected: list[tuple[str, bool]]) -> None:
    assert [(found.text, found.form.startswith("namespace:")) for found in css.find(value)] == expected


def test_imports_count_wherever_they_stand() -> None:
    assert texts("a{} @import 'b'; a{@import 'c'}") == ["b", "c"]


@pytest.mark.parametrize(
    ("text", "bare", "double", "single"),
    [
        ("a b", "a\\20 b", "a b", "a b"),
        ("a\"b'c", "a\\\"b\\'c", "a\\\"b'c", "a\"b\\'c"),
        ("(\\)", "\\(\\\\\\)", "(\\\\)", "(\\\\)"),
        ("a\nb", "a\\a b", "a\\a b", "a\\a b"),
        ("</style>", "\\3c /style>", "\\3c /style>", "\\3c /style>"),
        ("a\0", "a%00", "a%00", "a%00"),
        ("\x7f", "\\7f ", "\x7f", "\x7f"),
        ("https://e.org/?a=b&c#d", *["https://e.org/?a=b&c#d"] * 3),
    ],
)
def test_write(text: str, bare: str, double: str, single: str) -> None:
    assert css.write(text, "bare") == bare
    assert css.write(text, "double") == double
    assert css.write(text, "single") == single
    assert css.write(text, "namespace:single") == single


# --- tinycss2 ---------------------------------------------------------------------------------------------------

FRAGMENTS = st.sampled_from(
    [
        *"ab -\\\"'()[]{}/*;,:#@!+\n\t<>\0\u00e9\x01",
        "url(",
        "URL( ",
        "u\\72l(",
        "\\75 rl(",
        "src(",
        "image-set(",
        "-webkit-image-set(",
        "image\\-set(",
        "@import ",
        "@\\69mport",
        "@namespace ",
        "@namespace p ",
        "/*",
        "*/",
        "'x'",
        '"y',
        "\\)",
        "\\'",
        "\\61 ",
        "\\6c",
        "\r\n",
        "-->",
        "z.png)",
    ]
)
GENERATED = st.lists(FRAGMENTS, max_size=25).map("".join)


def where_tinycss2_is_right(value: str) -> bool:
    """It takes a backslash before a line break into a URL, and `\\\\)` as an escaped `)` in a bad one."""
    lines = value.replace("\r\n", "\n").replace("\r", "\n")
    return "\\\\" not in value and "\\\n" not in lines


@given(GENERATED)
@example("image-set(url('a'{)'b'")
@example("@namespace/*")
def test_agrees_with_tinycss2(value: str) -> None:
    assume(where_tinycss2_is_right(value))
    assert [(found.text, found.form.startswith("namespace:")) for found in css.find(value)] == oracle(value)


@given(GENERATED, st.text(min_size=1, max_size=8))
def test_spans_are_exact_to_tinycss2(value: str, text: str) -> None:
    assume(where_tinycss2_is_right(value) and "\0" not in text)
    before = oracle(value)
    for index, (_, is_namespace) in enumerate(before):
        expected = [*before[:index], (text, is_namespace), *before[index + 1 :]]
        assert oracle(replaced(value, index, text)) == expected


# --- the published cases ----------------------------------------------------------------------------------------


def test_published_cases(suites: Path) -> None:
    result = published(suites)
    assert result.cases > 250
    assert sorted(result.failed) == []
    assert kinds(suites).items() >= {"url": 14, "bad-url": 34, "function": 17}.items()


@pytest.mark.parametrize(("before", "behind"), [(1, 0), (0, 1), (-1, 0), (0, -1)])
@pytest.mark.parametrize("value", ["url( abc )", "url('abc')", 'url( "abc" )', "@import 'abc';"])
def test_a_span_that_is_not_exact_is_noticed(
    value: str, before: int, behind: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_exact(value)
    (found,) = css.find(value)
    shifted = found._replace(start=found.start - before, end=found.end + behind)
    monkeypatch.setattr(SYNTAXES["css"], "find", lambda _: [shifted])
    assert not is_exact(value)


# --- time -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "unit",
    [
        *"\"'(\\/@-a\n",
        "url(",
        "url( ",
        "url(a ",
        "url('",
        "url(\\",
        "\\61 ",
        "\\\n",
        "/*",
        "/**/",
        "*/",
        "'\n",
        '\\"',
        '"\\',
        "@import ",
        "@import/*",
        "@import/**/",
        "@namespace ",
        "@namespace a\\",
        "image-set(",
        "image-set('",
        "image-set(a]",
        "image-set(url('a'",
        "src(/**/",
        "aaaaaaaaaaaaaaaaaaaaaaaaaa\\a",
        "u\\72l(",
    ],
)
@pytest.mark.parametrize("prefix", ["", "image-set(", "url(", '"', "@import", "@namespace", "\\"])
def test_hostile_text_takes_linear_time(prefix: str, unit: str) -> None:
    def reading(n: int) -> Callable[[], object]:
        value = prefix + unit * n
        return lambda: (css.find(value), css.write(value, "bare"))

    assert_proportional(reading, 500)
