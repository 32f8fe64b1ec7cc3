"""RFC 3986 §4.4 and RFC 2396 §4.2: when a reference leads to the document it stands in."""

from __future__ import annotations

from typing import Any

import pytest

import rehref
from rehref.uri.resolver import is_current_document, is_same_document, resolve

BASE = "http://h/p/page.html?q"


@pytest.mark.parametrize("reference", ["", "#s", "#", "?q", "?q#s", "page.html?q", "//h/p/page.html?q#s", BASE])
def test_targets_identical_to_the_base_are_the_document(reference: str) -> None:
    assert is_same_document(resolve(BASE, reference), BASE)
    assert is_same_document(resolve(BASE, reference), BASE + "#old")


@pytest.mark.parametrize("reference", ["?", "page.html", "?q2", "/", "..", "https://h/p/page.html?q", "PAGE.html?q"])
def test_others_are_not(reference: str) -> None:
    assert not is_same_document(resolve(BASE, reference), BASE)


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
    [("", True), ("#", True), ("#s", True), ("?", False), (".", False), ("a#s", False), (" #s", False), (BASE, False)],
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
