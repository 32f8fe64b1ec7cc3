"""References as bound resolvers have them, by either way."""

from __future__ import annotations

from itertools import product
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.documents._bases.bound_resolver import Bases, BoundResolver
from rehref.documents.base import (
    Base,
    Candidate,
    Origin,
    establish,
    plain_base,
)
from rehref.documents.options import ReadOptions
from rehref.uri.ordinary_references import NOWHERE, Ordinary, classify, is_canonical, prefixes_of
from rehref.uri.resolver import PROFILES, Profile, Resolver, parse_or_none, resolve
from uri.test_ordinary_references import BASES, OWN, PIECES, references, urls


def against(own: str | None, base: str | None, profile: Profile) -> BoundResolver:
    outside = () if own is None else (Candidate(own, "retrieval", "retrieval URI"),)
    candidates = outside if base is None else (Candidate(base, "embedded", "<base href>"), *outside)
    return BoundResolver(
        establish(candidates, profile), candidates, own=establish(outside, profile).uri, profile=profile
    )


@pytest.mark.sampled(13)
@pytest.mark.parametrize("profile", ["rfc3986", "rfc3986-compat", "rfc2396", "whatwg"])
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("own", OWN)
def test_both_ways_give_the_same(own: str | None, base: str | None, profile: Profile) -> None:
    resolves = against(own, base, profile)
    for pieces in (pieces for length in range(3) for pieces in product(PIECES[:20], repeat=length)):
        reference = "".join(pieces)
        assert resolves(reference) == resolves.resolve(reference), reference


@pytest.mark.sampled(8)
@pytest.mark.parametrize("profile", ["rfc3986", "rfc3986-compat", "rfc2396"])
@pytest.mark.parametrize("base", [base for base in BASES if base is not None])
@pytest.mark.parametrize("own", OWN)
def test_both_ways_give_the_same_below_a_base_that_browsers_do_not_know(
    own: str | None, base: str, profile: Profile
) -> None:
    around, here = against(own, None, profile), against(own, base, profile)
    resolves = BoundResolver(here.base, (), own=around.base.uri, profile=profile, in_browsers=around)
    for pieces in (pieces for length in range(3) for pieces in product(PIECES[:20], repeat=length)):
        reference = "".join(pieces)
        assert resolves(reference) == resolves.resolve(reference), reference


@given(st.sampled_from(OWN), st.sampled_from(BASES), st.sampled_from(get_args(Profile)), references)
def test_law(own: str | None, base: str | None, profile: Profile, reference: str) -> None:
    resolves = against(own, base, profile)
    assert resolves(reference) == resolves.resolve(reference)


@given(references, st.sampled_from(OWN), st.sampled_from(BASES))
def test_all_readers_agree_about_an_ordinary_reference(reference: str, own: str | None, base: str | None) -> None:
    resolves = against(own, base, "rfc3986")
    found = resolves.prefixes
    target = None if found is None else found.target(reference)
    if target is None:
        return
    uri = resolves.base.uri
    assert uri is not None
    if classify(reference) != Ordinary("opaque"):  # its own target, dots included
        assert target == Resolver(uri, "rfc3986")(reference) == Resolver(uri, "rfc3986-compat")(reference)
    assert parse_or_none(target) == resolve(uri, reference, "whatwg")
    assert resolves.resolve(reference)[2] == ()


def test_a_base_is_ordinary_if_browsers_have_the_same() -> None:
    for own, base, is_ordinary in (
        ("http://h.example/a", None, True),
        ("http://localhost:8080/a", None, True),
        ("http://h.example/a", "b", True),
        ("http://h.example/a", "b\\c", False),
        ("http://H.example/a", None, True),
        ("http://h.example/a/../b", None, False),
        ("http://h.example/a", "mailto:b", False),
        ("file:///a/b", None, True),
        ("file:///a:/b", None, False),
    ):
        assert (against(own, base, "rfc3986").prefixes is not None) == is_ordinary, (own, base)
        in_whatwg = against(own, base, "whatwg")
        assert (in_whatwg.prefixes is not None) == is_canonical(in_whatwg.base.uri or ""), (own, base)


@given(urls)
def test_what_is_canonical_is_an_ordinary_base(url: str) -> None:
    if is_canonical(url):
        url, *_ = url.partition("#")  # a base has no fragment
        assert BoundResolver(
            Base(url, "retrieval", ""), (Candidate(url, "retrieval", ""),), own=url, profile="rfc3986"
        ).prefixes


def embedded(reference: str) -> Candidate:
    return Candidate(reference, "embedded", "<base href> at 5:3")


def entity(reference: str) -> Candidate:
    return Candidate(reference, "entity", "Content-Location of part 2")


_REFERENCES = (
    *("http://h/a/b?q#f", "https://h.example/", "http://H/../x", "/c/d", "../e", "x", "x'y", "?q", "", "#z", "//o/p"),
    *("http:x", "urn:x:y", "data:,x", " http://h/s ", "http://[", "é", "a" * 2_100, "http://h/" + "b" * 2_100),
)


_ORIGINS: tuple[Origin, ...] = ("embedded", "entity", "retrieval", "default")


@given(
    st.sampled_from(_REFERENCES),
    st.lists(
        st.builds(
            Candidate,
            st.sampled_from(_REFERENCES),
            st.sampled_from(_ORIGINS),
            st.just("x"),
            st.booleans(),
            policy=st.none(),
        )
    ),
    st.sampled_from(PROFILES),
)
def test_an_embedded_base_is_what_all_candidates_together_give(reference, around, profile):
    how = ReadOptions(profile=profile)
    candidates = (embedded(reference), *around)
    own = establish(around, profile)
    for is_plain in {False, is_plain_first(around)}:
        bases = Bases(own, tuple(around), own, tuple(around), is_plain).with_embedded(candidates[0], how)
        assert bases.base == establish(candidates, profile)
        assert bases.before in (NOWHERE, prefixes_of(bases.base.uri or "", own.uri))


def is_plain_first(candidates: list[Candidate]) -> bool:
    return bool(candidates) and plain_base(candidates[0]) is not None
