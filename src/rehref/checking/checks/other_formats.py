"""Files with names of documents that begin like an image or a similar format: the code `other-format`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rehref.checking.model import Finding
from rehref.checking.pages.tables import SiteTable
from rehref.checking.site.site_context import SiteContext


def findings(context: SiteContext, table: SiteTable, facts: Mapping[str, object]) -> Iterator[Finding]:
    """Yield the findings for files that are not documents."""
    for path, what in table.other_formats.items():
        message = f"the file is {what}, not a document, whatever its name says"
        yield Finding(document=path, code="other-format", message=message)
