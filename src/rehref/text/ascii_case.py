"""The one lower case of names and keywords in markup: ASCII's."""

from __future__ import annotations

_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def lower(text: str) -> str:
    """A text in ASCII lower case (Infra Standard): no other letter has another case (the Kelvin sign is no `k`)."""
    return text.lower() if text.isascii() else text.translate(_LOWER)
