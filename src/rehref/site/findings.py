"""The result of checking a folder: findings, their causes and the summary.

A finding is one thing that is wrong, doubtful or worth a note, at one place of one document; its code says how severe
it is (`rehref.site.codes`). A finding about a whole document, or about a file that is not a document, has no line,
column or span. Findings are sorted by document, then by place. Of causes, errors come before warnings, these before
notes; then those with more findings; then those that come first.
"""

from __future__ import annotations

import posixpath
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from rehref.documents.base import Base, without_fragment
from rehref.files.file_documents import common_folder, path_from
from rehref.files.reading_files import read_file
from rehref.site._baseline_file import KnownProblem, read_known, written_known
from rehref.site.codes import CODES, SEVERITIES, WEB, Severity
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


_ID: Final = 12
OF_FILES: Final = frozenset(
    {
        *(row.name for row in WEB),
        *("missing-file", "missing-index", "case-mismatch", "escapes-site", "missing-from-site", "dangling-link"),
        *("leaves-folder", "redirect-loop"),
    }
)
"""The codes that say that the file is wrong, or what a server has in its place."""


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


class Finding(NamedTuple):
    """One thing found wrong with a reference, or with a document.

    `document`: its path below the folder, with slashes ("a/b.html"). `code`: the code of a problem or finding
    ("missing-file", `rehref.site.codes`); `message`: for people. `line`, `column`: 1-based, the column in
    characters.
    `span`: start and end in the file, in bytes. `reference`: as written, decoded; `target`: what it resolves to against
    `base`. `suggestion`: a reference to write instead; `sure`: whether it is safe to write without asking.
    `asked_severity`: the severity, if it differs from the table of codes. `cause`: the id of the cause that it shares
    with other findings.
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

    @property
    def common_target(self) -> str | None:
        """The target that it shares with others of its cause: if a file is not there, its fragments are not either."""
        target = self.target
        return without_fragment(target) if target is not None and self.code in OF_FILES else target

    @property
    def place(self) -> tuple[str, int, int, str, str]:
        """Its place in the order of all."""
        return self.document, self.line or 0, self.column or 0, self.code, self.message

    def moved(self, document: str, folder: str) -> Finding:
        """Return the finding in a document of that path, if several folders are checked.

        `folder`: the text before the paths of its own one, so that it has causes of its own.
        """
        return self._replace(document=document, cause=hashed(f"{folder}\0{self.cause}") if folder else self.cause)

    def suggestion_in_source(self, source: str, site_url: str, source_of: Callable[[str], str | None]) -> str | None:
        """Return the suggestion as its author writes it: from one source to that of the suggested page, or None.

        `source`: the path of the source in which it is written; `source_of`: returns the source of a built file, by its
        path below the site's URL, if that is known.
        """
        base = self.base.uri if self.base is not None else None
        if self.suggestion is None or base is None:
            return None
        target, hash_sign, fragment = Resolver(base)(self.suggestion).partition("#")
        if not target.startswith(site_url):
            return None
        path = target[len(site_url) :]
        there = source_of(path) or source_of(posixpath.join(path, "index.html"))
        if there is None:
            return None
        own = there == source and fragment
        relative = "" if own else posixpath.relpath(there, posixpath.dirname(source) or ".")
        return f"{relative}{hash_sign}{fragment}"

    # does what `_replace` does, in a quarter of the time: there may be a hundred thousand findings

    def with_cause(self, cause: str) -> Finding:
        """Return the finding with the id of its cause."""
        return tuple.__new__(Finding, (*self[:-1], cause))

    def with_suggestion(self, message: str, suggestion: str, *, sure: bool) -> Finding:
        """Return the finding with another message, and the reference to write instead."""
        return tuple.__new__(Finding, (*self[:2], message, *self[3:11], suggestion, sure, *self[13:]))


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
    `first`: the first of the findings. `targets`: the number of targets, if their references differ too.
    """

    id: str
    code: str
    target: str | None
    occurrences: int
    documents: int
    severity: Severity
    first: Finding
    targets: int = 1

    @classmethod
    def of(cls, identity: str, findings: Sequence[Finding]) -> Cause:
        """Return what the findings with that id of a cause have in common."""
        first = findings[0]
        targets = {one.common_target for one in {finding.target: finding for finding in findings}.values()}
        return cls(
            id=identity,
            code=first.code,
            target=first.common_target if len(targets) == 1 else None,
            occurrences=len(findings),
            documents=len({finding.document for finding in findings}),
            severity=min({finding.severity for finding in findings}, key=SEVERITIES.index),
            first=first,
            targets=min(len(targets), len({finding.reference for finding in findings})),
        )


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


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of a check: the summary, the findings sorted by document and place, and their causes.

    `folder`: what was checked, as it was named, or the URL of the first page; of several folders, the folder that
    contains them all. `sites`: where each checked folder was taken to be. `external`: the URLs on other sites, sorted,
    each once, if `CheckOptions.lists_external` is set. `hints`: sentences for people, each about many findings, or
    about what documents say of them. `sentence`: what reports say in place of the numbers of links; "" for these.
    """

    folder: str
    summary: Summary
    findings: tuple[Finding, ...]
    sites: tuple[SitePlace, ...] = ()
    external: tuple[ExternalLink, ...] = ()
    causes: tuple[Cause, ...] = ()
    hints: tuple[str, ...] = ()
    sentence: str = ""

    def with_findings(self, findings: Iterable[Finding]) -> CheckResult:
        """Return the result with other findings, which have their causes, and their sum."""
        result = self.showing(findings)
        counted = Counter(finding.severity for finding in result.findings)
        return replace(result, summary=replace(self.summary, broken=counted["error"], warnings=counted["warning"]))

    def showing(self, findings: Iterable[Finding]) -> CheckResult:
        """Return the result with only some of its findings, and with the sum of all."""
        found, groups = tuple(findings), dict[str, list[Finding]]()
        for finding in found:
            groups.setdefault(finding.cause, []).append(finding)
        causes = [Cause.of(identity, own) for identity, own in groups.items()]
        causes.sort(key=lambda cause: (SEVERITIES.index(cause.severity), -cause.occurrences))
        return replace(self, findings=found, causes=tuple(causes))

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
            finding.moved(before[result.folder] + finding.document, before[result.folder])
            for result in results
            for finding in result.findings
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
        return joined.with_findings(sorted(found, key=lambda each: each.place))

    def timed(self, began: float) -> CheckResult:
        """Return the result with the seconds since `began` (of `time.perf_counter`)."""
        return replace(self, summary=replace(self.summary, seconds=time.perf_counter() - began))


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


def hashed(text: str) -> str:
    """Return an id of a cause that is made of a text."""
    from hashlib import sha256  # imported here, since it loads OpenSSL

    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_ID]
