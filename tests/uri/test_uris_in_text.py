"""URIs in plain text (RFC 3986 Appendix C, RFC 2396 Appendix E): what is one, and where it ends."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import assert_proportional
from rehref.uri.written_uris import (
    NOTE_EXCLUDED,
    NOTE_FOREIGN,
    NOTE_HYPHEN_AT_END,
    NOTE_HYPHEN_INSIDE,
    NOTE_WHITE_SPACE,
    OPAQUE_SCHEMES,
    FoundUri,
    find_uris,
)


def uris(text: str) -> list[str]:
    return [found.uri for found in find_uris(text)]


def only(text: str) -> FoundUri:
    (found,) = find_uris(text)
    return found


RFC_2396_E = """\
   Yes, Jim, I found it under "http://www.w3.org/Addressing/",
   but you can probably pick it up from <URL:ftp://ds.internic.
   net/rfc/>.  Note the warning in <http://www.ics.uci.edu/pub/
   ietf/uri/historical.html#WARNING>.
"""


@pytest.mark.parametrize("text", [RFC_2396_E, RFC_2396_E.replace("URL:", ""), RFC_2396_E.replace("URL:", "url: ")])
def test_the_example_of_the_rfcs(text: str) -> None:
    found = list(find_uris(text))
    assert [(one.uri, one.delimiter) for one in found] == [
        ("http://www.w3.org/Addressing/", "quote"),
        ("ftp://ds.internic.net/rfc/", "angle"),
        ("http://www.ics.uci.edu/pub/ietf/uri/historical.html#WARNING", "angle"),
    ]
    assert [one.notes for one in found] == [(), (NOTE_WHITE_SPACE,), (NOTE_WHITE_SPACE,)]
    assert text[found[1].start : found[1].end] == "ftp://ds.internic.\n   net/rfc/"


# Rules 1 and 2: what is recognised
@pytest.mark.parametrize("scheme", sorted(OPAQUE_SCHEMES))
def test_schemes_without_slashes(scheme: str) -> None:
    assert uris(f"see {scheme}:x1 and {scheme.upper()}:y") == [f"{scheme}:x1", f"{scheme.upper()}:y"]
    assert uris(f"{scheme}: x") == []
    assert uris(f"{scheme}:, x") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("foo+bar.1-x://h", ["foo+bar.1-x://h"]),
        ("note: this", []),
        ("note:this and data:that", []),
        ("<note:this>", []),
        ("<xsl:template>", []),
        ('"note:this"', []),
        ("<URL:note:this>", ["note:this"]),
        ("<URL: note:this>", ["note:this"]),
        ("<URL:note:>", []),
        ("URL:note:this", []),
        ("URL:http://h/ URL: http://i/", ["http://h/", "http://i/"]),
        ("http:// alone, http://. and http://", []),
        ("<http://>", []),
        ("//h/p www.w3.org /p ?q", []),
        ("...http://h -http://i 1http://j", ["http://h", "http://i", "http://j"]),
        ("see:http://h jar:file:///x!/y CURL:http://z", ["http://h", "file:///x!/y", "http://z"]),
        ("C:\\dir", []),
    ],
)
def test_what_is_a_uri(text: str, expected: list[str]) -> None:
    assert uris(text) == expected


# Rule 3: angle brackets
@pytest.mark.parametrize(
    ("text", "uri"),
    [
        ("<http://h/a.>", "http://h/a."),
        ("<http://h/a b>", "http://h/ab"),
        ("< http://h/a >", "http://h/a"),
        ("<\r\n http://h/\r\n\ta\r\n>", "http://h/a"),
        ("<URL:\nhttp://h/a>", "http://h/a"),
        ("<http:\n//h/a>", "http://h/a"),
        ("<mailto:a@h>", "mailto:a@h"),
    ],
)
def test_angle_brackets(text: str, uri: str) -> None:
    found = only(text)
    assert (found.uri, found.delimiter) == (uri, "angle")
    raw = text[found.start : found.end]
    assert raw == raw.strip()
    assert "".join(raw.split()) == uri


@pytest.mark.parametrize(
    "text", ["<http://h/a <b>", "<http://h/a\n\nb>", "<http://h/a\fb>", "<http://h/a", "<.http://h/a"]
)
def test_angle_brackets_that_enclose_more(text: str) -> None:
    found = only(text)
    assert (found.uri, found.delimiter) == ("http://h/a", "none")


# Rule 4: double quotes
def test_quotes() -> None:
    found = only('"http://h/a."')
    assert (found.uri, found.start, found.end, found.delimiter) == ("http://h/a.", 1, 12, "quote")
    found = only('"http://h/a\n   b/c\n"')
    assert (found.uri, found.end, found.notes) == ("http://h/ab/c", 18, (NOTE_WHITE_SPACE,))


@pytest.mark.parametrize(
    "text",
    [
        '"http://h/a is it"',
        '"http://h/a, it said\nand left"',
        '"http://h/a\n\nb"',
        '"stop" http://h/a "',
        '"http://h/a',
    ],
)
def test_quotes_that_enclose_prose(text: str) -> None:
    found = only(text)
    assert (found.uri, found.delimiter) == ("http://h/a", "none")


# Rule 5: neither
@pytest.mark.parametrize(
    ("text", "uri"),
    [
        ("http://h/a. Next", "http://h/a"),
        ("http://h/a?!...", "http://h/a"),
        ("http://h/?", "http://h/"),
        ("http://h/a;:", "http://h/a"),
        ("(http://h/a)", "http://h/a"),
        ("(see http://h/a).", "http://h/a"),
        ("http://h/a_(b)", "http://h/a_(b)"),
        ("(http://h/a_(b))", "http://h/a_(b)"),
        ("[text](http://h/a_(b)).", "http://h/a_(b)"),
        ("[http://h/a]", "http://h/a"),
        ("[[http://h/a.]]", "http://h/a"),
        ("http://[::1]", "http://[::1]"),
        ("http://h/?a[]=1&b[]", "http://h/?a[]=1&b[]"),
        ("'http://h/a'", "http://h/a"),
        ("http://h/'a'", "http://h/'a'"),
        ("http://h/a|b", "http://h/a"),
        ("http://h/a\x00b", "http://h/a"),
        ("http://h/a<br>", "http://h/a"),
        ("`http://h/a`", "http://h/a"),
        ("{http://h/a}", "http://h/a"),
        ("“http://h/a”", "http://h/a"),
        ("http://h/a…", "http://h/a"),
        ("http://h/a。次", "http://h/a"),
        ("http://h/a\u00a0b", "http://h/a"),
        ("http://h/a\u2028b", "http://h/a"),
        ("news:comp.infosystems.www.", "news:comp.infosystems.www"),
    ],
)
def test_bare_uris(text: str, uri: str) -> None:
    found = only(text)
    assert (found.uri, found.delimiter, found.notes) == (uri, "none", ())
    assert text[found.start : found.end] == uri


# Rule 6
def test_letters_outside_ascii_belong_to_it() -> None:
    found = only("siehe https://de.example/wiki/Köln.")
    assert (found.uri, found.notes) == ("https://de.example/wiki/Köln", (NOTE_FOREIGN,))


# Rule 7
@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r", "  \n\t"])
def test_a_hyphen_before_a_line_break_is_kept_and_reported(line_break: str) -> None:
    for before, after in ("<>", '""'):
        found = only(f"{before}http://h/a-{line_break}b{after}")
        assert found.uri == "http://h/a-b"
        assert found.notes == (NOTE_WHITE_SPACE, NOTE_HYPHEN_INSIDE)
    found = only(f"http://h/a-{line_break}b")
    assert (found.uri, found.notes) == ("http://h/a-", (NOTE_HYPHEN_AT_END,))


@pytest.mark.parametrize(
    "text", ["<http://h/a-b\nc>", "<http://h/a- b>", "http://h/a- b\n", "http://h/a-", "http://h/a-b\n"]
)
def test_other_hyphens_are_not(text: str) -> None:
    assert not {NOTE_HYPHEN_INSIDE, NOTE_HYPHEN_AT_END} & set(only(text).notes)


# Rule 8
def test_characters_that_no_uri_has_are_reported() -> None:
    assert only("<http://h/{id}|ü>") == FoundUri("http://h/{id}|ü", 1, 16, "angle", (NOTE_FOREIGN, NOTE_EXCLUDED))
    assert only('"http://h/\x01"').notes == (NOTE_EXCLUDED,)


PIECES = st.sampled_from(
    [
        *"<>\"'()[]{}.,;:-a1/ \n\t\r%#?@",
        *(
            "http:",
            "http://",
            "http://h/",
            "URL:",
            "mailto:",
            "urn:a",
            "note:",
            "é",
            "。",
            "\x00",
            "\ud800",
            "<http://h/",
            "-\n",
        ),
    ]
)


def test_of_three_apostrophes_at_the_end_one_is_the_texts() -> None:
    assert uris("'http://h/a'") == ["http://h/a"]
    assert uris("http://h/a''") == ["http://h/a''"]
    assert uris("http://h/a'''") == ["http://h/a''"]
    assert uris("http://h/a'b''") == ["http://h/a'b'"]


@given(st.lists(PIECES, max_size=20).map("".join))
def test_spans_are_the_uris_in_order(text: str) -> None:
    last = 0
    for found in find_uris(text):
        assert last <= found.start < found.end <= len(text)
        assert re.sub(r"\s+", "", text[found.start : found.end]) == found.uri
        assert not re.search(r"\s", found.uri)
        if found.delimiter == "none":
            assert text[found.start : found.end] == found.uri
        else:
            assert text[found.end :].lstrip()[0] == {"angle": ">", "quote": '"'}[found.delimiter]
        last = found.end


@given(st.from_regex(r"[a-z]{1,5}://[a-z0-9/._~&=%-]{0,20}[a-z0-9/_~&=%-]", fullmatch=True))
def test_a_uri_is_found_in_every_wrapper(uri: str) -> None:
    for wrapper in ("{}", " {} ", "<{}>", "<URL:{}>", "<URL: {}>", '"{}"', "({}).", "'{}'", "[{}]", "see {}, and"):
        assert uris(wrapper.format(uri)) == [uri]


@pytest.mark.parametrize(
    ("unit", "count"),
    [
        ("a", 0),
        ("<", 0),
        ("< ", 0),
        ("a:", 0),
        ("<a:", 0),
        ('"a:', 0),
        ("<URL:a:\n", 0),
        ("URL: ", 0),
        ("1.-", 0),
        ("<http://x ", 1000),
        ('"http://x ', 1000),
        ("mailto:x", 1),
        ("http:", 0),
    ],
)
def test_hostile_texts_take_linear_time(unit: str, count: int) -> None:
    def searching(many: int) -> Callable[[], int]:
        text = unit * many
        return lambda: sum(1 for _ in find_uris(text))

    assert searching(1000)() == count
    assert_proportional(searching, 2000)


@pytest.mark.parametrize("opening", ["", "<", '"'])
@pytest.mark.parametrize(("unit", "end"), [(")", ""), ("')", ""), (" ", "x"), ("\nx", ""), ("-\r\n", "")])
def test_hostile_tails_take_linear_time(opening: str, unit: str, end: str) -> None:
    def searching(many: int) -> Callable[[], int]:
        text = f"{opening}http://h/a{unit * many}{end}"
        return lambda: len(uris(text))

    assert searching(1000)() == 1
    assert_proportional(searching, 2000)


def test_what_is_found_is_a_value() -> None:
    (one,), (other,) = (list(find_uris("http://h/")) for _ in range(2))
    assert len({one, other}) == 1
    with pytest.raises(FrozenInstanceError):
        one.uri = "x"  # type: ignore[misc]
