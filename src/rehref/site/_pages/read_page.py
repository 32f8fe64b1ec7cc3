"""One page that was read, as a check gets it while it is in memory; and one that is read for its fragments.

The targets of its references are classified here once (`TargetClassifier`), for all checks. Callers that ask about few
files have each read for what fragments may lead to in it (`defined_in`). The passes through a site collect the same for
all its documents (`rehref.site._pages.site_tables`).
"""

from __future__ import annotations

from array import array

from rehref.documents.reading import UnknownMediaTypeError
from rehref.files.file_errors import FileError
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.classifier import BROKEN, FINE, SKIPPED, TargetClassifier
from rehref.site._pages.fragments import Defined
from rehref.site._pages.metas import leads_on
from rehref.site._pages.reading_site_pages import read
from rehref.site._pages.site_page import SitePage
from rehref.site._pages.targets import Used, Wrong


class ReadPage:
    """A page, and the results for all its references.

    `page`: its places and names; `path`: its path below the folder; `context`: that of its site. `data`: its bytes,
    unpacked. `used`: its references. `marks`, `others`: the marks (`TargetClassifier`) of `used.targets` and of the
    references in `used.others`.
    """

    __slots__ = ("classifier", "context", "data", "marks", "others", "page", "path", "used")

    def __init__(self, page: SitePage, data: bytes, classifier: TargetClassifier, used: Used) -> None:
        self.page, self.path, self.context = page, page.path, page.context
        self.data = data
        self.classifier = classifier
        self.used = used
        self.marks = [FINE if target is None else classifier[target] for target in used.targets]
        self.others = [FINE if other.target is None else classifier[other.target] for other in used.others]

    def broken(self) -> dict[str, Wrong]:
        """Return the broken values of ordinary places."""
        used = self.used
        if BROKEN not in self.marks:
            return used.wrong
        return used.wrong | {
            value: Wrong(target, self.classifier.broken[target])
            for value, target, mark in zip(used.found.texts, used.targets, self.marks, strict=True)
            if mark == BROKEN and target is not None
        }

    def skipped(self) -> int:
        """Return how many references are not checked."""
        used = self.used
        skipped = used.skipped + self.others.count(SKIPPED)
        if SKIPPED in self.marks:
            skipped += sum(count for count, mark in zip(used.found.counts, self.marks, strict=True) if mark == SKIPPED)
        return skipped

    def uses(self) -> array[int]:
        """Return the marks of the fragments that must still be looked up, each once."""
        return array("I", sorted(filter(FINE.__lt__, {*self.marks, *self.others})))

    def targets(self) -> set[str]:
        """Return the targets that were classified."""
        targets = (*self.used.targets, *(other.target for other in self.used.others))
        return {target for target in targets if target is not None}

    def files(self) -> set[str]:
        """Return the files that references lead to, except the page itself."""
        return {path for path in map(self.classifier.path, self.targets()) if path is not None} - {self.path}


def defined_in(context: SiteContext, path: str) -> Defined | None:
    """Return what fragments may lead to in a file of the site; None if that is not known."""
    if not context.files.types.has_names(path):
        return None
    try:
        data = read(context, path)
        page = SitePage(context, path, data)
        return Defined(frozenset(page.names), page.scripts, leads_on(page))
    except (FileError, UnknownMediaTypeError):
        return None
