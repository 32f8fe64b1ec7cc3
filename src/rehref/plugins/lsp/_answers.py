"""The answers to what an editor asks: where a reference leads, why, what may be written there, and what to change.

Nothing outside of the folder is looked at, and nothing is fetched. Passwords are masked. In what is shown, nothing of a
document is Markdown. All functions raise `FileError`, `OptionError` if they cannot answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final
from urllib.parse import quote

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from rehref.plugins.lsp._references_at import EditedPage
from rehref.plugins.lsp._text_edits import renaming, workspace_edit
from rehref.plugins.lsp._workspace import TOP, Workspace
from rehref.reports.terminal import visible
from rehref.site.findings import UNKNOWN_HOST
from rehref.uri.components import mask_text

_QUICK_FIX: Final = "quickfix"
_FIX_ALL: Final = "source.fixAll.rehref"
_MOST_FIXES: Final = 20
_MOST_LINKS: Final = 10_000
_OTHERS: Final = ("http://", "https://", "mailto:")


def code_actions(workspace: Workspace, page: EditedPage, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Return the corrections of what is wrong in a range.

    A quick fix writes one suggestion; `source.fixAll.rehref` all those that are sure.
    """
    start, end = page.text.offset(params.range.start), page.text.offset(params.range.end)
    known = [each for each in workspace.findings.get(page.path, ()) if each.suggestion is not None]
    places = ((each, page.text.stretch(each.line, each.column, each.span)) for each in known)
    near = [each for each, (first, last) in places if first <= end and start <= last][:_MOST_FIXES]
    offered = [(f"Write {mask_text(each.suggestion or '')}", _QUICK_FIX, [each]) for each in near]
    offered += [("Correct all that is sure", _FIX_ALL, [each for each in known if each.sure])]
    only = [str(getattr(each, "value", each)) for each in params.context.only or ()]
    found = []
    for title, kind, those in offered:
        if not only or any(f"{kind}.".startswith(f"{each}.") for each in only):
            new = page.context.fixed(page.path, page.text.data, those)
            if new != page.text.data:
                is_best, edit = kind == _QUICK_FIX and those[0].sure, workspace_edit(workspace, {page.path: new})
                found.append(lsp.CodeAction(title, kind, is_preferred=is_best, edit=edit))
    return found


def definition(workspace: Workspace, page: EditedPage, params: lsp.DefinitionParams) -> lsp.Location | None:
    """Return the file to which a reference leads, and the range of what its fragment names."""
    found = page.link_at(page.text.offset(params.position))
    if found is None:
        return None
    path, fragment = page.context.leads_to(found[2].target)
    named = page.named(found[2].target) if fragment else None
    where = TOP if named is None else named[2].text.range(*named[:2])
    return None if path is None else lsp.Location(workspace.uri_of(path), where)


def hover(_workspace: Workspace, page: EditedPage, params: lsp.HoverParams) -> lsp.Hover | None:
    """Return what is known of a reference: its target, its base and why, what is wrong."""
    found = page.link_at(page.text.offset(params.position))
    if found is None:
        return None
    start, end, link = found
    target, base, led = link.target, link.base, page.context.where((link.target or "").partition("#")[0])
    lines = ["**no target**" if target is None else f"**{_code(target)}**"]
    lines += ["no base" if base.uri is None else f"base: {_code(base.uri)}, {_plain(base.where)}"]
    lines += [f"not the base: {_code(each.reference)}, {_plain(each.reason)}" for each in base.rejected]
    if target is not None and not led.outside:
        lines += [_plain(led.message) if led.code or led.path is None else f"leads to {_code(led.path or './')}"]
    lines += [_plain(each.message) for each in link.problems]
    text = lsp.MarkupContent(lsp.MarkupKind.Markdown, "  \n".join(filter(None, lines)))
    return lsp.Hover(text, page.text.range(start, end))


def completion(_workspace: Workspace, page: EditedPage, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
    """Return the files, folders and ids that may be written at a position."""
    offset = page.text.offset(params.position)
    start, names = page.names_at(offset)
    where = page.text.range(start, offset)
    return [
        lsp.CompletionItem(name, filter_text=quote(name), text_edit=lsp.TextEdit(where, quote(name))) for name in names
    ]


def document_links(workspace: Workspace, page: EditedPage, _params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
    """Return the references that can be followed; one to another host with its URI, which the editor opens."""
    found, uris = [], dict[str, str]()
    for start, end, link in islice(page.links(), _MOST_LINKS):
        path, _ = page.context.leads_to(link.target)
        if link.kind in ("namespace", "metadata", "base") or link.target is None:
            continue
        if path is not None:
            uri = uris[path] = uris.get(path) or workspace.uri_of(path)
            found.append(lsp.DocumentLink(page.text.range(start, end), target=uri))
        elif link.target.startswith(_OTHERS) and not link.target.startswith(UNKNOWN_HOST):
            found.append(lsp.DocumentLink(page.text.range(start, end), target=link.target))
    return found


def prepare_rename(
    _workspace: Workspace, page: EditedPage, params: lsp.PrepareRenameParams
) -> lsp.PrepareRenamePlaceholder | None:
    """Return the id at a position, and its range: at its element or heading, or at a reference to it."""
    found = page.id_at(page.text.offset(params.position))
    return None if found is None else lsp.PrepareRenamePlaceholder(page.text.range(*found[:2]), found[3])


def rename(workspace: Workspace, page: EditedPage, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    """Return the edits for an id that gets another name."""
    found = page.id_at(page.text.offset(params.position))
    if found is None:
        return None
    _, _, owner, id = found
    return _moved(workspace, [(f"{page.context.folder / owner.path}#{id}", f"#{params.new_name}")])


def will_rename_files(workspace: Workspace, params: lsp.RenameFilesParams) -> lsp.WorkspaceEdit | None:
    """Return the edits for files and folders that get other names; None if they are not in the folder."""
    uris = [(each.old_uri, each.new_uri) for each in params.files]
    inside = [pair for pair in uris if None not in map(workspace.path_of, pair)]
    names = [(to_fs_path(old) or "", to_fs_path(new) or "") for old, new in inside]
    return _moved(workspace, names) if names else None


def _moved(workspace: Workspace, names: Sequence[tuple[str, str]]) -> lsp.WorkspaceEdit | None:
    renamed = renaming()
    if renamed is None:
        return None
    workspace.refresh()  # files of which an editor says nothing
    return workspace_edit(workspace, renamed(workspace.whole(), names))


def _code(text: str) -> str:
    """Return a URI as code."""
    shown = visible(mask_text(text.removeprefix(UNKNOWN_HOST)))
    return f"`{shown.replace('`', '%60')}`"


def _plain(text: str) -> str:
    """Return a sentence."""
    return "".join(f"\\{char}" if char in "\\`*_<>[]|#&" else char for char in visible(mask_text(text)))
