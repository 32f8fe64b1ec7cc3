"""Where something can be put into a page: in HTML behind the doctype, in XHTML in the head, or where the body ends."""

from __future__ import annotations

from rehref.markup._source.construction.tokens import Tag, Text, next_token
from rehref.markup._source.xml.content import StartTag, XmlContent, XmlText, local_name
from rehref.markup._tokenization import is_cut_off
from rehref.text import WHITE_SPACE, lower
from rehref.text.source_text import SourceText

_LONGEST_END = 200


def behind_doctype(units: SourceText) -> int:
    """Where the first tag or text of HTML is: behind the doctype, comments, what is left out, and white space.

    Markup that the end of the page cuts off counts as a tag: browsers drop it, but what is put behind it completes it.
    """
    text, position = units.text, units.bom
    while position < len(text) and not is_cut_off(text, position):
        token = next_token(units, position, str, foreign=False)
        if not isinstance(token, int) and not (isinstance(token, Text) and not token.raw.strip(WHITE_SPACE)):
            break
        position = token if isinstance(token, int) else token.end
    return position


def before_last_end_tags(units: SourceText) -> int | None:
    """Where the end tag of `body` is, if only white space and that of `html` are behind it; else None."""
    text = units.text
    start = position = lower(text).rfind("</body", max(len(text) - _LONGEST_END, 0))
    names = ["html", "body"]
    while 0 <= position < len(text):
        token = next_token(units, position, lower, foreign=False)
        if isinstance(token, Tag) and token.is_end and names[-1:] == [token.name]:
            names.pop()
        elif not isinstance(token, Text) or token.raw.strip(WHITE_SPACE):
            return None
        position = token.end
    return start if "body" not in names else None


def head_of_xhtml(units: SourceText) -> StartTag | None:
    """The start tag of the first child of `html`, if that is a `head`; None also if it is not well-formed."""
    wanted = ["head", "html"]
    for piece in XmlContent(units):
        if isinstance(piece, StartTag) and piece.attributes is not None and local_name(piece.name) == wanted[-1]:
            if wanted.pop() == "head":
                return piece
            if piece.is_empty:
                return None
        elif not isinstance(piece, XmlText) or piece.text.strip(WHITE_SPACE):
            return None
    return None
