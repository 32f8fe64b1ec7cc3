"""The twin reads character references in attributes as the reference does, without asking."""

from __future__ import annotations

from html.entities import html5
from typing import Any

import pytest

import rehref
from examples import sample
from rehref._native import TWIN
from rehref.documents.base import Layers
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.markup import twin

pytestmark = pytest.mark.skipif(TWIN is None, reason="the compiled twin was not built")

URL = "http://h.example/a/b/c.html"
RULES = (
    rehref.Absolute("keep", same_document=True),
    rehref.Relative(),
    rehref.Mapping(lambda link: link.reference + "x"),
)


def left(data: bytes) -> list[int]:
    """The numbers of the places that the twin leaves to Python."""
    document = read_document(data, None, None, Layers(retrieval=URL), ReadOptions())
    found = document.table()
    assert found is not None
    odd: list[int] = found._twin.odd
    return odd


def made(data: bytes, **options: Any) -> tuple[object, ...]:
    """The links, and the bytes after each rule."""
    return rehref.links(data, url=URL, **options), *(rehref.rewrite(data, rule, url=URL, **options) for rule in RULES)


def assert_both_read(data: bytes, **options: Any) -> None:
    """Assert that reference and twin make the same of a page."""
    by_twin = made(data, **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(twin, "TWIN", None)
        assert made(data, **options) == by_twin


@pytest.mark.sampled(3)
@pytest.mark.parametrize("shape", ["{}", "../x{}y/z", "{}=x", "é{}/../{}"])
def test_every_name_is_read_alike(shape: str) -> None:
    names = sample(sorted(html5), 4)
    page = "".join('<a href="{}">x</a>\n'.format(shape.replace("{}", f"&{name}")) for name in names)
    assert_both_read(page.encode())


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1252", "shift_jis", "utf-16"])
def test_names_are_read_alike_in_every_encoding(encoding: str) -> None:
    values = ("caf&eacute;", "&copy=1&reg=2", "?&copy", "&hellip;/../x", "&nGg;/x", "&#233;", "&#x20AC;", "&#128512;")
    page = "".join(f"<a href='{value}'><img srcset='{value} 1x, x 2x'><p style='a:url({value})'>" for value in values)
    assert_both_read(page.encode(encoding), encoding=encoding)
    inner = "".join(f"<a href=&quot;{value}&quot;>" for value in values)
    assert_both_read(f'<meta charset={encoding}><iframe srcdoc="{inner}"></iframe>'.encode(encoding), encoding=encoding)


def test_few_names_are_left_to_python() -> None:
    names = [name for name in html5 if name.endswith(";")]
    page = "".join(f'<a href="&{name}">x</a>' for name in names).encode()
    lasting = [name for name in names if html5[name] in "\t\n" or len(html5[name].encode()) > len(name)]
    assert [names[number] for number in left(page)] == lasting
    assert {"NewLine;", "Tab;", "nGg;", "nGt;"} < set(lasting)
    assert len(lasting) < 20


@pytest.mark.parametrize(
    ("value", "is_left"),
    [
        *(("&#233;", False), ("&#xe9;", False), ("&#160;", False), ("&#x10ffff;", False), ("&#xFFFE;", False)),
        *(("&#233", True), ("&#159;", True), ("&#127;", True), ("&#31;", True), ("&#0;", True), ("&#;", True)),
        *(("&#xd800;", True), ("&#xdfff;", True), ("&#x110000;", True), ("&#x100000041;", True), ("&#xe000;", False)),
        *(("&eacute;", False), ("&eacute", False), ("&eacutes", False), ("&notit;", False), ("&nosuch;", False)),
    ],
)
def test_what_a_number_or_a_name_means_here(value: str, is_left: bool) -> None:
    data = f'<a href="../x{value}/y"><a href=z>'.encode()
    assert left(data) == [0] * is_left
    assert_both_read(data)


def test_the_names_are_asked_for_only_where_there_are_any(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    known = twin._named
    monkeypatch.setattr(twin, "_named", lambda: asked.append(1) or known())
    for page, count in (
        (b"<a href=x?a=1&amp;b=2&c=3&lt;&#233;>&eacute;<title>&eacute;</title>", 0),
        (b"<a href=x&eacute;><a href=x&agrave;>", 1),
        (b"<a href=x&yy>", 1),
    ):
        asked.clear()
        assert rehref.links(page, url=URL)
        assert len(asked) == count, page


def test_what_are_no_names_is_an_error_not_a_crash() -> None:
    assert TWIN is not None
    for pairs in (None, [], (1,), ((1, 2),), (("a", 2),), (("a",),), (("a", "\ud800"),)):
        with pytest.raises((TypeError, UnicodeEncodeError)):
            TWIN.make_named(pairs)
    assert TWIN.make_named((("", "x"), ("a", ""))) is not None


def test_a_text_behind_a_name_without_a_semicolon_does_not_become_part_of_it() -> None:
    page = b"<svg><c stroke=url(&quot<>"
    assert rehref.rewrite(page, url="http://h/a/b") == b"<svg><c stroke=url(&quot;http://h/a/<>"
