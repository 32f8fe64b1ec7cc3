"""Keeps integrity right in a folder whose files change: hashes of what changes are written anew.

A hash is right if the bytes that its reference leads to match before the change; others stay, and are named. What has
the hash of a file may itself be hashed (an import map, in a policy), so a page is settled after what it refers to. In a
circle no hash can be right: the reference that closes it stays as it is. Nothing has the hash of a page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from rehref.documents.base import clean, without_fragment
from rehref.documents.document import Document
from rehref.documents.integrity import Digests, GuardedPage, Hashes
from rehref.documents.media_types import MediaType
from rehref.files.discovery import type_by_ending

HEADER_FILES: Final = frozenset({"_headers", ".htaccess", "netlify.toml", "vercel.json"})
"""The names of files in which a folder says what header fields its host sends."""
_PAGES: Final = frozenset({MediaType.HTML, MediaType.XHTML, MediaType.MARKDOWN})

Content = Callable[[str], "bytes | None"]
"""Returns what a browser gets of a file; None if it cannot be read."""


class GuardedFolder(NamedTuple):
    """A folder before a change; its files are named by their paths in it.

    `documents`: those that may have hashes; `header_files`: those of `HEADER_FILES`. `content`: of a file, before the
    change. `opened`: reads a document with these bytes; None if that is not possible. `find`: returns the file that a
    target leads to.
    """

    documents: Collection[str]
    header_files: Collection[str]
    content: Content
    opened: Callable[[str, bytes], Document | None]
    find: Callable[[str], str | None]


class StaleHash(NamedTuple):
    """A reference, in a document, whose hash does not match before the change."""

    document: str
    reference: str

    def __str__(self) -> str:
        """Return a line for people."""
        return f"{self.document}: the integrity of {self.reference} did not match before, and stays"


class Renewed(NamedTuple):
    """What else changes: `changes`, the new bytes of files; `stale`: hashes that stay."""

    changes: Mapping[str, bytes]
    stale: tuple[StaleHash, ...]


class _Known(NamedTuple):
    """A guard before the change: its reference, and the file that this leads to; whether the hash is right."""

    reference: str
    file: str | None = None
    is_right: bool = False


class _Page(NamedTuple):
    """A page before the change. `read`: reads it with other bytes. `contents`: needed for header files only."""

    read: Callable[[bytes], GuardedPage]
    guards: Sequence[_Known]
    contents: Sequence[Digests]


class Examined:
    """A folder, examined before it changes: nothing of it is read again afterwards."""

    def __init__(self, folder: GuardedFolder, *, only_pages: bool = False) -> None:
        """`folder`: as it is now. `only_pages`: nothing but pages will change."""
        texts = {path: folder.content(path) or b"" for path in folder.header_files}
        self.header_files = [path for path, text in texts.items() if Hashes.in_policy(text.decode("latin-1")).found]
        self.has_policies = bool(self.header_files)
        self.digests = {path: Digests.of(texts[path]) for path in self.header_files}
        documents = sorted(folder.documents) if self.has_policies or not only_pages else ()
        pages = ((path, self._page(folder, path)) for path in documents)
        self.pages = {path: page for path, page in pages if page is not None}

    def _page(self, folder: GuardedFolder, path: str) -> _Page | None:
        """Examine a document; return None if nothing in it matters."""
        data = folder.content(path)
        if data is None or not (self.has_policies or Hashes.may_be_in(data)):
            return None
        document = folder.opened(path, data)
        if document is None:
            return None
        here = document.guarded()
        guards = [self._known_hash(folder, document, guard.reference, guard.hashes) for guard in here.guards]
        contents = here.digests() if self.has_policies else ()
        if not contents and all(guard.file is None for guard in guards):
            return None
        self.digests[path] = Digests.of(data)
        return _Page(here.read, guards, contents)

    def _known_hash(self, folder: GuardedFolder, document: Document, reference: str, hashes: Hashes) -> _Known:
        target = document.resolver(clean(reference))[0] if hashes.found else None
        file = None if target is None else folder.find(without_fragment(target))
        data = None if file is None or file in self.digests else folder.content(file)
        if file is not None and data is not None:
            self.digests[file] = Digests.of(data)
        if file not in self.digests:
            return _Known(reference)
        return _Known(reference, file, hashes.accept(self.digests[file]))

    def renewed(self, content: Content) -> Renewed:
        """Return what else must change, since files have changed. `content`: of a file after the change."""
        settling = _Settling(self, content)
        for path in self._settled_first():
            settling.settle(path)
        return Renewed({**settling.changes, **dict(settling.header_files())}, tuple(settling.stale))

    def _settled_first(self) -> Iterator[str]:
        """Yield the pages, each after those that it has hashes of, however long a chain of them is."""
        begun, done = set[str](), set[str]()
        for first in self.pages:
            waiting = [first]
            while waiting:
                path = waiting[-1]
                if path not in begun:
                    begun.add(path)
                    files = [guard.file for guard in reversed(self.pages[path].guards)]
                    waiting += (file for file in files if file in self.pages and file not in begun)
                elif waiting.pop() not in done:
                    done.add(path)
                    yield path


@dataclass(slots=True)
class _Settling:
    """`done`: the pages that are settled. `now`: the digests of files after the change.

    `moved`: what each hash that has changed, of a file, has become: digests by their SHA-256.
    """

    examined: Examined
    content: Content
    done: set[str] = field(default_factory=set)
    now: dict[str, Digests | None] = field(default_factory=dict)
    changes: dict[str, bytes] = field(default_factory=dict)
    stale: list[StaleHash] = field(default_factory=list)
    moved: defaultdict[str, dict[str, Digests]] = field(default_factory=lambda: defaultdict(dict))

    def settle(self, path: str) -> None:
        """Settle a page whose references are settled, but those that close a circle."""
        data = self.content(path)
        if data is not None:
            self._with_hashes(path, self.examined.pages[path], data)
        self.done.add(path)

    def _final(self, path: str) -> bytes | None:
        """Return the final bytes of a file; None if it cannot be read."""
        return self.changes[path] if path in self.changes else self.content(path)

    def _digests_of(self, file: str) -> Digests | None:
        """Return the final digests of a file, computed once; None if it cannot be read, or is not settled."""
        if file in self.examined.pages and file not in self.done:
            return None
        if file not in self.now:
            data = self._final(file)
            self.now[file] = None if data is None else Digests.of(data)
        return self.now[file]

    def _with_hashes(self, path: str, page: _Page, now: bytes) -> None:
        """Change a page so that it has the hashes of what it refers to."""
        if not any(guard.file for guard in page.guards):
            return
        here = page.read(now)
        if len(page.guards) != len(here.guards):
            return
        pairs = enumerate(zip(page.guards, here.guards, strict=True))
        news = {number: self._renewed(path, old, new.hashes) for number, (old, new) in pairs}
        metadata = {number: new for number, new in news.items() if new is not None}
        if metadata:
            self.changes[path] = here.renewed(metadata, self._become)

    def _renewed(self, path: str, old: _Known, hashes: Hashes) -> str | None:
        """Return the metadata of a reference with its hashes renewed; None if they stay."""
        before = None if old.file is None else self.examined.digests[old.file]
        after = None if old.file is None else self._digests_of(old.file)
        if before is None or after is None or before == after:
            return None
        if not old.is_right:
            self.stale.append(StaleHash(path, old.reference))
            return None
        for value in before:
            self.moved[value][after.sha256] = after
        return hashes.renewed(lambda value: (after,) if value in before else ())

    def _become(self, value: str) -> Collection[Digests]:
        return self.moved[value].values() if value in self.moved else ()

    def header_files(self) -> Iterator[tuple[str, bytes]]:
        """Yield the files for the host (`_headers`, `.htaccess` …) whose policies change, with their new bytes.

        Their policies may be about any page: a hash in them becomes those of what all contents with this hash have
        become.
        """
        if not self.examined.has_policies:
            return
        become = [*self._pages(), self._become]
        for path in self.examined.header_files:
            data = self.content(path)
            old = "" if data is None else data.decode("latin-1")
            new = Hashes.in_policy(old).renewed(lambda value: [after for news in become for after in news(value)])
            if new != old:
                yield path, new.encode("latin-1")

    def _pages(self) -> Iterator[Callable[[str], Collection[Digests]]]:
        """Yield for each page what its contents have become."""
        for path, page in self.examined.pages.items():
            data = self._final(path)
            if data is not None:
                yield page.read(data).become(page.contents)


def with_integrity(folder: GuardedFolder, changed: Mapping[str, bytes]) -> Renewed:
    """Return what else must change if files of a folder get new bytes (`changed`)."""
    if not changed:
        return Renewed({}, ())
    only_pages = all(type_by_ending(path) in _PAGES for path in changed)
    return Examined(folder, only_pages=only_pages).renewed(
        lambda path: changed[path] if path in changed else folder.content(path)
    )
