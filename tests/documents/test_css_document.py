"""Style sheets as documents: one test for each rule of `rehref.documents._formats.css`, and the laws of rewriting."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import rehref
from examples import examples
from laws import ENCODINGS, NOISE, between, bytes_in
from rehref.documents.reading import UnknownMediaTypeError, encoding_of
from rehref.text.encoding import UnknownEncodingError

URL = "http://h.example/d/s.css"


def read(css: bytes | str, **options) -> list[rehref.Link]:
    return rehref.links(css, **{"url": URL, "media_type": "text/css", **options})


def rewrite(css: bytes | str, rule=None, **options) -> bytes | str:
    return rehref.rewrite(css, rule, **{"url": URL, "media_type": "text/css", **options})


# ------------------------------------------------------------------------------------------------ the base


def test_references_are_relative_to_the_style_sheet():
    (link,) = read("a { background: url(../i.png) }")
    assert link.target == "http://h.example/i.png"
    assert link.base == rehref.Base(URL, "retrieval", "retrieval URI")
    assert (link.element, link.attribute, link.kind) == ("", None, "resource")


def test_the_layers_are_the_usual_ones():
    assert read("url(x)", entity_base="/e/")[0].target == "http://h.example/e/x"
    assert read("url(x)", url=None, default_base="http://o/")[0].base.origin == "default"
    (link,) = read("url(x)", url=None)
    assert (link.target, [problem.code for problem in link.problems]) == (None, ["no-base"])


def test_nothing_in_it_is_an_embedded_base():
    assert read("<base href=/x/> url(y)")[0].target == "http://h.example/d/y"


def test_media_types():
    assert read("url(x)", media_type="Text/CSS; charset=x")[0].reference == "x"
    with pytest.raises(UnknownMediaTypeError, match="text/html, XML of any kind, text/css, text/plain, "):
        read("", media_type="image/png")


# ------------------------------------------------------------------------------------------------ what is found


def test_kinds():
    css = "@namespace url(http://n/); @import 'a'; b { filter: url(#f); src: image-set('c' 1x) } /* url(d) */"
    assert [(link.reference, link.kind) for link in read(css)] == [
        ("http://n/", "namespace"),
        ("a", "resource"),
        ("#f", "fragment"),
        ("c", "resource"),
    ]


def test_fragments_and_namespaces_are_left_alone():
    css = "@namespace svg 'http://n/'; b { filter: url(#f); mask: url(m.svg#f) }"
    assert rewrite(css) == css.replace("m.svg", "http://h.example/d/m.svg")
    assert rewrite(css, rehref.Template("http://r/{uri}")) == css.replace("m.svg", f"http://r/{urljoin(URL, 'm.svg')}")
    (_, fragment, _) = read(css)
    assert (fragment.target, fragment.same_document, fragment.problems) == (f"{URL}#f", True, ())


def test_positions_and_spans():
    data = b'\xef\xbb\xbf/* \xe3\x82\xbd */\r\na{b:url( "\xc3\xa9\\70 ng" )}\ra{b:url(x)}'
    first, second = read(data)
    assert (first.reference, first.line, first.column) == ("épng", 2, 11)
    assert data[slice(*first.span or ())] == b"\xc3\xa9\\70 ng"
    assert (second.line, second.column) == (3, 9)
    assert data[slice(*second.span or ())] == b"x"
    spans = [link.span for link in read(data.decode("utf-8"))]
    assert spans == [(20, 27), (40, 41)]


def test_problems_are_those_of_any_link():
    (link,) = read("url(http://u:p@o/|)")
    assert {problem.code for problem in link.problems} == {"not-a-uri", "password-in-uri"}


# ------------------------------------------------------------------------------------------------ the encoding


def test_the_encoding_is_that_of_css_not_of_html():
    assert read("url(é)".encode())[0].reference == "é"
    assert read('@charset "windows-1252";url(é)'.encode("cp1252"))[0].reference == "é"
    assert read(b"url(\xe9)", encoding="windows-1252")[0].reference == "é"
    assert read("\ufeffurl(é)".encode("utf-16-le"), encoding="windows-1252")[0].reference == "é"
    with pytest.raises(UnknownEncodingError):
        read(b"", encoding="utf-9")


def test_how_an_encoding_was_found_out():
    data = b'@charset "koi8-r"; <meta charset=big5>'
    assert encoding_of(data, "text/css").why == "@charset"
    assert encoding_of(data, "text/plain").name == "utf-8"
    assert encoding_of(data).name == "big5"
    with pytest.raises(UnknownMediaTypeError):
        encoding_of(data, "image/png")


def test_queries_are_in_the_encoding_of_the_style_sheet():
    data = '@charset "windows-1252";url(?é)'.encode("cp1252")
    assert read(data, profile="whatwg")[0].target == "http://h.example/d/s.css?%E9"
    assert read("url(?é)".encode(), profile="whatwg")[0].target == "http://h.example/d/s.css?%C3%A9"


def test_bytes_that_are_not_utf_8_are_a_guess():
    [link] = read("url(?é)".encode("cp1252"), profile="whatwg")
    assert (link.target, [problem.code for problem in link.problems]) == (
        "http://h.example/d/s.css?%E9",
        ["encoding-undeclared"],
    )


def test_what_the_encoding_lacks_is_escaped():
    data = b'@charset "windows-1252"; url(x) url("x") url(y)'
    new = rewrite(data, rehref.Mapping({"http://h.example/d/x": "é ソb😀"}))
    assert new == b'@charset "windows-1252"; url(\xe9\\20 \\30bd b\\1f600 ) url("\xe9 \\30bd b\\1f600 ") url(y)'
    assert [link.reference for link in read(new)] == ["é ソb😀", "é ソb😀", "y"]


def test_a_lone_surrogate_is_no_character():
    assert rewrite(b"url(x)", lambda link: "a\ud800b") == b"url(a\\fffd b)"
    assert rewrite(b"url(x)", lambda link: "\0") == b"url(%00)"


def test_what_is_written_ends_nothing():
    new = "\"')(</style>\\\n*/"
    for css in ("url(x)y", "url('x')y", 'url("x")y', "@import 'x';y"):
        written = rewrite(css, lambda link: new)
        assert isinstance(written, str)
        assert [link.reference for link in read(written)] == [new]
        assert written.endswith(css[css.index("x") + 1 :])


# ------------------------------------------------------------------------------------------------ laws

whole = settings(max_examples=examples(150), deadline=None)
PIECES = st.sampled_from(
    [
        *("url(", "url('", 'url("', "src('", "image-set('", "@import '", '@namespace "', ")", "'", '"', ";", "}", "{"),
        *("/*", "*/", "\\", "\\e9 ", "\\\n", " ", "\t", "\n", "\r\n", "\f", "#", "a", "é", "ソ", "表", "~", "\0"),
        *("x", "../x", "/x", "#x", "?q", "//o/p", "http://o/p?q#f", "mailto:a@b", "http:g", "data:,x", "x y", "<", "&"),
    ]
)
SOUND = st.sampled_from(["url(x)", "url('é')", "url( ソ )", 'a{b:url("../c\\\'")} ', "@import 'x/y.css';", "url(\\表)"])
SHEETS = st.lists(PIECES | SOUND, max_size=14).map("".join)
NEW = st.text("ab:/.?#'\")(\\ \n<é表ソ\U0001f600&%", min_size=1, max_size=8)


def check_laws(source: bytes | str, new: str, encoding: str | None = None) -> None:
    links = read(source, encoding=encoding)
    assert rewrite(source, lambda link: None, encoding=encoding) == source  # identity
    once = rewrite(source, encoding=encoding)
    again = read(once, encoding=encoding)
    assert [link.target for link in again] == [link.target for link in links]  # agreement
    # in ISO-2022-JP, what stands behind what is written takes an escape sequence
    local = encoding != "iso-2022-jp"
    assert not local or between(once, again) == between(source, links)  # locality
    assert rewrite(once, encoding=encoding) == once  # idempotence
    everywhere = rewrite(source, lambda link: new, encoding=encoding)
    found = read(everywhere, encoding=encoding)
    assert [link.reference for link in found] == [new for _ in links]
    assert not local or between(everywhere, found) == between(source, links)


@whole
@given(SHEETS, NEW)
def test_the_laws_hold_on_text(css: str, new: str):
    check_laws(css, new)


@whole
@given(SHEETS, NEW, st.sampled_from(sorted(ENCODINGS)))
@example("/*表*/url(x)/*表*/", "表\\", "shift_jis")
@example("/*表*/url(表)/*表*/", "x", "iso-2022-jp")
def test_the_laws_hold_on_bytes(css: str, new: str, encoding: str):
    check_laws(bytes_in(css, encoding), new, encoding)


@whole
@given(SHEETS, NOISE, st.integers(0, 100), st.sampled_from(sorted(ENCODINGS)))
def test_the_laws_hold_on_broken_bytes(css: str, noise: bytes, place: int, encoding: str):
    data = bytes_in(css, encoding)
    data = data[:place] + noise + data[place:]
    if not data.startswith(b"\x1f\x8b"):  # it would seem to be gzipped
        check_laws(data, "ソx", encoding)


@whole
@given(SHEETS | st.binary(max_size=60), st.sampled_from([None, "iso-2022-jp", "replacement", "x-user-defined"]))
@example(b"\x1f\x8b", None)
def test_nothing_aborts_whatever_the_bytes(css: str | bytes, encoding: str | None):
    data = css.encode() if isinstance(css, str) else css
    try:
        links = read(data, encoding=encoding)
    except rehref.ContainerError:  # it seems to be gzipped, and is not
        assert data.startswith(b"\x1f\x8b")
        return
    for link in links:
        assert link.span is not None
        start, end = link.span
        assert 0 <= start <= end <= len(data)
    assert rewrite(data, lambda link: None, encoding=encoding) == data
    rewrite(data, lambda link: "ソ", encoding=encoding)


@given(SHEETS)
def test_a_style_sheet_has_what_a_style_element_has(css: str):
    assume("<" not in css)
    inline = rehref.links(f"<style>{css}</style>", url=URL)
    assert [(link.reference, link.kind) for link in read(css)] == [(link.reference, link.kind) for link in inline]
