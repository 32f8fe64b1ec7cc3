"""Where files are on the web: as they are in the folder, or as the generator of its Markdown publishes them.

1. The dialect names the generator (`rehref.checking.site.sources`). What decides paths in its configuration is read as
   text; what themes, plugins and permalinks of sections decide is not known.
2. MkDocs, Hugo and Docusaurus make `guide/index.html` of `guide.md`, Jekyll makes `guide.html`; the configuration may
   say otherwise. Hugo writes URLs in lower case, with hyphens for spaces.
3. Only what is below the folders of contents and of static files is published. A page whose front matter names its URL
   keeps that when it moves, and has none here.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final, NamedTuple

from rehref.checking.pages.reading import read
from rehref.checking.site.site_context import SiteContext
from rehref.checking.site.sources import configuration_of
from rehref.documents.media_types import MARKDOWN_TYPE
from rehref.files.inside_folder import relative_to

_OWN_URL = re.compile(
    rb"(?:\xef\xbb\xbf)?(---|\+\+\+)[ \t]*\r?\n(?:(?!\1).*\n)*?(?:url|permalink|slug|id)[ \t]*[:=]"
).match


class _Generator(NamedTuple):
    """What `index` files are called, in which folders files are, which key names another folder in place of the first,
    and what in the configuration says that pages are files.
    """

    indexes: tuple[str, ...]
    folders: tuple[str, ...]
    key: str
    flat: str


_GENERATORS: Final = {
    "mkdocs": _Generator(("index", "readme"), ("docs",), "docs_dir", r"^use_directory_urls:[ ]*false"),
    "hugo": _Generator(("index", "_index"), ("content", "static"), "contentDir", r"^uglyURLs\s*[=:]\s*true"),
    "jekyll": _Generator(("index", "readme"), (".",), "source", r"\A(?!(?:.*\n)*?permalink:[ ]*[\"']?(?:pretty|/.*/))"),
    "docusaurus": _Generator(("index", "readme"), ("static", "."), "(?!)", "(?!)"),
}


class Published:
    """The files of a folder on the web. `dialect`, `configuration`: of its generator; `text`: of the latter."""

    def __init__(self, context: SiteContext) -> None:
        self._context = context
        self.dialect = context.options.how.dialect if context.files.types.has_sources else None
        found = configuration_of(context.folder)
        is_found = found is not None and found[0] == self.dialect
        self.configuration = found[1] if found is not None and is_found else context.folder.absolute() / "."
        self.text = self.configuration.read_text("utf-8", "replace") if self.configuration.is_file() else ""
        self._top = self.configuration.parent if is_found else self.configuration
        self._generator = _GENERATORS.get(self.dialect or "")

    @property
    def is_known(self) -> bool:
        """Whether it is known where files are: they are published as they are, or by a generator (rule 1)."""
        return self._generator is not None or not self._context.files.types.has_sources

    def source(self, path: str) -> str | None:
        """Return the path of a file below the folder of the generator's contents; None if it is not there (rule 3)."""
        if self._generator is None:
            return path
        full = os.path.normpath(self._context.folder.absolute() / path)
        said = re.search(rf"(?m)^{self._generator.key}[ \t]*[:=][ \t]*[\"']?([^\"'#\r\n]*[^\"'#\s])", self.text)
        folders = (said[1] if said else self._generator.folders[0], *self._generator.folders[1:])
        below = (relative_to(full, os.path.normpath(self._top / folder)) for folder in folders)
        return next(filter(None, below), None)

    def path(self, path: str) -> str | None:
        """Return the path of a file on the web, below the site; None if it has none there (rules 2, 3)."""
        found = self.source(path)
        if self._generator is None or found is None or self._context.files.types.of(path) != MARKDOWN_TYPE:
            return found
        if any(name[:1] in "._" and name.partition(".")[0] != "_index" for name in found.split("/")):
            return None  # drafts, layouts, posts with dates
        folder, slash, name = found.rpartition("/")
        stem = Path(name).stem
        made = f"{folder}{slash}{stem}/index.html"
        if stem.lower() in self._generator.indexes:
            made = f"{folder}{slash}index.html"
        elif re.search(self._generator.flat, self.text, re.MULTILINE):
            made = f"{folder}{slash}{stem}.html"
        return made.lower().replace(" ", "-") if self.dialect == "hugo" else made

    def has_own_url(self, path: str) -> bool:
        """Whether a file says itself where it is (rule 3). Raises `FileError`."""
        is_page = self._generator is not None and self._context.files.types.of(path) == MARKDOWN_TYPE
        return is_page and _OWN_URL(read(self._context, path)) is not None
