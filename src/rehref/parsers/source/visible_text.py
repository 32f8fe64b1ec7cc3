"""The text of a page as browsers show it, for searches in it (URL Fragment Text Directives, §3.5); that of a hyperlink.

1. Markup, comments, `script`, `style`, `template`, `title` and the fallback for frames are not text; nothing else in a
   `head` can be. Text that only style sheets or the attribute `hidden` hide counts as shown.
2. `BLOCK` separates blocks (elements with `display: block` or the like in the HTML Standard's style sheet), so that no
   match extends from one to the next. Cells of a table, and lines ended by `br`, are separated by a space.
3. White space becomes one space, or nothing next to `BLOCK`.
4. `folded`: texts that are equal at the primary level of collation, nearly, become equal: without regard to case,
   accents, compatibility forms, and the shape of quotation marks. Soft hyphens and the like are removed.
5. In XHTML, markup is XML's: CDATA sections are text, any element may end in its start tag, and elements may have
   prefixes. `rehref.parsers.source.xml.entities` defines the known entities. If an entity is unknown, or a `<` begins
   no markup, the text is unknown too: browsers show an error.
6. The text of a hyperlink ends at the next start or end tag of an `a`, since none is in another. Images in it have the
   text of their `alt`. White space becomes one space, also between blocks; at most 1,000 characters are taken.
7. All functions take time linear in the length of the text.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from rehref.parsers.charrefs import decode, decode_text
from rehref.parsers.contract import SVG, Place
from rehref.parsers.source.tokenization import (
    ATTRIBUTE,
    NAME_END,
    TAG_END,
    declaration_end,
    is_declaration,
    raw_text_end,
    tag_at,
)
from rehref.parsers.source.xml.entities import NONE, read_doctype
from rehref.parsers.source.xml.markup import CDATA, markup_end
from rehref.text import lower
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText

BLOCK: Final = "\0"
"""Separates the texts of two blocks."""

_MARKUP = re.compile("<(?=[A-Za-z/!?])").search
_NAMES_OF_BLOCKS = (
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup "
    "option p plaintext pre search section summary table ul xmp"
)
_BLOCKS = frozenset(_NAMES_OF_BLOCKS.split())
_SPACED = frozenset({"br", "caption", "tbody", "td", "tfoot", "th", "thead", "tr"})
_RAW_SHOWN = frozenset({"xmp", "plaintext"})
_RAW_HIDDEN = frozenset({"script", "style", "title", "iframe", "noembed", "noframes"})
_RAW = _RAW_SHOWN | _RAW_HIDDEN | {"textarea"}
_HIDDEN_IN_XML = _RAW_HIDDEN | {"template"}
_NEXT_HYPERLINK = re.compile(rf"</?(?:[^\s/<>:]*+:)?a{NAME_END}", re.IGNORECASE | re.ASCII).search
_LONGEST = 1000
_FOREIGN = frozenset({"svg", "math"})

_SPACES = re.compile("[\t\n\f\r \xa0]+")
_AROUND_BLOCK = re.compile(f" ?{BLOCK}[ {BLOCK}]*+")
_NOTHING = re.compile("[\u0300-\u036f\u00ad\u200b-\u200d\u2060\ufeff]+")
_SINGLE = re.compile("[\u2018\u2019\u201a\u201b\u2032]")
_DOUBLE = re.compile("[\u201c-\u201f\u2033]")


def folded(text: str) -> str:
    """Return a text that is equal for texts that a search treats as equal (rules 3, 4)."""
    if not text.isascii():
        text = _SINGLE.sub("'", _DOUBLE.sub('"', text))
        text = _NOTHING.sub("", unicodedata.normalize("NFKD", text))
    return _AROUND_BLOCK.sub(BLOCK, _SPACES.sub(" ", text.casefold()))


def visible_text(page: str, *, alts: bool = False) -> str:
    """Return the text of an HTML page, decoded, with `BLOCK` between blocks; white space is kept. Raises nothing."""
    page = page.replace(BLOCK, "\ufffd")
    pieces: list[str] = []
    position, hidden, foreign = 0, 0, 0
    while (markup := _MARKUP(page, position)) is not None:
        start = markup.start()
        if not hidden:
            pieces.append(decode_text(page[position:start]))
        tag = tag_at(page, start)
        if tag is None:  # a comment, a doctype, or a tag without an end, after which there is no text
            position = declaration_end(page, start) if is_declaration(page, start) else len(page)
            continue
        position = tag.end
        name, is_end = lower(tag.name), page[start + 1] == "/"
        is_empty = foreign > 0 and page[position - 2] == "/"
        if name in _BLOCKS:
            pieces.append(BLOCK)
        elif name in _SPACED:
            pieces.append(" ")
        elif name == "img" and alts:
            pieces.append(_alt(page, tag.name_end))
        if name == "template":
            hidden = max(0, hidden - 1) if is_end else hidden + 1
        elif name in _FOREIGN:
            foreign = max(0, foreign - 1) if is_end else foreign + (page[position - 2] != "/")
        elif name in _RAW and not is_end and not is_empty:
            end = raw_text_end(page, name, position)
            if name not in _RAW_HIDDEN and not hidden:
                text = page[position:end]
                pieces.append(text if name in _RAW_SHOWN else decode_text(text))
            position = end
    if not hidden:
        pieces.append(decode_text(page[position:]))
    return "".join(pieces)


def visible_text_of_xml(page: str) -> str | None:
    """Return the text of an XHTML page, as `visible_text` does for HTML; None if it is not known. Raises nothing."""
    page = page.replace(BLOCK, "\ufffd")
    units, entities = SourceText(Source(page)), NONE
    pieces: list[str] = []
    position, hidden, has_doctype = 0, 0, False
    while position < len(page):
        start = page.find("<", position)
        end = len(page) if start == -1 else start
        if not hidden and position < end:
            text = page[position:end]
            entities.charge(text, position)
            if entities.stay(text, position):
                return None
            pieces.append(entities.decode(text, position, attribute=False))
        position = end
        if page.startswith("<!DOCTYPE", position) and not has_doctype:
            has_doctype = True
            position, entities, _ = read_doctype(page, position, str)
        elif page.startswith(("<!", "<?"), position):
            inside, position = markup_end(units, position)
            if page.startswith(CDATA, end) and not hidden:
                pieces.append(page[end + len(CDATA) : inside])
        elif position < len(page):
            tag = tag_at(page, position)
            if tag is None:
                return None
            position = tag.end
            name, is_end, is_empty = tag.name.rpartition(":")[2], page[end + 1] == "/", page[position - 2] == "/"
            pieces.append(BLOCK if name in _BLOCKS else " " if name in _SPACED else "")
            if name in _HIDDEN_IN_XML and not is_empty:
                hidden = max(0, hidden - 1) if is_end else hidden + 1
    return "".join(pieces)


def hyperlink_text(units: SourceText, place: Place, *, xml: bool) -> str:
    """Return the text of the `a` that a place is on (rule 6), or the `alt` of the `area`. Raises nothing."""
    tag = tag_at(units.text, place.tag)
    is_area = place.element == "area"
    if tag is None or ((xml or place.namespace == SVG) and units.text[tag.end - 2] == "/" and not is_area):
        return ""
    if is_area:
        shown = _alt(units.decode(units.text[tag.name_end : tag.end]), 0)
    else:
        border = _NEXT_HYPERLINK(units.text, tag.end)
        inside = units.decode(units.text[tag.end : len(units.text) if border is None else border.start()])
        shown = (visible_text_of_xml(inside) if xml and CDATA in inside else None) or visible_text(inside, alts=True)
    return " ".join(shown.replace(BLOCK, " ").split())[:_LONGEST].rstrip()


def _alt(page: str, position: int) -> str:
    """The value of `alt` in the tag whose name ends at `position`; "" if there is none."""
    while (found := ATTRIBUTE(page, position)) is not None and found.lastindex != TAG_END:
        position = found.end()
        if lower(found[1]) == "alt":
            return decode(found[2] or found[3] or found[4] or "")
    return ""
