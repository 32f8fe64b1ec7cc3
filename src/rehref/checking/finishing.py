"""What becomes of findings before they are shown: some are to be ignored, some can be mended.

1. What passes of their own find is added, if that is asked for: sitemaps and text fragments. A `loc` that leads to no
   file is told once, as `missing-from-site`.
2. What `.rehrefignore` and comments in a document (`rehref.checking.ignoring`) ask to leave out is left out.
3. Findings about files and fragments get a suggestion, where there is one (`repair/suggestions.py`). Nobody reads
   many thousands of suggestions: beyond a number of different targets there are none. None is sure where a browser goes
   elsewhere, nor for files where some redirection of the host is not understood.
4. The sum counts what is left.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import groupby, islice
from operator import attrgetter

from rehref.checking.checks import link_headers
from rehref.checking.ignoring import IgnoredLines, IgnoreRules, ignored_lines, is_excluded, may_ignore, read_ignore_file
from rehref.checking.model import CheckResult, Finding, Seen
from rehref.checking.pages.check_scope import read
from rehref.checking.pages.page import Site
from rehref.checking.pages.rereading import site_of
from rehref.checking.repair.fixing import MISSING_FILES, suggested
from rehref.checking.repair.suggestions import Suggester
from rehref.checking.run import place_of
from rehref.checking.site.site_context import SiteContext
from rehref.documents.reading import encoding_of
from rehref.files.file_errors import FileError
from rehref.text.charsets import decode

_KEPT = 512
MOST_SUGGESTED = 3000
"""Different targets for which something is suggested, unless more is asked for."""


def finished(result: CheckResult, around: SiteContext, most: int | None = MOST_SUGGESTED) -> CheckResult:
    """The result without what is to be ignored, and with suggestions for `most` different targets (None: for all)."""
    rules = read_ignore_file(around.folder)
    seen = Seen(frozenset(), {}) if result.seen is None else result.seen
    commented = None if result.seen is None else seen.commented
    fields = link_headers.check_fields(around)
    result = _counting(result, fields)
    found = _with_more(result.findings, fields.findings, around)
    findings = list(_kept(found, site_of(around), rules, commented))
    suggester = Suggester(
        around.files,
        lru_cache(maxsize=_KEPT)(lambda path: seen.names.get(path) or around.names_of(path) or frozenset()),
        around.uri_of,
        index_names=around.host.index_names,
        extensions=around.host.fallback_extensions,
    )
    suggest = partial(
        suggested,
        suggester=suggester,
        site_uri=around.uri,
        root_dir=around.locator.root_dir,
        locate=around.locator.locate,
    )
    doubted = _doubted(findings, around)
    for number in _to_suggest(findings, most):
        finding = suggest(findings[number])
        if finding.sure and (finding.code in doubted or (finding.document, finding.span) in doubted):
            finding = finding._replace(sure=False)
        findings[number] = finding
    return summed(result, findings)


def _doubted(findings: Iterable[Finding], around: SiteContext) -> Collection[object]:
    """The codes, and the places, of findings whose links may work all the same (rule 3)."""
    doubted: set[object] = {(found.document, found.span) for found in findings if found.code == "browser-differs"}
    unread = around.redirects is not None and around.redirects.unread
    if unread or (around.host.name == "netlify" and "netlify.toml" in around.files.paths):
        doubted |= MISSING_FILES
    return doubted


def _counting(result: CheckResult, fields: link_headers.Checked) -> CheckResult:
    """The result with the links of header fields counted."""
    summary = result.summary
    links, skipped = summary.links + fields.links, summary.skipped + fields.skipped
    return replace(result, summary=replace(summary, links=links, checked=links - skipped, skipped=skipped))


def _to_suggest(findings: Sequence[Finding], most: int | None) -> Iterator[int]:
    """The numbers of the findings for which there is to be a suggestion (rule 2).

    They come target by target, so that what is known of a file is needed once.
    """
    targets = dict.fromkeys(finding.target for finding in findings if finding.severity == "error")
    chosen = targets if most is None else set(islice(targets, most))
    numbers = [number for number, finding in enumerate(findings) if finding.target in chosen]
    yield from sorted(numbers, key=lambda number: findings[number].target or "")


def summed(result: CheckResult, findings: Iterable[Finding]) -> CheckResult:
    """The result with other findings, and their sum."""
    found = tuple(findings)
    broken = sum(finding.severity == "error" for finding in found)
    warnings = sum(finding.severity == "warning" for finding in found)
    return replace(result, findings=found, summary=replace(result.summary, broken=broken, warnings=warnings))


def _with_more(findings: Iterable[Finding], more: list[Finding], around: SiteContext) -> Iterable[Finding]:
    """The findings, and `more`, and those of the passes of their own, sorted by document and place (rule 1)."""
    options = around.options
    if options.text_fragments or options.sitemap:
        documents = around.files.types.documents(around.files.paths)
        if options.exclude_paths:
            documents = [path for path in documents if not is_excluded(path, options.exclude_paths)]
        if options.text_fragments:
            from rehref.checking.checks import text_fragments

            more = [*more, *text_fragments.findings(around, documents)]
        if options.sitemap:
            from rehref.checking.checks import sitemaps

            of_sitemaps = list(sitemaps.findings(around, documents))
            more = [*more, *of_sitemaps]
            told = {(one.document, one.span) for one in of_sitemaps if one.span is not None}
            findings = [one for one in findings if one.severity != "error" or (one.document, one.span) not in told]
    return sorted((*findings, *more), key=place_of) if more else findings


def _kept(
    findings: Iterable[Finding], site: Site, rules: IgnoreRules, commented: Collection[str] | None
) -> Iterator[Finding]:
    """Findings that nothing asks to leave out (rule 2); they come document by document.

    `commented`: the documents with comments that may ask so; None if that is not known.
    """
    for document, group in groupby(findings, key=attrgetter("document")):
        if rules.ignores(document):
            continue
        if not rules.uris and commented is not None and document not in commented and site.types.is_document(document):
            yield from group
            continue
        lines = _ignored_lines(site, document)
        for finding in group:
            uri = finding.target
            if not lines.cover(finding.line, finding.code) and not (
                uri is not None and any(pattern.search(uri) for pattern in rules.uris)
            ):
                yield finding


def _ignored_lines(site: Site, document: str) -> IgnoredLines:
    """The lines of a document in which something is to be ignored."""
    try:
        data = read(site, document)
        if not may_ignore(data):
            return IgnoredLines()
        sniffed = encoding_of(data, site.types.of(document), site.charset(document))
    except (FileError, ValueError):
        return IgnoredLines()
    return ignored_lines(decode(data[sniffed.bom :], sniffed.name))
