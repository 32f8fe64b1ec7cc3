"""The values of a test are tried together: one item of pytest has all of them, and names each that fails.

An item costs more than most values do. A test is tried so if its arguments are values alone, without a fixture, if no
value is marked, and if it is neither a law nor one of growth, which have samples of their own (`examples.py`).
With `--apart`, with `-k`, or where a single `test_it[value]` is asked for, each value is an item.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import wraps
from itertools import product
from typing import Any

import pytest

from examples import is_of_growth, sample, step

OF_EVERY_TEST = frozenset({"request", "_interrupts", "_no_cache_from_before", "monkeypatch", "tmp_path_factory"})
"""Fixtures that every test has by `conftest.py`."""

CHOOSING = frozenset({"slow", "browser", "spark"})
"""Marks by which tests are chosen."""

MOST_SHOWN = 200
"""So many characters of the values that fail are in a message."""

Case = dict[str, Any]
"""A value for each argument."""

ParameterSet = type(pytest.param())


def are_apart(config: pytest.Config) -> bool:
    """Whether each value must be an item, since one of them may be asked for."""
    return bool(config.option.apart or config.option.keyword or any("[" in each for each in config.args))


def item_of_all(collector: object, name: str, function: object) -> pytest.Function | None:
    """The one item for all values of a test; None if they are tried apart."""
    if not (isinstance(collector, pytest.Module) and name.startswith("test_") and inspect.isfunction(function)):
        return None
    marks: list[pytest.Mark] = getattr(function, "pytestmark", [])
    cases = _cases([mark for mark in marks if mark.name == "parametrize"])
    if (
        not cases
        or cases[0].keys() != inspect.signature(function).parameters.keys()
        or any(mark.name not in CHOOSING | {"parametrize", "sampled"} for mark in marks)
        or is_of_growth(function)
        or hasattr(function, "hypothesis")
    ):
        return None
    loop = all_of(function, sample(cases, step(marks)))
    loop.__dict__["pytestmark"] = [mark for mark in marks if mark.name in CHOOSING]
    item: pytest.Function = pytest.Function.from_parent(collector, name=name, callobj=loop)
    return item if OF_EVERY_TEST.issuperset(item.fixturenames) else None


def _cases(tables: list[pytest.Mark]) -> list[Case]:
    """Each combination of the rows of all tables; none if there is more to them than values."""
    rows = [_rows(*table.args, **table.kwargs) for table in tables]
    return [{name: row[name] for row in chosen for name in row} for chosen in product(*rows)] if rows else []


def _rows(argnames: str | Collection[str], argvalues: Iterable[Any], ids: object = None, **more: object) -> list[Case]:
    """The rows of a table, from the arguments of `parametrize`."""
    if more or not isinstance(argvalues, Collection):  # what can be iterated once, pytest needs
        return []
    names = [name.strip() for name in argnames.split(",")] if isinstance(argnames, str) else list(argnames)
    rows: list[Case] = []
    for each in argvalues:
        if isinstance(each, ParameterSet):
            if each.marks:
                return []
            values = each.values
        else:
            values = (each,) if len(names) == 1 and isinstance(argnames, str) else each
        rows.append(dict(zip(names, values, strict=True)))
    return rows


def all_of(function: Callable[..., object], cases: Sequence[Case]) -> Callable[[], None]:
    """The test with all cases, one after the other."""

    @wraps(function)
    def loop() -> None:
        failures: list[BaseException] = []
        skipped: list[str] = []
        for case in cases:
            try:
                function(**case)
            except pytest.skip.Exception as error:
                skipped.append(str(error))
            except (Exception, pytest.fail.Exception) as error:
                error.add_note(_shown(case))
                failures.append(error)
        if len(failures) == 1:
            raise failures[0]
        if failures:
            listed = "\n".join(error.__notes__[-1] for error in failures)
            raise BaseExceptionGroup(f"{len(failures)} of {len(cases)} values fail:\n{listed}\n", failures)
        if skipped:
            pytest.skip(f"{len(skipped)} of {len(cases)} values: {'; '.join(sorted(set(skipped)))}")

    loop.__dict__["__signature__"] = inspect.Signature()  # not that of the function
    return loop


def _shown(case: Case) -> str:
    values = ", ".join(f"{name}={value!r}" for name, value in case.items())
    return f"with {values if len(values) <= MOST_SHOWN else values[:MOST_SHOWN] + '…'}"
