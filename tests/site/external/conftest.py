"""Fixtures for tests of links to other sites."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rehref
from checked.asked_sites import Check, OutsideAndResult
from checked.made_web import Servers
from rehref.site._external.outside import Outside
from rehref.site.check import CheckRun
from rehref.site.check_options import CheckOptions
from rehref.site.site import Site


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Servers:
    """Servers that are asked in the place of real ones."""
    found = Servers()
    monkeypatch.setattr("rehref.web.asking.ask", found.ask)
    return found


@pytest.fixture
def check(tmp_path: Path) -> Check:
    """Checks a site with these pages, on `https://own.example/`."""

    def checking(*pages: str, **options: Any) -> rehref.CheckResult:
        for number, page in enumerate(pages):
            (tmp_path / f"{number}.html").write_text(page, "utf-8")
        return rehref.check(tmp_path, **{"external": True, "site_url": "https://own.example/", **options})

    return checking


@pytest.fixture(scope="session")
def outside_and_result() -> OutsideAndResult:
    """Checks a folder with one page; gives what is known of other sites then, and the result."""

    def checking(folder: Path, page: str, outside: Outside | None = None) -> tuple[Outside, rehref.CheckResult]:
        options = CheckOptions(checks=frozenset({"external"}), jobs=1)
        outside = outside or Outside(options)
        folder.mkdir(exist_ok=True)
        (folder / "index.html").write_text(page)
        return outside, CheckRun(outside).check(Site.of(folder, options)).result

    return checking
