"""The findings of a page as its script reads them: columns of numbers, most of which stand for texts.

1. A text is there once, however many findings have it, and fit to be shown: masked, shortened, without control
   characters. So fifty thousand findings are a few megabytes.
2. A column has a number for each finding: of a text, a code, a base or a cause; -1 where there is none. The fields of
   `Columns` are their names.
3. Every finding has its source line, if there is one. What is copied of a suggestion is whole, where it is shown
   shortened.
4. Of causes there are as many as are to be shown at most (`Presentation.most`), with all their findings; or as many
   findings, where all places are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from itertools import islice
from typing import Any, Final

from rehref.base import Base
from rehref.checking.model import UNKNOWN_HOST, CheckResult, Finding
from rehref.checking.results.causes import common_target
from rehref.codes import CODES, SEVERITIES
from rehref.reports.check.folders import folder_of
from rehref.reports.check.places import excerpt, file_path, source_line
from rehref.reports.check.words import leads_to, place
from rehref.reports.formats import Presentation
from rehref.reports.text import mask, shown, visible
from rehref.uri.components import split

COLUMNS_OF_LINE: Final = 160
_LONGEST_MESSAGE = 2_000
_MOST_REJECTED = 3
_SECTIONS = {"embedded": "5.1.1", "entity": "5.1.2", "retrieval": "5.1.3", "default": "5.1.4"}
NONE: Final = -1


@dataclass(slots=True)
class Columns:
    """The columns (rule 2). `goal`: what findings that lead to one file have in common; `whole`: what is copied."""

    document: list[int] = field(default_factory=list)
    line: list[int] = field(default_factory=list)
    column: list[int] = field(default_factory=list)
    place: list[int] = field(default_factory=list)
    code: list[int] = field(default_factory=list)
    severity: list[int] = field(default_factory=list)
    message: list[int] = field(default_factory=list)
    reference: list[int] = field(default_factory=list)
    target: list[int] = field(default_factory=list)
    goal: list[int] = field(default_factory=list)
    host: list[int] = field(default_factory=list)
    base: list[int] = field(default_factory=list)
    suggestion: list[int] = field(default_factory=list)
    whole: list[int] = field(default_factory=list)
    sure: list[int] = field(default_factory=list)
    before: list[int] = field(default_factory=list)
    marked: list[int] = field(default_factory=list)
    after: list[int] = field(default_factory=list)
    cause: list[int] = field(default_factory=list)
    folder: list[int] = field(default_factory=list)


class _Numbers(dict[Any, int]):
    """Gives what it is asked for its number, and makes of each once what the page has of it."""

    def __init__(self, make: Callable[[Any], object]) -> None:
        super().__init__()
        self.made: list[object] = []
        self._make = make

    def __missing__(self, key: Any) -> int:
        if key is None:
            return NONE
        made = self._make(key)
        number = self[key] = len(self.made)
        self.made.append(made)
        return number


def records(result: CheckResult, presentation: Presentation, above: str) -> dict[str, object]:
    """What the script reads. `above`: the folder that all folders of findings are in (`folders.py`)."""
    findings, causes = _chosen(result, presentation)
    texts = _Numbers(lambda text: text)
    fit = _Numbers(lambda text: texts[shown(text)])
    said = _Numbers(lambda text: texts[shown(text, _LONGEST_MESSAGE)])
    paths = _Numbers(lambda path: texts[visible(file_path(result.folder, path))])
    folders = _Numbers(lambda path: texts[visible(folder_of(path, above))])
    codes = _Numbers(lambda name: [name, CODES[name].sentence])
    bases = _Numbers(lambda base: _base(base, texts))
    hosts = _Numbers(lambda target: texts[shown(host_of(target), 80)])
    ids = {cause.id: number for number, cause in enumerate(causes)}
    columns = Columns()
    add = {each.name: getattr(columns, each.name).append for each in fields(Columns)}

    def of(numbers: _Numbers, key: Any) -> int:
        number = numbers[key]
        return NONE if number < 0 else numbers.made[number]  # type: ignore[return-value]

    for finding in findings:
        suggestion = finding.suggestion
        goal = common_target(finding)
        source = _source(finding, presentation)
        before, marked, after = (NONE, NONE, NONE) if source is None else (texts[piece] for piece in source)
        add["document"](of(paths, finding.document))
        add["line"](finding.line or 0)
        add["column"](finding.column or 0)
        add["place"](of(fit, place(finding) or None))
        add["code"](codes[finding.code])
        add["severity"](SEVERITIES.index(finding.severity))
        add["message"](of(said, finding.message))
        add["reference"](of(fit, finding.reference or None))
        add["target"](of(fit, leads_to(finding)))
        add["goal"](of(fit, None if goal is None else goal.removeprefix(UNKNOWN_HOST)))
        add["host"](of(hosts, finding.target))
        add["base"](NONE if _says_nothing(finding.base) else bases[finding.base])
        add["suggestion"](of(fit, suggestion))
        add["whole"](_whole(suggestion, texts))
        add["sure"](int(finding.sure))
        add["before"](before)
        add["marked"](marked)
        add["after"](after)
        add["cause"](ids.get(finding.cause, NONE))
        add["folder"](of(folders, finding.document))
    return {
        "texts": texts.made,
        "codes": codes.made,
        "bases": bases.made,
        "causes": [[cause.id, cause.occurrences] for cause in causes],
        "columns": {each.name: getattr(columns, each.name) for each in fields(Columns)},
    }


def _chosen(result: CheckResult, presentation: Presentation) -> tuple[Iterable[Finding], Sequence[Any]]:
    """The findings that are shown, and the causes of them (rule 4)."""
    if presentation.most is None:
        return result.findings, result.causes
    if presentation.all_places:
        findings = list(islice(result.findings, presentation.most))
        ids = {finding.cause for finding in findings}
        return findings, [cause for cause in result.causes if cause.id in ids]
    causes = result.causes[: presentation.most]
    ids = {cause.id for cause in causes}
    return [finding for finding in result.findings if finding.cause in ids], causes


def _source(finding: Finding, presentation: Presentation) -> tuple[str, str, str] | None:
    line = source_line(finding, presentation.line_of)
    return None if line is None else excerpt(finding, line, COLUMNS_OF_LINE)


def _whole(suggestion: str | None, texts: _Numbers) -> int:
    """The suggestion, where it is shown otherwise (rule 3)."""
    masked = mask(suggestion)
    return NONE if suggestion is None or masked is None or shown(suggestion) == masked else texts[masked]


def _says_nothing(base: Base | None) -> bool:
    return base is None or base.uri is None


def why(base: Base) -> str:
    """Where a base comes from, and which layer of RFC 3986 that is."""
    section = _SECTIONS.get(base.origin)
    return base.where if section is None else f"{base.where} (RFC 3986 §{section})"


def _base(base: Base, texts: _Numbers) -> tuple[int, int, list[int]]:
    """A base: its URI, what says so, and what was rejected before."""
    rejected = [
        texts[shown(f"{each.reference} ({each.where}): {each.reason}")] for each in base.rejected[:_MOST_REJECTED]
    ]
    uri = (base.uri or "").removeprefix(UNKNOWN_HOST)
    return texts[shown(uri)], texts[shown(why(base))], rejected


def host_of(target: str) -> str:
    """What a target is at: its host with its port; "this site" where that is not known; else its scheme (`mailto:`)."""
    if target.startswith(UNKNOWN_HOST):
        return "this site"
    scheme, authority, *_ = split(target)
    if authority:
        return authority.rpartition("@")[2]
    return "this site" if scheme is None else f"{scheme}:"
