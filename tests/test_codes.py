"""The table of codes: what the source uses is in it, what is in it is used, and the documentation says the same."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from rehref.codes import CODES, DIAGNOSTICS, FINDINGS, PROBLEMS, Code, DiagnosticCode, Severity
from rehref.reports.formats import OF_FINDINGS

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"

CALLS = {
    "Problem": 0,
    "Finding": 1,
    "Verdict": 0,
    "Located": 1,
    "LinkState": 0,
    "finding_of": 2,
    "_of_grammar": 0,
    "Fault": 0,
    "Diagnostic": 3,
}
"""What is called with a code, and at which place."""


@cache
def modules() -> dict[str, ast.Module]:
    """All modules but the table itself, by their paths."""
    source = ROOT / "src" / "rehref"
    paths = (path for path in source.rglob("*.py") if path != source / "codes.py")
    return {path.relative_to(source).as_posix(): ast.parse(path.read_bytes()) for path in paths}


def codes_in(module: ast.Module) -> Iterator[tuple[str, str]]:
    """The codes that are written in calls of a module, with what is called."""
    for call in ast.walk(module):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name | ast.Attribute):
            continue
        name = call.func.id if isinstance(call.func, ast.Name) else call.func.attr
        at = CALLS.get(name, len(call.args))
        given = [*call.args[at : at + 1], *(each.value for each in call.keywords if each.arg == "code")]
        for each in given:
            if isinstance(each, ast.Constant) and each.value != "":
                yield name, each.value


def test_every_code_that_is_used_has_a_row() -> None:
    in_containers = {row.name for row in DIAGNOSTICS}
    found = [(path, *each) for path, module in modules().items() for each in codes_in(module)]
    assert len(found) > 60
    for path, called, code in found:
        assert code in (in_containers if path.startswith(("containers/", "rewriting/", "api")) else CODES) or (
            called == "Problem" and code in CODES
        ), f"{path}: {called} has the code {code!r}, which rehref/codes.py does not list"


@pytest.mark.parametrize("row", [*PROBLEMS, *FINDINGS, *DIAGNOSTICS], ids=lambda row: str(row.name))
def test_every_row_is_used_and_says_all(row: Code) -> None:
    constants = {
        node.value
        for module in modules().values()
        for node in ast.walk(module)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert row.name in constants
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", row.name)
    assert row.severity in get_args(Severity)
    for text in (row.sentence, row.help):
        assert text.endswith(".")
        assert row.name == "fault" or text[0].isupper()


def test_no_name_means_two_things() -> None:
    assert len(CODES) == len(PROBLEMS) + len(FINDINGS)
    assert [row.name for row in DIAGNOSTICS] == list(get_args(DiagnosticCode))


# --- the documentation


def table(page: str, heading: str) -> list[list[str]]:
    """The cells of the first table behind a heading, code marks taken off."""
    lines = (DOCS / page).read_text(encoding="utf-8").partition(f"{heading}\n")[2].splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith("|"))
    end = next((number for number, line in enumerate(lines) if number > begin and not line.startswith("|")), None)
    rows = [[cell.strip().strip("`") for cell in line.strip("| ").split(" | ")] for line in lines[begin:end]]
    return rows[2:]


def test_the_docs_list_the_findings() -> None:
    listed = table("checking.md", "## Codes")
    assert [row[:2] for row in listed] == [[row.name, row.severity] for row in FINDINGS]
    for row, (*_, said) in zip(FINDINGS, listed, strict=True):
        assert said.startswith(row.sentence)


def test_the_docs_list_the_diagnostics() -> None:
    assert table("containers.md", "## What cannot be read") == [[row.name, row.sentence] for row in DIAGNOSTICS]


def test_each_problem_has_a_section() -> None:
    sections = re.findall(r"^## `(.+)`$", (DOCS / "problems.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(sections) == sorted(row.name for row in PROBLEMS)


def test_the_docs_list_the_formats_of_findings() -> None:
    assert table("checking.md", "## Reports") == [[row.name, row.summary] for row in OF_FINDINGS]
