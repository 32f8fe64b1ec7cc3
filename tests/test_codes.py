"""The table of codes: what the source uses is in it, what is in it is used, and the documentation says the same."""

from __future__ import annotations

import ast
import re
import runpy
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple, get_args

import pytest

from rehref.containers.parts import DiagnosticCode
from rehref.site.codes import CODES, COMPARED, DIAGNOSTICS, FINDINGS, LINT, PROBLEMS, WEB, Code, Severity

ROOT = Path(__file__).resolve().parents[1]

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


class Written(NamedTuple):
    """What is written in a module: calls by name, and texts."""

    calls: list[ast.Call]
    texts: set[str]


@cache
def modules() -> dict[str, Written]:
    """All modules but the table itself, by their paths."""
    source = ROOT / "src" / "rehref"
    found = {}
    for path in source.rglob("*.py"):
        if path.name in ("codes.py", "of_problems.py", "on_request.py"):
            continue
        written = found[path.relative_to(source).as_posix()] = Written([], set())
        for node in ast.walk(ast.parse(path.read_bytes())):
            match node:
                case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in CALLS or node.keywords:
                    written.calls.append(node)
                case ast.Constant(value=str(text)):
                    written.texts.add(text)
    return found


def codes_in(module: Written) -> Iterator[tuple[str, str]]:
    """The codes that are written in calls of a module, with what is called."""
    for call in module.calls:
        assert isinstance(call.func, ast.Name | ast.Attribute)
        name = call.func.id if isinstance(call.func, ast.Name) else call.func.attr
        at = CALLS.get(name, len(call.args))
        given = [*call.args[at : at + 1], *(each.value for each in call.keywords if each.arg == "code")]
        for each in given:
            if isinstance(each, ast.Constant) and each.value != "":
                yield name, each.value


def test_every_code_that_is_used_has_a_row() -> None:
    of_diagnostics = {row.name for row in DIAGNOSTICS}
    found = [(path, *each) for path, module in modules().items() for each in codes_in(module)]
    assert len(found) > 60
    for path, called, code in found:
        rows = (
            of_diagnostics
            if called in ("Diagnostic", "Fault")
            else {*CODES}
            if called in CALLS
            else of_diagnostics | {*CODES}
        )
        assert code in rows, f"{path}: {called} has the code {code!r}, which rehref/site/codes.py does not list"


@cache
def texts() -> frozenset[str]:
    """All texts in the modules."""
    return frozenset().union(*(module.texts for module in modules().values()))


@pytest.mark.parametrize(
    "row", [*PROBLEMS, *FINDINGS, *LINT, *WEB, *COMPARED, *DIAGNOSTICS], ids=lambda row: str(row.name)
)
def test_every_row_is_used_and_says_all(row: Code) -> None:
    assert row.name in texts()
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", row.name)
    assert row.severity in get_args(Severity)
    for text in (row.sentence, row.help):
        assert text.endswith(".")
        assert row.name == "fault" or text[0].isupper()


def test_findings_are_made_by_name() -> None:
    calls = (
        (path, call)
        for path, module in modules().items()
        for call in module.calls
        if isinstance(call.func, ast.Name) and call.func.id == "Finding"
    )
    by_place = [f"{path}:{call.lineno}" for path, call in calls if call.args]
    assert by_place == []


def test_no_name_means_two_things() -> None:
    assert len(CODES) == len(PROBLEMS) + len(FINDINGS) + len(LINT) + len(WEB) + len(COMPARED)
    assert [row.name for row in DIAGNOSTICS] == list(get_args(DiagnosticCode))


# --- the documentation


def test_the_lists_of_the_docs_are_up_to_date(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    lists = runpy.run_path(str(ROOT / "scripts" / "lists.py"))
    assert lists["main"](["--check"]) == 0, capsys.readouterr().err
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md"))
    assert all(
        f"<!-- list: {name}, written by scripts/lists -->\n{text}" in pages for name, text in lists["LISTS"].items()
    )


def test_each_problem_has_a_section() -> None:
    sections = re.findall(r"^## `(.+)`$", (ROOT / "docs" / "problems.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(sections) == sorted(row.name for row in PROBLEMS)
