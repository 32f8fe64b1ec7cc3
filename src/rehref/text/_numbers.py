"""Numbers in files that rehref writes and reads again, and that somebody else may have changed."""

from __future__ import annotations

from typing import Final

MOST: Final = 1_000_000_000_000
"""More of anything than there is: bytes, links, seconds."""


def whole_number(value: object, least: int = 0, most: int = MOST) -> int:
    """Return a whole number that a file says. Raises ValueError if it is not one, or out of bounds."""
    if type(value) is not int or not least <= value <= most:
        raise ValueError("not a whole number within its bounds")
    return value
