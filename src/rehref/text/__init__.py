"""Source text: a document's bytes or str, its encoding, the position of each character, and splices; JSON with these.

The modules take bytes, and what header fields or the user say about their encoding. They know nothing about markup,
references or files.

Here is ASCII as the Infra Standard defines it: lower case for names and keywords in markup, and white space; and whole
numbers in files that rehref writes and reads again, and that somebody else may have changed.
"""

from __future__ import annotations

from typing import Final

MOST: Final = 1_000_000_000_000
"""More of anything than there is: bytes, links, seconds."""

WHITE_SPACE = "\t\n\f\r "
"""ASCII white space, as the inside of a set of characters, too."""
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def lower(text: str) -> str:
    """A text in ASCII lower case (Infra Standard): no other letter changes (the Kelvin sign is not a `k`)."""
    return text.lower() if text.isascii() else text.translate(_LOWER)


def whole_number(value: object, least: int = 0, most: int = MOST) -> int:
    """Return a whole number that a file says. Raises ValueError if it is not one, or out of bounds."""
    if type(value) is not int or not least <= value <= most:
        raise ValueError("not a whole number within its bounds")
    return value
