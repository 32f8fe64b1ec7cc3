"""The places of missing fragments, which are found by a second reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from site_parts import context_of

from checked.contexts import written
from rehref.site._checks.links import of_missing
from rehref.site._pages.site_tables import SiteTable
from rehref.site._reading_pages import PageReader
from rehref.site.site import Site


def _context(folder: Path) -> Site:
    paths = {path.relative_to(folder).as_posix() for path in folder.rglob("*.html")}
    uri = folder.as_uri() + "/"

    def locate(target: str) -> tuple[object, ...]:
        path = unquote(target.removeprefix(uri).partition("?")[0])
        return (path, "", "") if path in paths else (None, "missing-file", "")

    return context_of(uri, locate, folder)


def _missing(folder: Path) -> Sequence[tuple[str, Mapping[str, Any]]]:
    table = SiteTable()
    paths = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html"))
    table.merge(PageReader.of(_context(folder))(paths))
    return list(table.using({number for each in table.missing(()) for number in each.fragments}))


def _second(folder: Path, items: Sequence[tuple[str, Mapping[str, Any]]]) -> list[tuple[Any, ...]]:
    return of_missing(_context(folder), items)


def test_what_changed_between_the_passes_does_no_harm(tmp_path: Path) -> None:
    written(tmp_path, {"a.html": "<meta charset=utf-8><p><a href=b.html#no>", "b.html": ""})
    missing = _missing(tmp_path)
    for content in ("", "<p>" * 20, "<meta charset=utf-8><a", "<meta charset=utf-8><p><a nohref=b.html#no>"):
        (tmp_path / "a.html").write_text(content)
        assert _second(tmp_path, missing) == []
    (tmp_path / "a.html").unlink()
    assert _second(tmp_path, missing) == []
