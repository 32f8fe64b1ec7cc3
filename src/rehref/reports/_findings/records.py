"""The findings of a page as its script reads them: columns of numbers, most of which refer to texts.

A text occurs once, however many findings have it, and is ready to be shown: masked, shortened, without control
characters. So fifty thousand findings are a few megabytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from rehref.documents.base import Base
from rehref.reports._findings.places_shown import excerpt, folder_of, source_line
from rehref.reports.formats import Presentation
from rehref.reports.terminal import mask, shown, visible
from rehref.reports.words_of_findings import address_of, leads_to, openable, place
from rehref.site.codes import CODES, SEVERITIES
from rehref.site.findings import UNKNOWN_HOST, Cause, CheckResult, Finding
from rehref.uri.components import mask_text, split

COLUMNS_OF_LINE: Final = 160
_LONGEST_MESSAGE = 2_000
_MOST_REJECTED = 3
_SECTIONS = {"embedded": "5.1.1", "entity": "5.1.2", "retrieval": "5.1.3", "default": "5.1.4"}
NONE: Final = -1


class FindingRow(NamedTuple):
    """A finding, in numbers: that of a text, a code, a base or a cause; -1 if there is none. The fields name the
    columns.

    `goal`: a key that findings with the same target file share, and that differs for others, even if it is shortened;
    `whole`: the text to copy of a suggestion; `page_url`, `target_url`: what a reader can open.
    """

    document: int
    line: int
    column: int
    place: int
    code: int
    severity: int
    message: int
    reference: int
    target: int
    goal: int
    host: int
    base: int
    suggestion: int
    whole: int
    sure: int
    before: int
    marked: int
    after: int
    cause: int
    folder: int
    page_url: int
    target_url: int


class _Made(dict[Any, int]):
    """The numbers of earlier keys; a new key gets a new number."""

    def __init__(self, make: Callable[[Any], int]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Any) -> int:
        number = self[key] = NONE if key is None else self._make(key)
        return number


class _Listed(dict[Any, int]):
    """The numbers of the items of a list, each once."""

    def __init__(self) -> None:
        super().__init__()
        self.all: list[Any] = []

    def __missing__(self, key: Any) -> int:
        number = self[key] = len(self.all)
        self.all.append(key)
        return number


class _ToldApart:
    """Makes shortened texts differ if the whole ones do: `a…z`, `a…z (2)`."""

    def __init__(self) -> None:
        self._given: Counter[str] = Counter()

    def __call__(self, text: str) -> str:
        own = text
        while own in self._given:
            self._given[text] += 1
            own = f"{text} ({self._given[text]})"
        self._given[own] = 1
        return own


class _Tables:
    """The values that findings share, and a row for each finding."""

    def __init__(self, above: str, presentation: Presentation, result: CheckResult, causes: Sequence[Cause]) -> None:
        texts = self.texts = _Listed()
        told_apart = _ToldApart()
        self.codes, self.bases = _Listed(), _Listed()
        self._presentation = presentation
        self._fit = _Made(lambda text: texts[shown(text)])
        self._said = _Made(lambda text: texts[shown(text, _LONGEST_MESSAGE)])
        self._paths = _Made(lambda path: texts[visible(mask_text(path or "./"))])
        self._folders = _Made(lambda path: texts[visible(mask_text(folder_of(path, above)))])
        self._hosts = _Made(lambda target: texts[shown(host_shown(target), 80)])
        self._based = _Made(lambda base: NONE if base.uri is None else self.bases[_base(base, texts)])
        self._goals = _Made(lambda goal: texts[told_apart(shown(goal.removeprefix(UNKNOWN_HOST)))])
        self._opened = _Made(lambda uri: texts[uri])
        self._pages = _Made(lambda document: self._opened[address_of(result, document)])
        self._ids = {cause.id: number for number, cause in enumerate(causes)}

    def row(self, finding: Finding) -> FindingRow:
        """The numbers for a finding."""
        fit, texts, goal = self._fit, self.texts, finding.common_target
        line = source_line(finding, self._presentation.line_of)
        source = None if line is None else excerpt(finding, line, COLUMNS_OF_LINE)
        before, marked, after = (NONE, NONE, NONE) if source is None else (texts[piece] for piece in source)
        return FindingRow(
            document=self._paths[finding.document],
            line=finding.line or 0,
            column=finding.column or 0,
            place=fit[place(finding) or None],
            code=self.codes[finding.code],
            severity=SEVERITIES.index(finding.severity),
            message=self._said[finding.message],
            reference=fit[finding.reference or None],
            target=fit[leads_to(finding)],
            goal=self._goals[goal],
            host=self._hosts[finding.target],
            base=self._based[finding.base],
            suggestion=fit[finding.suggestion],
            whole=_whole(finding.suggestion, texts),
            sure=int(finding.sure),
            before=before,
            marked=marked,
            after=after,
            cause=self._ids.get(finding.cause, NONE),
            folder=self._folders[finding.document],
            page_url=self._pages[finding.document],
            target_url=self._opened[openable(leads_to(finding) or finding.reference)],
        )


def records(result: CheckResult, presentation: Presentation, above: str) -> dict[str, object]:
    """The data for the script. `above`: the common folder of all findings (`places.py`)."""
    findings, causes = _chosen(result, presentation)
    tables = _Tables(above, presentation, result, causes)
    rows = list(map(tables.row, findings))
    return {
        "texts": tables.texts.all,
        "codes": [(code, CODES[code].sentence) for code in tables.codes.all],
        "bases": tables.bases.all,
        "causes": [(cause.id, cause.occurrences, cause.documents) for cause in causes],
        "columns": dict(zip(FindingRow._fields, zip(*rows, strict=True), strict=True)),
    }


def _chosen(result: CheckResult, presentation: Presentation) -> tuple[Iterable[Finding], Sequence[Cause]]:
    """The findings that are shown, and their causes.

    The number of causes is limited (`Presentation.most`), and each has all its findings; if all places are shown, the
    number of findings is.
    """
    if presentation.most is None:
        return result.findings, result.causes
    if presentation.all_places:
        findings = list(islice(result.findings, presentation.most))
        ids = {finding.cause for finding in findings}
        return findings, [cause for cause in result.causes if cause.id in ids]
    causes = result.causes[: presentation.most]
    ids = {cause.id for cause in causes}
    return [finding for finding in result.findings if finding.cause in ids], causes


def _whole(suggestion: str | None, texts: _Listed) -> int:
    """The whole suggestion, if a different text is shown."""
    masked = mask(suggestion)
    return NONE if suggestion is None or masked is None or shown(suggestion) == masked else texts[masked]


def why(base: Base) -> str:
    """The origin of a base, and its layer in RFC 3986."""
    section = _SECTIONS.get(base.origin)
    return base.where if section is None else f"{base.where} (RFC 3986 §{section})"


def _base(base: Base, texts: _Listed) -> tuple[int, int, tuple[int, ...]]:
    """A base: its URI, its origin, and the candidates that were rejected before."""
    rejected = (f"{each.reference} ({each.where}): {each.reason}" for each in base.rejected[:_MOST_REJECTED])
    uri = (base.uri or "").removeprefix(UNKNOWN_HOST)
    return texts[shown(uri)], texts[shown(why(base))], tuple(texts[shown(each)] for each in rejected)


def host_shown(target: str) -> str:
    """The place of a target: its host with its port; "this site" if that is not known; else its scheme (`mailto:`)."""
    if target.startswith(UNKNOWN_HOST):
        return "this site"
    scheme, authority, *_ = split(target)
    if authority:
        return authority.rpartition("@")[2]
    return "this site" if scheme is None else f"{scheme}:"
