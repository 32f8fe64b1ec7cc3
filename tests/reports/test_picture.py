"""The picture of an inventory."""

from __future__ import annotations

from itertools import pairwise

from rehref.reports._inventory.grouping import (
    MOST_INSIDE,
    drawing_of,
)
from rehref.reports._inventory.picture import picture_of
from reports.made_facts import facts, structure


def test_the_picture_has_a_line_for_each_name() -> None:
    pages = [
        facts(f"http://h/{'long/' * (number % 4)}{number}.html", f"http://o{number}/") for number in range(MOST_INSIDE)
    ]
    drawing = drawing_of(structure(pages))
    picture = picture_of(drawing)
    assert len(picture.spots) == len(drawing.nodes)
    for inside in (True, False):
        lines = sorted(spot.y for spot in picture.spots if spot.inside == inside)
        assert all(after - before >= 20 for before, after in pairwise(lines))
        assert 0 < lines[0] <= lines[-1] < picture.height
    assert max(len(spot.name) for spot in picture.spots) <= 45
    assert sum(len(spot.curves) for spot in picture.spots) == len(drawing.connections)


def test_names_are_read_as_people_write_them() -> None:
    pages = [
        facts("http://h/%E3%83%9A%E3%83%BC%E3%82%B8.html", "http://h/a%20b%2F%C3.html"),
        facts("http://h/a%20b%2F%C3.html"),
    ]
    names = [spot.name for spot in picture_of(drawing_of(structure(pages))).spots]
    assert sorted(names) == ["a b%2F%C3.html", "ページ.html"]


def test_the_curves_of_few_references_are_thin() -> None:
    few = picture_of(drawing_of(structure([facts("http://h/a", "http://o/")])))
    many = picture_of(drawing_of(structure([facts("http://h/a", *["http://o/"] * 20)])))
    assert [spot.curves[0].width for spot in (few.spots[0], many.spots[0])] == [2.0, 6.0]


def test_a_picture_of_nothing() -> None:
    drawing = drawing_of(structure([]))
    assert (drawing.nodes, drawing.connections, picture_of(drawing).spots) == ((), (), ())
