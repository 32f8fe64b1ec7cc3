"""The files beside and above a folder that say what its sources are for, and where its repository begins."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from rehref.site._grounds.page_rules import PAGE_RULES

_CONFIGURATIONS: Final[Mapping[str, Sequence[str]]] = {
    **{dialect: rules.configurations for dialect, rules in PAGE_RULES.items()},
    "gitlab": (".gitlab-ci.yml",),
    "github": (".github",),
}
_OF_OTHERS: Final = (
    *(".vitepress", ".vuepress", "book.toml", "conf.py", "myst.yml", "_toc.yml", "antora.yml"),
    *("_quarto.yml", ".gitbook.yaml", "zola.toml", ".eleventy.js"),
    *(
        f"{program}.config.{end}"
        for program in ("astro", "nuxt", "eleventy")
        for end in ("ts", "mts", "js", "mjs", "cjs")
    ),
)
"""Configurations of generators of which the ids of headings are not known, or that are not those of the folder."""
_OF_VITEPRESS: Final = "/.vitepress"
_BELOW: Final = ("", "docs/", "doc/", "docs/source/", "website/")
_FORGES: Final = frozenset({"gitlab", "github"})
_BY_NAME: Final[Mapping[str, str]] = {
    name: dialect
    for dialect, names in {"": _OF_OTHERS, **_CONFIGURATIONS}.items()
    for name in names
    if dialect not in _FORGES and name != "conf.py"  # by which Sphinx looks up references as a forge does
}
_SHARED: Final = frozenset(
    name
    for name, dialect in _BY_NAME.items()
    if dialect in PAGE_RULES and (saying := PAGE_RULES[dialect].says_so) is not None and name.startswith(saying[0])
)
"""Names that other programs use, too."""
_MOST_LOOKED_AT: Final = 200
MANIFESTS: Final = ("pyproject.toml", "package.json", "Cargo.toml")
_MOST_LEVELS: Final = 16
_LONGEST_FRONT: Final = 1 << 14
_GIT: Final = ".git"


def beginning(path: Path) -> bytes:
    """Return the beginning of a source, with its front matter; nothing if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(_LONGEST_FRONT)
    except OSError:
        return b""


def dialect_of(folder: Path) -> str | None:
    """Return the dialect of a folder, by the files beside it and above."""
    found = configuration_of(folder)
    return None if found is None else found[0]


def configuration_of(folder: Path) -> tuple[str, Path] | None:
    """Return the dialect of a folder, and the file that says so.

    It is that of a generator whose configuration is in the folder, or in one above it, up to the root of the
    repository: the nearest counts. Where that is one of a generator that is not known, none is.
    """
    for place in _up_to_git(folder.absolute()):
        found = next(_configurations(place), None)
        is_of_site = found is not None and found[0] not in _FORGES
        if not is_of_site and any(_is_there(place, name) for name in _OF_OTHERS):
            return None
        if found is not None:
            return found
    return None


def other_configuration(folder: Path) -> Path | None:
    """Return the configuration of a generator whose dialect is not known, beside a folder, in its docs, or above it."""
    names = [f"{below}{name}" for below in _BELOW for name in _OF_OTHERS]
    files = (place / name for place in _up_to_git(folder.absolute()) for name in names if _is_there(place, name))
    return next(files, None)


def sites_below(folder: Path, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the folders below that are of generators, each with its configuration, from the paths of files.

    A project may have the sources of its site, or examples. Raises nothing.
    """
    looked_at = 0
    for path in paths:
        at, _, name = path.rpartition("/")
        at, inside, below = f"{at}/".partition(f"{_OF_VITEPRESS}/")
        at = at.rstrip("/")
        if inside and at and f"{below}{name}".startswith(("config.", "config/index.")):
            yield at, path
        elif at and name in _BY_NAME and not inside:
            looked_at += name in _SHARED
            if name not in _SHARED or (looked_at <= _MOST_LOOKED_AT and _says_so(_BY_NAME[name], name, folder / path)):
                yield at, path


def _configurations(place: Path) -> Iterator[tuple[str, Path]]:
    """Yield the dialects whose configuration is in a folder, and the files. Raises nothing."""
    for dialect, names in _CONFIGURATIONS.items():
        for name in names:
            file = place / name
            if _is_there(place, name) and _says_so(dialect, name, file):
                yield dialect, file


def _says_so(dialect: str, name: str, file: Path) -> bool:
    """Whether a configuration is one of the generator with that dialect, and not of another program."""
    rules = PAGE_RULES.get(dialect)
    if rules is None:
        return True
    if (rules.beside and not _is_there(file.parent, rules.beside)) or (
        rules.unless_beside and _is_there(file.parent, rules.unless_beside)
    ):
        return False
    if rules.says_so is None or not name.startswith(rules.says_so[0]):
        return True
    return rules.says_so[1].search(beginning(file).decode("utf-8", "replace")) is not None


def path_in_repository(folder: Path) -> tuple[Path, str]:
    """Return the root of the repository of a folder, and the path from there, "" or ending in a slash.

    It is the nearest folder with `.git`; else, as in an archive of one, with a configuration or the manifest of a
    package; else the folder itself.
    """
    real = Path(os.path.realpath(folder))
    places = _up_to_git(real)
    roots = (each for each in places if any(_configurations(each)) or any(_is_there(each, sign) for sign in MANIFESTS))
    root = places[-1] if _is_there(places[-1], _GIT) else next(roots, real)
    return root, "" if root == real else f"{real.relative_to(root).as_posix()}/"


def _up_to_git(folder: Path) -> Sequence[Path]:
    """Return a folder, given by an absolute path, and those above it, up to one with `.git`."""
    places = (folder, *folder.parents)[:_MOST_LEVELS]
    return places[: next((number for number, place in enumerate(places, 1) if _is_there(place, _GIT)), None)]


def _is_there(folder: Path, name: str) -> bool:
    return os.access(folder / name, os.F_OK)
