"""What a folder is checked within: its files, the rules of its host, its URI.

1. It is found out once, and serves everything that is asked about the folder: no file is looked up again.
2. The rules of the host are those that were asked for, and what the files of the folder say of them: which pages stand
   for the folder itself, and which are for errors (`.htaccess`).
3. The folder for paths from the root has to be there.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from rehref.base import Layers
from rehref.checking.hosting.hosts import Host
from rehref.checking.hosting.reading_redirects import read_redirects
from rehref.checking.hosting.redirects import Redirects
from rehref.checking.options import CheckOptions
from rehref.checking.site.charsets import Charsets, read_charsets
from rehref.checking.site.check_scope import CheckScope, scope_of
from rehref.checking.site.file_types import is_other_json
from rehref.checking.site.files import Files, list_files
from rehref.checking.site.locating import Locator
from rehref.checking.target_map import TargetMap
from rehref.files.file_uris import encode_path, folder_uri


class RootDirError(ValueError):
    """The folder for paths from the root is none; its text says why, for people."""


@dataclass(frozen=True, slots=True)
class SiteContext:
    """What a folder is checked within: its URI (which ends in a slash), its files, and what finds files for URIs.

    `scope`: what of it is checked. `charsets`: the encodings of documents, as far as the host says them. It can be
    handed to other processes.
    """

    folder: Path
    options: CheckOptions
    uri: str
    files: Files
    locator: Locator
    host: Host = field(default_factory=lambda: Host("none"))
    redirects: Redirects | None = None
    charsets: Charsets = field(default_factory=Charsets)
    scope: CheckScope = field(default_factory=CheckScope)

    def uri_of(self, path: str) -> str:
        """The URI of a path below the folder."""
        return self.uri + encode_path(path)

    def layers_of(self, path: str) -> Layers:
        """What stands outside of the document at a path."""
        return Layers(retrieval=self.uri_of(path))


def site_context(folder: Path, options: CheckOptions) -> SiteContext:
    """What a folder is checked within.

    Raises `FileError` if it cannot be read, `ValueError` if the site's URL is not absolute, `RootDirError` (rule 3).
    """
    files, host, uri = list_files(folder, options.document_extensions), _host(options), _site_uri(folder, options)
    redirects = read_redirects(folder, files.paths, host, uri)
    target_map = TargetMap(uri, options.remap, options.own_hosts)
    locator = Locator(files, uri, host, root_dir=options.root_dir, redirects=redirects, target_map=target_map)
    _refuse_root_dir(locator.root_dir, files, folder)
    if redirects is not None:
        said = redirects.directories
        indexes = tuple(said.index_files("", host.index_names))
        host = replace(host, index_names=indexes, error_pages=said.error_pages)
    charsets = read_charsets(folder, files, host, redirects, options.encoding)
    documents = tuple(path for path in files.types.documents(files.paths) if not is_other_json(folder, path))
    scope = scope_of(options, documents)
    return SiteContext(
        folder, options, uri, files, locator, host=host, redirects=redirects, charsets=charsets, scope=scope
    )


def _refuse_root_dir(root_dir: str | None, files: Files, folder: Path) -> None:
    """Raise `RootDirError` if there is no such folder in the site (rule 3)."""
    link = files.links.get(root_dir or "")
    if root_dir is None or root_dir in files.folders or (link is not None and link.folder is not None):
        return
    raise RootDirError("is a file" if root_dir in files.paths else f"there is no such folder in {folder}")


def _host(options: CheckOptions) -> Host:
    """The host, with those of its rules replaced for which something else was asked."""
    host, extensions, names = options.host, options.fallback_extensions, options.index_files
    host = host if extensions is None else replace(host, fallback_extensions=extensions)
    host = host if names is None else replace(host, index_names=names)
    return replace(host, lists_folders=True) if options.directory_listing else host


def _site_uri(folder: Path, options: CheckOptions) -> str:
    """The URI of the folder, with a slash at its end; without a fragment and a query."""
    uri = folder_uri(folder) if options.site_url is None else options.site_url
    uri = uri.partition("#")[0].partition("?")[0]
    return uri if uri.endswith("/") else uri + "/"
