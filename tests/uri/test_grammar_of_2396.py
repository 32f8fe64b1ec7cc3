"""The validator of RFC 2396, against a literal reading of its Appendix A."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rehref.uri._grammar.grammar_of_2396 import Production, violations

# --- Appendix A, from the bottom up ---

ALPHANUM = "[A-Za-z0-9]"
UNRESERVED = rf"(?:{ALPHANUM}|[\-_.!~*'()])"
ESCAPED = "%[0-9A-Fa-f][0-9A-Fa-f]"
RESERVED = r"[;/?:@&=+$,\[\]]"  # RFC 2732
PCHAR = rf"(?:{UNRESERVED}|{ESCAPED}|[:@&=+$,])"
PARAM = f"{PCHAR}*"
SEGMENT = f"{PCHAR}*(?:;{PARAM})*"
PATH_SEGMENTS = f"{SEGMENT}(?:/{SEGMENT})*"
ABS_PATH = f"/{PATH_SEGMENTS}"
REL_SEGMENT = rf"(?:{UNRESERVED}|{ESCAPED}|[;@&=+$,])+"
REL_PATH = f"{REL_SEGMENT}(?:{ABS_PATH})?"
PORT = "[0-9]*"
IPV4ADDRESS = r"[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+"
TOPLABEL = rf"(?:[A-Za-z](?:[A-Za-z0-9\-]*{ALPHANUM})?)"
DOMAINLABEL = rf"(?:{ALPHANUM}(?:[A-Za-z0-9\-]*{ALPHANUM})?)"
HOSTNAME = rf"(?:{DOMAINLABEL}\.)*{TOPLABEL}\.?"
IPV6REFERENCE = r"\[(?:::1|1:2:3:4:5:6:7:8|::1\.2\.3\.4)\]"  # those of the pieces below
HOST = f"(?:{HOSTNAME}|{IPV4ADDRESS}|{IPV6REFERENCE})"
USERINFO = rf"(?:{UNRESERVED}|{ESCAPED}|[;:&=+$,])*"
REG_NAME = rf"(?:{UNRESERVED}|{ESCAPED}|[$,;:@&=+])+"
SCHEME = r"[A-Za-z][A-Za-z0-9+\-.]*"
URIC_NO_SLASH = rf"(?:{UNRESERVED}|{ESCAPED}|[;?:@&=+$,])"


def literal(production: Production) -> re.Pattern[str]:
    uric = f"(?:{RESERVED}|{UNRESERVED}|{ESCAPED})"
    server = f"(?:(?:(?:{USERINFO})@)?{HOST}(?::{PORT})?)?"
    net_path = f"//(?:{server}|{REG_NAME})(?:{ABS_PATH})?"
    hier_part = rf"(?:{net_path}|{ABS_PATH})(?:\?{uric}*)?"
    opaque_part = f"{URIC_NO_SLASH}{uric}*"
    relative = rf"(?:{net_path}|{ABS_PATH}|{REL_PATH})(?:\?{uric}*)?"
    absolute = f"{SCHEME}:(?:{hier_part}|{opaque_part})"
    patterns: dict[Production, str] = {
        "URI-reference": f"(?:{absolute}|{relative})?(?:#{uric}*)?",
        "absoluteURI": absolute,
        "relativeURI": relative,
    }
    return re.compile(patterns[production])


PIECES = st.sampled_from(
    [
        *"aZ09-._~!$&'()*+,;=:/?#[]@% \n<>\"{}|\\^`",
        *("é", "//", "%4", "%41", "http:", "1a:", "//h", "u:p@", ":80", ":8a", "[::1]", "[v1.a]", "[1:2:3:4:5:6:7:8]"),
        *("[::1.2.3.4]", "[1::2::3]", "[]", "./", ";p=1"),
    ]
)
TEXTS = st.lists(PIECES, max_size=8).map("".join)


@pytest.mark.parametrize("production", ["URI-reference", "absoluteURI", "relativeURI"])
@given(text=TEXTS)
@example(text="")
@example(text="?y")
@example(text="foo:")
@example(text="foo:#s")
@example(text="foo:?x")
@example(text="foo:[x]")
@example(text="foo:x[y]")
@example(text="//u@[::1]:80/p?[q]#[f]")
@example(text="a;b:c")
def test_agrees_with_the_literal_grammar(production: Production, text: str) -> None:
    assert (violations(text, production) == []) is (literal(production).fullmatch(text) is not None)


@given(text=TEXTS)
def test_positions_lie_in_the_text_and_ascend(text: str) -> None:
    positions = [violation.position for violation in violations(text)]
    assert positions == sorted(positions)
    assert all(0 <= position <= len(text) for position in positions)


@pytest.mark.parametrize(
    "uri",
    [
        # RFC 2396 §1.3
        "ftp://ftp.is.co.za/rfc/rfc1808.txt",
        "gopher://spinaltap.micro.umn.edu/00/Weather/California/Los%20Angeles",
        "http://www.math.uio.no/faq/compression-faq/part1.html",
        "mailto:mduerst@ifi.unizh.ch",
        "news:comp.infosystems.www.servers.unix",
        "telnet://melvyl.ucop.edu/",
        # RFC 2732 §2
        "http://[FEDC:BA98:7654:3210:FEDC:BA98:7654:3210]:80/index.html",
        "http://[1080:0:0:0:8:800:200C:417A]/index.html",
        "http://[3ffe:2a00:100:7031::1]",
        "http://[::192.9.5.5]/ipng",
        "http://[::FFFF:129.144.52.38]:80/index.html",
        "http://[2010:836B:4179::836B:4179]",
        # a reg_name
        "http://h:x@y:z/",
    ],
)
def test_examples(uri: str) -> None:
    assert violations(uri, "absoluteURI") == []
    assert violations(uri) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("?y", [("path", "rel_path", 0)]),
        ("foo:", [("opaque_part", "opaque_part", 4)]),
        ("foo:a b", [("opaque_part", "opaque_part", 5)]),
        ("foo:a?b#c#d", [("fragment", "fragment", 9)]),
        ("1a:b", [("path", "rel_segment", 2)]),
        ("a b/c|d", [("path", "rel_segment", 1), ("path", "segment", 5)]),
        ("a/b%4/c", [("path", "escaped", 3)]),
        ("http://h/a^b?c`d#e<f", [("path", "segment", 10), ("query", "query", 14), ("fragment", "fragment", 18)]),
        ("http://a b/", [("authority", "reg_name", 8)]),
        ("http://[::1/", [("host", "IPv6reference", 7)]),
        ("http://[::1]x/", [("host", "IPv6reference", 12)]),
        ("http://[::g]/", [("host", "IPv6address", 10)]),
        ("http://[v1.x]/", [("host", "IPv6reference", 8)]),
        ("http://u|v@[::1]:8o/", [("userinfo", "userinfo", 8), ("port", "port", 18)]),
        ("http://h/Köln", [("path", "segment", 10)]),
    ],
)
def test_says_which_rule_and_where(text: str, expected: list[tuple[str, str, int]]) -> None:
    found = violations(text)
    assert [(violation.component, violation.rule, violation.position) for violation in found] == expected


@pytest.mark.parametrize(
    ("text", "production", "expected"),
    [
        ("a/b", "absoluteURI", ("scheme", "scheme", 0)),
        ("1a:b", "absoluteURI", ("scheme", "scheme", 0)),
        ("a_b:c", "absoluteURI", ("scheme", "scheme", 1)),
        ("http://h/#s", "absoluteURI", ("fragment", "absoluteURI", 9)),
        ("a#s", "relativeURI", ("fragment", "relativeURI", 1)),
        ("http://h/", "relativeURI", ("path", "rel_segment", 4)),
        ("", "relativeURI", ("path", "rel_path", 0)),
    ],
)
def test_productions(text: str, production: Production, expected: tuple[str, str, int]) -> None:
    (violation,) = violations(text, production)
    assert (violation.component, violation.rule, violation.position) == expected


def test_brackets_are_reserved() -> None:
    assert violations("http://[::1]/?a[]#[x]") == []


def test_an_unknown_production_is_refused() -> None:
    with pytest.raises(ValueError, match="there are URI-reference, absoluteURI, relativeURI"):
        violations("a", "URI")  # type: ignore[arg-type]
