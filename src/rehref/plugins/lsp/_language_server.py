"""The server: which message of an editor asks which question (LSP 3.17), and when findings are published.

A document that is open is checked soon after a change, the folder a while after, each in a thread of its own. What
changes in the meantime waits for the next check, so that many changes cost few of them. An error in the settings, and
why something cannot get another name, is a message. A request that fails ends nothing.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO, Final

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from rehref._version import __version__
from rehref.exceptions import RehrefError
from rehref.files.file_errors import FileError
from rehref.plugins.lsp import _answers as answers
from rehref.plugins.lsp._positions import PositionedText
from rehref.plugins.lsp._protocol import EditorServer, Protocol
from rehref.plugins.lsp._references_at import EditedPage
from rehref.plugins.lsp._text_edits import renaming
from rehref.plugins.lsp._workspace import LONGEST, TOP, SiteSettings, Workspace
from rehref.site.findings import Finding
from rehref.text.encoding import Source
from rehref.uri.components import mask_text

_SOON: Final = 0.1
_LATER: Final = 1.0
_MOST_FINDINGS: Final = 500
_MOST_DOCUMENTS: Final = 1000
_SEVERITIES: Final = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}
_FILES: Final = lsp.FileOperationRegistrationOptions([lsp.FileOperationFilter(lsp.FileOperationPattern("**"), "file")])


def serve(settings_of: Callable[[Path], SiteSettings]) -> int:
    """Serve an editor on standard input and output until it ends; return the exit code.

    `settings_of`: reads those of a folder. Raises `FileError`, OSError if one of both is closed.
    """
    if sys.stdin is None:
        raise FileError("standard input", "is closed", "let an editor start rehref lsp, which talks to it there")
    os.write(1, b"")  # or it says that standard output is closed
    return speak(settings_of, sys.stdin.buffer, os.fdopen(os.dup(1), "wb"))


def speak(settings_of: Callable[[Path], SiteSettings], incoming: BinaryIO, outgoing: BinaryIO) -> int:
    """Serve an editor on two streams until it ends, and close the second; return the exit code."""
    full = lsp.TextDocumentSyncKind.Full
    server = EditorServer("rehref", __version__, text_document_sync_kind=full, protocol_cls=Protocol)
    _Session(server, settings_of)
    server.start_io(incoming, outgoing)
    return server.protocol.exit_code


class _Session:
    """What an editor has open, and what was published for it."""

    def __init__(self, server: EditorServer, settings_of: Callable[[Path], SiteSettings]) -> None:
        self._server, self._settings_of = server, settings_of
        self._loop: asyncio.AbstractEventLoop | None = None
        self._workspace: Workspace | None = None
        self._opened: dict[str, lsp.TextDocumentItem] = {}
        self._published: set[str] = set()
        self._said = ""
        self._soon = _delayed(_SOON, partial(self._guarded, self._check))
        self._delayed = _delayed(_LATER, partial(self._guarded, self._check_folder))
        for name, hear in (
            (lsp.INITIALIZED, self._begin),
            (lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, self._choose_folder),
            (lsp.TEXT_DOCUMENT_DID_OPEN, self._take),
            (lsp.TEXT_DOCUMENT_DID_CHANGE, self._take),
            (lsp.TEXT_DOCUMENT_DID_CLOSE, self._close),
            (lsp.TEXT_DOCUMENT_DID_SAVE, self._check_all),
            (lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, self._check_all),
        ):
            server.feature(name)(partial(hear))
        for name, ask, options in (
            (lsp.TEXT_DOCUMENT_CODE_ACTION, answers.code_actions, None),
            (lsp.TEXT_DOCUMENT_DEFINITION, answers.definition, None),
            (lsp.TEXT_DOCUMENT_HOVER, answers.hover, None),
            (lsp.TEXT_DOCUMENT_COMPLETION, answers.completion, lsp.CompletionOptions(["/", "#", '"', "("])),
            (lsp.TEXT_DOCUMENT_DOCUMENT_LINK, answers.document_links, None),
        ):
            server.feature(name, options)(partial(self._guarded, self._answer, ask))
        if renaming() is not None:
            self._offer_renaming()

    def _offer_renaming(self) -> None:
        """Answer what an editor asks before ids and files get other names."""
        for name, ask, options in (
            (lsp.TEXT_DOCUMENT_PREPARE_RENAME, answers.prepare_rename, None),
            (lsp.TEXT_DOCUMENT_RENAME, answers.rename, lsp.RenameOptions(prepare_provider=True)),
        ):
            self._server.feature(name, options)(partial(self._guarded, self._answer, ask))
        self._server.feature(lsp.WORKSPACE_WILL_RENAME_FILES, _FILES)(partial(self._guarded, self._rename_files))

    def _begin(self, _: object) -> None:
        """Begin, and ask to hear of changed files."""
        self._loop = asyncio.get_running_loop()
        self._choose_folder(None)
        of_files = getattr(self._server.client_capabilities.workspace, "did_change_watched_files", None)
        if of_files is not None and of_files.dynamic_registration:
            options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher("**/*")])
            wanted = lsp.Registration("files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            self._server.client_register_capability(lsp.RegistrationParams([wanted]))

    def _choose_folder(self, _: object) -> None:
        """Serve the first folder that the editor has open. Without one, nothing is checked."""
        of_editor, known = self._server.workspace, self._server.client_capabilities.workspace
        root = of_editor.root_uri if self._workspace is None else None  # an older editor names no folders
        uri = next((each.uri for each in of_editor.folders.values()), root)
        name = None if uri is None else to_fs_path(uri)
        units, of_edits = of_editor.position_encoding or "utf-16", getattr(known, "workspace_edit", None)
        has_versions = of_edits is not None and bool(of_edits.document_changes or of_edits.resource_operations)
        settings_of = partial(self._settings_of, Path(name or ""))
        workspace = Workspace(settings_of, self._opened, units, has_versions=has_versions)
        self._workspace = None if name is None else workspace
        self._check_all(None)

    def _answer(self, ask: Callable[[Workspace, EditedPage, Any], Any], params: Any) -> Any:
        """Return the answer to a request about a document; what cannot be answered is null."""
        workspace = self._workspace
        page = None if workspace is None else workspace.page(params.text_document.uri)
        return None if workspace is None or page is None else ask(workspace, page, params)

    def _rename_files(self, params: lsp.RenameFilesParams) -> lsp.WorkspaceEdit | None:
        return None if self._workspace is None else answers.will_rename_files(self._workspace, params)

    def _guarded(self, work: Callable[..., Any], *given: Any) -> Any:
        """Return the result of some work; None, and say why, if it fails."""
        try:
            return work(*given)
        except (RehrefError, OSError) as error:
            self._say(str(error))
        except Exception as error:  # a mistake of ours ends neither a thread nor the server
            logging.getLogger(__name__).exception("a mistake in rehref")  # for the log of the editor
            self._say(f"a mistake in rehref: {type(error).__name__}: {error}")
        return None

    def _take(self, params: lsp.DidOpenTextDocumentParams | lsp.DidChangeTextDocumentParams) -> None:
        """Take a text that was opened, or has changed.

        An editor sends whole texts: then lines end where LSP says, and no change can be applied wrongly. A part is
        dropped.
        """
        document, is_new = params.text_document, isinstance(params, lsp.DidOpenTextDocumentParams)
        last = document if is_new else next(reversed(getattr(params, "content_changes", [])), None)
        if isinstance(last, lsp.TextDocumentItem | lsp.TextDocumentContentChangeWholeDocument):
            self._opened[document.uri] = lsp.TextDocumentItem(document.uri, "", document.version, last.text)
            self._soon(document.uri)
            self._check_all(None)

    def _close(self, params: lsp.DidCloseTextDocumentParams) -> None:
        """Forget a text: the file on the disk counts again."""
        self._opened.pop(params.text_document.uri, None)
        self._publish(params.text_document.uri, [])
        self._check_all(None)

    def _check_all(self, _: object) -> None:
        """Check the folder, since files in it may have changed."""
        self._delayed("")

    def _check(self, uri: str) -> None:
        """Check a document, and publish its findings; of a text that is too long, one message."""
        opened, workspace = self._opened.get(uri), self._workspace
        path = None if opened is None or workspace is None else workspace.path_of(uri)
        if opened is None or workspace is None or path is None:
            return
        if len(opened.text) > LONGEST:
            what = f"has more than {LONGEST:,} characters, and is not checked while it is open"
            found = [lsp.Diagnostic(TOP, what, lsp.DiagnosticSeverity.Information, source="rehref")]
        else:
            found = _diagnostics(workspace, path, workspace.check(path))
        self._publish(uri, found, opened)

    def _check_folder(self, _: object) -> None:
        """Check the folder, publish what documents that are not open have, and check those that are again."""
        closed, workspace = {}, self._workspace
        if workspace is not None:
            found = defaultdict(list)
            for finding in workspace.check_folder():
                found[finding.document].append(finding)
            opened = workspace.opened_by_path()
            for path in islice((path for path in found if path not in opened), _MOST_DOCUMENTS):
                closed[workspace.uri_of(path)] = self._guarded(_diagnostics, workspace, path, found[path]) or []
        for uri in self._published.union(closed):
            self._publish(uri, closed.get(uri, []))
        self._published = set(closed)
        for uri in list(self._opened):
            self._soon(uri)

    def _publish(self, uri: str, found: list[lsp.Diagnostic], checked: lsp.TextDocumentItem | None = None) -> None:
        """Publish findings, if the editor still has the text that was checked; None: it is not open.

        They are published for `_MOST_DOCUMENTS` documents.
        """

        def send() -> None:
            if self._opened.get(uri) is checked:
                version = None if checked is None else checked.version
                self._server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found, version))

        self._send(send)

    def _say(self, text: str) -> None:
        """Show a message, unless it was the last one."""
        if text != self._said:
            message = lsp.ShowMessageParams(lsp.MessageType.Warning, f"rehref: {mask_text(text)}")
            self._send(partial(self._server.window_show_message, message))
        self._said = text

    def _send(self, send: Callable[[], None]) -> None:
        """Send something, from any thread, to an editor that is still there."""
        assert self._loop is not None
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(send)


def _diagnostics(workspace: Workspace, path: str, findings: Sequence[Finding]) -> list[lsp.Diagnostic]:
    """Return the findings of a document as an editor shows them, at most `_MOST_FINDINGS`."""
    try:
        text = workspace.text_of(path)
    except FileError:
        text = PositionedText(Source(b"", "utf-8"))  # which is one of the findings
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


def _delayed(seconds: float, work: Callable[[str], object]) -> Callable[[str], None]:
    """Return what asks for work on something, done so much later in a thread of its own, once for all who ask."""
    asked: SimpleQueue[str] = SimpleQueue()

    def run() -> None:
        while True:
            together = {asked.get(): True}
            time.sleep(seconds)
            while not asked.empty():
                together[asked.get()] = True
            for each in together:
                work(each)

    Thread(target=run, daemon=True).start()
    return asked.put
