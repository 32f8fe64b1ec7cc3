"""How a document begins: the name of the document element of XML, and the comments before the content of HTML."""

from __future__ import annotations

from collections.abc import Iterator

from rehref.markup._source.construction.tokens import Tag, Text, next_token
from rehref.markup._source.names_of_html import BEGIN_HEAD
from rehref.markup._source.xml.entities import read_doctype
from rehref.markup._source.xml.markup import START_NAME, markup_end
from rehref.markup._tokenization import declaration_end, is_cut_off, is_declaration
from rehref.text import WHITE_SPACE, lower
from rehref.text.encoding import Source, given
from rehref.text.source_text import SourceText


def _first_tag(units: SourceText, position: int) -> int | None:
    """Where the first tag of XML is, with only comments, instructions and the doctype before it ([22] prolog)."""
    text = units.text
    while (start := text.find("<", position)) != -1 and not text[position:start].strip(WHITE_SPACE):
        if lower(text[start : start + 9]) == "<!doctype":
            position = read_doctype(text, start, units.decode)[0]
        elif text.startswith(("<!--", "<?"), start):
            position = markup_end(units, start)[1]
        else:
            return start
    return None


def document_element(source: Source) -> str:
    """The name of the document element of XML, as written, by its first bytes; "" if there is none in them."""
    head = source.data
    mark = given(head) if isinstance(head, bytes) else None
    if mark is not None and isinstance(head, bytes):
        head = head[mark.bom :].replace(b"\0", b"")  # this is enough for UTF-16
    units = SourceText(Source(head, "utf-8"))
    start = _first_tag(units, 0)
    name = None if start is None else START_NAME(units.text, start + 1)
    return "" if name is None else name[0]


def comments_before_content(source: Source) -> Iterator[tuple[int, str]]:
    """The comments of HTML before anything but `html` and `head`, as browsers read them: where each is, and its text.

    One that the end of the page cuts off is left out.
    """
    units = SourceText(source)
    text, position = units.text, units.bom
    while position < len(text) and not is_cut_off(text, position):
        start = position
        if is_declaration(text, start):
            position = declaration_end(text, start)
            if text.startswith("<!--", start):
                yield start, text[start + 4 : position].removesuffix("--!>").removesuffix("-->")
            continue
        token = next_token(units, start, lower, foreign=False)
        if isinstance(token, Tag):
            goes_on = token.name not in BEGIN_HEAD if token.is_end else token.name in ("html", "head")
        else:
            goes_on = isinstance(token, Text) and not token.raw.strip(WHITE_SPACE)
        if not goes_on or isinstance(token, int):
            return
        position = token.end
