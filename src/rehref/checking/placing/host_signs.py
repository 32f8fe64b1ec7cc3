"""Which host a folder is for, according to its URL, and to files that only that host reads.

1. A name below a domain of a host (`Host.domain`: `anna.github.io`) is served by that host, whatever files there are.
2. Else a file that no other host reads (`Host.own_files`: `netlify.toml`, `vercel.json`, `wrangler.toml`) names its
   host; if files name two hosts, they contradict each other, and none is taken.
3. Else a file with redirections names the first host that reads it: `_redirects` Netlify, which introduced it,
   `.htaccess` Apache. A folder with both may be for either, and none is taken.
4. Else a hint at a host counts (`Host.signs`). `CNAME` counts if it is one line with the name of a host.
5. Only files in the folder itself count.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import Final, NamedTuple

from rehref.checking.hosting.hosts import CNAME, HOSTS, Host
from rehref.files.file_errors import FileError
from rehref.files.inside_folder import read_within
from rehref.uri.components import split, split_authority

_NAME_OF_HOST: Final = r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z][a-z0-9-]*"


class HostSign(NamedTuple):
    """A host, and the option or the file that names it; "" if none does."""

    host: Host
    source: str = ""


def cname(folder: Path, paths: Collection[str]) -> str:
    """Return the host name in `CNAME`, in lower case; "" if there is none (rule 4). Raises nothing."""
    if CNAME not in paths:
        return ""
    try:
        data = read_within(folder, folder / CNAME)
    except FileError:
        return ""
    name = (data or b"").decode("utf-8", "replace").strip()
    return name.lower() if re.fullmatch(_NAME_OF_HOST, name, re.IGNORECASE) else ""


def host_at(uri: str) -> Host | None:
    """Return the host that serves a URI, if its domain says so (rule 1)."""
    name = (split_authority(split(uri).authority or "").host or "").lower()
    return next((host for host in HOSTS.values() if host.domain is not None and name.endswith(host.domain)), None)


def host_of(folder: Path, paths: Collection[str]) -> HostSign:
    """Return the host of a folder with files at these paths. Raises nothing."""
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
