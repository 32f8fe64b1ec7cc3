"""Checking a folder: read its documents, judge their references, and report what is wrong.

Whether a target exists is looked up in the list of files, which was made before, never on the disk. Documents are read
in several processes, each once (`_reading_pages.py`); the checks find what is wrong in the merged results
(`_checks/all_checks.py`). Of these findings, `_results/` removes those that another one represents, or that options and
documents exclude; `_repair/suggesting.py` adds what to write instead.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from rehref.site._checks.all_checks import Check, chosen, reported
from rehref.site._found.repeated import Repeated, Rows, spread
from rehref.site._grounds.files import Listed, is_hidden
from rehref.site._grounds.site_context import SiteContext, site_context
from rehref.site._ignoring import IgnoreRules, read_ignore_file
from rehref.site._pages.classifier import leads_of
from rehref.site._pages.reading_site_pages import SourceLines, in_processes
from rehref.site._pages.site_tables import Chunk, SiteTable
from rehref.site._paths import folded
from rehref.site._reading_pages import PageReader
from rehref.site._results.bundled import without_bundled
from rehref.site._results.causes import with_causes
from rehref.site._results.crowds import crowds
from rehref.site._results.hints_of_run import hints
from rehref.site._results.leaving_out import kept
from rehref.site._results.one_mistake import one_for_each_mistake
from rehref.site._results.template_files import without_templates
from rehref.site._results.wrong_bases import WrongBases
from rehref.site.check_options import CheckOptions, Progress
from rehref.site.findings import Baseline, CheckResult, ExternalLink, Finding, Summary

if TYPE_CHECKING:
    from rehref.site._external.outside import Outside

Read: TypeAlias = "Callable[[Sequence[str]], Iterable[Chunk]]"
"""Reads documents, given by their paths."""

MOST_SUGGESTED: Final = 3000
"""The default number of different targets that get a suggestion."""
_MOST_ROUNDS: Final = 24
_DEEPEST: Final = 32


def context_of_named(folder: Path, options: CheckOptions, listed: Listed | None = None) -> SiteContext:
    """Return the context in which named files are checked. Raises as `site_context`, and `WorkerError`.

    A folder with named files may hold much besides their site. Then only the folders are listed that they need: their
    own, those that their references lead to, also by redirections and refreshes, and all above these. What was listed
    may redirect, or show where the folder is on the web, so this is repeated until no other folder is needed. Nothing
    is reported of folders that are not listed. A check of whole sites, and a folder for paths from the root, need all.
    """
    needs_all = options.root_dir is not None or options.published_at
    if needs_all or any(check.of_site for check in chosen(options)):
        return site_context(folder, options, listed)
    needed = _above(options.files or ())
    for _ in range(_MOST_ROUNDS):
        context = site_context(folder, options, listed, needed)
        more = _above(leads_of(context, target).located.unlisted for target in _targets(context))
        if more <= needed:
            break
        needed |= more
    return context


def _targets(context: SiteContext) -> set[str]:
    """Return all that the named files refer to, and that the pages there refresh to, without fragments."""
    reader, targets = PageReader.of(context, keeps_targets=True), set[str]()

    def read(documents: Sequence[str]) -> Iterator[Chunk]:
        for chunk in in_processes(context, reader, documents):
            targets.update(chunk.targets)
            yield chunk

    merged(context, read=read)
    return targets


def _above(paths: Iterable[str]) -> frozenset[str]:
    """Return some paths and those of the folders above them, folded, as far as folders are that deep."""
    parts = (path.split("/")[:_DEEPEST] for path in paths)
    return frozenset(folded(each) for names in parts for each in accumulate(names, "{}/{}".format))


def check_folder(
    context: SiteContext,
    progress: Progress | None = None,
    most: int | None = MOST_SUGGESTED,
    read: Read | None = None,
    known: Iterable[Finding] | None = None,
    outside: Outside | None = None,
) -> CheckResult:
    """Check the links of all documents in a folder.

    `progress`: called with the number of documents read so far, and the number of all. `most`: the number of targets
    with suggestions at most, None for no limit. `read`: reads documents, in place of processes. `known`: findings of an
    earlier check; suggestions are then made for new ones only. `outside`: what is already known of other sites, if
    servers are asked. Raises `FileError` if the ignore file cannot be read, `WorkerError` if a process dies,
    `OptionError` if the options for asking servers cannot be used.
    """
    began = time.perf_counter()
    rules = IgnoreRules() if context.is_sent else read_ignore_file(context.folder)
    table = merged(context, progress, read)
    answered = _ask_servers(context, table, rules, outside)
    found, skipped = without_templates(context, _findings_of_checks(context, table))
    found, resolved = without_bundled(context, found)
    rows = sorted(found, key=lambda row: row.finding.place)
    table.skipped += skipped + resolved
    counts = _counted(context, table)  # checks count links, too
    counts = replace(counts, asked=answered.urls, from_cache=answered.from_cache)
    unknown: list[tuple[str, str]] = []
    selected = reported(context.options._replace(ignore=()))
    own = one_for_each_mistake(context, (row for row in rows if row.finding.code in selected))
    left = list(kept(context, own, rules, set(table.commented), lambda *each: unknown.append(each)))
    bases = WrongBases(context, left)
    suggested = bases.explained(_suggested(context, table, left, most, rows, known)) if left else []
    caused = with_causes(suggested, context.uri, SourceLines(context), crowds(context, suggested, bases.reason))
    shown = Rows(Repeated(finding, row.others) for finding, row in zip(caused, left, strict=True))
    external = _external(table, rules) if context.options.lists_external else ()
    result = CheckResult(context.place.folder, counts, (), (context.place,), external).with_findings(shown)
    result = result.but(hints=(*answered.notes, *bases.hints(), *hints(context, caused, unknown, table.encodings)))
    return result.timed(began)


def merged(context: SiteContext, progress: Progress | None = None, read: Read | None = None) -> SiteTable:
    """Read the documents that are checked, then others that they need something from, and merge all.

    Raises `WorkerError`.
    """
    table, scope = SiteTable(), context.scope
    read = partial(in_processes, context, PageReader.of(context)) if read is None else read
    needs_all = any(check.of_site for check in chosen(context.options))
    documents = scope.documents if needs_all else scope.checked
    while documents:
        for chunk in read(documents):
            table.merge(chunk)
            if context.redirects is not None:
                context.redirects.slow.update(chunk.slow)  # nor are these rules used here
            if progress is not None:
                progress(len(table.read), len(scope.documents))
        documents = sorted(table.needed().intersection(scope.unchecked))
    return table


def _findings_of_checks(context: SiteContext, table: SiteTable) -> list[Repeated]:
    """Return the findings of all checks, one after the other; a check may replace findings of others at its places."""
    found: list[Repeated] = []
    for check in chosen(context.options):
        if check.of_host and not context.has_host_rules:
            continue
        made = check.findings(context, table, table.facts.pop(check.name, {}))
        more = [Repeated(each) if isinstance(each, Finding) else each for each in made]
        found = [*_without_replaced(check, found, more), *more]
    return found


def _suggested(
    context: SiteContext,
    table: SiteTable,
    left: Sequence[Repeated],
    most: int | None,
    doubts: Sequence[Repeated],
    known: Iterable[Finding] | None,
) -> list[Finding]:
    """Return the first findings of what is left with suggestions. `most`, `known`: as for `check_folder`.

    `doubts`: all that was found.
    """
    from rehref.site._repair.suggesting import with_suggestions  # many sites have no findings

    only = None
    if known is not None:
        only = {finding.target for finding in Baseline.of(known).new_in(Rows(left))}
    return with_suggestions(context, left, table.defined, most, doubts=doubts, only=only)


def _without_replaced(check: Check, found: list[Repeated], more: list[Repeated]) -> list[Repeated]:
    """Return what remains beside the findings of a check."""
    if not check.replaces:
        return found
    places = {(one.document, one.span) for row in more for one in row.each() if one.span is not None}
    documents = {document for document, _ in places}
    left: list[Repeated] = []
    for row in found:
        if row.finding.severity != "error" or row.finding.document not in documents:
            left.append(row)
        else:
            left += (each for each in spread([row]) if (each.finding.document, each.finding.span) not in places)
    return left


class _Answered(NamedTuple):
    """The number of URLs with an answer, how many of these needed no server, and sentences about it."""

    urls: int = 0
    from_cache: int = 0
    notes: tuple[str, ...] = ()


def _ask_servers(context: SiteContext, table: SiteTable, rules: IgnoreRules, outside: Outside | None) -> _Answered:
    """Ask servers about targets on other sites: these are not skipped then."""
    if not any(check.asks_servers for check in chosen(context.options)):
        return _Answered()
    from rehref.site._external.outside import Outside  # few ask for it
    from rehref.site._external.references_elsewhere import is_asked_about
    from rehref.site._results.urls_to_ask import urls_to_ask

    outside = Outside(context.options) if outside is None else outside
    urls = urls_to_ask(context, table, rules)
    judged = outside.judge(urls, partial(is_asked_about, context))
    table.outside = judged.wrong
    table.skipped -= sum(urls[url] for url in judged.answered)
    return _Answered(*outside.counted(judged.answered), outside.notes())


def _counted(context: SiteContext, table: SiteTable) -> Summary:
    """Return how much there is, and how much of it was checked."""
    documents = len(context.scope.checked) - len(table.other_formats)
    no_documents = filter(context.scope.reports, context.files.paths.difference(context.scope.documents))
    others = sum(not is_hidden(path) for path in no_documents) + len(table.other_formats)
    return Summary(
        documents=documents,
        links=table.links,
        checked=table.links - table.skipped,
        skipped=table.skipped,
        others=others,
    )


def _external(table: SiteTable, rules: IgnoreRules) -> tuple[ExternalLink, ...]:
    """Return the URLs on other sites, each with its first place, without the ignored ones."""
    found: dict[str, ExternalLink] = {}
    for document, urls in sorted(table.external.items()):
        if not rules.ignores(document):
            for url, position in urls.items():
                if url not in found and not any(pattern.search(url) for pattern in rules.uris):
                    found[url] = ExternalLink(url, document, *position)
    return tuple(sorted(found.values()))
