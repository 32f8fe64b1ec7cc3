"""Normalization and comparison (RFC 3986 §6.2.2, §6.2.3, and what single schemes say): every rule, and the laws."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from examples import examples
from growth import assert_proportional
from rehref.uri.components import split
from rehref.uri.normalization import _IS_NORMAL, DEFAULT_PORTS, comparison_key, equivalent, normalize
from rehref.uri.resolver import PROFILES, Profile, parse_or_none, resolve


@pytest.mark.parametrize(
    ("uri", "normalized"),
    [
        # RFC 3986 §6.2.2
        ("eXAMPLE://a/./b/../b/%63/%7bfoo%7d", "example://a/b/c/%7Bfoo%7D"),
        # 1: case
        ("HTTP://www.EXAMPLE.com/", "http://www.example.com/"),
        ("http://h/%c3%bc?%e4#%f6", "http://h/%C3%BC?%E4#%F6"),
        ("http://H%c3%bcB/", "http://h%C3%BCb/"),
        ("http://[FE80::A]/", "http://[fe80::a]/"),
        ("http://[FE80::A%25Eth0]/", "http://[fe80::a%25Eth0]/"),
        ("http://[V1.ABC]/", "http://[v1.abc]/"),
        ("http://\u212a/", "http://\u212a/"),
        ("http://h/Path?Query#Frag", "http://h/Path?Query#Frag"),
        # 2: escapes
        ("http://h/%7Euser/%41%2D%2f%3A?%7e=%26#%5f", "http://h/~user/A-%2F%3A?~=%26#_"),
        ("http://%45X.org/", "http://ex.org/"),
        ("http://%55s%3Ae:p%40@h/", "http://Us%3Ae:p%40@h/"),
        ("urn:a:%41%2d%c3", "urn:a:%41%2D%C3"),
        ("urn:/%41/.", "urn:/A/"),
        # 3: a "%" that begins no escape
        ("http://h/100%/%", "http://h/100%/%"),
        ("http://h/%%34%31", "http://h/%%34%31"),
        ("http://h/%4%31", "http://h/%4%31"),
        ("http://h/%zz%41", "http://h/%zzA"),
        ("http://h/%%c3%bc%41", "http://h/%%C3%BCA"),
        # 4: dot segments
        ("http://h/a/./b/../c/..", "http://h/a/"),
        ("http://h/%2e%2E/a/%2E", "http://h/a/"),
        ("foo:/a/../b", "foo:/b"),
        ("foo:a/../b", "foo:a/../b"),
        ("foo:%2e%2E/%7e/%2e./a%2e", "foo:%2E%2E/~/%2E./a."),
        ("javascript:/%2e/%7e", "javascript:/%2E/~"),
        ("a/../b", "a/../b"),
        ("/a/../b", "/a/../b"),
        ("//H/a/../b", "//h/a/../b"),
        ("../%7e", "../~"),
        ("javascript:/a/../b/", "javascript:/a/../b/"),
        ("DATA:/a/./b", "data:/a/./b"),
        # 5: port
        ("http://h:80/", "http://h/"),
        ("http://h:/", "http://h/"),
        ("foo://h:/", "foo://h/"),
        ("//h:/", "//h/"),
        ("//h:80/", "//h:80/"),
        ("http://h:443/", "http://h:443/"),
        ("https://h:443/", "https://h/"),
        ("HTTPS://u:p@[::1]:443/", "https://u:p@[::1]/"),
        ("http://h:080/", "http://h:080/"),
        # 6: an empty path
        ("http://h", "http://h/"),
        ("http://h?q", "http://h/?q"),
        ("http://h#s", "http://h/#s"),
        ("ftp://h:21", "ftp://h/"),
        ("foo://h", "foo://h"),
        ("//h", "//h"),
        # 7: no host
        ("http://", "http://"),
        ("http://:80", "http://:80"),
        ("http://u@:/", "http://u@:/"),
        ("http://2001:db8::/", "http://2001:db8::/"),
        ("http://[::1:80", "http://[::1:80"),
        ("file:///Etc", "file:///Etc"),
        # 8: other components
        ("foo:/.//a", "foo:/.//a"),
        ("foo:/a/..//b", "foo:/.//b"),
        ("%68ttp:x", "./http:x"),
        ("%68ttp%3Ax", "http%3Ax"),
        # 9: empty and undefined
        ("http://h/?#", "http://h/?#"),
        ("http://@h/", "http://@h/"),
        ("http://u:@h/", "http://u:@h/"),
        ("", ""),
    ],
)
def test_rules(uri: str, normalized: str) -> None:
    assert normalize(uri) == normalized


@pytest.mark.parametrize("scheme", list(DEFAULT_PORTS))
def test_default_ports(scheme: str) -> None:
    assert normalize(f"{scheme}://h:{DEFAULT_PORTS[scheme]}") == f"{scheme}://h/"


PIECES = st.sampled_from(
    [
        *"aZ09-._~:/?#[]@% +",
        *(
            "%41",
            "%2e",
            "%2F",
            "%c3%BC",
            "%4",
            "%zz",
            "%%",
            "%3a",
            "http:",
            "FOO:",
            "//",
            "H",
            ":80",
            "[FE80::A]",
            "[::1",
        ),
        *("../", "./", "..", "u:p@", "é", "K", "javascript:"),
    ]
)
TEXTS = st.lists(PIECES, max_size=10).map("".join)


@given(TEXTS)
@example("http://h/%%%334%31")
@example("http://h/%%34%%34%31%31")
@example("foo:/..//..//a")
def test_twice_is_once(text: str) -> None:
    assert normalize(normalize(text)) == normalize(text)
    assert equivalent(text, normalize(text))


@given(TEXTS)
def test_components_stay_what_they_are(text: str) -> None:
    before, after = split(text), split(normalize(text))
    assert (before.scheme is None) is (after.scheme is None)
    assert (before.authority is None) is (after.authority is None)
    assert (before.query is None) is (after.query is None)
    assert (before.fragment is None) is (after.fragment is None)
    if before.authority is not None and after.authority is not None:
        assert before.authority.count("@") == after.authority.count("@")


@given(TEXTS, st.sampled_from(["http://h/a/b/c?q", "http://h", "foo:/a/b"]))
def test_a_normalized_reference_resolves_to_an_equivalent_target(reference: str, base: str) -> None:
    assert equivalent(resolve(base, reference), resolve(base, normalize(reference)))


@pytest.mark.parametrize(("unit", "normal"), [("%41", "A"), ("%", "%"), ("a/../", "")])
def test_hostile_texts_take_linear_time(unit: str, normal: str) -> None:
    def normalizing(many: int) -> Callable[[], str]:
        return partial(normalize, "http://h/" + unit * many)

    assert normalizing(100)() == "http://h/" + normal * 100
    assert_proportional(normalizing, 2000)


SAME = [
    ("HTTP://Example.ORG:80/%61", "http://example.org/a"),
    ("http://h", "http://h/"),
    ("http://h?q", "http://h/?q"),
    ("http://h:/a/./b/../c", "http://h/a/c"),
    # IDNA: U-labels, A-labels, percent-encoded UTF-8 (RFC 3986 §3.2.2)
    ("http://bücher.example/", "http://xn--bcher-kva.example/"),
    ("http://BÜCHER.example", "http://XN--BCHER-KVA.example:80/"),
    ("http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"),
    ("https://anna@faß.example/", "https://anna@xn--fa-hia.example:443/"),
    ("http://例え。テスト/", "http://xn--r8jz45g.xn--zckzah/"),
    # IRIs and what they map to (RFC 3987 §3.1)
    ("http://h/grün?ü#ü", "http://h/gr%c3%bcn?%C3%BC#%C3%BC"),
    ("http://h/a b", "http://h/a%20b"),
]
SAME_BY_RFC = [
    # RFC 8089 §2, appendix B
    ("file:///x", "file://localhost/x"),
    ("file:/x", "FILE://LOCALHOST/x"),
    # RFC 6068 §2, RFC 5321 §2.4
    ("mailto:Anna@Example.ORG", "mailto:Anna@example.org"),
    ("MAILTO:a@Bücher.example,b@H?subject=x", "mailto:a@xn--bcher-kva.example,b@h?subject=x"),
    # RFC 4516 §2
    ("ldap://Dir.example:389", "ldap://dir.example/"),
    ("ldap://dir.example:389/dc=example", "ldap://dir.example/dc=example"),
    # RFC 4248 §2
    ("telnet://anna@h:23/", "telnet://anna@h"),
    # RFC 8141 §3.2
    ("urn:example:a123,z456", "URN:EXAMPLE:a123,z456"),
    ("urn:example:a123,z456", "urn:example:a123,z456?+abc"),
    ("urn:example:a123,z456", "urn:example:a123,z456?=xyz"),
    ("urn:example:a123,z456", "urn:example:a123,z456#789"),
    ("urn:example:a123%2Cz456", "URN:EXAMPLE:a123%2cz456"),
    # no URN: there is no namespace identifier (RFC 8141 §2)
    ("urn:/.", "urn:/"),
    ("urn:/%41?x", "urn:/A?x"),
]
OTHER = [
    ("http://h/", "http://h/?"),
    ("http://h/", "https://h/"),
    ("http://h/A", "http://h/a"),
    ("http://h/a%2Fb", "http://h/a/b"),
    ("http://bücher.example/", "http://bucher.example/"),
    ("foo://bücher.example/", "foo://xn--bcher-kva.example/"),  # nobody says that DNS knows this host
    ("http://b%FCcher.example/", "http://bücher.example/"),  # no UTF-8
    ("file://server/x", "file:///x"),
    ("mailto:anna@h", "mailto:Anna@h"),
    ("mailto:a%40B@h", "mailto:a%40b@h"),
    # RFC 8141 §3.2
    ("urn:example:a123,z456", "urn:example:a123,z456/foo"),
    ("urn:example:a123,z456", "urn:example:A123,z456"),
    ("urn:example:a123%2Cz456", "urn:example:a123,z456"),
    ("urn:example:a%2Db", "urn:example:a-b"),
    ("", "http://h/"),
]


@pytest.mark.parametrize(("one", "other"), [*SAME, *SAME_BY_RFC])
def test_the_same(one: str, other: str) -> None:
    assert equivalent(one, other)
    assert equivalent(other, one)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_not_the_same(one: str, other: str) -> None:
    assert not equivalent(one, other)


@pytest.mark.parametrize(("one", "other"), [pair for pair in SAME if "%61" not in pair[0] and "%c3" not in pair[1]])
def test_the_same_for_browsers(one: str, other: str) -> None:
    assert equivalent(one, other, "whatwg")
    assert comparison_key(one, "whatwg") == parse_or_none(one)


def test_browsers_decode_no_escapes() -> None:
    assert not equivalent("http://h/%61", "http://h/a", "whatwg")
    assert equivalent("http://h/%2e/b", "http://h/b", "whatwg")
    assert equivalent("http://0x7f.1/", "http://127.0.0.1/", "whatwg")
    assert not equivalent("http://0x7f.1/", "http://127.0.0.1/")
    assert comparison_key("no URL", "whatwg") == "no URL"


PARTS = st.sampled_from(
    [
        *("http:", "HTTP://", "//", "H", "ü.é", "%C3%BC", "%ff", ":80", ":", "/", "a/../", "%2e", "%7E", "?", "#", "@"),
        *("mailto:", "URN:", "urn:X:", "?+r", "file:", "localhost", "[::1]", "xn--", "\ud800", "ldap://", ",", "%"),
        ".",
    ]
)


@given(st.lists(PARTS, max_size=8).map("".join), st.sampled_from(PROFILES))
@example("mailto:a@ü%2C@b", "rfc3986")
@example("URN://HTTP://", "rfc3986")
@example("ldap://http:ü.é", "rfc3986")
@example("ftp://a%20ü.é", "rfc3986")
def test_a_key_is_its_own_key(text: str, profile: Profile) -> None:
    key = comparison_key(text, profile)
    assert comparison_key(key, profile) == key
    assert equivalent(text, key, profile)


@given(st.lists(PARTS, max_size=8).map("".join))
@example("urn:/.")
@example("urn:x:%7E")
def test_what_is_normalized_is_the_same(uri: str) -> None:
    assert equivalent(uri, normalize(uri))


LIKE_NORMAL = st.lists(
    st.sampled_from(["a", "-", "/", "%2F", "%C3%BC", ":", "@", "80", "~", "A"])
    | st.sampled_from(["a", "-", ".", "/", "%2", "%41", "%2F", "%c3", "?", "#", ":", "@", "80", "%7E", "[", "A"]),
    max_size=8,
).flatmap(lambda pieces: st.sampled_from(["", "/", "/a"]).map(lambda path: f"http://a.b{path}" + "".join(pieces)))


@given(LIKE_NORMAL)
@settings(max_examples=examples(500))
def test_what_is_known_to_be_normal_is(text: str) -> None:
    if _IS_NORMAL(text):
        assert normalize(text) == text


@pytest.mark.parametrize(
    ("before", "unit", "behind"), [("http://", "a.", ""), ("http://", "a", ""), ("http://a.b", "/%2F", "%")]
)
def test_to_know_what_is_normal_takes_linear_time(before: str, unit: str, behind: str) -> None:
    assert _IS_NORMAL(before + unit * 1000 + behind) is None
    assert_proportional(lambda many: partial(_IS_NORMAL, before + unit * many + behind), 10_000)
