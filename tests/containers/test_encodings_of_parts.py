"""The encodings of style sheets in a container are asked for only where something depends on them."""

from __future__ import annotations

import pytest

import rehref
from containers.pages_with_sheets import page, sheet
from rehref.containers._encodings_of_parts import EncodingsOfParts


def test_only_a_sheet_whose_references_depend_on_it_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    near = EncodingsOfParts._near
    monkeypatch.setattr(EncodingsOfParts, "_near", lambda self, *where: (asked.append(1), near(self, *where))[1])
    comment = sheet("windows-1251", "c.css", "/* фон */ p { background: url(x.png) }")
    rehref.links(b"".join([page("windows-1251"), comment, sheet("utf-8"), page("utf-8"), sheet("utf-8", "d.css")]))
    assert asked == []
    rehref.links(b"".join([page("windows-1251"), sheet("windows-1251"), sheet("windows-1251", "d.css")]))
    assert asked == [1]
