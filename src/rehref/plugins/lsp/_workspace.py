"""The folder that an editor has open: its context, with the texts in the editor, and the findings of its documents.

A document that is open counts as it is in the editor. A file that was not saved yet belongs to the site once it is.
Markdown beside HTML pages is not read with the folder. If it is open, it is, as if it were named.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from threading import RLock
from typing import Any, Final, NamedTuple

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from rehref.plugins.lsp._positions import PositionedText
from rehref.plugins.lsp._references_at import EditedPage, text_of
from rehref.site.check import Rechecker
from rehref.site.check_options import CheckOptions
from rehref.site.findings import Baseline, Finding
from rehref.site.site import Site

LONGEST: Final = 2_000_000
TOP: Final = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))


class SiteSettings(NamedTuple):
    """The folder of the site, the options of the check, the name of a baseline; `given`: all as values to compare."""

    folder: Path
    options: CheckOptions
    baseline: str | None
    given: Mapping[str, Any]


class Workspace:
    """The folder. `opened`: what is open, by URIs; `units`: as for `PositionedText`; `has_versions`: whether the editor
    takes edits for one version of a document, and refuses them for another.

    One thread may check documents, another one the folder. All methods raise `FileError`, `OptionError` if the folder
    cannot be read, or its settings not be used.
    """

    def __init__(
        self,
        find_settings: Callable[[], SiteSettings],
        opened: Mapping[str, lsp.TextDocumentItem],
        units: str,
        *,
        has_versions: bool,
    ) -> None:
        self.has_versions = has_versions
        self.findings: dict[str, Sequence[Finding]] = {}  # of documents that are open, by paths
        self._find_settings, self._opened, self._units = find_settings, opened, units
        self._lock = RLock()
        self._settings: SiteSettings | None = None
        self._context: Site | None = None
        self._folder = Rechecker(self.whole)
        self._single: dict[str, Rechecker] = {}
        self._named: dict[str, Site] = {}

    @property
    def context(self) -> Site:
        """The context of the folder, which is listed once."""
        with self._lock:
            return self._context or self.refresh()

    def refresh(self) -> Site:
        """Read the settings and list the folder again."""
        settings = self._find_settings()
        context = _without_links_out(Site.of(settings.folder, settings.options))
        with self._lock:
            if self._settings is None or settings.given != self._settings.given:
                self._folder, self._single = Rechecker(self.whole), {}
            self._settings, self._context, self._named = settings, context, {}
            opened = self.opened_by_path()
            self._single = {path: single for path, single in self._single.items() if path in opened}
        return context

    def path_of(self, uri: str) -> str | None:
        """Return the path of a file below the folder; None if it is elsewhere, or cannot be a file.

        A symbolic link that leads out of the folder has none, so that what it names is neither read nor changed.
        """
        try:
            name = to_fs_path(uri)
            return None if name is None or "\0" in name else self.context.path_below(name)
        except (OSError, ValueError):  # a name that is too long, or not a URI
            return None

    def opened_by_path(self) -> dict[str | None, lsp.TextDocumentItem]:
        """Return what is open, by paths."""
        return {self.path_of(uri): text for uri, text in list(self._opened.items())}

    def uri_of(self, path: str) -> str:
        """Return the URI of a file that is not open."""
        return (self.context.folder.absolute() / path).as_uri()

    def context_of(self, path: str) -> Site | None:
        """Return the context in which a document is read, with the texts in the editor; None if it is not one."""
        with self._lock:
            context = self.context
            if path in context.files.paths and not context.files.types.is_document(path):  # Markdown beside HTML
                if path not in self._named:
                    named = Site.of(context.folder, context.options._replace(files=(path,)))
                    self._named[path] = _without_links_out(named)
                context = self._named[path]
            return self._as_open(context) if path in context.scope.documents else None

    def page(self, uri: str) -> EditedPage | None:
        """Return a document, None if it is not one of the folder, or counts as it was saved.

        It has more than `LONGEST` characters.
        """
        path, opened = self.path_of(uri), self._opened.get(uri)
        context = None if path is None else self.context_of(path)
        is_long = opened is not None and len(opened.text) > LONGEST
        return None if path is None or context is None or is_long else EditedPage(context, path, self._units)

    def text_of(self, path: str) -> PositionedText:
        """Return the text of a file."""
        return text_of(self.context_of(path) or self.context, path, self._units)

    def check(self, path: str) -> Sequence[Finding]:
        """Return the findings of one document: those that a check of all would have.

        What it needs of others is kept until they change.
        """
        is_known = self.context_of(path) is not None
        single = self._single.setdefault(path, Rechecker(partial(self._alone, path)))
        self.findings[path] = self._checked(single) if is_known else ()
        return self.findings[path]

    def check_folder(self) -> Sequence[Finding]:
        """Return the findings of all documents, by the engine of `--watch`."""
        self.refresh()
        return self._checked(self._folder)

    def _checked(self, rechecker: Rechecker) -> Sequence[Finding]:
        findings = rechecker.check().findings
        baseline = None if self._settings is None else self._settings.baseline
        return findings if baseline is None else list(Baseline.read(Path(baseline)).new_in(findings))

    def whole(self) -> Site:
        """Return the context of the folder, with the texts in the editor."""
        return self._as_open(self.context)

    def _alone(self, path: str) -> Site:
        context = self.context_of(path) or self.whole()
        options = context.options._replace(files=(path,))
        return context.narrowed(options, context.scope.documents)

    def _as_open(self, context: Site) -> Site:
        """Return a context with the texts in the editor."""
        documents = context.scope.documents
        texts = {
            path: _encoded(context, path, opened.text)
            for path, opened in self.opened_by_path().items()
            if path in documents and len(opened.text) <= LONGEST
        }
        return context._replace(texts=texts)


def _without_links_out(context: Site) -> Site:
    """Return a context without the documents that are outside of the folder."""
    links, documents = context.files.links, context.scope.documents
    inside = tuple(path for path in documents if path not in links)
    return context if inside == documents else context.narrowed(context.options, inside)


def _encoded(context: Site, path: str, text: str) -> bytes:
    """Return a text in the encoding in which it would be read, or, if that has not all its characters, in UTF-8."""
    data = text.encode("utf-8", "replace")
    other = context.source(path, data).encoded(text)
    return b"\xef\xbb\xbf" + data if other is None else other
