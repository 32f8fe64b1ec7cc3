"""`vercel.json`, as far as it sets what paths lead to (vercel.com/docs/project-configuration).

1. With `"cleanUrls": true`, `/a` is `a.html`, and so is `/a/`. Redirections and rewrites: see `vercel_redirects`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def vercel_settings(data: bytes) -> Mapping[str, Any]:
    """Return what the file changes in the rules of its host: fields of `Host` (rule 1). Raises nothing."""
    import json

    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    is_clean = isinstance(said, dict) and said.get("cleanUrls") is True
    return {"fallback_extensions": ("html",), "slash_after_file": True} if is_clean else {}
