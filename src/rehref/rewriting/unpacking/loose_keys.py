"""Which saved capture serves for a URI that is not saved as it is written, as in the replay of pywb.

1. Crawlers record URIs in other spellings than pages have: `%2C` and `,` are the same here. They may differ (RFC 3986
   §2.2), so an exact match takes precedence. Escapes of delimiters (`/ ? # & = + %`) and of other characters stay.
2. `http` and `https` are the same.
3. The query of an image, a style sheet, a script, a font or a recording is mostly there for caches (`site.css?v=3`).
   If the path has the ending of one, any query serves. The queries of pages, and of all others, count.
"""

from __future__ import annotations

import re
from typing import Final

_STATIC: Final = re.compile(
    r"css|m?js|png|jpe?g|gif|webp|avif|svgz?|ico|bmp|woff2?|ttf|otf|eot|mp[34]|m4[av]|og[gv]|web[ma]|vtt", re.IGNORECASE
).fullmatch
_ESCAPED: Final = re.compile(r"%(?:2[124789AC]|3[ABCE]|40|5[BCDE]|60|7[BCD])", re.IGNORECASE).sub


def loose_key(uri: str) -> str:
    """Return the same text for URIs whose captures may stand for each other. `uri`: `comparable`."""
    if not uri.startswith(("http:", "https:")):
        return uri
    rest = uri.partition(":")[2]
    if "%" in rest:
        rest = _ESCAPED(lambda found: chr(int(found[0][1:], 16)), rest)
    path = rest.partition("?")[0]
    if path == rest:
        return rest
    name, _, ending = path.rpartition("/")[2].rpartition(".")
    return path if name and _STATIC(ending) else rest
