"""An id that is renamed in its document.

It is renamed in `id`, in the `name` of `a` and `map`, and in attributes that name an id of the same document (`for`,
`aria-labelledby`); not in templates, style sheets and scripts. In Markdown, it is written behind the heading that it is
of, if the dialect has that: in MkDocs by an extension.
"""

from __future__ import annotations

import re
from typing import Final

from rehref.documents.base import Layers
from rehref.documents.document import Document
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.files.file_documents import encode_path
from rehref.files.file_errors import FileError
from rehref.plugins.mv.move_plan import Moving
from rehref.site.site import Site

# HTML Standard, WAI-ARIA: attributes with ids of the same document, one or several
_OF_IDS: Final = frozenset(
    {"for", "form", "list", "headers", "itemref", "popovertarget", "commandfor", "contextmenu"}
    | {f"aria-{name}" for name in ("activedescendant", "controls", "describedby", "details", "errormessage")}
    | {f"aria-{name}" for name in ("flowto", "labelledby", "owns")}
)
_HAS_IDS: Final = re.compile(r"\b(?:attr_list|extra)\b").search
_WORD: Final = re.compile(r"[^ \t\n\f\r]+")


def renamed(context: Site, move: Moving, data: bytes) -> bytes:
    """Return the document with the id, with that renamed. Raises `FileError`.

    No other id may change with it, as the number of a heading with the same text would.
    """
    before, changes = _read(context, move.old, data), []
    parsed = before.parsed
    for number, place in enumerate(parsed.places):
        if place.in_template or place.attribute is None:
            continue
        if place.attribute in _OF_IDS:
            words = (word for word in _WORD.finditer(place.value) if word[0] == move.old_id)
            changes += [(number, word.start(), word.end(), move.new_id) for word in words]
        elif place.value == move.old_id and place.is_name:
            changes.append((number, 0, len(place.value), move.new_id))
    new = parsed.with_changes(changes)
    assert isinstance(new, bytes)
    made_by = context.files.generator
    in_headings = any(parsed.locate(number, None) == parsed.locate(number, 0) for number, *_ in changes)  # in no tag
    if in_headings and made_by is not None and made_by.dialect == "mkdocs" and not _HAS_IDS(made_by.text or "extra"):
        what = "the id of a heading can only be written with the extension attr_list"
        raise FileError(context.file_of(move.old), what, f"add that to {made_by.configuration.name}")
    if parsed.refused:
        what = f"the id {move.old_id} follows from the text of a heading, and none can be written behind it"
        raise FileError(context.file_of(move.old), what, "change the heading")
    if _names(_read(context, move.old, new)) != _names(before) - {move.old_id} | {move.new_id}:
        raise FileError(context.file_of(move.old), f"other ids than {move.old_id} would change", "change it by hand")
    return new


def _names(document: Document) -> set[str]:
    return {place.value for place in document.parsed.places if place.is_name and not place.in_template}


def _read(context: Site, path: str, data: bytes) -> Document:
    """Return a document with the places of its ids, and of what names them."""
    site = context.options.how
    attributes = tuple(sorted(_OF_IDS))
    how = ReadOptions(names=True, attributes=attributes, dialect=site.dialect, mdx_by_name=site.mdx_by_name)
    encoding = context.source(path, data).encoding
    return read_document(data, context.files.types.of(path), encoding, Layers(file=f"file:///{encode_path(path)}"), how)
