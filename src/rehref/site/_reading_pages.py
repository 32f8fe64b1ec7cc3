"""Reading the documents of a site, each once, as a worker does it: one call for several documents.

From each document, the reader takes what all checks need: the names it defines, the fragments it uses, the number of
its references, where it refreshes to (`rehref.site._pages.site_tables`); and what each check collects for itself
(`rehref.site._checks.all_checks`). From documents that are not checked, only what others need is taken. A document that
cannot be read, or takes too long, is recorded, and so is a file that is not a document.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from rehref.documents.base import without_fragment
from rehref.documents.media_types import Beginning
from rehref.exceptions import OutOfTimeError, TimeLimit
from rehref.files.file_errors import FileError
from rehref.site._checks.all_checks import Collect, collectors
from rehref.site._grounds.site_context import SiteContext
from rehref.site._ignoring import may_ignore
from rehref.site._pages.classifier import NUL, TargetClassifier
from rehref.site._pages.external_on_page import external_urls
from rehref.site._pages.metas import leads_on, refresh_target
from rehref.site._pages.read_page import ReadPage
from rehref.site._pages.reading_site_pages import read
from rehref.site._pages.site_page import SitePage
from rehref.site._pages.site_tables import Chunk, DocumentRow
from rehref.site._pages.targets import Targets


class _Numbers(dict[int, int]):
    """The numbers of fragments within a chunk, by their marks."""

    def __missing__(self, mark: int) -> int:
        number = self[mark] = len(self) + 1
        return number


@dataclass(frozen=True, slots=True)
class PageReader:
    """Reads documents. It remembers the results for references, and where targets lead, from one call to the next."""

    context: SiteContext
    targets: Targets
    classifier: TargetClassifier
    collectors: Sequence[tuple[str, Collect]]
    of_site: Sequence[tuple[str, Collect]]
    keeps_targets: bool = False

    @classmethod
    def of(cls, context: SiteContext, *, keeps_targets: bool = False) -> PageReader:
        """Return a reader that remembers nothing yet. `keeps_targets`: whether `Chunk.targets` are collected."""
        targets, classifier, options = Targets(context), TargetClassifier(context), context.options
        return cls(context, targets, classifier, collectors(options), collectors(options, of_site=True), keeps_targets)

    def __call__(self, paths: Sequence[str]) -> Chunk:
        """Read some documents. The content of documents raises nothing."""
        chunk, numbers = Chunk(), _Numbers()
        self.classifier.forget_many()
        for path in paths:
            chunk.read.append(path)
            try:
                self._read(path, chunk, numbers)
            except FileError as error:
                chunk.unreadable[path] = error.what
            except OutOfTimeError as error:
                chunk.unreadable[path] = str(error)
        chunk.fragments += (self.classifier.fragments[mark - 1] for mark in numbers)
        if self.context.redirects is not None:
            chunk.slow = dict(self.context.redirects.slow)
        if self.context.sheets is not None:
            chunk.encodings = dict(self.context.sheets.several)
        return chunk

    def _read(self, path: str, chunk: Chunk, numbers: _Numbers) -> None:
        """Read one document. `numbers`: of the fragments of the chunk. Raises `FileError`, `OutOfTimeError`."""
        context = self.context
        data = read(context, path)
        is_checked = path not in context.scope.unchecked
        other = Beginning(data).no_document
        if other is not None:
            if is_checked:
                chunk.other_formats[path] = other
            return
        limit = TimeLimit(context.options.how.max_time)
        page = limit.within(SitePage, context, path, data, limit)
        names = NUL.join(page.names) if page.is_shown and context.options.fragments else None
        to = leads_on(page)
        if to is not None:
            chunk.refreshes[path] = to
        if self.keeps_targets and page.may_refresh:
            target = refresh_target(page.document)
            chunk.targets |= frozenset(() if target is None else (target,))
        collecting = self.collectors if is_checked else self.of_site
        if not is_checked and (context.scope.leaves_out(path) or not collecting):
            chunk.rows.append(DocumentRow(path, names, scripts=page.scripts))
            return
        found = ReadPage(page, data, self.classifier, self.targets.of(page))
        uses = array("I", map(numbers.__getitem__, found.uses()))
        if self.keeps_targets:
            chunk.targets |= frozenset(map(without_fragment, found.targets()))
        for name, collect in collecting:
            facts = collect(found)
            if facts is not None:
                chunk.facts.setdefault(name, {})[path] = facts
        if not is_checked:
            chunk.rows.append(DocumentRow(path, names, scripts=page.scripts))
            return
        if may_ignore(data, context.options.ignore_attributes):
            chunk.commented.append(path)
        if context.options.lists_external:
            chunk.external[path] = external_urls(page)
        links, skipped = found.used.links, found.skipped()
        chunk.rows.append(DocumentRow(path, names, uses.tobytes(), links, skipped, page.scripts))
