"""XML that is not well-formed, and notebooks that are not JSON: the code `not-well-formed`.

1. One finding for each document, at the place of the first error (`rehref.documents._not_well_formed`).
2. JSON that is nested too deeply has no place of an error; nothing in it is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rehref.documents.media_types import MediaType
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.read_page import ReadPage
from rehref.site._pages.site_tables import SiteTable
from rehref.site.findings import Finding

if TYPE_CHECKING:
    from rehref.documents._not_well_formed import NotWellFormed


def collect(read: ReadPage) -> NotWellFormed | None:
    """Return the first error of a page that is XML, or a notebook."""
    if read.page.media_type == MediaType.NOTEBOOK:
        return _not_json(read.data)
    if read.page.is_html or read.page.media_type is None or read.page.media_type.reader != "xml":
        return None
    from rehref.documents._not_well_formed import not_well_formed

    return not_well_formed(read.data)


def _not_json(data: bytes) -> NotWellFormed | None:
    """Return the first error of a notebook (rule 2)."""
    import json  # a check of pages alone does not need it

    from rehref.documents._not_well_formed import NotWellFormed

    try:
        json.loads(data.decode("utf-8-sig", "replace"))
    except json.JSONDecodeError as error:
        return NotWellFormed(error.msg.lower(), error.lineno, error.colno)
    except ValueError:  # a number with more digits than Python reads: it is well-formed
        return None
    except RecursionError:
        return NotWellFormed("it is nested too deeply", 1, 1)
    return None


def findings(context: SiteContext, table: SiteTable, facts: Mapping[str, NotWellFormed]) -> Iterator[Finding]:
    """Yield the findings for documents that are not well-formed."""
    for path, wrong in facts.items():
        what = "JSON" if context.files.types.of(path) == MediaType.NOTEBOOK else "well-formed XML"
        message = f"the document is not {what}: {wrong.message}"
        yield Finding(document=path, code="not-well-formed", message=message, line=wrong.line, column=wrong.column)
