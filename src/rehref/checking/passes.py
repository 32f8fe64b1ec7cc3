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
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from rehref.checking.checks import refresh_loops
from rehref.checking.ignoring import may_ignore
from rehref.checking.model import Finding
from rehref.checking.pages import details
from rehref.checking.pages.check_scope import CheckScope, other_format, read, unreadable
from rehref.checking.pages.inventory import UNKNOWN
from rehref.checking.pages.metas import PAGE_TYPES
from rehref.checking.pages.page import Page, Site
from rehref.checking.pages.tables import BROKEN, FINE, NUL, SKIPPED, Chunk, Leads, Row, TargetClassifier, Use, Verdict
from rehref.checking.pages.targets import Targets, Used, Wrong, missing_fragment
from rehref.documents.types.media_types import reader_of
from rehref.documents.well_formed import not_well_formed
from rehref.files.file_errors import FileError


@dataclass(frozen=True, slots=True)
class Memory:
    """What is remembered from one call to the next: what came of references, and where targets lead."""

    targets: Targets
    leads: Leads

    @classmethod
    def of(cls, site: Site, scope: CheckScope) -> Memory:
        """Nothing yet."""
        return cls(scope.targets(site), scope.leads(site))


@dataclass(slots=True)
class FirstPass:
    """Reads documents for the first time (rule 1)."""

    site: Site
    scope: CheckScope
    _memory: Memory | None = field(default=None, init=False, repr=False)

    def __call__(self, paths: Sequence[str]) -> Chunk:
        """Read some documents. Raises nothing on account of what they hold."""
        self._memory = memory = self._memory or Memory.of(self.site, self.scope)
        judge = self.scope.judge(memory.leads)
        rows: list[Row] = []
        findings: list[tuple[Any, ...]] = []
        linked: set[str] = set()
        commented: list[str] = []
        refreshes: list[tuple[str, tuple[str, bool]]] = []
        for path in paths:
            try:
                data = read(self.site, path)
            except FileError as error:
                findings.append(tuple(unreadable(path, error)))
                continue
            other = other_format(path, data)
            if other is not None:
                if path not in self.scope.unchecked:
                    findings.append(tuple(other))
                continue
            page = Page(self.site, path, data)
            names = NUL.join(page.names) if page.is_shown and self.scope.fragments else None
            if path in self.scope.unchecked:
                rows.append(Row(path, names, b"", 0, 0))
                continue
            if may_ignore(data):
                commented.append(path)
            if page.may_refresh:
                refreshes += refresh_loops.leads_to(self.site, self.scope, path, page.document)
            used = memory.targets.of(page)
            marks = Marks(judge, used)
            if self.scope.mapped and self.site.types.of(path) in PAGE_TYPES:
                linked.update(marks.files(page))
            findings += map(tuple, _findings(page, marks))
            findings += map(tuple, _not_well_formed(page, data))
            rows.append(Row(path, names, marks.uses(page).tobytes(), used.links, marks.skipped()))
        return Chunk(judge.fragments, rows, findings, frozenset(linked), commented, refreshes)


@dataclass(slots=True)
class SecondPass:
    """Reads documents again, each with those fragments that name nothing (rule 2): path, NUL, fragment."""

    site: Site
    scope: CheckScope
    _memory: Memory | None = field(default=None, init=False, repr=False)

    def __call__(self, items: Sequence[tuple[str, Sequence[Use]]]) -> list[tuple[Any, ...]]:
        """Read some documents again. Raises nothing. What is found are plain tuples, as in a `Chunk`."""
        self._memory = memory = self._memory or Memory.of(self.site, self.scope)
        judge = self.scope.judge(memory.leads)
        findings: list[tuple[Any, ...]] = []
        for path, uses in items:
            try:
                data = read(self.site, path)
            except FileError:
                continue
            if all(use.tag != UNKNOWN for use in uses):
                wrong = [(_verdict(path, use.fragment), use) for use in uses]
                findings += map(tuple, details.of_uses(self.site, path, data, wrong))
            else:
                verdicts = {use.fragment: _verdict(path, use.fragment) for use in uses}
                page = Page(self.site, path, data)
                findings += map(tuple, _again(page, Marks(judge, memory.targets.of(page)), verdicts))
        return findings


def _again(page: Page, marks: Marks, verdicts: Mapping[str, Verdict]) -> Iterator[Finding]:
    """Find the uses of fragments in a page by going through all of it."""
    used, judge = marks.used, marks.judge
    by_mark = {judge.number(fragment): verdict for fragment, verdict in verdicts.items()}
    wrong = {
        value: Wrong(target, by_mark[mark])
        for value, number, target in used.judged()
        if (mark := marks.marks[number]) in by_mark
    }
    yield from details.of_values(page, wrong)
    others = zip(used.others, marks.others, strict=True)
    yield from details.of_others(
        page, [(other.reference, by_mark[mark], False) for other, mark in others if mark in by_mark]
    )


@lru_cache(maxsize=4096)  # the same one many times over is also sent only once
def _verdict(path: str, key: str) -> Verdict:
    """The verdict on a fragment that names nothing, in a document at `path`; `key`: path, NUL, fragment."""
    file, _, fragment = key.partition(NUL)
    return missing_fragment(fragment, None if file == path else file)


class Marks:
    """The marks of what a page refers to (`rehref.checking.pages.tables.TargetClassifier`)."""

    __slots__ = ("judge", "marks", "others", "used")

    def __init__(self, judge: TargetClassifier, used: Used) -> None:
        self.judge = judge
        self.used = used
        self.marks = [FINE if target is None else judge[target] for target in used.targets]
        self.others = [FINE if other.target is None else judge[other.target] for other in used.others]

    def broken(self) -> dict[str, Wrong]:
        """The values of ordinary places that are broken."""
        used = self.used
        if BROKEN not in self.marks:
            return used.wrong
        return used.wrong | {
            value: Wrong(target, self.judge.broken[target])
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
        """The uses of fragments that are still to be looked for (`Row.uses`)."""
        uses = array("I")
        if max(self.marks, default=FINE) > 0:
            if page.is_html and page.is_utf8 and page.is_at_own_base:
                uses = self.used.found.uses(self.marks, page.parsed.places)
            else:
                for mark in filter(FINE.__lt__, self.marks):
                    uses.extend((mark, UNKNOWN, 0))
        for mark in self.others:
            if mark > 0:
                uses.extend((mark, UNKNOWN, 0))
        return uses

    def files(self, page: Page) -> set[str]:
        """The files that references lead to, but for the page itself."""
        paths = self.judge.paths
        targets = (*self.used.targets, *(other.target for other in self.used.others))
        return {paths[target] for target in targets if target is not None and target in paths} - {page.path}


def _findings(page: Page, marks: Marks) -> Iterator[Finding]:
    """What the first pass can tell of a page."""
    used, judge = marks.used, marks.judge
    wrong = marks.broken()
    if wrong or used.odd:
        yield from details.of_values(page, wrong, used.odd)
    if used.others:
        yield from details.of_others(
            page,
            [
                (reference, judge.broken[target] if target is not None and mark == BROKEN else verdict, odd)
                for (reference, target, odd, verdict), mark in zip(used.others, marks.others, strict=True)
            ],
        )
    yield from details.of_names(page)


def _not_well_formed(page: Page, data: bytes) -> Iterator[Finding]:
    """The finding for XML that is not well-formed (`rehref.documents.well_formed`)."""
    if page.is_html or reader_of(page.site.types.of(page.path) or "") != "xml":
        return
    wrong = not_well_formed(data)
    if wrong is not None:
        message = f"the document is not well-formed XML: {wrong.message}"
        yield Finding(document=page.path, code="not-well-formed", message=message, line=wrong.line, column=wrong.column)
