"""The one protocol of checks (site/_checks/all_checks.py)."""

from __future__ import annotations

import ast
import inspect
import pickle
import random
from pathlib import Path

import pytest

import rehref
from checked.contexts import host_named
from rehref.site import _checking as run
from rehref.site import _reading_pages as reading_pages
from rehref.site._checks.all_checks import CHECKS, chosen
from rehref.site._pages.site_tables import SiteTable
from rehref.site._reading_pages import PageReader
from rehref.site.check_options import ROWS, CheckOptions
from rehref.site.site import Site

ROOM = Path(rehref.__file__).parent / "site" / "_checks"
SITES = sorted(path for path in (Path(__file__).resolve().parents[2] / "fixtures" / "sites").glob("*/site"))
EVERYTHING = CheckOptions(jobs=1, host=host_named("netlify"), site_url="https://example.org/", select=("all",))


def imported(module: ast.Module) -> set[str]:
    """The names of the modules that a module imports from."""
    nodes = ast.walk(module)
    return {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)} | {
        alias.name for node in ast.walk(module) if isinstance(node, ast.Import) for alias in node.names
    }


@pytest.mark.parametrize("module", [reading_pages, run], ids=lambda module: module.__name__)
def test_who_reads_and_who_runs_know_no_check_by_name(module: object) -> None:
    tree = ast.parse(inspect.getsource(module))  # type: ignore[arg-type]
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
