"""What a move changes: the new bytes of each document with a reference that would lead elsewhere, or nowhere.

A reference that led to a file must lead to the same file afterwards, wherever both are then; it is corrected if it
would not. One that led to no file stays as it is written. One that leads out of the site keeps its target. A `base`
stays, as in fixes, and so do names and statements, such as the `id` of a feed's entry, which identify a thing wherever
it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import quote

from rehref.documents.base import clean, without_fragment
from rehref.documents.document import Document
from rehref.documents.link import Link
from rehref.files.file_documents import real_path_within
from rehref.files.file_errors import FileError
from rehref.files.reading_files import is_packed, unpacked
from rehref.plugins.mv._moved_ids import renamed
from rehref.plugins.mv.move_plan import CorrectedFile, MovePlan, Moving, ShowProgress, show_none
from rehref.site.site import Site
from rehref.uri.components import split
from rehref.uri.resolver import above_root

_REMEMBERED: Final = 1 << 16


def plan_move(context: Site, move: Moving, progress: ShowProgress = show_none) -> MovePlan:
    """Return what a move within a site does. Raises `FileError`, and then there is no plan.

    That is for whatever cannot be done: a document or folder that cannot be read, a reference for which no text leads
    to the new place, a document that has a second name by a symbolic link.
    """
    if context.files.errors:
        raise context.files.errors[0]
    moved = () if move.is_done else tuple(old for old, _ in move.pairs(context.files.paths))
    site, documents, seen = _BeforeAndAfter(context, move), [], set[Path]()
    stored = list(context.stored_documents())
    for number, (path, at, media_type) in enumerate(stored):
        progress(number, len(stored), "documents")
        new = site.new_document(path, at, media_type)
        if new is None:
            continue
        real = real_path_within(context.folder, context.folder / path, done="changed")
        if real in seen or (context.folder / path).is_symlink():
            raise FileError(str(context.folder / path), "is another name of a file that would change", "remove it")
        seen.add(real)
        documents.append(new)
    documents += site.rules
    return MovePlan(context.folder, move, moved, tuple(documents))


class _BeforeAndAfter:
    """A site before and after a move. `rules`: the files of its host that change."""

    def __init__(self, context: Site, move: Moving) -> None:
        self._move = move
        self._now = context
        self._before, self._after = before_and_after(context, move)
        self._locator = self._before.of_folder
        self._led = lru_cache(_REMEMBERED)(self._before.where)
        self._leads = lru_cache(_REMEMBERED)(self._after.where)
        self._defined = lru_cache(_REMEMBERED)(context.defined_in)
        self.rules = list(self._new_rules())
        self._after = self._with_rules()
        self._leads = lru_cache(_REMEMBERED)(self._after.where)

    def new_document(self, path: str, at: str, media_type: str | None) -> CorrectedFile | None:
        """Return a document with its references corrected; None if it stays as it is. Raises `FileError`.

        It is read where it is, and where it will be; a gzipped one, too. The new document is read again: each new
        reference must read as meant, and all others as before. `path`: of its file; `at`: where the document is on the
        site.
        """
        name = self._now.file_of(path)
        raw = self._now.stored(path)
        data = unpacked(name, raw)
        before = self._move.back().of(at) if self._move.is_done else at
        after = self._move.of(before)
        here = self._before.document_of(before, data, media_type)
        there = here if before == after else self._after.document_of(after, data, media_type)
        news = dict(self._news(name, here, there))
        new = self._after.corrected(after, there, news, media_type) if news else data
        if new is None:
            raise FileError(name, "a new reference in it would be read differently", "change it by hand first")
        references = sum((link.span, link.reference) in news for link in here.links()) if news else 0
        if self._move.old_id and at == self._move.old and not self._move.is_done:
            new = renamed(self._before, self._move, new)
        packed = raw if is_packed(raw) else b""
        if new == data:
            return None
        return CorrectedFile(path, self._move.placed(path), data, new, references, packed)

    def _new_rules(self) -> Iterator[CorrectedFile]:
        """Yield the files of the host whose rules lead to what moves, corrected. Raises `FileError`.

        Those are rules (`_redirects`, `.htaccess`) whose targets depend on no request.
        """
        news, after = [], self._after
        for pointer in self._now.rules:
            new = self._new_target(pointer.to)
            if new is not None:
                goes = pointer.rule is not None and after.source_at(pointer) == after.of_folder.page_at(new)
                news.append((pointer, None if goes and not self._move.old_id else new))
        for file in dict.fromkeys(pointer.file for pointer, _ in news):
            in_file = [each for each in news if each[0].file == file]
            data, new_data = self._now.stored(file), self._now.with_targets(file, in_file)
            yield CorrectedFile(file, self._move.placed(file), data, new_data, len(in_file))

    def _with_rules(self) -> Site:
        """Return the context after the move with the rules that hold then. Raises `FileError`."""
        now, move, after = self._now, self._move, self._after
        files = now.rule_files
        if not self.rules and all(path == move.placed(path) for path in files):
            return after
        contents = {move.placed(path): now.stored(path) for path in files}
        contents |= {each.new_path: each.new for each in self.rules}
        return after.with_rules(contents)

    def _new_target(self, to: str) -> str | None:
        """Return the new target of a rule; None if it stays."""
        url, mark, fragment = self._locator.uri_of(to).partition("#")
        path = self._locator.page_at(to)
        if path is None:
            return None
        if self._move.old_id:
            renames = self._names_id(path, fragment)
            return f"{to.partition('#')[0]}#{quote(self._move.new_id)}" if renames else None
        if self._move.of(path) == path:
            return None
        new = self._after.uri_of(self._served_as(url, path, self._move.of(path)))
        forms = (f"/{new.removeprefix(self._after.uri)}", split(new).path, new) if to.startswith("/") else (new,)
        text: str = next(form for form in (*forms, new) if self._locator.uri_of(form) == new)
        return text + mark + fragment

    def _news(self, name: str, here: Document, there: Document) -> Iterator[tuple[tuple[tuple[int, int], str], str]]:
        """Yield the new references of a document, by their places and texts. Raises `FileError`."""
        links = list(here.links())
        for old, new in zip(links, links if here is there else there.links(), strict=True):
            if old.kind == "base" or self._now.is_statement(old):
                continue
            text = self._new_reference(name, old, new)
            if text is not None and text != old.reference:
                if old.span is None:
                    raise FileError(name, f"{old.reference} is at a place that is not known", "change it first")
                yield (old.span, old.reference), text

    def _new_reference(self, name: str, old: Link, new: Link) -> str | None:
        """Return the new text of a reference, or None; `old`, `new`: what it is before and after.

        It has the form of the old one (`rehref.site._repair.fixing`): relative, from the root, or whole. A folder
        counts as a file, as where a host lists its content. One that would climb out of the root of the host is
        corrected, too: browsers stay at the root, but the site may be published elsewhere.
        """
        target, now = _followed(old), _followed(new)
        leads = None if now is None else self._leads(without_fragment(now))
        if target is None or (self._move.is_done and not self._move.old_id and (leads is None or leads.code == "")):
            return None  # what has moved already: the reference leads to a file as it is
        url, _, fragment = target.partition("#")
        led = self._led(url)
        if led.outside:
            if self._move.is_done:
                return None
            if now == target and (_climbs_out(old) or not _climbs_out(new)):
                return None
            return self._after.new_reference_to(url, old.reference, new.base.uri)
        if led.code != "" or led.path is None:
            return None
        if self._move.old_id:
            if led.fragment is not None or not self._names_id(led.path, fragment):
                return None  # the fragment of a redirection takes precedence
            return self._after.new_reference(led.path, old.reference, new.base.uri, self._move.new_id)
        wanted = self._move.of(led.path)
        is_right = leads is not None and leads.path == wanted and leads.code == ""
        is_right &= (
            wanted == led.path or self._locator.locate_at_once(url).path == led.path
        )  # a rule led to it: the new place itself
        if is_right and (_climbs_out(old) or not _climbs_out(new)):
            return None
        served = self._served_as(url, led.path, wanted)
        text = self._after.new_reference(served, old.reference, new.base.uri)
        if text is None:
            raise FileError(name, f"no reference in place of {old.reference} leads to {wanted}", "name another place")
        return text

    def _names_id(self, path: str, fragment: str) -> bool:
        """Whether a fragment names the id that is renamed; `path`: the file that its target leads to.

        A page that refreshes there and keeps the fragment counts as that file.
        """
        return self._now.names_id(path, fragment, self._move.old, self._move.old_id, self._defined)

    def _served_as(self, url: str, old: str, new: str) -> str:
        """Return the path by which a file is named at its new place, as at the old one if possible.

        That is by its folder, or without its extension, if the host then serves the file so.
        """
        written = self._before.path_in(url)
        if written == f"{old}/":  # a folder
            return f"{new}/"
        ways = []
        if self._now.files.types.has_sources and written != old:
            made = self._page_at(written, old, new)
            ways = [made, made.rstrip("/")] if written.endswith("/") else [made.rstrip("/"), made]
        if written != old and old.startswith(written):
            ending = old[len(written) :]
            ways += [new.removesuffix(ending), new.removesuffix(ending.lstrip("/"))]
        found = ((way, self._leads(self._after.uri_of(way))) for way in ways if way != new)
        return next((way for way, led in found if led.path == new and led.code == ""), new)

    def _page_at(self, written: str, old: str, new: str) -> str:
        """Return the path of the page that is made of a moved source, from the folder from which `written` is one."""
        before, after = self._before.files.addresses_of(old), self._after.files.addresses_of(new)
        named = (made for was, made in zip(before, after, strict=False) if was.rstrip("/") == written.rstrip("/"))
        return next(named, next(iter(after), ""))


def _followed(link: Link) -> str | None:
    """Return where a browser that follows a reference arrives."""
    differs = (problem.target for problem in link.problems if problem.code == "browser-differs")
    return next(differs, None) or link.target


def _climbs_out(link: Link) -> bool:
    """Whether a reference has more `..` than the path of its base has folders."""
    return above_root(clean(link.reference), link.base.uri, "whatwg") > 0


def before_and_after(context: Site, move: Moving) -> tuple[Site, Site]:
    """Return the contexts of a site before and after a move; one is `context`, of the other types are not asked for."""
    if move.old_id:
        return context, context
    if move.is_done:
        return _moved(context, move.back()), context
    return context, _moved(context, move)


def _moved(context: Site, move: Moving) -> Site:
    above = map(str, Path(move.new).parents)
    return context.with_other_names(move.of, ("" if path == "." else path for path in above))
