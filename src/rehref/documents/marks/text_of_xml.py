"""The text of XHTML, and of the hyperlinks in it, as browsers show it.

CDATA sections are text, any element may end in its start tag, and elements may have prefixes. `entities` defines the
known entities; if another one is used, or a `<` begins no markup, browsers show an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rehref.documents.marks.text_of_tree import BLOCK, BLOCKS, HIDDEN, SPACED, in_one_line, value_in_tag
from rehref.parsers.source.tokenization import TagExtent, tag_at
from rehref.parsers.source.xml.entities import NONE, read_doctype
from rehref.parsers.source.xml.markup import CDATA, markup_end
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText

_HIDDEN = HIDDEN | {"template"}


class _Piece(NamedTuple):
    """A piece of the text: a run, or what a tag gives; `is_known`: False if browsers show an error instead."""

    text: str
    is_known: bool = True
    tag: TagExtent | None = None
    start: int = 0


def visible_text_of_xml(page: str) -> str | None:
    """Return the text of an XHTML page, as `visible_text` does for HTML; None if it is not known. Raises nothing."""
    pieces: list[str] = []
    for piece in _pieces(SourceText(Source(page.replace(BLOCK, "\ufffd")))):
        if not piece.is_known:
            return None
        pieces.append(piece.text)
    return "".join(pieces)


def texts_of_hyperlinks_in_xml(units: SourceText) -> dict[int, str]:
    """Return the texts of the `a` and `area` elements, by the positions of their tags (`texts_of_hyperlinks`)."""
    text = units.text
    found: dict[int, str] = {}
    pieces: list[str] = []
    extents: dict[int, tuple[int, int | None]] = {}
    open_: list[int] = []
    length = 0
    for piece in _pieces(units):
        tag, start = piece.tag, piece.start
        name = "" if tag is None else tag.name.rpartition(":")[2]
        if tag is not None and text[start + 1] == "/":
            if name == "a" and open_:
                ended = open_.pop()
                extents[ended] = extents[ended][0], length
        elif tag is not None and name in ("img", "area"):
            alt = value_in_tag(units.decode(text[tag.name_end : tag.end]), 0, "alt")
            if name == "area":
                found[start] = in_one_line(alt)
            else:
                pieces.append(alt)
                length += len(alt)
        elif tag is not None and name == "a":
            is_empty = text[tag.end - 2] == "/"
            extents[start] = length, length if is_empty else None
            open_ += () if is_empty else (start,)
        pieces.append(piece.text)
        length += len(piece.text)
    shown = "".join(pieces)
    return found | {tag: in_one_line(shown, begin, end) for tag, (begin, end) in extents.items()}


def _pieces(units: SourceText) -> Iterator[_Piece]:
    page, entities = units.text, NONE
    position, hidden, has_doctype = units.bom, 0, False
    while position < len(page):
        start = page.find("<", position)
        end = len(page) if start == -1 else start
        if not hidden and position < end:
            text = units.decode(page[position:end])
            entities.charge(text, position)
            yield _Piece(entities.decode(text, position, attribute=False), not entities.stay(text, position))
        position = end
        if page.startswith("<!DOCTYPE", position) and not has_doctype:
            has_doctype = True
            position, entities, _ = read_doctype(page, position, units.decode)
        elif page.startswith(("<!", "<?"), position):
            inside, position = markup_end(units, position)
            if page.startswith(CDATA, end) and not hidden:
                yield _Piece(units.decode(page[end + len(CDATA) : inside]))
        elif position < len(page):
            tag = tag_at(page, position)
            if tag is None:
                yield _Piece("", is_known=False)
                position += 1
                continue
            position = tag.end
            name, is_end, is_empty = tag.name.rpartition(":")[2], page[end + 1] == "/", page[position - 2] == "/"
            yield _Piece(BLOCK if name in BLOCKS else " " if name in SPACED else "", tag=tag, start=end)
            if name in _HIDDEN and not is_empty:
                hidden = max(0, hidden - 1) if is_end else hidden + 1
