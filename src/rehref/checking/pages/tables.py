r"""The tables of a site: what its pages define and use, in as little room as can be.

1. A worker judges each target of a chunk of documents once, by the files of the site (`TargetClassifier`). What is
   right is forgotten, and what is wrong is reported at once, while the document is at hand.
2. What is left are the fragments of other documents: a `Chunk` has each of them once, and for each document the numbers
   of those that it uses, and where. So a use takes twelve bytes.
3. What a document defines are its names: its ids, and the names of its anchors, in one text, separated by NUL, which no
   name can hold. They are only taken apart for documents that some fragment leads to.
4. The first process merges the chunks (`SiteTable`), each text held once, and finds the fragments that name nothing.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import starmap
from typing import Any, Final, NamedTuple

from rehref.checking.expressions import Searched
from rehref.checking.model import Finding
from rehref.checking.pages.classifier import MISSING_FRAGMENT, NUL
from rehref.checking.pages.fragments import is_right
from rehref.checking.pages.inventory import USE

OTHER_FORMAT: Final = "other-format"
"""The code of a file that is no document, whatever its name says."""


class LeadsOn(NamedTuple):
    """Where a page sends browsers on to, and whether at once."""

    path: str
    at_once: bool


class Use(NamedTuple):
    """A reference to a fragment of another document: path, NUL, fragment; and where it stands (see `DocumentRow`)."""

    fragment: str
    tag: int
    start: int


class DocumentRow(NamedTuple):
    """One document: what it defines (rule 3; None if fragments are not looked for in it), and what it uses.

    `uses`: for each use of a fragment of the chunk its number, where the tag stands, and where the value begins, as
    offsets in the source; `UNKNOWN` for the tag where that does not tell all. An array of unsigned integers, in bytes.
    """

    document: str
    names: str | None
    uses: bytes = b""
    links: int = 0
    skipped: int = 0


@dataclass(slots=True)
class Chunk:
    """What came of some documents. `fragments`: see `TargetClassifier`. `linked`: files that other documents lead to.

    The findings are plain tuples of the fields of `Finding`, which travel faster. `commented`: documents in which a
    comment may ask to leave something out; `refreshes`: pages, and where each sends browsers on to.
    """

    fragments: list[str] = field(default_factory=list)
    rows: list[DocumentRow] = field(default_factory=list)
    findings: list[tuple[Any, ...]] = field(default_factory=list)
    linked: set[str] = field(default_factory=set)
    commented: list[str] = field(default_factory=list)
    refreshes: dict[str, LeadsOn] = field(default_factory=dict)


class SiteTable:
    """All chunks in one (rule 4)."""

    def __init__(self) -> None:
        self.documents = 0
        self.links = 0
        self.skipped = 0
        self.findings: list[Finding] = []
        self.linked: set[str] = set()
        self.commented: list[str] = []
        self.refreshes: dict[str, LeadsOn] = {}
        self.incomplete: dict[str, frozenset[str]] = {}
        self._numbers: dict[str, int] = {}
        self._uses: dict[str, array[int]] = {}
        self._names: dict[str, str] = {}

    @property
    def other_formats(self) -> set[str]:
        """Files that are no documents, whatever their names say."""
        return {finding.document for finding in self.findings if finding.code == OTHER_FORMAT}

    def merge(self, chunk: Chunk) -> None:
        """Take in what came of some documents."""
        numbers = self._numbers
        here = array("I", [0])
        here.extend(numbers.setdefault(fragment, len(numbers) + 1) for fragment in chunk.fragments)
        for row in chunk.rows:
            self.documents += 1
            self.links += row.links
            self.skipped += row.skipped
            if row.names is not None:
                self._names[row.document] = row.names
            if row.uses:
                found = self._uses[row.document] = array("I", row.uses)
                found[::USE] = array("I", map(here.__getitem__, found[::USE]))
        self.findings += starmap(Finding, chunk.findings)
        self.linked |= chunk.linked
        self.commented += chunk.commented
        self.refreshes.update(chunk.refreshes)

    def missing(self, script_ids: Sequence[Searched]) -> Iterator[tuple[str, list[Use]]]:
        """The documents that use fragments which name nothing, with these uses. Can be asked once.

        `incomplete` then has the names of those in which they were looked for.
        """
        by_path: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
        texts = list(self._numbers)
        for number, text in enumerate(texts, 1):
            path, _, fragment = text.partition(NUL)
            by_path[path].append((fragment, number))
        wrong: set[int] = set()
        for path, fragments in by_path.items():
            names = self._names.get(path)
            if names is None:
                continue
            defined = names_in(names)
            unnamed = [
                number
                for fragment, number in fragments
                if fragment not in defined and not is_right(path, fragment, defined, script_ids)
            ]
            if unnamed:
                wrong.update(unnamed)
                self.incomplete[path] = defined
        for finding in self.findings:
            if finding.code == MISSING_FRAGMENT and finding.document not in self.incomplete:
                names = self._names.get(finding.document)
                if names is not None:
                    self.incomplete[finding.document] = names_in(names)
        self._numbers, self._names = {}, {}
        for document, uses in self._uses.items():
            numbers = uses[::USE]
            if not wrong.isdisjoint(numbers):
                found = zip(numbers, uses[1::USE], uses[2::USE], strict=True)
                yield document, [Use(texts[number - 1], tag, start) for number, tag, start in found if number in wrong]


def names_in(text: str) -> frozenset[str]:
    """The names of a document (rule 3)."""
    return frozenset(text.split(NUL))
