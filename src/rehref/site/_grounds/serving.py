"""What a host serves for which path: the table in which targets are looked up.

The paths are decoded and relative to the folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from rehref.site._grounds.files import Files, LinkState
from rehref.site._hosts.directories import Directories
from rehref.site._hosts.hosts import Host
from rehref.site._paths import shown


class Located(NamedTuple):
    """What a target leads to.

    `path`: the file, below the folder, or a folder with a slash at its end ("" is the folder of the site); None if
    there is none, or, without a code, if this is unknown. With the code "case-mismatch" it is the file that was
    probably meant; with "missing-file", a source whose page has another name. `code`: "" if nothing is wrong.
    `outside`: not on this site, so not checked here; with the code "escapes-site" it is on the site's host, which is
    wrong unless the reference names the host. `fragment`: that of a redirection on the way, which takes precedence over
    that of the target (RFC 9110 §10.2.2); None if there was none. `unlisted`: the path, if it is in a folder of unknown
    content; else "".
    """

    path: str | None
    code: str
    message: str
    outside: bool = False
    fragment: str | None = None
    unlisted: str = ""


class TargetLocator(Protocol):
    """Finds what targets lead to: in a folder (`locating.py`), or among pages of a server (`fetched.py`)."""

    @property
    def root_dir(self) -> str | None:
        """The folder for paths that lead out of the site; None if there is none."""
        ...

    @property
    def other_indexes(self) -> Mapping[str, str]:
        """For folders without an index file of the host: a file that is an index on other hosts."""
        ...

    def locate(self, target: str) -> Located:
        """Return what a target without its fragment leads to. Never fails."""
        ...

    def mapped(self, target: str) -> str:
        """Return the URI that is looked up for a target without its fragment."""
        ...


def served(files: Files, host: Host, directories: Directories) -> dict[str, Located]:
    """Return the file, or folder, for each path that the host serves.

    A file is under its own path; also without its extension, if the host has clean URLs; and a folder with an index
    file is under its path both with and without a slash at the end (`hosts.py`); one without leads to itself if the
    host lists its content. A file with exactly this name takes precedence over one with an added extension, and that
    over the index of a folder, unless the host looks for folders first. Which files are indexes may depend on the
    folder (`directories.py`).
    """
    paths = files.paths
    table = {path: Located(path, "", "") for path in paths}
    for path, state in files.links.items():
        if path in table and state.code != "":
            table[path] = of_link(path, state, path)
    generator, pages = files.generator, table.copy()
    for path in paths if generator is not None and generator.listed is not None else ():
        if generator is not None and (why := generator.lost(path)):
            table[path] = Located(path, "missing-file", f"no page is at {shown(path)}: {why}")
    for extension in host.fallback_extensions:
        ending = "." + extension
        for path in paths:
            if path.endswith(ending):
                stem = path[: -len(ending)]
                is_folder = host.folders_first and stem in files.folders
                if stem != "" and not stem.endswith("/") and not is_folder:
                    table.setdefault(stem, table[path])
    for extension in host.made_of:
        for path in paths:
            if path.endswith("." + extension):
                table.setdefault(path[: -len(extension)] + "html", table[path])
    if generator is not None:
        for path in sorted(paths):
            for address in files.addresses_of(path):
                for way in _ways(address):
                    table.setdefault(way, pages[path])
        for path in sorted(paths):
            for address in files.others_of(path):
                for way in _ways(address):
                    table.setdefault(way, pages[path])
    for folder in files.folders:
        prefix = folder + "/" if folder != "" else ""
        index = next((path for path in directories.index_files(folder, host.index_names) if path in paths), None)
        if index is not None:
            table.setdefault(prefix, pages[index])
            table.setdefault(folder, pages[index])
        elif host.lists_folders:
            listing = table.setdefault(prefix, Located(prefix, "", ""))
            table.setdefault(folder, listing)
    return table


def _ways(address: str) -> tuple[str, ...]:
    """The paths that lead to a page that a generator makes (`generators.py`), under which its source is, too."""
    is_folder = address == "" or address.endswith("/")
    return (f"{address}index.html", address, address.rstrip("/")) if is_folder else (address,)


def of_link(link: str, state: LinkState, path: str | None) -> Located:
    """Return what is wrong with a symbolic link; `path`: the file that it leads to."""
    where = "nowhere" if state.code == "dangling-link" else "out of the folder"
    return Located(path, state.code, f"the symbolic link {shown(link)} leads {where}")
