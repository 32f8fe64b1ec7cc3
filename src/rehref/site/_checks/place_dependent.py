"""References that are right on the forge, and dead at another place of their document: the code `place-dependent`.

Each relative reference of a link or an image is resolved as each place does (`site/_grounds/publishing.py`), and looked
up in the working tree. What leads out of the folder is not looked up, and not reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rehref.documents.base import clean
from rehref.documents.link import Link
from rehref.site._grounds.publishing import Publication
from rehref.site._grounds.repository import Repository
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.classifier import TargetClassifier
from rehref.site._pages.made_findings import collected, finding_of
from rehref.site._pages.read_page import ReadPage
from rehref.site._pages.site_tables import SiteTable
from rehref.site._paths import decode_path, shown
from rehref.site.findings import Finding
from rehref.uri.components import split


def collect(read: ReadPage) -> list[tuple[Any, ...]] | None:
    """Return the findings of a document that is at several places; as plain tuples."""
    published = read.context.published.get(read.path)
    if published is None:
        return None
    found = (_finding(read, link, published) for link in read.page.document.links())
    return [tuple(finding) for finding in found if finding is not None] or None


def findings(
    context: SiteContext, table: SiteTable, facts: Mapping[str, Sequence[tuple[Any, ...]]]
) -> Iterator[Finding]:
    """Yield these findings, without those whose fragments are missing on the forge, too: these are reported as such."""
    classifier = TargetClassifier(context)
    for finding in collected(facts):
        if classifier.verdict(context.target_of(finding.target or ""), table.defined) is None:
            yield finding


def _finding(read: ReadPage, link: Link, published: Publication) -> Finding | None:
    """Return the finding about a link, if there is one."""
    context, reference, target = read.context, clean(link.reference), link.target or ""
    parts, path = split(reference), read.classifier.path(context.target_of(target))
    is_relative = parts.scheme is None and parts.authority is None and parts.path != ""
    if path is None or not is_relative or not context.scope.chooses(target, reference):
        return None
    targets = ((place.label, place.target(link, root)) for place, root in published.elsewhere)
    there = [(at, read.classifier.path(context.target_of(uri))) for at, uri in targets if uri is not None]
    wrong = [f"{'dead' if to is None else f'leads to {shown(to)}'} on {at}" for at, to in there if to != path]
    if not wrong:
        return None
    message = f"{shown(link.reference)}: right on {published.repository.forge}, {', '.join(wrong)}"
    new = f"#{parts.fragment}" if path == read.path and parts.fragment else _whole(context, link, published.repository)
    return finding_of(read.path, link, "place-dependent", message)._replace(suggestion=new, sure=True)


def _whole(context: SiteContext, link: Link, repository: Repository) -> str:
    """Return the URI by which the forge shows the target of a link, which is right wherever the reference is.

    It is a page for a link (`blob`, `tree`), the bytes for an image (`raw`). One to a heading of the document itself
    needs the fragment alone.
    """
    from rehref.uri.normalization import percent_encode  # few sites have such links

    below = (link.target or "")[len(context.uri) :]
    is_folder = decode_path(f"/{split(below).path}").strip("/") in context.files.folders
    view = "tree" if is_folder else "blob" if link.element == "a" else "raw"
    return percent_encode(repository.uri_of(repository.folder, view) + below)
