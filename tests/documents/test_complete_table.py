"""The table of a document: the same rows, uses, links and bytes, whoever has filled it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref._native import TWIN
from rehref.documents._table.complete_table import Table
from rehref.documents.base import Layers
from rehref.documents.document import Document
from rehref.documents.link import WrittenRow
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document

FIXTURES = Path(__file__).parents[2] / "fixtures"
PAGES = sorted(FIXTURES.glob("*.html"))
CORES = ("source", "lxml", "html5lib")
ODD = (
    "<base href=/b/><a href=x rel='a b'><a href=x><a href='&#x2f;y'><a href='&notit;'><area href=#f>"
    "<object codebase=/c/ data=x></object><img srcset='x 1x, y&amp; 2x' src=x><p style=\"background: url(\\62)\">"
    "<iframe srcdoc='<base href=/d/><a href=x><a href=&quot;y&quot;>'></iframe><a href='http:g'><link rel=icon href=x>"
    '<script type="application/ld+json">{"@id": "x", "url": ["y", "\\u0041"]}</script>'
    '<meta http-equiv=refresh content="0;x">'
)


def read(page: str | bytes, parser: str = "source", **how: Any) -> Document:
    layers = Layers(retrieval="http://h.example/a/b.html")
    return read_document(page, "text/html", None, layers, ReadOptions(parser=parser, **how))


def seen(table: Table) -> list[tuple[Any, ...]]:
    """What a table says of each use, in order: all but the numbers of rows, and the way positions are counted."""
    rows = {row.number: row for row in table.rows()}
    found = []
    for use in table.uses():
        row = rows[use.row]
        resolved = table.resolved(row)
        found.append((use.place, use.within, row.text, row.element, row.attribute, row.kind, row.rel, resolved))
    return found


def both(document: Document) -> tuple[Table, Table]:
    """The table as it is filled, and as Python fills it."""
    return document.table(), Table(document, None)


@pytest.mark.parametrize("profile", ["rfc3986", "rfc2396", "whatwg"])
@pytest.mark.parametrize("page", [*PAGES, ODD], ids=lambda page: page.name if isinstance(page, Path) else "odd")
def test_whoever_fills_it_it_is_the_same(page: Path | str, profile: str) -> None:
    document = read(page.read_bytes() if isinstance(page, Path) else page, profile=profile)
    filled, by_python = both(document)
    assert seen(filled) == seen(by_python)
    assert len(filled) == len(by_python) == filled.references()
    assert list(chain.from_iterable(filled.links())) == list(chain.from_iterable(by_python.links()))
    counts = [{(row.text, row.element, row.attribute): 0 for row in table.rows()} for table in (filled, by_python)]
    for table, count in zip((filled, by_python), counts, strict=True):
        for row in table.rows():
            count[row.text, row.element, row.attribute] += row.uses
    assert counts[0] == counts[1]


@pytest.mark.parametrize("core", CORES)
def test_links_of_rows_are_those_of_their_uses_without_a_position(core: str) -> None:
    table = read(ODD, core).table()
    rows = {row.number: row for row in table.rows()}
    of_rows = dict(zip(rows, table.row_links(list(rows.values())), strict=True))
    links = list(chain.from_iterable(table.links()))
    for use, link in zip(table.uses(), links, strict=True):
        assert link._replace(line=None, column=None, span=None) == of_rows[use.row] == table.link(rows[use.row])


def answered(table: Table) -> Iterator[tuple[str, Any, int]]:
    return ((each.row.text, each.answer, each.times) for each in table.written())


@pytest.mark.parametrize("core", CORES)
def test_what_was_answered_can_be_asked_for(core: str) -> None:
    table = read("<a href=x><a href=y><a href=x><a href='&#122;'><img src=x>", core).table()
    assert list(answered(table)) == [(row.text, None, row.uses) for row in table.rows()]
    row = {(row.text, row.element): row.number for row in table.rows()}
    table.write([row["x", "a"], row["y", "a"], row["z", "a"]], [True, "w", False])
    first, second = (use.number for use in table.uses([row["x", "a"]]))
    table.write([first, second], ["v", None])
    assert sorted(answered(table), key=str) == [
        ("x", "v", 1),
        ("x", None, 1),
        ("x", None, 1),  # of the image
        ("y", "w", 1),
        ("z", False, 1),
    ]
    assert isinstance(next(table.written()), WrittenRow)
    made = table.rewritten(splices=False)
    assert made.changed == 3
    if core == "source":
        assert made.content == "<a href=v><a href=w><a href=x><a><img src=x>"


def test_a_row_whose_uses_have_no_answers_stays() -> None:
    table = read("<a href=x><a href=x>").table()
    table.write([0], [True])
    made = table.rewritten(splices=False)
    assert (made.content, made.changed) == ("<a href=x><a href=x>", 0)
    assert [each.answer for each in table.written()] == [None, None]


@pytest.mark.skipif(TWIN is None, reason="there is no compiled twin")
def test_answers_that_are_not_there_are_an_error_not_a_crash() -> None:
    twin: Any = read("<a href=x><a href=y>").table()._twin
    for numbers in ([2], [-1], ["x"], (0,), None):
        with pytest.raises((IndexError, OverflowError, TypeError)):
            twin._table.answers(numbers)
    twin.write([0], [True])
    assert twin.answers([0, 1, 2, 3]) == [True, None, None, None]


@pytest.mark.sampled(5)
@given(
    st.lists(
        st.sampled_from(
            ["<a href=x>", "<a href='&#x79;'>", "<img src=x srcset='x, z 2x'>", "<object codebase=/c/ data=x></object>"]
        ),
        max_size=8,
    ),
    st.lists(st.sampled_from([None, "n", "", "x", 'a"b', False, True]), min_size=1, max_size=9),
)
def test_the_same_answers_make_the_same_bytes(parts: list[str], answers: list[Any]) -> None:
    document, made = read("".join(parts)), []
    for table in both(document):
        bases = {row.number: table.setting(row).resolver.base for row in table.rows()}
        rows = {(row.text, row.element, row.attribute, bases[row.number]): row.number for row in table.rows()}
        order = sorted(rows, key=str)
        given_ = [answers[at % len(answers)] for at in range(len(order))]
        table.write([rows[each] for each in order], given_)
        uses = list(table.uses([rows[each] for each, answer in zip(order, given_, strict=True) if answer is True]))
        table.write([use.number for use in uses], [("u", None, False)[at % 3] for at in range(len(uses))])
        found = table.rewritten(splices=False)
        made.append((found.content, found.changed))
    assert made[0] == made[1]
