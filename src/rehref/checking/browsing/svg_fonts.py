"""Fonts in SVG that style sheets name as a last resort: `src: … url(font.svg#name) format("svg")`.

1. In `@font-face`, the fragment names a `font` element (CSS Fonts 3 §4.3). No browser supports fonts in SVG any more,
   and those that did used the first one if none had that name. So only the file is looked up.
"""

from __future__ import annotations

import re

from rehref.documents.document import Document, Reference

_AT_FONT_FACE = re.compile(r"@font-face\s*(?:/\*[^*]*\*/\s*)?\Z", re.IGNORECASE).search
_FURTHEST = 200
_IS_SVG = re.compile(r"[^?#]*\.svg(?:\?[^#]*)?#", re.IGNORECASE).match


def names_svg_font(document: Document, reference: Reference) -> bool:
    """Whether a reference in CSS names a font in SVG by a fragment (rule 1)."""
    if _IS_SVG(reference.text) is None:
        return False
    text = document.parsed.places[reference.place].value
    opened = text.rfind("{", 0, reference.start)
    if opened == -1 or text.rfind("}", opened, reference.start) != -1:
        return False
    return _AT_FONT_FACE(text[max(0, opened - _FURTHEST) : opened]) is not None
