"""What checking a folder gives: findings, their causes, their sum, and all of it together.

1. A finding is one thing that is wrong, doubtful or merely of note, at one place of one document; its code says how
   severe it is (`rehref.codes`).
   What is said of a document as a whole, or of a file that is none, has no line, column or span.
2. `Summary.broken` counts the errors, `Summary.warnings` the warnings.
3. The findings of a result are sorted by document, and within one by their place; its causes as
   `rehref.checking.results.causes` says.
4. Where a folder is, and on which host, options say or its files (`rehref.checking.placing`).
5. Nothing is computed here: these are values, as all reports show them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from rehref.base import Base
from rehref.codes import CODES, Severity

Basis: TypeAlias = Literal["given", "stated", "links", "root", "file"]
"""What says where a folder is: an option; its files, in full; the paths from the root in it, or nothing, so that it is
the root of a host, which is not known then; or where it lies on the disk."""

UNKNOWN_HOST: Final = "https://site.invalid"
"""What the URI of a folder begins with whose host is not known: a name that leads nowhere (RFC 6761 §6.4)."""


HOST_OPTION: Final = "--host"
"""What names the host where nothing is inferred."""


@dataclass(frozen=True, slots=True)
class SitePlace:
    """Where a folder is taken to be: the URI `url`, which ends in a slash, and the profile of a host, by its name.

    `basis`: what says where it is, and `sources`, for people, by which means. `host_source`: the option or the file
    that names the host, "" if none does. `has_clean_urls`: whether files say that `/a` stands for `a.html`, and neither
    the host nor an option.
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
        """Whether no option says where it is."""
        return self.basis in ("stated", "links", "root")

    @property
    def has_host(self) -> bool:
        """Whether it is known on which host of the web it is, or will be."""
        return self.basis in ("given", "stated") and not self.url.startswith(f"{UNKNOWN_HOST}/")


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

    # what `_replace` does, in a quarter of the time: there may be a hundred thousand

    def with_cause(self, cause: str) -> Finding:
        """The finding with the id of its cause."""
        return tuple.__new__(Finding, (*self[:-1], cause))

    def with_suggestion(self, message: str, suggestion: str, *, sure: bool) -> Finding:
        """The finding with another message, and what to write instead."""
        return tuple.__new__(Finding, (*self[:2], message, *self[3:11], suggestion, sure, *self[13:]))


class WebVerdict(NamedTuple):
    """What servers say is wrong with a URL.

    `moved_to`: what to write instead, if it has moved; `sure`: whether that is sure.
    """

    code: str
    message: str
    moved_to: str | None = None
    sure: bool = False


class ExternalLink(NamedTuple):
    """A URL on another site, without a fragment, and the first place in which a document refers to it."""

    url: str
    document: str
    line: int | None
    column: int | None


class Cause(NamedTuple):
    """What some findings have in common (`rehref.checking.results.causes`).

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

    `others`: files of the folder, hidden ones aside, that are no documents. `asked`: about how many URLs on other sites
    there was an answer (their links are among those checked), `from_cache`: about how many of them no server was asked.
    Of several folders that were checked together these are sums, as all else.
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
    """What checking gave: the sum, the findings sorted by document and place, and their causes.

    `folder`: what was checked, as it was named, or the URL of the first page; of several folders the one that all are
    in. `sites`: where it was taken to be; of several folders that were checked together, one for each. `external`: the
    URLs on other sites, sorted, each once, if `CheckOptions.lists_external` asks for them. `hints`: sentences for
    people, each about many findings, or about what documents say of them.
    """

    folder: str
    summary: Summary
    findings: tuple[Finding, ...]
    sites: tuple[SitePlace, ...] = ()
    external: tuple[ExternalLink, ...] = ()
    causes: tuple[Cause, ...] = ()
    hints: tuple[str, ...] = ()
