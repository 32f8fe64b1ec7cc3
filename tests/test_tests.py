"""The tests themselves: each asserts something, and none looks at a clock; what measures growth and samples."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from examples import ALL, examples, outside_the_sample
from growth import assert_proportional, work

TESTS = Path(__file__).resolve().parent
FILES = sorted(TESTS.rglob("*.py"))
RAISES_NOTHING = re.compile("never_fails|nothing_(is_raised|raises|aborts)|(is_)?(too_odd|no_error)")
"""Names of tests that need no assertion: to come to the end is what they ask for."""
CLOCKS = frozenset({"monotonic", "perf_counter", "process_time", "thread_time", "time", "time_ns", "perf_counter_ns"})
MEASURES = frozenset({"growth.py", "fuzz.py"})
"""What compares times with each other, and what runs for so many seconds."""


class Function(NamedTuple):
    """A function of the tests: its name, whether it asserts something itself, and the names of what it calls."""

    name: str
    asserts: bool
    called: frozenset[str]


class File(NamedTuple):
    """What a file has: its functions, the lines that look at a clock, and those that end what takes so many seconds."""

    name: str
    functions: list[Function]
    clocks: list[int]
    limits: list[int]


def asserts(node: ast.AST) -> bool:
    return any(isinstance(each, ast.Assert) for each in ast.walk(node))


def called(node: ast.AST) -> set[str]:
    """The names of what is called, without what they belong to."""
    found = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
    names = {each.id for each in found if isinstance(each, ast.Name)}
    return names | {each.attr for each in found if isinstance(each, ast.Attribute)}


def read(name: str, source: bytes) -> File:
    file = File(name, [], [], [])
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.FunctionDef():
                file.functions.append(Function(node.name, asserts(node), frozenset(called(node))))
            case ast.Attribute(value=ast.Name(id="time"), attr=attribute) if attribute in CLOCKS:
                file.clocks.append(node.lineno)
            case ast.keyword(arg="timeout", value=ast.Constant()):
                file.limits.append(node.lineno)
    return file


@cache
def files() -> list[File]:
    return [read(path.relative_to(TESTS).as_posix(), path.read_bytes()) for path in FILES]


@cache
def asserting() -> frozenset[str]:
    """The names of functions that assert something, or call one that does."""
    functions = [each for file in files() for each in file.functions]
    calls = {each.name: each.called for each in functions if not each.name.startswith("test_")}
    found = {each.name for each in functions if each.asserts} | {"raises", "fail", "warns"}
    while more := {each for each, inner in calls.items() if not inner.isdisjoint(found)} - found:
        found |= more
    return frozenset(found)


def test_each_test_asserts_something() -> None:
    tests = [
        (file.name, each)
        for file in files()
        if Path(file.name).name.startswith("test_")
        for each in file.functions
        if each.name.startswith("test_") and not RAISES_NOTHING.search(each.name)
    ]
    assert len(tests) > 3000
    assert [(name, each.name) for name, each in tests if not each.asserts and each.called.isdisjoint(asserting())] == []


def test_no_test_looks_at_a_clock_or_ends_what_is_slow() -> None:
    read = [file for file in files() if Path(file.name).name not in MEASURES]
    assert [(file.name, file.clocks) for file in read if file.clocks] == []
    assert [(file.name, file.limits) for file in read if file.limits] == []  # it is PATIENCE


def test_what_cannot_fail_would_be_noticed() -> None:
    file = read("test_it.py", b"def test():\n    began = time.monotonic()\n    run(\n        timeout=5)\n")
    assert file == File("test_it.py", [Function("test", False, frozenset({"monotonic", "run"}))], [2], [4])
    assert read("test_it.py", b"run(timeout=PATIENCE)").limits == []
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


def test_linear_is_in_proportion() -> None:
    assert_proportional(lambda n: lambda: sum(range(n)), 20_000)


def test_quadratic_is_not() -> None:
    with pytest.raises(AssertionError, match="8 times as much"):
        assert_proportional(lambda n: lambda: [sum(range(n)) for _ in range(n)], 200)


def test_work_is_relative() -> None:
    assert 2 < work(lambda: sum(range(100_000))) < 50


@dataclass
class Item:
    """Stands for an item that pytest has collected."""

    nodeid: str
    function: Callable[..., object]
    marks: tuple[pytest.MarkDecorator, ...] = ()

    def iter_markers(self) -> Iterator[pytest.Mark]:
        return (each.mark for each in self.marks)


def of_growth(prepare: Any) -> None:
    assert_proportional(prepare, 2000)


def outside(name: str, values: int, *more: Any) -> list[str]:
    items: Any = [Item(f"{name}[{value}]", *more) for value in range(values)]
    return [item.nodeid for item in outside_the_sample(items)]


def test_of_a_sampled_test_every_nth_value_is_tried() -> None:
    assert outside("a", 7, len, (pytest.mark.sampled(3),)) == ["a[1]", "a[2]", "a[4]", "a[5]"]
    assert outside("a", 7, len, (pytest.mark.slow,)) == []


def test_of_a_test_of_growth_the_first_value_is_tried() -> None:
    assert outside("a", 3, of_growth) == ["a[1]", "a[2]"]
    assert outside("a", 3, of_growth, (pytest.mark.sampled(2),)) == ["a[1]", "a[2]"]


def test_each_test_has_a_sample_of_its_own() -> None:
    items: Any = [Item(name, of_growth) for name in ("a[x]", "b[x]", "a[y]", "b", "c")]
    assert [item.nodeid for item in outside_the_sample(items)] == ["a[y]", "b"]


def test_a_law_has_a_quarter_of_its_examples() -> None:
    assert examples(100) == (100 if ALL else 25)
