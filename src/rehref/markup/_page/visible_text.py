"""The text of a page as browsers show it, for searches in it (URL Fragment Text Directives, §3.5).

Text that only style sheets or the attribute `hidden` hide counts as shown. This reads tag by tag, and gives way to
`text_of_tree` where the meaning of a tag depends on what is around it. Takes linear time.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from rehref._native import TWIN
from rehref.markup._charrefs import decode_text
from rehref.markup._page.text_of_tree import BLOCK, BLOCKS, HIDDEN, NO_MARKS, SPACED, text_of_tree
from rehref.markup._source.names_of_html import BREAKOUT
from rehref.markup._source.xml.markup import CDATA
from rehref.markup._tokenization import declaration_end, is_declaration, raw_text_end, tag_at
from rehref.text import lower

_TEMPLATE = re.compile("<[tT](?i:emplate)", re.ASCII).search  # fast: it looks for the "<" first
_SHADOW_ROOT = re.compile("shadowrootmode", re.ASCII | re.IGNORECASE).search
_JOINT, _BLOCK_OF_TWIN, _MARK_OF_TWIN = "\1", "\4", "\5"
_REFERENCE_TO_THESE = re.compile("&#(?:[xX]0*[145](?![0-9A-Fa-f])|0*[145](?![0-9]))").search
_MARKED = re.compile("\5([0-9]+)\5").sub
_MARKUP = re.compile("<(?=[A-Za-z/!?])").search
_RAW_SHOWN = frozenset({"xmp", "plaintext"})
_RAW = _RAW_SHOWN | HIDDEN | {"textarea"}
_FOREIGN = frozenset({"svg", "math"})
_LEAVES_FOREIGN = BREAKOUT | {"font"}


def visible_text(page: str, *, marks: Mapping[int, str] = NO_MARKS) -> str:
    """Return the text of an HTML page, decoded, with `BLOCK` between blocks; white space is kept. Raises nothing.

    `marks`: what comes into the text where the start tags at these positions end.
    """
    page = page.replace(BLOCK, "\ufffd")
    if _TEMPLATE(page) is not None and _SHADOW_ROOT(page) is not None:
        return text_of_tree(page, marks=marks)
    found = None if TWIN is None else _by_twin(TWIN, page, marks)
    return _tag_by_tag(page, marks) if found is None else found


def _tag_by_tag(page: str, marks: Mapping[int, str]) -> str:
    pieces: list[str] = []
    position, hidden, foreign = 0, 0, 0
    while (markup := _MARKUP(page, position)) is not None:
        start = markup.start()
        if not hidden:
            pieces.append(decode_text(page[position:start]))
        tag = tag_at(page, start)
        if tag is None:  # a comment, a doctype, or a tag without an end, after which there is no text
            if foreign and page.startswith(CDATA, start):
                return text_of_tree(page, marks=marks)
            position = declaration_end(page, start) if is_declaration(page, start) else len(page)
            continue
        position = tag.end
        name, is_end = lower(tag.name), page[start + 1] == "/"
        if name in BLOCKS:
            pieces.append(BLOCK)
        elif name in SPACED:
            pieces.append(" ")
        if start in marks:
            pieces.append(marks[start])
        if foreign and (
            name == "template"
            or name in _LEAVES_FOREIGN
            or (name in _RAW and not is_end and not _is_plain(page, name, position))
        ):
            return text_of_tree(page, marks=marks)
        if name == "template":
            hidden = max(0, hidden - 1) if is_end else hidden + 1
        elif name in _FOREIGN:
            foreign = max(0, foreign - 1) if is_end else foreign + (page[position - 2] != "/")
        elif name in _RAW and not is_end:
            end = raw_text_end(page, name, position)
            if name not in HIDDEN and not hidden:
                text = page[position:end]
                pieces.append(text if name in _RAW_SHOWN else decode_text(text))
            position = end
    if not hidden:
        pieces.append(decode_text(page[position:]))
    return "".join(pieces)


def _by_twin(twin: Any, page: str, marks: Mapping[int, str]) -> str | None:
    """The same by the compiled twin; None: it leaves the page to the reference."""
    if any(each in page for each in (_JOINT, _BLOCK_OF_TWIN, _MARK_OF_TWIN)) or _REFERENCE_TO_THESE(page) is not None:
        return None
    positions, texts = sorted(marks), [marks[each] for each in sorted(marks)]
    try:
        in_bytes = positions if page.isascii() else _offsets_in_utf_8(page, positions)
        found: bytes | None = twin.shown_text(_roles(twin), page.encode(), array("I", in_bytes).tobytes())
    except (UnicodeEncodeError, OverflowError):  # a surrogate, or a page that is too long
        return None
    if found is None:
        return None
    text = decode_text(found.decode()).replace(_JOINT, "").replace(_BLOCK_OF_TWIN, BLOCK)
    return _MARKED(lambda mark: texts[int(mark[1])], text) if marks else text


def _offsets_in_utf_8(page: str, positions: Iterable[int]) -> Iterator[int]:
    offset = before = 0
    for position in positions:
        offset += len(page[before:position].encode())
        before = position
        yield offset


@cache
def _roles(twin: Any) -> tuple[tuple[bytes, int], ...]:
    """The names that have a meaning, and which, for `_native/shown_text.c`."""
    roles = Counter[str]()
    for names, role in (
        (BLOCKS, twin.SHOWN_BLOCK),
        (SPACED, twin.SHOWN_SPACED),
        (("template",), twin.SHOWN_TEMPLATE),
        (_FOREIGN, twin.SHOWN_FOREIGN),
        (_LEAVES_FOREIGN, twin.SHOWN_LEAVES_FOREIGN),
        (_RAW, twin.SHOWN_RAW),
        (HIDDEN, twin.SHOWN_HIDDEN),
        (_RAW_SHOWN, twin.SHOWN_LITERAL),
    ):
        for name in names:
            roles[name] += role
    return tuple((name.encode(), role) for name, role in roles.items())


def _is_plain(page: str, name: str, position: int) -> bool:
    """Whether the start tag in SVG or MathML that ends there has the same meaning as a raw text element of HTML."""
    end = raw_text_end(page, name, position)
    return name in HIDDEN and page[position - 2] != "/" and page.find("<", position, end) == -1
