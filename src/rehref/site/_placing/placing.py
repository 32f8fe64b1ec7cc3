"""Where a folder is on the web, and on which host: according to options, else to its files, else unknown.

What is inferred is taken only if it is clear: a wrong place would make right links broken. Only files in the folder
itself count. The place comes from claims (`claims.py`), else from the host in `CNAME`, with the folder as its root.
Without a place, the host is unknown (`UNKNOWN_HOST`), and the folder is at the prefix of its paths from the root
(`paths_from_root.py`), else at the root.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from rehref.files.file_documents import read_within
from rehref.files.file_errors import FileError
from rehref.site._hosts.hosts import CNAME, HOSTS, Host
from rehref.site._paths import decode_path, encode, origin
from rehref.site._placing.claims import Claimed, FolderPlace, claimed
from rehref.site._placing.paths_from_root import INDEXES, ROOT, FilePaths, PathsFromRoot, paths_from_root
from rehref.site._placing.samples import Sample, sample
from rehref.site.findings import UNKNOWN_HOST, Basis
from rehref.uri.components import split

_NAME_OF_HOST: Final = r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z][a-z0-9-]*"


class HostSign(NamedTuple):
    """A host, and the option or the file that names it; "" if none does."""

    host: Host
    source: str = ""


def cname(folder: Path, paths: Collection[str]) -> str:
    """Return the host name in `CNAME`, in lower case; "" if it is not one line with the name of a host.

    Raises nothing.
    """
    if CNAME not in paths:
        return ""
    try:
        data = read_within(folder, folder / CNAME)
    except FileError:
        return ""
    name = (data or b"").decode("utf-8", "replace").strip()
    return name.lower() if re.fullmatch(_NAME_OF_HOST, name, re.IGNORECASE) else ""


def host_at(uri: str) -> Host | None:
    """Return the host that serves a URI, if its domain says so (`Host.domain`.

    `anna.github.io`), whatever files there are.
    """
    name = split(uri).host.lower()
    return next((host for host in HOSTS.values() if host.domain is not None and name.endswith(host.domain)), None)


def find_host(folder: Path, paths: Collection[str]) -> HostSign:
    """Return the host that the files of a folder name.

    A file that no other host reads comes first (`Host.own_files`: `netlify.toml`, `vercel.json`, `wrangler.toml`); then
    a file with redirections, for the first host that reads it: `_redirects` Netlify, which introduced it, `.htaccess`
    Apache; then a hint (`Host.signs`). Files that name two hosts contradict each other, and none is taken.
    """
    for signs in (_named(), _read(), _hinted()):
        found = {signs[file]: file for file in reversed(signs) if file in paths}
        if CNAME in found.values() and cname(folder, paths) == "":
            continue
        if len(found) == 1:
            name, file = found.popitem()
            return HostSign(HOSTS[name], file)
        if found:
            break
    return HostSign(HOSTS["none"])


def _named() -> dict[str, str]:
    """Return the files that no other host reads, each with the name of its host."""
    return {file: host.name for host in HOSTS.values() for file in host.own_files}


def _read() -> dict[str, str]:
    """Return the files with redirections, each with the name of the first host that reads it."""
    return {file: host.name for host in reversed([*HOSTS.values()]) for file in host.redirect_files}


def _hinted() -> dict[str, str]:
    """Return the files that name a host if nothing else does."""
    return {file: host.name for host in HOSTS.values() for file in host.signs}


_FEW: Final = 2
_OF_LINKS: Final = "paths from the root"


class Placed(NamedTuple):
    """The URI of a folder, and how it was found: `sources` names that, for people.

    `has_clean_urls`: whether its files also say that `/a` means `a.html`.
    """

    uri: str
    basis: Basis
    sources: tuple[str, ...] = ()
    has_clean_urls: bool = False


def infer_place(folder: Path, paths: Collection[str], pages: Sequence[str], index_names: Sequence[str] = ()) -> Placed:
    """Return where a folder is, from a sample of its files. `paths`: all of them; `pages`: the HTML files, in order.

    `index_names`: those of the host. Raises nothing.
    """
    files = FilePaths(paths, tuple(dict.fromkeys((*index_names, *INDEXES))))
    found = sample(folder, paths, pages)
    rooted = paths_from_root(found.from_root, files, found.bases)
    prefix = rooted.prefix()
    prefix = None if prefix is not None and _is_of_sibling(folder, prefix, rooted.fitting[prefix]) else prefix
    claim = claimed(found.claims, files) or _of_cname(cname(folder, paths))
    if claim is not None and _fits(claim.place, found, rooted, prefix, files):
        return Placed(claim.uri, "stated", claim.sources, claim.has_clean_urls)
    if prefix is not None:
        return Placed(UNKNOWN_HOST + encode(prefix), "links", (_OF_LINKS,))
    return Placed(f"{UNKNOWN_HOST}/", "root")


def _is_of_sibling(folder: Path, prefix: str, fitting: Collection[str]) -> bool:
    """Whether a prefix is that of a folder beside this one, which has the same files: manuals refer to each other."""
    name = prefix.rstrip("/").rpartition("/")[2]
    beside = folder.absolute().parent / name
    if name == folder.absolute().name or not beside.is_dir():
        return False
    return all((beside / path[len(prefix) :]).is_file() for path in sorted(fitting)[:_FEW])


def _of_cname(name: str) -> Claimed | None:
    """Return the place according to `CNAME`."""
    if name == "":
        return None
    beginning = f"https://{name.lower()}"
    return Claimed(FolderPlace(origin(split(beginning)), ROOT), ("CNAME",), Counter((beginning,)), {})


def _fits(place: FolderPlace, found: Sample, rooted: PathsFromRoot, prefix: str | None, files: FilePaths) -> bool:
    """Whether a place fits what the pages refer to.

    It does not if the paths from the root have another prefix, or if more of them lead to files as if the folder were
    the root than lead to files of that place; nor if most of the whole URIs of that place lead to no file, whether a
    URI counts once or for each page.
    """
    if prefix is not None and prefix != place.path:
        return False
    counts = Counter(uri for page in found.whole for uri in page if place.origin[1] in uri.lower())
    right: list[int] = []
    wrong: list[int] = []
    for uri, count in counts.items():
        below = _below(uri, place)
        if below is not None:
            (wrong if files.file_of(below) is None else right).append(count)
    if len(wrong) > max(_FEW, len(right)) and sum(wrong) > sum(right):
        return False
    return place.path == ROOT or rooted.weight(ROOT) <= rooted.weight(place.path) + sum(right)


def _below(uri: str, place: FolderPlace) -> str | None:
    """Return the path of a URI below a place; None if it is not below."""
    parts = split(uri)
    path = decode_path(parts.path) or "/"
    return path[len(place.path) :] if path.startswith(place.path) and origin(parts) == place.origin else None
