"""References that are made to be misread (RFC 3986 §7.3, §7.4, §7.6)."""

from __future__ import annotations

from functools import partial

import pytest

import rehref
from growth import assert_proportional
from rehref.documents._deceptive_references import attacks
from rehref.uri.resolver import PROFILES

CODES = {"misleading-userinfo", "rare-ip-address", "suspicious-escape"}


def found(reference: str, **options) -> dict[str, str]:
    """Those of these problems that a reference has, with their messages."""
    options.setdefault("url", "http://h/d/p.html")
    escaped = reference.replace("&", "&amp;").replace('"', "&quot;")
    (link,) = rehref.links(f'<a href="{escaped}">x</a>', **options)
    return {problem.code: problem.message for problem in link.problems if problem.code in CODES}


@pytest.mark.parametrize(
    ("reference", "says"),
    [
        ("ftp://cnn.example.com&story=breaking_news@10.0.0.1/top_story.htm", "the host, which is 10.0.0.1 (RFC 3986"),
        ("http://www.bank.com@evil/", "www.bank.com before the @"),
        ("HTTP://WWW.Bank.Com@evil/", "WWW.Bank.Com before"),
        ("//www.bank@evil", "www.bank before the @"),
        ("http://bank.de@evil/", "bank.de before"),
        ("http://bank.com%2Flogin%3Fx@evil/", "bank.com/login?x before"),
        ("http://bank%2Ecom@evil/", "bank.com before"),
        ("http://bücher.com@evil/", "bücher.com before"),
        ("http://a.xn--p1ai@evil/", "a.xn--p1ai before"),
        ("https://10.0.0.1@evil/", "10.0.0.1 before"),
        ("https://bank.com:secret@evil:8080/", "bank.com before the @ is made to look like the host, which is evil ("),
        ("https://bank.com" + "&" * 100 + "@evil/", "…"),
    ],
)
def test_a_userinfo_that_looks_like_a_host(reference, says):
    for profile in PROFILES:
        message = found(reference, profile=profile)["misleading-userinfo"]
        assert "secret" not in message
        assert len(message) < 200
        if profile != "whatwg":
            assert says in message


@pytest.mark.parametrize(
    "reference",
    [
        *(
            "http://h/",
            "http://anna@h/",
            "ftp://anna.schmidt@h/",
            "http://anna:www.bank.com@h/",
            "mailto:www.bank.com@h",
        ),
        *("http://anna@example.org@h/", "ftp://anna%40example.com@h/", "http://v1.2@h/", "http://h/www.bank.com@evil"),
        *("?//www.bank.com@evil", "http://1.2.3.4.5@h/", "http://com@h/", "http://a.common@h/"),
    ],
)
def test_a_userinfo_that_does_not(reference):
    for profile in PROFILES:
        assert "misleading-userinfo" not in found(reference, profile=profile), profile


@pytest.mark.parametrize(
    ("reference", "address"),
    [
        ("http://0x7f.1/", "127.0.0.1"),
        ("//3232235777/x", "192.168.1.1"),
        ("http://127.1", "127.0.0.1"),
        ("http://anna@0177.0.0.01:8080/", "127.0.0.1"),
        ("http://0xC0.0250.0x0101", "192.168.1.1"),
        ("http://127.0.0.1./", "127.0.0.1"),
        ("http://１２７.0.0.1/", "127.0.0.1"),
        ("http://%31%32%37.1/", "127.0.0.1"),
        ("ldap://127.1/", "127.0.0.1"),
    ],
)
def test_an_address_in_a_rare_form(reference, address):
    for profile in PROFILES:
        assert f" {address}, " in found(reference, profile=profile)["rare-ip-address"], profile


@pytest.mark.parametrize(
    "reference",
    [
        *(
            "http://127.0.0.1/",
            "//10.0.0.1:8080",
            "http://1.2.3.256/",
            "http://1.2.3.4.5/",
            "http://[::1]/",
            "http://[1]/",
        ),
        *("http://3com.example/", "http://a.1b/", "http://0x/y".replace("0x", "0xg"), "0x7f.1", "/127.1", "x:127.1"),
        "http://" + "1" * 300_000,
    ],
)
def test_no_address_in_a_rare_form(reference):
    for profile in PROFILES:
        assert "rare-ip-address" not in found(reference, profile=profile), profile


@pytest.mark.parametrize(
    ("reference", "says"),
    [
        ("a%00.html", "%00 "),
        ("http://www.example.org/a/%00", "%00 "),
        ("..%2fetc", "..%2f "),
        ("a/..%2F..%2Fb#x", "..%2F "),
        ("/a/%2e%2E%5cb", "%2e%2E%5c "),
        ("a%2f..", "%2f.. "),
        ("a%2F../b", "%2F.. "),
        ("http://www.example.org/a%2F%2E./b", "%2F%2E. "),
        ("a%2f..%2fb", "..%2f "),
    ],
)
def test_a_suspicious_escape(reference, says):
    for profile in PROFILES:
        assert says in found(reference, profile=profile)["suspicious-escape"], profile


@pytest.mark.parametrize(
    "reference",
    [
        *(
            "AC%2FDC",
            "http://www.example.org/AC%2FDC",
            "a..%2Fb",
            "a%2F..b",
            "?..%2F",
            "#%00",
            "?%00",
            "..%252fa",
            "../a",
        ),
        *("http://www.example.org/x?u=..%2F", "...%2Fa", "a%2F.", ".%2Fa", "%2500"),
    ],
)
def test_no_suspicious_escape(reference):
    for profile in PROFILES:
        assert "suspicious-escape" not in found(reference, profile=profile), profile


def test_what_browsers_take_for_an_authority():
    for reference in ("https:www.bank.com@evil", r"\\www.bank.com@evil", r"https:/\www.bank.com@evil\x"):
        assert "misleading-userinfo" in found(reference, profile="whatwg"), reference
        assert "misleading-userinfo" not in found(reference), reference
    for reference in ("https:127.1", r"\\127.1", r"http:\\127.1\x"):
        assert "rare-ip-address" in found(reference, profile="whatwg"), reference
        assert "rare-ip-address" not in found(reference), reference
    assert found("http:127.1", profile="whatwg") == {}  # relative


def test_a_reference_is_not_to_blame_for_its_base():
    for profile in PROFILES:
        assert found("x", url="http://www.bank.com@127.1/..%2F/%00", profile=profile) == {}


@pytest.mark.parametrize("piece", ["a.", "a.com", "%2e", "..%2f", "%2f..", "/..", "1.", "@", "%00"])
@pytest.mark.parametrize("before", ["http://", "", "//"])
def test_hostile_references_take_linear_time(before: str, piece: str) -> None:
    assert len(attacks(before + piece * 1000 + "@h/" + piece * 1000)) <= 3
    assert_proportional(lambda many: partial(attacks, before + piece * many + "@h/" + piece * many), 5000)
