"""Reading what the files of a folder tell its host: redirections, and what folders lead to.

1. Only the file that the host reads is read: the folder's `_redirects`, or every `.htaccess` in it, of which the one in
   the deepest folder goes first.
2. Paths in `_redirects` begin at the folder, which is always the root of its host; those in `.htaccess` at the root of
   the host, so that the path of the site comes first. A folder without a site is taken for the root. A whole URL in
   `_redirects` is on the site if its path begins with the site's.
3. Such a file is an ordinary one in the folder, of at most 1 MiB (`rehref.files.inside_folder`).
4. What cannot be read is unread like a line that is not understood.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from pathlib import Path

from rehref.checking.hosting.directories import Directories, Directory
from rehref.checking.hosting.hosts import Host
from rehref.checking.hosting.htaccess import first_is_deepest, parse_htaccess
from rehref.checking.hosting.redirects import Redirects, Rule, Unread
from rehref.checking.hosting.redirects_file import parse_redirects
from rehref.checking.paths import decode_path
from rehref.files.file_errors import FileError
from rehref.files.inside_folder import read_within
from rehref.uri.components import split

_HTACCESS = ".htaccess"


def read_redirects(folder: Path, paths: AbstractSet[str], host: Host, site_uri: str) -> Redirects | None:
    """Read the redirections of a folder; None if there is no file with any. `site_uri`: the URI of the folder."""
    if host.redirect_file is None:
        return None
    if host.redirect_file == "_redirects":
        if "_redirects" not in paths:
            return None
        lines = _lines(folder, "_redirects")
        if isinstance(lines, Unread):
            return Redirects((), unread=(lines,))
        rules, unread = parse_redirects(lines, "_redirects", cloudflare=host.redirects_always, site_uri=site_uri)
        return Redirects(rules, unread=tuple(unread))
    return _from_htaccess(folder, paths, _root_of(site_uri))


def _from_htaccess(folder: Path, files: AbstractSet[str], root: str) -> Redirects | None:
    paths = sorted(path for path in files if path == _HTACCESS or path.endswith("/" + _HTACCESS))
    if not paths:
        return None
    rules: list[Rule] = []
    unread: list[Unread] = []
    by_folder: dict[str, Directory] = {}
    for path in paths:
        lines = _lines(folder, path)
        if isinstance(lines, Unread):
            unread.append(lines)
            continue
        found = parse_htaccess(lines, path, root + path.removesuffix(_HTACCESS))
        rules.extend(found.rules)
        unread.extend(found.unread)
        by_folder[path.removesuffix(_HTACCESS).rstrip("/")] = found.directory
    directories = Directories(by_folder, root)
    return Redirects(first_is_deepest(rules), root=root, unread=tuple(unread), directories=directories)


def _root_of(site_uri: str) -> str:
    """The path of the site on its host, decoded, with slashes at both ends (rule 2)."""
    parts = split(site_uri)
    if parts.scheme is None or parts.scheme.lower() == "file":
        return "/"
    return "/" + (decode_path(parts.path).strip("/") + "/").removeprefix("/")


def _lines(folder: Path, path: str) -> list[str] | Unread:
    """The lines of a file, as LF ends them."""
    try:
        data = read_within(folder, folder / path)
    except FileError as error:
        return Unread(path, None, str(FileError(path, error.what, error.remedy)))
    if data is None:
        return Unread(path, None, f"{path}: cannot be read: it is not there any more")
    return data.decode("utf-8-sig", "replace").split("\n")
