"""RFC 3986 §5.4 and RFC 2396 Appendix C to the letter, and the resolver against the RFC's own pseudocode."""

from __future__ import annotations

import pickle
import random
import re
from functools import partial
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rehref
from growth import assert_proportional
from rehref.exceptions import ResolutionError
from rehref.uri.components import Components, remove_dot_segments, split, split_authority, unsplit
from rehref.uri.resolver import (
    PROFILES,
    Relativizer,
    Resolver,
    is_current_document,
    is_same_document,
    relativize,
    resolve,
)

BASE = "http://a/b/c/d;p?q"

# RFC 3986 §5.4.1, in the order of the RFC
NORMAL = {
    "g:h": "g:h",
    "g": "http://a/b/c/g",
    "./g": "http://a/b/c/g",
    "g/": "http://a/b/c/g/",
    "/g": "http://a/g",
    "//g": "http://g",
    "?y": "http://a/b/c/d;p?y",
    "g?y": "http://a/b/c/g?y",
    "#s": "http://a/b/c/d;p?q#s",
    "g#s": "http://a/b/c/g#s",
    "g?y#s": "http://a/b/c/g?y#s",
    ";x": "http://a/b/c/;x",
    "g;x": "http://a/b/c/g;x",
    "g;x?y#s": "http://a/b/c/g;x?y#s",
    "": "http://a/b/c/d;p?q",
    ".": "http://a/b/c/",
    "./": "http://a/b/c/",
    "..": "http://a/b/",
    "../": "http://a/b/",
    "../g": "http://a/b/g",
    "../..": "http://a/",
    "../../": "http://a/",
    "../../g": "http://a/g",
}

# RFC 3986 §5.4.2
ABNORMAL = {
    "../../../g": "http://a/g",
    "../../../../g": "http://a/g",
    "/./g": "http://a/g",
    "/../g": "http://a/g",
    "g.": "http://a/b/c/g.",
    ".g": "http://a/b/c/.g",
    "g..": "http://a/b/c/g..",
    "..g": "http://a/b/c/..g",
    "./../g": "http://a/b/g",
    "./g/.": "http://a/b/c/g/",
    "g/./h": "http://a/b/c/g/h",
    "g/../h": "http://a/b/c/h",
    "g;x=1/./y": "http://a/b/c/g;x=1/y",
    "g;x=1/../y": "http://a/b/c/y",
    "g?y/./x": "http://a/b/c/g?y/./x",
    "g?y/../x": "http://a/b/c/g?y/../x",
    "g#s/./x": "http://a/b/c/g#s/./x",
    "g#s/../x": "http://a/b/c/g#s/../x",
}

# RFC 2396 C.1 and C.2 have the same examples, but for these, and one more
EXAMPLES_2396 = {
    **NORMAL,
    **ABNORMAL,
    "": "",  # (current document)
    "#s": "#s",  # (current document)#s
    "?y": "http://a/b/c/?y",
    "../../../g": "http://a/../g",
    "../../../../g": "http://a/../../g",
    "/./g": "http://a/./g",
    "/../g": "http://a/../g",
    "http:g": "http:g",  # for validating parsers
}


@pytest.mark.parametrize(("reference", "target"), [*NORMAL.items(), *ABNORMAL.items()])
@pytest.mark.parametrize("profile", ["rfc3986", "rfc3986-compat"])
def test_examples_of_rfc_3986(profile, reference, target):
    assert resolve(BASE, reference, profile) == target
    assert Resolver(BASE, profile)(reference) == target


def test_both_readings_of_a_scheme_without_authority():
    assert resolve(BASE, "http:g") == "http:g"
    assert resolve(BASE, "http:g", "rfc3986-compat") == "http://a/b/c/g"
    assert resolve(BASE, "HTTP:?y", "rfc3986-compat") == "http://a/b/c/d;p?y"


@pytest.mark.parametrize(("reference", "target"), EXAMPLES_2396.items())
def test_examples_of_rfc_2396(reference, target):
    assert resolve(BASE, reference, "rfc2396") == target
    assert Resolver(BASE, "rfc2396")(reference) == target


def test_the_browser_reads_them_too():
    for reference, target in {**NORMAL, **ABNORMAL}.items():
        if reference not in ("//g", "g:h"):
            assert resolve(BASE, reference, "whatwg") == target
    assert resolve(BASE, "//g", "whatwg") == "http://g/"
    assert resolve(BASE, "http:g", "whatwg") == "http://a/b/c/g"


def test_a_reference_that_is_no_url_raises_in_the_browsers_profile_alone():
    with pytest.raises(ResolutionError, match="is not a URL"):
        resolve(BASE, "http://[bad", "whatwg")
    for profile in ("rfc3986", "rfc3986-compat", "rfc2396"):
        assert resolve(BASE, "http://[bad", profile) == "http://[bad"


def test_an_unknown_profile_is_named():
    with pytest.raises(ValueError, match=r"unknown profile 'x'.*rfc3986.*whatwg"):
        Resolver(BASE, "x")
    with pytest.raises(ValueError, match="unknown profile"):
        resolve(BASE, "g", "x")


# ----------------------------------------------------------------------- the RFC's pseudocode, transcribed


def transcribed_remove_dot_segments(path: str) -> str:
    """RFC 3986 §5.2.4, step by step as printed, in quadratic time."""
    output = ""
    while path != "":
        if path.startswith("../"):  # A
            path = path[3:]
        elif path.startswith(("./", "/./")):  # A, B
            path = path[2:]
        elif path == "/.":
            path = "/"
        elif path.startswith("/../"):  # C
            path = path[3:]
            output = output[: max(output.rfind("/"), 0)]
        elif path == "/..":
            path = "/"
            output = output[: max(output.rfind("/"), 0)]
        elif path in (".", ".."):  # D
            path = ""
        else:  # E
            end = path.find("/", 1)
            end = len(path) if end == -1 else end
            output += path[:end]
            path = path[end:]
    return output


APPENDIX_B = re.compile(r"^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?", re.DOTALL)
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")


def transcribed_split(text: str) -> tuple[str | None, str | None, str, str | None, str | None]:
    found = APPENDIX_B.match(text)
    assert found is not None
    scheme, authority, path, query, fragment = found.group(2, 4, 5, 7, 9)
    if scheme is not None and not SCHEME.fullmatch(scheme):
        # no scheme by §3.1: the colon is one of the path
        found = APPENDIX_B.match("x:" + text)
        assert found is not None
        scheme = authority = None
        path, query, fragment = found.group(5, 7, 9)
    return scheme, authority, path, query, fragment


def transcribed_resolve(base_text: str, reference_text: str, strict: bool = True) -> str:
    """RFC 3986 §5.2.2, §5.2.3 and §5.3 as printed; the path guard of §3.3 is the one addition."""
    base_scheme, base_authority, base_path, base_query, _ = transcribed_split(base_text)
    scheme, authority, path, query, fragment = transcribed_split(reference_text)
    if not strict and scheme is not None and base_scheme is not None and scheme.lower() == base_scheme.lower():
        scheme = None
    if scheme is not None:
        t_scheme, t_authority, t_path, t_query = (
            scheme,
            authority,
            transcribed_remove_dot_segments(path),
            query,
        )
    else:
        if authority is not None:
            t_authority, t_path, t_query = authority, transcribed_remove_dot_segments(path), query
        else:
            if path == "":
                t_path = base_path
                t_query = query if query is not None else base_query
            else:
                if path.startswith("/"):
                    t_path = transcribed_remove_dot_segments(path)
                else:
                    if base_authority is not None and base_path == "":
                        t_path = "/" + path
                    else:
                        t_path = base_path[: base_path.rfind("/") + 1] + path
                    t_path = transcribed_remove_dot_segments(t_path)
                t_query = query
            t_authority = base_authority
        t_scheme = base_scheme
    if t_authority is None and t_path.startswith("//"):
        t_path = "/." + t_path
    if t_scheme is None and t_authority is None and transcribed_split(t_path)[0] is not None:
        t_path = "./" + t_path
    result = ""
    if t_scheme is not None:
        result += t_scheme + ":"
    if t_authority is not None:
        result += "//" + t_authority
    result += t_path
    if t_query is not None:
        result += "?" + t_query
    if fragment is not None:
        result += "#" + fragment
    return result


BASES = (
    BASE,
    "http://a",
    "http://a?x",
    "http://a/",
    "http://a//b//c",
    "http://a/../b/./c/..",
    "http://a/b/../c?q#f",
    "http://a/..",
    "http://a/b/c/.",
    "x://h/a:b/c:d",
    "file:///a/b/c",
    "foo:a/b",
    "foo:a",
    "foo:",
    "foo:?q",
    "foo:/a/b",
    "foo:/.//a/b",
    "foo:/a/..//b/c",
    "foo:../a/b",
    "foo://",
    "foo://?",
    "urn:x:y",
    "mailto:a@b",
    "a/b",
    "/a/b",
    "//h/a",
    "",
)
PIECES = (
    *("a", "b", "c", ":", "/", "?", "#", ".", ";", "=", "@", "%", "[", "]", " ", "\n", "é", "d;p"),
    *("//", "../", "./", "..", "/.", "/..", "/../", "/./", "a:b", "//h", "http:", "foo:"),
)


def pairs(count: int) -> list[tuple[str, str]]:
    draw = random.Random(3986)
    made = []
    for _ in range(count):
        base = draw.choice(BASES)
        if draw.random() < 0.2:
            base += "".join(draw.choices(PIECES, k=draw.randint(0, 4)))
        made.append((base, "".join(draw.choices(PIECES, k=draw.randint(0, 7)))))
    return made


@pytest.mark.slow
def test_the_resolver_equals_the_pseudocode_on_200_000_pairs():
    differing = [
        (base, reference)
        for base, reference in pairs(200_000)
        if Resolver(base, relative_base=True)(reference) != transcribed_resolve(base, reference)
    ]
    assert differing == []


def test_so_does_the_lenient_reading_and_the_single_call():
    differing = [
        (base, reference)
        for base, reference in pairs(20_000)
        if Resolver(base, "rfc3986-compat", relative_base=True)(reference)
        != transcribed_resolve(base, reference, strict=False)
        or resolve(base, reference, relative_base=True) != transcribed_resolve(base, reference)
    ]
    assert differing == []


@pytest.mark.slow
def test_what_is_resolved_can_be_made_relative_and_back_on_200_000_pairs():
    broken = []
    for base, reference in pairs(230_000):
        if split(base).scheme is None:
            continue  # what it gives is no URI (§5.1), and nothing says how to go back to it
        target = resolve(base, reference)
        back = relativize(base, target)
        if resolve(base, back) != target or len(back) > len(target):
            broken.append((base, reference, target, back))
    assert broken == []


@given(st.text(alphabet="/.ab", max_size=30))
def test_dot_segments_go_as_the_rfc_removes_them(path):
    assert remove_dot_segments(path) == transcribed_remove_dot_segments(path)


@given(st.text(alphabet="ab:/?#.@\n", max_size=20))
def test_splitting_loses_nothing(text):
    parts = split(text)
    assert unsplit(parts) == text
    assert tuple(parts) == transcribed_split(text)


@given(st.text(alphabet="ab:/?#.", max_size=20), st.text(alphabet="ab:/?#.", max_size=20))
def test_the_components_of_a_target_are_those_meant(base, reference):
    # the guard: what comes out, split again, is not read as something else
    target = resolve("s:" + base, reference)
    if split(reference).scheme is None and split(reference).authority is None:
        assert split(target).authority == split("s:" + base).authority


@pytest.mark.parametrize(
    "reference", ["g:./x", "g:../x", "g:x/../x", "g:/../x", "http:./x", "g:.", "g:..", "g:-x", "g:"]
)
def test_what_has_a_scheme_loses_its_dot_segments(reference):
    scheme, _, path = reference.partition(":")
    target = f"{scheme}:{remove_dot_segments(path)}"
    assert resolve(BASE, reference) == Resolver(BASE)(reference) == target
    assert "." not in target


@pytest.mark.parametrize("profile", PROFILES)
def test_a_path_goes_below_the_last_slash_of_the_base_wherever_that_is(profile):
    for folder in ("/", "/b/", "/bc/", "/bcd/e/", "/b/cd/ef/"):
        assert resolve(f"http://a{folder}x", "g", profile) == Resolver(f"http://a{folder}x", profile)("g")
        assert resolve(f"http://a{folder}x", "g", profile) == f"http://a{folder}g"


@pytest.mark.parametrize("profile", PROFILES)
def test_below_a_base_without_a_path_there_is_its_root(profile):
    assert resolve("http://a", "g", profile) == Resolver("http://a", profile)("g") == "http://a/g"
    assert resolve("http://a?q", "g/h", profile) == "http://a/g/h"
    if profile != "whatwg":
        assert resolve("x:", "g", profile) == "x:g"


@pytest.mark.parametrize("profile", PROFILES)
def test_a_resolver_goes_to_other_processes(profile):
    copy = pickle.loads(pickle.dumps(Resolver(BASE, profile)))
    assert copy("../g?y") == resolve(BASE, "../g?y", profile)


def test_hostile_paths_take_linear_time():
    def up_and_down(many):
        return partial(remove_dot_segments, "/a" * many + "/.." * many)

    def up(many):
        return partial(resolve, BASE, "../" * many + "g")

    def aside(many):
        return partial(relativize, "http://a" + "/b" * many, "http://a" + "/c" * many)

    assert (up_and_down(9)(), up(9)(), aside(3)()) == ("/", "http://a/g", "/c/c/c")
    for hostile in (up_and_down, up, aside):
        assert_proportional(hostile, 5000)


# ------------------------------------------------------------------------------------------ components


def test_undefined_and_empty_are_kept_apart():
    assert split("http://h/p") == Components("http", "h", "/p", None, None)
    assert split("http://h/p?#") == Components("http", "h", "/p", "", "")
    assert split("///p") == Components(None, "", "/p", None, None)
    assert split("") == Components(None, None, "", None, None)
    assert resolve("http://h/p?q", "?") == "http://h/p?"
    assert resolve("http://h/p?q", "#") == "http://h/p?q#"


def test_what_is_no_scheme_belongs_to_the_path():
    assert split("10:30.html").path == "10:30.html"
    assert split(":a").path == ":a"
    assert split("a b:c").path == "a b:c"
    assert resolve("http://h/a/", "10:30.html") == "http://h/a/10:30.html"


@pytest.mark.parametrize(
    ("authority", "parts"),
    [
        ("h", (None, "h", None)),
        ("u:p@h:80", ("u:p", "h", "80")),
        ("u@x@h:", ("u@x", "h", "")),
        ("[::1]:8080", (None, "[::1]", "8080")),
        ("[::1]", (None, "[::1]", None)),
        ("h:x", (None, "h:x", None)),
        ("@", ("", "", None)),
        ("", (None, "", None)),
    ],
)
def test_the_parts_of_an_authority(authority, parts):
    assert tuple(split_authority(authority)) == parts


# -------------------------------------------------------------------------------------------- relative


@pytest.mark.parametrize(
    ("base", "target", "reference"),
    [
        ("http://a/b/c", "http://a/b/c", ""),
        ("http://a/b/c", "http://a/b/c#f", "#f"),
        ("http://a/b/c?q", "http://a/b/c?r", "?r"),
        ("http://a/b/c?q", "http://a/b/c?", "?"),
        ("http://a/b/c?q", "http://a/b/c", "c"),
        ("http://a/b/?q", "http://a/b/", "."),
        ("http://a/b/c", "http://a/b/d", "d"),
        ("http://a/b/c", "http://a/b/x:y", "./x:y"),
        ("http://a/b/c/d", "http://a/b/x:y", "../x:y"),
        ("http://a/b/c", "http://a/b/x:y/z", "./x:y/z"),
        ("http://a/b/c", "http://a/b/x/y:z", "x/y:z"),
        ("http://a/b/c", "http://a/b//c", ".//c"),
        ("http://a/b/c", "http://a/b/ c", "./ c"),
        ("http://a/b/c", "http://a/b/\x01c", "./\x01c"),
        ("http://a/b/c", "http://a/b/\\\\h/c", "./\\\\h/c"),
        ("http://a/b/c", "http://a/\\h", "../\\h"),
        ("http://a/b/c/d/e", "http://a/\\h", "/./\\h"),
        ("http://a/b/c/d/e", "http://a/x", "/x"),
        ("http://a/b/c/d/e", "http://a/b/c/x", "../x"),
        ("http://a/b", "http://h/x", "//h/x"),
        ("http://a/b", "https://a/b", "https://a/b"),
        ("http://a", "http://a?q", "?q"),
        ("http://a?q", "http://a", "//a"),
        ("foo:/a/b", "foo:/.//x", "/.//x"),
        ("foo:a/b", "foo:c", "foo:c"),
        ("http://a/b", "http://a/../c", "http://a/../c"),
    ],
)
def test_the_shortest_reference(base, target, reference):
    assert relativize(base, target) == reference
    if reference != target:
        assert resolve(base, reference) == target


def test_paths_only_never_leaves_the_relative_path():
    relative = Relativizer("http://a/b/c/d/e", paths_only=True)
    assert relative("http://a/x") == "../../../x"
    assert relative("http://a/") == "../../.."
    assert relative("http://a/b/x/d/y") == "../../x/d/y"
    assert relative("http://h/") == "//h/"


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("paths_only", [False, True])
def test_what_is_made_relative_leads_back_in_every_profile(profile, paths_only):
    found = set()
    for base, reference in pairs(3_000):
        if split(base).scheme is None:
            continue
        try:
            target = resolve(base, reference, profile)
            back = Relativizer(base, profile, paths_only=paths_only)(target)
            if back != target:
                assert resolve(base, back, profile) == target, (base, reference, target, back)
                found.add(back)
        except ResolutionError:  # no URL, or no base of one
            continue
    assert len(found) > 50
    assert (profile == "rfc2396") <= all(back[:1] != "?" for back in found)


ODD_PIECES = st.sampled_from(
    [
        *("foo:", "FOO:", "http:", "urn:", "//", "/", "/.", "/..", ".", "..", "%2e", "a", "b/", "@", "?", "?q", "#"),
        *(":", "~", " ", "\\", "\n"),
    ]
)
ODD = st.lists(ODD_PIECES, max_size=7).map("".join)


@given(ODD, ODD, st.sampled_from(PROFILES), st.booleans())
@example("~", "foo:.", "rfc3986-compat", False)
@example("foo://", "..", "rfc3986-compat", True)
def test_what_odd_bases_give_is_made_relative_and_back(base, reference, profile, paths_only):
    base = "foo:" + base if split(base).scheme is None else base
    resolver = Resolver(base, profile)
    target = resolver.or_none(reference)
    if target is not None:
        assert resolver(Relativizer(base, profile, paths_only=paths_only)(target)) == target


def test_a_rootless_target_is_made_relative_only_if_its_scheme_is_ignored():
    assert relativize("urn:x:a", "urn:x:b") == "urn:x:b"
    assert Relativizer("urn:x:a", "rfc3986-compat")("urn:x:b") == "urn:x:b"
    assert Relativizer("foo:a/b", "rfc3986-compat")("foo:a/c") == "c"
    assert Relativizer("foo:~", "rfc3986-compat")("foo:") == "."


def test_rfc_2396_has_no_query_alone():
    # there it would be http://h/a/?x, and in browsers http://h/a/b?x
    for profile, reference in (("rfc3986", "?x"), ("rfc2396", "b?x")):
        assert Relativizer("http://h/a/b", profile)("http://h/a/b?x") == reference
    for profile, reference in (("rfc3986", ".?x"), ("rfc2396", ".?x")):
        assert Relativizer("http://h/a/b", profile)("http://h/a/?x") == reference


def test_the_profiles_are_these():
    assert PROFILES == ("rfc3986", "rfc3986-compat", "rfc2396", "whatwg")


@pytest.mark.parametrize("profile", PROFILES)
def test_only_texts_are_resolved(profile):
    for base, reference, told in (
        (b"http://h/", "x", "a base is a str, not bytes"),
        (None, "x", "a base is a str, not NoneType"),
        ("http://h/", b"x", "a reference is a str, not bytes"),
        ("http://h/", None, "a reference is a str, not NoneType"),
    ):
        with pytest.raises(TypeError, match=told):
            resolve(base, reference, profile)
    with pytest.raises(TypeError, match="a base is a str, not bytes"):
        Resolver(b"http://h/", profile)


# --------------------------------------------------------------- the document itself (RFC 3986 §4.4, RFC 2396 §4.2)

PAGE = "http://h/p/page.html?q"


@pytest.mark.parametrize("reference", ["", "#s", "#", "?q", "?q#s", "page.html?q", "//h/p/page.html?q#s", PAGE])
def test_targets_identical_to_the_base_are_the_document(reference: str) -> None:
    assert is_same_document(resolve(PAGE, reference), PAGE)
    assert is_same_document(resolve(PAGE, reference), PAGE + "#old")


@pytest.mark.parametrize("reference", ["?", "page.html", "?q2", "/", "..", "https://h/p/page.html?q", "PAGE.html?q"])
def test_others_are_not(reference: str) -> None:
    assert not is_same_document(resolve(PAGE, reference), PAGE)


def test_a_base_element_elsewhere_makes_fragments_leave() -> None:
    assert not is_same_document(resolve("http://h/dir/", "#s"), "http://h/page.html")


def test_it_is_the_letter_and_a_links_same_document_is_html() -> None:
    assert rehref.is_same_document is is_same_document
    (_, link) = rehref.links("<base href='/dir/'><a href='#s'>", url="http://h/page.html")
    assert is_same_document(link.target, link.base.uri)  # §4.4: the base is http://h/dir/
    assert not link.same_document  # HTML: the document is http://h/page.html
    (_, link) = rehref.links("<base href='/dir/'><a href='../page.html#s'>", url="http://h/page.html")
    assert not is_same_document(link.target, link.base.uri)
    assert link.same_document


def test_nothing_is_normalized() -> None:
    assert not is_same_document("http://h/", "http://H/")
    assert not is_same_document("http://h/a", "http://h/%61")


def test_an_empty_query_is_not_an_undefined_one() -> None:
    assert not is_same_document("http://h/p?", "http://h/p")


@pytest.mark.parametrize(("base", "target"), [("", ""), ("a", "a#s"), ("//h/", "//h/"), ("#a", "#b")])
def test_without_a_scheme_there_is_no_document(base: str, target: str) -> None:
    assert not is_same_document(target, base)


@pytest.mark.parametrize(
    ("reference", "expected"),
    [("", True), ("#", True), ("#s", True), ("?", False), (".", False), ("a#s", False), (" #s", False), (PAGE, False)],
)
def test_the_current_document_of_rfc2396(reference: str, expected: bool) -> None:
    assert is_current_document(reference) is expected


@pytest.mark.parametrize(
    ("target", "base", "says"),
    [(3, "a:b", "a target is a str, not int"), ("a:b", None, "a base is a str, not NoneType")],
)
def test_other_types_are_refused(target: Any, base: Any, says: str) -> None:
    with pytest.raises(TypeError, match=f"^{says}$"):
        is_same_document(target, base)
