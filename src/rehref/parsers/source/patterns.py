"""The regular expressions the source core scans with, built once for each set of wanted names.

1. They read units (`rehref.parsers.units`), in which all that markup is made of is ASCII.
2. Nothing in them backtracks into what it has passed: every repetition is possessive, so that each takes linear time.
3. An attribute is read as the HTML Standard's tokenizer reads it ("before attribute name state" and those after it):
   "/" separates like white space, "=" may begin a name, a quoted value may hold anything but its quote.
4. A tag without its ">" is no tag: the pattern for it does not match.
5. A possessive group ends in `|(?!)`, an alternative that never matches: before 3.11.5, Python's `re` went on from the
   wrong place after the last, failing round of such a group (gh-106052), and that alternative puts it right.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from rehref.parsers.contract import Wanted

Match: TypeAlias = Callable[[str, int], "re.Match[str] | None"]

_SPACE = r"[\t\n\f\r ]"
_TAG_NAME = r"[A-Za-z][^\t\n\f\r />]*+"
_TAG_NAME_END = r"(?=[\t\n\f\r />])"
_BEFORE = r"[\t\n\f\r /]*+"
_NAME = r"[^\t\n\f\r />][^\t\n\f\r />=]*+"
_EQUALS = rf"{_SPACE}*+={_SPACE}*+"
_VALUE = rf"""(?:{_EQUALS}(?:"[^"]*+"|'[^']*+'|[^\t\n\f\r >"'][^\t\n\f\r >]*+|(?=>))|(?!{_SPACE}*+=))"""
_CAPTURED = rf"""(?:{_EQUALS}(?:"([^"]*+)"|'([^']*+)'|([^\t\n\f\r >"'][^\t\n\f\r >]*+)|(?=>))|(?!{_SPACE}*+=))"""
_ATTRIBUTE = rf"{_BEFORE}{_NAME}{_VALUE}"
_END = rf"{_BEFORE}>"

# where `re` needs no help (rule 5), it is faster without
_IS_RIGHT = sys.version_info >= (3, 11, 5)


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace("|(?!)", "") if _IS_RIGHT else pattern)


# a whole tag, from its "<" to its ">"; 1 its name
TAG = _compiled(rf"</?+({_TAG_NAME})(?:{_ATTRIBUTE}|(?!))*+{_END}").match

# one attribute, whatever its name: 1 name, 2 to 4 the value in double quotes, in single quotes, unquoted; or 5 the end
ATTRIBUTE = re.compile(rf"{_BEFORE}({_NAME}){_CAPTURED}|({_END})").match

# elements that the scanner must stop at, whatever their attributes: they change how what follows is read, or whether it
# counts
RAW_TEXT = frozenset({"style", "xmp", "iframe", "noembed", "noframes"})
RCDATA = frozenset({"title", "textarea"})
CLOSED = frozenset({"form", "select", "table", "template"})
"""Elements whose end tags are stopped at too."""
STOPS = RAW_TEXT | RCDATA | CLOSED | {"script", "plaintext", "svg", "math", "frameset", "frame"}
TABLE_PARTS = frozenset({"caption", "col", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr"})

# attributes that tags often have; those of them that are not wanted are passed over the fastest
_COMMON = (
    "class",
    "id",
    "title",
    "alt",
    "width",
    "height",
    "lang",
    "dir",
    "role",
    "align",
    "valign",
    "border",
    "color",
    "colspan",
    "rowspan",
    "target",
    "tabindex",
)


def any_case(name: str) -> str:
    """A pattern for a name in any ASCII case. Sets are looked at faster than with IGNORECASE."""
    # NUL in a name is U+FFFD
    return "".join(
        f"[{char}{char.upper()}]" if char.isascii() and char.isalpha() else re.escape(char) for char in name
    ).replace("\ufffd", "[\0\ufffd]")


def one_of(names: Iterable[str]) -> str:
    """A pattern for one of these names in any case, grouped by first letter so that most is refused at once."""
    groups: dict[str, list[str]] = {}
    for name in sorted(names):
        groups.setdefault(name[0], []).append(name[1:])
    parts = []
    for first, rests in groups.items():
        # the longest first, for one name may begin another
        alternatives = "|".join(any_case(rest) for rest in sorted(rests, key=len, reverse=True))
        parts.append(any_case(first) + f"(?:{alternatives})")
    return f"(?:{'|'.join(parts)})" if parts else r"(?!)"


@dataclass(frozen=True, slots=True)
class Patterns:
    """What to scan a document with, for one set of wanted names.

    `skip` passes over text and every tag that carries nothing wanted, and then, if it stands before a start tag with a
    wanted attribute, takes that too. `more` takes the next wanted attribute of the same tag, or its end.

    The groups of both: 1 the tag's name (empty in `more`), 2 the attribute's name, 3 to 5 its value in double quotes,
    in single quotes, unquoted, 6 the end of the tag. `lastindex` tells which there is.
    """

    skip: Callable[[str, int], re.Match[str]]
    more: Match


@lru_cache(maxsize=32)
def _compile(attributes: frozenset[str], stops_at: frozenset[str]) -> Patterns:
    wanted = rf"(?:{one_of(attributes)}(?=[\t\n\f\r />=]))"
    boring = rf"(?:{_BEFORE}(?!{wanted}){_NAME}{_VALUE}|(?!))*+"
    stops = one_of(stops_at) + _TAG_NAME_END
    stop_ends = one_of(CLOSED) + _TAG_NAME_END
    common = "|".join(name for name in _COMMON if name not in attributes)
    passed = (
        rf"/(?!{stop_ends})[A-Za-z][^>\"']*+>"  # an end tag, with nothing in it that might hide a ">"
        # a start tag without anything wanted: first as most are written, then as it may be
        rf"|(?!{stops})[A-Za-z][a-z0-9]*+(?: (?:{common})=\"[^\"]*+\"|(?!))*+>"
        rf"|(?!{stops})[A-Za-z][^\t\n\f\r />]*+{boring}{_END}"
        r"|(?![A-Za-z/!?])"  # no markup
    )
    first = rf"{boring}(?:{_BEFORE}({wanted}){_CAPTURED}|({_END}))"
    skip = _compiled(rf"[^<]*+(?:<(?:{passed})[^<]*+|(?!))*+(?:<({_TAG_NAME}){first})?").match
    return Patterns(skip, _compiled(f"(){first}").match)  # type: ignore[arg-type]  # skip always matches


def patterns_for(wanted: Wanted, *, in_template: bool = False) -> Patterns:
    """The patterns for a set of wanted names; compiled once. In a template the parts of tables are stopped at too."""
    attributes = wanted.anywhere.union(*wanted.on.values())
    return _compile(attributes, STOPS | TABLE_PARTS if in_template else STOPS)
