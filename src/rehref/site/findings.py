"""The result of checking a folder: findings, their causes and the summary.

A finding is one thing that is wrong, doubtful or worth a note, at one place of one document; its code says how severe
it is (`rehref.site.codes`). A finding about a whole document, or about a file that is not a document, has no line,
column or span. Findings are sorted by document, then by place. Of causes, errors come before warnings, these before
notes; then those with more findings; then those that come first.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from rehref.files.file_documents import common_folder, path_from
from rehref.files.reading_files import read_file
from rehref.site._baseline_file import KnownProblem, read_known, written_known
from rehref.site._found.finding import OF_FILES as OF_FILES
from rehref.site._found.finding import Finding as Finding
from rehref.site._found.finding import hashed as hashed
from rehref.site._found.repeated import Repeated, Rows
from rehref.site.codes import SEVERITIES, Severity
from rehref.uri.resolver import Resolver

Basis: TypeAlias = Literal["given", "stated", "links", "root", "file"]
"""What says where a folder is: an option; its files; the paths from the root in them; nothing, so that the folder is
the root of an unknown host; or its place on the disk."""

LineOf: TypeAlias = "Callable[[str, int], str | None]"
"""Returns a document's line by its number (1-based), without its end; None if it is missing, or cannot be read."""

UNKNOWN_HOST: Final = "https://site.invalid"
"""The start of the URI of a folder whose host is unknown: a name that resolves to nothing (RFC 6761 §6.4)."""

HEADER_FIELDS: Final = " (header fields)"
"""The name of the document of a page's header fields is the URL of the page and this text."""

HOST_OPTION: Final = "--host"
"""The value of `host_source` where nothing is inferred."""


@dataclass(frozen=True, slots=True)
class SitePlace:
    """Where a folder is taken to be: its URI `url`, which ends in a slash, and the name of a host profile.

    `basis`: what says where it is; `sources`: the options or files that say it, for people. `host_source`: the option
    or the file that names the host, "" if none does. `has_clean_urls`: whether files, and neither the host nor an
    option, say that `/a` means `a.html`.
    """

    folder: str
    url: str
    basis: Basis = "given"
    sources: tuple[str, ...] = ()
    host: str = "none"
    host_source: str = ""
    has_clean_urls: bool = False

    @property
    def is_inferred(self) -> bool:
        """Whether no option says where the folder is."""
        return self.basis in ("stated", "links", "root")

    @property
    def has_host(self) -> bool:
        """Whether the host on the web is known."""
        return self.basis in ("given", "stated") and not self.url.startswith(f"{UNKNOWN_HOST}/")


class WebVerdict(NamedTuple):
    """What is wrong with a URL according to servers.

    `moved_to`: the URL to write instead, if it has moved; `sure`: whether that is safe to write without asking.
    `status`: the answer's, if it says what is wrong.
    """

    code: str
    message: str
    moved_to: str | None = None
    sure: bool = False
    status: int | None = None


class ExternalLink(NamedTuple):
    """A URL on another site, without a fragment, and the first place in which a document refers to it."""

    url: str
    document: str
    line: int | None
    column: int | None

    @property
    def place(self) -> tuple[str, int, int]:
        """Its place in the order of all of its URL."""
        return self.document, self.line or 0, self.column or 0


class Cause(NamedTuple):
    """What some findings have in common (`rehref.site._results.causes`).

    `id`: the same from run to run. `target`: the target that they share, None if there is none, or several.
    `occurrences`: the number of findings; `documents`: the number of documents. `severity`: the worst of the findings.
    `first`: the first of the findings. `targets`: the number of targets, if their references differ too. `suggestions`:
    what to write instead at its places, of those that lead to the same URI the first.
    """

    id: str
    code: str
    target: str | None
    occurrences: int
    documents: int
    severity: Severity
    first: Finding
    targets: int = 1
    suggestions: tuple[str, ...] = ()

    @classmethod
    def of(cls, identity: str, rows: Sequence[Repeated]) -> Cause:
        """Return what the findings with that id of a cause have in common; the first row has the first of them."""
        findings = [row.finding for row in rows]
        first = findings[0]
        targets = {one.common_target for one in {finding.target: finding for finding in findings}.values()}
        return cls(
            id=identity,
            code=first.code,
            target=first.common_target if len(targets) == 1 else None,
            occurrences=sum(row.number for row in rows),
            documents=len({finding.document for finding in findings}),
            severity=min({finding.severity for finding in findings}, key=SEVERITIES.index),
            first=first,
            targets=min(len(targets), len({finding.reference for finding in findings})),
            suggestions=_suggestions(findings),
        )


def _suggestions(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return the suggestions of findings, of those that lead to the same URI the first."""
    texts: dict[tuple[str, str | None], Finding] = {}
    for one in findings:
        if one.suggestion is not None:
            texts.setdefault((one.suggestion, one.base.uri if one.base is not None else None), one)
    if len({text for text, _ in texts}) <= 1:
        return tuple({text: None for text, _ in texts})
    meant: dict[str, str] = {}
    for text, base in texts:
        meant.setdefault(text if base is None else Resolver(base)(text), text)
    return tuple(meant.values())


@dataclass(frozen=True, slots=True)
class Summary:
    """How much was checked, and with which results. `links` = `checked` + `skipped`; `seconds`: wall-clock time.

    `others`: the number of files of the folder, without hidden ones, that are not documents. `asked`: the number of
    URLs on other sites with an answer (their links are among those checked); `from_cache`: how many of these answers
    came without asking a server. If several folders were checked together, all values are sums.
    """

    documents: int
    links: int
    checked: int
    broken: int = 0
    warnings: int = 0
    skipped: int = 0
    seconds: float = 0.0
    others: int = 0
    asked: int = 0
    from_cache: int = 0


class _MadeOfRows:
    """The findings of a result, made of its rows when somebody asks for them."""

    def __get__(self, result: CheckResult | None, owner: object = None) -> tuple[Finding, ...]:
        if result is None:
            raise AttributeError("findings")  # so that the field has no default
        known: dict[str, Any] = vars(result)
        if "_made" not in known:
            known["_made"] = tuple(result.rows)
        made: tuple[Finding, ...] = known["_made"]
        return made

    def __set__(self, result: CheckResult, findings: Iterable[Finding] | Rows) -> None:
        known: dict[str, Any] = vars(result)
        if isinstance(findings, Rows):
            known["_rows"] = findings
        else:
            known["_made"] = made = tuple(findings)
            known["_rows"] = Rows(map(Repeated, made))


@dataclass(frozen=True)
class CheckResult:
    """The result of a check: the summary, the findings sorted by document and place, and their causes.

    `folder`: what was checked, as it was named, or the URL of the first page; of several folders, the folder that
    contains them all. `sites`: where each checked folder was taken to be. `external`: the URLs on other sites, sorted,
    each once, if `CheckOptions.lists_external` is set. `hints`: sentences for people, each about many findings, or
    about what documents say of them. `sentence`: what reports say in place of the numbers of links; "" for these.
    """

    folder: str
    summary: Summary
    findings: tuple[Finding, ...] = _MadeOfRows()  # type: ignore[assignment]  # of rows, until somebody asks
    sites: tuple[SitePlace, ...] = ()
    external: tuple[ExternalLink, ...] = ()
    causes: tuple[Cause, ...] = ()
    hints: tuple[str, ...] = ()
    sentence: str = ""

    @property
    def rows(self) -> Rows:
        """The findings as rows, of which iterating makes one finding after the other."""
        rows: Rows = vars(self)["_rows"]
        return rows

    def with_findings(self, findings: Iterable[Finding] | Rows) -> CheckResult:
        """Return the result with other findings, which have their causes, and their sum."""
        result, counted = self.showing(findings), Counter[Severity]()
        for finding, others in result.rows.repeated:
            counted[finding.severity] += Repeated(finding, others).number
        return result.but(summary=replace(self.summary, broken=counted["error"], warnings=counted["warning"]))

    def showing(self, findings: Iterable[Finding] | Rows) -> CheckResult:
        """Return the result with only some of its findings, and with the sum of all."""
        rows = findings if isinstance(findings, Rows) else Rows(map(Repeated, findings))
        groups: dict[str, list[Repeated]] = {}
        for row in rows.repeated:
            groups.setdefault(row.finding.cause, []).append(row)
        causes = [Cause.of(identity, own) for identity, own in groups.items()]
        causes.sort(key=lambda cause: (SEVERITIES.index(cause.severity), -cause.occurrences))
        return self.but(findings=rows, causes=tuple(causes))

    def but(self, **changes: Any) -> CheckResult:
        """Return the result with other values of some fields; its findings stay rows."""
        return replace(self, **{"findings": self.rows, **changes})

    @classmethod
    def joined(cls, results: Sequence[CheckResult]) -> CheckResult:
        """Return the results of several folders as one; a single one stays as it is.

        All documents are named from the common folder, so that each can be opened. Each folder has causes of its own.
        The first place of a URL on another site does not depend on the order of the folders.
        """
        if len(results) == 1:
            return results[0]
        common = common_folder([result.folder for result in results])
        before = {result.folder: path_from(common, result.folder) for result in results}
        found = [
            Repeated(finding.moved(before[result.folder] + finding.document, before[result.folder]), others)
            for result in results
            for finding, others in result.rows.repeated
        ]
        sums = {each.name: sum(getattr(result.summary, each.name) for result in results) for each in fields(Summary)}
        external: dict[str, ExternalLink] = {}
        for result in results:
            for link in result.external:
                placed = link._replace(document=before[result.folder] + link.document)
                external[link.url] = min(external.get(link.url, placed), placed, key=lambda each: each.place)
        sites = tuple(site for result in results for site in result.sites)
        hints = tuple(dict.fromkeys(hint for result in results for hint in result.hints))
        joined = cls(common, Summary(**sums), (), sites, tuple(sorted(external.values())), hints=hints)
        return joined.with_findings(Rows(sorted(found, key=lambda each: each.finding.place)))

    def timed(self, began: float) -> CheckResult:
        """Return the result with the seconds since `began` (of `time.perf_counter`)."""
        return self.but(summary=replace(self.summary, seconds=time.perf_counter() - began))


class UnwrittenRedirect(NamedTuple):
    """A redirect that is not written: the old URL, below the site, and why, for people."""

    url: str
    reason: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """Known findings, and how often each occurs, so that only new ones count. Of more, the last ones are new."""

    known: Counter[KnownProblem]

    @classmethod
    def of(cls, findings: Iterable[Finding]) -> Baseline:
        """Return the baseline with some findings."""
        return cls(Counter(map(_known_of, findings)))

    @classmethod
    def read(cls, path: Path) -> Baseline:
        """Read a baseline. Raises `FileError`."""
        return cls.parse(read_file(path), str(path))

    @classmethod
    def parse(cls, data: bytes, name: str) -> Baseline:
        """Return a baseline from the content of a file, which is called `name`. Raises `FileError`."""
        return cls(read_known(data, name))

    @property
    def content(self) -> bytes:
        """The content of its file."""
        return written_known(self.known)

    def new_in(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Yield the findings that are new, in their order."""
        left = self.known.copy()
        for finding in findings:
            problem = _known_of(finding)
            left[problem] -= 1
            if left[problem] < 0:
                yield finding

    def without(self, findings: Iterable[Finding]) -> Baseline:
        """Return what is listed in vain, where there are only these findings."""
        return Baseline(self.known - Baseline.of(findings).known)


def _known_of(finding: Finding) -> KnownProblem:
    return KnownProblem(finding.document, finding.reference, finding.code)
