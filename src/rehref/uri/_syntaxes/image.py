"""The address of an image in an attribute that scripts define: a URL, a CSS value, or something else.

A value that contains `url(…)` (or another reference of CSS) is CSS text, and read as such. Any other is one reference
if it looks like one.
"""

from __future__ import annotations

import re

from rehref.text import WHITE_SPACE
from rehref.uri._syntaxes import css
from rehref.uri._syntaxes.lists import trimmed
from rehref.uri.syntaxes import Occurrence

_ADDRESS = "address"
_NUMBER = r"[-+]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:%|[a-z]{1,3})?"
_FUNCTION = r"(?:rgba?|hsla?|hwb|(?:ok)?l(?:ab|ch)|color|var|calc|(?:repeating-)?(?:linear|radial|conic)-gradient)\("
_NO_ADDRESS = re.compile(
    rf"{_NUMBER}(?:[\t\n\f\r ,/]+{_NUMBER})*\Z|{_FUNCTION}|\#|[{{\[]|\.(?![./])", re.ASCII | re.IGNORECASE
).match
_CSS = re.compile(r"[()@]")
_ENCODED = {"(": "%28", ")": "%29", "@": "%40"}


def find(value: str) -> list[Occurrence]:
    """The references of a value."""
    if "(" in value or "@" in value:
        found = css.find(value)
        if found:
            return [each._replace(kind=None) for each in found]
    one = trimmed(value, 0, len(value), _ADDRESS)
    return [one] if is_address(one.text) else []


def is_address(text: str) -> bool:
    """Whether a text looks like a reference: it has a slash or a dot, and is not something else that has.

    Such are numbers (`0.5`, `1.5em`, `16/9`), colours (`#f00`), CSS functions (`rgb(…)`), selectors (`.box`) and JSON.
    """
    return ("/" in text or "." in text) and _NO_ADDRESS(text) is None


def write(text: str, form: str) -> str:
    """Write `text` where `find` found a reference of that form.

    White space as in `lists`; parentheses are percent-encoded where the value would be read as CSS, and "./" is put
    before a text that would not look like a reference. A fragment alone and the empty reference cannot be written.
    """
    if form != _ADDRESS:
        return css.write(text, form)
    text = text.strip(WHITE_SPACE)
    if css.find(f"{text} "):  # white space may follow, and be a string's only character
        text = _CSS.sub(lambda character: _ENCODED[character[0]], text)
    return text if is_address(text) else "./" + text
