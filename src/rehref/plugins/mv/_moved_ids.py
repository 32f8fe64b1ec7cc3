"""An id that is renamed in its document.

1. It is renamed in `id`, in the `name` of `a` and `map`, and in attributes that name an id of the same document (`for`,
   `aria-labelledby`); not in templates, style sheets and scripts.
2. In Markdown, it is written behind the heading that it is of, if the dialect has that: in MkDocs by an extension.
3. No other id may change with it, as the number of a heading with the same text would.
"""

from __future__ import annotations

import re
from typing import Final

from rehref.documents.media_types import HTML_TYPE, MARKDOWN_TYPE
from rehref.documents.reading import read_html, read_xml
from rehref.files.file_errors import FileError
from rehref.markup.places import IN_TEMPLATE, CompleteParsed, Edit, Wanted, XmlWanted
from rehref.plugins.mv.move_plan import Moving
from rehref.site.site import IDS, NAMED, Site

# HTML Standard, WAI-ARIA: attributes with ids of the same document, one or several
_OF_IDS: Final = frozenset(
    {"for", "form", "list", "headers", "itemref", "popovertarget", "commandfor", "contextmenu"}
    | {f"aria-{name}" for name in ("activedescendant", "controls", "describedby", "details", "errormessage")}
    | {f"aria-{name}" for name in ("flowto", "labelledby", "owns")}
)
_HAS_IDS: Final = re.compile(r"\b(?:attr_list|extra)\b").search
_WORD: Final = re.compile(r"[^ \t\n\f\r]+")


def renamed(context: Site, move: Moving, data: bytes) -> bytes:
    """Return the document with the id, with that renamed. Raises `FileError`."""
    parsed, edits = _parsed(context, move.old, data), []
    for number, place in enumerate(parsed.places):
        if place.flags & IN_TEMPLATE or place.attribute is None:
            continue
        if place.attribute in _OF_IDS:
            words = (word for word in _WORD.finditer(place.value) if word[0] == move.old_id)
            edits += [Edit(number, word.start(), word.end(), move.new_id) for word in words]
        elif place.value == move.old_id and Site.is_name(place):
            edits.append(Edit(number, 0, len(place.value), move.new_id))
    new = parsed.apply(edits)
    assert isinstance(new, bytes)
    made_by = context.files.generator
    in_headings = any(parsed.locate(edit.place, None) == parsed.locate(edit.place, 0) for edit in edits)  # in no tag
    if in_headings and made_by is not None and made_by.dialect == "mkdocs" and not _HAS_IDS(made_by.text or "extra"):
        what = "the id of a heading can only be written with the extension attr_list"
        raise FileError(context.file_of(move.old), what, f"add that to {made_by.configuration.name}")
    if parsed.refused:
        what = f"the id {move.old_id} follows from the text of a heading, and none can be written behind it"
        raise FileError(context.file_of(move.old), what, "change the heading")
    if _names(_parsed(context, move.old, new)) != _names(parsed) - {move.old_id} | {move.new_id}:
        raise FileError(context.file_of(move.old), f"other ids than {move.old_id} would change", "change it by hand")
    return new


def _names(parsed: CompleteParsed) -> set[str]:
    return {place.value for place in parsed.places if Site.is_name(place) and not place.flags & IN_TEMPLATE}


def _parsed(context: Site, path: str, data: bytes) -> CompleteParsed:
    """Return a document with the places of its ids, and of what names them."""
    source, wanted = context.source(path, data), Wanted(IDS | _OF_IDS, dict.fromkeys(NAMED, frozenset({"name"})))
    media_type = context.files.types.of(path)
    if media_type == MARKDOWN_TYPE:
        from rehref.documents._formats.markdown import parse  # needs an extra

        return parse(source, wanted, context.options.how)
    if media_type == HTML_TYPE:
        return read_html(source, wanted)
    return read_xml(source, XmlWanted(IDS | _OF_IDS | {"name"}))
