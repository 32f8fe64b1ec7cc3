"""References that are right on the forge, and dead at another place of their document: the code `place-dependent`.

1. Each relative reference of a link or an image is resolved as each place does (`checking/site/publishing.py`), and
   looked up in the working tree. What the forge does not have is missing, and reported as such.
2. The reference that is right everywhere is whole: on the forge, a page for a link (`blob`, `tree`), the bytes for an
   image (`raw`). One to a heading of the document itself needs the fragment alone. Both are sure.
3. What leads out of the folder is not looked up, and not reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rehref.base import clean, without_fragment
from rehref.checking.model import Finding, collected, finding_of
from rehref.checking.pages.read_page import ReadPage
from rehref.checking.pages.tables import SiteTable
from rehref.checking.paths import decode_path, shown
from rehref.checking.site.publishing import Publication
from rehref.checking.site.site_context import SiteContext
from rehref.documents.link import Link
from rehref.uri.components import split

CODE: Final = "place-dependent"
"""The code of a reference whose target depends on the place of its document."""
_FOLLOWED: Final = frozenset({("a", "href"), ("img", "src")})


def collect(read: ReadPage) -> list[tuple[Any, ...]] | None:
    """Return the findings of a document that is at several places; as plain tuples."""
    places = read.context.published.get(read.path)
    if places is None:
        return None
    found = (_finding(read.context, read.path, link, *places) for link in read.page.document.links())
    return [tuple(finding) for finding in found if finding is not None] or None


def findings(
    context: SiteContext, table: SiteTable, facts: Mapping[str, Sequence[tuple[Any, ...]]]
) -> Iterator[Finding]:
    """Yield these findings."""
    return collected(facts)


def _finding(
    context: SiteContext, document: str, link: Link, forge: Publication, *others: Publication
) -> Finding | None:
    """Return the finding about a link, if there is one (rules 1, 3)."""
    reference = clean(link.reference)
    parts = split(reference)
    is_followed = (link.element, link.attribute) in _FOLLOWED and context.scope.chooses(link.target or "", reference)
    if not is_followed or parts.scheme is not None or parts.authority is not None or parts.path == "":
        return None
    target = forge.target(reference)
    path = _led_to(context, target)
    there = [(place.label, _led_to(context, place.target(reference))) for place in others]
    wrong = [f"{'dead' if to is None else f'leads to {shown(to)}'} on {label}" for label, to in there if to != path]
    if path is None or not wrong:
        return None
    message = f"{shown(link.reference)}: right on {forge.label}, {', '.join(wrong)}"
    new = f"#{parts.fragment}" if path == document and parts.fragment else _whole(context, forge, target, path, link)
    return finding_of(document, link, CODE, message)._replace(suggestion=new, sure=True)


def _whole(context: SiteContext, forge: Publication, target: str, path: str, link: Link) -> str:
    """Return the URI by which the forge shows a target, a path of the folder, wherever the reference is (rule 2)."""
    view = "tree" if path in context.files.folders else "raw" if link.element == "img" else "blob"
    repository, _, branch = forge.root.rpartition("/blob/")
    return f"{repository}/{view}/{branch}{target[len(forge.root) :]}"


def _led_to(context: SiteContext, uri: str) -> str | None:
    """Return the file or folder that a URI of the repository leads to; None: it does not lead to one that is there."""
    mapped = context.locator.mapped(without_fragment(uri))
    if not mapped.startswith(context.uri):
        return None
    path = decode_path(split(mapped[len(context.uri) - 1 :]).path).strip("/")
    return path if path in context.files.paths or path in context.files.folders else None
