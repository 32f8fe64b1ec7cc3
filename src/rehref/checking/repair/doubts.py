"""Doubts about suggestions that are sure by their names alone.

1. A browser reads the reference differently, or a redirection of the host is not understood: the link may work.
2. The reference is a path from the root, or its document has a base that is one and applies to it, and no option says
   where the folder is on the web: the reference may be right there.
3. The page is the one that hosts show for errors (`404.html`), at any URL: a relative reference in it means another
   file each time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rehref.base import clean
from rehref.checking.model import Finding
from rehref.checking.pages.not_found import is_not_found_page
from rehref.checking.pages.reading import read_or_skip
from rehref.checking.site.site_context import SiteContext

MISSING_FILES: Final = frozenset(
    {"missing-file", "missing-index", "case-mismatch", "escapes-site", "missing-from-site"}
)


class Doubts:
    """The doubts about the suggestions for one site."""

    def __init__(self, context: SiteContext, findings: Iterable[Finding]) -> None:
        """`findings`: all of them, reported or not: they may say that links work anyway."""
        self._context = context
        self._has_base_from_root: dict[str, bool] = {}
        self._differing = {(found.document, found.span) for found in findings if found.code == "browser-differs"}
        self._unread = context.redirects is not None and bool(context.redirects.unread)

    def any_about(self, finding: Finding) -> bool:
        """Whether there is a doubt about the suggestion of a finding."""
        return (
            (finding.document, finding.span) in self._differing
            or (self._unread and finding.code in MISSING_FILES)
            or self._may_be_right_on_a_host(finding)
            or is_not_found_page(self._context, finding.document)
        )

    def _may_be_right_on_a_host(self, finding: Finding) -> bool:
        """Whether the site may be at another place than assumed (rule 2)."""
        place = self._context.place
        may_be_elsewhere = place.is_inferred or (place.basis == "file" and finding.code == "escapes-site")
        return may_be_elsewhere and self._is_from_root(finding)

    def _is_from_root(self, finding: Finding) -> bool:
        """Whether a reference is a path from the root, or relative to one (rule 2)."""
        if clean(finding.reference or "").startswith("/"):
            return True
        if finding.base is None or finding.base.origin != "embedded":
            return False
        document = finding.document
        if document not in self._has_base_from_root:
            self._has_base_from_root[document] = _has_base_from_root(self._context, document)
        return self._has_base_from_root[document]


def _has_base_from_root(context: SiteContext, document: str) -> bool:
    """Whether one of the embedded bases of a document is a path from the root."""
    data = read_or_skip(context, document) or b""
    links = context.document_of(document, data).links()
    return any(link.kind == "base" and clean(link.reference).startswith("/") for link in links)
