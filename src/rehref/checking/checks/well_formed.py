"""XML that is not well-formed: the code `not-well-formed`.

1. One finding for each document, at the place of the first error (`rehref.documents.well_formed`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rehref.checking.model import Finding
from rehref.checking.pages.read_page import ReadPage
from rehref.checking.pages.tables import SiteTable
from rehref.checking.site.site_context import SiteContext
from rehref.documents.media_types import reader_of

if TYPE_CHECKING:
    from rehref.documents.well_formed import NotWellFormed


def collect(read: ReadPage) -> NotWellFormed | None:
    """Return the first error of a page that is XML."""
    if read.page.is_html or reader_of(read.page.media_type or "") != "xml":
        return None
    from rehref.documents.well_formed import not_well_formed

    return not_well_formed(read.data)


def findings(context: SiteContext, table: SiteTable, facts: Mapping[str, NotWellFormed]) -> Iterator[Finding]:
    """Yield the findings for XML that is not well-formed."""
    for path, wrong in facts.items():
        message = f"the document is not well-formed XML: {wrong.message}"
        yield Finding(document=path, code="not-well-formed", message=message, line=wrong.line, column=wrong.column)
