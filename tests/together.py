"""The values of a test are tried together: one item of pytest has all of them, and names each that fails.

An item costs more than most values do. A test is tried so if no value is marked, if it is neither a law nor one of
growth, which have samples of their own (`examples.py`), and if all values may have the same fixtures: those of a module
or of more. Of `tmp_path`, `monkeypatch` and `capsys`, each value has its own. With `--apart`, with `-k`, or where a
single `test_it[value]` is asked for, each value is an item.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from examples import is_of_growth, sample, step

OF_EVERY_TEST = frozenset({"request", "_no_cache_from_before", "_elsewhere"})
"""Fixtures that every test has by a `conftest.py`."""

OF_EACH_VALUE = frozenset({"tmp_path", "monkeypatch", "capsys"})
"""Fixtures that are made anew for each value."""

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
        or any(mark.name not in CHOOSING | {"parametrize", "sampled"} for mark in marks)
        or is_of_growth(function)
        or hasattr(function, "hypothesis")
    ):
        return None

    def made(fixtures: Iterable[str]) -> pytest.Function:
        loop = all_of(function, sample(cases, step(marks)), fixtures)
        loop.__dict__["pytestmark"] = [mark for mark in marks if mark.name in CHOOSING]
        item: pytest.Function = pytest.Function.from_parent(collector, name=name, callobj=loop)
        return item

    parameters = inspect.signature(function).parameters.values()
    fixtures = {each.name for each in parameters if each.default is each.empty} - cases[0].keys()
    item = made(fixtures)
    if not all(_is_for_all(item, each) for each in item.fixturenames):
        return None
    return made({*fixtures, "tmp_path"}) if "tmp_path" in item.fixturenames else item


def _is_for_all(item: pytest.Function, fixture: str) -> bool:
    """Whether all values of a test may have a fixture."""
    made = item._fixtureinfo.name2fixturedefs.get(fixture, ())
    is_wide = bool(made) and all(each.scope != "function" and each.params is None for each in made)
    return is_wide or fixture in OF_EVERY_TEST | OF_EACH_VALUE


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


def all_of(function: Callable[..., object], cases: Sequence[Case], fixtures: Iterable[str] = ()) -> Callable[..., None]:
    """The test with all cases, one after the other."""
    wanted = inspect.signature(function).parameters.keys()

    @wraps(function)
    def loop(**shared: Any) -> None:
        failures: list[BaseException] = []
        skipped: list[str] = []
        for number, case in enumerate(cases):
            try:
                with _own(shared, number) as given:
                    function(**case, **{name: given[name] for name in given if name in wanted})
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

    parameters = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in sorted(fixtures)]
    loop.__dict__["__signature__"] = inspect.Signature(parameters)  # not that of the function
    return loop


@contextmanager
def _own(shared: dict[str, Any], number: int) -> Iterator[dict[str, Any]]:
    """The fixtures of a value: a folder of its own, in which it is if the test is in that of all."""
    given = dict(shared)
    with pytest.MonkeyPatch.context() as monkeypatch:
        if "monkeypatch" in given:
            given["monkeypatch"] = monkeypatch
        if "tmp_path" in given:
            given["tmp_path"] = shared["tmp_path"] / str(number)
            given["tmp_path"].mkdir()
            if Path.cwd() == shared["tmp_path"]:
                monkeypatch.chdir(given["tmp_path"])
        if "capsys" in given:
            given["capsys"].readouterr()
        yield given


def _shown(case: Case) -> str:
    values = ", ".join(f"{name}={value!r}" for name, value in case.items())
    return f"with {values if len(values) <= MOST_SHOWN else values[:MOST_SHOWN] + '…'}"
