"""What a target leads to, according to the files of the site: the only place that decides this.

A target is a URI; one on the site is written as a slash and the rest after the URI of the site.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

from rehref.documents.base import clean, without_fragment
from rehref.site._grounds.forge_pages import forges_of
from rehref.site._grounds.serving import Located
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.fragments import (
    Defined,
    LeadsOn,
    names_something,
    shown_fragment,
    without_directive,
)
from rehref.uri.components import split

NUL = "\0"
FINE: Final = 0
"""The mark of a target that is right according to the files, and has no fragment to look up."""
BROKEN: Final = -1
SKIPPED: Final = -2
"""Marks of targets that are wrong, and of targets that are not checked. All other marks number fragments, from 1."""
MISSING_FRAGMENT: Final = "missing-fragment"
"""The code of a reference whose fragment names nothing."""


class Verdict(NamedTuple):
    """What is wrong with a target."""

    code: str
    message: str


def missing_fragment(fragment: str, path: str | None = None, sent_on: LeadsOn | None = None) -> Verdict:
    """Return the verdict on a fragment that names nothing in the file at `path`; None: in the document itself.

    `sent_on`: where that file refreshes to.
    """
    where, name = "this document" if path is None else path, shown_fragment(fragment)
    if path is None or sent_on is None or sent_on.path == "" or not sent_on.at_once:
        message = f"nothing in {where} has the id {name}"
    elif sent_on.keeps_fragment:
        message = f"nothing in {sent_on.path}, to which {path} refreshes, has the id {name}"
    else:
        message = f"{path} refreshes to {sent_on.path}, and browsers drop the fragment {name}"
    return Verdict(MISSING_FRAGMENT, message)


def uri_of(context: SiteContext, target: str) -> str:
    """Return the URI of a target; "/" begins a path below the root of the site."""
    return _glued(context.uri, target[1:]) if target[:1] == "/" else target


@lru_cache(maxsize=4096)  # a target of many references is one text, sent to the first process once
def _glued(site_uri: str, path: str) -> str:
    return site_uri + path


def leads_elsewhere(context: SiteContext, uri: str, reference: str) -> bool:
    """Whether a reference with that URI leads to another site.

    A path that leads out of the site, but stays on its host, does not: it is reported, unless the reference names the
    host.
    """
    located = context.locator.locate(without_fragment(uri))
    return located.outside and (located.code == "" or split(clean(reference)).authority is not None)


_MOST_REMEMBERED: Final = 50_000


class Leads(NamedTuple):
    """Where a target without a fragment leads, and whether fragments are looked up there."""

    located: Located
    has_names: bool


def leads_of(context: SiteContext, target: str) -> Leads:
    """Return where a target without a fragment leads."""
    located = context.locator.locate(uri_of(context, target))
    path = located.path
    has_names = path is not None and context.options.fragments and context.files.types.has_names(path)
    return Leads(located, has_names)


def names_lines(context: SiteContext, document: str, path: str, fragment: str) -> bool:
    """Whether a fragment names lines of the file at a path, on a forge for which the folder is (`forge_pages.py`)."""
    types, query = context.files.types, document.partition("?")[2]
    forges = forges_of(context.options.how.dialect) if types.has_sources else ()
    return any(forge.names_lines(types.of(path), query, fragment) for forge in forges)


class TargetClassifier(dict[str, int]):
    """The marks of targets, each computed once for all documents that a worker reads, unless there are very many.

    `broken` has what is wrong with the broken ones; `fragments` those to look up, by number, from 1 on: the path of a
    document, NUL, fragment.
    """

    __slots__ = ("_context", "_leads", "_numbers", "broken", "fragments")

    def __init__(self, context: SiteContext) -> None:
        super().__init__()
        self.broken: dict[str, Verdict] = {}
        self.fragments: list[str] = []
        self._numbers: dict[str, int] = {}
        self._context = context
        self._leads: dict[str, Leads] = {}

    def forget_many(self) -> None:
        """Forget all marks if there are very many: between two chunks, since their numbers count within one."""
        if len(self) > _MOST_REMEMBERED:
            for known in (self, self.broken, self.fragments, self._numbers):
                known.clear()

    def path(self, target: str) -> str | None:
        """Return the file that a target leads to; None if it is broken or skipped."""
        located = self._lead(target.partition("#")[0]).located
        return None if located.code or located.outside else located.path

    def number(self, fragment: str) -> int:
        """Return the number of a fragment, written as in `fragments`; 0 if no target has it."""
        return self._numbers.get(fragment, 0)

    def verdict(self, target: str, defined: Callable[[str], Defined | None]) -> Verdict | None:
        """Return what is wrong with a target, including its fragment. `defined`: as for `names_something`."""
        mark = self[target]
        if mark <= 0:
            return self.broken.get(target)
        path, _, fragment = self.fragments[mark - 1].partition(NUL)
        if names_something(path, fragment, defined, self._context.options.script_ids):
            return None
        found = defined(path)
        return missing_fragment(fragment, path, None if found is None else found.sent_on)

    def __missing__(self, target: str) -> int:
        """Classify a new target.

        It is skipped if it leads out of the site; broken if there is no file for it; else it is fine, or its fragment
        must be looked up in the file. The fragment of a redirection takes precedence over the link's (RFC 9110
        §10.2.2).
        """
        mark = self[target] = self._mark(target)
        return mark

    def _mark(self, target: str) -> int:
        document, _, fragment = target.partition("#")
        located, has_names = self._leads.get(document) or self._lead(document)
        if located.code:
            self.broken[target] = Verdict(located.code, located.message)
            return BROKEN
        path = located.path
        if located.outside or path is None:
            return SKIPPED
        fragment = without_directive(fragment if located.fragment is None else located.fragment)
        if fragment == "" or not has_names or names_lines(self._context, document, path, fragment):
            return FINE
        named = path + NUL + fragment
        number = self._numbers.setdefault(named, len(self._numbers) + 1)
        if number > len(self.fragments):
            self.fragments.append(named)
        return number

    def _lead(self, document: str) -> Leads:
        """Return where a target without its fragment leads."""
        leads = self._leads.get(document)
        if leads is None:
            if len(self._leads) >= _MOST_REMEMBERED:
                self._leads.clear()
            leads = self._leads[document] = leads_of(self._context, document)
        return leads
