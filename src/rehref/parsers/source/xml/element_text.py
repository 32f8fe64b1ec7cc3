"""The content of an element without child elements: character data, CDATA sections, and markup that is not text.

1. `markup_end` returns where a comment, a processing instruction, a CDATA section or a declaration ends; an unclosed
   one goes on to the end of the document, so that nothing is searched for twice.
2. `segments` cuts the content of an element into character data and CDATA sections. Other markup (comments, processing
   instructions, end tags that end nothing) is not text; a `<` that begins no markup is.
"""

from __future__ import annotations

from rehref.parsers.charrefs import normalize
from rehref.parsers.source.value_offsets import Segment
from rehref.parsers.source.xml.entities import Entities
from rehref.parsers.source.xml.patterns import CDATA, LOOSE_END_TAG
from rehref.text.source_text import SourceText


def markup_end(units: SourceText, start: int) -> tuple[int, int]:
    """Where the inside of the `<!…` or `<?…` at `start` ends, and where the whole ends (rule 1)."""
    text = units.text
    if text.startswith(CDATA, start):
        return units.find("]]>", start + len(CDATA))
    if text.startswith("<!--", start):
        closing, at = "-->", text.find("-->", start + 4)
    elif text.startswith("<?", start):
        closing, at = "?>", text.find("?>", start + 2)
    else:
        closing, at = ">", text.find(">", start)
    return (len(text), len(text)) if at == -1 else (at, at + len(closing))


def segments(units: SourceText, start: int, end: int) -> list[Segment]:
    """The text from `start` to `end`, in an element without child elements (rule 2)."""
    text = units.text
    if text.startswith(CDATA, max(start - len(CDATA), 0)):
        return [Segment(start, end, True)]
    found: list[Segment] = []
    begin = position = start
    while (at := text.find("<", position, end)) != -1:
        section = None
        if text.startswith("</", at):
            tag = LOOSE_END_TAG(text, at)
            behind = end if tag is None else tag.end()
        elif text.startswith(("<!", "<?"), at):
            inside, behind = markup_end(units, at)
            if text.startswith(CDATA, at):
                section = Segment(at + len(CDATA), min(inside, end), True)
        else:
            position = at + 1
            continue
        if begin < at:
            found.append(Segment(begin, at, False))
        if section is not None and section.start < section.end:
            found.append(section)
        begin = position = min(behind, end)
    if begin < end:
        found.append(Segment(begin, end, False))
    return found


def text_value(units: SourceText, entities: Entities, parts: list[Segment]) -> str:
    """The text that segments mean."""
    texts = []
    for start, end, cdata in parts:
        text = units.decode(units.text[start:end])
        texts.append(normalize(text) if cdata else entities.decode(text, start, attribute=False))
    return "".join(texts)
