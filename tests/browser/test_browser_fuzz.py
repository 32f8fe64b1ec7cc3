"""The comparison with a live Chromium (`scripts/fuzz browser`): it finds differences, explains and shortens them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import chromium
import differential
import pytest
from asking import Asker, asking
from differential import Difference, Sample
from fuzz import Fuzz, expected_differences, reasons
from made_documents import batch

import rehref

EXPECTED = expected_differences()
BASE = "http://pages.example/"


@pytest.fixture(scope="module")
def asker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    program = chromium.needed()
    with asking(program, tmp_path_factory.mktemp("profile")) as found:
        yield found


def difference(ours: str | None, theirs: str | None, what: str = "target") -> Difference:
    return Difference(what, "a", "href", "x", ours, theirs, BASE)


@pytest.mark.parametrize(
    ("ours", "theirs", "names"),
    [
        ("http://h/a|b|c", "http://h/a%7Cb%7Cc", ["pipe in a path"]),
        ("http://*/a|b", "http://%2A/a%7Cb", ["pipe in a path", "star in a host"]),
        ("http://xn--*-bga/", "http://xn--%2A-dma/", ["star in a host"]),
        ("http://u@b.xn--*-bga:8/", "http://u@b.xn--%2A-dma:8/", ["star in a host"]),
        ("http://xn--*-bga/", "http://xn--%2A-9la/", []),
        ("foo:x?'", "foo:x?%27", ["quote in an opaque query"]),
        (None, "http://a%20b/", ["space in a host"]),
        ("file:///x", "file://localhost/x", ["localhost of a file"]),
        ("http://h/a|b", "http://h/a%7Cc", []),
        ("http://h/?|", "http://h/?%7C", []),
        ("http://h/x", None, []),
    ],
)
def test_what_is_expected(ours: str | None, theirs: str | None, names: list[str]) -> None:
    assert reasons(difference(ours, theirs), EXPECTED) == names


@pytest.mark.parametrize(
    ("text", "theirs", "is_expected"),
    [
        ("//*\u00e9", "http://xn--%2A-bga/", True),
        ("//\u00e9", "http://xn--%2A-bga/", False),
        ("//*\u00e9", "http://xn--9ca/", False),
    ],
)
def test_a_star_in_punycode(text: str, theirs: str, is_expected: bool) -> None:
    found = Difference("rewritten", "a", "href", text, "http://xn--%2A-dma/", theirs, BASE)
    assert bool(reasons(found, EXPECTED)) == is_expected


def test_rewriting_may_not_do_what_chromium_may() -> None:
    assert not reasons(difference("http://h/a|b", "http://h/a%7Cb", "rewritten"), EXPECTED)


@pytest.mark.parametrize(
    ("bases", "is_expected"), [("http://a%20b/x", True), ("http://h/ http://a%20b/", True), ("http://h/%20/", False)]
)
def test_a_base_with_a_space_in_its_host(bases: str, is_expected: bool) -> None:
    found = Difference("target", "a", "href", "x", "http://h/x", "http://g/x", bases)
    assert bool(reasons(found, EXPECTED)) == is_expected


@pytest.mark.parametrize(("bases", "is_expected"), [("http://h/ o:/ o:/p/;", True), ("http://h/ o:/", False)])
def test_a_base_with_a_backslash_without_a_host(bases: str, is_expected: bool) -> None:
    found = Difference("target", "a", "href", "y", "o:/y", "o:/p/y", bases)
    assert bool(reasons(found, EXPECTED)) == is_expected


def test_each_line_of_the_list_has_a_reason() -> None:
    assert len({each.name for each in EXPECTED}) == len(EXPECTED) > 10
    assert all(each.reason for each in EXPECTED)


def test_the_same_chance_gives_the_same_documents() -> None:
    first, second = (batch(Random("s-1"), 50) for _ in range(2))
    assert first == second
    assert first != batch(Random("s-2"), 50)
    assert len({sample.path for sample in first}) == 1


@pytest.mark.browser
def test_chromium_agrees_in_what_it_parses(asker: Asker) -> None:
    run = Fuzz(asker)
    for number in range(2):
        run.run([sample for sample in batch(Random(f"19834-{number}"), 250) if not sample.is_loaded])
    assert run.documents > 400
    assert run.sorts == {}


@pytest.mark.browser
def test_documents_are_loaded_and_parsed(asker: Asker) -> None:
    run = Fuzz(asker)
    run.run(
        [
            Sample("<a href=x>", "/a/"),
            Sample("<iframe srcdoc='<a href=x>'></iframe>", "/a/"),
            Sample(b"<a href=?\xe9>", "/a/", "relative", "text/html; charset=windows-1252"),
        ]
    )
    assert (run.documents, run.unexpected) == (3, 0)


@pytest.mark.browser
def test_the_same_text_in_two_documents_is_compared_with_the_likest(asker: Asker) -> None:
    run = Fuzz(asker)
    run.run(
        [Sample("<a href='a|b'></a><iframe srcdoc='<base href=a/><a href=&quot;a|b&quot;>'></iframe>", "/a/b/c.html")]
    )
    assert (run.counts, run.unexpected) == ({"pipe in a path": 2}, 0)


@pytest.mark.browser
def test_a_style_sheet_in_a_url_is_left_out(asker: Asker) -> None:
    run = Fuzz(asker)
    run.run([Sample("<link rel=stylesheet href='data:text/css,p{background:url(x)}'><a href=a|b>", "/a/")])
    assert (run.counts, run.unexpected) == ({"pipe in a path": 1}, 0)


@pytest.mark.browser
def test_a_drive_that_only_one_of_two_documents_loses(asker: Asker) -> None:
    run = Fuzz(asker)
    inner = "&lt;link href=&quot;../../i&quot;&gt;&lt;base href=&quot;z/&quot;&gt;"
    run.run([Sample(f'<base href=file:///C://><link href="../../i"><iframe srcdoc="{inner}"></iframe>', "/")])
    assert (list(run.counts), run.unexpected) == (["drive of a file"], 0)


@pytest.mark.browser
def test_an_empty_action_in_a_srcdoc(asker: Asker) -> None:
    run = Fuzz(asker)
    run.run([Sample("<iframe srcdoc='<form action=&quot;&quot;>'></iframe><form action>", "/a/")])
    assert (run.counts, run.unexpected) == ({"empty action in a srcdoc": 1}, 0)


@pytest.mark.browser
def test_a_base_in_a_template_of_a_srcdoc(asker: Asker) -> None:
    run = Fuzz(asker)
    run.run([Sample("<base href=/><iframe srcdoc='<template><base href=e><base href=&quot;&quot;>'></iframe>", "/a/b")])
    assert run.sorts == {}


@pytest.mark.browser
@pytest.mark.parametrize(("page", "differs"), [('<input lowsrc="&nott;">', True), (b'<input lowsrc="&nott;">', False)])
def test_a_character_reference_that_only_the_fast_parser_decodes(
    asker: Asker, page: str | bytes, differs: bool
) -> None:
    run = Fuzz(asker)
    run.run([Sample(page, "/a/")])
    assert (bool(run.counts), run.unexpected) == (differs, 0)


@pytest.mark.browser
def test_a_template_that_chromium_builds_otherwise_in_a_srcdoc(asker: Asker) -> None:
    run = Fuzz(asker)
    run.run([Sample('<iframe srcdoc="&lt;template&gt&lt;base&gt&lt;col&gt;&lt;a href=t&gt;">', "/a/b")])
    assert (run.counts, run.unexpected) == ({"base in a template": 1}, 0)


@pytest.mark.browser
def test_what_a_select_or_a_column_keeps_out(asker: Asker) -> None:
    run = Fuzz(asker)
    trees = [
        "<div><select><svg></div><image href=u1>",
        "<p><select><math></p><mi><a href=u1>",
        "<caption><template><col><table background=x>",
        "<table><caption><template><col><table background=x></template><td background=y>",
    ]
    run.run([Sample(data, "/a/") for tree in trees for data in (tree, tree.encode())])
    assert (run.documents, run.sorts) == (8, {})


@pytest.mark.browser
@pytest.mark.parametrize("what", ["missing", "rewritten"])
def test_a_difference_is_found_and_shortened(asker: Asker, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def links(*arguments: Any, **options: Any) -> list[rehref.Link]:
        return [link for link in rehref.links(*arguments, **options) if link.element != "img"]

    def rewrite(data: str, *arguments: Any, **options: Any) -> str:
        return data.replace("src=x", "src=y")

    class Broken:
        Link = rehref.Link

    Broken.links = staticmethod(links if what == "missing" else rehref.links)  # type: ignore[attr-defined]
    Broken.rewrite = staticmethod(rewrite if what == "rewritten" else rehref.rewrite)  # type: ignore[attr-defined]
    monkeypatch.setattr(differential, "rehref", Broken)
    run = Fuzz(asker)
    run.run([Sample("<p>text</p><a href=/a|b>x</a><img src=x alt=long><p>more</p>", "/")])
    [(sample, found)] = run.sorts.values()
    assert (found.what, found.element, found.attribute, found.text) == (what, "img", "src", "x")
    short, shown = run.shortened(sample, found)
    assert short.data == "<img src=x>" or len(short.data) < len("<img src=x>")
    assert shown.what == what
