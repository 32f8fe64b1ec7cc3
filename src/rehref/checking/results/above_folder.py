"""Where references lead that go above the checked folder, such as those to manuals beside it: `../glib/x.html`.

1. If the folder counts as the root of its host, browsers drop the surplus `..` (`above-root`), and then find a file or
   none (`missing-file`). If it is elsewhere, the reference leads out of the site (`escapes-site`).
2. A whole URI and a path from the root do not climb, nor does a whole URI that was made relative.
"""

from __future__ import annotations

import posixpath
import re
from typing import Final

from rehref.base import clean
from rehref.checking.model import Finding
from rehref.checking.paths import decode_path
from rehref.checking.site.site_context import SiteContext
from rehref.documents.problems import above_root
from rehref.uri.components import split

MISSING: Final = frozenset({"missing-file", "missing-endpoint"})
"""The codes of references to files that are not there."""
ESCAPES_SITE: Final = "escapes-site"
_UP: Final = "../"
_NO_PATH = re.compile(r"/|[a-z][a-z0-9+.-]*:", re.IGNORECASE).match
"""Matches a path from the root, and a whole URI."""
was_made_relative = re.compile(r"[^?#]*/[a-z][a-z0-9+.-]*:/", re.IGNORECASE).match
"""Matches a whole URI that was made relative (`../https://example.org/`)."""


def above_folder(context: SiteContext, finding: Finding) -> str | None:
    """Return where a reference above the folder leads, as a path from the folder, decoded; None for all others."""
    reference = clean(finding.reference).replace("\\", "/")  # as browsers read it
    if _UP not in reference or _NO_PATH(reference) or was_made_relative(reference):
        return None
    if finding.target is None or finding.base is None:
        return None
    path, site = decode_path(split(finding.target).path), decode_path(split(context.uri).path)
    if not path.startswith(site):
        return posixpath.relpath(path, site)
    surplus = above_root(reference, finding.base.uri, context.options.how.profile)
    return _UP * surplus + path[len(site) :] if surplus else None


def beside(path: str) -> str:
    """Return the first folder or file that a path above the folder enters: `../glib` for `../glib/x.html`."""
    names = path.split("/")
    return "/".join(names[: names.count("..") + 1])
