"""What documents add to the tables of a site, and what is asked of them."""

from __future__ import annotations

from array import array

import pytest

from rehref.site._pages.fragments import (
    LeadsOn,
)
from rehref.site._pages.site_tables import Chunk, DocumentRow, SiteTable


def test_old_addresses_share_the_names_of_the_page_they_lead_to(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    defined = SiteTable.defined

    def counted(table: SiteTable, path: str) -> object:
        asked.append(path)
        return defined(table, path)

    monkeypatch.setattr(SiteTable, "defined", counted)
    old = [f"old{number}.html" for number in range(30)]
    chunk = Chunk(
        fragments=[f"{path}\0{name}" for path in old for name in ("x", "no")],
        rows=[DocumentRow(path, "") for path in old] + [DocumentRow("new.html", "x\0y")],
        refreshes={path: LeadsOn("new.html", at_once=True, keeps_fragment=True) for path in old},
    )
    chunk.rows.append(DocumentRow("a.html", "", array("I", range(1, 61)).tobytes()))
    table = SiteTable()
    table.merge(chunk)
    missing = {number for each in table.missing(()) for number in each.fragments}
    assert [(path, list(found)) for path, found in table.using(missing)] == [
        ("a.html", [f"{path}\0no" for path in old])
    ]
    assert sorted(asked) == sorted([*old, "new.html"])
