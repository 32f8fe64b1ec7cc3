"""The cases of `fixtures/sites/side-by-side.toml`, which other checkers read differently: what rehref finds in them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import rehref
from checked.contexts import written
from rehref.cli.program import program

SITES = Path(__file__).resolve().parents[2] / "fixtures" / "sites"
CASES = tomllib.loads((SITES / "side-by-side.toml").read_text(encoding="utf-8"))["case"]


@pytest.mark.parametrize("case", CASES, ids=[case["says"] for case in CASES])
def test_what_is_found_and_suggested(case: dict[str, Any], tmp_path: Path) -> None:
    written(tmp_path, case["files"])
    findings = rehref.check(tmp_path, jobs=1).findings
    errors = [each for each in findings if each.severity == "error"]
    assert sorted(each.reference for each in errors) == sorted(case["rehref"])
    assert [each.code for each in findings if each.severity == "warning"] == case.get("warns", [])
    assert {each.reference: each.suggestion for each in errors if each.suggestion} == case.get("perhaps", {})


@pytest.mark.parametrize("case", CASES, ids=[case["says"] for case in CASES])
def test_no_suggestion_is_written_by_itself(case: dict[str, Any], tmp_path: Path) -> None:
    written(tmp_path, case["files"])
    CliRunner().invoke(program, ["check", str(tmp_path), "--fix", "-j", "1"], catch_exceptions=False)
    assert {name: (tmp_path / name).read_text(encoding="utf-8") for name in case["files"]} == case["files"]
