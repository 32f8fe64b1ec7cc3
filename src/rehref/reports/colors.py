"""The colours of texts for people by their role: errors, additions, places, targets.

1. A style is a value; the one without colours returns texts unchanged, so no code has to ask whether there are any.
2. Colours are those that the user of the terminal has chosen for the eight names; none is given by number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Marked: TypeAlias = "Callable[[Style, str], str]"


def _sgr(code: str) -> Marked:
    """A function that marks a text, by the parameter of SGR."""

    def marked(style: Style, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if style.colors and text else text

    return marked


class Style:
    """Marks for texts by their role: each method returns the marked text."""

    __slots__ = ("colors",)

    def __init__(self, *, colors: bool) -> None:
        """`colors`: whether texts are marked at all."""
        self.colors = colors

    strong = _sgr("1")
    """A name above other text."""
    faint = _sgr("2")
    """Less important text."""
    good = _sgr("32")
    """Text that was found or added."""
    alarm = _sgr("33")
    """A problem."""
    removed = _sgr("31")
    place = _sgr("36")
    """An element and its attribute."""
    target = _sgr("34")
    """A target URI."""


PLAIN = Style(colors=False)
COLORED = Style(colors=True)
