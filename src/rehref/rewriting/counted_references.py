"""Count the references that a rule writes, but that lead to missing files, and those that it withholds.

1. A reference leads to a missing file if it was changed into a relative one, and leads to neither a file nor a folder
   on the disk from the file that contains it. A query does not matter to this, and is ignored.
2. A reference that leads out of the top folder counts as leading to a missing file.
3. The rule is called for each link; if twice in a row for the same one (`rehref.rewriting.asking`), it counts
   once.
4. A reference is withheld if the rule leaves it so that it does not write a `file:` URI of this machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import unquote_to_bytes

from rehref.base import Base
from rehref.documents.document import Document
from rehref.documents.link import Link
from rehref.rewriting.contract import DocumentRule, Drop, Rule, is_careful, rule_for
from rehref.rewriting.rules.link_properties import is_file_uri
from rehref.uri.components import split
from rehref.uri.resolver import Profile

if TYPE_CHECKING:
    from rehref.containers.warc.plain_pages import PlainPage


class MissingTargetsCounter:
    """A rule for one document; `missing` is the number of references written to missing files."""

    per_link: ClassVar[bool] = True

    def __init__(self, rule: DocumentRule, top: Path, relative: str) -> None:
        """`top`: the folder that the document is below; `relative`: its path there, with slashes."""
        self.missing = 0
        self.careful = is_careful(rule)
        self._last: tuple[int, int] | None = None
        self._rule = rule
        self._top = top
        self._folder = relative.split("/")[:-1]
        self._there: dict[str, bool] = {}

    def for_document(self, own: Base, base: Base, profile: Profile) -> Rule:
        """Return the rule for the document."""
        rule: Callable[[Link], str | Drop | None] = self._rule.for_document(own, base, profile)

        def counted(link: Link) -> str | Drop | None:
            new = rule(link)
            again = link.span is not None and link.span == self._last
            if not again and isinstance(new, str) and new not in ("", link.reference) and link.kind != "base":
                self.missing += not self._is_there(new)
            self._last = link.span
            return new

        return counted

    def _is_there(self, reference: str) -> bool:
        scheme, authority, path, *_ = split(reference)
        if scheme is not None or authority is not None or path == "":
            return True
        if path not in self._there:
            self._there[path] = self._look(path)
        return self._there[path]

    def _look(self, path: str) -> bool:
        reached = [] if path.startswith("/") else self._folder.copy()
        for segment in path.split("/"):
            if segment == "..":
                if not reached:
                    return False
                reached.pop()
            elif segment not in (".", ""):
                reached.append(os.fsdecode(unquote_to_bytes(segment)))
        try:
            return self._top.joinpath(*reached).exists()
        except (OSError, ValueError):  # a NUL, a name that is too long
            return False


def withheld(document: Document | PlainPage, rule: Rule | DocumentRule) -> int:
    """Return how many references of a document are withheld (rule 4). `rule`: the rule that rewrote it."""
    if not document.own.local or not hasattr(rule, "with_file_urls"):
        return 0
    writing = rule.with_file_urls()
    if writing is None:
        return 0
    own, base, profile = document.own, document.base, document.how.profile
    stays, written = rule_for(rule, own, base, profile), rule_for(writing, own, base, profile)
    local = (link for link in document.document.links() if link.base.local and is_file_uri(link.target))
    return sum(stays(link) is None and written(link) not in (None, link.reference) for link in local)
