"""The twin reads references with dot segments as the reference does, and as the algorithm has them."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import rehref
from rehref._native import TWIN
from rehref.documents.base import Layers
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.markup import twin
from rehref.uri.ordinary_references import classify, prefixes_of, without_dots
from rehref.uri.resolver import Resolver

needs_twin = pytest.mark.skipif(TWIN is None, reason="the compiled twin was not built")
PIECES = ("a", "b", ".", "..", "/", "/../", "...", "?x/../", "#/.")
REFERENCES = ["".join(pieces) for length in range(1, 4) for pieces in product(PIECES, repeat=length)]
URL = "http://h.example/a/b/c.html"


@pytest.mark.parametrize(
    ("reference", "meaning"),
    [
        *((".", "./"), ("..", "../"), ("a/..", "./"), ("a/.", "./a/"), ("a/../b", "./b"), ("a/../../b", "../b")),
        *((".././x/./y", "../x/y"), ("a/b/../../../..", "../../"), ("./..?x", "../?x"), ("a/./b#/../c", "./a/b#/../c")),
        *((".../..", "./"), ("a./.b/..", "./a./"), ("a/..?", "./?"), ("a/b/..#", "./a/#")),
        *(("", None), ("/a/..", None), ("//a/..", None), ("a//..", None), ("?x/..", None), ("#..", None)),
        *(("a:b/..", None), ("%2e/..", None), ("é/..", None), ("a b/..", None), ("a|/..", None), ("http://h/..", None)),
    ],
)
def test_what_a_reference_with_dot_segments_means(reference: str, meaning: str | None) -> None:
    assert without_dots(reference) == meaning
    target = prefixes_of(URL, None).target(reference)
    if meaning is not None and classify(reference) is None and meaning != "../../":
        assert target == prefixes_of(URL, None).target(meaning) == Resolver(URL)(reference)


def made(data: bytes, **options: Any) -> list[object]:
    """The links and the changed bytes of a page."""
    rules = (
        rehref.Absolute("keep", same_document=True),
        rehref.Relative(),
        rehref.Template("https://r.example/{kind}/{uri}"),
        rehref.Mapping({"http://h.example/a/*": "https://n.example/", "http://h.example/a/b/a/*": "x/"}),
    )
    written = [rehref.rewrite(data, rule, **options) for rule in rules]
    return [rehref.links(data, **options), *written]


@needs_twin
@pytest.mark.parametrize("profile", ["rfc3986", "rfc2396", "whatwg"])
@pytest.mark.parametrize("url", [URL, "http://h.example", "file:///srv/a/b/c.html", "http://h.example/a/b/", None])
@pytest.mark.parametrize("shape", ['<a href="{}">', "<img srcset='{} 2x'>"])
def test_both_read_them_alike(url: str | None, shape: str, profile: str) -> None:
    data = "".join(shape.format(reference) for reference in REFERENCES[:: 1 if shape[1] == "a" else 5]).encode()
    by_twin = made(data, url=url, profile=profile, media_type="text/html")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(twin, "TWIN", None)
        assert made(data, url=url, profile=profile, media_type="text/html") == by_twin


@needs_twin
@pytest.mark.parametrize(
    ("reference", "is_odd"),
    [
        *(("a/./b/../c.html", False), ("a/..", False), ("..", False), ("../c/../x", False), ("a/../../../../x", True)),
        *(("a//../b", True), ("/a/../b", True), ("a/../b%41", True), ("a/../é", True), ("a/../x y", True)),
        *(("a/" * 512 + "..", True), ("a/" * 511 + "..", False), ("a/../b?%41", False), ("a/../b?é", True)),
    ],
)
def test_few_of_them_are_odd(reference: str, is_odd: bool) -> None:
    data = f'<a href="{reference}"><base target=x>'.encode()
    document = read_document(data, None, None, Layers(retrieval=URL), ReadOptions())
    found = document.table()
    assert found is not None
    assert bool(found._twin.odd_rows()) is is_odd
    (link,) = rehref.links(data, url=URL)
    assert link.target == rehref.resolve(URL, reference)
    assert rehref.rewrite(data, url=URL) == f'<a href="{link.target}"><base target=x>'.encode()
