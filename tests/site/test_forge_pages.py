"""Fragments of the pages that forges make of files."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import rehref
from checked.contexts import written
from rehref.cli.program import program

pytest.importorskip("pyromark", reason="needs the package pyromark")

FILES = {"b.md": "# Wind\n", "x.py": "1\n", "x.html": "<p>", "sub/README.md": "# Sail\n", "sub/index.md": "# Other\n"}
RIGHT = {
    "github": "b.md?plain=1#L1 b.md?plain=1#L5-L9 x.py#L5 x.html#L5 x.html#L5-L9 x.html#L5C3-L9C1 "
    "b.md#user-content-wind #user-content-here #readme #here README.md#readme sub#readme sub/#sail ./#readme",
    "gitlab": "b.md?plain=1#L1-9 x.html#L5-9 b.md#user-content-wind #readme",
}
WRONG = {
    "github": "b.md#L1 b.md?plain=2#L1 x.html#lines-5 b.md#user-content-gone b.md#user-content- b.md#readme "
    "#L1 sub/#other",
    "gitlab": "b.md#L1 x.html#L5C3 b.md#user-content-gone",
    "mkdocs": "x.html#L5 b.md#user-content-wind #readme",
}


def missing(folder: Path, references: str, dialect: str | None) -> tuple[list[str], int]:
    links = " ".join(f"[x]({reference})" for reference in references.split())
    written(folder, {**FILES, "README.md": f"# Here\n\n{links}\n"})
    result = rehref.check(folder, dialect=dialect)
    return [one.reference for one in result.findings], result.summary.skipped


@pytest.mark.parametrize("dialect", RIGHT)
def test_what_a_forge_shows_is_right(tmp_path: Path, dialect: str) -> None:
    assert missing(tmp_path, RIGHT[dialect], dialect) == ([], 0)


@pytest.mark.parametrize("dialect", WRONG)
def test_all_else_is_missing(tmp_path: Path, dialect: str) -> None:
    assert missing(tmp_path, WRONG[dialect], dialect) == (WRONG[dialect].split(), 0)


def test_without_a_dialect_any_forge_may_be_meant(tmp_path: Path) -> None:
    references = (
        "b.md?display=source#L1-L2 b.md#lines-1:2 b.md#markdown-header-wind b.md?plain=1#L1 #user-content-here #readme"
    )
    assert missing(tmp_path, f"{references} b.md#L1", None)[0] == ["b.md#L1"]


def test_why_says_it(tmp_path: Path) -> None:
    written(tmp_path, {**FILES, "README.md": "# Here\n"})
    said = CliRunner().invoke(program, ["check", str(tmp_path), "--dialect", "github", "--why", "b.md?plain=1#L7"])
    assert "names lines, which a forge shows" in said.stdout
