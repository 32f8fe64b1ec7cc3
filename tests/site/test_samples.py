"""The pages that are read to find out where a site is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from checked.contexts import written
from checked.made_places import (
    DOCS,
    canonical,
    pages,
)
from rehref.site._placing import samples
from rehref.site.check_options import CheckOptions
from rehref.site.findings import SitePlace
from rehref.site.site import Site


def place(folder: Path, files: Mapping[str, str], **options: Any) -> SitePlace:
    return Site.of(written(folder, files), CheckOptions(**options)).place


def test_only_some_pages_are_read_and_only_their_beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = tuple(f"{number:04}.html" for number in range(500))
    files = pages(names, head=canonical(DOCS))
    read: list[int] = []
    beginning = samples._beginning

    def counted(file: Path, most: int) -> bytes:
        data = beginning(file, most)
        read.append(len(data))
        return data

    monkeypatch.setattr(samples, "_beginning", counted)
    assert place(tmp_path, files).url == DOCS
    assert len(read) == samples.MOST_PAGES
    read.clear()
    late = {name: " " * 100_000 + page for name, page in pages(head=canonical(DOCS)).items()}
    assert place(tmp_path / "late", late).basis == "root"
    assert max(read) == 64 * 1024
