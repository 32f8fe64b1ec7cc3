"""Normalization (RFC 3986 §6.2.2, §6.2.3): every rule, and the laws it must keep."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from growth import assert_proportional
from rehref.uri.components import split
from rehref.uri.normalization import DEFAULT_PORTS, equivalent, normalize
from rehref.uri.resolver import resolve


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


def test_equivalent() -> None:
    assert equivalent("http://h:80", "HTTP://H/")
    assert equivalent("example://a/b/c/%7Bfoo%7D", "eXAMPLE://a/./b/../b/%63/%7bfoo%7d")
    assert not equivalent("http://h/", "http://h/?")
    assert not equivalent("http://h/", "http://h/#")
    assert not equivalent("http://h/a%2Fb", "http://h/a/b")
    assert not equivalent("http://h/A", "http://h/a")


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
