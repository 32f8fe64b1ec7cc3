r"""Style sheets: the references in a CSS file.

1. They are relative to the style sheet's own URI, not to the document that refers to it (CSS Values 4, "Relative
   URLs"); there is no embedded base.
2. `rehref.carriers.css` finds them; the kinds are those of a `style` element: `resource`, `namespace` for
   `@namespace`, and `fragment` for `url(#id)`, which refers to the document that uses the style sheet (CSS
   Values 4, "Fragment URLs").
3. In the `whatwg` profile, too, a query is encoded in UTF-8, whatever the style sheet's encoding (CSS Values 4, "URL
   Processing Model").
4. A character that the encoding lacks is written as a CSS escape (`\e9 `); a lone surrogate, which CSS cannot contain,
   as the escape of U+FFFD.
"""

from __future__ import annotations

from functools import partial

from rehref.carriers.syntaxes import Carrier
from rehref.documents.formats.contract import TextCarriers, carried_references, escaping, text_format
from rehref.documents.formats.html_carriers import code_of
from rehref.text.declared_encoding import sniff_css

_STYLE_SHEET = Carrier("css", "resource", "CSS Values 4 §4.5")


def _escaped(char: str) -> str:
    """The escape of a character that the encoding lacks (rule 4)."""
    return "\\fffd " if "\ud800" <= char <= "\udfff" else f"\\{ord(char):x} "


FORMAT = text_format(
    partial(carried_references, carrier=_STYLE_SHEET),
    lambda data, declared, is_response: sniff_css(data, declared),
    escaping(_escaped),
    carriers=TextCarriers(code_of(_STYLE_SHEET, "", "")),
)
