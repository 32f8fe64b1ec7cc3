"""Links to folders whose path a host answers as it is: the code `unadded-slash`.

Most hosts redirect `/guide` to `/guide/`. Some answer both, or redirect to the path without the slash
(`Host.folder_slash`): there, the relative references of the folder's index page lead to what is beside the folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from rehref.documents.base import clean, without_fragment
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.classifier import TargetClassifier
from rehref.site._pages.made_findings import finding_of
from rehref.site._pages.read_page import ReadPage
from rehref.site._pages.reading_site_pages import read_or_skip
from rehref.site._pages.site_page import SitePage
from rehref.site._pages.site_tables import SiteTable
from rehref.site._pages.targets import Targets, leads_somewhere
from rehref.site._paths import decode_path, shown
from rehref.site.findings import Finding

_IS_RELATIVE = re.compile(r"(?![/\\#?]|[A-Za-z][A-Za-z0-9+.\-]*:)").match


class PageFacts(NamedTuple):
    """`relative`: a relative reference of the page, if it has one. `links`: to folders, each after its index page."""

    relative: str | None
    links: list[tuple[str, tuple[Any, ...]]]


def collect(read: ReadPage) -> PageFacts | None:
    """Return what a page says about folders; None if that does not matter on its host."""
    if read.context.host.folder_slash == "added":
        return None
    relative = _relative(read) if read.path.rpartition("/")[2] in read.context.host.index_names else None
    links = list(_links(read))
    return PageFacts(relative, links) if relative is not None or links else None


def findings(context: SiteContext, table: SiteTable, facts: Mapping[str, PageFacts]) -> Iterator[Finding]:
    """Yield the findings for links to folders whose index pages have relative references."""
    does = "answers" if context.host.folder_slash == "optional" else "redirects to"
    unread = {index for page in facts.values() for index, _ in page.links}.difference(context.scope.checked)
    others = {index: _relative_in(context, index) for index in unread}
    for page in facts.values():
        for index, values in page.links:
            relative = facts[index].relative if index in facts else others.get(index)
            if relative is not None:
                folder = index.rpartition("/")[0]
                message = (
                    f"{context.host.name} {does} {shown(folder)} without a slash, so that relative references of "
                    f"{shown(index)} lead elsewhere ({shown(relative)})"
                )
                yield Finding._make(values)._replace(message=message)


def _relative_in(context: SiteContext, path: str) -> str | None:
    """Return a reference of a page that was not read: one that is not checked, but a checked link leads to its folder.

    Raises nothing.
    """
    data = read_or_skip(context, path)
    if data is None:
        return None
    page = SitePage(context, path, data)
    return _relative(ReadPage(page, data, TargetClassifier(context), Targets(context).of(page)))


def _relative(read: ReadPage) -> str | None:
    """Return a reference of a page that leads elsewhere if the page is at the path without the slash.

    A page with a `<base>` has none, as far as that says more than a path from its own folder.
    """
    if read.page.document.base.origin != "retrieval":
        return None
    resolved = ((each.reference, read.page.document.resolved(each.reference)) for each in read.used.others)
    others = (link.reference for reference, link in resolved if leads_somewhere(reference, link))
    values = map(clean, chain(read.page.values.texts, others))
    return next((value for value in values if value and _IS_RELATIVE(value)), None)


def _links(read: ReadPage) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield the links of a page to the paths of folders, each with the index page."""
    context, values = read.context, read.page.values
    ordinary = values.at([target is not None and _names_folder(context, target) for target in read.used.targets])
    for number in sorted((*ordinary, *values.others)):
        if read.page.is_for_nobody(number):
            continue
        for reference in read.page.document.references_at(number):
            link = read.page.document.link(reference)
            index = _index_of(context, link.target or "") if link.kind == "hyperlink" else None
            if index is not None and context.scope.chooses(link.target or ""):
                yield index, tuple(finding_of(read.path, link, "unadded-slash", ""))


def _names_folder(context: SiteContext, target: str) -> bool:
    """Return whether a target on the site, as its path below that, may name a folder."""
    return decode_path(without_fragment(target).partition("?")[0]).strip("/") in context.files.folders


def _index_of(context: SiteContext, uri: str) -> str | None:
    """Return the index page of the folder that a URI names, if its path has no slash where the reader ends."""
    path = without_fragment(uri).partition("?")[0]
    if not path.startswith(context.uri) or (path.endswith("/") and context.host.folder_slash == "optional"):
        return None
    folder = decode_path(path[len(context.uri) :]).rstrip("/")
    redirects = context.redirects
    if folder not in context.files.folders or (redirects is not None and redirects.overrides(redirects.root + folder)):
        return None
    index = context.locator.locate(path).path
    return index if index is not None and folder and index.rpartition("/")[0] == folder else None
