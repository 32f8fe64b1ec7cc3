"""From XML, as a library writes its tree, to HTML (HTML Standard §13.3, "serializing HTML fragments").

1. Libraries write XML fast, and change no value. When they write HTML, libxml2 percent-encodes URIs and ElementTree
   escapes the text of an `iframe`.
2. In that XML, `&`, `<` and `>` in text and values are character references, as HTML allows. So a `>` ends a tag.
3. What differs in HTML: a void element has no end tag, any other one does, and raw text is not escaped.
4. A `base` without attributes means nothing, and is left out: an edit has removed its `href`.

Text that only the end of the document ends (`plaintext`, a script with `<!--<script>`) gets an end tag, which is text.
"""

from __future__ import annotations

import re
from functools import cache

from rehref.parsers.source.names import RAW_TEXT, VOID

RAW = RAW_TEXT | {"script", "plaintext"}
"""Elements whose text is not escaped."""


def tree_as_html(xml: str, raw: frozenset[str] = RAW) -> str:
    """Return the HTML for a document that has been written as XML; `raw`: the elements whose text is not escaped."""
    return _different(raw).sub(_as_html, xml)


@cache
def _different(raw: frozenset[str]) -> re.Pattern[str]:
    """Matches a comment, the tag of an empty element, the end tag of a void one, or a start tag with its raw text."""
    raw_names, void_names = "|".join(sorted(raw)), "|".join(sorted(VOID))
    return re.compile(f"<(!--.*?-->|[^>]*/>|/(?:{void_names})>|(?:{raw_names})(?=[ >])[^>]*>[^<]*)", re.DOTALL)


def _as_html(found: re.Match[str]) -> str:
    markup = found[0]
    if markup.startswith("<!--"):
        return markup
    if markup.startswith("</"):
        return ""
    if not markup.endswith("/>"):
        tag, _, text = markup.partition(">")
        return f"{tag}>" + text.replace("&lt;", "<").replace("&gt;", ">").replace("&#13;", "\r").replace("&amp;", "&")
    name, _, attributes = markup[1:-2].rstrip().partition(" ")
    if name == "base" and not attributes:
        return ""
    tag = f"<{name} {attributes}>" if attributes else f"<{name}>"
    return tag if name in VOID else f"{tag}</{name}>"
