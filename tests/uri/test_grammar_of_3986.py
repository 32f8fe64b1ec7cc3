"""The validator of RFC 3986, against a literal reading of Appendix A and against the RFCs' examples."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from growth import assert_proportional
from rehref.uri._grammar.grammar_of_3986 import Production, is_valid, violations
from rehref.uri.components import Violation

# --- Appendix A, each production as a pattern of its own, in the RFC's order from the bottom up ---

UNRESERVED = r"[A-Za-z0-9\-._~]"
PCT_ENCODED = r"%[0-9A-Fa-f][0-9A-Fa-f]"
SUB_DELIMS = r"[!$&'()*+,;=]"
PCHAR = rf"(?:{UNRESERVED}|{PCT_ENCODED}|{SUB_DELIMS}|:|@)"
FRAGMENT = rf"(?:{PCHAR}|/|\?)*"
QUERY = rf"(?:{PCHAR}|/|\?)*"
SEGMENT = rf"{PCHAR}*"
SEGMENT_NZ = rf"{PCHAR}+"
SEGMENT_NZ_NC = rf"(?:{UNRESERVED}|{PCT_ENCODED}|{SUB_DELIMS}|@)+"
PATH_ABEMPTY = rf"(?:/{SEGMENT})*"
PATH_ABSOLUTE = rf"/(?:{SEGMENT_NZ}(?:/{SEGMENT})*)?"
PATH_NOSCHEME = rf"{SEGMENT_NZ_NC}(?:/{SEGMENT})*"
PATH_ROOTLESS = rf"{SEGMENT_NZ}(?:/{SEGMENT})*"
PATH_EMPTY = ""
REG_NAME = rf"(?:{UNRESERVED}|{PCT_ENCODED}|{SUB_DELIMS})*"
DEC_OCTET = r"(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])"
IPV4ADDRESS = rf"{DEC_OCTET}\.{DEC_OCTET}\.{DEC_OCTET}\.{DEC_OCTET}"
H16 = "[0-9A-Fa-f]{1,4}"
LS32 = rf"(?:{H16}:{H16}|{IPV4ADDRESS})"
IPV6ADDRESS = (
    rf"(?:(?:{H16}:){{6}}{LS32}"
    rf"|::(?:{H16}:){{5}}{LS32}"
    rf"|(?:{H16})?::(?:{H16}:){{4}}{LS32}"
    rf"|(?:(?:{H16}:){{0,1}}{H16})?::(?:{H16}:){{3}}{LS32}"
    rf"|(?:(?:{H16}:){{0,2}}{H16})?::(?:{H16}:){{2}}{LS32}"
    rf"|(?:(?:{H16}:){{0,3}}{H16})?::{H16}:{LS32}"
    rf"|(?:(?:{H16}:){{0,4}}{H16})?::{LS32}"
    rf"|(?:(?:{H16}:){{0,5}}{H16})?::{H16}"
    rf"|(?:(?:{H16}:){{0,6}}{H16})?::)"
)
IPVFUTURE = rf"[vV][0-9A-Fa-f]+\.(?:{UNRESERVED}|{SUB_DELIMS}|:)+"
IP_LITERAL = rf"\[(?:{IPV6ADDRESS}|{IPVFUTURE})\]"
PORT = "[0-9]*"
HOST = rf"(?:{IP_LITERAL}|{IPV4ADDRESS}|{REG_NAME})"
USERINFO = rf"(?:{UNRESERVED}|{PCT_ENCODED}|{SUB_DELIMS}|:)*"
AUTHORITY = rf"(?:{USERINFO}@)?{HOST}(?::{PORT})?"
SCHEME = r"[A-Za-z][A-Za-z0-9+\-.]*"
RELATIVE_PART = rf"(?://{AUTHORITY}{PATH_ABEMPTY}|{PATH_ABSOLUTE}|{PATH_NOSCHEME}|{PATH_EMPTY})"
RELATIVE_REF = rf"(?:{RELATIVE_PART}(?:\?{QUERY})?(?:#{FRAGMENT})?)"
HIER_PART = rf"(?://{AUTHORITY}{PATH_ABEMPTY}|{PATH_ABSOLUTE}|{PATH_ROOTLESS}|{PATH_EMPTY})"
ABSOLUTE_URI = rf"(?:{SCHEME}:{HIER_PART}(?:\?{QUERY})?)"
URI = rf"(?:{SCHEME}:{HIER_PART}(?:\?{QUERY})?(?:#{FRAGMENT})?)"

LITERAL: dict[Production, re.Pattern[str]] = {
    "URI-reference": re.compile(f"(?:{URI}|{RELATIVE_REF})"),
    "URI": re.compile(URI),
    "absolute-URI": re.compile(ABSOLUTE_URI),
    "relative-ref": re.compile(RELATIVE_REF),
}

PIECES = st.sampled_from(
    [
        *"aZ09-._~!$&'()*+,;=:/?#[]@% \n<>\"{}|\\^`",
        *(
            "é",
            "\u2028",
            "\ud800",
            "//",
            "::",
            "%4",
            "%41",
            "%zz",
            "http:",
            "1a:",
            "//h",
            "u:p@",
            ":80",
            ":8a",
            "[::1]",
        ),
        *("[v1.a]", "[1:2:3:4:5:6:7:8]", "[::1.2.3.4]", "[1::2::3]", "255", "256", "./", "../", "ffff:", "2001:db8::"),
    ]
)
TEXTS = st.lists(PIECES, max_size=9).map("".join)


@pytest.mark.parametrize("production", list(LITERAL))
@given(text=TEXTS)
@example(text="")
@example(text="\n")
@example(text="a\n")
@example(text="http:")
@example(text="//")
@example(text="///")
@example(text="a:b")
@example(text="a/b:c")
@example(text="?a:b")
@example(text="http://[::1]:80/[")
def test_agrees_with_the_literal_grammar(production: Production, text: str) -> None:
    expected = LITERAL[production].fullmatch(text) is not None
    assert is_valid(text, production) is expected
    assert (violations(text, production) == []) is expected


@given(text=TEXTS)
def test_positions_lie_in_the_text_and_ascend(text: str) -> None:
    positions = [violation.position for violation in violations(text)]
    assert positions == sorted(positions)
    assert all(0 <= position <= len(text) for position in positions)


@pytest.mark.parametrize(
    "uri",
    [
        # RFC 3986 §1.1.2
        "ftp://ftp.is.co.za/rfc/rfc1808.txt",
        "http://www.ietf.org/rfc/rfc2396.txt",
        "ldap://[2001:db8::7]/c=GB?objectClass?one",
        "mailto:John.Doe@example.com",
        "news:comp.infosystems.www.servers.unix",
        "tel:+1-816-555-1212",
        "telnet://192.0.2.16:80/",
        "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
        # RFC 2732 §2
        "http://[FEDC:BA98:7654:3210:FEDC:BA98:7654:3210]:80/index.html",
        "http://[1080:0:0:0:8:800:200C:417A]/index.html",
        "http://[3ffe:2a00:100:7031::1]",
        "http://[1080::8:800:200C:417A]/foo",
        "http://[::192.9.5.5]/ipng",
        "http://[::FFFF:129.144.52.38]:80/index.html",
        "http://[2010:836B:4179::836B:4179]",
        # RFC 4291 §2.2
        "http://[2001:DB8:0:0:8:800:200C:417A]/",
        "http://[FF01::101]/",
        "http://[::1]/",
        "http://[::]/",
        "http://[::13.1.68.3]/",
        "http://[::FFFF:129.144.52.38]/",
        # RFC 3986 §3.2.2
        "http://[v7.fe80::a+en1]/",
        "http://999.1.1.1/",
        "file:///etc/passwd",
        "http://h:/",
        "http://u:p:q@h/",
        "http://@h",
        "about:",
    ],
)
def test_examples_are_uris(uri: str) -> None:
    assert violations(uri, "URI") == []
    assert is_valid(uri, "URI")
    assert not is_valid(uri, "relative-ref")


@pytest.mark.parametrize(
    "reference", ["", "#", "?", "#s", "?y", "//g", "/g", "./g:h", ".//g", "a/b:c", ";x", "g;x=1/../y"]
)
def test_examples_are_relative_references(reference: str) -> None:
    assert violations(reference, "relative-ref") == []
    assert not is_valid(reference, "URI")
    assert not is_valid(reference, "absolute-URI")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://h/a b", [("path", "segment", 10)]),
        ("http://h/a b c", [("path", "segment", 10)]),
        ("http://h/%", [("path", "pct-encoded", 9)]),
        ("a%4gb%zz", [("path", "pct-encoded", 1)]),
        ("http://h/?a[]=1", [("query", "query", 11)]),
        ("#a#b", [("fragment", "fragment", 2)]),
        ("http://h/#%", [("fragment", "pct-encoded", 10)]),
        ("1a:b", [("path", "segment-nz-nc", 2)]),
        (":b", [("path", "segment-nz-nc", 0)]),
        ("a b:c", [("path", "segment", 1), ("path", "segment-nz-nc", 3)]),
        ("http://u@v@h/", [("userinfo", "userinfo", 8)]),
        ("http://u%@h/", [("userinfo", "pct-encoded", 8)]),
        ("http://a_b<c/", [("host", "reg-name", 10)]),
        ("http://h:80:90/", [("port", "port", 11)]),
        ("http://h:8o/", [("port", "port", 10)]),
        ("http://h:٣/", [("port", "port", 9)]),
        ("http://[::1/", [("host", "IP-literal", 7)]),
        ("http://[::1]x/", [("host", "IP-literal", 12)]),
        ("http://[::1]:8o/", [("port", "port", 14)]),
        ("http://x[::1]/", [("host", "reg-name", 8), ("port", "port", 10)]),
        ("http://2001:db8::1/", [("host", "IP-literal", 7)]),
        ("http://[]/", [("host", "IPv6address", 8)]),
        ("http://[:1]/", [("host", "IPv6address", 8)]),
        ("http://[1::2::3]/", [("host", "IPv6address", 12)]),
        ("http://[12345::]/", [("host", "IPv6address", 12)]),
        ("http://[1:2:3:4:5:6:7:]/", [("host", "IPv6address", 21)]),
        ("http://[1:2:3:4:5:6:7:8:9]/", [("host", "IPv6address", 24)]),
        ("http://[1:2]/", [("host", "IPv6address", 11)]),
        ("http://[::256.1.1.1]/", [("host", "IPv4address", 10)]),
        ("http://[::01.1.1.1]/", [("host", "IPv4address", 10)]),
        ("http://[fe80::1%25eth0]/", [("host", "IPv6address", 15)]),
        ("http://[v.x]/", [("host", "IPvFuture", 9)]),
        ("http://[v1:x]/", [("host", "IPvFuture", 10)]),
        ("http://[v1.]/", [("host", "IPvFuture", 11)]),
        ("http://[v1.a%41]/", [("host", "IPvFuture", 12)]),
        # one fault does not hide another
        ("http://u @h^:x/{?|#`", [
            ("userinfo", "userinfo", 8), ("host", "reg-name", 11), ("port", "port", 13),
            ("path", "segment", 15), ("query", "query", 17), ("fragment", "fragment", 19),
        ]),
    ],
)  # fmt: skip
def test_says_which_rule_and_where(text: str, expected: list[tuple[str, str, int]]) -> None:
    found = violations(text)
    assert [(violation.component, violation.rule, violation.position) for violation in found] == expected
    assert not is_valid(text)


@pytest.mark.parametrize(
    ("text", "production", "expected"),
    [
        ("a/b", "URI", ("scheme", "scheme", 0)),
        ("//h/p", "URI", ("scheme", "scheme", 0)),
        ("", "URI", ("scheme", "scheme", 0)),
        (":b", "URI", ("scheme", "scheme", 0)),
        ("1a:b", "URI", ("scheme", "scheme", 0)),
        ("a_b:c", "absolute-URI", ("scheme", "scheme", 1)),
        ("http://h/#s", "absolute-URI", ("fragment", "absolute-URI", 9)),
        ("http://h/", "relative-ref", ("path", "segment-nz-nc", 4)),
    ],
)
def test_productions(text: str, production: Production, expected: tuple[str, str, int]) -> None:
    (violation,) = violations(text, production)
    assert (violation.component, violation.rule, violation.position) == expected
    assert not is_valid(text, production)


def test_characters_outside_ascii_are_called_an_iri() -> None:
    (violation,) = violations("http://h/Köln/Straße")
    assert violation.position == 10
    assert "IRI" in violation.message
    assert "%C3%B6" in violation.message
    assert violation.message.endswith("(and 1 more)")
    (violation,) = violations("\udc80")
    assert "surrogate" in violation.message


def test_messages_show_control_characters_by_number() -> None:
    (violation,) = violations("a\tb")
    assert "U+0009" in violation.message
    assert "%09" in violation.message


def test_a_zone_identifier_is_named() -> None:
    assert "RFC 6874" in violations("http://[fe80::1%25eth0]/")[0].message


@pytest.mark.parametrize(
    ("before", "unit", "behind"),
    [("", "% ", ""), ("http://", "u@", ""), ("//[", "1:", "]"), ("", "_", ":"), ("", "%", "")],
)
def test_the_answer_stays_small_and_comes_in_linear_time(before: str, unit: str, behind: str) -> None:
    def judging(many: int) -> Callable[[], tuple[int, bool]]:
        text = before + unit * many + behind
        return lambda: (len(violations(text)), is_valid(text))

    number, valid = judging(10_000)()
    assert (1 <= number <= 3, valid) == (True, False)
    assert_proportional(judging, 5000)


def test_an_unknown_production_is_refused() -> None:
    with pytest.raises(ValueError, match="there are URI-reference, URI"):
        violations("a", "IRI")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="unknown production 'IRI'"):
        is_valid("a", "IRI")  # type: ignore[arg-type]


def test_violations_are_values() -> None:
    assert violations("a b") == [
        Violation("path", "segment", 1, '" " is not allowed in the path; percent-encoded it is %20')
    ]


def test_a_host_that_is_not_ascii_is_for_idna() -> None:
    (host,) = violations("http://bücher.example/")
    assert "as IDNA writes it, xn--" in host.message
    assert "%C3%BC" not in host.message
    (path,) = violations("http://h/bücher")
    assert "percent-encoded, %C3%BC" in path.message
