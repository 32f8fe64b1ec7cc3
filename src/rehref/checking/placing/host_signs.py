"""Which host a folder is for, by the files that only that host reads.

1. `netlify.toml`, `vercel.json`, and those of Cloudflare Pages (`wrangler.toml`, `_worker.js`, `_routes.json`) name
   theirs; two hosts that are named so contradict each other, and nothing is taken.
2. Else `_redirects` is read by Netlify, which brought it up, and by Cloudflare Pages; `.htaccess` by Apache. A folder
   with both is for either, and nothing is taken.
3. Else `CNAME`, which has the name of a host in one line ("Managing a custom domain"), and `.nojekyll` are for GitHub
   Pages.
4. The files stand in the folder itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from rehref.checking.hosting.hosts import HOSTS, Host
from rehref.files.file_errors import FileError
from rehref.files.inside_folder import read_within

_NAMED: Final = MappingProxyType(
    {
        "netlify.toml": "netlify",
        "vercel.json": "vercel",
        "wrangler.toml": "cloudflare-pages",
        "wrangler.json": "cloudflare-pages",
        "wrangler.jsonc": "cloudflare-pages",
        "_worker.js": "cloudflare-pages",
        "_routes.json": "cloudflare-pages",
    }
)
_READ: Final = MappingProxyType({"_redirects": "netlify", ".htaccess": "apache"})
CNAME: Final = "CNAME"
_WEAK: Final = MappingProxyType({".nojekyll": "github-pages", CNAME: "github-pages"})

_NAME_OF_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z][a-z0-9-]*", re.IGNORECASE).fullmatch


class HostSign(NamedTuple):
    """A host, and the option or the file that names it; "" if none does."""

    host: Host
    source: str = ""


def cname(folder: Path, paths: Collection[str]) -> str:
    """The name of the host in `CNAME`, in lower case; "" if there is none (rule 3). Raises nothing."""
    if CNAME not in paths:
        return ""
    try:
        data = read_within(folder, folder / CNAME)
    except FileError:
        return ""
    name = (data or b"").decode("utf-8", "replace").strip()
    return name.lower() if _NAME_OF_HOST(name) else ""


def host_of(folder: Path, paths: Collection[str]) -> HostSign:
    """The host of a folder with files at some paths. Raises nothing."""
    for signs in (_NAMED, _READ, _WEAK):
        found = {signs[file]: file for file in reversed(signs) if file in paths}
        if found.get("github-pages") == CNAME and cname(folder, paths) == "":
            continue
        if len(found) == 1:
            name, file = found.popitem()
            return HostSign(HOSTS[name], file)
        if found:
            break
    return HostSign(HOSTS["none"])
