"""The changes that an editor makes for us: corrections, and what follows if files and ids get other names.

Nothing is written here: the editor gets edits, and keeps them in its history. Corrections are those of `rehref check
--fix`, moves those of `rehref mv`, if that is there: a document that would not read as meant is not changed, and if one
reference cannot be corrected, there is no edit at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from lsprotocol import types as lsp

from rehref.cli.program import plugin_modules
from rehref.files.file_errors import FileError
from rehref.plugins.lsp._workspace import Workspace
from rehref.site.site import Site


def workspace_edit(workspace: Workspace, new: Mapping[str, bytes]) -> lsp.WorkspaceEdit:
    """Return the edits that make new data of files, by their paths.

    An edit is for one version of a document. A file that is open, but counts as it was saved, is changed only if it is
    saved; else `FileError` is raised.
    """
    opened, edits, documents = workspace.opened_by_path(), {}, []
    for path, data in new.items():
        text, shown = workspace.text_of(path), opened.get(path)
        if shown is not None and shown.text != text.text:
            raise FileError(path, "is not saved, and would change", "save it first")
        uri, version = (workspace.uri_of(path), None) if shown is None else (shown.uri, shown.version)
        document = lsp.OptionalVersionedTextDocumentIdentifier(uri, version)
        edits[uri] = text.edits_to(data)
        documents.append(lsp.TextDocumentEdit(document, edits[uri]))
    return lsp.WorkspaceEdit(document_changes=documents) if workspace.has_versions else lsp.WorkspaceEdit(edits)


def renaming() -> Callable[[Site, Sequence[tuple[str, str]]], dict[str, bytes]] | None:
    """Return what corrects references if files or ids get other names; None if the plug-in is not there."""
    return next((module.renamed for module in plugin_modules("renaming")), None)
