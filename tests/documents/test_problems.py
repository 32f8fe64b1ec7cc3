"""What is odd about references: the rules of `rehref.documents._problems`, and that no short cut hides any of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rehref
from growth import assert_proportional
from rehref.documents._bases.bound_resolver import BoundResolver
from rehref.documents._problems import problems_of
from rehref.documents.base import Base, Candidate, clean, establish
from rehref.uri.components import split
from rehref.uri.resolver import PROFILES, Profile, above_root, resolve
from rehref.uri.validation import violations

URL = "http://h/a/b.html"


def problems(reference: str, **options) -> dict[str, str]:
    """Each problem's code, with its message; `not-a-uri` may come more than once, with one message for each fault."""
    options.setdefault("url", URL)
    escaped = reference.replace("&", "&amp;").replace('"', "&quot;")
    (link,) = rehref.links(f'<a href="{escaped}">x</a>', **options)
    found: dict[str, str] = {}
    for code, message in ((problem.code, problem.message) for problem in link.problems):
        assert code not in found or code == "not-a-uri"
        found[code] = f"{found[code]}; {message}" if code in found else message
    return found


# ------------------------------------------------------------------------------------------------- ports


@pytest.mark.parametrize(
    ("reference", "says"),
    [
        # there is no such port
        ("http://x:65536/", "no port 65536"),
        ("ftp://x:99999", "no port 99999"),
        ("//x:0099999/", "no port 99999"),
        ("https://x:" + "9" * 6000, "no port 9999999999…: 65535 is the highest"),
        # well known for something else
        ("http://x:81/", "port 81 is well known for a service other than http, whose own port is 80"),
        ("http://x:443/", "than http, whose own port is 80"),
        ("HTTPS://x:80/", "than https, whose own port is 443"),
        ("ws://x:443", "than ws, whose own port is 80"),
        ("wss://x:80?q", "than wss, whose own port is 443"),
        ("ftp://x:22/", "than ftp, whose own port is 21"),
        ("http://x:0082/", "port 82 "),
        ("http://x:1023", "port 1023 "),
        # refused
        ("http://x:22/", "browsers refuse port 22 "),
        ("http://x:0", "browsers refuse port 0 "),
        ("https://x:6667/", "browsers refuse port 6667 "),
        ("wss://x:10080/", "browsers refuse port 10080 "),
        ("//x:25/", "browsers refuse port 25 "),
        ("http://u@x:25/", "browsers refuse port 25 "),
        ("http://[::1]:25/", "browsers refuse port 25 "),
    ],
)
def test_a_suspicious_port(reference, says):
    for profile in PROFILES:
        assert says in problems(reference, profile=profile)["suspicious-port"], profile


@pytest.mark.parametrize(
    "reference",
    [
        *("http://x:80/", "https://x:443", "ws://x:80", "wss://x:443", "ftp://x:21/", "HTTP://x:0080/"),
        *("http://x/", "http://x:/", "//x:/", "http://x:8080/", "https://x:1024/", "http://x:65535", "ftp://x:6667/"),
        # no port at all, or none that is one
        *(
            "x:25",
            "/x:25",
            "?http://x:25/",
            "#//x:25/",
            "http://x/y:25",
            "http://25:x@h/",
            "http://x:y25/",
            "mailto:x:25",
        ),
        *("http://[::1", "http://[::25]", "http://::25/", "http://x:٢٥/"),
        # of these schemes nobody knows what port they should have
        *("gopher://x:25/", "foo://x:99999/", "file://x:25/"),
    ],
)
def test_no_suspicious_port(reference):
    for profile in PROFILES:
        assert "suspicious-port" not in problems(reference, profile=profile), profile


def test_a_reference_is_not_to_blame_for_the_port_of_its_base():
    assert problems("x", url="http://x:25/") == {}
    assert problems("../x", url="http://x:25/a/b/") == {}
    assert "suspicious-port" not in problems("//x:25/", url=None)  # for want of a scheme


def test_what_browsers_take_for_an_authority():
    for reference in ("https:x:25", r"\\x:25", r"https:\x:25", "/\\x:25"):
        assert "suspicious-port" in problems(reference, profile="whatwg"), reference
        assert "suspicious-port" not in problems(reference), reference
    assert "password-in-uri" in problems("https:u:secret@x", profile="whatwg")
    assert problems("x", url="http://u:p@x:25/", profile="whatwg") == {}


def test_the_ports_that_browsers_refuse_are_those_of_the_fetch_standard():
    page = "".join(f"<a href=http://x:{port}>" for port in range(12_000))
    refused = [
        split(link.reference).authority
        for link in rehref.links(page)
        if any("refuse" in problem.message for problem in link.problems)
    ]
    assert len(refused) == 83
    assert (refused[0], refused[-1]) == ("x:0", "x:10080")


# ----------------------------------------------------------------------------------------- above the root


@pytest.mark.parametrize(
    ("base", "reference", "surplus"),
    [
        # as many as there are, and one more; with the slash and without
        ("http://h", "../x", 1),
        ("http://h", "..", 1),
        ("http://h", "x", 0),
        ("http://h/", "../x", 1),
        ("http://h/a", "../x", 1),
        ("http://h/a/", "../x", 0),
        ("http://h/a/", "..", 0),
        ("http://h/a/", "../..", 1),
        ("http://h/a/", "../../", 1),
        ("http://h/a/b", "../../../x", 2),
        ("http://h/a//b", "../../x", 0),
        ("http://h/a//b", "../../../x", 1),
        ("http://h?q/../..", "../x", 1),
        # what is odd in the base is not counted
        ("http://h/../a/b", "../x", 0),
        ("http://h/../a/b", "../../x", 1),
        ("http://h/./a/./b", "../../x", 1),
        ("http://h/a/../b/../c/d", "../../x", 1),
        # dots inside
        ("http://h/a/b", "c/../../x", 0),
        ("http://h/a/b", "c/../../../x", 1),
        ("http://h/a/b", "./../.././../x", 2),
        ("http://h/a/b", "../c/../../x", 1),
        ("http://h/a/b", "x//../..", 0),
        ("http://h/a/b", "...", 0),
        ("http://h/a/b", "..x/../..y", 0),
        # a path of its own
        ("http://h/a/b/c", "/../x", 1),
        ("http://h/a/b/c", "/x/../../..", 2),
        ("http://h/a/b/c", "//o/../x", 1),
        ("http://h/a/b/c", "http://o/x/../../y", 1),
        ("http://h/a/b/c", "foo:/../y", 1),
        # no path, or none that has levels
        ("http://h/", "?../..", 0),
        ("http://h/", "#../..", 0),
        ("http://h/", "mailto:../../x", 0),
        ("http://h/", "javascript:'../../x'", 0),
        ("foo:/a/b", "../../x", 1),
        ("file:///a", "../x", 1),
    ],
)
def test_above_the_root(base, reference, surplus):
    for profile in PROFILES:
        assert above_root(reference, base, profile) == surplus, profile
        message = problems(reference, url=base, profile=profile).get("above-root", ' 0 ".."')
        assert f' {surplus} ".."' in message, profile


def test_what_becomes_of_the_surplus_is_said():
    assert problems("../../x")["above-root"] == 'the path climbs above the root: 1 ".." too many, which is dropped'
    assert problems("../../../x")["above-root"].endswith('2 ".." too many, which are dropped')
    assert problems("../../x", profile="rfc2396")["above-root"].endswith('1 ".." too many, which is kept')
    assert problems("../../../x", profile="rfc2396")["above-root"].endswith('2 ".." too many, which are kept')


def test_without_a_base_only_a_path_of_its_own_can_climb():
    assert set(problems("../x", url=None)) == {"no-base"}
    assert set(problems("/../x", url=None)) == {"no-base", "above-root"}


def test_what_browsers_take_for_dots_and_slashes():
    for reference in ("%2e%2E/.%2e/x", r"..\..\x", "http:../../x", r"\%2e.\x"):
        assert "above-root" in problems(reference, profile="whatwg"), reference
        assert "above-root" not in problems(reference), reference
    assert "above-root" in problems("http:../../x", profile="rfc3986-compat")
    assert "above-root" not in problems(r"foo:/x\..\..\..", profile="whatwg")


SEGMENTS = st.lists(st.sampled_from(["..", "..", ".", "a", ""]), max_size=7).map("/".join)


@given(
    st.lists(st.sampled_from(["a", "b", ""]), max_size=4),
    SEGMENTS.filter(lambda path: path and not path.startswith("/")),
)
def test_rfc_2396_keeps_what_is_too_much(above, reference):
    target = split(resolve("http://h/" + "/".join(above), reference, "rfc2396")).path.split("/")[1:]
    kept = next((number for number, segment in enumerate(target) if segment != ".."), len(target))
    assert above_root(reference, "http://h/" + "/".join(above), "rfc2396") == kept


# --------------------------------------------------------------------------------------------- all of it


BASES = ("http://h", "http://h/", "http://h/a", "http://h/a/", "http://h/a/b//c", "http://h/.x/y", "http://h/../a/./b/")
PIECES = (
    *(
        "..",
        "../",
        "/",
        ".",
        "a",
        "a.b",
        "?",
        "#",
        ":",
        "//",
        "http:",
        "http://x.org",
        "x",
        "%2e",
        "@",
        ":25",
        " ",
        "\t",
    ),
    *("\\", "é", "%", "~", "http://x.y:8080/", "http://u:p@x.org", "."),
)


@given(
    st.sampled_from((*BASES, "file:///srv/www/a.html", "file:///a.html", "file:///", "file:///C:/a/b", "file://h/a/b")),
    st.lists(st.sampled_from((*PIECES, "C:", "C|", "c:/", ":", "/", "..", "../", "a/b")), max_size=6).map("".join),
    st.sampled_from(PROFILES),
)
@example("file:///a.html", "./C:/../x", "rfc3986")
@example("file:///srv/a.html", "../C:/../x", "rfc3986")
@example("file:///srv/a.html", "/C:/../x", "rfc3986")
def test_no_short_cut_hides_a_problem(uri, reference, profile):
    candidates = (Candidate(uri, "retrieval", "retrieval URI"),)
    base, browser = establish(candidates, profile), establish(candidates, "whatwg").uri
    resolves = BoundResolver(base, candidates, own=uri, profile=profile)
    target, _, found = resolves.resolve(reference)
    asked = problems_of(reference, clean(reference), target, profile=profile, base=base.uri, browser_base=browser)
    assert found == resolves(reference)[2] == asked


@given(
    st.sampled_from(("http://h/a", "https://EXAMPLE.org/a")),
    st.sampled_from(("http://", "https://", "HTTP://", "//")),
    st.sampled_from(
        (
            "EXAMPLE.org",
            "A.b",
            "XN--a.com",
            "0XF",
            "FF",
            "A.0x1",
            "u@HOST.com",
            "HOST.com:80",
            "HOST.com.",
            "\u212aelvin.org",
            "h",
        )
    ),
    st.lists(
        st.sampled_from(("a", ".", "..", "", "...", "%2e", "a%2fb", "x y", "a\\", "..%2f", "é", "a\tb", "'")),
        max_size=5,
    ),
    st.sampled_from(("", "?q=../x", "#é", " ", "?%")),
    st.sampled_from(PROFILES),
)
@example("http://h/a", "https://", "Example.org", ["a", "..", "b"], "", "whatwg")
@example("http://h/a", "https://", "Example.org", ["a", "..", "..", "b"], "", "rfc3986")
@example("http://h/a", "https://", "Example.org", ["a", "..", "b"], "", "rfc2396")
def test_capitals_in_a_host_and_dot_segments_change_no_result(uri, scheme, host, segments, rest, profile):
    candidates = (Candidate(uri, "retrieval", "retrieval URI"),)
    resolves = BoundResolver(establish(candidates, profile), candidates, own=uri, profile=profile)
    reference = scheme + host + "".join(f"/{segment}" for segment in segments) + rest
    assert resolves(reference) == resolves.resolve(reference)


@given(st.sampled_from(BASES), st.lists(st.sampled_from(PIECES), max_size=6).map("".join))
def test_what_has_no_problem_is_a_uri_that_stays_below_the_root_and_has_no_odd_port(uri, reference):
    candidates = (Candidate(uri, "retrieval", "retrieval URI"),)
    target, _, found = BoundResolver(establish(candidates), candidates, own=uri, profile="rfc3986").resolve(reference)
    codes = {problem.code for problem in found}
    assert ("above-root" in codes) == (above_root(clean(reference), uri, "rfc3986") > 0)
    if "not-a-uri" not in codes and (split(target or "").scheme or "") in ("http", "https"):  # others may mean any port
        assert ("suspicious-port" in codes) == (split(target or "").authority or "").endswith(":25")


@pytest.mark.parametrize(
    "reference",
    [
        *(
            "http://u:secret@x:25/../y",
            r"http:\\u:secret@x\y",
            "https:u:secret@x",
            "//u:secret@x:99999/",
            "http://u:secret@[x",
        ),
        *("http://u:secret@x/a b", "http://u:se@secret@x/", "ftp://u:secret@x:y/", "http://r/http://u:secret@x/ /"),
        *("ht\ntp://u:secret@x/", "http://u:secret@x/\\", r"\\u:secret@x/"),
    ],
)
def test_no_message_shows_a_password(reference):
    for profile in PROFILES:
        found = problems(reference, profile=profile)
        assert found, profile
        assert not any("secret" in message for message in found.values()), profile
        (base, *_) = rehref.links(f"<base href='{reference}'>", url=URL, profile=profile)
        assert not any("secret" in problem.message for problem in base.problems), profile


def test_the_order_of_problems():
    assert list(problems("http://u:p@x:99999/../\ty z")) == [
        *(
            "white-space-in-reference",
            "not-a-uri",
            "password-in-uri",
            "suspicious-port",
            "above-root",
            "browser-differs",
        ),
    ]
    assert list(problems("http://u:p@x:99999/../\ty z", profile="whatwg"))[:2] == [
        *("white-space-in-reference", "unresolvable"),
    ]


@pytest.mark.parametrize("profile", ["rfc3986", "rfc2396", "whatwg"])
def test_of_a_backslash_it_is_said_that_browsers_read_a_slash(profile: Profile) -> None:
    for reference in ("..\\b\\c.html", "https:\\\\x.org\\b", "http://x\\b", "FTP://x.org/a\\b"):
        message = problems(reference, profile=profile)["not-a-uri"]
        assert 'browsers read it as "/", so write "/"' in message
        assert "%5C" not in message
    for reference in ("a?b\\c", "a#b\\c", "mailto:a\\b@x.org", "javascript:'\\n'"):
        assert "percent-encoded it is %5C" in problems(reference, profile=profile)["not-a-uri"]


@pytest.mark.parametrize(
    "reference",
    [
        lambda many: "../" * many,
        lambda many: "/.." * many,
        lambda many: "a/" * many + "../" * many,
        lambda many: "http://x:" + "0" * many,
        lambda many: "." * many,
    ],
)
@pytest.mark.parametrize("profile", PROFILES)
def test_hostile_references_take_linear_time_and_get_short_messages(
    profile: Profile, reference: Callable[[int], str]
) -> None:
    resolver = BoundResolver(Base(URL, "retrieval", ""), (Candidate(URL, "retrieval", ""),), own=URL, profile=profile)
    _, _, found = resolver.resolve(reference(1000))
    assert sum(len(problem.message) for problem in found) < 7 * 1000
    assert_proportional(lambda many: partial(resolver.resolve, reference(many)), 2000)


# ------------------------------------------------------------------------------------------ without any base


def test_what_means_this_document_needs_no_base():
    for profile in PROFILES:
        for reference in ("#x", "", "#"):
            assert problems(reference, url=None, profile=profile) == {}, (profile, reference)
        assert "no-base" in problems("?x", url=None, profile=profile), profile
        # an embedded base that could not be established might have led elsewhere
        assert "no-base" in problems("x#y", url=None, profile=profile), profile


@pytest.mark.parametrize(
    ("reference", "target"), [("?page=2", "http://h/a/?page=2"), ("#y", "http://h/a/b.html#y"), ("", URL)]
)
def test_rfc_2396_and_browsers_differ_about_the_current_document(reference, target):
    (_, link) = rehref.links(f"<base href='/c/d'><a href='{reference}'>", url=URL, profile="rfc2396")
    differ = [problem for problem in link.problems if problem.code == "browser-differs"]
    assert [problem.target for problem in differ] == [rehref.resolve("http://h/c/d", reference, "whatwg")]
    (link,) = rehref.links(f"<a href='{reference}'>", url=URL, profile="rfc2396")
    assert link.target == target
    differ = [problem.target for problem in link.problems if problem.code == "browser-differs"]
    assert differ == (["http://h/a/b.html?page=2"] if reference == "?page=2" else [])


@pytest.mark.parametrize("reference", ["?y", "foo:", "http://[v1.x]/", "a[1]", "http://h/~[x]"])
def test_rfc_2396_asks_its_own_grammar(reference):
    said = problems(reference, profile="rfc2396").get("not-a-uri", "")
    assert bool(said) == bool(violations(reference, "rfc2396")), said
    for fault in violations(reference, "rfc2396"):
        assert fault.message in said


# ------------------------------------------------------------------------------------- characters outside ASCII


def test_an_iri_is_reported_once_and_only_if_asked_for():
    for profile in PROFILES:
        for reference in ("é/ü?ö#ä", "http://bücher.example/ü", "//ü", "x?\U0001f600"):
            assert "not-a-uri" not in problems(reference, profile=profile), (profile, reference)
            assert "non-ascii" not in problems(reference, profile=profile), (profile, reference)
            found = rehref.links(f"<a href='{reference}'>", url=URL, profile=profile, strict_uris=True)[0].problems
            assert [problem.code for problem in found].count("non-ascii") == 1, (profile, reference)
            assert "not-a-uri" not in {problem.code for problem in found}
    for media_type, source in (
        ("text/css", "a{b:url(é)}"),
        ("text/plain", "http://h/é"),
        ("text/xml", "<a xml:base='é'/>"),
    ):
        for strict in (False, True):
            (link,) = rehref.links(source, url=URL, media_type=media_type, strict_uris=strict)
            assert [problem.code for problem in link.problems] == ["non-ascii"] * strict, media_type
    inner = "<iframe srcdoc='<a href=é>'>"
    assert [problem.code for problem in rehref.links(inner, url=URL, strict_uris=True)[0].problems] == ["non-ascii"]


def test_the_message_about_an_iri_says_what_a_uri_has():
    (problem,) = rehref.links("<a href='/bücher/ü'>", url=URL, strict_uris=True)[0].problems
    assert problem.message == (
        'path, character 3: "ü" is not ASCII: this is an IRI (RFC 3987); a URI has it percent-encoded, %C3%BC '
        "(and 1 more) (segment)"
    )


@pytest.mark.parametrize(
    "reference", ["é:b", "http://h:é/", "http://[é]/", "a\x80", "a\ud800", "a\ufdd0", "a\U0001ffff", "é b", "é%"]
)
def test_what_an_iri_cannot_have_either_is_no_uri(reference):
    (link, *_) = rehref.links(f"<a href='{reference}'>", url=URL)
    assert "not-a-uri" in {problem.code for problem in link.problems}


@pytest.mark.parametrize(
    ("reference", "target"), [("http:g", "http://g/"), ("https:/g/../h", "https://g/h"), ("http:?q", None)]
)
@pytest.mark.parametrize("url", [None, "http://a%2Fb/"])
def test_where_browsers_have_no_base_a_scheme_is_read_without_one(url, reference, target):
    (link,) = rehref.links(f'<a href="{reference}">', url=url)
    assert [each.target for each in link.problems if each.code == "browser-differs"] == [target]
