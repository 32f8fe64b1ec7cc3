"""Source text: a document's bytes or str, its encoding, the position of each character, and splices; JSON with these.

The modules take bytes, and what header fields or the user say about their encoding. They know nothing about markup,
references or files.

Here is ASCII as the Infra Standard defines it: lower case for names and keywords in markup, and white space.
"""

from __future__ import annotations

WHITE_SPACE = "\t\n\f\r "
"""ASCII white space, as the inside of a set of characters, too."""
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def lower(text: str) -> str:
    """A text in ASCII lower case (Infra Standard): no other letter changes (the Kelvin sign is not a `k`)."""
    return text.lower() if text.isascii() else text.translate(_LOWER)
