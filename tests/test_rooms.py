"""Rooms with doors: how many there are, and what crosses the walls."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
MOST_ROOMS = 14
MOST_DOORS = 7

UP_TO_THE_WAIST = 60
"""Names of `documents` and below that are used above it, at most."""

OF_SITE = 30
"""Names of `site` that plugins use, at most."""

IN_TESTS = 72
"""Imports of private modules by tests, but for a test that has the name of the module in the folder of its room.

Those that stay up to `web`: what is compared with the module that it must agree with (the twin and its reference, the
scan and tree construction), and what is made of a value of a neighbour (facts, a zip that was opened).
Of `site`: values that one module makes and the next one reads (tables of a reading, folded text), and what is counted
in a neighbour. Of `plugins` and `cli`: the server in a thread, what runs on workers of Spark, and a size that is
lowered.
"""

OF_OTHER_ROOMS_IN_TESTS = 18
"""Those of them that are of another room than that of the folder in which the test is.

They take the tables of attributes, to make documents of them and to ask Chromium for them, and parts of the reference,
to compare the twin with each.
"""


@pytest.fixture(scope="module")
def house() -> ModuleType:
    spec = importlib.util.spec_from_file_location("house", ROOT / "scripts" / "house.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["house"] = module
    spec.loader.exec_module(module)
    return module


def test_there_are_few_rooms_with_few_doors(house: ModuleType) -> None:
    rooms = house.rooms()
    assert len(rooms) <= MOST_ROOMS
    plugins = rooms.pop("plugins")
    assert {room: doors for room, doors in rooms.items() if len(doors) > MOST_DOORS} == {}
    folders = {door.partition(".")[0] for door in plugins}
    assert all(sum(door.startswith(f"{folder}.") for door in plugins) <= MOST_DOORS for folder in folders)


def test_no_room_imports_what_is_behind_the_doors_of_another(house: ModuleType) -> None:
    assert house.through_walls() == set()


def test_few_names_cross_the_walls(house: ModuleType) -> None:
    assert len(house.waist()) <= UP_TO_THE_WAIST, sorted(house.waist())
    assert len(house.names_of_site()) <= OF_SITE, sorted(house.names_of_site())


def test_tests_use_doors(house: ModuleType) -> None:
    """What only doors can do stays as true when the modules behind them change."""
    tests = ROOT / "tests"
    used = {(path.relative_to(tests), module) for path in tests.rglob("*.py") for module, _ in house.used_in(path)}
    private = {(path, module) for path, module in used if module.startswith("rehref.") and house.is_private(module)}
    beside = {
        (path, module)
        for path, module in private
        if path.parts[0] == house.room_of(module)
        and path.stem.removeprefix("test_") == module.rpartition(".")[2].removeprefix("_")
    }
    assert len(private - beside) == IN_TESTS, "if it has fallen, write it down here"
    elsewhere = {(path, module) for path, module in private if path.parts[0] != house.room_of(module)}
    assert len(elsewhere) == OF_OTHER_ROOMS_IN_TESTS, "if it has fallen, write it down here"


def test_a_private_module_is_known_by_its_path(house: ModuleType) -> None:
    assert house.is_private("rehref.uri._rfc3986")
    assert house.is_private("rehref.site._hosts.formats.htaccess")
    assert not house.is_private("rehref.uri.components")
    assert not house.is_private("rehref._native")
    assert not house.is_private("rehref.plugins.spark.__main__")
    assert house.room_of("rehref.site._hosts.formats.htaccess") == "site"
    assert house.room_of("rehref.api") == ""


ABOUT_THE_CODE = ("adding", "adding-checks", "architecture", "cores", "rooms", "testing", "twin")
DECISIONS = sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("decisions-*.md"))


@pytest.mark.parametrize("page", [*(f"docs/{name}.md" for name in ABOUT_THE_CODE), *DECISIONS, "CONTRIBUTING.md"])
def test_every_module_that_a_page_names_is_there(page: str) -> None:
    files = [path.as_posix() for top in ("src", "tests", "scripts", "examples") for path in (ROOT / top).rglob("*.py")]
    text = (ROOT / page).read_text(encoding="utf-8")
    made = set(re.findall(r"^# (src/\S+\.py)$", text, re.MULTILINE))  # by who follows the page
    named = set(re.findall(r"`((?:\w+/)*\w+\.py)`", text)) - made
    assert named
    assert sorted(name for name in named if not any(file.endswith(f"/{name}") for file in files)) == []
