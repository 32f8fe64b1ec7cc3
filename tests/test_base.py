"""Establishing the base: one test for each rule of `rehref.base`."""

from __future__ import annotations

import pytest

from rehref.base import Base, Candidate, Layers, Rejected, clean, establish


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
        ("mailto:a@b", "not hierarchical"),
        ("urn:x:y", "not hierarchical"),
        ("http://[bad/", "parser rejects it"),
        ("//[bad", "parser rejects it"),
        ("http://h:99999/", "parser rejects it"),
    ],
)
def test_what_is_no_base_is_passed_over_with_a_reason(reference, reason):
    base = establish([embedded(reference), *outside()])
    assert (base.uri, base.origin, base.where) == ("http://h/a/b", "retrieval", "retrieval URI")
    (passed_over,) = base.rejected
    assert passed_over.reference == reference
    assert reason in passed_over.reason


def test_browsers_accept_a_base_without_hierarchy():
    assert establish([embedded("mailto:a@b"), *outside()], "whatwg").uri == "mailto:a@b"
    assert establish([embedded("data:,x"), *outside()], "whatwg").uri == "http://h/a/b"


def test_the_fragment_is_stripped():
    assert establish(outside("http://h/a#f")).uri == "http://h/a"
    assert establish([embedded("?q#f"), *outside()]).uri == "http://h/a/b?q"


def test_white_space_does_not_count():
    assert clean(" \n a\tb\r ") == "ab"
    assert establish([embedded(" \thttp://b/\nx "), *outside()]).uri == "http://b/x"


def test_the_profile_reads_the_base_too():
    assert establish([embedded("HTTP://B:80/%7e/../x"), *outside()], "whatwg").uri == "http://b/x"
    assert establish([embedded("HTTP://B:80/a/../x"), *outside()]).uri == "HTTP://B:80/x"
    assert establish([embedded("http:x/"), *outside()], "rfc3986-compat").uri == "http://h/a/x/"
    assert establish([embedded("../../../x"), *outside()], "rfc2396").uri == "http://h/../../x"


def test_only_what_was_asked_is_listed():
    base = establish([embedded("data:,"), entity("http://e/"), *outside("relative")])
    assert (base.uri, len(base.rejected)) == ("http://e/", 1)
    base = establish([embedded("x/"), entity("mailto:e"), *outside()])
    assert (base.uri, [passed.reference for passed in base.rejected]) == ("http://h/a/x/", ["mailto:e"])


def test_an_absolute_url_without_slashes_is_parsed_once():
    assert establish(outside("http:g"), "whatwg").uri == "http://g/"
    assert establish([embedded("http:g")], "whatwg").uri == "http://g/"


def test_many_relative_candidates_take_time_in_proportion() -> None:
    many = [Candidate("//[", "entity", "Content-Location")] * 2000
    base = establish([*many, Candidate("http://h/", "retrieval", "")])
    assert base.uri == "http://h/"
    assert len(base.rejected) == 2000
