"""Counts of an inventory, which stay small."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.reports._inventory.totals import CountsByName, Totals, folder
from rehref.reports.inventory import entry_of
from reports.made_facts import SITES, facts, opened, structure


@given(st.lists(st.dictionaries(st.text(max_size=2), st.integers(1, 9), max_size=5), max_size=20))
def test_a_tally_loses_nothing_and_stays_small(counts: list[dict[str, int]]) -> None:
    tally = CountsByName(3)
    for each in counts:
        tally.add(each)
    assert tally.total == sum(sum(each.values()) for each in counts)
    assert len(tally.counts) <= 3
    assert sum(number for _, number in tally.top(2)) + tally.rest(2) == tally.total


def test_totals_add_up() -> None:
    totals = Totals()
    for name in ("a", "b"):
        document = opened('<base href="http://["><a href=x>1</a>', url=f"http://h/{name}")
        totals.add(entry_of(name, document, list(document.links()), "part", None).facts)
    assert (totals.documents, totals.references, totals.rejected) == (2, 4, 2)
    assert totals.base_documents == {"retrieval": 2}
    assert totals.kinds == {"base": 2, "hyperlink": 2}


@pytest.mark.parametrize(
    ("uri", "depth", "expected"),
    [
        ("http://h/a/b/c.html", 9, "http://h/a/b/"),
        ("http://h/a/b/c.html", 1, "http://h/a/"),
        ("http://h/a/b/", 1, "http://h/a/"),
        ("http://h/a?b/c", 9, "http://h/"),
        ("http://h", 0, "http://h/"),
        ("http://h/a/", 0, "http://h/"),
        ("file:///a/b", 9, "file:///a/"),
        ("mailto:a@b", 9, "mailto:"),
        ("cid:part/1", 9, "cid:"),
        ("a.zip/b", 9, "a.zip/"),
    ],
)
def test_the_folder_of_a_uri(uri: str, depth: int, expected: str) -> None:
    assert folder(uri, depth) == expected
    assert folder(expected, depth) == expected


@given(SITES, st.integers(4, 30), st.randoms())
def test_a_structure_is_bounded_and_does_not_depend_on_the_order(
    documents: list[Any], most: int, order: random.Random
) -> None:
    found = structure(documents, most)
    shuffled = list(documents)
    order.shuffle(shuffled)
    again = structure(shuffled, most)
    assert (found.documents, found.connections) == (again.documents, again.connections)
    assert len(found.connections) <= most
    assert found.connections.total() == sum(each.references for each in documents)
    assert found.documents.total() == len(documents)


def test_hosts_without_end_are_bounded_too() -> None:
    documents = [facts("http://h/", *(f"http://h{number}.{more}/" for more in range(50))) for number in range(40)]
    found = structure(documents, 100)
    assert len(found.connections) <= 100
    assert found.connections.total() == 2000
