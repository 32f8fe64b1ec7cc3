"""Prints the lowest versions that `pyproject.toml` allows, as requirements of pip: `click==8.1`, one on each line.

- It prints the dependencies, and those of the extras that the arguments name. A package in both has the lower floor.
  Where a package is for some systems alone, so is its floor (`uvloop==0.21; sys_platform != 'win32'`).
- A dependency without a floor is an error, because its lowest version could not be tested.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

_REQUIREMENT = re.compile(
    r"([A-Za-z0-9._-]+(?:\[[a-z]+\])?)>=([0-9.]+)(; ?(?:sys_platform|implementation_name) .+)?"
).fullmatch


def lowest(project: dict[str, object], extras: list[str]) -> dict[str, str]:
    """The floor of each package, by its name, with its marker. Raises ValueError for one without a floor."""
    optional = project["optional-dependencies"]
    assert isinstance(optional, dict)
    floors: dict[str, str] = {}
    markers: dict[str, str] = {}
    for requirement in [project["dependencies"], *(optional[extra] for extra in extras)]:
        assert isinstance(requirement, list)
        for text in requirement:
            found = _REQUIREMENT(text)
            if found is None:
                raise ValueError(f"pyproject.toml: {text!r} is not NAME>=VERSION")
            name, version, marker = found.groups()
            floors[name] = min(floors.get(name, version), version, key=_numbers)
            markers[name] = marker or ""
    return {name: version + markers[name] for name, version in floors.items()}


def _numbers(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]


if __name__ == "__main__":
    file = Path(__file__).parents[1] / "pyproject.toml"
    for name, version in lowest(tomllib.loads(file.read_text(encoding="utf-8"))["project"], sys.argv[1:]).items():
        print(f"{name}=={version}")
