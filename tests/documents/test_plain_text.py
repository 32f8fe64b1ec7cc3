"""A source that is one text: its value, its offsets, and what is written into it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import rehref
from examples import examples
from growth import assert_proportional
from rehref.documents._formats import plain_text
from rehref.documents._formats.plain_text import PlainParsed
from rehref.markup.html_encoding import sniff_html
from rehref.markup.parsed import Edit, Parsed
from rehref.text.charsets import decode, decode_with_offsets
from rehref.text.encoders import encode
from rehref.text.encoding import NAMES, Source

ENCODINGS = st.sampled_from(sorted(NAMES))
PIECES = st.one_of(
    st.binary(max_size=6),
    st.sampled_from([b"a", b"\n", b"\r\n", b"http://h/", b"x" * 3000, b"\x81", b"\x1b$B", b"\x1b(B", b"\xe3\x82\xbd"]),
)
DATA = st.lists(PIECES, max_size=12).map(b"".join)


def as_they_are(value: str, edits: Sequence[Edit], holds: Callable[[str], bool]) -> Sequence[Edit]:
    return edits


def parsed(data: bytes | str, encoding: str | None = None) -> PlainParsed:
    if isinstance(data, str):
        return PlainParsed(Source(data), as_they_are)
    sniffed = sniff_html(data, encoding)
    return PlainParsed(Source(data, sniffed.name, sniffed.bom), as_they_are)


def value(text: PlainParsed) -> str:
    ((element, namespace, attribute, found, *_),) = text.places
    assert (element, namespace, attribute) == ("", "", None)
    return found


def test_it_is_what_the_contract_asks_for() -> None:
    text: Parsed = parsed("x")
    assert text.positions == ((1,), (1,))


# --- the value


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"a\r\n\0\xc3\xa9\x0c", "utf-8"),
        (b"\xef\xbb\xbfa\r\n\0\xc3\xa9\x0c", "windows-1252"),
        (b"a\r\n\0\xe9\x0c", "windows-1252"),
        ("\ufeffa\r\n\0é\x0c".encode("utf-16-le"), None),
        ("\ufeffa\r\n\0é\x0c".encode("utf-16-be"), None),
        ("a\r\n\0é\x0c", None),
        ("\ufeffa\r\n\0é\x0c", None),
    ],
)
def test_the_value_is_the_text_without_a_mark(data: bytes | str, encoding: str | None) -> None:
    text = parsed(data, encoding)
    assert value(text) == "a\r\n\0é\x0c"
    assert text.locate(0, 0) == text.locate(0, None) == (1, 1)
    assert text.positions == ((1,), (1,))
    assert text.locate(0, 4) == (2, 2)


def test_an_empty_source_has_an_empty_value() -> None:
    for data in (b"", "", b"\xef\xbb\xbf", b"\xff\xfe"):
        text = parsed(data)
        assert value(text) == ""
        assert text.span(0, 0, 0) == (len(data), len(data))
        assert text.apply([]) == data


# --- offsets


@example(b"\x810", "gb18030")  # which ends within a character
@given(DATA, ENCODINGS)
def test_offsets_are_those_of_the_whole_text(data: bytes, encoding: str) -> None:
    text = parsed(data, encoding)
    sniffed = sniff_html(data, encoding)
    whole, offsets = decode_with_offsets(data[sniffed.bom :], sniffed.name)
    assert value(text) == whole == decode(data[sniffed.bom :], sniffed.name)
    for number in {*range(0, len(whole), max(1, len(whole) // 50)), len(whole)}:
        behind = min(number + 1, len(whole))
        assert text.span(0, number, behind) == (offsets[number] + sniffed.bom, offsets[behind] + sniffed.bom)


@given(st.text(max_size=20))
def test_offsets_in_a_str_are_characters(source: str) -> None:
    text = parsed(source)
    mark = source.startswith("\ufeff")
    assert text.span(0, 0, len(value(text))) == (mark, len(source))


def test_much_text_on_one_line_is_looked_at_in_parts() -> None:
    def reading(n: int) -> Callable[[], None]:
        data = "é x".encode() * n

        def run() -> None:
            text = parsed(data, "utf-8")
            assert text.locate(0, 3 * n - 1) == (1, 3 * n)
            assert text.span(0, 3 * n - 1, 3 * n) == (4 * n - 1, 4 * n)

        return run

    assert_proportional(reading, 10_000)


# --- edits


def test_edits_are_written_in_the_sources_encoding() -> None:
    edits = [Edit(0, 0, 1, "é"), Edit(0, 3, 4, "ソ")]
    assert parsed("a-é-b").apply(edits) == "é-éソb"
    assert parsed(b"a-\xe9-b", "windows-1252").apply(edits) == b"\xe9-\xe9%E3%82%BDb"
    for encoding in ("utf-8", "utf-16le", "utf-16be"):
        data = encode("\ufeffa-é-b", encoding)
        assert data is not None
        assert parsed(data).apply(edits) == encode("\ufeffé-éソb", encoding)


def test_no_edit_gives_the_source_itself() -> None:
    data = b"\xff\xfe\0\xd8x"
    assert parsed(data).apply([]) is data


def test_there_is_no_attribute_to_remove() -> None:
    assert parsed("x").apply([Edit(0, 0, 0, None)]) == "x"


def test_what_broken_bytes_would_swallow_is_not_written() -> None:
    data = b"\x820"  # a lead byte and what is no trail byte; behind it an "h" would be one
    text = parsed(data, "shift_jis")
    assert value(text) == "\ufffd0"
    assert text.apply([Edit(0, 1, 2, "9x")]) == b"\x829x"
    assert text.apply([Edit(0, 1, 2, "h")]) == data
    assert text.apply([Edit(0, 1, 2, "")]) == data


@settings(max_examples=examples(200))
@given(DATA, ENCODINGS, st.text("h/é\\~ソ\ufffd😀", max_size=4), st.data())
def test_an_edit_changes_its_span_or_nothing(data: bytes, encoding: str, new: str, choice: st.DataObject) -> None:
    text = parsed(data, encoding)
    old = value(text)
    # in ISO-2022-JP, what is broken changes the meaning of what stands on either side of it
    assume(old != "" and not (encoding == "iso-2022-jp" and "\ufffd" in old))
    start = choice.draw(st.integers(0, len(old) - 1))
    end = choice.draw(st.integers(start + 1, len(old)))
    assume(start > 0 or new != "")  # or what is behind it could become a byte order mark
    assume(old[start] != "\ufffd")  # no reference begins so, where nothing is before it that delimits it
    again = text.apply([Edit(0, start, end, new)])
    written = value(parsed(again, encoding))
    before, behind = old[:start], old[end:]
    assert written.startswith(before)
    assert written.endswith(behind)
    middle = written[len(before) : len(written) - len(behind)]
    assert again == data or all(char in new or char.isascii() or char == "\ufffd" for char in middle)


_OF_STYLES = (
    "a{b:url(x)}",
    "/* é */",
    "@import 'ä.css';",
    "url(\U0001f600 )",
    "\r\n",
    "\ufffd",
    "\\e9 ",
    " http://h.example/é y ",
    "\0",
)


@given(
    st.lists(st.sampled_from(_OF_STYLES), max_size=9).map("".join),
    st.sampled_from(("utf-16-le", "utf-16-be")),
    st.sampled_from(("text/css", "text/plain")),
)
def test_utf_16_is_read_as_it_would_be_if_it_were_not_recoded(text: str, encoding: str, media_type: str) -> None:
    source = ("\ufeff" + text).encode(encoding)

    def made() -> list[object]:
        options = {"url": "http://h.example/a/", "media_type": media_type}
        rules = (rehref.Absolute(), lambda link: f"é{link.reference}\ud800", lambda link: None)
        return [rehref.links(source, **options), *(rehref.rewrite(source, rule, **options) for rule in rules)]  # type: ignore[call-overload, list-item]

    found = made()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(plain_text, "recoded", lambda source: None)
        assert made() == found
