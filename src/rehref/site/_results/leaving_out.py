"""Filters the findings of a site as options and documents ask, and sets their severity as asked.

A document is read again only if it has findings, and a comment or an attribute that may matter. If that names something
that is not a code, it leaves nothing out, and the name is reported, since it may be mistyped.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from rehref.documents.media_types import MediaType
from rehref.documents.reading import read_page
from rehref.site._checks.all_checks import closeness, reported
from rehref.site._found.repeated import Repeated, spread
from rehref.site._grounds.site_context import SiteContext, is_found
from rehref.site._ignoring import (
    IGNORE_ATTRIBUTE,
    IgnoredRanges,
    IgnoreRules,
    codes_named,
    ignored_lines,
    may_ignore,
    path_rules,
)
from rehref.site._pages.reading_site_pages import read_or_skip
from rehref.site._target_rules import asked_severity
from rehref.site.check_options import CheckOptions
from rehref.site.codes import CODES
from rehref.site.findings import Finding
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText


def ignored_elements(
    source: Source, reader: str | None, attributes: Collection[str], *, scripting: bool = False
) -> IgnoredRanges[tuple[int, int]]:
    """Return the stretches of a document that are in elements with an attribute or a class that leaves them out.

    In HTML an element extends as far as in a browser (`PageContent.extents`), in XML to its end tag. Documents of other
    types have no elements; those in a `srcdoc` belong to its `iframe`. A class of that name (`class="note
    data-proofer-ignore"`) does the same as an attribute without a value.
    """
    if reader not in ("html", "xml"):
        return IgnoredRanges([])
    page, units = read_page(source, is_xml=reader == "xml"), SourceText(source)
    text = units.text.lower()
    ranges: list[tuple[tuple[int, int], tuple[int, int], str]] = []
    for name in filter(text.__contains__, attributes):
        extents = page.extents(name, scripting=scripting)
        if "class" in text:
            of_class = page.extents("class", scripting=scripting)
            extents += (each._replace(value="") for each in of_class if name in each.value.lower().split())
        for extent in extents:
            first, (line, column) = units.position(extent.start), units.position(extent.end)
            ranges += ((first, (line, column - 1), code) for code in _codes(name, extent.value))
    return IgnoredRanges(ranges)


def _codes(name: str, value: str) -> list[str]:
    """The codes that are ignored.

    "" means all, as does `true`, or the value of any attribute but `data-rehref-ignore`.
    """
    is_for_all = name != IGNORE_ATTRIBUTE or value.strip() in ("", "true")
    return [""] if is_for_all else codes_named(value)


LeftOut: TypeAlias = Callable[[str], Collection[str]]
"""The codes that are left out in a document, by its path."""


class Ignored(NamedTuple):
    """What a document itself leaves out."""

    lines: IgnoredRanges[int] = IgnoredRanges()
    elements: IgnoredRanges[tuple[int, int]] = IgnoredRanges()

    def unknown(self) -> list[str]:
        """The names in it that are not codes."""
        return [
            code
            for code in {**dict.fromkeys(self.lines.codes), **dict.fromkeys(self.elements.codes)}
            if code and code not in CODES
        ]

    def cover(self, finding: Finding) -> bool:
        """Whether a finding is ignored."""
        line, column, code = finding.line, finding.column, finding.code
        position = None if line is None or column is None else (line, column)
        return self.lines.cover(line, code) or self.elements.cover(position, code)


_NOTHING = Ignored()


def kept(
    context: SiteContext,
    rows: Iterable[Repeated],
    rules: IgnoreRules,
    commented: Collection[str],
    unknown: Callable[[str, str], None],
) -> Iterator[Repeated]:
    """The findings that stay; they come document by document.

    A finding stays if its code is reported (`_checks/all_checks.py`), the ignore file has neither its document nor its
    target, `per_path_ignores` does not have its code for its document, no rule says that it is ignored, and no comment
    or attribute in the document itself leaves it out (`_ignoring.py`). `commented`: the documents, already read, with
    comments or attributes that may leave something out. `unknown`: called with a document and a name in it that is not
    a code. Raises `UnknownCodeError`.
    """
    options = context.options
    severity_of = reported(options)
    left_out = per_path(options)
    for document, group in groupby(rows, key=attrgetter("finding.document")):
        here = left_out(document)
        found = [row for row in group if row.finding.code in severity_of and row.finding.code not in here]
        if not found or not context.scope.reports(document) or rules.ignores(document):
            continue
        may_have = document in commented or not context.files.types.is_document(document)
        ignored = ignored_in(context, document) if may_have else _NOTHING
        for name in ignored.unknown():
            unknown(document, name)
        if ignored is not _NOTHING:
            found = [row for row in spread(found) if not ignored.cover(row.finding)]
        for row in found:
            finding = row.finding
            uri = finding.target if rules.uris else None
            if uri is not None and is_found(rules.uris, uri, finding.reference):
                continue
            if (by_rule := asked_severity(options.rules, finding)) is not None:
                if by_rule != "ignore":
                    yield row._replace(finding=finding._replace(asked_severity=by_rule))
                continue
            asked, usual = severity_of[finding.code], CODES[finding.code].severity
            # the severity that the check gave this finding counts, unless an option sets another
            is_so = asked == (usual if finding.asked_severity else finding.severity)
            yield row if is_so else row._replace(finding=finding._replace(asked_severity=asked))


def per_path(options: CheckOptions) -> LeftOut:
    """What `per_path_ignores` leaves out of documents. Raises `UnknownCodeError`.

    It has patterns like those of the ignore file. One that begins with `!` is for all other documents.
    """
    rows = [
        (path_rules(glob.removeprefix("!")), glob.startswith("!"), frozenset(closeness(names)))
        for glob, names in options.per_path_ignores
    ]
    return lambda path: {code for rules, others, codes in rows if rules.ignores(path) != others for code in codes}


def ignored_in(context: SiteContext, document: str) -> Ignored:
    """What the comments and the elements of a document leave out."""
    attributes = context.options.ignore_attributes
    data = read_or_skip(context, document)
    if data is None or not may_ignore(data, attributes):
        return _NOTHING
    try:
        source = context.source(document, data)
    except ValueError:  # of a type that has no encoding
        return _NOTHING
    reader, scripting = MediaType.of(context.files.types.of(document)).reader, context.options.how.scripting
    from rehref.site._results.leaving_out import ignored_elements  # few documents have any

    elements = ignored_elements(source, reader, attributes, scripting=scripting)
    return Ignored(ignored_lines(source.text), elements)
