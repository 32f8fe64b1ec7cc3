"""The files beside and above a folder that say what its sources are for, and where its repository begins.

1. The dialect is that of a generator whose configuration is in the folder, or in one above it, up to the root of the
   repository: the nearest counts.
2. The root of a repository is the nearest folder with `.git`; else, as in an archive of one, with a configuration or
   the manifest of a package; else the folder itself.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Final

_CONFIGURATIONS: Final[Mapping[str, Sequence[str]]] = {
    "mkdocs": ("mkdocs.yml", "mkdocs.yaml"),
    "docusaurus": tuple(f"{at}docusaurus.config.{end}" for at in ("", "website/") for end in ("js", "ts", "mjs")),
    "hugo": tuple(
        f"{at}.{end}"
        for at in ("hugo", "config", "config/_default/hugo", "config/_default/config")
        for end in ("toml", "yaml", "json")
    ),
    "jekyll": ("_config.yml",),
    "gitlab": (".gitlab-ci.yml",),
    "github": (".github",),
}
_OF_OTHERS: Final = tuple(
    f"{at}{name}"
    for at in ("", "docs/", "doc/", "docs/source/", "website/")
    for name in (".vitepress", ".vuepress", "astro.config.mjs", "astro.config.ts", "book.toml", "conf.py")
)
"""Configurations of generators whose ids of headings are not known: VitePress, VuePress, Starlight, mdBook, Sphinx."""
_OF_HUGO: Final = re.compile(r'^(?:\s*")?baseURL\b', re.MULTILINE | re.IGNORECASE)
"""What Hugo's `config.toml` has, and those of other programs have not."""
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
    """Return the dialect of a folder, and the file that says so (rule 1)."""
    return next(chain.from_iterable(map(_configurations, _up_to_git(folder.absolute()))), None)


def other_configuration(folder: Path) -> Path | None:
    """Return the configuration of a generator whose dialect is not known, beside a folder, in its docs, or above it."""
    files = (place / name for place in _up_to_git(folder.absolute()) for name in _OF_OTHERS if _is_there(place, name))
    return next(files, None)


def _configurations(place: Path) -> Iterator[tuple[str, Path]]:
    """Yield the dialects whose configuration is in a folder, and the files. Raises nothing."""
    for dialect, names in _CONFIGURATIONS.items():
        for name in names:
            file = place / name
            if _is_there(place, name):
                text = beginning(file).decode("utf-8", "replace") if name.startswith("config.") else "baseURL"
                if _OF_HUGO.search(text):
                    yield dialect, file


def path_in_repository(folder: Path) -> tuple[Path, str]:
    """Return the root of the repository of a folder (rule 2), and the path from there, "" or ending in a slash."""
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
