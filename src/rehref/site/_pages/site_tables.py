"""The tables of a site: what its pages define and use, as compact as possible.

A worker judges each target once, by the files of the site (`TargetClassifier`). All checks can ask about fragments of
other documents: a `Chunk` has each fragment once, and for each document the numbers of those that it uses. So a use
takes four bytes.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, NamedTuple

from rehref.site._expressions import Searched
from rehref.site._pages.classifier import NUL
from rehref.site._pages.fragments import NO_SCRIPTS, Defined, LeadsOn, Scripts, names_one_of, names_something
from rehref.site.findings import WebVerdict

_MOST_KEPT: Final = 64  # documents whose names are kept split: many old addresses refresh to the same few


class Position(NamedTuple):
    """A line and a column, both from 1; None if unknown."""

    line: int | None
    column: int | None


class DocumentRow(NamedTuple):
    """One document: what it defines (None if fragments are not looked up in it), and what it uses.

    Names are its ids, and the names of its anchors, in one text, separated by NUL, which no name can contain. They are
    split only for documents that some fragment leads to. `uses`: the numbers of these fragments in the chunk, an array
    of unsigned integers, as bytes. `scripts`: scripts that make fragments right without names.
    """

    document: str
    names: str | None
    uses: bytes = b""
    links: int = 0
    skipped: int = 0
    scripts: Scripts = NO_SCRIPTS


@dataclass(slots=True)
class Chunk:
    """The results of some documents. `read`: these. `fragments`: path of a document, NUL, fragment.

    `facts`: those that checks collect, by the names of the checks and the paths of documents. `commented`: documents in
    which a comment may ask to ignore something; `refreshes`: pages, and where each refreshes to; `unreadable`:
    documents, and why; `other_formats`: files that are not documents, and what they are. `external`: for documents, the
    URLs on other sites and where each is first, if requested; `targets`, if requested: everything that was looked up
    among the files of the site, without fragments. `slow`: see `Redirects`. `encodings`: see `SheetEncodings.several`.
    """

    read: list[str] = field(default_factory=list)
    fragments: list[str] = field(default_factory=list)
    rows: list[DocumentRow] = field(default_factory=list)
    facts: dict[str, dict[str, Any]] = field(default_factory=dict)
    commented: list[str] = field(default_factory=list)
    refreshes: dict[str, LeadsOn] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)
    other_formats: dict[str, str] = field(default_factory=dict)
    external: dict[str, dict[str, Position]] = field(default_factory=dict)
    targets: frozenset[str] = frozenset()
    slow: Mapping[str, str] = field(default_factory=dict)
    encodings: Mapping[str, Sequence[str]] = field(default_factory=dict)


class MissingFragments(NamedTuple):
    """The fragments that name nothing in the document at a path, by their numbers.

    `asked`: how many different ones it is asked for, without those that only scripts read; `defined`: what it defines.
    """

    path: str
    fragments: Mapping[int, str]
    asked: int
    defined: Defined


class SiteTable:
    """All chunks in one: each text once, and the fragments that name nothing.

    `outside`: what servers say about URLs on other sites (`rehref.site._external`), if something is wrong.
    """

    def __init__(self) -> None:
        self.read: set[str] = set()
        self.links = 0
        self.skipped = 0
        self.facts: dict[str, dict[str, Any]] = {}
        self.commented: list[str] = []
        self.refreshes: dict[str, LeadsOn] = {}
        self.unreadable: dict[str, str] = {}
        self.other_formats: dict[str, str] = {}
        self.external: dict[str, dict[str, Position]] = {}
        self.outside: Mapping[str, Sequence[WebVerdict]] = {}
        self.encodings: dict[str, Sequence[str]] = {}
        self._numbers: dict[str, int] = {}
        self._uses: dict[str, array[int]] = {}
        self._names: dict[str, str] = {}
        self._scripts: dict[str, Scripts] = {}

    def merge(self, chunk: Chunk) -> None:
        """Add the results of some documents."""
        self.read.update(chunk.read)
        numbers = self._numbers
        here = array("I", [0])
        here.extend(numbers.setdefault(fragment, len(numbers) + 1) for fragment in chunk.fragments)
        for row in chunk.rows:
            self.links += row.links
            self.skipped += row.skipped
            if row.names is not None:
                self._names[row.document] = row.names
                self._scripts[row.document] = row.scripts
            if row.uses:
                self._uses[row.document] = array("I", map(here.__getitem__, array("I", row.uses)))
        for name, facts in chunk.facts.items():
            self.facts.setdefault(name, {}).update(facts)
        self.commented += chunk.commented
        self.refreshes.update(chunk.refreshes)
        self.unreadable.update(chunk.unreadable)
        self.other_formats.update(chunk.other_formats)
        self.external.update(chunk.external)
        self.encodings.update(chunk.encodings)

    def names(self, path: str) -> frozenset[str] | None:
        """Return what fragments can name in a document; None if that is not known."""
        names = self._names.get(path)
        return None if names is None else frozenset(names.split(NUL))

    def defined(self, path: str) -> Defined | None:
        """Return what fragments may lead to in a document; None if that is not known."""
        names = self.names(path)
        return None if names is None else Defined(names, self._scripts[path], self.refreshes.get(path))

    def needed(self) -> set[str]:
        """Return the unread files about which something must be known: fragments or refreshes lead there."""
        paths = {text.partition(NUL)[0] for text in self._numbers}
        paths.update(to.path for to in self.refreshes.values())
        return paths - self.read

    def fragments(self) -> dict[str, list[tuple[str, int]]]:
        """Return the fragments of each document that others use, with their numbers."""
        by_path: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
        for number, text in enumerate(self._numbers, 1):
            path, _, fragment = text.partition(NUL)
            by_path[path].append((fragment, number))
        return by_path

    def missing(self, script_ids: Sequence[Searched]) -> Iterator[MissingFragments]:
        """Yield the documents of which others ask for fragments that name nothing."""
        defined = lru_cache(maxsize=_MOST_KEPT)(self.defined)
        for path, fragments in self.fragments().items():
            here = defined(path)
            if here is None:
                continue
            unnamed = {number: text for text, number in fragments if text not in here.names}
            wrong = {
                each: text for each, text in unnamed.items() if not names_something(path, text, defined, script_ids)
            }
            if wrong:
                yield MissingFragments(path, wrong, len(fragments) - len(unnamed) + len(wrong), here)

    def uncertain(self) -> Iterator[tuple[str, Mapping[str, LeadsOn | None]]]:
        """Yield the documents that use fragments which are only possible (`Scripts.possible`), as `missing`."""
        possible = {path: scripts.possible for path, scripts in self._scripts.items() if scripts.possible}
        if possible:
            fragments = self.fragments()
            found = ((text, number, ids) for path, ids in possible.items() for text, number in fragments.get(path, ()))
            yield from self.using({number for text, number, ids in found if names_one_of(text, ids)})

    def numbers_of_documents(self, fragments: Sequence[Iterable[int]]) -> list[int]:
        """Return how many documents use one of the fragments in each group; no fragment is in two of them."""
        groups = {number: group for group, numbers in enumerate(fragments) for number in numbers}
        counts = [0] * len(fragments)
        for uses in self._uses.values() if groups else ():
            for group in {groups[each] for each in uses if each in groups}:
                counts[group] += 1
        return counts

    def using(self, numbers: AbstractSet[int]) -> Iterator[tuple[str, Mapping[str, LeadsOn | None]]]:
        """Yield the documents that use these fragments, with those they use: path, NUL, fragment.

        Each has where its document refreshes to.
        """
        texts = list(self._numbers)
        for document, uses in self._uses.items():
            if not numbers.isdisjoint(uses):
                keys = (texts[number - 1] for number in uses if number in numbers)
                yield document, {key: self.refreshes.get(key.partition(NUL)[0]) for key in keys}
