"""The references in a Link field of HTTP (RFC 8288 §3).

A value is a list of links, separated by commas: a target in angle brackets, then parameters, each after a `;`. Commas
and semicolons in angle brackets and in quotes separate nothing. Text that is not a link where one should be is skipped
up to the next comma outside quotes; so is a target without its closing `>`, which contains the whole rest.
"""

from __future__ import annotations

import re

from rehref.text import WHITE_SPACE
from rehref.text.header_fields import links_in, unquoted
from rehref.uri._syntaxes import srcset
from rehref.uri._syntaxes.lists import trimmed
from rehref.uri.syntaxes import ORIGIN_RELS, Occurrence

_EXCLUDED = re.compile(r'[\x00-\x20\x7f<>"]')
_QUOTED_CHARACTER = re.compile(r"\\?[\s\S]")


def find(value: str) -> list[Occurrence]:
    """The references of a field value, in order; none is fetched for a link that only connects (`preconnect`).

    They are each link's target, form `target`, the value of its parameter `anchor`, form `quoted` or `bare`, and, of a
    preload, those in a quoted `imagesrcset` (HTML Standard, "process link headers"), form `candidate`. Names of
    parameters are compared without regard to case; of several of the same name the first counts (appendix B.2, B.3).
    """
    found: list[Occurrence] = []
    for link in links_in(value):
        target = trimmed(value, link.start, link.end, "target")
        rels = (link.get("rel") or "").lower().split()
        found.append(target._replace(fetched=not rels or not ORIGIN_RELS.issuperset(rels)))
        others: list[Occurrence] = []
        anchor = link.parameter("anchor")
        if anchor is not None and anchor.form != "none":
            read = trimmed_quoted if anchor.form == "quoted" else trimmed
            others.append(read(value, anchor.start, anchor.end, anchor.form))
        images = link.parameter("imagesrcset")
        if images is not None and images.form == "quoted" and "preload" in rels:
            others += _candidates(value, images.start, images.end)
        found += sorted(others)
    return found


def _candidates(value: str, start: int, end: int) -> list[Occurrence]:
    """The references of a `srcset` in quotes."""
    characters = list(_QUOTED_CHARACTER.finditer(value, start, end))
    text = "".join(each[0][-1] for each in characters)
    return [
        Occurrence(characters[one.start].start(), characters[one.end - 1].end(), one.text, "candidate")
        for one in srcset.find(text)
    ]


def trimmed_quoted(value: str, start: int, end: int, form: str) -> Occurrence:
    r"""What `trimmed` returns, of text in quotes: a `\` belongs to the character after it (appendix B.4)."""
    inside = [each for each in _QUOTED_CHARACTER.finditer(value, start, end) if each[0][-1] not in WHITE_SPACE]
    if inside:
        start, end = inside[0].start(), inside[-1].end()
    else:
        end = start
    return Occurrence(start, end, unquoted(value[start:end]), form)


def write(text: str, form: str) -> str:
    r"""Write `text` where `find` found a reference of that form. A bare value gets quotes.

    Characters that no URI has and that would end it are percent-encoded (`<`, `>`, quotes, white space). A `\` is
    written as it is, because browsers read it as a `/`, and `%5C` not; in quotes another `\` precedes it (RFC 9110
    §5.6.4).
    """
    text = srcset.write(text, "") if form == "candidate" else text.strip(WHITE_SPACE)
    written = _EXCLUDED.sub(lambda match: f"%{ord(match[0]):02X}", text)
    if form != "target":
        written = written.replace("\\", "\\\\")
    return f'"{written}"' if form == "bare" else written
