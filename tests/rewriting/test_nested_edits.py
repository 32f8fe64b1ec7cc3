"""What edits count, and how documents in documents are edited (`rehref.rewriting.edits`)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import rehref
from rehref.base import Layers
from rehref.documents.link import Link
from rehref.documents.reading import read_document
from rehref.options import ReadOptions
from rehref.rewriting.edits import Rewritten, rewrite_document

URL = "http://h.example/d/"
CORES = ("source", "lxml", "html5lib")


def rewritten(html: str, rule: object, **options: object) -> Rewritten:
    """What a rule makes of a page."""
    how = ReadOptions(**options)  # type: ignore[arg-type]
    return rewrite_document(read_document(html, "text/html", None, Layers(retrieval=URL), how), rule)  # type: ignore[arg-type]


def target(link: Link) -> str | None:
    """The rule of somebody's own that writes targets, whatever stands there."""
    return link.target


RULES: tuple[Callable[[Link], object], ...] = (rehref.Absolute(), target)


@pytest.mark.parametrize("parser", CORES)
@pytest.mark.parametrize("rule", RULES, ids=["ours", "own"])
def test_all_references_are_counted_and_those_that_change(rule: object, parser: str) -> None:
    html = f"<a href=x></a><a href={URL}y></a><img srcset='a, b 2x'><iframe srcdoc='<a href=z><a href=w>'></iframe>"
    found = rewritten(html, rule, parser=parser)
    assert (found.references, found.changed, found.otherwise) == (6, 5, 0)


@pytest.mark.parametrize("parser", CORES)
def test_what_is_written_as_it_was_is_no_change(parser: str) -> None:  # rule 4
    html = "<a href='x&amp;y'>"
    found = rewritten(html, lambda link: link.reference, parser=parser)
    assert (found.data, found.references, found.changed) == (html, 1, 0)


@pytest.mark.parametrize("rule", RULES, ids=["ours", "own"])
def test_what_stands_in_a_comment_or_a_document_is_edited_there(rule: object) -> None:  # rule 6
    html = "<!--[if IE 6]><a href=x><a href=y><![endif]-->"
    assert rewritten(html, rule, conditional_comments=True).data == html.replace("=", f"={URL}")
    nested = """<iframe srcdoc="<a href=x><iframe srcdoc='<a href=y><a href=z>'></iframe><a href=w>"></iframe>"""
    expected = nested
    for name in "xyzw":
        expected = expected.replace(f"href={name}", f"href={URL}{name}")
    assert rewritten(nested, rule).data == expected


def test_each_document_in_a_document_has_its_own_escapes() -> None:  # rules 5, 6
    nested = """<iframe srcdoc="<a href=x><iframe srcdoc='<a href=y>'></iframe><a href=w>"></iframe>"""
    data = rewritten(nested, lambda link: link.reference + "&lt;'\"").data
    assert [link.reference for link in rehref.links(data, url=URL)] == ["x&lt;'\"", "y&lt;'\"", "w&lt;'\""]


@pytest.mark.parametrize("parser", CORES)
def test_one_text_below_two_bases_is_two_references(parser: str) -> None:  # rule 1
    html = "<a href=x></a>" + "".join(f"<iframe srcdoc='<base href=/{name}/><a href=x>'></iframe>" for name in "ce")
    data = rewritten(html, rehref.Absolute(), parser=parser).data
    links = rehref.links(data, url="http://elsewhere.example/")
    expected = [f"{URL}x", "http://h.example/c/x", "http://h.example/e/x"]
    assert [link.reference for link in links if link.kind != "base"] == expected


def test_only_rules_of_ours_are_counted_as_leaving_what_browsers_read_otherwise() -> None:
    html = r"<a href='\x'>"
    assert rewritten(html, rehref.Absolute()).otherwise == 1
    assert rewritten(html, lambda link: None if link.problems else "y").otherwise == 0
