"""The reference in the `content` of `<meta http-equiv=refresh>`, or in a Refresh header field.

HTML Standard, "shared declarative refresh steps": white space, a time (digits, or a full stop), then `;`, `,` or white
space; with anything else, or without a time, there is no refresh. With nothing after that, as in `5;`, the page reloads
itself: no reference.
"""

from __future__ import annotations

import re

from rehref.text import WHITE_SPACE
from rehref.uri._syntaxes.lists import trimmed
from rehref.uri.syntaxes import Occurrence

_HEAD = re.compile(r"[\t\n\f\r ]*+(?:[0-9]++|(?=\.))[0-9.]*+(?=[\t\n\f\r ;,])[\t\n\f\r ]*+[;,]?+[\t\n\f\r ]*+")
_KEYWORD = re.compile(r"[uU][rR][lL][\t\n\f\r ]*+=[\t\n\f\r ]*+")
_QUOTES = {'"': "double", "'": "single"}


def find(value: str) -> list[Occurrence]:
    """The reference of a refresh value, if it has one. Forms: `bare`, `keyword` (after `url=`), `double`, `single`.

    `url`, white space and `=` before it are optional, but must be complete (step 11): in `0; ur=x` everything from the
    `u` on is the URL. One that begins with a quote ends before the next quote of the same sort, with or without `url=`,
    and text after that is dropped. `url=` with nothing after it is the empty reference.
    """
    head = _HEAD.match(value)
    if head is None or head.end() == len(value):
        return []
    start, end, form = head.end(), len(value), "bare"
    keyword = _KEYWORD.match(value, start)
    if keyword is not None:
        start, form = keyword.end(), "keyword"
    quote = value[start : start + 1]
    if quote in _QUOTES:
        start, form = start + 1, _QUOTES[quote]
        closing = value.find(quote, start)
        end = closing if closing >= 0 else end
    return [trimmed(value, start, end, form)]


def write(text: str, form: str) -> str:
    """Write `text` where `find` found a reference of that form.

    In quotes, the same quote is percent-encoded. Without, a URL that would be misread (one that begins with a quote, or
    with `url=`) gets quotes or a `url=` of its own; if it holds both sorts of quotes, the double ones are
    percent-encoded.
    """
    text = text.strip(WHITE_SPACE)
    if form == "double":
        return text.replace('"', "%22")
    if form == "single":
        return text.replace("'", "%27")
    if text[:1] in _QUOTES:
        text = f"'{text}'" if "'" not in text else '"' + text.replace('"', "%22") + '"'
    if form == "bare" and (not text or text[0] in ";," or _KEYWORD.match(text) is not None):
        return f"url={text}"
    return text
