"""The two passes over the documents of a site, as a worker does them: a call each for some documents.

1. The first pass reads every document. It tells what is wrong as far as the files of the site and the document itself
   tell it, and gives the fragments of other documents that are used (`rehref.checking.pages.tables`).
2. The second reads those documents again in which some of these name nothing. Most sites have few.
3. A document that cannot be read is an error of its own; one that went between the passes is not.
4. Of documents that are not to be checked only the names are taken, for fragments lead there all the same.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rehref.checking.checks.refresh_loops import leads_on
from rehref.checking.ignoring import may_ignore
from rehref.checking.model import Finding
from rehref.checking.pages import details
from rehref.checking.pages.classifier import BROKEN, FINE, NUL, SKIPPED, TargetClassifier, Verdict, missing_fragment
from rehref.checking.pages.inventory import UNKNOWN
from rehref.checking.pages.metas import PAGE_TYPES
from rehref.checking.pages.page import Page
from rehref.checking.pages.reading import other_format, read, read_or_skip, unreadable
from rehref.checking.pages.tables import Chunk, DocumentRow, Use
from rehref.checking.pages.targets import Targets, Used, Wrong
from rehref.checking.site.site_context import SiteContext
from rehref.documents.types.media_types import reader_of
from rehref.documents.well_formed import not_well_formed
from rehref.files.file_errors import FileError


@dataclass(frozen=True, slots=True)
class Passes:
    """Reads documents. What came of references, and where targets lead, is remembered from one call to the next."""

    context: SiteContext
    targets: Targets
    classifier: TargetClassifier

    @classmethod
    def of(cls, context: SiteContext) -> Passes:
        """With nothing remembered yet."""
        return cls(context, Targets(context), TargetClassifier(context))

    def first(self, paths: Sequence[str]) -> Chunk:
        """Read some documents for the first time (rule 1). Raises nothing on account of what they hold."""
        chunk = Chunk()
        classifier = TargetClassifier(self.context, self.classifier)
        for path in paths:
            try:
                self._read(path, chunk, classifier)
            except FileError as error:
                chunk.findings.append(tuple(unreadable(path, error)))
        chunk.fragments += classifier.fragments
        return chunk

    def _read(self, path: str, chunk: Chunk, classifier: TargetClassifier) -> None:
        """Read one document for the first time. Raises `FileError`."""
        context, options = self.context, self.context.options
        data = read(context, path)
        is_checked = path not in context.scope.unchecked
        other = other_format(path, data)
        if other is not None:
            chunk.findings += [tuple(other)] if is_checked else ()
            return
        page = Page(context, path, data)
        names = NUL.join(page.names) if page.is_shown and options.fragments else None
        if not is_checked:
            chunk.rows.append(DocumentRow(path, names))
            return
        if may_ignore(data):
            chunk.commented.append(path)
        to = leads_on(context, path, page.document) if page.may_refresh else None
        if to is not None:
            chunk.refreshes[path] = to
        verdicts = PageVerdicts(classifier, self.targets.of(page))
        if "orphans" in options.checks and context.files.types.of(path) in PAGE_TYPES:
            chunk.linked.update(verdicts.files(page))
        chunk.findings += map(tuple, _findings(page, verdicts))
        chunk.findings += map(tuple, _not_well_formed(page, data))
        uses = verdicts.uses(page).tobytes()
        chunk.rows.append(DocumentRow(path, names, uses, verdicts.used.links, verdicts.skipped()))

    def again(self, items: Sequence[tuple[str, Sequence[Use]]]) -> list[tuple[Any, ...]]:
        """Read some documents again, each with its fragments that name nothing (rule 2). Raises nothing.

        What is found are plain tuples, as in a `Chunk`.
        """
        classifier = TargetClassifier(self.context, self.classifier)
        findings: list[tuple[Any, ...]] = []
        for path, uses in items:
            data = read_or_skip(self.context, path)
            if data is None:
                continue
            if all(use.tag != UNKNOWN for use in uses):
                wrong = [(_verdict(path, use.fragment), use) for use in uses]
                findings += map(tuple, details.of_uses(self.context, path, data, wrong))
            else:
                verdicts = {use.fragment: _verdict(path, use.fragment) for use in uses}
                page = Page(self.context, path, data)
                found = _found_again(page, PageVerdicts(classifier, self.targets.of(page)), verdicts)
                findings += map(tuple, found)
        return findings


def _found_again(page: Page, found: PageVerdicts, verdicts: Mapping[str, Verdict]) -> Iterator[Finding]:
    """Find the uses of fragments in a page by going through all of it."""
    used, classifier = found.used, found.classifier
    by_mark = {classifier.number(fragment): verdict for fragment, verdict in verdicts.items()}
    wrong = {
        value: Wrong(target, by_mark[mark])
        for value, number, target in used.judged()
        if (mark := found.marks[number]) in by_mark
    }
    yield from details.of_values(page, wrong)
    others = zip(used.others, found.others, strict=True)
    wrong_others = [other._replace(verdict=by_mark[mark], odd=False) for other, mark in others if mark in by_mark]
    yield from details.of_others(page, wrong_others)


@lru_cache(maxsize=4096)  # the same one many times over is also sent only once
def _verdict(path: str, key: str) -> Verdict:
    """The verdict on a fragment that names nothing, in a document at `path`; `key`: path, NUL, fragment."""
    file, _, fragment = key.partition(NUL)
    return missing_fragment(fragment, None if file == path else file)


class PageVerdicts:
    """What comes of all that a page refers to: the marks of its targets (`TargetClassifier`)."""

    __slots__ = ("classifier", "marks", "others", "used")

    def __init__(self, classifier: TargetClassifier, used: Used) -> None:
        self.classifier = classifier
        self.used = used
        self.marks = [FINE if target is None else classifier[target] for target in used.targets]
        self.others = [FINE if other.target is None else classifier[other.target] for other in used.others]

    def broken(self) -> dict[str, Wrong]:
        """The values of ordinary places that are broken."""
        used = self.used
        if BROKEN not in self.marks:
            return used.wrong
        return used.wrong | {
            value: Wrong(target, self.classifier.broken[target])
            for value, number, target in used.judged()
            if self.marks[number] == BROKEN
        }

    def skipped(self) -> int:
        """How many references are not checked."""
        used = self.used
        skipped = used.skipped + self.others.count(SKIPPED)
        if SKIPPED in self.marks:
            skipped += sum(count for count, mark in zip(used.found.counts, self.marks, strict=True) if mark == SKIPPED)
        return skipped

    def uses(self, page: Page) -> array[int]:
        """The uses of fragments that are still to be looked for (`DocumentRow.uses`)."""
        uses, unplaced = array("I"), self.others
        if max(self.marks, default=FINE) > 0:
            if page.is_html and page.is_utf8 and page.is_at_own_base:
                uses = self.used.found.uses(self.marks, page.parsed.places)
            else:
                unplaced = [*self.marks, *self.others]
        for mark in filter(FINE.__lt__, unplaced):
            uses.extend((mark, UNKNOWN, 0))
        return uses

    def files(self, page: Page) -> set[str]:
        """The files that references lead to, but for the page itself."""
        paths = self.classifier.paths
        targets = (*self.used.targets, *(other.target for other in self.used.others))
        return {paths[target] for target in targets if target is not None and target in paths} - {page.path}


def _findings(page: Page, verdicts: PageVerdicts) -> Iterator[Finding]:
    """What the first pass can tell of a page."""
    used, broken = verdicts.used, verdicts.classifier.broken
    wrong = verdicts.broken()
    if wrong or used.odd:
        yield from details.of_values(page, wrong, used.odd)
    others = zip(used.others, verdicts.others, strict=True)
    yield from details.of_others(
        page,
        (other._replace(verdict=broken[other.target or ""]) if mark == BROKEN else other for other, mark in others),
    )
    yield from details.of_names(page)


def _not_well_formed(page: Page, data: bytes) -> Iterator[Finding]:
    """The finding for XML that is not well-formed (`rehref.documents.well_formed`)."""
    if page.is_html or reader_of(page.context.files.types.of(page.path) or "") != "xml":
        return
    wrong = not_well_formed(data)
    if wrong is not None:
        message = f"the document is not well-formed XML: {wrong.message}"
        yield Finding(document=page.path, code="not-well-formed", message=message, line=wrong.line, column=wrong.column)
