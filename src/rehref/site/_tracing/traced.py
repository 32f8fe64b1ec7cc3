"""`--sources`: the result of a check with its findings where their references are written.

Findings whose places in the sources are sure come first. They keep the causes that they share with the others, which
stay on the built pages. Sources that cannot be read are reported like documents. All documents are named from the
folder that the site and its sources have in common. It needs the package pyromark, of the extra `markdown`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from rehref.exceptions import OptionError
from rehref.files.file_documents import path_from
from rehref.site._checks.all_checks import reported
from rehref.site._found.repeated import Rows
from rehref.site._grounds.source_files import INSTALLING, NEEDS_PYROMARK
from rehref.site._pages.reading_site_pages import unreadable
from rehref.site._paths import shown
from rehref.site._results.causes import with_causes
from rehref.site._tracing.source_place import SourcePlace
from rehref.site.codes import Severity
from rehref.site.findings import CheckResult, Finding, Summary
from rehref.site.site import Site


class Traced(NamedTuple):
    """The result of a check, and where its references are written.

    `written`: the findings whose references are in documents of `site`, in order, by their paths there. `site`: the
    checked one, unless sources are named (`at_sources`): then theirs.
    """

    result: CheckResult
    site: Site
    written: Collection[Finding] | Rows
    at_sources: bool = False

    def without(self, corrected: Iterable[Finding]) -> CheckResult:
        """Return the result without some of the findings in `written`."""
        gone, found = set(corrected), self.result.findings
        there = [shown for shown, own in zip(found, self.written, strict=False) if own not in gone]
        return self.result.with_findings([*there, *found[len(self.written) :]])


def traced(site: Site, result: CheckResult) -> Traced:
    """Return the result of a check with findings at their sources, if sources are named.

    Raises `FileError` if the sources cannot be read, `OptionError` without pyromark.
    """
    named = site.options.given["sources"]
    if named is None:
        return Traced(result, site, result.rows)
    if find_spec("pyromark") is None:
        raise OptionError("sources", NEEDS_PYROMARK, INSTALLING)
    from rehref.site._tracing.tracing import Tracer

    folder = str(named)
    tracer = Tracer(site, result.findings, Path(folder))
    written, others = _parted(result.findings, tracer.locate)
    own = sorted(written, key=lambda each: each.place)
    rest = replace(result, findings=tuple(others))
    severity = reported(site.options).get("unreadable")
    errors = [unreadable(*each)._replace(asked_severity=severity) for each in tracer.unread.items()]
    unread = tuple(with_causes(errors if severity else (), tracer.sources.uri))
    both = CheckResult.joined([rest, CheckResult(folder, Summary(0, 0, 0), unread)])
    here, before = path_from(both.folder, folder), path_from(both.folder, site.place.folder)
    there = [each.moved(here + each.document, before) for each in own]
    both = both.but(hints=tuple(filter(None, (*both.hints, _unread_markup(folder, tracer.sources.files.paths)))))
    return Traced(both.with_findings([*there, *both.findings]), Site(*tracer.sources), tuple(own), at_sources=True)


def _unread_markup(folder: str, paths: Iterable[str]) -> str:
    """The hint about sources in reStructuredText, which rehref cannot read; "" if there are none."""
    found = sorted(path for path in paths if path.lower().endswith((".rst", ".rest")))
    if not found:
        return ""
    number, what = len(found), "files in {} are" if len(found) > 1 else "file in {} is"
    files = f"{number:,} reStructuredText {what.format(shown(folder))} not read"
    why = "what is wrong is found there by its text alone, and not corrected; in Sphinx, the extension"
    return f"{files}, such as {shown(found[0])}: {why} rehref.integrations.sphinx knows the lines"


def _parted(
    findings: Iterable[Finding], locate: Callable[[Finding], SourcePlace | None]
) -> tuple[list[Finding], list[Finding]]:
    """Return the findings that are written in a source, each place once, and the others, in order.

    A layout is in many pages: of findings at one place the first is kept, without a suggestion if that is not the same
    for all.
    """
    written: dict[tuple[str, tuple[int, int], str, str, Severity], tuple[Finding, SourcePlace]] = {}
    others: list[Finding] = []
    for finding in findings:
        place = locate(finding)
        if place is None:
            others.append(finding)
            continue
        key = (place.path, place.span, finding.code, finding.reference, finding.severity)
        first, known = written.setdefault(key, (finding, place))
        if known.suggestion != place.suggestion:
            written[key] = first, known._replace(suggestion=None)
    return [place.moved(finding) for finding, place in written.values()], others
