"""Which codes are reported, and how severe (site/_checks/all_checks.py)."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

import rehref
from rehref.site._checks.all_checks import CHECKS, ON_REQUEST, Check, UnknownCodeError, severities
from rehref.site.check_options import ROWS
from rehref.site.codes import CODES, FINDINGS, GROUPS, PROBLEMS


def test_by_default_everything_is_as_the_table_has_it() -> None:
    assert severities() == {row.name: row.severity for row in (*PROBLEMS, *FINDINGS) if not row.on_request}


def test_what_is_selected_is_all_there_is() -> None:
    assert severities(["missing-file"]) == {"missing-file": "error"}
    assert set(severities(["base"])) == {name for name in CODES if name.startswith("base-")}
    assert set(severities(["default", "all"])) == set(CODES)


def test_what_is_ignored_goes() -> None:
    assert set(severities()) - set(severities(ignore=["missing-file", "base"])) == {
        "missing-file",
        *GROUPS["base"].codes,
    }
    assert severities(ignore=["all"]) == {}


def test_the_closer_name_counts() -> None:
    assert set(severities(["orphan"], ignore=["warnings"])) == {"orphan"}
    assert set(severities(["base"], ignore=["all"])) == set(GROUPS["base"].codes)
    assert set(severities(["base"], ignore=["base-late"])) == set(GROUPS["base"].codes) - {"base-late"}
    assert set(severities(["base-late"], ignore=["base"])) == {"base-late"}
    assert severities(["base"], ignore=["base"]) == severities(["orphan"], ignore=["orphan"]) == {}


def test_severities_can_be_others() -> None:
    found = severities(error=["orphan"], warn=["missing-file"])
    assert (found["orphan"], found["missing-file"], found["missing-index"]) == ("error", "warning", "error")
    assert set(severities(error=["warnings"]).values()) == {"error", "info"}
    found = severities(error=["base"], warn=["all", "base-late"])
    assert (found["base-in-body"], found["base-late"], found["missing-file"]) == ("error", "warning", "warning")
    assert severities(error=["orphan"], warn=["orphan"])["orphan"] == "error"


def test_what_is_named_as_an_error_is_selected() -> None:
    assert severities(["base-late"], error=["orphan"]) == {"base-late": "warning", "orphan": "error"}
    assert severities(["base-late"], error=["warnings"]) == {"base-late": "error"}
    assert severities(["base-late"], warn=["base"], ignore=["base"]) == {"base-late": "warning"}


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("mising-file", "there is no code 'mising-file'; did you mean missing-file?"),
        ("warning", "there is no code 'warning'; did you mean warnings?"),
        ("zzzzzz", "there is no code 'zzzzzz'; rehref explain lists them"),
    ],
)
def test_unknown_names(name: str, says: str) -> None:
    for names in ([name], ["all", name]):
        with pytest.raises(UnknownCodeError) as raised:
            severities(ignore=names)
        assert str(raised.value) == says


def test_groups() -> None:
    assert not set(GROUPS) & set(CODES)
    assert all(group.codes and set(group.codes) <= set(CODES) for group in GROUPS.values())
    assert [group.name for group in GROUPS.values()] == [*GROUPS]


def test_what_is_on_request_has_a_check_that_is() -> None:
    of_checks = [code for check in CHECKS for code in check.codes]
    assert sorted(of_checks) == sorted(row.name for row in CODES.values() if row.on_request)
    assert all(check.codes for check in ON_REQUEST)


ROOM = Path(rehref.__file__).parent / "site" / "_checks"


def imported(module: ast.Module) -> set[str]:
    """The names of the modules that a module imports from."""
    nodes = ast.walk(module)
    return {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)} | {
        alias.name for node in ast.walk(module) if isinstance(node, ast.Import) for alias in node.names
    }


def test_every_module_of_the_room_is_a_check_in_the_list() -> None:
    modules = {path.stem for path in ROOM.glob("*.py")} - {"__init__", "all_checks"}
    assert modules == {check.name for check in CHECKS}


def test_every_check_that_is_made_on_request_has_an_option() -> None:
    assert {check.name for check in ON_REQUEST} <= ROWS.keys()


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_a_check_has_the_two_functions_and_knows_no_other_one(check: Check) -> None:
    assert list(inspect.signature(check.findings).parameters) == ["context", "table", "facts"]
    if check.collects:
        assert list(inspect.signature(check.collect).parameters) == ["read"]
    known = imported(ast.parse((ROOM / f"{check.name}.py").read_bytes()))
    assert not any(name.startswith("rehref.site._checks") for name in known)
