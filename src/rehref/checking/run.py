"""Checking a folder: read its documents, judge what they refer to, and report what is wrong.

1. Whether a target is there is asked of the list of files (`site/`), never of the disk.
2. Documents are read in several processes (`passes`), whose tables this one merges (`pages/tables.py`). Those that use
   fragments which name nothing are read again for the places of these. Then come the checks of their own (`checks/`).
3. What cannot be read is reported among the findings; the rest is done.
4. What `.rehrefignore` and comments in a document (`rehref.checking.ignoring`) ask to leave out is left out; of what is
   left, findings about files and fragments get a suggestion, where there is one (`repair/suggesting.py`).
5. The sum counts what is left.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, starmap
from operator import attrgetter
from typing import Any

from rehref.checking.checks.registry import Check, chosen
from rehref.checking.ignoring import IgnoredLines, IgnoreRules, ignored_lines, may_ignore, read_ignore_file
from rehref.checking.model import CheckResult, Finding, Summary
from rehref.checking.pages.reading import read_or_skip, text_of, unreadable
from rehref.checking.pages.tables import SiteTable
from rehref.checking.reading_passes import Passes
from rehref.checking.repair.suggesting import MOST_SUGGESTED, with_suggestions
from rehref.checking.site.file_types import is_hidden
from rehref.checking.site.site_context import SiteContext
from rehref.files.pool import chunks_of, how_many, results

_WORTH_A_PROCESS = 40
_LONGEST_CHUNK = 100


def check_folder(
    context: SiteContext, progress: Callable[[int, int], None] | None = None, most: int | None = MOST_SUGGESTED
) -> CheckResult:
    """Check the links of all documents in a folder.

    `progress`: called with the number of documents read so far, and of all. `most`: for how many targets something is
    suggested, None for all. Raises `FileError` if the file that says what to ignore cannot be read, `WorkerError` if a
    process dies.
    """
    began = time.perf_counter()
    rules = read_ignore_file(context.folder)
    passes = Passes.of(context)
    table = _read(passes, progress)
    findings = [*table.findings, *(unreadable(error.file, error) for error in context.files.errors)]
    findings += _read_again(passes, table)
    for check in chosen(context.options.checks):
        findings = _with(findings, check, list(check.findings(context, table)))
    kept = list(_kept(context, sorted(findings, key=place_of), rules, set(table.commented)))
    found = with_suggestions(context, kept, table.incomplete, most)
    documents = len(context.scope.checked) - len(table.other_formats)
    others = sum(not is_hidden(path) for path in context.files.paths) - len(context.scope.unchecked) - documents
    counts = Summary(
        documents=documents,
        links=table.links,
        checked=table.links - table.skipped,
        skipped=table.skipped,
        others=others,
    )
    result = summed(CheckResult(str(context.folder), counts, ()), found)
    return replace(result, summary=replace(result.summary, seconds=time.perf_counter() - began))


def summed(result: CheckResult, findings: Iterable[Finding]) -> CheckResult:
    """The result with other findings, and their sum."""
    found = tuple(findings)
    broken = sum(finding.severity == "error" for finding in found)
    warnings = sum(finding.severity == "warning" for finding in found)
    return replace(result, findings=found, summary=replace(result.summary, broken=broken, warnings=warnings))


def place_of(finding: Finding) -> tuple[str, int, int, str, str]:
    """Where a finding comes in the order of all."""
    return finding.document, finding.line or 0, finding.column or 0, finding.code, finding.message


def _read(passes: Passes, progress: Callable[[int, int], None] | None) -> SiteTable:
    """Read all documents, and merge what each gives."""
    table, documents = SiteTable(), passes.context.scope.documents
    for chunk in _in_processes(passes, passes.first, documents):
        table.merge(chunk)
        if progress is not None:
            progress(table.documents, len(documents))
    return table


def _read_again(passes: Passes, table: SiteTable) -> Iterator[Finding]:
    """Read those documents again that refer to fragments which name nothing."""
    items = list(table.missing(passes.context.options.script_ids))
    for found in _in_processes(passes, passes.again, items):
        yield from starmap(Finding, found)


def _in_processes(passes: Passes, task: Callable[[Any], Any], items: Sequence[Any]) -> Iterator[Any]:
    """What a pass makes of each chunk of some items."""
    jobs = how_many(passes.context.options.jobs, len(items), _WORTH_A_PROCESS)
    return results(task, chunks_of(items, jobs, _LONGEST_CHUNK), jobs)


def _with(findings: list[Finding], check: Check, more: list[Finding]) -> list[Finding]:
    """Findings, and those of a check, which may stand for others at their places."""
    if check.replaces:
        places = {(one.document, one.span) for one in more if one.span is not None}
        findings = [one for one in findings if one.severity != "error" or (one.document, one.span) not in places]
    return findings + more


def _kept(
    context: SiteContext, findings: Iterable[Finding], rules: IgnoreRules, commented: Collection[str]
) -> Iterator[Finding]:
    """Findings that nothing asks to leave out (rule 4); they come document by document.

    `commented`: the documents that were read with comments that may ask so.
    """
    for document, group in groupby(findings, key=attrgetter("document")):
        if rules.ignores(document):
            continue
        may_have = document in commented or not context.files.types.is_document(document)
        lines = _ignored_lines(context, document) if may_have else IgnoredLines()
        for finding in group:
            uri = finding.target
            if not lines.cover(finding.line, finding.code) and not (
                uri is not None and any(pattern.search(uri) for pattern in rules.uris)
            ):
                yield finding


def _ignored_lines(context: SiteContext, document: str) -> IgnoredLines:
    """The lines of a document in which something is to be ignored."""
    data = read_or_skip(context, document)
    if data is None or not may_ignore(data):
        return IgnoredLines()
    try:
        return ignored_lines(text_of(context, document, data))
    except ValueError:  # of a type that has no encoding
        return IgnoredLines()
