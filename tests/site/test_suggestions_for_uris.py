"""What is suggested for `file:` URIs: only a file of the folder."""

from __future__ import annotations

from pathlib import Path

import pytest

import rehref


@pytest.mark.parametrize("outside", ["file://", "file:///", "file:///usr/share/x.html", "file://host/a.html"])
def test_only_a_file_of_the_folder_is_suggested(tmp_path: Path, outside: str) -> None:
    inside = (tmp_path / "b.html").as_uri()
    (tmp_path / "b.html").write_text("<!doctype html><title>b</title><p id=x>")
    (tmp_path / "index.html").write_text(
        f'<!doctype html><title>i</title><a href="{inside}#x">x</a> <a href="{outside}">y</a>'
    )
    findings = [each for each in rehref.check(tmp_path).findings if each.code == "file-uri"]
    assert [(each.reference, each.suggestion) for each in findings] == [(f"{inside}#x", "b.html#x"), (outside, None)]
