"""The references and ids of a document that an editor shows, by their characters, and where they lead.

A reference leads to a file of the folder, and there to the element or heading that its fragment names.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Final
from urllib.parse import unquote

from rehref.documents.link import Link
from rehref.plugins.lsp._positions import PositionedText
from rehref.site.site import Site
from rehref.text.encoding import Source
from rehref.uri.resolver import Resolver

_CLOSING: Final = ('">', "'>", ")", ">")
_MOST: Final = 1000


def text_of(context: Site, path: str, units: str) -> PositionedText:
    """Return the text of a document; or of another file, which is UTF-8. Raises `FileError` if it cannot be read."""
    data = context.read(path)
    is_document = path in context.scope.documents
    return PositionedText(context.source(path, data) if is_document else Source(data, "utf-8"), units)


class EditedPage:
    """A document of the site; `units`: as for `PositionedText`. Raises `FileError` if it cannot be read."""

    def __init__(self, context: Site, path: str, units: str) -> None:
        self.context, self.path, self.units = context, path, units
        self.text = text_of(context, path, units)
        self._page = cache(partial(context.page, path, self.text.data))

    def links(self) -> Iterator[tuple[int, int, Link]]:
        """Yield the references, each with its characters, as far as these are known."""
        for link in self._page().document.links():
            if link.span is not None and link.column is not None:
                yield *self.text.stretch(link.line, link.column, link.span), link

    def ids(self) -> Iterator[tuple[int, int, str]]:
        """Yield what fragments can name, each with its characters."""
        if self._page().is_shown:
            named = self._page().parsed
            for number, place in enumerate(named.places):
                if place.is_name:
                    span = named.span(number, 0, len(place.value))
                    start, end = self.text.stretch(*named.locate(number, 0), span)
                    yield start, start + len(self.text.text[start:end].rstrip("\r\n")), place.value

    def link_at(self, offset: int) -> tuple[int, int, Link] | None:
        """Return the reference at a character: of those inside each other, the shortest; its end belongs to it."""
        found = (each for each in self.links() if each[0] <= offset <= each[1])
        return min(found, key=lambda each: each[1] - each[0], default=None)

    def at(self, path: str | None) -> EditedPage | None:
        """Return another document of the folder; None if it is not one."""
        if path not in self.context.scope.documents:
            return None
        return self if path == self.path else EditedPage(self.context, path, self.units)

    def named(self, target: str | None) -> tuple[int, int, EditedPage, str] | None:
        """Return what the fragment of a target names: its characters, its document, its id."""
        path, fragment = self.context.leads_to(target)
        owner = self.at(path)
        ids = [] if owner is None else list(owner.ids())
        found = (each for name in (fragment, unquote(fragment)) for each in ids if each[2] == name)
        return next(((start, end, owner, id) for start, end, id in found if owner is not None), None)

    def id_at(self, offset: int) -> tuple[int, int, EditedPage, str] | None:
        """Return the id at a character, or that which a fragment there names: its characters, document and name."""
        found = [(start, end, self, id) for start, end, id in self.ids() if start <= offset <= end]
        link = self.link_at(offset)
        mark = -1 if link is None else self.text.text.find("#", *link[:2])
        named = self.named(link[2].target) if link is not None and -1 < mark < offset else None
        if link is not None and named is not None:
            found.append((mark + 1, link[1], *named[2:]))
        return min(found, key=lambda each: each[1] - each[0], default=None)

    def names_at(self, offset: int) -> tuple[int, list[str]]:
        """Return where the name at a character begins that is typed, and what it may be.

        After `#` it is an id of the file, else a file or folder in the folder to which the text before the last slash
        leads.
        """
        found = self.link_at(offset) or next(filter(None, (self._closed_at(offset, each) for each in _CLOSING)), None)
        base = None if found is None else found[2].base.uri
        if found is None or base is None:
            return offset, []
        start, resolve = found[0], Resolver(base)
        written = self.text.text[start:offset]
        file, mark, _ = written.partition("#")
        if mark:
            owner = self if file == "" else self.at(self.context.leads_to(resolve(file))[0])
            ids = () if owner is None else (id for _, _, id in owner.ids() if id)
            return start + len(file) + 1, list(dict.fromkeys(ids))[:_MOST]
        folder = written[: written.rfind("/") + 1]
        return start + len(folder), self._names_in(resolve(folder or "./"))[:_MOST]

    def _closed_at(self, offset: int, closing: str) -> tuple[int, int, Link] | None:
        """Return the reference at a character, with some text after that.

        While a reference is typed, the quote or bracket at its end may be missing: it is read as if it were there.
        """
        data = f"{self.text.text[:offset]}{closing}{self.text.text[offset:]}".encode("utf-8", "replace")
        return EditedPage(self.context._replace(texts={self.path: data}), self.path, self.units).link_at(offset)

    def _names_in(self, target: str) -> list[str]:
        """Return the names in the folder that is a target, percent-encoded, folders with a slash at their end, none
        hidden.
        """
        files, uri = self.context.files, self.context.uri
        path = unquote(target.removeprefix(uri))
        if not target.startswith(uri) or path.rstrip("/") not in files.folders:
            return []
        below = (each[len(path) :] for each in files.paths if each.startswith(path) and self.context.shows(each))
        return sorted({"".join(each.partition("/")[:2]) for each in below})
