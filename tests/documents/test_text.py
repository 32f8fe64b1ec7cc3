"""Plain texts as documents: one test for each rule of `rehref.documents._formats.text`, and the laws of rewriting."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import rehref
from examples import examples
from laws import ENCODINGS, NOISE, between, bytes_in
from rehref.documents._formats.text import sniff_text
from rehref.text.encoding import Sniffed, UnknownEncodingError
from rehref.uri.validation import is_valid

TEXT = """See http://a.example/x (or <http://b.example/
  y?q#f>), "http://c.example/".
Not www.example.org, not ../x."""


def read(text: bytes | str, **options) -> list[rehref.Link]:
    return rehref.links(text, media_type="text/plain", **options)


def rewrite(text: bytes | str, rule=None, **options) -> bytes | str:
    return rehref.rewrite(text, rule, media_type="text/plain", **options)


def put(text: str, new: str) -> str:
    """The text with every URI in it replaced by `new`."""
    written = rewrite(text, lambda link: new)
    assert isinstance(written, str)
    return written


# ------------------------------------------------------------------------------------------------ what is found


def test_the_uris_in_a_text():
    links = read(TEXT)
    assert [link.reference for link in links] == ["http://a.example/x", "http://b.example/y?q#f", "http://c.example/"]
    assert [link.target for link in links] == [link.reference for link in links]
    assert {(link.element, link.attribute, link.kind, link.base.origin) for link in links} == {
        ("", None, "text", "none")
    }
    assert [(link.line, link.column) for link in links] == [(1, 5), (1, 29), (2, 13)]
    assert [TEXT[slice(*link.span or ())] for link in links][1] == "http://b.example/\n  y?q#f"


def test_spans_are_bytes_of_bytes():
    data = "ソ http://h/é.".encode()
    (link,) = read(data)
    assert data[slice(*link.span or ())] == "http://h/é".encode()
    assert (link.line, link.column) == (1, 3)


def test_the_base_is_the_usual_one_though_nothing_is_relative_to_it():
    (link,) = read("http://h/d/t.txt#x", url="http://h/d/t.txt")
    assert link.base.uri == "http://h/d/t.txt"
    assert link.same_document


def test_problems_are_those_of_any_link():
    (link,) = read("http://u:p@h/é%")
    assert {problem.code for problem in link.problems} == {"not-a-uri", "password-in-uri"}


def test_a_hyphen_where_the_line_ends_is_reported() -> None:
    for text, says in (
        ("see http://h/a-\nb.html", "ends in a hyphen at the end of a line"),
        ("see <http://h/a-\nb.html>", "there is a hyphen before a line break"),
    ):
        (problem,) = read(text)[0].problems
        assert problem.code == "hyphen-at-break"
        assert says in problem.message
        assert read(text.encode())[0].problems == (problem,)
    assert read("see http://h/a-b and <http://h/\nb> http://h/a-")[2].problems == ()


# ------------------------------------------------------------------------------------------------ the encoding


def test_the_encoding_of_a_text():
    assert sniff_text(b"\xef\xbb\xbf", "koi8-r") == Sniffed("utf-8", 3, "byte order mark")
    assert sniff_text(b"\xff\xfex\0").name == "utf-16le"
    assert sniff_text(b"x", "KOI8-R") == Sniffed("koi8-r", 0, "declared")
    assert sniff_text("é".encode()) == Sniffed("utf-8", 0, "all of it is UTF-8", undeclared=True)
    assert sniff_text(b"\xe9") == Sniffed("windows-1252", 0, "default", undeclared=True)
    assert sniff_text(b"<meta charset=koi8-r>").name == "utf-8"
    with pytest.raises(UnknownEncodingError):
        sniff_text(b"", "utf-9")


def test_what_the_encoding_lacks_is_percent_encoded():
    assert rewrite(b"http://h/ \xe9", lambda link: "http://n/éソ") == b"http://n/\xe9%E3%82%BD \xe9"
    assert rewrite("http://h/ é".encode(), lambda link: "http://n/éソ") == "http://n/éソ é".encode()


# ------------------------------------------------------------------------------------- rules: which leave a text alone


def test_absolute_has_nothing_to_do():
    assert rewrite(TEXT, url="http://a.example/") == TEXT


def test_mapping_and_template_put_other_uris_in():
    mapping = rehref.Mapping({"http://a.example/*": "https://n.example/*", "http://b.example/y": "http://z/"})
    assert rewrite(TEXT, mapping) == TEXT.replace("http://a.example", "https://n.example")
    assert rewrite(TEXT, rehref.Template("https://r.example/{uri}")) == (
        "See https://r.example/http://a.example/x (or <https://r.example/http://b.example/y?q#f>), "
        '"https://r.example/http://c.example/".\nNot www.example.org, not ../x.'
    )


# ------------------------------------------------------------------------------------------------ delimiters


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("<http://a/>", '<http://n/%3Cb%0A"c|d%3E>'),
        ("<URL: http://a/\n>", '<URL: http://n/%3Cb%0A"c|d%3E\n>'),
        ('"http://a/"', '"http://n/%3Cb%0A%22c|d%3E"'),
        ("http://a/.", "http://n/%3Cb%0A%22c%7Cd%3E."),
        ("URL:http://a/", "URL:http://n/%3Cb%0A%22c%7Cd%3E"),
        ("“http://a/”", "“http://n/%3Cb%0A%22c%7Cd%3E”"),
    ],
)
def test_what_is_written_stays_between_its_delimiters(text: str, written: str):
    assert put(text, ' http://n/<b\n"c|d>\n') == written
    assert len(read(written)) == 1


def test_white_space_and_controls_of_any_kind_are_encoded():
    for delimited in ("<http://a/>", '"http://a/"', "http://a/"):
        written = put(delimited, "http://n/\t\u2003\x85\0\x7f")
        assert written == delimited.replace("http://a/", "http://n/%09%E2%80%83%C2%85%00%7F")


# ------------------------------------------------------------------------------------------------ punctuation


@pytest.mark.parametrize(
    ("text", "new", "written"),
    [
        ("(http://a/)", "http://n/(x)", "(http://n/(x))"),
        ("(http://a/)", "http://n/(x", "(<http://n/(x>)"),
        ("http://a/, b", "http://n/?", "<http://n/?>, b"),
        ("http://a/", "http://n/x)", "<http://n/x)>"),
        ("'http://a/'", "http://n/'", "'<http://n/'>'"),
        ("[1]: http://a/", "http://n/“x”", "[1]: <http://n/“x”>"),
        ("http://a/", "http://n/.x", "http://n/.x"),
        ('"http://a/ is prose"', "http://n/.", '"<http://n/.> is prose"'),
        ("<http://a/ <", "http://n/.", "<<http://n/.> <"),
        ("http://a/.", "no URI, is written as it is", "no%20URI,%20is%20written%20as%20it%20is."),
        ("http://a/.", "x.", "x.."),
    ],
)
def test_punctuation_stays_out_of_what_is_written(text: str, new: str, written: str):
    assert put(text, new) == written


def test_much_punctuation_is_no_matter():
    text = "(http://a/" + ").,?" * 100_000 + " http://b/"
    assert put(text, "http://n/(") == text.replace("http://a/", "<http://n/(>").replace("http://b/", "http://n/(")


# ------------------------------------------------------------------------------------------------ laws

whole = settings(max_examples=examples(150), deadline=None)
PIECES = st.sampled_from(
    [
        *("http://a/b", "http://a/", "https://h.example/x?q=(1)#f", "mailto:a@b.c", "urn:x:y", "foo:bar", "URL:", "x:"),
        *(
            "<",
            ">",
            '"',
            "'",
            "(",
            ")",
            "[",
            "]",
            ".",
            ",",
            ";",
            ":",
            "!",
            "?",
            "-",
            "/",
            "3",
            "“",
            "”",
            "。",
            "\\",
            "{",
        ),
        *(" ", "  ", "\t", "\n", "\r\n", "\n\n", "\f", "a", "é", "ソ表", "~", "\0", "www.example.org", "//", "\u2003"),
    ]
)
SOUND = st.sampled_from(
    ["<http://a/\n b>", '"http://a/b"', "(http://a/b).", "<URL:foo:bar>", "see http://a/é, ", "\n\n"]
)
TEXTS = st.lists(PIECES | SOUND, max_size=14).map("".join)
NEW = st.tuples(
    st.sampled_from(["http://n/", "https://n.example/?", "mailto:x", "foo+x://h"]),
    st.text("ab/.,;:!?()[]'\"<>{}|~ \n\x85-#%é表“。", min_size=1, max_size=8),
).map("".join)


def around(source: bytes | str, links: list[rehref.Link]) -> list[bytes | str]:
    """What lies outside of the links' spans, the angle brackets aside that may have been added."""
    return [
        each.replace(b"<", b"").replace(b">", b"") if isinstance(each, bytes) else each.translate({60: "", 62: ""})
        for each in between(source, links)
    ]


def check_laws(source: bytes | str, new: str, encoding: str | None = None) -> None:
    links = read(source, encoding=encoding)
    assert rewrite(source, lambda link: None, encoding=encoding) == source  # identity
    assert rewrite(source, encoding=encoding, url="http://a/") == source
    once = rewrite(source, lambda link: new, encoding=encoding)
    again = read(once, encoding=encoding)
    found = [link.reference for link in again]
    assert list(map(unquote, found)) == [unquote(new.strip(" \n")) for _ in links]  # agreement
    if is_valid(new, production="URI"):
        assert set(found) <= {new}
    # in ISO-2022-JP, what stands behind what is written takes an escape sequence; in UTF-16, brackets are two bytes
    if encoding is None or not encoding.startswith(("iso", "utf-16")):
        assert around(once, again) == around(source, links)  # locality
    template = rehref.Template("https://r.example/{uri}")
    replayed = rewrite(source, template, encoding=encoding)
    assert rewrite(replayed, template, encoding=encoding) == replayed  # idempotence


@whole
@given(TEXTS, NEW)
@example("(http://a/).", "http://n/((x")
@example("http://a/:http://b/ <http://c/", "http://n/x:")
def test_the_laws_hold_on_text(text: str, new: str):
    check_laws(text, new)


@whole
@given(TEXTS, NEW, st.sampled_from(sorted(ENCODINGS)))
def test_the_laws_hold_on_bytes(text: str, new: str, encoding: str):
    check_laws(bytes_in(text, encoding), new, encoding)


@whole
@given(TEXTS, NOISE, st.integers(0, 60), st.sampled_from(sorted(ENCODINGS)))
def test_the_laws_hold_on_broken_bytes(text: str, noise: bytes, place: int, encoding: str):
    data = bytes_in(text, encoding)
    broken = data[:place] + noise + data[place:]
    assume(not broken.startswith(b"\x1f\x8b"))  # gzipped, and not to be unpacked: refused
    check_laws(broken, "http://n/x", encoding)


@whole
@given(TEXTS | st.binary(max_size=60), st.sampled_from([None, "iso-2022-jp", "replacement", "x-user-defined"]))
def test_nothing_aborts_whatever_the_bytes(text: str | bytes, encoding: str | None):
    data = text.encode() if isinstance(text, str) else text
    assume(not data.startswith(b"\x1f\x8b"))  # gzipped, and not to be unpacked: refused
    read(data, encoding=encoding)
    assert rewrite(data, lambda link: None, encoding=encoding) == data
    rewrite(data, lambda link: "ソ", encoding=encoding)
