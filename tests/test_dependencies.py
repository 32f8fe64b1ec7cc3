"""What `pyproject.toml` asks for: each dependency is used, and has a floor that `.ci/test-lowest` can try."""

from __future__ import annotations

import ast
import importlib.util
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("lowest", ROOT / ".ci" / "lowest.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


INTEGRATIONS = {
    "mkdocs": {"mkdocs", "markdown"},
    "sphinx": {"sphinx", "docutils"},
    "_doctrees": {"sphinx", "docutils"},
}
"""The modules that import the programs they are for: nothing else does, and those who use them have these programs."""


def imported(module: str | None = None) -> set[str]:
    """The packages that the source imports, without its own and those of Python; or those of one integration."""
    names: set[str] = set()
    for path in (ROOT / "src").rglob("*.py"):
        if (path.stem if path.parent.name == "sites" and path.stem in INTEGRATIONS else None) != module:
            continue
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names.add((node.module or "").partition(".")[0])
    return names - {"rehref"} - sys.stdlib_module_names


def test_every_dependency_is_imported_and_every_import_is_a_dependency(script: ModuleType) -> None:
    assert imported() == {
        name.replace("-", "_") for name in script.lowest(PROJECT, ["web", "parquet", "spark", "markdown", "lsp"])
    }


@pytest.mark.parametrize("module", INTEGRATIONS)
def test_an_integration_imports_its_program_alone(module: str) -> None:
    assert imported(module) == INTEGRATIONS[module]


def test_every_extra_for_users_is_asked_for() -> None:
    """What is optional at run time is imported by name, where it is needed; the web and Spark are whole packages."""
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    extras = PROJECT["optional-dependencies"]
    users = extras.keys() - {"test", "dev", "docs", "web", "spark"}
    names = [each.partition(">=")[0] for extra in users for each in extras[extra]]
    assert names
    assert [name for name in names if f'"{name}"' not in source and f'"{name}.' not in source] == []


def test_the_lower_floor_counts(script: ModuleType) -> None:
    project = {
        "dependencies": ["a>=1.2", "b>=1.10"],
        "optional-dependencies": {"test": ["a>=1.10", "b>=1.9", "c>=3"], "dev": ["d>=1"]},
    }
    assert script.lowest(project, ["test"]) == {"a": "1.2", "b": "1.9", "c": "3"}


def test_a_package_for_some_systems_keeps_its_marker(script: ModuleType) -> None:
    project = {"dependencies": [], "optional-dependencies": {"web": ["a>=1.2; sys_platform != 'win32'"]}}
    assert script.lowest(project, ["web"]) == {"a": "1.2; sys_platform != 'win32'"}


@pytest.mark.parametrize("requirement", ["a", "a==1", "a>=1,<2", "a>=1; python_version > '3'"])
def test_what_has_no_plain_floor_is_an_error(script: ModuleType, requirement: str) -> None:
    with pytest.raises(ValueError, match="NAME>=VERSION"):
        script.lowest({"dependencies": [requirement], "optional-dependencies": {}}, [])


def test_ci_tries_the_lowest_versions() -> None:
    assert ".ci/test-lowest" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
