"""The tests can fail: each asserts something, or says by its name that nothing is raised; and none asserts a time."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
FILES = sorted(TESTS.rglob("*.py"))
RAISES_NOTHING = re.compile("never_fails|nothing_(is_raised|raises|aborts)|(is_)?(too_odd|no_error)")
"""Names of tests that need no assertion: to come to the end is what they ask for."""
CLOCKS = frozenset({"monotonic", "perf_counter", "process_time", "thread_time", "time", "time_ns", "perf_counter_ns"})
MEASURES = frozenset({"growth.py", "fuzz.py"})
"""What compares times with each other, and what runs for so many seconds."""


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes())


def name(path: Path) -> str:
    return path.relative_to(TESTS).as_posix()


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    yield from (node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef))


def called(node: ast.AST) -> set[str]:
    """The names of what is called, without what they belong to."""
    found = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
    names = {each.id for each in found if isinstance(each, ast.Name)}
    return names | {each.attr for each in found if isinstance(each, ast.Attribute)}


def asserts(node: ast.AST) -> bool:
    return any(isinstance(each, ast.Assert) for each in ast.walk(node))


@cache
def asserting() -> frozenset[str]:
    """The names of functions that assert something, or call one that does."""
    calls = {each.name: called(each) for path in FILES for each in functions(path) if not each.name.startswith("test_")}
    found = {each.name for path in FILES for each in functions(path) if asserts(each)} | {"raises", "fail", "warns"}
    while more := {each for each, inner in calls.items() if not inner.isdisjoint(found)} - found:
        found |= more
    return frozenset(found)


@pytest.mark.parametrize("path", [path for path in FILES if path.name.startswith("test_")], ids=name)
def test_each_test_asserts_something(path: Path) -> None:
    tests = [each for each in functions(path) if each.name.startswith("test_") and not RAISES_NOTHING.search(each.name)]
    assert [each.name for each in tests if not asserts(each) and called(each).isdisjoint(asserting())] == []


@pytest.mark.parametrize("path", FILES, ids=name)
def test_no_test_looks_at_a_clock_or_ends_what_is_slow(path: Path) -> None:
    if path.name in MEASURES:
        return
    of_time = [each for each in ast.walk(tree(path)) if isinstance(each, ast.Attribute) and each.attr in CLOCKS]
    assert [each.lineno for each in of_time if isinstance(each.value, ast.Name) and each.value.id == "time"] == []
    limits = [each for each in ast.walk(tree(path)) if isinstance(each, ast.keyword) and each.arg == "timeout"]
    assert [each.value.lineno for each in limits if isinstance(each.value, ast.Constant)] == []  # it is PATIENCE


def test_what_cannot_fail_would_be_noticed() -> None:
    assert asserts(ast.parse("def test():\n    assert x"))
    assert not asserts(ast.parse("def test():\n    check(x)"))
    assert called(ast.parse("a.b(c(d))")) == {"b", "c"}
    assert {"assert_proportional", "raises"} <= asserting()


def test_what_is_listed_as_an_equivalent_mutant_stands_in_the_source() -> None:
    lines = [line.split("\t") for line in (TESTS / "equivalent_mutants.txt").read_text(encoding="utf-8").splitlines()]
    listed = [line for line in lines if not line[0].startswith("#")]
    assert listed
    for module, where, old, new, reason in listed:
        source = (TESTS.parent / "src/rehref" / module).read_text(encoding="utf-8")
        assert where.startswith("- ") or f"def {where.split()[0]}(" in source, where
        assert source.count(old) >= int(where.split()[1]), old
        assert new != old
        assert reason
