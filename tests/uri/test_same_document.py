"""RFC 3986 §4.4 and RFC 2396 §4.2: when a reference leads to the document it stands in."""

from __future__ import annotations

import pytest

from rehref.uri.resolver import resolve
from rehref.uri.same_document import is_current_document, is_same_document

BASE = "http://h/p/page.html?q"


@pytest.mark.parametrize("reference", ["", "#s", "#", "?q", "?q#s", "page.html?q", "//h/p/page.html?q#s", BASE])
def test_targets_identical_to_the_base_are_the_document(reference: str) -> None:
    assert is_same_document(BASE, resolve(BASE, reference))
    assert is_same_document(BASE + "#old", resolve(BASE, reference))


@pytest.mark.parametrize("reference", ["?", "page.html", "?q2", "/", "..", "https://h/p/page.html?q", "PAGE.html?q"])
def test_others_are_not(reference: str) -> None:
    assert not is_same_document(BASE, resolve(BASE, reference))


def test_a_base_element_elsewhere_makes_fragments_leave() -> None:
    assert not is_same_document("http://h/page.html", resolve("http://h/dir/", "#s"))


def test_nothing_is_normalized() -> None:
    assert not is_same_document("http://h/", "http://H/")
    assert not is_same_document("http://h/a", "http://h/%61")


def test_an_empty_query_is_not_an_undefined_one() -> None:
    assert not is_same_document("http://h/p?", "http://h/p")


@pytest.mark.parametrize(("base", "target"), [("", ""), ("a", "a#s"), ("//h/", "//h/"), ("#a", "#b")])
def test_without_a_scheme_there_is_no_document(base: str, target: str) -> None:
    assert not is_same_document(base, target)


@pytest.mark.parametrize(
    ("reference", "expected"),
    [("", True), ("#", True), ("#s", True), ("?", False), (".", False), ("a#s", False), (" #s", False), (BASE, False)],
)
def test_the_current_document_of_rfc2396(reference: str, expected: bool) -> None:
    assert is_current_document(reference) is expected
