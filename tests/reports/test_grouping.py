"""Who links where in an inventory, and what of it is drawn."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from rehref.reports._inventory.grouping import (
    MOST_DRAWN,
    MOST_INSIDE,
    MOST_OUTSIDE,
    Drawing,
    Referrers,
    drawing_of,
    not_referred_to,
    referred_to,
    referrers,
)
from reports.made_facts import SITES, facts, structure


def drawn(drawing: Drawing) -> dict[tuple[str, str], int]:
    """The connections that are drawn, by the names of what they join."""
    names = [node.name for node in drawing.nodes]
    return {(names[each.source], names[each.target]): each.references for each in drawing.connections}


def test_an_index_is_its_folder() -> None:
    found = structure([facts("http://h/index.html", "http://h/a/"), facts("http://h/a/index.html", "http://h/")])
    assert found.connections == {("http://h/", "http://h/a/"): 1, ("http://h/a/", "http://h/"): 1}
    assert not_referred_to(found) == []


@given(SITES)
def test_everything_is_drawn_or_counted(documents: list[Any]) -> None:
    drawing = drawing_of(structure(documents))
    within = sum(node.within for node in drawing.nodes)
    assert within + sum(drawn(drawing).values()) + drawing.references_left_out == sum(
        each.references for each in documents
    )
    assert sum(node.documents for node in drawing.nodes) == len(documents)
    assert all(node.documents for node in drawing.nodes[: drawing.inside])


def test_a_small_site_is_drawn_page_by_page() -> None:
    pages = [
        facts("http://h/s/index.html", "http://h/s/a.html", "http://h/s/a.html", "http://o/x", "http://h/s/img/i.png"),
        facts("http://h/s/a.html", "http://h/s/", "http://h/s/missing.html", "http://h/other/"),
    ]
    drawing = drawing_of(structure(pages))
    assert [node.name for node in drawing.nodes[: drawing.inside]] == ["a.html", "index.html"]
    assert drawn(drawing) == {
        ("index.html", "a.html"): 2,
        ("index.html", "o"): 1,
        ("index.html", "other files in img/"): 1,
        ("a.html", "index.html"): 1,
        ("a.html", "other files in ./"): 1,
        ("a.html", "other files on h"): 1,
    }


def test_an_index_file_has_one_name_everywhere() -> None:
    found = structure([facts("http://h/s/index.html", "http://h/s/a.html"), facts("http://h/s/a.html", "http://h/s/")])
    assert referred_to(found) == {"index.html": 1, "a.html": 1}
    assert referrers(found, ["http://h/s/a.html"])["http://h/s/a.html"].names == ("index.html",)
    assert not_referred_to(structure([facts("http://h/s/index.html"), facts("http://h/s/a.html")])) == [
        "a.html",
        "index.html",
    ]


def test_a_large_site_is_drawn_by_folder_and_its_busiest_pages() -> None:
    pages = [
        facts(f"http://h/{number % 9}/{number}.html", "http://h/0/0.html", f"http://o{number}/")
        for number in range(5000)
    ]
    drawing = drawing_of(structure(pages, 20_000))
    assert drawing.inside <= MOST_INSIDE
    assert len(drawing.nodes) - drawing.inside <= MOST_OUTSIDE
    assert len(drawing.connections) <= MOST_DRAWN
    names = {node.name: node.documents for node in drawing.nodes}
    assert names["0/0.html"] == 1
    assert names["1/"] > 500
    assert names["4,989 other places"] == 0


def test_folders_are_drawn_where_no_document_stands_out() -> None:
    pages = [
        facts(f"http://h/{number % 9}/{number}.html", f"http://h/{(number + 1) % 9}/{number + 1}.html")
        for number in range(5000)
    ]
    drawing = drawing_of(structure(pages, 20_000))
    assert [node.name for node in drawing.nodes[: drawing.inside]] == [f"{number}/" for number in range(9)]


def test_a_flat_folder_is_not_one_node() -> None:
    pages = [facts(f"http://h/{number}.html", f"http://h/{number % 3}.html") for number in range(300)]
    drawing = drawing_of(structure(pages))
    assert {"0.html", "1.html", "2.html"} <= {node.name for node in drawing.nodes}
    assert drawing.inside == MOST_INSIDE


def test_several_hosts_are_named() -> None:
    pages = [facts("http://h/a", "http://i/a"), facts("http://i/a", "http://h/a")]
    assert drawn(drawing_of(structure(pages))) == {("h/a", "i/a"): 1, ("i/a", "h/a"): 1}


def test_which_documents_others_refer_to() -> None:
    found = structure([facts("http://h/a", "http://h/b", "http://h/b", "http://h/a"), facts("http://h/b", "http://o/")])
    assert referred_to(found) == {"b": 2}
    assert not_referred_to(found) == ["a"]
    assert referrers(found, ["http://h/a", "http://h/b"]) == {
        "http://h/a": Referrers(0, 0, ()),
        "http://h/b": Referrers(1, 2, ("a",)),
    }


# --- marked sources
