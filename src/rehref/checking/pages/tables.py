r"""The tables of a site: what its pages define and use, in as little room as can be.

1. A worker judges each target of a chunk of documents once, by the files of the site (`TargetClassifier`). What checks
   take of a page for themselves, their facts, are kept by the names of the checks and the paths of documents.
2. All checks can ask for the fragments of other documents: a `Chunk` has each of them once, and for each document the
   numbers of those that it uses, and where. So a use takes twelve bytes.
3. What a document defines are its names: its ids, and the names of its anchors, in one text, separated by NUL, which no
   name can hold. They are only taken apart for documents that some fragment leads to.
4. The first process merges the chunks (`SiteTable`), each text held once, and finds the fragments that name nothing.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rehref.checking.expressions import Searched
from rehref.checking.pages.classifier import NUL
from rehref.checking.pages.fragments import is_right
from rehref.checking.pages.inventory import USE


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
    """What came of some documents. `read`: these. `fragments`: see `TargetClassifier`. `facts`: rule 1.

    `commented`: documents in which a comment may ask to leave something out; `refreshes`: pages, and where each sends
    browsers on to; `unreadable`: documents, and why; `other_formats`: files that are no documents, and what they are.
    """

    read: list[str] = field(default_factory=list)
    fragments: list[str] = field(default_factory=list)
    rows: list[DocumentRow] = field(default_factory=list)
    facts: dict[str, dict[str, Any]] = field(default_factory=dict)
    commented: list[str] = field(default_factory=list)
    refreshes: dict[str, LeadsOn] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)
    other_formats: dict[str, str] = field(default_factory=dict)


class SiteTable:
    """All chunks in one (rule 4)."""

    def __init__(self) -> None:
        self.read: set[str] = set()
        self.links = 0
        self.skipped = 0
        self.facts: dict[str, dict[str, Any]] = {}
        self.commented: list[str] = []
        self.refreshes: dict[str, LeadsOn] = {}
        self.unreadable: dict[str, str] = {}
        self.other_formats: dict[str, str] = {}
        self._numbers: dict[str, int] = {}
        self._uses: dict[str, array[int]] = {}
        self._names: dict[str, str] = {}

    def merge(self, chunk: Chunk) -> None:
        """Take in what came of some documents."""
        self.read.update(chunk.read)
        numbers = self._numbers
        here = array("I", [0])
        here.extend(numbers.setdefault(fragment, len(numbers) + 1) for fragment in chunk.fragments)
        for row in chunk.rows:
            self.links += row.links
            self.skipped += row.skipped
            if row.names is not None:
                self._names[row.document] = row.names
            if row.uses:
                found = self._uses[row.document] = array("I", row.uses)
                found[::USE] = array("I", map(here.__getitem__, found[::USE]))
        for name, facts in chunk.facts.items():
            self.facts.setdefault(name, {}).update(facts)
        self.commented += chunk.commented
        self.refreshes.update(chunk.refreshes)
        self.unreadable.update(chunk.unreadable)
        self.other_formats.update(chunk.other_formats)

    def names(self, path: str) -> frozenset[str] | None:
        """What fragments can name in a document (rule 3); None where that is not looked at."""
        names = self._names.get(path)
        return None if names is None else frozenset(names.split(NUL))

    def needed(self) -> set[str]:
        """The files that were not read, and of which something has to be known: fragments or refreshes lead there."""
        paths = {text.partition(NUL)[0] for text in self._numbers}
        paths.update(to.path for to in self.refreshes.values())
        return paths - self.read

    def missing(self, script_ids: Sequence[Searched]) -> Iterator[tuple[str, list[Use]]]:
        """The documents that use fragments which name nothing, with these uses."""
        by_path: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
        texts = list(self._numbers)
        for number, text in enumerate(texts, 1):
            path, _, fragment = text.partition(NUL)
            by_path[path].append((fragment, number))
        wrong: set[int] = set()
        for path, fragments in by_path.items():
            names = self.names(path)
            if names is not None:
                wrong.update(
                    number
                    for fragment, number in fragments
                    if fragment not in names and not is_right(path, fragment, names, script_ids)
                )
        for document, uses in self._uses.items():
            numbers = uses[::USE]
            if not wrong.isdisjoint(numbers):
                found = zip(numbers, uses[1::USE], uses[2::USE], strict=True)
                yield document, [Use(texts[number - 1], tag, start) for number, tag, start in found if number in wrong]
