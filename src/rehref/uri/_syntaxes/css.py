"""The references in CSS text: a style sheet, or the declaration list of a `style` attribute.

CSS Syntax Level 3 §4.3 (tokens), CSS Values 4 §4.5 (`url()`, `src()`), CSS Images 4 (`image-set()`), CSS Cascade 4 §2
(`@import`), CSS Namespaces 3 (`@namespace`). Comments and all other strings are skipped. Whether a reference is valid
in its position (an `@import` after other rules) is not checked.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from rehref.text import lower
from rehref.uri.syntaxes import Kind, Occurrence

# §4.2 ident code points, as sets of the characters that they are not, which compile a hundred times faster; NUL has
# become U+FFFD (§3.3)
_NAME_CHARACTER = r"[^\x01-,./:-@\[-^`{-\x7f]"
_NAME_START = r"[^\x01-,./0-9:-@\[-^`{-\x7f]"  # or "-"
_NAME_CHARACTER_OR_SIGN = r"[^\x01-\x22$-,./:-?\[-^`{-\x7f]"  # "#" and "@"
_ESCAPE = r"\\[0-9A-Fa-f]{1,6}+(?:\r\n|[\t\n\f\r ])? | \\[^0-9A-Fa-f\n\r\f] | \\\Z"  # §4.3.7
_NAME = re.compile(rf"(?: {_NAME_CHARACTER}++ | {_ESCAPE} )*", re.VERBOSE)  # §4.3.11
_IDENT_START = re.compile(rf"-?+ (?: {_NAME_START} | {_ESCAPE} )", re.VERBOSE)  # §4.3.9
_WHITE = re.compile(r"[\t\n\f\r ]*+")
_QUOTED = re.compile(r"[\t\n\f\r ]*+(?=[\"'])")
_BODY = {  # §4.3.5, from after the quote to the closing one, a bare line break, or the end
    quote: re.compile(
        rf"""[^{quote}\\\n\r\f]*+
        (?: \\(?: [0-9A-Fa-f]{{1,6}}+(?:\r\n|[\t\n\f\r ])? | [^\r] | \r\n?+ )? [^{quote}\\\n\r\f]*+ )*""",
        re.VERBOSE,
    )
    for quote in "\"'"
}
_URL = re.compile(  # §4.3.6
    rf"""[\t\n\f\r ]*+
    (?P<url> (?: [^"'()\\\t\n\f\r\x20\x01-\x08\x0b\x0e-\x1f\x7f]++ | {_ESCAPE} )* )
    [\t\n\f\r ]*+ (?: \) | \Z )""",
    re.VERBOSE,
)
_BAD_URL = re.compile(r"(?: [^)\\]++ | \\[\s\S]?+ )* \)?+", re.VERBOSE)  # §4.3.14


def _letters(name: str) -> str:
    """A pattern for a name in either case. (`re.IGNORECASE` would match U+017F as an `s`.)"""
    return "".join(f"[{c}{c.upper()}]" if c.isalpha() else c for c in name)


def _call(name: str) -> str:
    """A pattern that matches after the `(` of a call of the function."""
    return rf"(?<={_letters(name)}\() (?<!{_NAME_CHARACTER_OR_SIGN}{_letters(name)}\()"


def _at(name: str) -> str:
    """A pattern for an at-keyword."""
    return rf"@{_letters(name)} (?!{_NAME_CHARACTER}|\\[^\n\r\f])"


# Where to stop. Every alternative begins with a plain character, so that `search` jumps from one to the next.
_STOPS = rf"""
    "{_BODY['"'].pattern}"?+ (?P<double>)
  | '{_BODY["'"].pattern}'?+ (?P<single>)
  | /\* (?P<comment>)
  | \\  (?P<escape>)
  | {_at("import")} (?P<import>)
  | {_at("namespace")} (?P<namespace>)
  | \( (?<=[lLcCtT]\()
    (?: {_call("url")} (?P<url>)
      | {_call("src")} (?P<src>)
      | (?: {_call("image-set")} | {_call("-webkit-image-set")} ) (?P<set>) )
"""
_STOP = re.compile(_STOPS, re.VERBOSE)
_STOP_IN_SET = re.compile(
    rf"{_STOPS} | \( (?P<round>) | \[ (?P<square>) | {{ (?P<curly>) | [)\]}}] (?P<close>)", re.VERBOSE
)

# what may be the declaration of a custom property, or a condition
_MAY_BE_CUSTOM = re.compile(
    rf"--(?<![^;{{}}\t\n\f\r /]--) (?: {_NAME_CHARACTER}++ | {_ESCAPE} )* [\t\n\f\r ]*+ [:/]", re.VERBOSE
).search
_MAY_BE_TEST = re.compile(_letters("supports")).search
# where a declaration may end, where a condition begins, and what must not be searched for these
_BORDERS = re.compile(
    rf"""
    "{_BODY['"'].pattern}"?+ | '{_BODY["'"].pattern}'?+ | /\*[^*]*+(?:\*(?!/)[^*]*+)*(?:\*/)?
  | {_ESCAPE}
  | \( {_call("url")} [\t\n\f\r ]*+ (?!["']) [^)\\]*+ (?:\\[\s\S]?+ [^)\\]*+)*
  | (?P<end> [;{{}}] )
  | {_at("supports")} (?P<test>)
  | \( {_call("supports")} (?P<test_of_import>)
    """,
    re.VERBOSE,
).finditer
_HAS_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*+:").match
_CUSTOM_NAME: Final = r"(--(?:[^\x01-,./:-@\[-^`{-\x7f]|\\[^\n\r\f])*)"
_USED = re.compile(rf"\bvar\([\t\n\f\r ]*+{_CUSTOM_NAME}", re.IGNORECASE).finditer
_REGISTERED = re.compile(rf"@property[\t\n\f\r ]++{_CUSTOM_NAME}[\t\n\f\r ]*+\{{([^}}]*+)", re.IGNORECASE).finditer
_SYNTAX_WITH_URLS = re.compile(r"syntax[\t\n\f\r ]*+:[^;]{0,200}<url>", re.IGNORECASE).search
_CALLS = {"url": "url", "src": "src", "image-set": "set", "-webkit-image-set": "set"}
_CLOSERS = {"set": ")", "round": ")", "square": "]", "curly": "}"}
_LONGEST_NAME = len("-webkit-image-set")
_ASCII_NAME = frozenset("-_\0" + string.ascii_letters + string.digits)
_NAMESPACE = "namespace:"
_QUOTES = {'"': "double", "'": "single"}


def find(value: str) -> list[Occurrence]:
    """The references of CSS text, in order.

    They are the URL token `url(…)`; the first string of `url("…")` and `src("…")`; strings directly inside
    `image-set()` or `-webkit-image-set()`; and the string of `@import "…"`. An empty URL is not one: CSS Values 4 §4.5
    makes it invalid, not the address of the style sheet. The kind of `#id`, wherever it is, is `fragment`. `text` has
    its escapes decoded; NUL and impossible code points become U+FFFD (§3.3, §4.3.7).

    Forms: `double`, `single` (in such quotes) and `bare` (in a URL token). The URL of `@namespace` has a form that
    begins with `namespace:`, and that kind: it is a name, never to be rewritten.
    """
    found: list[Occurrence] = []
    open_: list[str] = []  # the open functions, from the outermost image-set() on
    position = 0
    while (stop := (_STOP_IN_SET if open_ else _STOP).search(value, position)) is not None:
        start, position = stop.span()
        what = stop.lastgroup
        if what == "escape":
            what, position = _escaped_name(value, start)
        if what in ("double", "single"):
            if open_ and open_[-1] == "set":
                _string(found, value, start)
        elif what == "comment":
            position = _behind_comment(value, position)
        elif what == "import":
            position = _string(found, value, _behind_blank(value, position))
        elif what == "namespace":
            position = _namespace(found, value, position)
        elif what == "set":
            open_.append(what)
        elif what in ("url", "src"):
            if what == "url":
                closed, position = _url(found, value, position)
            else:
                closed, position = False, _string(found, value, _behind_blank(value, position))
            if open_ and not closed:
                open_.append("round")
        elif open_ and what in _CLOSERS:
            open_.append(what)
        elif what == "close" and value[position - 1] == _CLOSERS[open_[-1]]:
            open_.pop()
    is_usual = not found or (_MAY_BE_CUSTOM(value) is None and _MAY_BE_TEST(value) is None)
    return found if is_usual else _in_declarations(found, value)


def _in_declarations(found: list[Occurrence], value: str) -> list[Occurrence]:
    """The same references; those in custom properties have their names (CSS Variables 1 §2), and what `@supports` or
    `supports()` only tests is not fetched (CSS Conditional 3 §6).
    """
    borders = _BORDERS(value)
    begins, is_tested, border = 0, False, next(borders, None)
    placed = []
    for each in found:
        while border is not None and border.end() <= each.start:
            if border.lastgroup == "end":
                begins, is_tested = border.end(), False
            elif border.lastgroup in ("test", "test_of_import"):
                is_tested = True
            border = next(borders, None)
        may_depend = each.kind is None and _HAS_SCHEME(each.text) is None
        name = _custom_property(value, begins) if may_depend else ""
        if is_tested or name:
            each = each._replace(fetched=not is_tested, property=name)
        placed.append(each)
    return placed


def _custom_property(value: str, position: int) -> str:
    """The name of the custom property whose declaration begins at `position`; "" if there is none."""
    start = _behind_blank(value, position)
    end = _end(_NAME, value, start) if value.startswith("--", start) else start
    is_declared = end > start and value.startswith(":", _behind_blank(value, end))
    return _decoded(value[start:end], "\ufffd") if is_declared else ""


def custom_properties(value: str) -> tuple[Iterator[str], Iterator[str]]:
    """The custom properties that CSS text uses by `var()`, and those that it registers as URLs."""
    used = (_decoded(used[1], "\ufffd") for used in _USED(value))
    with_urls = (_decoded(found[1], "\ufffd") for found in _REGISTERED(value) if _SYNTAX_WITH_URLS(found[2]))
    return used, with_urls


def write(text: str, form: str) -> str:
    """Write `text` where `find` found a reference of that form. (An empty text is not a reference in CSS.)

    A backslash escapes the quote in use or, without quotes, quotes, parentheses and white space; backslashes; line
    breaks; and `<`, so that no text can end a `style` element. NUL, which CSS cannot hold, is percent-encoded.
    """
    special = _SPECIAL[form.removeprefix(_NAMESPACE)]
    return special.sub(_escaped, text.replace("\0", "%00"))


_SPECIAL = {
    "double": re.compile(r'[\n\r\f"\\<]'),
    "single": re.compile(r"[\n\r\f'\\<]"),
    "bare": re.compile(r"[\x01-\x20\x7f\"'()\\<]"),
}


def _escaped(match: re.Match[str]) -> str:
    character = match[0]
    return f"\\{character}" if character in "\"'()\\" else f"\\{ord(character):x} "


def _end(pattern: re.Pattern[str], value: str, position: int) -> int:
    """Where a match at `position` ends; `position` if there is no match."""
    match = pattern.match(value, position)
    return position if match is None else match.end()


def _behind_comment(value: str, position: int) -> int:
    """The position after the comment whose `/*` ends at `position` (§4.3.2)."""
    end = value.find("*/", position)
    return len(value) if end < 0 else end + 2


def _behind_blank(value: str, position: int) -> int:
    """The position after white space and comments."""
    while True:
        position = _end(_WHITE, value, position)
        if not value.startswith("/*", position):
            return position
        position = _behind_comment(value, position + 2)


def _string(found: list[Occurrence], value: str, start: int, namespace: str = "") -> int:
    """Add the string that begins at `start`, if there is a valid one. Return the position after it.

    One with a bare line break is not (§4.3.5); the end of the text closes it.
    """
    quote = value[start : start + 1]
    if quote not in _QUOTES:
        return start
    end = _end(_BODY[quote], value, start + 1)
    closed = value.startswith(quote, end)
    if (closed or end == len(value)) and (text := _decoded(value[start + 1 : end], "")):
        found.append(_occurrence_at(start + 1, end, text, namespace + _QUOTES[quote]))
    return end + closed


def _url(found: list[Occurrence], value: str, start: int, namespace: str = "") -> tuple[bool, int]:
    """Add the URL after `url(`. Return whether its `)` has been passed, and the position after it.

    One with a quote, a parenthesis, inner white space or a control character is an error (§4.3.14).
    """
    quoted = _QUOTED.match(value, start)
    if quoted is not None:
        return False, _string(found, value, quoted.end(), namespace)
    match = _URL.match(value, start)
    if match is None:
        return True, _end(_BAD_URL, value, start)
    if text := _decoded(match["url"], "\ufffd"):
        found.append(_occurrence_at(*match.span("url"), text, f"{namespace}bare"))
    return True, match.end()


def _occurrence_at(start: int, end: int, text: str, form: str) -> Occurrence:
    kind: Kind | None = "namespace" if form.startswith(_NAMESPACE) else None
    return Occurrence(start, end, text, form, kind="fragment" if text.startswith("#") else kind)


def _namespace(found: list[Occurrence], value: str, position: int) -> int:
    """Add the URL of the `@namespace` that ends at `position`, or of its prefix. Return the position after it."""
    for may_be_prefix in (True, False):
        position = _behind_blank(value, position)
        end = _end(_NAME, value, position)
        if end == position:
            return _string(found, value, position, _NAMESPACE)
        if value.startswith("(", end):
            is_url = end - position < 32 and _lower(value[position:end]) == "url"
            return _url(found, value, end + 1, _NAMESPACE)[1] if is_url else position
        if not may_be_prefix or _IDENT_START.match(value, position) is None:
            break
        position = end
    return position


def _escaped_name(value: str, backslash: int) -> tuple[str | None, int]:
    r"""Read the whole name that contains a backslash: `u\72l(` is `url(`, and `myurl(` and `5url(` are something else.

    Returns its kind, as the groups of `_STOP_IN_SET` name it, and the position after it (and its parenthesis).
    """
    end = _end(_NAME, value, backslash)
    if end == backslash:
        return None, backslash + 1  # a line break follows: not an escape (§4.3.8)
    start = backslash
    while start and backslash - start <= _LONGEST_NAME and _is_name(value[start - 1]):
        start -= 1
    name = _lower(value[start:end]) if end - start <= 9 * _LONGEST_NAME else ""
    before = value[start - 1] if start else ""
    if value.startswith("(", end):  # passed here: the text before it is not the whole name
        return ("round" if before in ("@", "#") else _CALLS.get(name, "round")), end + 1
    return (name if before == "@" and name in ("import", "namespace") else None), end


def _is_name(character: str) -> bool:
    return character in _ASCII_NAME or character >= "\x80"


def _lower(raw: str) -> str:
    """A name, decoded, in lower case."""
    return lower(_decoded(raw, "\ufffd"))


_ANY_ESCAPE = re.compile(r"\\(?:([0-9A-Fa-f]{1,6})(?:\r\n|[\t\n\f\r ])?|(\r\n|[\n\r\f])|([\s\S])|\Z)")


def _decoded(raw: str, at_end: str) -> str:
    """Text with its escapes decoded; `at_end` replaces a backslash at the very end."""
    raw = raw.replace("\0", "\ufffd")
    if "\\" not in raw:
        return raw
    replace: Callable[[re.Match[str]], str] = partial(_unescaped, at_end=at_end)
    return _ANY_ESCAPE.sub(replace, raw)


def _unescaped(match: re.Match[str], at_end: str) -> str:
    digits, line_break, character = match.groups()
    if digits is not None:  # §4.3.7
        number = int(digits, 16)
        possible = 0 < number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF
        return chr(number) if possible else "\ufffd"
    if character is not None:
        return str(character)
    return "" if line_break is not None else at_end
