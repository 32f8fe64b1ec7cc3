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

TAG_NAME = re.compile(_TAG_NAME).match

# one attribute, whatever its name: 1 name, 2 to 4 the value in double quotes, in single quotes, unquoted; or 5 the end
ATTRIBUTE = re.compile(rf"{_BEFORE}({_NAME}){_CAPTURED}|({_END})").match

# elements that the scanner must stop at, whatever their attributes: they change how what follows is read, or whether it
# counts
RAW_TEXT = frozenset({"style", "xmp", "iframe", "noembed", "noframes"})
RCDATA = frozenset({"title", "textarea"})
CLOSED = frozenset({"form", "select", "table", "template"})
"""Elements whose end tags are stopped at too."""
STOPS = RAW_TEXT | RCDATA | CLOSED | {"base", "script", "plaintext", "svg", "math", "frameset", "frame"}
TABLE_PARTS = frozenset({"caption", "col", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr"})
WITH_PLACES = TABLE_PARTS | {"html", "body", "head", "noscript"}
"""Elements whose tags matter only if they have something wanted."""


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


# elements that pages are full of, and that carry little but what any element may; the commonest first
_PLAIN = (
    "span li code p em div dd dt dl ul pre strong h[1-6] br b i section sup sub small ol nav header footer article "
    "main label hr u s kbd var samp cite abbr figure figcaption aside time details summary option address"
)

_COMMENT = r"!--(?!-?+>)(?:[^-]++|-(?!-!?+>)|(?!))*+--!?+>"
_DECLARATION = r"!(?!--)[^>]*+>|\?[^>]*+>"

# a script in which nothing begins that would make it end elsewhere than at its first end tag
_PROGRAM = r"(?:[^<]++|<(?!/[sS][cC][rR][iI][pP][tT]|!--)|(?!))*+</[sS][cC][rR][iI][pP][tT](?=[\t\n\f\r />])[^>\"']*+>"
_SCRIPT_NAME = r"[sS][cC][rR][iI][pP][tT]"

# what an icon is drawn with: elements beside each other, each closed at once, before the end tag of `svg`
_SHAPES = "path|circle|rect|line|polyline|polygon|ellipse"

# the other kind of icon
ICON = re.compile(
    rf"{_SPACE}*+<use ((?:xlink:)?href)=\"([^\"&\r\0\x80-\U0010ffff]*+)\"(?: ?/>|></use>){_SPACE}*+</svg>"
).match

Row: TypeAlias = tuple[str, str, str, str, str, str]


@dataclass(frozen=True, slots=True)
class Patterns:
    """What to scan a document with, for one set of wanted names.

    `rows` gives the wanted attributes that follow each other from a place in text on (which must not begin with a
    double quote) up to another (which must not come right after a "<"), with nothing between them that needs a closer
    look. Those are attributes written as most are: in double quotes, without CR and NUL. A row begins where the value
    of the one before ended, at its quote. It has: 1 what is before the tag, if it is another one; 2 its name; 3 what is
    between that and the attribute; or 4 what is between the values, if it is the same tag; 5 the attribute's name; 6
    its value. The last row has no attribute: with no more than 1, it ends in text; with 2, before a tag; else within a
    tag.

    `skip` passes over text and every tag that carries nothing wanted, and then, if it stands before a start tag with a
    wanted attribute, takes that too. `more` takes the next wanted attribute of the same tag, or its end. The groups of
    both: 1 the tag's name (empty in `more`), 2 the attribute's name, 3 to 5 its value in double quotes, in single
    quotes, unquoted, 6 the end of the tag. `lastindex` tells which there is.

    `foreign` takes text and a tag behind it in which nothing is wanted, in SVG or MathML: 1 the slash of an end tag, 2
    the name, 3 the end of the tag.
    """

    rows: Callable[[str, int, int], list[Row]]
    skip: Callable[[str, int], re.Match[str]]
    more: Match
    foreign: Match


def _names(names: Iterable[str]) -> str:
    """A pattern for the whole name of an attribute, one of these."""
    return rf"(?:{one_of(names)}(?=[\t\n\f\r />=]))"


# names that tags often have, for where their first letter does not tell that they are not wanted
_COMMON = ("class", "id", "title", "alt", "width", "height", "lang", "role", "target", "tabindex", "loading")


def _first_letters_but(names: Iterable[str]) -> str:
    """The letters, in lower case, that none of these names begins with."""
    return "".join(sorted(set("abcdefghijklmnopqrstuvwxyz") - {name[0] for name in names}))


def _other_than(names: Iterable[str]) -> str:
    """A pattern for an attribute, written as most are, that is none of these; most others are left to `_but`."""
    unwanted = _first_letters_but(names)
    common = "".join(f"|{name}" for name in _COMMON if name not in names and name[0] not in unwanted)
    return rf' (?:[{unwanted or "#"}][^\t\n\f\r />=]*+{common})="[^"]*+"'


def _but(names: Iterable[str], calls: frozenset[str]) -> str:
    """A pattern for attributes with other names than these, and for those of `calls` that call nothing."""
    idle = rf'{_BEFORE}{one_of(calls)}="[^"(&]*+"|' if calls else ""
    return rf"(?:{_other_than(names)}|{idle}{_BEFORE}(?!{_names(names)}){_NAME}{_VALUE}|(?!))*+"


def _drawing(wanted: Wanted, names: frozenset[str]) -> str:
    """A pattern for what an `svg` holds that is drawn with shapes, none with anything wanted, and for its end tag."""
    idle = rf'{one_of(wanted.calls)}="[^"(&]*+"|' if wanted.calls else ""
    attribute = rf' (?:{idle}(?!{_names(names | wanted.foreign)})[A-Za-z][^\t\n\f\r />=]*+="[^"]*+")'
    shape = rf"<(?:{_SHAPES})(?:{attribute}|(?!))*+(?: ?/>|></(?:{_SHAPES})>)"
    return rf"(?:{_SPACE}*+{shape}|(?!))*+{_SPACE}*+</svg>"


# elements that often have attributes that are wanted on others
_FORM_PARTS = ("input", "button", "option")


@lru_cache(maxsize=32)
def _compile(wanted: Wanted, stops_at: frozenset[str]) -> Patterns:
    everywhere = wanted.anywhere - wanted.foreign
    calls = wanted.calls & everywhere
    names = everywhere.union(*wanted.on.values())

    def on(*elements: str) -> frozenset[str]:
        return everywhere.union(*(wanted.on.get(element, ()) for element in elements))

    plain = "|".join(_PLAIN.split())
    in_plain = on(*(element for element in wanted.on if re.fullmatch(plain, element)))
    any_but = _but(names, calls)
    stops = one_of(stops_at) + _TAG_NAME_END
    no_stop = _first_letters_but(stops_at)
    stop_ends = one_of(CLOSED) + _TAG_NAME_END
    bare = ">" if "class" in names else '(?:| class="[^"]*+")>'
    passed_tags = (
        rf"(?:{plain})(?=[ >])(?:(?:{_other_than(in_plain)}|(?!))*+>|{_but(in_plain, calls)}{_END})"
        rf"|(?:{'|'.join(_FORM_PARTS)})(?=[ >]){_but(on(*_FORM_PARTS) - wanted.deciding, calls)}{_END}"
        rf"|(?:[{no_stop}]|(?!{stops})[A-Za-z])[^\t\n\f\r />]*+{_but(names - wanted.deciding, calls)}{_END}"
    )
    # nor are tags that begin with an id, where these are wanted
    named = "(?![a-z][a-z0-9]*+ id=)" if "id" in everywhere else ""
    passed = (
        # end tags, with nothing in them that might hide a ">", and start tags: first what pages are full of
        rf"/span>|/[^fstFST>\"'][^>\"']*+>|span{bare}|(?:li|p|em|code|d[dlt]|ul|div)(?:{bare})"
        rf"|/(?!{stop_ends})[A-Za-z][^>\"']*+>"
        # links are not passed over, nearly always: it is worth while to see that at once
        rf"|(?=[^a]){named}(?:{passed_tags})"
        rf"|a(?! (?:class=\"[^\"]*+\" )?href=)[^\t\n\f\r />]*+{_but(names - wanted.deciding, calls)}{_END}"
        r"|title>[^<]*+</title>"
        + (
            ""
            if "script" in wanted.texts and "type" not in on("script")
            else rf"|script(?=[\t\n\f\r />]){_but(on('script'), calls)}{_END}{_PROGRAM}"
        )
        + f"|svg{_TAG_NAME_END}{_but(names | wanted.foreign, wanted.calls)}{_SPACE}*+(?:/>|>{_drawing(wanted, names)})"
        + ("" if "#comment" in wanted.texts else f"|{_COMMENT}")
        + f"|{_DECLARATION}"
        + r"|(?![A-Za-z/!?])"  # no markup
    )
    gap = rf"[^<]*+(?:<(?:{passed})[^<]*+|(?!))*+"
    special = one_of(stops_at | WITH_PLACES) + _TAG_NAME_END
    no_special = _first_letters_but(stops_at | WITH_PLACES)
    empty_script = rf"{_SCRIPT_NAME}(?:{_ATTRIBUTE}|(?!))*+{_END}</{_SCRIPT_NAME}{_TAG_NAME_END}"
    # how most links begin
    likely = "(?:href|src)(?==)|" if {"href", "src"} <= names else ""
    lead = r"(?: class=\"[^\"]*+\")? (?=(?:href|src)=)|" if "class" not in names else ""
    row = (
        rf"(?:((?:\"(?:>|{any_but}{_END})|(?!\")){gap})"
        rf"(?:<(?:(?=[{no_special}])|(?!{special})|(?={empty_script}))"
        rf"([A-Za-z][A-Za-z0-9]*+)(?=[\t\n\f\r /])({lead}{any_but}{_BEFORE}))?"
        rf"|(\"{any_but}{_BEFORE})|)"
        rf"(?:({likely}{one_of(names)})=\"([^\"\r\0]*+)(?=\")|(?s:.*+))"
    )
    first = rf"{_but(names, frozenset())}(?:{_BEFORE}({_names(names)}){_CAPTURED}|({_END}))"
    rows = _compiled(row).findall
    skip = _compiled(rf"{gap}(?:<({_TAG_NAME}){first})?").match
    idle = _but(names | wanted.foreign, wanted.calls)
    foreign = _compiled(rf"[^<]*+<(/?)({_TAG_NAME}){idle}({_END})").match
    return Patterns(rows, skip, _compiled(f"(){first}").match, foreign)  # type: ignore[arg-type]  # skip always matches


def patterns_for(wanted: Wanted, *, in_template: bool = False) -> Patterns:
    """The patterns for a set of wanted names; compiled once. In a template the parts of tables are stopped at too."""
    stops = STOPS | TABLE_PARTS if in_template else STOPS
    return _compile(wanted, stops | {"noscript"} if wanted.scripting else stops)
