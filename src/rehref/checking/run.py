"""Checking a folder: list its files, read its documents, judge what they refer to, tell what is wrong.

1. The files are listed once; whether a target is there is asked of that list, never of the disk.
2. Documents are read in several processes (`passes`), whose tables this one merges (`tables`). Those that use fragments
   which name nothing are read again for the places of these.
3. What cannot be read is told among the findings; the rest is done.
4. An orphan is an HTML page that no reference of another page leads to. The index of the folder, the page for 404
   answers, and what is not checked, are none.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from itertools import starmap
from pathlib import Path

from rehref.checking.checks import refresh_loops
from rehref.checking.hosting.redirects import Redirects
from rehref.checking.ignoring import is_excluded
from rehref.checking.model import CheckResult, Finding, Seen, Summary
from rehref.checking.options import CheckOptions
from rehref.checking.pages.check_scope import OTHER_FORMAT, CheckScope, unreadable
from rehref.checking.pages.rereading import site_of
from rehref.checking.pages.tables import SiteTable
from rehref.checking.passes import FirstPass, SecondPass
from rehref.checking.site.file_types import is_hidden
from rehref.checking.site.manifests import is_other_json
from rehref.checking.site.site_context import SiteContext, site_context
from rehref.documents.types.media_types import HTML_TYPE
from rehref.files.pool import chunks_of, how_many, results

_WORTH_A_PROCESS = 40
_LONGEST_CHUNK = 100


def check_folder(folder: Path, options: CheckOptions, around: SiteContext | None = None) -> CheckResult:
    """Check the links of all documents in a folder. `around`: what it is checked within, if that is known.

    Raises `FileError` if the folder cannot be read, `WorkerError` if a process dies, `ValueError` if the site's URL is
    not absolute.
    """
    began = time.perf_counter()
    around = site_context(folder, options) if around is None else around
    files = around.files
    documents = [path for path in files.types.documents(files.paths) if not is_other_json(folder, path)]
    excluded = options.exclude_paths
    unchecked = frozenset(path for path in documents if is_excluded(path, excluded)) if excluded else frozenset()
    scope = CheckScope(
        options.include,
        options.exclude,
        options.script_ids,
        fragments=options.fragments,
        unchecked=unchecked,
        mapped=options.orphans,
    )
    site = site_of(around)
    table = _read(documents, FirstPass(site, scope), options)
    findings = table.findings
    no_documents = {finding.document for finding in findings if finding.code == OTHER_FORMAT}
    findings += [unreadable(error.file, error) for error in files.errors]
    findings += _unread(around.redirects)
    findings += _read_again(table, SecondPass(site, scope), options)
    findings += refresh_loops.findings(around, table.refreshes)
    if options.orphans:
        findings += orphans((path for path in documents if path not in unchecked | no_documents), table.linked, around)
    others = sum(not is_hidden(path) for path in files.paths) - len(documents) + len(no_documents)
    checked = len(documents) - len(unchecked) - len(no_documents)
    return _result(folder, table, findings, (checked, others), time.perf_counter() - began)


def _read(documents: list[str], first: FirstPass, options: CheckOptions) -> SiteTable:
    """Read all documents, and merge what is told of them."""
    table = SiteTable()
    jobs = how_many(options.jobs, len(documents), _WORTH_A_PROCESS)
    for chunk in results(first, chunks_of(documents, jobs, _LONGEST_CHUNK), jobs):
        table.merge(chunk)
        if options.progress is not None:
            options.progress(table.documents, len(documents))
    return table


def _read_again(table: SiteTable, second: SecondPass, options: CheckOptions) -> Iterator[Finding]:
    """Read those documents again that refer to fragments which name nothing."""
    items = list(table.missing(options.script_ids))
    jobs = how_many(options.jobs, len(items), _WORTH_A_PROCESS)
    for found in results(second, chunks_of(items, jobs, _LONGEST_CHUNK), jobs):
        yield from starmap(Finding, found)


def _result(
    folder: Path, table: SiteTable, findings: list[Finding], counts: tuple[int, int], seconds: float
) -> CheckResult:
    """The result; `counts`: of documents that are checked, and of files that are none."""
    documents, others = counts
    findings.sort(key=place_of)
    broken = sum(finding.severity == "error" for finding in findings)
    summary = Summary(
        documents,
        table.links,
        table.links - table.skipped,
        broken,
        sum(finding.severity == "warning" for finding in findings),
        table.skipped,
        seconds,
        others,
    )
    seen = Seen(frozenset(table.commented), table.incomplete)
    return CheckResult(str(folder), summary, tuple(findings), seen)


def place_of(finding: Finding) -> tuple[str, int, int, str, str]:
    """Where a finding comes in the order of all."""
    return finding.document, finding.line or 0, finding.column or 0, finding.code, finding.message


def orphans(documents: Iterable[str], linked: set[str], around: SiteContext) -> Iterator[Finding]:
    """The findings for pages that nothing leads to (rule 4)."""
    host = around.host
    expected = {*host.index_names, host.not_found, *host.error_pages}
    for path in documents:
        if around.files.types.of(path) == HTML_TYPE and path not in linked and path not in expected:
            yield Finding(document=path, code="orphan", message="no other page leads here")


def _unread(redirects: Redirects | None) -> Iterator[Finding]:
    """The findings for redirections that are not understood."""
    for unread in () if redirects is None else redirects.unread:
        yield Finding(
            document=unread.file,
            code="redirect-not-read",
            message=unread.reason,
            line=unread.line,
            column=None if unread.line is None else 1,
        )
