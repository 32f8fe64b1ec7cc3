"""Redirections of the host that are not understood: the code `redirect-not-read`.

1. Each line of `_redirects` or `.htaccess` that is not taken is a warning at its line; so is such a file as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rehref.checking.model import Finding
from rehref.checking.pages.tables import SiteTable
from rehref.checking.site.site_context import SiteContext


def findings(context: SiteContext, table: SiteTable, facts: Mapping[str, object]) -> Iterator[Finding]:
    """The findings for redirections that are not understood."""
    for file, line, reason in () if context.redirects is None else context.redirects.unread:
        column = None if line is None else 1
        yield Finding(document=file, code="redirect-not-read", message=reason, line=line, column=column)
