"""Which encoding a style sheet is read in (CSS Syntax Level 3 §3.2).

1. A byte order mark takes precedence; then what the caller declares (an option, or the charset of the HTTP
   headers); then the style sheet's own `@charset`; then UTF-8. (The encoding of the document that refers to it, which
   comes before UTF-8, is not known here: a caller that knows it declares it.)
2. `@charset` counts as these very bytes at the very beginning: `@charset "`, a label, `";`, all within the first 1024.
   In upper case, with another quote or another blank it does not count; nor with an unknown label.
3. UTF-16 named there means UTF-8: in UTF-16 those bytes would not be there.
"""

from __future__ import annotations

import re

from rehref.text.encoding import Sniffed, given, lookup

LIMIT = 1024
"""How many bytes are looked at."""

_CHARSET = re.compile(rb'@charset "([^"]*+)";').match


def sniff_css(data: bytes, declared: str | None = None) -> Sniffed:
    """Determine the encoding of a style sheet's bytes; as `rehref.parsers.html_encoding.sniff_html`.

    Raises `UnknownEncodingError` if `declared` is not a label of an encoding.
    """
    sniffed = given(data, declared)
    if sniffed is not None:
        return sniffed
    charset = _CHARSET(data[:LIMIT])
    name = None if charset is None else lookup(charset[1].decode("latin-1"))
    if name is None:
        return Sniffed("utf-8", 0, "default")
    return Sniffed("utf-8" if name in ("utf-16le", "utf-16be") else name, 0, "@charset")
