"""What was not read: the codes `unreadable` and `other-format`; for pages of a server, the codes of failed requests.

Files with names of documents that begin like an image or a similar format are `other-format`. A page that was named and
could not be fetched is an error, whatever its code is elsewhere: it was not checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.site_tables import SiteTable
from rehref.site.findings import Finding


def findings(context: SiteContext, table: SiteTable, facts: Mapping[str, object]) -> Iterator[Finding]:
    """Yield the findings for what could not be listed, read or fetched, and for files that are not documents."""
    unread = [*((error.file, error.what) for error in context.files.errors), *table.unreadable.items()]
    for path, what in unread:
        yield Finding(document=path, code="unreadable", message=what)
    for url, code, message in () if context.fetched is None else context.fetched.failed:
        yield Finding(document=url, code=code, message=message, target=url, asked_severity="error")
    for path, what in table.other_formats.items():
        message = f"the file is {what}, not a document, whatever its name says"
        yield Finding(document=path, code="other-format", message=message)
