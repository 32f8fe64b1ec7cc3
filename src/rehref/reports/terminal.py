r"""Makes texts safe and readable for people: what a terminal acts on, passwords, widths, and colours.

Control characters (such as escape sequences for terminals), characters that change the direction of writing or are
invisible, and lone surrogates are shown as escapes: `\n`, `\x1b`, `\u202e`, `\u200b`. Widths are those of a terminal:
an East Asian character is two columns wide.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import unquote

from rehref.uri.components import mask_text

if TYPE_CHECKING:
    from rehref.documents.base import Base

# C0, DEL, C1; characters without width; marks and embeddings of direction; line and paragraph separator; surrogates.
# Joiners are normal within words of some scripts.
_UNFIT = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\ud800-\udfff]"
    "|(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])"
)
# the same in UTF-8, and the bytes with which they begin, which most texts do not have
_UNFIT_IN_JSON = re.compile(
    rb"\xc2[\x80-\x9f\xad]|\xd8\x9c|\xe2(?:\x80[\x8b\x8e\x8f\xa8-\xae]|\x81[\xa0\xa6-\xa9])|\xef\xbb\xbf"
)
_FIRST_BYTES = (b"\xc2", b"\xd8", b"\xe2", b"\xef")
_ENCODED = re.compile("(?:%20|%[89A-Fa-f][0-9A-Fa-f])+")
LONGEST = 400


def visible(text: str) -> str:
    """The text with everything a terminal would act on shown as an escape."""
    return _UNFIT.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return repr(found[0])[1:-1] if found[0] in "\t\n\r" else found[0].encode("unicode_escape", "surrogatepass").decode()


def json_text(text: str) -> str:
    """JSON text with everything a terminal would act on as escapes, which mean the same.

    Of what is not ASCII, joiners stay.
    """
    if text.isascii():
        return text
    data = text.encode("utf-8", "backslashreplace")
    if any(first in data for first in _FIRST_BYTES):
        data = _UNFIT_IN_JSON.sub(lambda found: b"\\u%04x" % ord(found[0].decode()), data)
    return data.decode()


def shown(text: str, longest: int = LONGEST, masked: Callable[[str], str] = mask_text) -> str:
    """The text as people should see it: masked, shortened, visible."""
    text = masked(text)
    if len(text) > longest:
        head = longest * 3 // 4
        tail = longest // 8
        text = f"{text[:head]}…[{len(text) - head - tail:,} characters]…{text[-tail:]}"
    return visible(text)


def readable(uri: str, longest: int = LONGEST) -> str:
    """The same for a URI, with spaces and characters beyond ASCII instead of the percent-encoding of their UTF-8."""
    return shown(uri, longest, lambda text: _ENCODED.sub(_decoded, mask_text(text)))


def _decoded(found: re.Match[str]) -> str:
    try:
        return unquote(found[0], errors="strict")
    except UnicodeDecodeError:
        return found[0]


Mask: TypeAlias = Callable[["str | None"], "str | None"]
"""Hides passwords in a text, or leaves it as it is; None stays."""


def mask(text: str | None) -> str | None:
    """The text with passwords masked; None stays."""
    return None if text is None else mask_text(text)


def masked_base(base: Base, mask: Mask = mask) -> Base:
    """The base with passwords masked; `mask`: a function that does so."""
    rejected = tuple(each._replace(reference=mask(each.reference) or "") for each in base.rejected)
    return base._replace(uri=mask(base.uri), rejected=rejected)


def count(number: int, noun: str) -> str:
    """`1 link`, `1,200 links`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def not_documents(files: int) -> str:
    """`1 file is not a document`, `31 files are not documents`: what was not read for links."""
    return "1 file is not a document" if files == 1 else f"{files:,} files are not documents"


def width(text: str) -> int:
    """How many columns of a terminal the text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def wrap(text: str, columns: int | None) -> list[str]:
    """A sentence in lines of at most that many columns (None: one line), broken between words if possible."""
    if columns is None:
        return [text]
    import textwrap

    return textwrap.wrap(text, columns, break_on_hyphens=False) or [""]


def fold(text: str, columns: int | None) -> list[str]:
    """The text in pieces of at most that many columns (None: one piece), preferably broken after `/`, `?` or `&`."""
    if columns is None or width(text) <= columns:
        return [text]
    if not text.isascii():
        from rich.cells import chop_cells

        return chop_cells(text, columns)
    pieces = []
    at = 0
    while len(text) - at > columns:
        piece = text[at : at + columns]
        end = 1 + max(piece.rfind(mark, columns // 2) for mark in "/?&")
        piece = piece[:end] if end else piece
        pieces.append(piece)
        at += len(piece)
    return [*pieces, text[at:]]


Marked: TypeAlias = "Callable[[Style, str], str]"


def _sgr(code: str) -> Marked:
    """A function that marks a text, by the parameter of SGR."""

    def marked(style: Style, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if style.colors and text else text

    return marked


class Style:
    """Marks for texts by their role: each method returns the marked text, or without colours the text itself.

    Colours are those that the user of the terminal has chosen for the eight names; none is given by number.
    """

    __slots__ = ("colors",)

    def __init__(self, *, colors: bool) -> None:
        """`colors`: whether texts are marked at all."""
        self.colors = colors

    strong = _sgr("1")
    """A name above other text."""
    faint = _sgr("2")
    """Less important text."""
    good = _sgr("32")
    """Text that was found or added."""
    alarm = _sgr("33")
    """A problem."""
    removed = _sgr("31")
    place = _sgr("36")
    """An element and its attribute."""
    target = _sgr("34")
    """A target URI."""


PLAIN = Style(colors=False)
COLORED = Style(colors=True)
