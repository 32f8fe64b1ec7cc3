"""Places in sources: what a finding on a built page is reported at instead.

1. What finds the place of a finding is a function (`Locate`): `tracing.py` infers it from the files, the integrations
   of MkDocs and Sphinx know it from the build.
2. Findings with the same reference and the same problem at the same place of a source are one: a layout is in many
   pages.
3. A suggestion is written as the author of the source writes: where the generator has changed a reference, the new one
   leads from this source to the source of the page that is suggested.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from rehref.site.codes import Severity
from rehref.site.findings import Finding
from rehref.uri.resolver import Resolver


class SourcePlace(NamedTuple):
    """Where something built comes from: the path of a source, and the lines in which a reference is written.

    `lines`: ascending, 1-based; empty if it is not written in the source, or cannot be found there. `written`: the
    reference as it is written there; None if it is as in the built file. `suggestion`: what to write there instead;
    None if that is not known, or not how to write it. `column`, `span`: as in a finding, if they are known.
    """

    path: str
    lines: tuple[int, ...] = ()
    written: str | None = None
    suggestion: str | None = None
    column: int | None = None
    span: tuple[int, int] | None = None

    def moved(self, finding: Finding) -> Finding:
        """Return a finding at this place."""
        return finding._replace(
            document=self.path,
            line=self.lines[0],
            column=self.column,
            span=self.span,
            reference=finding.reference if self.written is None else self.written,
            suggestion=self.suggestion,
            sure=finding.sure and self.suggestion is not None,
        )


Locate: TypeAlias = Callable[[Finding], "SourcePlace | None"]
"""Returns the source of a finding in a built file, or None."""


def parted(
    findings: Iterable[Finding], locate: Locate
) -> tuple[list[tuple[Finding, SourcePlace]], list[tuple[Finding, SourcePlace | None]]]:
    """Return the findings that are written in a source, each place once (rule 2), and the others, in order.

    Of findings at one place the first is kept, without a suggestion if that is not the same for all.
    """
    written: dict[tuple[str, tuple[int, int] | None, str, str, Severity], tuple[Finding, SourcePlace]] = {}
    others: list[tuple[Finding, SourcePlace | None]] = []
    for finding in findings:
        place = locate(finding)
        if place is None or not place.lines:
            others.append((finding, place))
            continue
        key = (place.path, place.span, finding.code, finding.reference, finding.severity)
        first, known = written.setdefault(key, (finding, place))
        if place.span is not None and known.suggestion != place.suggestion:
            written[key] = first, known._replace(suggestion=None)
    return list(written.values()), others


def suggestion_in_source(
    finding: Finding, site_url: str, source: str, source_of: Callable[[str], str | None]
) -> str | None:
    """Return the suggestion of a finding as a reference from one source to another (rule 3); None if not known.

    `source`: the path of the source; `source_of`: the source of a built file, by its path below the site's URL.
    """
    base = finding.base.uri if finding.base is not None else None
    if finding.suggestion is None or base is None:
        return None
    target, hash_sign, fragment = Resolver(base)(finding.suggestion).partition("#")
    if not target.startswith(site_url):
        return None
    path = target[len(site_url) :]
    there = source_of(path) or source_of(posixpath.join(path, "index.html"))
    if there is None:
        return None
    own = there == source and fragment
    relative = "" if own else posixpath.relpath(there, posixpath.dirname(source) or ".")
    return f"{relative}{hash_sign}{fragment}"
