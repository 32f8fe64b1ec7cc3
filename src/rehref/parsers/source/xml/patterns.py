r"""The patterns that XML is scanned with (XML 1.0 §2 and §3).

1. A tag is well-formed if it has a name, attributes in quotes without `<` in them, each behind white space, and its
   end. All others are left to `LOOSE`, which takes them apart piece by piece.
2. An attribute is interesting if it may be wanted, going by its local name, or if it declares a namespace. What is
   passed over unseen has no interesting attribute: text, comments, and elements that hold nothing but text, not wanted
   either, and whose end tag is theirs.
3. Of a group that is repeated, nothing is ever given back: what follows matches always. So no pattern looks at any
   stretch more than a few times.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from rehref.parsers.xml_contract import XmlWanted

Match: TypeAlias = Callable[[str, int], re.Match[str] | None]

_S = r"[\t\n\r ]"
_NAME_END = r"\t\n\r \"&'/<=>"
_NAME = rf"[A-Za-z_:\x80-\U0010ffff][^{_NAME_END}]*+"
_PREFIX = rf"[^{_NAME_END}:]*+:"
_QUOTED = r"(?:\"[^\"<]*+\"|'[^'<]*+')"
_COMMENT = r"!--(?:[^-]++|-(?!->)|(?!))*+-->"
# its end does not count behind a character that the "]" may be the second byte of
_CDATA = r"<!\[CDATA\[(?:[^\]]++|\](?!\]>)|(?!))*+(?<![\x80-\U0010ffff])\]\]>"
_AT_ONCE = 200
"""Elements that are passed over in one match: for each, the matcher remembers something."""

# groups of `Patterns.skip` and `Patterns.step`
END, START, CLOSE, ATTRIBUTE = 2, 3, 4, 5

CDATA = "<![CDATA["
START_NAME: Match = re.compile(_NAME).match
END_TAG: Match = re.compile(r"</([^\t\n\r /<>]*+)[^<>]*+(>?)").match
"""An end tag, whatever stands in it: 1 its name, 2 its end, if it has one."""
_ANY_VALUE = r"(?:\"([^\"]*+)\"|'([^']*+)'|([^\t\n\r \"'<>][^\t\n\r <>]*+))"
LOOSE: Match = re.compile(
    rf"{_S}*+(?:(/?)>|([^\t\n\r \"'/<=>]++)(?:{_S}*+={_S}*+{_ANY_VALUE}|(?!{_S}*+={_S}*+[\"']))"
    r"|(?=<[A-Za-z_:\x80-\U0010ffff/!?])|([\"'/<=]))"
).match
"""A piece of a tag that is not well-formed: 1 its end; 2 a name, 3 to 5 its value; 6 a stray character; none of these
where the next markup ends it. No match: it does not end, or a quote in it does not."""
PSEUDO: Match = re.compile(rf"{_S}*+({_NAME}){_S}*+={_S}*+(?:\"([^\"]*+)\"|'([^']*+)')").match
"""A pseudo-attribute (Associating Style Sheets with XML documents §3): 1 its name, 2 or 3 its value."""
INSTRUCTION: Match = re.compile(rf"<\?({_NAME})").match


@dataclass(frozen=True, slots=True)
class Patterns:
    """What to scan a document with, for one set of wanted names.

    `skip` passes over what carries nothing wanted, and takes the next tag, if it is well-formed. Groups: 2 the name in
    an end tag; or 3 the name in a start tag, with 4 its slash, if it is not interesting, or the first interesting
    attribute: 5 its name, 6 or 7 its value. `step` passes over no elements. `more` takes the next interesting attribute
    of a tag, or its end; its groups are those of the others from 4 on, less 3. `interesting` is for single names.
    """

    skip: Callable[[str, int], re.Match[str]]
    step: Callable[[str, int], re.Match[str]]
    more: Match
    interesting: Callable[[str], re.Match[str] | None]


def _one_of(names: Iterable[str]) -> str:
    """A pattern for one of these names, grouped by first letter so that most is refused at once."""
    groups: dict[str, list[str]] = {}
    for name in sorted(set(names), reverse=True):  # of two that begin alike, the longer first
        groups.setdefault(name[:1], []).append(re.escape(name[1:]))
    parts = [re.escape(first) + f"(?:{'|'.join(rests)})" for first, rests in groups.items()]
    return f"(?:{'|'.join(parts)})" if parts else r"(?!)"


@lru_cache(maxsize=32)
def patterns_for(wanted: XmlWanted) -> Patterns:
    """The patterns for a set of wanted names; compiled once."""
    plain = {name for name in wanted.attributes if ":" not in name}
    prefixed = {re.split("[:}]", name)[-1] for name in wanted.attributes if ":" in name} | {"base"}
    ends = r"(?=[\t\n\r =]|\Z)"
    interesting = rf"(?:xmlns(?=[\t\n\r :=]|\Z)|{_one_of(plain)}{ends}|{_PREFIX}{_one_of(prefixed)}{ends})"
    idle = rf"(?:{_S}++(?!{interesting}){_NAME}{_S}*+={_S}*+{_QUOTED}|(?!))*+"
    attribute = rf"{_S}++(?={interesting})({_NAME}){_S}*+={_S}*+(?:\"([^\"<]*+)\"|'([^'<]*+)')"
    text = rf"(?:{_PREFIX})?{_one_of(local for _, local in wanted.texts)}(?=[\t\n\r />])"
    passed = rf"[^<]*+<(?:(?!{text})({_NAME}){idle}{_S}*+(?:/>|>[^<]*+(?:{_CDATA}[^<]*+)?</\1{_S}*+>)|{_COMMENT})"
    tag = rf"[^<]*+(?:</({_NAME}){_S}*+>|<({_NAME}){idle}(?:{_S}*+(/?)>|{attribute}))?"
    skip = re.compile(rf"(?:{passed}){{0,{_AT_ONCE}}}{tag}").match
    step = re.compile(rf"(){tag}").match
    more = re.compile(rf"{idle}(?:{_S}*+(/?)>|{attribute})").match
    return Patterns(skip, step, more, re.compile(interesting).match)  # type: ignore[arg-type]  # these always match
