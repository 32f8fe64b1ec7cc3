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
from typing import NamedTuple

from rehref.carriers.kinds import Kind
from rehref.carriers.syntaxes import Carrier
from rehref.documents.document import carried_references
from rehref.documents.formats.contract import escaping, text_format
from rehref.documents.formats.html_carriers import KINDS, code_of
from rehref.parsers.contract import Parsed
from rehref.text.css_encoding import sniff_css

_STYLE_SHEET = Carrier("css", "resource", "CSS Values 4 §4.5")


class _Carriers(NamedTuple):
    """What the text carries (`rehref.parsers.source.plan.DocumentCarriers`)."""

    kinds: tuple[Kind, ...] = KINDS

    def carries(self, namespace: str, element: str, attribute: str | None) -> int:
        """The byte for the text."""
        return code_of(_STYLE_SHEET, namespace, element)

    def carried(self, parsed: Parsed, number: int) -> int:
        """The same for its place."""
        return code_of(_STYLE_SHEET, "", "")

    def may_have_rel(self, element: str) -> bool:
        """No."""
        return False


def _escaped(char: str) -> str:
    """The escape of a character that the encoding lacks (rule 4)."""
    return "\\fffd " if "\ud800" <= char <= "\udfff" else f"\\{ord(char):x} "


FORMAT = text_format(
    partial(carried_references, carrier=_STYLE_SHEET),
    lambda data, declared, is_response: sniff_css(data, declared),
    escaping(_escaped),
    carriers=_Carriers(),
)
