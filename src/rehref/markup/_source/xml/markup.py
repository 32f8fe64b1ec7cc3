"""The syntax of markup in XML (XML 1.0 §2.3 and §3.1), and the content of an element without child elements.

A tag is well-formed if it has a name, attributes in quotes without `<` in them, each after white space, and its end:
`START_NAME`, `ATTRIBUTE` as often as it matches, and the end it matches last; or `END_TAG`. All others are left to
`LOOSE` and `LOOSE_END_TAG`, which read them piece by piece. No pattern repeats a group, so each takes linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from rehref.markup._source.splicing import Segment
from rehref.text.source_text import SourceText

Match: TypeAlias = Callable[[str, int], re.Match[str] | None]

_S = r"[\t\n\r ]"  # [3] S
_NO_NAME_START = r"\0-9;-@\[-^`{-\x7f"  # what does not begin a name: faster to compile than all characters that do
_NAME = rf"[^{_NO_NAME_START}][^\t\n\r \"&'/<=>]*+"  # [5] Name, and more characters, none of which ends a name

CDATA = "<![CDATA["  # [19] CDStart

START_NAME: Match = re.compile(_NAME).match
ATTRIBUTE: Match = re.compile(
    # S [41] Attribute, [25] Eq, [10] AttValue
    rf"{_S}++({_NAME}){_S}*+={_S}*+(?:\"([^\"<]*+)\"|'([^'<]*+)')"
    # the end of [40] STag, [44] EmptyElemTag
    rf"|{_S}*+(/?)>"
).match
"""Matches one attribute: 1 its name, 2 or 3 its value; or 4, the end of the tag, with its slash."""
ATTRIBUTE_END = 4
END_TAG: Match = re.compile(rf"</({_NAME}){_S}*+>").match  # [42] ETag

LOOSE_END_TAG: Match = re.compile(r"</([^\t\n\r /<>]*+)[^<>]*+(>?)").match
"""An end tag with any content: 1 its name, 2 its end, if it has one."""
_ANY_VALUE = r"(?:\"([^\"]*+)\"|'([^']*+)'|([^\t\n\r \"'<>][^\t\n\r <>]*+))"
LOOSE: Match = re.compile(
    rf"""
    {_S}*+
    (?: (/?)>                                                          # 1: its end
      | ([^\t\n\r "'/<=>]++)                                           # 2: a name
        (?: {_S}*+={_S}*+{_ANY_VALUE} | (?!{_S}*+={_S}*+["']) )        # 3 to 5: its value
      | (?=<(?:[/!?]|[^{_NO_NAME_START}]))                             # the next markup, which ends it
      | (["'/<=])                                                      # 6: a stray character
    )
    """,
    re.VERBOSE,
).match
"""A piece of a tag that is not well-formed. No match: it does not end, or a quote in it does not."""
PSEUDO: Match = re.compile(rf"{_S}*+({_NAME}){_S}*+={_S}*+(?:\"([^\"]*+)\"|'([^']*+)')").match
"""A pseudo-attribute (Associating Style Sheets with XML documents §3): 1 its name, 2 or 3 its value."""
INSTRUCTION: Match = re.compile(rf"<\?({_NAME})").match  # [16] PI


def markup_end(units: SourceText, start: int) -> tuple[int, int]:
    """Where the inside of the `<!…` or `<?…` at `start` ends, and where the whole ends.

    One that is not closed goes on to the end of the document, so that nothing is searched for twice.
    """
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
    """The text from `start` to `end`, in an element without child elements: character data and CDATA sections.

    Other markup (comments, instructions, end tags that end nothing) is not text; a `<` that begins no markup is.
    """
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
