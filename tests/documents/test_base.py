"""Establishing the base: one test for each rule of `rehref.documents.base`."""

from __future__ import annotations

from functools import partial

import pytest

import rehref
from growth import assert_proportional
from rehref.documents.base import (
    Base,
    Candidate,
    Layers,
    Rejected,
    clean,
    establish,
    establish_within,
)
from rehref.uri.resolver import PROFILES


def embedded(reference: str) -> Candidate:
    return Candidate(reference, "embedded", "<base href> at 5:3")


def entity(reference: str) -> Candidate:
    return Candidate(reference, "entity", "Content-Location of part 2")


def outside(retrieval: str | None = "http://h/a/b", default: str | None = None) -> tuple[Candidate, ...]:
    return Layers(retrieval=retrieval, default=default).candidates()


def test_the_layers_are_asked_from_the_inside_outward():
    layers = Layers((entity("http://e/"),), "http://r/", "http://d/")
    assert establish([embedded("http://b/x"), *layers.candidates()]).uri == "http://b/x"
    assert establish(layers.candidates()).origin == "entity"
    assert establish(Layers((), "http://r/", "http://d/").candidates()).origin == "retrieval"
    assert establish(Layers(default="http://d/").candidates()) == Base("http://d/", "default", "default base")
    assert establish([]) == Base(None, "none", "no base")


def test_a_saved_page_and_a_file_have_retrieval_uris_where_none_is_known():
    saved = Candidate("http://s/x", "retrieval", "saved-from comment at 1:1")
    file, default = "file:///srv/x.html", "http://d/"
    assert establish(Layers(saved=saved, file=file, default=default).candidates()) == Base(
        "http://s/x", "retrieval", "saved-from comment at 1:1"
    )
    assert establish(Layers(file=file, default=default).candidates()) == Base(
        file, "retrieval", "retrieval URI", (), True
    )
    relative = establish([embedded("a/"), *Layers(file=file).candidates()])
    assert (relative.uri, relative.local) == ("file:///srv/a/", True)
    assert [each.reference for each in Layers((), "http://r/", default, file, saved).candidates()] == [
        "http://r/",
        default,
    ]
    assert [each.reference for each in Layers((), None, default, file, saved).candidates()] == [saved[0], file, default]


def test_a_relative_embedded_base_is_resolved_against_the_next_layer_out():
    assert establish([embedded("../x/"), *outside()]) == Base("http://h/x/", "embedded", "<base href> at 5:3")
    assert establish([embedded("x/"), entity("y/"), *outside()]).uri == "http://h/a/y/x/"
    assert establish([embedded(""), *outside()]) == Base("http://h/a/b", "embedded", "<base href> at 5:3")


def test_nothing_outside_a_relative_base_rejects_it():
    base = establish([embedded("x/")])
    assert (base.uri, base.origin) == (None, "none")
    assert base.rejected == (
        Rejected("x/", "embedded", "<base href> at 5:3", "it is relative, and no layer outside of it gives a base"),
    )


def test_a_relative_retrieval_uri_is_no_base():
    base = establish(outside("a/b", "http://d/"))
    assert (base.uri, base.origin) == ("http://d/", "default")
    assert "absolute URI is needed" in base.rejected[0].reason


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        ("data:text/html,x", "data: is not allowed"),
        ("JavaScript:void(0)", "javascript: is not allowed"),
        ("http://[bad/", 'it is not a URI: host: there is no "]" to this "["'),
        ("//[bad", 'it is not a URI: host: there is no "]" to this "["'),
        ("http://h:x/", "it is not a URI: port: a port has nothing but the digits"),
        ("http:// h/", 'it is not a URI: host: " " is not allowed in the host'),
        ("http://h%/", "it is not a URI: host: two hexadecimal digits"),
        ("http://[é]/", "it is not a URI: host"),
    ],
)
def test_what_is_no_base_is_rejected_with_the_true_reason(reference, reason):
    base = establish([embedded(reference), *outside()])
    assert (base.uri, base.origin, base.where) == ("http://h/a/b", "retrieval", "retrieval URI")
    (passed_over,) = base.rejected
    assert passed_over.reference == reference
    assert reason in passed_over.reason


@pytest.mark.parametrize(
    ("base", "reference", "target"),
    [
        ("http://a%2Fb/", "x", "http://a%2Fb/x"),
        ("http://h:99999/d/", "x", "http://h:99999/d/x"),
        ("http://[v1.fe80::a+en1]/", "x", "http://[v1.fe80::a+en1]/x"),
        ("http://1.2.3.256/", "x", "http://1.2.3.256/x"),
        ("http://bücher.example/", "x", "http://bücher.example/x"),
        ("urn:x:y", "#z", "urn:x:y#z"),
        ("mailto:a@b", "#z", "mailto:a@b#z"),
    ],
)
def test_a_base_needs_a_scheme_and_to_be_a_uri(base, reference, target):
    for profile in ("rfc3986", "rfc3986-compat"):
        for candidates in ((embedded(base),), outside(base), (entity(base), *outside())):
            found = establish(candidates, profile)
            assert (found.uri, found.rejected) == (base, ()), (profile, candidates)
        links = rehref.links(f"<a href='{reference}'>", url=base, profile=profile)
        assert [link.target for link in links] == [target]


def test_each_profile_asks_its_own_grammar():
    assert establish(outside("http://[v1.x]/")).uri == "http://[v1.x]/"
    (rejected,) = establish(outside("http://[v1.x]/"), "rfc2396").rejected
    assert rejected.reason == (
        "it is not a URI: host: only an IPv6 address can be in brackets (IPvFuture came with RFC 3986)"
    )
    (rejected,) = establish(outside("http://h:99999/"), "whatwg").rejected
    assert rejected.reason == "the URL Standard's parser rejects it"


def test_a_reference_to_the_current_document_is_a_base_in_rfc2396():
    for reference in ("", "#x"):
        assert establish([embedded(reference), *outside()], "rfc2396") == Base(
            "http://h/a/b", "embedded", "<base href> at 5:3"
        )


@pytest.mark.parametrize(
    "base", ["http://a%2Fb/", "http://h:99999/d/", "http://[v1.fe80::a+en1]/", "http://1.2.3.256/"]
)
def test_where_browsers_do_not_take_the_base_each_link_says_so(base):
    found = rehref.links(f"<base href='{base}'><a href=x><a href=http://o/>", url="http://h/a/b")
    assert [[problem.message for problem in link.problems if problem.code == "browser-differs"] for link in found] == [
        ["a browser reads no URL here (unresolvable in rehref check)"],
        ["a browser goes to http://h/a/x"],
        [],
    ]
    assert found[1].target == base + "x"
    (link,) = rehref.links("<a href=x>", url=base)
    assert [problem.code for problem in link.problems] == ["browser-differs"]


def test_browsers_accept_a_base_without_hierarchy():
    assert establish([embedded("mailto:a@b"), *outside()], "whatwg").uri == "mailto:a@b"
    assert establish([embedded("data:,x"), *outside()], "whatwg").uri == "http://h/a/b"


def test_the_fragment_is_stripped():
    assert establish(outside("http://h/a#f")).uri == "http://h/a"
    assert establish([embedded("?q#f"), *outside()]).uri == "http://h/a/b?q"


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    "around", ["http://h.example/a/b?q#f", "https://h.example/", "file:///a/b", "http://h", "urn:x"]
)
def test_an_ordinary_base_is_what_the_algorithm_gives(around, profile):
    for reference in (
        "x",
        "../x?q#f",
        "./",
        "/x",
        "//i.example",
        "//i.example?q",
        "//i.example/y",
        "?q",
        "#f",
        "",
        "x'",
    ):
        by_algorithm = establish_within(establish(outside(around), profile), embedded(reference), profile)
        assert establish([embedded(reference), *outside(around)], profile) == by_algorithm


def test_white_space_does_not_count():
    assert clean(" \n a\tb\r ") == "ab"
    assert establish([embedded(" \thttp://b/\nx "), *outside()]).uri == "http://b/x"


def test_the_profile_reads_the_base_too():
    assert establish([embedded("HTTP://B:80/%7e/../x"), *outside()], "whatwg").uri == "http://b/x"
    assert establish([embedded("HTTP://B:80/a/../x"), *outside()]).uri == "HTTP://B:80/x"
    assert establish([embedded("http:x/"), *outside()], "rfc3986-compat").uri == "http://h/a/x/"
    assert establish([embedded("../../../x"), *outside()], "rfc2396").uri == "http://h/../../x"


@pytest.mark.parametrize("origin", ["retrieval", "default"])
def test_what_must_be_absolute_takes_nothing_from_outside(origin):
    outside_of_it = Base("file:///srv/x", "default", "", (Rejected("data:,", "retrieval", "", ""),), True)
    for profile in PROFILES:
        found = establish_within(outside_of_it, Candidate("http:x", origin, "here"), profile)
        assert found == Base("http://x/" if profile == "whatwg" else "http:x", origin, "here")


def test_only_what_was_asked_is_listed():
    base = establish([embedded("data:,"), entity("http://e/"), *outside("relative")])
    assert (base.uri, len(base.rejected)) == ("http://e/", 1)
    base = establish([embedded("x/"), entity("data:,e"), *outside()])
    assert (base.uri, [passed.reference for passed in base.rejected]) == ("http://h/a/x/", ["data:,e"])


def test_an_absolute_url_without_slashes_is_parsed_once():
    assert establish(outside("http:g"), "whatwg").uri == "http://g/"
    assert establish([embedded("http:g")], "whatwg").uri == "http://g/"


def test_many_relative_candidates_take_time_in_proportion() -> None:
    def establishing(many: int) -> partial[Base]:
        broken = [Candidate("//[", "entity", "Content-Location")] * many
        return partial(establish, [*broken, Candidate("http://h/", "retrieval", "")])

    base = establishing(100)()
    assert (base.uri, len(base.rejected)) == ("http://h/", 100)
    assert_proportional(establishing, 50)
