"""The answers to what an editor asks: where a reference leads, why, what may be written there, and what to change.

1. Nothing outside of the folder is looked at, and nothing is fetched. The URI on another host is a link for the editor.
2. A quick fix writes one suggestion; `source.fixAll.rehref` all those that are sure.
3. An id gets another name at its element, or at a reference to it. Those of headings in Markdown do not.
4. Passwords are masked, as everywhere. In what is shown, nothing of a document is Markdown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final
from urllib.parse import quote, unquote

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from rehref.checking.model import UNKNOWN_HOST, Finding
from rehref.checking.pages.reading import stored
from rehref.checking.repair.fixing import fix
from rehref.checking.site.site_context import SiteContext
from rehref.documents.media_types import MARKDOWN_TYPE
from rehref.lsp.edits import edits_of, moved
from rehref.lsp.positions import PositionedText
from rehref.lsp.references import EditedPage
from rehref.lsp.workspace import Workspace
from rehref.moving.places import WITH_IDS
from rehref.reports.text import visible
from rehref.uri.privacy import mask_text

_QUICK_FIX: Final = "quickfix"
_FIX_ALL: Final = "source.fixAll.rehref"
_MOST_FIXES: Final = 20
_MOST_LINKS: Final = 10_000
_TOP: Final = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
_OTHERS: Final = ("http://", "https://", "mailto:")


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers requests, as things are now. All raise `FileError`, `OptionError` if that cannot be.

    `findings`: those of documents, by their paths. `units`: as for `PositionedText`.
    """

    workspace: Workspace
    findings: Mapping[str, Sequence[Finding]]
    units: str

    def page(self, uri: str) -> EditedPage | None:
        """Return the document of a URI; None if it is not one of the folder."""
        path = self.workspace.path_of(uri)
        context = None if path is None else self.workspace.context_of(path)
        return None if path is None or context is None else EditedPage(context, path, self.units)

    def code_actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """Return the corrections of what is wrong in a range (rule 2)."""
        page = self.page(params.text_document.uri)
        if page is None:
            return []
        start, end = page.text.offset(params.range.start), page.text.offset(params.range.end)
        known = [each for each in self.findings.get(page.path, ()) if each.suggestion is not None]
        places = ((each, page.text.stretch(each.line, each.column, each.span)) for each in known)
        near = [each for each, (first, last) in places if first <= end and start <= last][:_MOST_FIXES]
        offered = [(f"Write {mask_text(each.suggestion or '')}", _QUICK_FIX, [each]) for each in near]
        offered += [("Correct all that is sure", _FIX_ALL, [each for each in known if each.sure])]
        only = [str(getattr(each, "value", each)) for each in params.context.only or ()]
        found = []
        for title, kind, those in offered:
            if not only or any(f"{kind}.".startswith(f"{each}.") for each in only):
                new = fix(page.path, page.text.data, those, partial(page.context.document_of, page.path)).new
                edit = lsp.WorkspaceEdit({params.text_document.uri: edits_of(page.text, new)})
                if new != page.text.data:
                    is_best = kind == _QUICK_FIX and those[0].sure
                    found.append(lsp.CodeAction(title, kind, is_preferred=is_best, edit=edit))
        return found

    def definition(self, params: lsp.DefinitionParams) -> lsp.Location | None:
        """Return the file to which a reference leads, and the range of what its fragment names."""
        page = self.page(params.text_document.uri)
        found = None if page is None else page.link_at(page.text.offset(params.position))
        if page is None or found is None:
            return None
        path, fragment = page.place(found[2].target)
        led = page.led(found[2].target)
        where = _TOP
        if led is not None and fragment:
            ids = {id: (start, end) for start, end, id in reversed(list(led[0].ids()))}
            named = ids.get(fragment) or ids.get(unquote(fragment))
            where = _TOP if named is None else led[0].text.range(*named)
        return None if path is None else lsp.Location(self.workspace.uri_of(path), where)

    def hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        """Return what is known of a reference: its target, its base and why, what is wrong."""
        page = self.page(params.text_document.uri)
        found = None if page is None else page.link_at(page.text.offset(params.position))
        if page is None or found is None:
            return None
        start, end, link = found
        target, base, led = link.target, link.base, page.context.locator.locate((link.target or "").partition("#")[0])
        lines = ["**no target**" if target is None else f"**{_code(target)}**"]
        lines += ["no base" if base.uri is None else f"base: {_code(base.uri)}, {_plain(base.where)}"]
        lines += [f"not the base: {_code(each.reference)}, {_plain(each.reason)}" for each in base.rejected]
        if target is not None and not led.outside:
            lines += [_plain(led.message) if led.code or led.path is None else f"leads to {_code(led.path or './')}"]
        lines += [_plain(each.message) for each in link.problems]
        text = lsp.MarkupContent(lsp.MarkupKind.Markdown, "  \n".join(filter(None, lines)))
        return lsp.Hover(text, page.text.range(start, end))

    def completion(self, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        """Return the files, folders and ids that may be written at a position."""
        page = self.page(params.text_document.uri)
        if page is None:
            return []
        offset = page.text.offset(params.position)
        start, names = page.names_at(offset)
        where = page.text.range(start, offset)
        return [
            lsp.CompletionItem(name, filter_text=quote(name), text_edit=lsp.TextEdit(where, quote(name)))
            for name in names
        ]

    def document_links(self, params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
        """Return the references that can be followed (rule 1)."""
        page = self.page(params.text_document.uri)
        return [] if page is None else list(self._followed(page))

    def _followed(self, page: EditedPage) -> Iterator[lsp.DocumentLink]:
        uris: dict[str, str] = {}
        for start, end, link in list(page.links())[:_MOST_LINKS]:
            path, _ = page.place(link.target)
            if link.kind in ("namespace", "metadata", "base") or link.target is None:
                continue
            if path is not None:
                uri = uris[path] = uris.get(path) or self.workspace.uri_of(path)
                yield lsp.DocumentLink(page.text.range(start, end), target=uri)
            elif link.target.startswith(_OTHERS) and not link.target.startswith(UNKNOWN_HOST):
                yield lsp.DocumentLink(page.text.range(start, end), target=link.target)

    def prepare_rename(self, params: lsp.PrepareRenameParams) -> lsp.Range | None:
        """Return the range of the id at a position (rule 3)."""
        found = self._id_at(params)
        return None if found is None else found[0]

    def rename(self, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        """Return the edits for an id that gets another name."""
        found = self._id_at(params)
        if found is None:
            return None
        _, page, id = found
        return self._edit(page.context, [(f"{page.context.folder / page.path}#{id}", f"#{params.new_name}")])

    def will_rename_files(self, params: lsp.RenameFilesParams) -> lsp.WorkspaceEdit | None:
        """Return the edits for files and folders that get other names; None if they are not in the folder."""
        uris = [(each.old_uri, each.new_uri) for each in params.files]
        inside = [pair for pair in uris if None not in map(self.workspace.path_of, pair)]
        names = [(to_fs_path(old) or "", to_fs_path(new) or "") for old, new in inside]
        return self._edit(self.workspace.whole(), names) if names else None

    def _edit(self, context: SiteContext, names: Sequence[tuple[str, str]]) -> lsp.WorkspaceEdit:
        changes = {}
        for path, data in moved(context, names).items():
            is_document = path in context.scope.documents
            text = (
                EditedPage(context, path, self.units).text
                if is_document
                else PositionedText(stored(context, path), "utf-8", 0)
            )
            changes[self.workspace.uri_of(path)] = edits_of(text, data)
        return lsp.WorkspaceEdit(changes)

    def _id_at(self, params: lsp.PrepareRenameParams | lsp.RenameParams) -> tuple[lsp.Range, EditedPage, str] | None:
        """Return the range of an id or of a fragment, the document with the id, and the id (rule 3)."""
        page = self.page(params.text_document.uri)
        if page is None:
            return None
        offset, types = page.text.offset(params.position), page.context.files.types
        own = ((start, end, id) for start, end, id in page.ids() if start <= offset <= end)
        start, end, id = next(own, (0, 0, ""))
        owner, found = page, page.link_at(offset)
        if id == "" and found is not None:
            start, end, link = found
            led = page.led(link.target)
            start += page.text.text[start:end].find("#") + 1
            if led is not None and start <= offset:
                owner, fragment = led
                id = next((each for _, _, each in owner.ids() if each in (fragment, unquote(fragment))), "")
        if id == "" or types.of(owner.path) not in WITH_IDS - {MARKDOWN_TYPE}:
            return None
        return page.text.range(start, end), owner, id


def _code(text: str) -> str:
    """Return a URI as code."""
    shown = visible(mask_text(text.removeprefix(UNKNOWN_HOST)))
    return f"`{shown.replace('`', '%60')}`"


def _plain(text: str) -> str:
    """Return a sentence."""
    return "".join(f"\\{char}" if char in "\\`*_<>[]|#&" else char for char in visible(mask_text(text)))
