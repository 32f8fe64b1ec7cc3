"""What fragments may lead to in a single file, which is read for that: for callers that ask about few files.

1. The passes through a site collect the same for all its documents (`rehref.checking.pages.tables`).
"""

from __future__ import annotations

from rehref.checking.browsing.fragments import Defined
from rehref.checking.pages.metas import leads_on
from rehref.checking.pages.page import Page
from rehref.checking.pages.reading import read
from rehref.checking.site.site_context import SiteContext
from rehref.documents.reading import UnknownMediaTypeError
from rehref.files.file_errors import FileError


def defined_in(context: SiteContext, path: str) -> Defined | None:
    """Return what fragments may lead to in a file of the site; None if that is not known."""
    if not context.files.types.has_names(path):
        return None
    try:
        data = read(context, path)
        page = Page(context, path, data)
        sent_on = leads_on(context, path, data, page.document) if page.may_refresh else None
        return Defined(frozenset(page.names), page.scripts, sent_on)
    except (FileError, UnknownMediaTypeError):
        return None
