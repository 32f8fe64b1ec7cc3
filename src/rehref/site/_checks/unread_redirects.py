"""Redirections that are not used: the codes `redirect-not-read` and `redirects-not-used`.

Each unused rule of a file with redirections is a warning at its line; so is such a file as a whole. `_redirects` is a
note if the host does not read it: either the folder is for another host, or the file is useless.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rehref.site._grounds.site_context import SiteContext
from rehref.site._hosts.hosts import HOSTS
from rehref.site._pages.site_tables import SiteTable
from rehref.site.findings import Finding

_FILE: Final = "_redirects"


def findings(context: SiteContext, table: SiteTable, facts: Mapping[str, object]) -> Iterator[Finding]:
    """Yield the findings for redirections that are not used."""
    for file, line, reason in () if context.redirects is None else context.redirects.unread:
        column = None if line is None else 1
        yield Finding(document=file, code="redirect-not-read", message=reason, line=line, column=column)
    host = context.host
    if _FILE in context.files.paths and _FILE not in host.redirect_files:
        others = " or ".join(one.name for one in HOSTS.values() if _FILE in one.redirect_files)
        is_named = context.place.host_source != ""
        subject = f"{host.name} does not read it" if is_named else "without --host it is not read"
        yield Finding(document=_FILE, code="redirects-not-used", message=f"{subject}; {others} would")
