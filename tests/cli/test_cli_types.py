"""The commands on style sheets and plain texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    """A style sheet, with Latin-1 in it."""
    file = tmp_path / "style.css"
    file.write_bytes(b'@charset "iso-8859-1";\n@import "a\xe9.css";\n')
    return file


def targets(result: Result) -> list[str]:
    assert result.exit_code == 0, result.output
    return [json.loads(line)["target"] for line in result.stdout.splitlines()]


def test_links_of_a_style_sheet(run: Run, sheet: Path) -> None:
    (link,) = json.loads(run("links", "--format", "json", sheet).stdout)
    assert (link["target"], link["kind"], link["attribute"]) == (f"file://{sheet.parent}/aé.css", "resource", None)
    assert (link["line"], link["column"]) == (2, 10)
    assert link["problems"] == []
    (link,) = json.loads(run("links", "--strict-uris", "--format", "json", sheet).stdout)
    assert [problem["code"] for problem in link["problems"]] == ["non-ascii"]
    table = run("links", sheet)
    assert table.exit_code == 0
    assert "2:10" in table.stdout


def test_a_style_sheet_in_place(run: Run, sheet: Path) -> None:
    result = run("rewrite", "--url", "http://h/d/s.css", "--in-place", "style.css")
    assert result.stderr == "rehref: 1 of 1 reference changed in 1 of 1 document\n"
    assert sheet.read_bytes() == b'@charset "iso-8859-1";\n@import "http://h/d/a\xe9.css";\n'


def test_a_folder_with_style_sheets(run: Run, site: Path) -> None:
    (site / "notes.txt").write_bytes(b"see http://h/\n")
    (site / "deep" / "s.css").write_bytes(b"a { b: url(../i.png) url(#f) }")
    found = targets(run("links", "--format", "jsonl", "--url", "http://h/", site))
    assert {"http://h/i.png", "http://h/deep/s.css#f", "http://h/index.html"} < set(found)
    result = run("rewrite", "--url", "http://h/", site, "-o", "out", "--copy-others")
    assert result.stderr == "rehref: 4 of 6 references changed in 3 of 4 documents; 2 other files\n"
    assert Path("out/deep/s.css").read_bytes() == b"a { b: url(http://h/i.png) url(#f) }"
    assert Path("out/notes.txt").read_bytes() == b"see http://h/\n"


def test_a_style_sheet_from_standard_input_says_so(run: Run) -> None:
    options = ("--media-type", "text/css", "--url", "http://h/d/", "-")
    assert targets(run("links", "--format", "jsonl", *options, input=b"url(x)")) == ["http://h/d/x"]
    assert run("rewrite", "--quiet", *options, input=b"url(x)").stdout_bytes == b"url(http://h/d/x)"


def test_a_text_that_is_named(run: Run, site: Path) -> None:
    (site / "notes.txt").write_bytes(b"see http://h/\n")
    assert targets(run("links", "--format", "jsonl", site / "notes.txt")) == ["http://h/"]
    result = run("rewrite", "--to", "https://r.example/{uri}", "--in-place", site / "notes.txt")
    assert result.exit_code == 0
    assert (site / "notes.txt").read_bytes() == b"see https://r.example/http://h/\n"
