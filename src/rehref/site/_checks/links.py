"""The links of pages: missing files, fragments that name nothing, and problems of references.

A verdict on a target is an error, and each problem of a link a warning, or a note. The findings of a page are made
while it is in memory; only references with a fault are examined closely. Whether a fragment of another document names
something is known when all are read (`SiteTable.missing`); documents with missing fragments are then read again for
their places. References of a page for 404 answers to itself are left out (`_pages/not_found.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

from rehref.documents.base import Problem, without_fragment
from rehref.documents.media_types import MediaType
from rehref.site._found.repeated import Repeated, spread
from rehref.site._found.repeated import places as at
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.classifier import (
    BROKEN,
    MISSING_FRAGMENT,
    NUL,
    TargetClassifier,
    Verdict,
    missing_fragment,
    uri_of,
)
from rehref.site._pages.fragments import LeadsOn
from rehref.site._pages.made_findings import finding_of, received, sent
from rehref.site._pages.not_found import is_called_so, is_not_found_page, own_references
from rehref.site._pages.read_page import ReadPage
from rehref.site._pages.reading_site_pages import in_processes, read_or_skip
from rehref.site._pages.script_fragments import findings_about, is_made_by_scripts, made_at_link
from rehref.site._pages.site_page import SitePage
from rehref.site._pages.site_tables import MissingFragments, SiteTable
from rehref.site._pages.targets import Other, Targets, Wrong, arrived_at, followed
from rehref.site._pages.written import AS_WRITTEN, code_for, noticed
from rehref.site.findings import Finding
from rehref.uri.syntaxes import SYNTAXES

if TYPE_CHECKING:
    from array import array


def collect(read: ReadPage) -> list[tuple[Any, ...]] | None:
    """Return the findings that need only the page and the files of the site; as plain tuples, which are sent faster."""
    used, broken = read.used, read.classifier.broken
    found: list[Repeated] = []
    wrong = read.broken()
    if wrong or used.odd:
        found += _of_values(read.page, wrong, used.odd)
    others = zip(used.others, read.others, strict=True)
    found += _of_others(
        read.page,
        (other._replace(verdict=broken[other.target or ""]) if mark == BROKEN else other for other, mark in others),
    )
    if found and read.page.is_html and is_not_found_page(read.context, read.path):
        found = spread(found)
        each = [row.finding for row in found]
        in_script = {one.span for one in each if one.element == "script" and is_called_so(one.reference)}
        own = own_references(read.page.source) | in_script
        found = [row for row in found if row.finding.span not in own]
    files = read.context.files
    if (
        found
        and files.generator is not None
        and files.generator.listed is not None
        and files.page_of(read.path) is None
    ):
        found = [row for row in found if not _leads_to_source(read.context, row.finding)]
    return sent(found) or None


def _leads_to_source(context: SiteContext, finding: Finding) -> bool:
    """Whether a reference leads to a source that is there, but has no page of its name.

    That is right in what is not a page of a book, such as the list of its pages.
    """
    return (
        finding.code == "missing-file"
        and context.locator.locate(without_fragment(finding.target or "")).path is not None
    )


def findings(
    context: SiteContext, table: SiteTable, facts: Mapping[str, Sequence[tuple[Any, ...]]]
) -> Iterator[Finding | Repeated]:
    """Yield these findings, and those for fragments in other documents."""
    wrong, unsure = set[int](), set[int]()
    made: list[MissingFragments] = []
    for each in table.missing(context.options.script_ids):
        if not is_made_by_scripts(context, each):
            wrong.update(each.fragments)
        elif context.scope.reports(each.path) and not context.scope.leaves_out(each.path):
            made.append(each)
        else:
            unsure.update(each.fragments)
    yield from findings_about(context, table, made)
    missing = list(table.using(wrong))
    of_fragments = partial(of_missing, context)
    uncertain = chain.from_iterable(in_processes(context, of_fragments, list(table.uncertain())))
    table.skipped += sum(row.number for row in received(uncertain) if row.finding.code == MISSING_FRAGMENT)
    again = in_processes(context, of_fragments, missing)
    for row in received(chain(chain.from_iterable(facts.values()), chain.from_iterable(again))):
        is_unseen = _is_unseen(context, row.finding)
        yield row._replace(finding=row.finding._replace(asked_severity="warning")) if is_unseen else row
    at_links = in_processes(context, of_fragments, list(table.using(unsure)))
    for row in received(chain.from_iterable(at_links)):
        yield row._replace(finding=made_at_link(row.finding))


def _is_unseen(context: SiteContext, finding: Finding) -> bool:
    """Whether a finding is about the fragment of a `link` that browsers do not show (`<link rel=Section href="#x">`).

    It is a warning then. A fragment in an SVG image (`rel=icon`) is an error as elsewhere: it says what of the image is
    shown.
    """
    if finding.code != MISSING_FRAGMENT or finding.element != "link":
        return False
    is_image = without_fragment(finding.target or "").lower().endswith(".svg")
    return context.files.types.of(finding.document) in MediaType.PAGES and not is_image


def of_missing(
    context: SiteContext, items: Sequence[tuple[str, Mapping[str, LeadsOn | None]]]
) -> list[tuple[Any, ...]]:
    """Return findings from documents read again, each with its missing fragments. Raises nothing.

    A document that was removed is skipped. References to ids that only some dialects of Markdown give, where none is
    known, count as skipped.
    """
    classifier, targets = TargetClassifier(context), Targets(context)
    found: list[tuple[Any, ...]] = []
    for path, fragments in items:
        data = read_or_skip(context, path)
        if data is not None:
            page = SitePage(context, path, data)
            read = ReadPage(page, data, classifier, targets.of(page))
            verdicts = {key: _verdict(key, to, is_own=key.startswith(path + NUL)) for key, to in fragments.items()}
            found += sent(_found_again(read, verdicts))
    return found


def _found_again(read: ReadPage, verdicts: Mapping[str, Verdict]) -> Iterator[Repeated]:
    """Yield the findings for the fragments in a page that have a verdict."""
    used, classifier = read.used, read.classifier
    by_mark = {classifier.number(fragment): verdict for fragment, verdict in verdicts.items()}
    wrong = {
        value: Wrong(target, by_mark[mark])
        for value, number, target in used.judged()
        if (mark := read.marks[number]) in by_mark
    }
    yield from _of_values(read.page, wrong)
    others = zip(used.others, read.others, strict=True)
    wrong_others = [other._replace(verdict=by_mark[mark], odd=False) for other, mark in others if mark in by_mark]
    yield from _of_others(read.page, wrong_others)


@lru_cache(maxsize=4096)  # equal verdicts are then one object, sent only once
def _verdict(key: str, sent_on: LeadsOn | None, *, is_own: bool) -> Verdict:
    """Return what is wrong with a target.

    A program of the server may answer at the target of a reference of the kind `form` (`form@action`, `a@ping`):
    without a file, that is the warning `missing-endpoint`.
    """
    file, _, fragment = key.partition(NUL)
    return missing_fragment(fragment, None if is_own else file, sent_on)


def _of_values(page: SitePage, wrong: Mapping[str, Wrong], odd: AbstractSet[str] = frozenset()) -> Iterator[Repeated]:
    """Yield what is found at the values of ordinary places, which are references as they are."""
    parsed, sent_to = page.parsed, {value for value, found in wrong.items() if found.verdict.code not in AS_WRITTEN}
    numbers = page.values.at(list(map((wrong.keys() | odd).__contains__, page.values.texts)))
    found: dict[tuple[object, ...], tuple[list[Finding], array[int]]] = {}
    for number, (place, line, column, span) in zip(numbers, parsed.located(numbers) if numbers else (), strict=True):
        value = place.value
        if value not in wrong and value not in odd:  # white space is around the reference
            (whole,) = SYNTAXES["url"].find(value)
            start, value = whole.start, whole.text
            line, column = parsed.locate(number, start)
            span = parsed.span(number, start, start + len(value))
        kind = page.document.kind_of_value(number) if value in sent_to else None
        alike = (value, place.element, place.attribute, kind, place.flags)
        same = found.get(alike)
        if same is None:
            carried = (value, place.element, place.attribute, kind, place.in_template)
            same = found[alike] = list(_about(page, carried, wrong.get(value), is_odd=value in odd)), at()
        if line is None or column is None or span is None:  # a tree core does not know it
            yield from (Repeated(finding.at(line, column, span)) for finding in same[0])
        else:
            same[1].extend((line, column, *span))
    for findings_here, there in found.values():
        yield from (Repeated.of(finding, there) for finding in findings_here if there)


_Carried: TypeAlias = "tuple[str, str, str | None, str | None, bool]"
"""A value, element and attribute, the kind of reference if that may matter, and whether it is in a template."""


def _about(page: SitePage, carried: _Carried, wrong: Wrong | None, *, is_odd: bool) -> Iterator[Finding]:
    """Yield what is found at all places that carry this, without their positions."""
    value, element, attribute, kind, in_template = carried
    verdict = None if wrong is None else wrong.verdict
    finding = partial(
        Finding, document=page.path, element=element, attribute=attribute, reference=value, base=page.document.base
    )
    if wrong is not None and (
        wrong.verdict.code != MISSING_FRAGMENT or not in_template or without_fragment(wrong.target or "") != page.own
    ):
        uri = None if wrong.target is None else uri_of(page.context, wrong.target)
        yield finding(code=code_for(wrong.verdict, kind), message=wrong.verdict.message, target=uri)
    if is_odd or (_is_misread(verdict) and not value.isascii()):
        target, _, problems = page.document.resolver(value)
        seen = followed(page.document.resolver.in_browsers, value, target, problems)
        for problem in _shown(noticed(page.context, value, target, problems), verdict, odd=is_odd):
            yield finding(code=problem.code, message=problem.message, target=seen)


def _of_others(page: SitePage, others: Iterable[Other]) -> Iterator[Repeated]:
    """Yield the findings for references in other places.

    In a `template`, one to a fragment of the document itself is not reported: it may mean something that a script
    creates.
    """
    for other in others:
        if other.verdict is None and not other.odd:
            continue
        link = page.document.link(other.reference)
        problems = noticed(page.context, link.reference, link.target, link.problems)
        link = link._replace(target=arrived_at(page.document, other.reference, link))
        if other.verdict is not None:
            yield Repeated(finding_of(page.path, link, code_for(other.verdict, link.kind), other.verdict.message))
        for problem in _shown(problems, other.verdict, odd=other.odd):
            yield Repeated(finding_of(page.path, link, problem.code, problem.message))


def _shown(problems: Iterable[Problem], verdict: Verdict | None, *, odd: bool) -> list[Problem]:
    """Return the problems of a reference that are reported here; `odd`: whether all others are included.

    That a page declares no encoding is reported only if the link leads to no file.
    """
    misread = _is_misread(verdict)
    return [problem for problem in problems if (misread if problem.is_of_encoding else odd)]


def _is_misread(verdict: Verdict | None) -> bool:
    """Whether no file was found: a wrong guess of the encoding may be why."""
    return verdict is not None and verdict.code != MISSING_FRAGMENT and verdict.code not in AS_WRITTEN
