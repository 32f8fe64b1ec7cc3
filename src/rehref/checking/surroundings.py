"""What a folder is checked within: its files, the rules of its host, its URI.

1. It is found out once, and serves everything that is asked about the folder: no file is looked up again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from rehref.checking.files import Files, list_files
from rehref.checking.hosts import Host
from rehref.checking.locating import Locator
from rehref.checking.options import CheckOptions
from rehref.checking.pages import Page, Site, has_names
from rehref.checking.reading_redirects import read_redirects
from rehref.checking.redirects import Redirects
from rehref.documents.reading import UnknownMediaTypeError
from rehref.entities.files import encode_path, folder_uri


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a folder is checked within: its files, its host's rules, its URI, and what finds files for URIs."""

    folder: Path
    options: CheckOptions
    files: Files
    host: Host
    uri: str
    redirects: Redirects | None
    locator: Locator

    def uri_of(self, path: str) -> str:
        """The URI of a path below the folder."""
        return self.uri + encode_path(path)

    def names_of(self, path: str) -> frozenset[str] | None:
        """What fragments can name in a file of the site; None where that is not known."""
        if not has_names(path):
            return None
        site = Site(str(self.folder), self.uri, self.locator.locate, self.options.profile)
        try:
            return Page(site, path, (self.folder / path).read_bytes()).names
        except (OSError, UnknownMediaTypeError):
            return None


def surroundings(folder: Path, options: CheckOptions) -> Surroundings:
    """What a folder is checked within.

    Raises `FileError` if it cannot be read, `ValueError` if the site's URL is not absolute.
    """
    files, host, uri = list_files(folder), _host(options), _site_uri(folder, options)
    redirects = read_redirects(folder, files, host, uri)
    locator = Locator(files, uri, host, root_dir=options.root_dir, redirects=redirects)
    return Surroundings(folder, options, files, host, uri, redirects, locator)


def _host(options: CheckOptions) -> Host:
    """The host, with those of its rules replaced for which something else was asked."""
    host = options.host
    if options.fallback_extensions is not None:
        host = replace(host, fallback_extensions=options.fallback_extensions)
    if options.index_files is not None:
        host = replace(host, index_names=options.index_files)
    return host


def _site_uri(folder: Path, options: CheckOptions) -> str:
    """The URI of the folder, with a slash at its end; without a fragment and a query."""
    uri = folder_uri(folder) if options.site_url is None else options.site_url
    uri = uri.partition("#")[0].partition("?")[0]
    return uri if uri.endswith("/") else uri + "/"
