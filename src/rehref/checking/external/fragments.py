"""What fragments may name in a page that a server sent.

1. It is read like the checked pages of a server (`rehref.checking.site.fetched`), at the URL that gave it. Content that
   browsers do not show has no names, nor has a response that is not a document.
2. If the page sends browsers on at once (`meta` refresh), the target is relative to its own base: to its `base`
   element, if it has one. Whether the fragment is kept is decided as everywhere
   (`rehref.checking.pages.fragments`).
3. Forges write `user-content-x` for an id `x` of a Markdown file, and their scripts scroll there for `#x`. Scripts also
   make lines (`#L10-L20`) and comments (`#issuecomment-1`): such fragments are right on pages with scripts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote

from rehref.base import without_fragment
from rehref.checking.expressions import Searched
from rehref.checking.external.references import url_asked
from rehref.checking.options import CheckOptions
from rehref.checking.pages.fragments import Defined, LeadsOn, keeps_fragment, names_one_of, names_something
from rehref.checking.pages.metas import refresh_of
from rehref.checking.pages.page import Page
from rehref.checking.site.fetched import pages_context, sent_document
from rehref.checking.site.files import Fetched, FetchedPage
from rehref.web.model import Answer

_OF_FORGES = re.compile(
    r"L[0-9]+(?:C[0-9]+)?(?:-L?[0-9]+(?:C[0-9]+)?)?|lines-[0-9:]+|(?:diff|discussion|event|issue|note|pullrequest)[a-z]*[-_]"
    r"?[r-]?[0-9a-f]+(?:[LR][0-9]+)*(?:-[LR]?[0-9]+)?"
).fullmatch


def defined_in(answer: Answer, options: CheckOptions) -> Defined | None:
    """What fragments may lead to in a page (rule 1); None if that is not known, and any may be right.

    The path in `Defined.sent_on` is a URL here. Raises nothing, whatever the server sent.
    """
    sent = sent_document(answer)
    if sent is None or answer.body is None:
        return None
    url = without_fragment(answer.final or answer.url)
    fetched = Fetched({url: FetchedPage(url, "", *sent)})
    context = pages_context(url, fetched, options._replace(encoding=None))  # that option is for the checked pages
    if not context.files.types.has_names(url):
        return None
    page = Page(context, url, answer.body)
    return Defined(frozenset(page.names), page.scripts, _sent_on(page, answer.body) if page.may_refresh else None)


def is_right(
    url: str, fragment: str, defined: Defined, all_defined: dict[str, Defined], ids: Sequence[Searched]
) -> bool:
    """Whether a fragment, without directives, names something in the page at a URL, or where it leads on (rules 2, 3).

    `all_defined`: what is known about all pages; `ids`: those that scripts make (`--script-ids`).
    """
    if names_something(url, fragment, all_defined.get, ids):
        return True
    text = unquote(fragment)
    is_of_forge = names_one_of(f"user-content-{text}", defined.names) or names_one_of(text.lower(), defined.names)
    return defined.scripts.any and (is_of_forge or _OF_FORGES(text) is not None)


def _sent_on(page: Page, data: bytes) -> LeadsOn | None:
    """Where a page sends browsers (rule 2)."""
    refresh = refresh_of(page.document)
    target = None if refresh is None or refresh.reference is None else page.document.resolved(refresh.reference).target
    if refresh is None or target is None or without_fragment(target) == page.path:
        return None
    return LeadsOn(url_asked(without_fragment(target)) or "", refresh.at_once, refresh.at_once and keeps_fragment(data))
