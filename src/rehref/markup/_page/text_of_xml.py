"""The text of XHTML, and of the hyperlinks in it, as browsers show it.

CDATA sections are text, any element may end in its start tag, and elements may have prefixes. If an entity is used that
is not known, or a `<` begins no markup, browsers show an error.
"""

from __future__ import annotations

from collections.abc import Iterator

from rehref.markup._page.text_of_tree import BLOCK, BLOCKS, HIDDEN, SPACED, in_one_line, value_in_tag
from rehref.markup._source.xml.content import EndTag, StartTag, XmlContent, XmlText, local_name
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText

_HIDDEN = HIDDEN | {"template"}


def visible_text_of_xml(page: str) -> str | None:
    """Return the text of an XHTML page, as `visible_text` does for HTML; None if it is not known. Raises nothing."""
    pieces: list[str] = []
    for piece, text in _shown(SourceText(Source(page.replace(BLOCK, "\ufffd")))):
        if isinstance(piece, XmlText) and not piece.is_known:
            return None
        pieces.append(text)
    return "".join(pieces)


def texts_of_hyperlinks_in_xml(units: SourceText) -> dict[int, str]:
    """Return the texts of the `a` and `area` elements, by the positions of their tags (`texts_of_hyperlinks`)."""
    found: dict[int, str] = {}
    pieces: list[str] = []
    extents: dict[int, tuple[int, int | None]] = {}
    open_: list[int] = []
    length = 0
    for piece, text in _shown(units):
        name = "" if isinstance(piece, XmlText) else local_name(piece.name)
        if isinstance(piece, EndTag):
            if name == "a" and open_:
                ended = open_.pop()
                extents[ended] = extents[ended][0], length
        elif isinstance(piece, StartTag) and name in ("img", "area"):
            alt = value_in_tag(units.decode(units.raw(piece.name_end, piece.end)), 0, "alt")
            if name == "area":
                found[piece.start] = in_one_line(alt)
            else:
                pieces.append(alt)
                length += len(alt)
        elif isinstance(piece, StartTag) and name == "a":
            extents[piece.start] = length, length if piece.is_empty else None
            open_ += () if piece.is_empty else (piece.start,)
        pieces.append(text)
        length += len(text)
    shown = "".join(pieces)
    return found | {tag: in_one_line(shown, begin, end) for tag, (begin, end) in extents.items()}


def _shown(units: SourceText) -> Iterator[tuple[StartTag | EndTag | XmlText, str]]:
    """The content of a page, piece by piece, each with the text that it gives."""
    hidden = 0
    for piece in XmlContent(units):
        if isinstance(piece, XmlText):
            yield piece, "" if hidden else piece.text
            continue
        name = local_name(piece.name)
        yield piece, BLOCK if name in BLOCKS else " " if name in SPACED else ""
        if name in _HIDDEN:
            is_end = isinstance(piece, EndTag)
            hidden = max(0, hidden - 1) if is_end else hidden + (isinstance(piece, StartTag) and not piece.is_empty)
