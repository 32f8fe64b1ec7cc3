"""`rehref parsers`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint, entry_points

import pytest
from click.testing import Result

from rehref._native import HOW, TWIN
from rehref.parsers import registry

Run = Callable[..., Result]


def test_every_core_is_listed_with_what_it_is(run: Run) -> None:
    result = run("parsers")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("source ")
    assert {"lxml", "html5lib"} <= {line.split()[0] for line in lines}
    assert all(len(line.split()) > 3 for line in lines)
    assert [(f"(default, {HOW})" in line) for line in lines] == [True] + [False] * (len(lines) - 1)


def test_json(run: Run) -> None:
    found = {each["name"]: each for each in json.loads(run("parsers", "--format", "json").stdout)}
    assert found["source"]["default"] is True
    assert found["source"]["compiled"] is (TWIN is not None)
    assert found["lxml"]["default"] is False
    assert found["lxml"]["compiled"] is None
    assert found["lxml"]["summary"]
    assert found["lxml"]["error"] is None


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Plug-ins that do not work are installed."""

    def with_broken(*, group: str) -> list[EntryPoint]:
        return [
            *entry_points(group=group),
            EntryPoint("absent", "no_such_module:CORE", group),
            EntryPoint("hollow", "builtins:object", group),
        ]

    registry._registered.cache_clear()
    registry.core.cache_clear()
    monkeypatch.setattr("importlib.metadata.entry_points", with_broken)
    yield
    registry._registered.cache_clear()
    registry.core.cache_clear()


@pytest.mark.usefixtures("broken")
def test_a_broken_plug_in_is_listed_with_its_error(run: Run) -> None:
    result = run("parsers")
    assert result.exit_code == 0
    lines = {line.split()[0]: line for line in result.stdout.splitlines()}
    assert "broken: " in lines["absent"]
    assert "No module named 'no_such_module'" in lines["absent"]
    assert "broken: " in lines["hollow"]
    assert "broken" not in lines["source"]
    found = {each["name"]: each for each in json.loads(run("parsers", "--format", "json").stdout)}
    assert found["absent"]["summary"] is None
    assert "no_such_module" in found["absent"]["error"]


@pytest.mark.usefixtures("broken")
def test_a_broken_plug_in_cannot_be_used(run: Run) -> None:
    result = run("links", "--parser", "absent", "-", input=b"")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert "no_such_module" in result.stderr
