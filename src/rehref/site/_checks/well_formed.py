"""XML that is not well-formed, notebooks that are not JSON, and MDX that is not MDX: the code `not-well-formed`.

One finding for each document, at the place of the first error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rehref.documents.media_types import MediaType
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.read_page import ReadPage
from rehref.site._pages.site_tables import SiteTable
from rehref.site.findings import Finding

_LANGUAGES: Final = {MediaType.NOTEBOOK: "JSON", MediaType.MARKDOWN: "MDX"}


def collect(read: ReadPage) -> tuple[str, int, int] | None:
    """Return what is wrong with a page that is XML or MDX, or with a notebook, and where: line and column."""
    return read.page.document.not_well_formed()


def findings(context: SiteContext, table: SiteTable, facts: Mapping[str, tuple[str, int, int]]) -> Iterator[Finding]:
    """Yield the findings for documents that are not well-formed."""
    for path, (wrong, line, column) in facts.items():
        its_type = context.files.types.of(path)
        what = "well-formed XML" if its_type is None else _LANGUAGES.get(its_type, "well-formed XML")
        message = f"the document is not {what}: {wrong}"
        yield Finding(document=path, code="not-well-formed", message=message, line=line, column=column)
