"""What fragments may name in a page that a server sent, now or in an earlier run (`rehref.web._cache`).

A page is read like the checked pages of a server (`rehref.site._grounds.fetched`), at the URL that gave it. The names
in a page are kept with its answer, since bodies are not.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import unquote

from rehref.documents.base import without_fragment
from rehref.site._expressions import Searched
from rehref.site._external.references_elsewhere import url_asked
from rehref.site._grounds.fetched import pages_context, sent_document
from rehref.site._grounds.files import Fetched, FetchedPage
from rehref.site._pages.fragments import (
    Defined,
    LeadsOn,
    Scripts,
    keeps_fragment,
    names_one_of,
    names_something,
)
from rehref.site._pages.metas import refresh_of
from rehref.site._pages.script_fragments import is_filled_by_scripts
from rehref.site._pages.site_page import SitePage
from rehref.site.check_options import CheckOptions
from rehref.web.answers import Answer, Question
from rehref.web.kept_answers import Cache, Kept

_OF_FORGES = re.compile(
    r"""
    L[0-9]+ (?:C[0-9]+)? (?:-L?[0-9]+ (?:C[0-9]+)?)?                        # lines of a file
    | lines-[0-9:]+
    | (?:diff|discussion|event|issue|note|pullrequest) [a-z]* [-_]? [r-]? [0-9a-f]+
      (?:[LR][0-9]+)* (?:-[LR]?[0-9]+)?                                     # lines of a difference
    """,
    re.VERBOSE,
).fullmatch


def names_in(answer: Answer, options: CheckOptions) -> Defined | None:
    """What fragments may lead to in a page; None if that is not known, and any may be right.

    Content that browsers do not show has no names, nor has a response that is not a document. The path in
    `Defined.sent_on` is a URL here. Raises nothing, whatever the server sent.
    """
    sent = sent_document(answer)
    if sent is None or answer.body is None:
        return None
    url = without_fragment(answer.final or answer.url)
    fetched = Fetched({url: FetchedPage(url, "", *sent)})
    context = pages_context(url, fetched, options._replace(encoding=None))  # that option is for the checked pages
    if not context.files.types.has_names(url):
        return None
    page = SitePage(context, url, answer.body)
    if not page.may_refresh and is_filled_by_scripts(page):
        return None
    return Defined(frozenset(page.names), page.scripts, _sent_on(page, answer.body) if page.may_refresh else None)


def is_defined(
    url: str, fragment: str, defined: Defined, all_defined: dict[str, Defined], ids: Sequence[Searched]
) -> bool:
    """Whether a fragment, without directives, names something in the page at a URL, or where it leads on.

    Forges write `user-content-x` for an id `x` of a Markdown file, and their scripts scroll there for `#x`. Scripts
    also make lines (`#L10-L20`) and comments (`#issuecomment-1`): such fragments are right on pages with scripts.
    `all_defined`: what is known about all pages; `ids`: those that scripts make (`--script-ids`).
    """
    if names_something(url, fragment, all_defined.get, ids):
        return True
    text = unquote(fragment)
    is_of_forge = names_one_of(f"user-content-{text}", defined.names) or names_one_of(text.lower(), defined.names)
    return defined.scripts.any and (is_of_forge or _OF_FORGES(text) is not None)


def _sent_on(page: SitePage, data: bytes) -> LeadsOn | None:
    """Where a page sends browsers at once (`meta` refresh): relative to its `base` element, if it has one.

    Whether the fragment is kept is decided as everywhere (`rehref.site._pages.fragments`).
    """
    refresh = refresh_of(page.document)
    target = None if refresh is None or refresh.reference is None else page.document.resolved(refresh.reference).target
    if refresh is None or target is None or without_fragment(target) == page.path:
        return None
    return LeadsOn(url_asked(without_fragment(target)) or "", refresh.at_once, refresh.at_once and keeps_fragment(data))


_NOT_MODIFIED: Final = 304
_LARGEST: Final = 256 * 1024  # bytes of names; a page with more is read again


class Recalled(NamedTuple):
    """An answer, and what fragments may lead to in the page; None: not known."""

    answer: Answer
    defined: Defined | None


class Remembered:
    """What earlier runs learnt about URLs; what this run learns is kept for the next one."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._stale: dict[str, Kept] = {}

    def recall(self, question: Question) -> Recalled | Question:
        """The answer that is known, if it is fresh; else the question to ask.

        If fragments are looked for in a page, and it was not read before, it is requested again. An answer that is no
        longer fresh is revalidated with what the server sent for that (`ETag`, `Last-Modified`); 304 means that nothing
        has changed.
        """
        kept = self._cache.find(question.url, time.time())
        if kept is None or (question.needs_body and kept.extra is None):
            return question
        if kept.is_fresh:
            return Recalled(kept.answer, _defined(kept.extra))
        self._stale[question.url] = kept
        return kept.asked_again(question)

    def take(self, answer: Answer, defined: Defined | None, *, has_body: bool) -> Recalled:
        """Keep an answer, and return what it means. `has_body`: whether the body was read, if it is a page."""
        kept = self._stale.pop(answer.url, None)
        if kept is not None and answer.status == _NOT_MODIFIED and answer.failure is None:
            return Recalled(self._cache.renew(kept, answer), _defined(kept.extra))
        self._cache.keep(answer, _written(defined) if has_body else None)
        return Recalled(answer, defined)

    def close(self) -> None:
        """Write what is not written yet."""
        self._cache.close()


def _written(defined: Defined | None) -> bytes | None:
    """What fragments may lead to, in the form in which it is kept; None if it is too large."""
    row: list[object] | None = None
    if defined is not None:
        scripts = defined.scripts
        kept = scripts.any, scripts.lines, scripts.numbered, scripts.views
        row = [sorted(defined.names), kept, defined.sent_on]
    data = json.dumps(row, separators=(",", ":")).encode("ascii")
    return data if len(data) <= _LARGEST else None


def _defined(data: bytes | None) -> Defined | None:
    """Read what was kept. An entry of the file counts only if it is exactly as written here."""
    try:
        row = None if data is None else json.loads(data)
        if row is None:
            return None
        names, (any_, lines, *more), sent_on = row  # older rows have two
        if sent_on is not None and sent_on[0] != "" and url_asked(sent_on[0]) != sent_on[0]:
            return None
        on = None if sent_on is None else LeadsOn(sent_on[0], bool(sent_on[1]), bool(sent_on[2]))
        scripts = Scripts(bool(any_), bool(lines), int(*more[:1]), views=bool(*more[1:2]))
        return Defined(frozenset(map(str, names)), scripts, on)
    except (ValueError, TypeError, IndexError, OverflowError, RecursionError):
        return None
