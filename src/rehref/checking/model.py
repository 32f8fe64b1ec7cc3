"""What checking a folder gives: findings, their causes, their sum, and all of it together.

1. A finding is one thing that is wrong, doubtful or merely of note, at one place of one document; its code says how
   severe it is (`rehref.codes`).
   What is said of a document as a whole, or of a file that is none, has no line, column or span.
2. `Summary.broken` counts the errors, `Summary.warnings` the warnings.
3. The findings of a result are sorted by document, and within one by their place; its causes as
   `rehref.checking.causes` says.
4. Nothing is computed here: these are values, as all reports show them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from rehref.base import Base
from rehref.codes import CODES, Severity


class Finding(NamedTuple):
    """One thing found wrong with a reference, or with a document.

    `document`: its path below the folder, with slashes ("a/b.html"). `code`: of problems and findings ("missing-file",
    `rehref.codes`); `message`: for people. `line`, `column`: 1-based, the column in characters. `span`: start and end
    in the file, in bytes. `reference`: as written, decoded; `target`: what it resolves to against `base`.
    `suggestion`: a reference to write instead; `sure`: whether that is sure enough to be written unasked.
    `asked_severity`: how severe it is if not as the table of codes has it. `cause`: the id of what it has in common
    with others.
    """

    document: str
    code: str
    message: str
    line: int | None = None
    column: int | None = None
    span: tuple[int, int] | None = None
    element: str = ""
    attribute: str | None = None
    reference: str = ""
    target: str | None = None
    base: Base | None = None
    suggestion: str | None = None
    sure: bool = False
    asked_severity: Severity | None = None
    cause: str = ""

    @property
    def severity(self) -> Severity:
        """How severe it is."""
        return self.asked_severity or CODES[self.code].severity


class ExternalLink(NamedTuple):
    """A URL on another site, without a fragment, and the first place in which a document refers to it."""

    url: str
    document: str
    line: int | None
    column: int | None


class Cause(NamedTuple):
    """What some findings have in common (`rehref.checking.causes`).

    `id`: the same from run to run. `target`: the one they share, None if there is none, or several. `occurrences`: how
    many findings there are; `documents`: in how many documents. `severity`: the worst of theirs. `first`: the finding
    that comes first.
    """

    id: str
    code: str
    target: str | None
    occurrences: int
    documents: int
    severity: Severity
    first: Finding


@dataclass(frozen=True, slots=True)
class Summary:
    """How much was checked, and what came of it. `links` = `checked` + `skipped`; `seconds`: of wall-clock time.

    `others`: files of the folder, hidden ones aside, that are no documents.
    """

    documents: int
    links: int
    checked: int
    broken: int = 0
    warnings: int = 0
    skipped: int = 0
    seconds: float = 0.0
    others: int = 0


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What checking `folder` gave: the sum, the findings sorted by document and place, and their causes.

    `external`: the URLs on other sites, sorted, each once, if `CheckOptions.lists_external` asks for them.
    """

    folder: str
    summary: Summary
    findings: tuple[Finding, ...]
    external: tuple[ExternalLink, ...] = ()
    causes: tuple[Cause, ...] = ()
