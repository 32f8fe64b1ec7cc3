"""`vercel.json`, as far as it says what paths lead to (vercel.com/docs/project-configuration).

1. With `"cleanUrls": true`, `/a` is `a.html`, and so is `/a/`. Redirections and rewrites are not read.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Final

from rehref.checking.hosting.host_files import read_host_file
from rehref.checking.hosting.hosts import Host
from rehref.files.file_errors import FileError

VERCEL_FILE: Final = "vercel.json"


def with_clean_urls(host: Host, folder: Path, paths: Collection[str]) -> Host:
    """The host, as `vercel.json` has it, if it is the one that reads it (rule 1). Raises nothing."""
    if host.unread_file != VERCEL_FILE or VERCEL_FILE not in paths:
        return host
    try:
        said = json.loads(read_host_file(folder, VERCEL_FILE))
    except (FileError, ValueError, RecursionError):
        return host
    is_clean = isinstance(said, dict) and said.get("cleanUrls") is True
    return replace(host, fallback_extensions=("html",), slash_after_file=True) if is_clean else host
