"""The settings of folders in the `.htaccess` files of a site (mod_dir, httpd.apache.org/docs/2.4/mod/mod_dir.html).

Each setting in a file holds for its folder and for everything below, unless a file further down has the same setting;
then only that one counts. `ErrorDocument` names pages that visitors see without a link to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import NamedTuple

from rehref.site._paths import decode_path

_WITH_DEFAULT = frozenset({"text/html", "text/plain"})


class Fallback(NamedTuple):
    """A `FallbackResource`: a path from the root of the host, encoded, and its place (`.htaccess:3`)."""

    to: str
    where: str


@dataclass(slots=True)
class Directory:
    """The settings of one file for its folder. None: not set.

    For encodings: `of_extensions`, `of_types`: from `AddCharset`, and from the types of `AddType`, by extension in
    lower case. `forced`: from `ForceType`. `default`: from `AddDefaultCharset`. "" means no encoding.
    """

    index_names: tuple[str, ...] | None = None
    fallback: Fallback | None = None
    error_pages: tuple[str, ...] = ()
    of_extensions: dict[str, str] = field(default_factory=dict)
    of_types: dict[str, str] = field(default_factory=dict)
    forced: str | None = None
    default: str | None = None


class Directories:
    """The settings of the folders of a site."""

    def __init__(self, by_folder: Mapping[str, Directory] | None = None, root: str = "/") -> None:
        """`by_folder`: keys are folders as `Files` names them. `root`: the path of the site, slashes at both ends."""
        self._root = root
        self._said = {} if by_folder is None else by_folder
        pages = (self._below(page) for directory in self._said.values() for page in directory.error_pages)
        self.error_pages: frozenset[str] = frozenset(page for page in pages if page is not None)
        """The pages for errors, as paths below the folder."""

    def index_names(self, folder: str, default: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of the index files of a folder, the best first; `default`: if no file sets them.

        `DirectoryIndex` has names in the folder, or, with a leading slash, paths from the root of the host.
        """
        named = (one.index_names for one in self._of(_upward(folder)) if one.index_names is not None)
        return next(named, default)

    def index_files(self, folder: str, default: tuple[str, ...]) -> Iterator[str]:
        """Yield the files, below the site, that may be the index of a folder; the best first."""
        for name in self.index_names(folder, default):
            if not name.startswith("/"):
                yield f"{folder}/{name}" if folder else name
            elif (path := self._below(name)) is not None:
                yield path

    def fallback(self, path: str, files: AbstractSet[str], folders: AbstractSet[str]) -> Fallback | None:
        """Return what `FallbackResource` has for a path below the site without content; None if there is none.

        Such a path has no file, no folder, and no file whose path it continues. "" in the setting means no fallback.
        """
        if not self._said or path.rstrip("/") in folders:
            return None
        above = list(_upward(path))
        if not files.isdisjoint(above):
            return None
        found = next((one.fallback for one in self._of(above) if one.fallback is not None), None)
        return None if found is None or found.to == "" else found

    def charset(self, path: str, media_type: str | None) -> str | None:
        """Return the encoding that is sent with the file at a path below the site (mod_mime, core); None if none is.

        It is the one that `AddCharset` has for the last of its extensions with one; else the one in the type of
        `ForceType` or `AddType`; else, for HTML and plain text, that of `AddDefaultCharset`.
        """
        folder, _, name = path.rpartition("/")
        said = list(self._of(_upward(folder)))
        extensions = name.lower().split(".")[:0:-1]
        named = (one.of_extensions[each] for each in extensions for one in said if each in one.of_extensions)
        typed = (one.of_types[extensions[0]] for one in said if extensions and extensions[0] in one.of_types)
        forced = (one.forced for one in said if one.forced is not None)
        default = (one.default for one in said if one.default is not None and media_type in _WITH_DEFAULT)
        return next(filter(None, (next(one, None) for one in (named, forced, typed, default))), None)

    def _of(self, folders: Iterable[str]) -> Iterator[Directory]:
        """Yield the settings of folders."""
        return (self._said[folder] for folder in folders if folder in self._said) if self._said else iter(())

    def _below(self, path: str) -> str | None:
        """Return a path from the root of the host as one below the site; None if it is not below."""
        path = decode_path(path.partition("?")[0].partition("#")[0])
        return path[len(self._root) :] if path.startswith(self._root) else None


def _upward(path: str) -> Iterator[str]:
    """Yield a path, the folders that contain it, and "", which is the site."""
    while path != "":
        yield path
        path = path.rpartition("/")[0]
    yield ""
