"""A page goes through the house in one direction: `scripts/walks` prints how."""

from __future__ import annotations

from pathlib import Path

import pytest

import modules
from rehref.files.reading_files import is_packed

walks = modules.module_at(Path(__file__).resolve().parents[1] / "scripts" / "walks.py", "walks")


@pytest.mark.parametrize(
    ("walk", "last"),
    [(walks.to_links, "rehref.documents._table.complete_table"), (walks.to_finding, "rehref.site._checks.links")],
    ids=["to its links", "to a finding"],
)
def test_a_page_goes_into_no_module_more_than_twice(walk: object, last: str) -> None:
    assert callable(walk)
    visits = walks.visits(walk())
    assert {"rehref.documents.reading", "rehref.documents._formats.html", "rehref.documents.document", last} <= set(
        visits
    )
    assert {module: times for module, times in visits.items() if times > 2} == {}


def test_each_visit_counts() -> None:
    assert walks.visits(walks.walk(lambda: [is_packed(walks.PAGE) for _ in range(3)])) == {
        "rehref.files.reading_files": 3
    }
