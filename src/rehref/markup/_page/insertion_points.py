"""Where something can be put into a page: in HTML behind the doctype, in XHTML in the head, or where the body ends."""

from __future__ import annotations

from rehref.markup._source.construction.tokens import Tag, Text, next_token
from rehref.markup._source.core import CORE
from rehref.markup._source.xml.content import StartTag, XmlContent, XmlText, local_name
from rehref.markup._tokenization import is_cut_off
from rehref.markup.places import HTML, SVG, Wanted, XmlWanted
from rehref.text import WHITE_SPACE, lower
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText

_LONGEST_END = 200


def with_in_head(units: SourceText, text: str, *, is_xml: bool) -> bytes | str:
    """The page with a text as the first thing of its head; XHTML without a head stays as it is (`PageContent`)."""
    head = head_of_xhtml(units) if is_xml else None
    if head is not None:
        end = head.end
        text = qualified(text) if ":" in head.name else text  # elements without a prefix may be in no namespace
        return units.splice([(end - 2, end, f">{text}</{head.name}>") if head.is_empty else (end, end, text)])
    if is_xml:
        return units.source.data
    end = behind_doctype(units)
    return units.splice([(end, end, text)])


def qualified(text: str) -> str:
    """Elements for the head, with their namespace."""
    for name in ("<meta ", "<script>"):
        text = text.replace(name, f'{name[:-1]} xmlns="http://www.w3.org/1999/xhtml"{name[-1:]}')
    return text


def end_of_body(source: Source, tag: str, attribute: str, *, is_xml: bool) -> int | None:
    """Where an element of SVG can be put at the end of the body; None if that is not known (`PageContent`).

    It is tried: what is put there must be an element of the body. In a `srcdoc`, it might be one of another body.
    """
    page = source.data
    if not isinstance(page, bytes) or b"srcdoc" in page.lower() or (source.encoding or "").startswith("utf-16"):
        return None
    found = before_last_end_tags(SourceText(source))
    if found is None and is_xml:
        return None
    end = len(page) if found is None else found
    tried, wanted = source._replace(data=page[:end] + tag.encode()), frozenset({attribute})
    if is_xml:
        parsed = CORE.parse_xml(tried, XmlWanted(attributes=wanted))
        if parsed.parents[-1:] != [(HTML, "body")]:
            return None
        last = parsed.places[-1]
    else:
        places = CORE.parse(tried, Wanted(on={"svg": wanted}, scripting=True)).places
        if not places:
            return None
        last = places[-1]
    return end if last.namespace == SVG and last.tag == end and not last.in_template else None


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
