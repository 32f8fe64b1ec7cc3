"""Files and folders that cannot be read: the code `unreadable`; pages of a server that could not be fetched: their own
codes.

A page that was named and could not be fetched is an error, whatever its code is elsewhere: it was not checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rehref.checking.model import Finding
from rehref.checking.pages.tables import SiteTable
from rehref.checking.site.site_context import SiteContext


def findings(context: SiteContext, table: SiteTable, facts: Mapping[str, object]) -> Iterator[Finding]:
    """Yield the findings for folders that could not be listed, and for documents that could not be read."""
    unread = [*((error.file, error.what) for error in context.files.errors), *table.unreadable.items()]
    for path, what in unread:
        yield Finding(document=path, code="unreadable", message=what)
    for url, code, message in () if context.fetched is None else context.fetched.failed:
        yield Finding(document=url, code=code, message=message, target=url, asked_severity="error")
