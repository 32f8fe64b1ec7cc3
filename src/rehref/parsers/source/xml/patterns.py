r"""The syntax of markup in XML (XML 1.0 §2.3 and §3.1), and which attributes are read.

1. A tag is well-formed if it has a name, attributes in quotes without `<` in them, each after white space, and its end:
   `START_NAME`, `ATTRIBUTE` as often as it matches, and the end it matches last; or `END_TAG`. All others are left to
   `LOOSE` and `LOOSE_END_TAG`, which read them piece by piece.
2. Names may contain more characters than the productions allow, but none that ends a name.
3. No pattern repeats a group, so each takes linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from rehref.parsers.xml_contract import XmlWanted

Match: TypeAlias = Callable[[str, int], re.Match[str] | None]

_S = r"[\t\n\r ]"  # [3] S
_NAME = r"[A-Za-z_:\x80-\U0010ffff][^\t\n\r \"&'/<=>]*+"  # [5] Name

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
    rf"{_S}*+(?:(/?)>|([^\t\n\r \"'/<=>]++)(?:{_S}*+={_S}*+{_ANY_VALUE}|(?!{_S}*+={_S}*+[\"']))"
    r"|(?=<[A-Za-z_:\x80-\U0010ffff/!?])|([\"'/<=]))"
).match
"""A piece of a tag that is not well-formed: 1 its end; 2 a name, 3 to 5 its value; 6 a stray character; none of these
where the next markup ends it. No match: it does not end, or a quote in it does not."""
PSEUDO: Match = re.compile(rf"{_S}*+({_NAME}){_S}*+={_S}*+(?:\"([^\"]*+)\"|'([^']*+)')").match
"""A pseudo-attribute (Associating Style Sheets with XML documents §3): 1 its name, 2 or 3 its value."""
INSTRUCTION: Match = re.compile(rf"<\?({_NAME})").match  # [16] PI


@lru_cache(maxsize=32)
def _local_names(wanted: XmlWanted) -> tuple[frozenset[str], frozenset[str]]:
    """The local names of the wanted attributes: of those in no namespace, and in any."""
    prefixed = {re.split("[:}]", name)[-1] for name in wanted.attributes if ":" in name}
    return frozenset(name for name in wanted.attributes if ":" not in name), frozenset(prefixed | {"base"})


class Interesting(dict[str, bool]):
    """Whether an attribute written so may be wanted, judging by its local name, or declares a namespace."""

    def __init__(self, wanted: XmlWanted) -> None:
        """Store what is wanted."""
        super().__init__(xmlns=True)
        self._plain, self._prefixed = _local_names(wanted)

    def __missing__(self, raw: str) -> bool:
        prefix, colon, local = raw.partition(":")
        found = self[raw] = prefix == "xmlns" or local in self._prefixed if colon else raw in self._plain
        return found
