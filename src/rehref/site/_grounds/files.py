"""The files of a site: listed once, so that links are looked up without the disk; and which of them are documents.

Every file below the folder counts, hidden ones too (`.well-known/`, `.htaccess`), except files in `.git`, and entries
that are not files (pipes, devices). Names are spelt as on the disk, with slashes, relative to the folder: `a/b.html`.
The folder itself is "". Pages of a server have the place of files (`rehref.site._grounds.fetched`).
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from rehref.documents.media_types import FileName, MediaType
from rehref.documents.reading import UnknownMediaTypeError, encoding_of
from rehref.files.discovery import type_in_folder
from rehref.files.file_documents import relative_to
from rehref.files.file_errors import FileError
from rehref.site._grounds.generators import Generator, url_of_page
from rehref.site._grounds.permalinks import may_be_made
from rehref.site._paths import decode_path, folded

_SHOWN_TYPES: Final = frozenset({MediaType.HTML, MediaType.XHTML, MediaType.SVG, "application/mathml+xml"})

_OF_PROGRAMS: Final = {
    *("action", "ashx", "asmx", "cfm", "cfml", "dhtml", "do", "fcgi", "jhtml", "mvc", "nsf"),
    *("php4", "php5", "php7", "php8", "phtml", "shtm", "stm", "xhtm"),
    *(ending for ending in MediaType.EXTENSIONS["pages"] if FileName.of(f"a.{ending}").is_open),
}
"""Endings of programs on servers that send pages; mirrors save these under the same names."""
_ENDING = re.compile(r"[a-z][a-z0-9]{1,9}|[A-Z][A-Z0-9]{1,9}").fullmatch

Listed: TypeAlias = "Callable[[int], None]"
"""Called with the number of files that were found so far."""
LinkCode: TypeAlias = Literal["", "dangling-link", "leaves-folder"]

NOT_PUBLISHED: Final = frozenset({".git"})
"""The names of folders that do not belong to the site."""


class Types(NamedTuple):
    """The media types of files. `by_path`: of those that were looked at; all others have that of their names.

    `has_hidden`: whether names may be those of hidden files; URLs are not. `has_sources`: whether Markdown is read
    (`rehref.site._grounds.source_files`); `has_ids`: whether it is known which ids its headings get; `ids_by`: why, for
    people; `has_root`: whether it is known where its paths from the root lead, in a dialect. `needs_package`: whether
    Markdown would be read if the package for that were there. `unsent`: files that only their content shows to be
    pages, but no host sends as such (`page.html.src`): not documents, unless the user names them. `unpublished`:
    Markdown of which the generator makes no page, so that its ids are not known. `has_other`: whether a generator is
    there, and not known where its pages are. `is_repository`: whether the folder is all of a repository of a forge.
    """

    by_path: Mapping[str, MediaType | None] = {}
    has_hidden: bool = True
    has_sources: bool = False
    has_ids: bool = False
    ids_by: str = ""
    has_root: bool = False
    needs_package: bool = False
    unsent: frozenset[str] = frozenset()
    unpublished: frozenset[str] = frozenset()
    has_other: bool = False
    is_repository: bool = False

    def of(self, path: str) -> MediaType | None:
        """Return the media type of a file that is not hidden; None if it is neither a document nor plain text."""
        if path in self.by_path:
            return self.by_path[path]
        return FileName.of(path[path.rfind("/") + 1 :]).media_type

    def is_document(self, path: str) -> bool:
        """Whether a file is read for its references.

        Containers and plain texts are not, nor hidden files outside `.well-known`.
        """
        media_type = self.of(path)
        is_read = media_type is not None and (media_type.is_found or (self.has_sources and media_type.is_source))
        return is_read and not (self.has_hidden and is_hidden(path))

    def with_named(self, paths: Iterable[str]) -> Types:
        """Return the types where the user names these files."""
        named = dict.fromkeys(self.unsent.intersection(paths), MediaType.HTML)
        return self._replace(by_path={**self.by_path, **named}, unsent=self.unsent.difference(named))

    def has_names(self, path: str) -> bool:
        """Whether fragments are looked for in a file: it is a document that browsers show."""
        media_type = self.of(path)
        has_ids = self.has_ids and path not in self.unpublished
        is_shown = media_type in _SHOWN_TYPES or (has_ids and media_type == MediaType.MARKDOWN)
        return is_shown and not (self.has_hidden and is_hidden(path))

    def documents(self, paths: Collection[str]) -> list[str]:
        """Return the documents among the files of a site, in order.

        Servers send `page.html.gz` in place of `page.html`, so it is not read if both exist; on its own it is a
        document.
        """
        found = filter(self.is_document, paths)
        return sorted(path for path in found if path[-3:].lower() != ".gz" or path[:-3] not in paths)


class LinkState(NamedTuple):
    """Where a symbolic link leads. `folder`: the folder inside that it leads to; None for all other links."""

    code: LinkCode
    folder: str | None = None


class Files(NamedTuple):
    """The content of a folder, as paths relative to it.

    `paths`: files; `folders`: folders, including ""; `links`: the symbolic links that are not ordinary files. A link to
    a folder inside is not followed, but recorded with its target, so that every file is listed once and loops are never
    entered. One that leads nowhere, or in a circle, dangles; one that leads out of the folder leaves it: a copy of the
    folder on a host may lack its target. One that leaves the folder and leads to a file is also in `paths`.

    `errors`: subfolders that could not be read, by their paths; only the folder itself must be readable. `types`: the
    types of the files. `unlisted`: folders that were not looked into, since they are not needed. `generator`: what
    makes pages of sources, if that is known; `own`: what front matter says of URLs, by the paths; `aliases`: of others
    that lead on to them. `sites`: folders of sources that are sites of their own, with their configurations.
    """

    paths: frozenset[str]
    folders: frozenset[str]
    links: Mapping[str, LinkState] = {}
    errors: tuple[FileError, ...] = ()
    types: Types = Types()
    unlisted: frozenset[str] = frozenset()
    generator: Generator | None = None
    own: Mapping[str, Mapping[str, str]] = {}
    sites: Mapping[str, str] = {}
    aliases: Mapping[str, Sequence[str]] = {}

    def site_of(self, path: str) -> str | None:
        """Return the folder that is a site of its own with a file; None: it is of no other site than the folder."""
        above = accumulate(path.split("/")[:-1], "{}/{}".format) if self.sites else ()
        return next(filter(self.sites.__contains__, above), None)

    @property
    def unread(self) -> list[str]:
        """The sources that are not read, in order: Markdown and notebooks beside pages, but not those of packages."""
        if self.types.has_sources:
            return []
        of_sources = self.types._replace(has_sources=True)
        found = (path for path in self.paths if of_sources.is_document(path) and not self.types.is_document(path))
        return sorted(path for path in found if not is_in_package(path))

    def page_of(self, path: str) -> str | None:
        """Return the path on the site of what is made of a file; `UNKNOWN`; or None if it is not published."""
        return path if self.generator is None else self.generator.page(path, self._url_keys(path), self.paths)

    def _url_keys(self, path: str) -> Mapping[str, str]:
        """Return what front matter says of the URL of a file: its own, or that of the page below which it is."""
        found = self.own.get(path)
        if found is not None or self.generator is None or not self.generator.rules.has_assets:
            return found or {}
        return self.own.get(self.generator.index_above(path, self.paths) or "", {})

    def may_be_made(self, path: str) -> bool:
        """Whether a path on the site to a file that is not there may lead to one that its generator makes."""
        return self.generator is not None and may_be_made(self.generator, decode_path(path) or path)

    def addresses_of(self, path: str) -> list[str]:
        """Return the paths below the folder that lead to the page for a source (`Generator.addresses`)."""
        own = self._url_keys(path)
        found = () if self.generator is None else self.generator.addresses(path, own, self.paths)
        return [*map(url_of_page, found)]

    def others_of(self, path: str) -> list[str]:
        """Return the paths that lead to the page for a source unless another page is there."""
        made_by, own = self.generator, self.own.get(path, {})
        if made_by is None:
            return []
        by_language = made_by.fallbacks(path, self.addresses_of(path)) if made_by.languages else ()
        former = made_by.former(path, own, self.paths, self.aliases.get(path, ()))
        return [*by_language, *map(url_of_page, former)]


class FetchedPage(NamedTuple):
    """A page: its URL, the file with its content, its media type, and the label of its encoding, if these were sent;
    and the Content Security Policies that were.
    """

    url: str
    file: str
    media_type: MediaType
    charset: str | None = None
    policies: tuple[str, ...] = ()


class NotFetched(NamedTuple):
    """A URL that was to be fetched, and failed: a code, and a message for people."""

    url: str
    code: str
    message: str


class Fetched(NamedTuple):
    """The pages by the names of documents, and the URLs that could not be fetched.

    `begun`: the pages from which the check started.
    """

    pages: Mapping[str, FetchedPage] = {}
    failed: tuple[NotFetched, ...] = ()
    begun: frozenset[str] = frozenset()


def list_files(
    folder: Path, of_html: Sequence[str] = (), listed: Listed | None = None, needed: Collection[str] | None = None
) -> Files:
    """List the content of a folder, in one walk. Raises `FileError` if the folder itself cannot be read.

    `of_html`: as in `look_at`. `needed`: the paths, folded, of the only folders to look into besides the folder itself.
    """
    root = str(folder)
    real_root = os.path.realpath(root)
    paths: list[str] = []
    folders: list[str] = []
    links: dict[str, LinkState] = {}
    errors: list[FileError] = []
    unlisted: list[str] = []
    waiting = [""]
    while waiting:
        relative = waiting.pop()
        try:
            with os.scandir(f"{root}/{relative}" if relative else root) as scanned:
                entries = list(scanned)
        except OSError as error:
            if relative == "":
                raise FileError.of(root, "the folder cannot be read", error) from error
            errors.append(FileError.of(relative, "the folder cannot be read", error))
            continue
        folders.append(relative)
        if listed is not None:
            listed(len(paths))
        for entry in entries:
            path = f"{relative}/{entry.name}" if relative else entry.name
            if entry.is_symlink():
                state, is_file = _state_of_link(entry.path, real_root)
                if state is not None:
                    links[path] = state
                if is_file:
                    paths.append(path)
            elif entry.is_file(follow_symlinks=False):
                paths.append(path)
            elif entry.is_dir(follow_symlinks=False) and entry.name not in NOT_PUBLISHED:
                (waiting if needed is None or folded(path) in needed else unlisted).append(path)
    types = look_at(root, (path for path in paths if path not in links), of_html)
    return Files(frozenset(paths), frozenset(folders), links, tuple(errors), types, frozenset(unlisted))


def _state_of_link(path: str, real_root: str) -> tuple[LinkState | None, bool]:
    """Return what is special about a symbolic link, None for an ordinary one; and whether it leads to a file."""
    try:
        real = os.path.realpath(path, strict=True)
        mode = os.stat(real).st_mode  # noqa: PTH116 -- a Path for each link would cost more than the check
    except OSError:
        return LinkState("dangling-link"), False
    below = relative_to(real, real_root)
    if below is None:
        return LinkState("leaves-folder"), stat.S_ISREG(mode)
    if not stat.S_ISDIR(mode):
        return None, stat.S_ISREG(mode)
    return LinkState("", below), False


def look_at(root: str, paths: Iterable[str], of_html: Sequence[str] = ()) -> Types:
    """Return the types of files below a folder; only files whose names do not show it are opened. Raises nothing.

    None is opened through a link out of the folder. `of_html`: more extensions of HTML, without the dot, in any case,
    whatever else they mean.
    """
    by_path: dict[str, MediaType | None] = {}
    unsent: list[str] = []
    endings = tuple(f".{ending.lower()}" for ending in of_html)
    for path in paths:
        name = path[path.rfind("/") + 1 :]
        if endings and name.lower().endswith(endings):
            by_path[path] = MediaType.HTML
            continue
        named = FileName.of(name)
        found = named.media_type if is_hidden(path) else type_in_folder(f"{root}/{path}")
        if named.is_open and found in MediaType.PAGES and not _may_be_sent(named):
            unsent.append(path)
            found = None
        by_path[path] = found
    return Types(by_path, unsent=frozenset(unsent))


def _may_be_sent(name: FileName) -> bool:
    """Whether a host may send a file as a page if its content is one: its ending says nothing else."""
    before, _, ending = name.stem.rpartition(".")
    is_ending = before and _ENDING(ending) and ending.lower() not in _OF_PROGRAMS
    return not is_ending or not FileName.of(name.stem).is_open


def is_hidden(path: str) -> bool:
    """Whether a file is hidden, or in a hidden folder."""
    return (path.startswith(".") or "/." in path) and "/." in ("/" + path).replace("/.well-known/", "/")


def is_in_package(path: str) -> bool:
    """Whether a file is one of an installed package, which is not of the site."""
    return "/node_modules/" in f"/{path}"


def is_other_json(folder: Path, path: str) -> bool:
    """Whether a file called `manifest.json` is not a web app manifest (`rehref.documents._formats.manifest`).

    Build tools, browser extensions and others use the name for their own lists. One that cannot be read counts as a
    document, and reading it reports the error.
    """
    if not path.endswith(MediaType.MANIFEST_NAME) or path.rpartition("/")[2] != MediaType.MANIFEST_NAME:
        return False
    try:
        data = (folder / path).read_bytes()
    except OSError:
        return False
    try:
        encoding_of(data, MediaType.JSON)
    except UnknownMediaTypeError:
        return True
    return False
