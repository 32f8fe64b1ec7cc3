"""Style sheets: the references in a CSS file (`rehref.uri._syntaxes.css`).

They are relative to the style sheet's own URI, not to the document that refers to it (CSS Values 4, "Relative URLs");
`url(#id)` refers to the document that uses the style sheet ("Fragment URLs"). A query is encoded in the style sheet's
encoding, as in browsers. ("URL Processing Model" says UTF-8.)
"""

from __future__ import annotations

from functools import partial

from rehref.documents._formats.format_contract import (
    TextCarriers,
    carried_references,
    escaping,
    text_format,
)
from rehref.documents._formats.html_carriers import code_of
from rehref.text.encoding import Sniffed, sniff_css
from rehref.text.large_bytes import is_utf_8
from rehref.uri.syntaxes import Carrier

_STYLE_SHEET = Carrier("css", "resource", "CSS Values 4 §4.5")


def _escaped(char: str) -> str:
    r"""The escape of a character that the encoding lacks (`\e9 `); of a lone surrogate, which CSS cannot have, that of
    U+FFFD.
    """
    return "\\fffd " if "\ud800" <= char <= "\udfff" else f"\\{ord(char):x} "


def _sniff(data: bytes, declared: str | None, is_response: bool) -> Sniffed:
    """The encoding of a style sheet; a guess, if nothing declares it and it is not UTF-8.

    Browsers take that of the document that refers to it (CSS Syntax 3 §3.2), which a caller that knows it declares.
    """
    sniffed = sniff_css(data, declared)
    return sniffed if sniffed.why != "default" or is_utf_8(data) else Sniffed("windows-1252", 0, "default", True)


FORMAT = text_format(
    partial(carried_references, carrier=_STYLE_SHEET),
    _sniff,
    escaping(_escaped),
    carriers=TextCarriers(code_of(_STYLE_SHEET, "", "")),
    has_legacy_queries=True,
)
