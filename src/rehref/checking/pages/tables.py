r"""The tables of a site: what its pages define and use, in as little room as can be.

1. A worker judges each target of a chunk of documents once, by the files of the site (`TargetClassifier`). What is
   right is forgotten, and what is wrong is told at once, while the document is at hand.
2. What is left are the fragments of other documents: a `Chunk` has each of them once, and for each document the numbers
   of those that it uses, and where. So a use takes twelve bytes.
3. What a document defines are its names: its ids, and the names of its anchors, in one text, separated by NUL, which no
   name can hold. They are only taken apart for documents that some fragment leads to.
4. The first process merges the chunks (`SiteTable`), each text held once, and finds the fragments that name nothing.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import starmap
from typing import Any, Final, NamedTuple, TypeAlias

from rehref.checking.expressions import Searched
from rehref.checking.model import Finding
from rehref.checking.pages.fragments import is_made_by_script, is_top, is_view, names_one_of, without_directive
from rehref.checking.pages.inventory import USE
from rehref.checking.site.serving import Located

NUL = "\0"
FINE: Final = 0
"""The mark of a target with which nothing is wrong, as far as files tell, and that has no fragment to look for."""
BROKEN: Final = -1
SKIPPED: Final = -2
"""Marks of targets that are wrong, and that are not checked. All other marks are numbers of fragments, from 1."""
MISSING_FRAGMENT: Final = "missing-fragment"
"""The code of what leads to a fragment that names nothing."""


class Verdict(NamedTuple):
    """What is wrong with a target."""

    code: str
    message: str


Patterns: TypeAlias = tuple[Searched, ...]

_MOST_REMEMBERED: Final = 50_000


class Lead(NamedTuple):
    """Where a target without its fragment leads, and whether fragments are looked for there."""

    located: Located
    has_names: bool


class Leads(dict[str, Lead]):
    """Where targets without fragments lead, each looked up once, whatever chunk it is met in.

    A target is a URI; one on the site is written as a slash and what follows the URI of the site.
    """

    __slots__ = ("_has_names", "_locate", "_site")

    def __init__(self, site: str, locate: Callable[[str], Located], has_names: Callable[[str], bool]) -> None:
        """`site`: its URI. `has_names`: whether a file is one in which fragments are looked for."""
        super().__init__()
        self._site = site
        self._locate = locate
        self._has_names = has_names

    def uri(self, target: str) -> str:
        """The URI of a target."""
        return self._site + target[1:] if target[:1] == "/" else target

    def __missing__(self, target: str) -> Lead:
        """Look up a target that was not met before."""
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        located = self._locate(self.uri(target))
        lead = self[target] = Lead(located, located.path is not None and self._has_names(located.path))
        return lead


class TargetClassifier(dict[str, int]):
    """The marks of targets (see `Leads`), each worked out once for a chunk.

    `broken` has what is wrong with those marked so; `fragments` those that are to be looked for: the path of a
    document, NUL, fragment. `paths` has the file that each target leads to, if it is `mapped`.
    """

    __slots__ = ("_chosen", "_leads", "_mapped", "_numbers", "broken", "paths")

    def __init__(self, leads: Leads, *, chosen: Callable[[str], bool] | None = None, mapped: bool = False) -> None:
        """`chosen`: whether a target URI is to be checked; None for all."""
        super().__init__()
        self.broken: dict[str, Verdict] = {}
        self.paths: dict[str, str] = {}
        self._numbers: dict[str, int] = {}
        self._leads = leads
        self._chosen = chosen
        self._mapped = mapped

    @property
    def fragments(self) -> list[str]:
        """The fragments by number, from 1 on."""
        return list(self._numbers)

    def number(self, fragment: str) -> int:
        """The number of a fragment, written as `fragments` are; 0 if no target has it."""
        return self._numbers.get(fragment, 0)

    def __missing__(self, target: str) -> int:
        """Classify a target that was not asked for before."""
        mark = self[target] = self._mark(target)
        return mark

    def _mark(self, target: str) -> int:
        if self._chosen is not None and not self._chosen(self._leads.uri(target)):
            return SKIPPED
        document, has_fragment, fragment = target.partition("#")
        located, has_names = self._leads[document]
        if located.code:
            self.broken[target] = Verdict(located.code, located.message)
            return BROKEN
        path = located.path
        if located.outside or path is None:
            return SKIPPED
        if self._mapped:
            self.paths[target] = path
        if located.fragment is not None:  # of a redirection: it goes before the link's (RFC 9110 §10.2.2)
            has_fragment, fragment = "#", located.fragment
        if not has_fragment or not has_names:
            return FINE
        fragment = without_directive(fragment)
        if fragment == "":
            return FINE
        return self._numbers.setdefault(path + NUL + fragment, len(self._numbers) + 1)


class Use(NamedTuple):
    """A reference to a fragment of another document: path, NUL, fragment; and where it stands (see `Row`)."""

    fragment: str
    tag: int
    start: int


class Row(NamedTuple):
    """One document: what it defines (rule 3; None if fragments are not looked for in it), and what it uses.

    `uses`: for each use of a fragment of the chunk its number, where the tag stands, and where the value begins, as
    offsets in the source; `UNKNOWN` for the tag where that does not tell all. An array of unsigned integers, in bytes.
    """

    document: str
    names: str | None
    uses: bytes
    links: int
    skipped: int


class Chunk(NamedTuple):
    """What came of some documents. `fragments`: see `TargetClassifier`. `linked`: files that other documents lead to.

    The findings are plain tuples of the fields of `Finding`, which travel faster. `commented`: documents in which a
    comment may ask to leave something out; `refreshes`: pages, where each sends browsers
    on to, and whether at once.
    """

    fragments: list[str]
    rows: list[Row]
    findings: list[tuple[Any, ...]]
    linked: frozenset[str] = frozenset()
    commented: Sequence[str] = ()
    refreshes: Sequence[tuple[str, tuple[str, bool]]] = ()


class SiteTable:
    """All chunks in one (rule 4)."""

    def __init__(self) -> None:
        self.documents = 0
        self.links = 0
        self.skipped = 0
        self.findings: list[Finding] = []
        self.linked: set[str] = set()
        self.commented: list[str] = []
        self.refreshes: dict[str, tuple[str, bool]] = {}
        self.incomplete: dict[str, frozenset[str]] = {}
        self._numbers: dict[str, int] = {}
        self._uses: dict[str, array[int]] = {}
        self._names: dict[str, str] = {}

    def merge(self, chunk: Chunk) -> None:
        """Take in what came of some documents."""
        numbers = self._numbers
        here = array("I", [0])
        here.extend(numbers.setdefault(fragment, len(numbers) + 1) for fragment in chunk.fragments)
        for document, names, uses, links, skipped in chunk.rows:
            self.documents += 1
            self.links += links
            self.skipped += skipped
            if names is not None:
                self._names[document] = names
            if uses:
                found = self._uses[document] = array("I", uses)
                found[::USE] = array("I", map(here.__getitem__, found[::USE]))
        self.findings += starmap(Finding, chunk.findings)
        self.linked |= chunk.linked
        self.commented += chunk.commented
        self.refreshes.update(chunk.refreshes)

    def missing(self, script_ids: Patterns) -> Iterator[tuple[str, list[Use]]]:
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


def is_right(path: str, fragment: str, names: Collection[str], script_ids: Patterns) -> bool:
    """Whether a fragment, without directives, is one of a document at `path` that defines `names`."""
    return (
        names_one_of(fragment, names)
        or is_top(fragment)
        or (path.lower().endswith(".svg") and is_view(fragment))
        or is_made_by_script(fragment, script_ids)
    )
