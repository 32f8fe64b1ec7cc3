"""The server: which message of an editor asks which question (LSP 3.17), and when findings are published.

1. A document that is open is checked soon after a change, the folder a while after, each in a thread of its own. What
   changes in the meantime waits for the next check, so that many changes cost few of them.
2. An editor sends whole texts: then lines end where LSP says, and no change can be applied wrongly.
3. A bounded number of findings is published of each document, and for a bounded number of documents. A text that is too
   long gets one message.
4. What cannot be answered is null. An error in the settings, and why something cannot get another name, is a message. A
   request that cannot be read, or fails, ends nothing.
5. The folder is the first one that the editor has open. Without one, nothing is checked.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, TypeAlias

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from rehref._version import __version__
from rehref.checking.model import Finding
from rehref.exceptions import RehrefError
from rehref.lsp.answers import Answers
from rehref.lsp.positions import PositionedText
from rehref.lsp.references import EditedPage
from rehref.lsp.workspace import LONGEST, SiteSettings, Workspace
from rehref.uri.privacy import mask_text

_SOON: Final = 0.1
_LATER: Final = 1.0
_MOST_FINDINGS: Final = 500
_MOST_DOCUMENTS: Final = 1000
_Work: TypeAlias = "Callable[[Iterable[str]], None]"
_TOP: Final = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
_SEVERITIES: Final = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}
_FILES: Final = lsp.FileOperationRegistrationOptions([lsp.FileOperationFilter(lsp.FileOperationPattern("**"), "file")])


def serve(settings_of: Callable[[Path], SiteSettings]) -> None:
    """Serve an editor on standard input and output until it ends. `settings_of`: reads those of a folder."""
    server = LanguageServer("rehref", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
    _Session(server, settings_of)
    server.start_io(stdout=os.fdopen(os.dup(1), "wb"))  # which it closes


class _Session:
    """What an editor has open, and what was published for it."""

    def __init__(self, server: LanguageServer, settings_of: Callable[[Path], SiteSettings]) -> None:
        self._server, self._settings_of = server, settings_of
        self._loop: asyncio.AbstractEventLoop | None = None
        self._workspace: Workspace | None = None
        self._findings: dict[str, Sequence[Finding]] = {}
        self._published: set[str] = set()
        self._said = ""
        self._soon = _Later(_SOON, self._check, self._say)
        self._later = _Later(_LATER, self._check_folder, self._say)
        for name, hear in (
            (lsp.INITIALIZED, self._begin),
            (lsp.TEXT_DOCUMENT_DID_OPEN, self._opened),
            (lsp.TEXT_DOCUMENT_DID_CHANGE, self._opened),
            (lsp.TEXT_DOCUMENT_DID_CLOSE, self._closed),
            (lsp.TEXT_DOCUMENT_DID_SAVE, self._changed),
            (lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, self._changed),
        ):
            server.feature(name)(partial(hear))
        for name, ask, options in (
            (lsp.TEXT_DOCUMENT_CODE_ACTION, Answers.code_actions, None),
            (lsp.TEXT_DOCUMENT_DEFINITION, Answers.definition, None),
            (lsp.TEXT_DOCUMENT_HOVER, Answers.hover, None),
            (lsp.TEXT_DOCUMENT_COMPLETION, Answers.completion, lsp.CompletionOptions(["/", "#", '"', "("])),
            (lsp.TEXT_DOCUMENT_DOCUMENT_LINK, Answers.document_links, None),
            (lsp.TEXT_DOCUMENT_PREPARE_RENAME, Answers.prepare_rename, None),
            (lsp.TEXT_DOCUMENT_RENAME, Answers.rename, lsp.RenameOptions(prepare_provider=True)),
            (lsp.WORKSPACE_WILL_RENAME_FILES, Answers.will_rename_files, _FILES),
        ):
            server.feature(name, options)(partial(self._answer, ask))

    def _begin(self, _: object) -> None:
        """Begin with the first folder, and ask to hear of changed files."""
        folders = self._server.workspace.folders
        uri = next(iter(folders), self._server.workspace.root_uri)
        name = None if uri is None else to_fs_path(uri)
        if name is not None:
            self._loop = asyncio.get_running_loop()
            self._workspace = Workspace(partial(self._settings_of, Path(name)))
            self._later.ask("")
        of_files = getattr(self._server.client_capabilities.workspace, "did_change_watched_files", None)
        if self._workspace is not None and of_files is not None and of_files.dynamic_registration:
            options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher("**/*")])
            wanted = lsp.Registration("files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            self._server.client_register_capability(lsp.RegistrationParams([wanted]))

    def _answer(self, ask: Callable[[Answers, Any], Any], params: Any) -> Any:
        """Return the answer to a request (rule 4)."""
        if self._workspace is None:
            return None
        try:
            return ask(Answers(self._workspace, self._findings, self._units), params)
        except (RehrefError, OSError) as error:
            self._say(str(error))
            return None

    def _opened(self, params: lsp.DidOpenTextDocumentParams | lsp.DidChangeTextDocumentParams) -> None:
        """Take a text that was opened, or has changed."""
        document = self._server.workspace.text_documents.get(params.text_document.uri)
        if self._workspace is not None and document is not None:
            self._workspace.texts[document.uri] = document.source
            self._soon.ask(document.uri)
            self._later.ask("")

    def _closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        """Forget a text: the file on the disk counts again."""
        if self._workspace is not None:
            self._workspace.closed(params.text_document.uri)
            self._publish(params.text_document.uri, [])
            self._later.ask("")

    def _changed(self, _: object) -> None:
        """Check the folder, since files in it may have changed."""
        self._later.ask("")

    def _check(self, uris: Iterable[str]) -> None:
        """Check documents, and publish their findings (rule 3)."""
        assert self._workspace is not None
        for uri in uris:
            document = self._server.workspace.text_documents.get(uri)
            version = None if document is None else document.version  # before the text, which may be newer
            text, path = self._workspace.texts.get(uri), self._workspace.path_of(uri)
            if text is None or path is None:
                continue
            if len(text) > LONGEST:
                what = f"has more than {LONGEST:,} characters, and is not checked while it is open"
                found = [lsp.Diagnostic(_TOP, what, lsp.DiagnosticSeverity.Information, source="rehref")]
            else:
                self._findings[path] = self._workspace.check(path)
                found = self._diagnostics(path, self._findings[path])
            self._publish(uri, found, version)

    def _check_folder(self, _: object) -> None:
        """Check the folder, publish what documents that are not open have, and check those that are again."""
        assert self._workspace is not None
        found = defaultdict(list)
        for finding in self._workspace.check_folder():
            found[finding.document].append(finding)
        opened = {self._workspace.path_of(uri) for uri in list(self._workspace.texts)}
        closed = {self._workspace.uri_of(path): path for path in found if path not in opened}
        closed = dict(islice(closed.items(), _MOST_DOCUMENTS))
        for uri in self._published.difference(closed, self._workspace.texts):
            self._publish(uri, [])
        for uri, path in closed.items():
            self._publish(uri, self._diagnostics(path, found[path]))
        self._published = set(closed)
        for uri in list(self._workspace.texts):
            self._soon.ask(uri)

    def _diagnostics(self, path: str, findings: Sequence[Finding]) -> list[lsp.Diagnostic]:
        """Return the findings of a document as an editor shows them (rule 3)."""
        assert self._workspace is not None
        context = self._workspace.context_of(path)
        text = (
            PositionedText(b"", "utf-8", 0)
            if context is None or not findings
            else EditedPage(context, path, self._units).text
        )
        return [
            lsp.Diagnostic(
                text.range(*text.stretch(each.line, each.column, each.span)),
                mask_text(each.message),
                _SEVERITIES.get(each.severity, lsp.DiagnosticSeverity.Information),
                each.code,
                source="rehref",
            )
            for each in findings[:_MOST_FINDINGS]
        ]

    @property
    def _units(self) -> str:
        return self._server.workspace.position_encoding or "utf-16"

    def _publish(self, uri: str, found: list[lsp.Diagnostic], version: int | None = None) -> None:
        send = self._server.text_document_publish_diagnostics
        self._send(send, lsp.PublishDiagnosticsParams(uri, found, version))

    def _say(self, text: str) -> None:
        """Show a message, unless it was the last one."""
        if text != self._said:
            message = lsp.ShowMessageParams(lsp.MessageType.Warning, f"rehref: {mask_text(text)}")
            self._send(self._server.window_show_message, message)
        self._said = text

    def _send(self, send: Callable[[Any], None], params: Any) -> None:
        """Send something, from any thread; one that has ended gets nothing."""
        assert self._loop is not None
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(send, params)


class _Later:
    """Does work in a thread of its own, some seconds after it is asked for; what is asked for meanwhile, too."""

    def __init__(self, seconds: float, work: _Work, say: Callable[[str], None]) -> None:
        self._say = say
        self._asked: SimpleQueue[str] = SimpleQueue()
        self.ask = self._asked.put
        Thread(target=self._run, args=(seconds, work), daemon=True).start()

    def _run(self, seconds: float, work: _Work) -> None:
        while True:
            asked = {self._asked.get(): True}
            time.sleep(seconds)
            while not self._asked.empty():
                asked[self._asked.get()] = True
            try:
                work(asked)
            except (RehrefError, OSError) as error:
                self._say(str(error))
            except Exception:  # a check that fails ends neither this thread nor the server
                logging.getLogger(__name__).exception("a check failed")
