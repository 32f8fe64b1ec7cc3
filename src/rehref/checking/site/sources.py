"""Folders of Markdown sources: when a folder is one, its dialect, and which paths lead to its files.

1. Markdown in a folder is read if the folder has no HTML page, if a dialect is named, or if a Markdown file is named. A
   site that was built may publish Markdown beside its pages; that is not what its readers see, and is not read.
2. A dialect that is not named is that of a generator whose configuration is in the folder, or in one above it, up to
   the root of the repository: the nearest counts. Without one, it is not known which ids headings get, and fragments
   of Markdown are not checked.
3. A path leads to a source as on the site that is made of it: `guide`, `guide/` and `guide.html` to `guide.md`, and
   that of a folder to its `index.md`, `README.md` or `_index.md`, or to the list of its files; and that of the page
   that a known generator makes from it (generators.py) to it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Final

from rehref.checking.hosting.hosts import Host
from rehref.checking.options import CheckOptions
from rehref.checking.site.files import Files
from rehref.checking.site.generators import generator_of, own_urls
from rehref.documents.media_types import (
    HTML_TYPE,
    MARKDOWN_TYPE,
    NOTEBOOK_TYPE,
    TYPES_BY_ENDING,
    XHTML_TYPE,
    type_of_name,
)
from rehref.files.file_errors import FileError
from rehref.parsers.markdown_dialects import OF_SITES

_CONFIGURATIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "mkdocs.yml": "mkdocs",
        "mkdocs.yaml": "mkdocs",
        "docusaurus.config.js": "docusaurus",
        "docusaurus.config.ts": "docusaurus",
        "hugo.toml": "hugo",
        "hugo.yaml": "hugo",
        "hugo.json": "hugo",
        "_config.yml": "jekyll",
        ".gitlab-ci.yml": "gitlab",
        ".github": "github",
    }
)
_EXTENSIONS: Final = tuple(
    ending.removeprefix(".") for ending, media_type in TYPES_BY_ENDING.items() if media_type == MARKDOWN_TYPE
)
_INDEXES: Final = ("index.md", "README.md", "_index.md", "index.mdx", "readme.md", "index.html")
_SOURCES: Final = frozenset({MARKDOWN_TYPE, NOTEBOOK_TYPE})
_ABOVE: Final = "above-root"
"""On a forge, there are files above the folder."""
_MOST_LEVELS: Final = 16
_LONGEST_FRONT: Final = 1 << 14


def with_sources(folder: Path, options: CheckOptions, files: Files) -> tuple[Files, CheckOptions]:
    """Return the files, with Markdown among the documents by rule 1, and the options, with its dialect (rule 2).

    Raises `FileError` without pyromark.
    """
    named = options.files is not None and any(type_of_name(path) in _SOURCES for path in options.files)
    types = {files.types.of(path) for path in files.paths}
    is_of_sources = options.how.dialect is not None or not {HTML_TYPE, XHTML_TYPE} & types
    if not types & _SOURCES or not (named or is_of_sources):
        return files, options
    if find_spec("pyromark") is None:
        what = "has Markdown, and reading that needs the package pyromark"
        raise FileError(str(folder), what, "install it: pip install 'rehref[markdown]'")
    found = configuration_of(folder)
    dialect = options.how.dialect or (None if found is None else found[0])
    generator = generator_of(folder, dialect, found[1] if found is not None and found[0] == dialect else None)
    ignore = options.ignore if dialect in OF_SITES else (*options.ignore, _ABOVE)
    options = options._replace(how=replace(options.how, dialect=dialect), ignore=ignore)
    own = {}
    if generator is not None:
        pages = (path for path in files.paths if files.types.of(path) == MARKDOWN_TYPE)
        own = {path: said for path in pages if (said := own_urls(_beginning(folder / path)))}
    sources = files.types._replace(has_sources=True, has_ids=dialect not in (None, "commonmark"))
    return files._replace(types=sources, generator=generator, own=own), options


def _beginning(path: Path) -> bytes:
    """The beginning of a source, with its front matter; nothing if it cannot be read."""
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
    """Return the dialect of a folder, and the file that says so (rule 2)."""
    for place in [folder.absolute(), *folder.absolute().parents][:_MOST_LEVELS]:
        files = ((dialect, place / name) for name, dialect in _CONFIGURATIONS.items())
        found = next((each for each in files if os.access(each[1], os.F_OK)), None)
        if found is not None or os.access(place / ".git", os.F_OK):  # raises nothing
            return found
    return None


def serving_sources(host: Host, files: Files) -> Host:
    """Return the host, as it finds sources (rule 3)."""
    if not files.types.has_sources:
        return host
    return host._replace(
        index_names=tuple(dict.fromkeys((*host.index_names, *_INDEXES))),
        fallback_extensions=(*host.fallback_extensions, *_EXTENSIONS),
        slash_after_file=True,
        lists_folders=True,
        made_of=_EXTENSIONS,
    )
