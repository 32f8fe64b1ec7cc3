"""The place in a source that a finding on a built page is reported at instead."""

from __future__ import annotations

from typing import NamedTuple

from rehref.site.findings import Finding


class SourcePlace(NamedTuple):
    """Where a reference is written: the path of a source, and line, column and span there, as in a finding.

    `written`: the reference as it is written there. `suggestion`: what to write there instead; None if that is not
    known, or not how to write it.
    """

    path: str
    line: int
    column: int
    span: tuple[int, int]
    written: str
    suggestion: str | None

    def moved(self, finding: Finding) -> Finding:
        """Return a finding at this place."""
        return finding._replace(
            document=self.path,
            line=self.line,
            column=self.column,
            span=self.span,
            reference=self.written,
            suggestion=self.suggestion,
            sure=finding.sure and self.suggestion is not None,
        )
