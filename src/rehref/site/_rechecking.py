"""Checking a folder again and again: results of a document are kept until something that it depends on changes.

1. The results of a document (`Chunk`) depend on its own bytes, on the files that its targets lead to, and on the host's
   configuration. Everything else, such as fragments of other documents, is computed from the results of all documents.
2. A document is read again if its file has changed (times, size, inode number), or its text in an editor; or if one of
   its targets now leads elsewhere, because a file was added, removed, or has another type.
3. All documents are read again if a file that configures the host has changed, or if the site is elsewhere on the web.
4. The caller need not say what changed: the files are listed, and their status is compared. For that, no file is opened
   except those whose type only their content shows.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rehref.site._hosts.hosts import HOSTS
from rehref.site._pages.classifier import leads_of
from rehref.site._pages.reading_site_pages import in_processes
from rehref.site._pages.site_tables import Chunk
from rehref.site._reading_pages import PageReader
from rehref.site.checking import Progress, check_folder
from rehref.site.findings import CheckResult, Finding
from rehref.site.site import Site

_TELLS_HOST = frozenset(
    name
    for host in HOSTS.values()
    for name in (
        *host.redirect_files,
        host.header_file,
        host.settings_file,
        *host.own_files,
        *host.signs,
    )
)
"""The names of files that configure some host."""


class _Seen(NamedTuple):
    """A file as it was last seen: the times of its last change of content and of metadata (its permissions too), size,
    inode number; all 0 if its status could not be read.
    """

    changed: int = 0
    status_changed: int = 0
    size: int = 0
    number: int = 0


@dataclass(slots=True)
class Rechecker:
    """Checks a folder as often as it is asked. `find_context`: lists its files, and finds its URI and host.

    `read_last`: the documents that were read for the last check.
    """

    find_context: Callable[[], Site]
    context: Site | None = None
    read_last: list[str] = field(default_factory=list)
    _findings: Sequence[Finding] | None = None
    _chunks: dict[str, Chunk] = field(default_factory=dict)
    _seen: dict[str, _Seen] = field(default_factory=dict)

    def check(self, progress: Progress | None = None, *, only_new: bool = False) -> CheckResult:
        """Check it as it is now. Raises what `find_context` and `check_folder` raise.

        `only_new`: after the first check, suggestions are made for new findings only.
        """
        context = self.find_context()
        seen = {path: _look(context, path) for path in (*context.scope.documents, *_telling(context))}
        for path in self._outdated(context, seen):
            self._chunks.pop(path, None)
        self.context, self._seen, self.read_last = context, seen, []
        known = self._findings if only_new else None
        result = check_folder(context, progress, read=self._read, known=known)
        self._findings = result.findings
        return result

    def _outdated(self, context: Site, seen: dict[str, _Seen]) -> list[str]:
        """Return the documents whose remembered results no longer hold (rules 2, 3)."""
        before = self.context
        if before is None:
            return []
        changed = {path for path in {*seen, *self._seen} if seen.get(path) != self._seen.get(path)}
        if (before.uri, before.host) != (context.uri, context.host) or any(map(_tells_host, changed)):
            return list(self._chunks)
        if before.files != context.files:
            targets = set[str]().union(*(chunk.targets for chunk in self._chunks.values()))
            moved = {target for target in targets if leads_of(before, target) != leads_of(context, target)}
            changed.update(path for path, chunk in self._chunks.items() if not moved.isdisjoint(chunk.targets))
        return list(changed)

    def _read(self, documents: Sequence[str]) -> Iterator[Chunk]:
        """Yield the results of documents; those without remembered results are read."""
        assert self.context is not None
        wanted = [path for path in documents if path not in self._chunks]
        self.read_last += wanted
        for chunks in in_processes(self.context, _OneByOne(PageReader.of(self.context, keeps_targets=True)), wanted):
            for chunk in chunks:
                self._chunks[chunk.read[0]] = chunk
        for path in documents:
            yield self._chunks[path]


@dataclass(frozen=True, slots=True)
class _OneByOne:
    """Reads documents, and keeps the results of each apart."""

    reader: PageReader

    def __call__(self, paths: Sequence[str]) -> list[Chunk]:
        return [self.reader([path]) for path in paths]


def _look(context: Site, path: str) -> _Seen:
    text = None if context.texts is None else context.texts.get(path)
    if text is not None:
        return _Seen(size=len(text), number=hash(text))
    try:
        status = os.stat(f"{context.folder}/{path}")  # noqa: PTH116 -- there are many
    except OSError:
        return _Seen()
    return _Seen(status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)


def _telling(context: Site) -> list[str]:
    """Return the files that configure the host."""
    return [path for path in context.files.paths if _tells_host(path)]


def _tells_host(path: str) -> bool:
    return path[path.rfind("/") + 1 :] in _TELLS_HOST
