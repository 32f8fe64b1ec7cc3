"""A plugin of pytest that tries mutants: the tests are collected once, and each mutant has a process of its own.

`REHREF_MUTANTS` names a file: JSON, a list of mutants, each with its `number`, the `path` of its module, and the new
`code` of the module. For each, a line of JSON is written to the file beside it that ends in `.out`: `number`, and `by`,
the test that fails; "" if none does, and None if the mutant cannot be tried in this way.

- A first run without a mutant finds the functions of the modules that each test calls, and how long it takes.
- The tests that call the changed function run on the mutant, the fastest first, until one fails. Functions that no
  test calls, and code outside of functions, are tried in another way (`scripts/mutation.py`).
- The function's code is replaced in place: nothing is imported again.
- A test that takes more than `PROCESSOR_SECONDS` of processor time, or more than `MEMORY`, would not end: that also
  kills a mutant.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import pytest

PROCESSOR_SECONDS = 20
MEMORY = 2 << 30
_OF_A_FUNCTION = 1
"""CO_OPTIMIZED, a flag of code objects of functions, not of modules and classes."""

failed: list[str] = []
"""The tests that failed in this process."""


class Caller(NamedTuple):
    """A test, the functions that it calls (paths and qualified names), and how long it takes."""

    item: pytest.Item
    called: frozenset[tuple[str, str]]
    seconds: float


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Record a failed test."""
    if report.failed:
        failed.append(report.nodeid)


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Try the mutants instead of running the tests."""
    file = Path(os.environ["REHREF_MUTANTS"])
    mutants = json.loads(file.read_text(encoding="utf-8"))
    paths = frozenset(mutant["path"] for mutant in mutants)
    functions = [each for each in gc.get_objects() if type(each) is FunctionType and each.__code__.co_filename in paths]
    gc.freeze()  # processes share the memory that they do not change
    callers = _callers(session, paths)
    running: dict[int, tuple[int, int]] = {}
    with file.with_suffix(".out").open("w", encoding="utf-8") as out:
        for mutant in [*mutants, *[None] * (os.cpu_count() or 1)]:
            if running and (mutant is None or len(running) >= (os.cpu_count() or 1)):
                pid, _ = os.wait()
                number, reader = running.pop(pid)
                with os.fdopen(reader, encoding="utf-8") as pipe:
                    answer = pipe.read()
                by = json.loads(answer) if answer else "a limit of its process"
                out.write(json.dumps({"number": number, "by": by}) + "\n")
                out.flush()
            if mutant is not None:
                pid, reader = _forked(lambda mutant=mutant: _tried(session, mutant, functions, callers))
                running[pid] = (mutant["number"], reader)
    return True


def _forked(run: Callable[[], object]) -> tuple[int, int]:
    """Run a function in a separate process: the process, and the file with its result, as JSON."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        return pid, reader
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.write(writer, json.dumps(run()).encode())
    os._exit(0)


def _callers(session: pytest.Session, paths: frozenset[str]) -> list[Caller]:
    """The tests that pass and call functions of the modules, the quickest first."""
    file = Path(os.environ["REHREF_MUTANTS"]).with_suffix(".calls")

    def run() -> None:
        found = [_calls(item, following, paths) for item, following in _in_order(session.items)]
        file.write_text(json.dumps(found), encoding="utf-8")

    pid, reader = _forked(run)
    os.waitpid(pid, 0)
    os.close(reader)
    found = []
    for item, (called, seconds, fails) in zip(session.items, json.loads(file.read_bytes()), strict=True):
        if fails:
            sys.stderr.write(f"without any mutant, {item.nodeid} fails\n")
        elif called:
            found.append(Caller(item, frozenset((path, name) for path, name in called), seconds))
    return sorted(found, key=lambda caller: caller.seconds)


def _calls(item: pytest.Item, following: pytest.Item | None, paths: frozenset[str]) -> tuple[list[Any], float, bool]:
    """The functions that a test calls, how long it takes, and whether it fails."""
    called: set[tuple[str, str]] = set()

    def note(frame: Any, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename in paths:
            called.add((frame.f_code.co_filename, frame.f_code.co_qualname))

    began = time.process_time()
    sys.setprofile(note)
    try:
        fails = _fails(item, following)
    finally:
        sys.setprofile(None)
    return sorted(called), time.process_time() - began, fails


def _in_order(items: list[pytest.Item]) -> zip[tuple[pytest.Item, pytest.Item | None]]:
    return zip(items, [*items[1:], None], strict=True)


def _fails(item: pytest.Item, following: pytest.Item | None) -> bool:
    """Run a test. `following`: the next one, whose fixtures may be kept."""
    before = len(failed)
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    return len(failed) > before


def _tried(
    session: pytest.Session, mutant: dict[str, Any], functions: list[FunctionType], callers: list[Caller]
) -> str | None:
    """The test that a mutant fails."""
    path = mutant["path"]
    changed = changes(path, mutant["code"])
    items = [caller.item for caller in callers if any((path, name) in caller.called for name in changed)]
    if not items or not _put_in_place(functions, path, changed):
        return None
    for item, following in _in_order(items):
        used = int(time.process_time())
        resource.setrlimit(resource.RLIMIT_CPU, (used + PROCESSOR_SECONDS, resource.RLIM_INFINITY))
        if _fails(item, following):
            return item.nodeid
    return ""


def _put_in_place(functions: list[FunctionType], path: str, changed: dict[str, CodeType]) -> bool:
    """Replace the code of functions by the mutant's; whether that is possible."""
    mine = [each for each in functions if each.__code__.co_filename == path and each.__code__.co_qualname in changed]
    for each in mine:
        new = changed[each.__code__.co_qualname]
        if new.co_freevars != each.__code__.co_freevars:
            return False
        each.__code__ = new
    return {each.__code__.co_qualname for each in mine} == set(changed)


def changes(path: str, code: str) -> dict[str, CodeType]:
    """The changed functions of a module; an empty result if the mutant changes code around them."""
    with warnings.catch_warnings(action="ignore"):
        old = compile(Path(path).read_bytes(), path, "exec", dont_inherit=True)
        new = compile(code, path, "exec", dont_inherit=True)
    try:
        return _differing(old, new)
    except ValueError:
        return {}


def _differing(old: CodeType, new: CodeType) -> dict[str, CodeType]:
    """The same, within a module or a class. Raises ValueError if the code of that itself changes."""
    found: dict[str, CodeType] = {}
    if _around(old) != _around(new):
        raise ValueError
    for one, other in zip(_within(old), _within(new), strict=True):
        if one != other and one.co_flags & _OF_A_FUNCTION:
            found[other.co_qualname] = other
        elif one != other:
            found |= _differing(one, other)
    return found


def _within(code: CodeType) -> list[CodeType]:
    return [value for value in code.co_consts if isinstance(value, CodeType)]


def _around(code: CodeType) -> tuple[object, ...]:
    others = [repr(value) for value in code.co_consts if not isinstance(value, CodeType)]
    return code.co_code, others, code.co_names
