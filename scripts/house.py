"""The rooms of the house (the folders of `src/rehref`), their doors, and the names that cross each wall.

A door is a module without an underscore in its path; only doors are for other rooms. A name that is used of a module
that is imported as a whole counts like one that is imported. What is above the waist uses few names of below it.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

SOURCE: Final = Path(__file__).resolve().parents[1] / "src" / "rehref"
BELOW_THE_WAIST: Final = ("documents", "markup", "uri", "text")
"""The rooms up to the waist. What is above them uses names of `documents`, `uri` and `text` alone."""
NAMES: Final = ("integrations", "spark")
"""Folders that are not rooms: they hold names that programs load."""
_TOPS: Final = ("__init__", "__main__", "_version")


class Use(NamedTuple):
    """A name of a module that a module of another room uses; `name`: "" if the module is only imported."""

    by: str
    module: str
    name: str

    @property
    def is_private(self) -> bool:
        """Whether the module is not a door."""
        return is_private(self.module)


def is_private(module: str) -> bool:
    """Whether a module is for its own room alone."""
    return any(part.startswith("_") and part not in ("_native", *_TOPS) for part in module.split(".")[1:])


def room_of(module: str) -> str:
    """Return the room of a module: "" for what is at the top."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and (SOURCE / parts[1]).is_dir() and parts[1] not in NAMES else ""


@cache
def modules() -> dict[str, Path]:
    """Return all modules by name."""
    paths = {path: path.relative_to(SOURCE.parent).with_suffix("").as_posix() for path in sorted(SOURCE.rglob("*.py"))}
    return {name.replace("/", ".").removesuffix(".__init__"): path for path, name in paths.items()}


def rooms() -> dict[str, list[str]]:
    """Return the doors of each room."""
    found: dict[str, list[str]] = {
        path.name: [] for path in sorted(SOURCE.iterdir()) if (path / "__init__.py").exists() and path.name not in NAMES
    }
    for name, path in modules().items():
        if room_of(name) in found and path.name != "__init__.py" and not is_private(name):
            found[room_of(name)].append(name.split(".", 2)[2])
    return found


@cache
def uses() -> frozenset[Use]:
    """Return what crosses walls: the names of each room that modules of others use."""
    return frozenset(
        Use(by, module, name)
        for by, path in modules().items()
        for module, name in used_in(path)
        if room_of(module) != room_of(by) and module != "rehref"
    )


def used_in(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the names that a file uses of modules, each with its module; "" for a module that it only imports."""
    read = defaultdict[str, set[str]](set)
    imports: list[ast.Import | ast.ImportFrom] = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            read[node.value.id].add(node.attr)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            imports.append(node)
    for node in imports:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "rehref":
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                if whole in modules():
                    yield from ((whole, name) for name in read[alias.asname or alias.name] or {""})
                else:
                    yield node.module or "", alias.name
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if alias.name.startswith("rehref."))


def names_out(room: str) -> set[tuple[str, str]]:
    """Return the names of a room that others use, each with its module."""
    return {(use.module, use.name) for use in uses() if room_of(use.module) == room}


def waist() -> set[tuple[str, str]]:
    """Return the names up to the waist that what is above it uses."""
    above = (use for use in uses() if room_of(use.by) not in (*BELOW_THE_WAIST, "_native", ""))
    return {(use.module, use.name) for use in above if room_of(use.module) in BELOW_THE_WAIST}


def names_of_site() -> set[tuple[str, str]]:
    """Return the names of the checker that plugins use."""
    return {(use.module, use.name) for use in uses() if (room_of(use.by), room_of(use.module)) == ("plugins", "site")}


def through_walls() -> set[tuple[str, str]]:
    """Return the imports of private modules by other rooms: which module imports which."""
    return {(use.by, use.module) for use in uses() if use.is_private}


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--private", action="store_true", help="list each import of a private module by another room")
    given = parser.parse_args()
    doors = rooms()
    print(f"{len(doors)} rooms, {len(modules())} modules")
    print(f"{'room':14} {'doors':>5} {'names that others use':>22}  doors")
    for room, names in doors.items():
        print(f"{room:14} {len(names):5} {len(names_out(room)):22}  {', '.join(names)}")
    print(f"{len(waist())} names up to the waist are used above it; plugins use {len(names_of_site())} names of site")
    print(f"{len(through_walls())} imports of private modules by other rooms")
    if given.private:
        for by, module in sorted(through_walls(), key=lambda each: each[::-1]):
            print(f"  {module}  by {by}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
