"""The reference in the `content` of `<meta http-equiv=refresh>`, or in a Refresh header field.

HTML Standard, "shared declarative refresh steps".

1. White space, then a time: digits, or a full stop; more digits and full stops are ignored. Without a time there is no
   refresh (steps 3 to 8).
2. Then `;`, `,` or white space; with anything else, there is no refresh (step 10). With nothing after that, as in `5`
   or `5;`, the page reloads itself: no reference.
3. The rest is the URL, and `url`, white space and `=` before it are optional (step 11). They must be complete: in `0;
   ur=x` or `0; url x` everything from the `u` on is the URL, and quotes have no meaning there.
4. A URL that begins with a quote ends before the next quote of the same sort, or at the end; text after the closing
   quote is dropped. This is so with and without `url=`.
5. White space around the URL is not part of it. `url=` with nothing after it is the empty reference.
6. Written text reads back as the same URL. In quotes, the same quote is percent-encoded. Without quotes, a URL that
   would be misread (one that begins with a quote, say, or with `url=` where the value has none) gets quotes or a `url=`
   of its own; if it holds both sorts of quotes, the double ones are percent-encoded.
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
    """The reference of a refresh value, if it has one. Forms: `bare`, `keyword` (after `url=`), `double`, `single`."""
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
    """Write `text` where `find` found a reference of that form."""
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
