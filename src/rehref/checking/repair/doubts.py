"""What makes a suggestion unsure that is sure by the names alone.

1. A browser reads the reference differently, or a redirection of the host is not understood: the link may work.
2. The reference is a path from the root, and no option says where the folder is on the web: it may be right there.
3. The page is one that hosts show for errors (`404.html`), at any URL: a relative reference in it means another file
   each time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rehref.base import clean
from rehref.checking.browsing.not_found import is_not_found_page
from rehref.checking.model import Finding
from rehref.checking.site.site_context import SiteContext

MISSING_FILES: Final = frozenset(
    {"missing-file", "missing-index", "case-mismatch", "escapes-site", "missing-from-site"}
)


class Doubts:
    """What is doubtful in the suggestions for one site."""

    def __init__(self, context: SiteContext, findings: Iterable[Finding]) -> None:
        """`findings`: all there are, reported or not: they may say that links work all the same."""
        self._context = context
        self._differing = {(found.document, found.span) for found in findings if found.code == "browser-differs"}
        self._unread = (context.redirects is not None and bool(context.redirects.unread)) or (
            context.host.unread_file in context.files.paths
        )

    def any_about(self, finding: Finding) -> bool:
        """Whether it is not sure what was meant."""
        return (
            (finding.document, finding.span) in self._differing
            or (self._unread and finding.code in MISSING_FILES)
            or self._may_be_right_on_a_host(finding)
            or is_not_found_page(self._context, finding.document)
        )

    def _may_be_right_on_a_host(self, finding: Finding) -> bool:
        """Whether the site may be elsewhere than it is taken to be (rule 2)."""
        is_from_root = clean(finding.reference or "").startswith("/")
        place = self._context.place
        return is_from_root and (place.is_inferred or (place.basis == "file" and finding.code == "escapes-site"))
