"""A base stands before every reference: one that is very long makes neither output nor memory very large."""

from __future__ import annotations

import json

import pytest

import rehref
from rehref.documents.base import LONGEST, LONGEST_EMBEDDED, Candidate, Layers, establish
from rehref.markup.cores import core, names
from rehref.reports.formats import Presentation, links_format

URL = "http://h/d/p.html"
CORES = [name for name in names() if name in ("source", "lxml", "html5lib")]
LONG = "x" * 100_000


def codes(link: rehref.Link) -> list[str]:
    return [problem.code for problem in link.problems]


@pytest.mark.parametrize("parser", CORES)
@pytest.mark.parametrize("profile", ["rfc3986", "rfc3986-compat", "rfc2396", "whatwg"])
def test_a_base_element_that_is_too_long_is_reported_and_not_applied(parser: str, profile: str) -> None:
    page = f'<base href="http://h/{LONG}/"><a href="y">'
    base, link = rehref.links(page, url=URL, parser=parser, profile=profile)
    assert link.target == "http://h/d/y"
    assert "base-not-hierarchical" in codes(base)
    assert "it is rejected: it has more than 2,000 characters" in [problem.message for problem in base.problems]
    (rejected,) = link.base.rejected
    assert rejected.reason == "it has more than 2,000 characters"
    assert len(rejected.reference) < 300
    assert core(parser).name == parser


@pytest.mark.parametrize(("length", "applied"), [(LONGEST_EMBEDDED, True), (LONGEST_EMBEDDED + 1, False)])
def test_the_limit(length: int, applied: bool) -> None:
    base = "http://h/" + "x" * (length - 10) + "/"
    assert len(base) == length
    (_, link) = rehref.links(f'<base href="{base}"><a href="y">', url=URL)
    assert link.target == (f"{base}y" if applied else "http://h/d/y")


def test_a_relative_base_may_be_as_long_as_what_it_is_relative_to() -> None:
    url = f"http://h/{'x' * 5000}/d/page.html"
    (_, link) = rehref.links('<base href="../"><a href="y">', url=url)
    assert link.target == f"http://h/{'x' * 5000}/y"


@pytest.mark.parametrize("origin", ["entity", "retrieval", "default"])
def test_what_stands_outside_may_be_longer(origin: str) -> None:
    for length, applied in ((LONGEST, True), (LONGEST + 1, False)):
        uri = "http://h/" + "x" * (length - 9)
        found = establish((Candidate(uri, origin, "x"),))  # type: ignore[arg-type]
        assert (found.uri == uri) is applied
        assert [each.reason for each in found.rejected] == ([] if applied else ["it has more than 16,000 characters"])


def test_json_ld() -> None:
    data = json.dumps({"@context": {"@base": f"http://h/{LONG}/"}, "@id": "y"})
    page = f'<script type="application/ld+json">{data}</script>'
    assert "http://h/d/y" in {link.target for link in rehref.links(page, url=URL)}


def test_the_output_is_bounded() -> None:
    """The most that a document can make of a base: as many times the limit as it has references."""
    count = 500
    page = f'<base href="http://h/{LONG}/">' + '<a href="y">' * count
    assert len(rehref.rewrite(page, url=URL)) < 2 * len(page)
    links = rehref.links(page, url=URL)
    report = links_format("jsonl", Presentation()).document("page.html", links[0].base, links)
    assert len(report) < len(LONG) * 3 + count * 2000


def test_a_long_reference_that_was_rejected_is_not_kept_with_every_link() -> None:
    page = f'<base href="data:,{LONG}"><a href="y"><a href="z">'
    links = rehref.links(page, url=URL)
    assert {len(link.base.rejected[0].reference) for link in links[1:]} == {201}
    assert Layers(retrieval=URL).candidates()[0].reference == URL
