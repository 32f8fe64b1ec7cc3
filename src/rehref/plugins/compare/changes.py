"""What a comparison finds, as values: where something went, what changed, and the sums."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from rehref.site.codes import Severity
from rehref.site.findings import UnwrittenRedirect

SURE: Final = 0.9
"""From this certainty on, a place is stated, and redirects are written."""


class UrlMove(NamedTuple):
    """Where something went: a URL, and how certain that is; None: it is not known. `why`: for people.

    `candidates`: URLs of which none could be chosen, or over which it was split.
    """

    to: str | None
    certainty: float = 0.0
    why: str = ""
    candidates: tuple[str, ...] = ()

    @property
    def is_sure(self) -> bool:
        """Whether it is certain."""
        return self.to is not None and self.certainty >= SURE

    def change(self, code: str, url: str, what: str, severity: Severity = "error") -> Change:
        """Return what changed, with the place: `gone; now begin.html (same title)`; on the same page, `now #sails`."""
        if self.to is not None:
            page, mark, name = self.to.partition("#")
            to = mark + name if page == url.partition("#")[0] else self.to
            what += f"; {'now' if self.is_sure else 'perhaps'} {to or '/'} ({self.why})"
        elif self.candidates:
            what += f"; {self.why or 'one of'}: {', '.join(self.candidates)}"
        certainty = None if self.to is None else self.certainty
        return Change(code, severity, url, what, moved_to=self.to, certainty=certainty, candidates=self.candidates)


class Change(NamedTuple):
    """One thing that a change of a site loses, or that it moves.

    `url`: the URL below the site, with `#` and the id for one; of a broken link, that of its document. `message`: for
    people. `moved_to`: where it is now, if that is known; `certainty`: how certain that is, from 0 to 1; `candidates`:
    URLs of which none could be chosen. `document`, `line`, `column`, `reference`, `target`: of a link that is newly
    broken, as in a finding; `is_unchanged`: whether its document has the same bytes as before.
    """

    code: str
    severity: Severity
    url: str
    message: str
    moved_to: str | None = None
    certainty: float | None = None
    candidates: tuple[str, ...] = ()
    document: str = ""
    line: int | None = None
    column: int | None = None
    reference: str = ""
    target: str | None = None
    is_unchanged: bool = False


class Tally(NamedTuple):
    """How many URLs or ids were kept, have moved for good, and are gone."""

    kept: int
    moved: int
    gone: int


@dataclass(frozen=True, slots=True)
class ComparisonSummary:
    """The numbers of a comparison.

    `urls`, `ids`: those of the old state, `newly_broken`: links that only the change broke; `in_unchanged`: in how many
    pages with the same bytes as before. `unpublished`: URLs that are gone, and that their pages left out of search
    engines. `replaced`: files that a build has renamed. `redirects`: the number of redirections written. `errors`: how
    many changes are errors.
    """

    urls: Tally
    ids: Tally
    newly_broken: int = 0
    in_unchanged: int = 0
    unpublished: int = 0
    replaced: int = 0
    redirects: int = 0
    errors: int = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a change of a site loses. `old`, `new`: the states, as they were named; `problems`: sorted, errors first.

    `unwritten`: the redirections that were asked for and not written, each with its URL and the reason.
    """

    old: str
    new: str
    summary: ComparisonSummary
    problems: tuple[Change, ...]
    unwritten: tuple[UnwrittenRedirect, ...] = ()
