"""What the overview of an inventory says."""

from __future__ import annotations

from rehref.reports._links.overview import overview_of
from rehref.reports.formats import InventoryLimits
from rehref.reports.inventory import entry_of
from reports.made_facts import facts, opened, total


def test_what_is_no_host_is_not_counted_as_one() -> None:
    def about(*targets: str) -> str:
        document = opened("".join(f"<a href='{target}'>x</a>" for target in targets))
        totals = total([entry_of("a", document, list(document.links()), "part", None).facts])
        found = overview_of(totals, 1, 1, InventoryLimits())
        return found.about + "; " + ", ".join(bar.label for chart in found.charts for bar in chart.bars[:9])

    assert about("file:///x", "mailto:a@b").startswith("No problems; ")
    assert "this disk" in about("file:///x")
    assert about("http://o/", "file:///x").startswith("1 host, no problems")


def test_documents_that_are_all_referred_to_once_are_no_chart() -> None:
    def has_chart(*targets: str) -> bool:
        totals = total([facts("http://h/a", *targets), facts("http://h/b", "http://h/a"), facts("http://h/c")])
        return "popular" in {chart.name for chart in overview_of(totals, 1, 1, InventoryLimits()).charts}

    assert has_chart("http://h/b", "http://h/b")
    assert not has_chart("http://h/b", "http://h/c")
