"""Which codes are reported, how severe, and the one protocol of checks (site/_checks/all_checks.py)."""

from __future__ import annotations

import ast
import inspect
import pickle
import random
from pathlib import Path

import pytest

import rehref
from checked.contexts import host_named
from rehref.site._checks.all_checks import CHECKS, ON_REQUEST, Check, UnknownCodeError, chosen, severities
from rehref.site._pages.site_tables import SiteTable
from rehref.site._reading_pages import PageReader
from rehref.site.check_options import ROWS, CheckOptions
from rehref.site.codes import CODES, FINDINGS, GROUPS, PROBLEMS
from rehref.site.site import Site


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


SITES = sorted(path for path in (Path(__file__).resolve().parents[2] / "fixtures" / "sites").glob("*/site"))


EVERYTHING = CheckOptions(jobs=1, host=host_named("netlify"), site_url="https://example.org/", select=("all",))


@pytest.mark.parametrize("module", ["_reading_pages.py", "_checking.py"])
def test_who_reads_and_who_runs_know_no_check_by_name(module: str) -> None:
    tree = ast.parse((ROOM.parent / module).read_bytes())
    assert {name for name in imported(tree) if name.startswith("rehref.site._checks")} <= {
        "rehref.site._checks.all_checks"
    }
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert texts.isdisjoint(check.name for check in CHECKS)


def found(context: Site, chunks: list[list[str]]) -> dict[str, list[str]]:
    """What each check finds, if documents are read in these chunks, whose tables are pickled on their way."""
    table = SiteTable()
    for paths in chunks:
        table.merge(pickle.loads(pickle.dumps(PageReader.of(context)(paths))))
    return {
        check.name: sorted(map(str, check.findings(context, table, table.facts.get(check.name, {}))))
        for check in chosen(context.options)
    }


@pytest.mark.parametrize("site", SITES, ids=lambda site: site.parent.name)
def test_facts_can_be_pickled_and_come_in_any_order(site: Path) -> None:
    context = Site.of(site, EVERYTHING)
    documents = list(context.scope.checked)
    once = found(context, [documents])
    random.Random(0).shuffle(documents)
    assert found(context, [[path] for path in documents]) == once
    assert {check.name for check in CHECKS if not check.asks_servers} == set(once)
    assert found(context._replace(options=context.options._replace(jobs=2)), [documents[::2], documents[1::2]]) == once


def test_these_sites_have_something_to_find() -> None:
    assert len(SITES) > 10
    contexts = [Site.of(site, EVERYTHING) for site in SITES]
    by_check = [found(context, [list(context.scope.checked)]) for context in contexts]
    assert {name for each in by_check for name, findings in each.items() if findings} >= {"links", "orphans", "sitemap"}


def test_no_code_asks_for_the_name_of_a_host() -> None:
    source = ROOM.parents[1]
    asked = [
        f"{path.relative_to(source).as_posix()}:{node.lineno}"
        for path in source.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Compare)
        and any(
            isinstance(side, ast.Constant) and side.value in ROWS["host"].choices
            for side in (node.left, *node.comparators)
        )
        and any(isinstance(side, ast.Attribute) and side.attr == "name" for side in (node.left, *node.comparators))
    ]
    assert asked == []
