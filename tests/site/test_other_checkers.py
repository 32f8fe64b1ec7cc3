"""What html-proofer and htmltest say of their cases, rehref says too, or the case says why not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from checked.other_checkers import CHECKERS, Case, cases
from rehref.cli.program import program

ALL = [case for checker in CHECKERS for case in cases(checker)]


def found(case: Case, folder: Path) -> tuple[str, ...]:
    """The codes of the errors and warnings that `rehref check` finds in a case, each once."""
    case.write(folder)
    arguments = ["check", str(folder), "--format", "json", "--allow-empty", "-j", "1", *case.options]
    result = CliRunner().invoke(program, arguments, catch_exceptions=False)
    assert result.exit_code in (0, 1), result.stderr
    problems = json.loads(result.stdout)["problems"]
    return tuple(sorted({each["code"] for each in problems if each["severity"] != "info"}))


@pytest.mark.parametrize("case", ALL, ids=[f"{case.checker}: {case.says}" for case in ALL])
def test_what_is_found(case: Case, tmp_path: Path) -> None:
    assert found(case, tmp_path / "site") == case.found


@pytest.mark.parametrize("checker", CHECKERS)
def test_where_verdicts_differ_the_case_says_why(checker: str) -> None:
    unexplained = [case.says for case in cases(checker) if not case.agrees and case.why is None]
    needless = [case.says for case in cases(checker) if case.agrees and case.why is not None]
    assert (unexplained, needless) == ([], [])


@pytest.mark.parametrize("checker", CHECKERS)
def test_no_case_is_there_twice(checker: str) -> None:
    seen = [case.says for case in cases(checker)]
    assert len(seen) == len(set(seen))
