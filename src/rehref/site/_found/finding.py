"""A finding: one thing that is wrong, doubtful or worth a note, at one place of one document."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import Final, NamedTuple

from rehref.documents.base import Base, without_fragment
from rehref.site.codes import CODES, WEB, Severity
from rehref.uri.resolver import Resolver

_ID: Final = 12
OF_FILES: Final = frozenset(
    {
        *(row.name for row in WEB),
        *("missing-file", "missing-index", "case-mismatch", "escapes-site", "missing-from-site", "dangling-link"),
        *("leaves-folder", "redirect-loop"),
    }
)
"""The codes that say that the file is wrong, or what a server has in its place."""


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

    def at(self, line: int | None, column: int | None, span: tuple[int, int] | None) -> Finding:
        """Return the finding at another place."""
        return tuple.__new__(Finding, (*self[:3], line, column, span, *self[6:]))

    def with_cause(self, cause: str) -> Finding:
        """Return the finding with the id of its cause."""
        return tuple.__new__(Finding, (*self[:-1], cause))

    def with_suggestion(self, message: str, suggestion: str, *, sure: bool) -> Finding:
        """Return the finding with another message, and the reference to write instead."""
        return tuple.__new__(Finding, (*self[:2], message, *self[3:11], suggestion, sure, *self[13:]))


def hashed(text: str) -> str:
    """Return an id of a cause that is made of a text."""
    from hashlib import sha256  # imported here, since it loads OpenSSL

    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_ID]
