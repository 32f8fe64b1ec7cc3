"""Colours, where there are any: what a text is, as terminals show it (ECMA-48, SGR).

1. A style is a value; the one without colours gives texts back as they are, so no code asks whether there are any.
2. Colours are those a terminal's owner has chosen for the eight names; none is said by number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

Marked: TypeAlias = "Callable[[Style, str], str]"


def _sgr(code: str) -> Marked:
    """A way to mark a text, by the parameter of SGR."""

    def marked(style: Style, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if style.colors and text else text

    return marked


@dataclass(frozen=True, slots=True)
class Style:
    """Ways to mark a text by its role: each a method that gives the text marked."""

    colors: bool

    strong = _sgr("1")
    """A name that heads what follows."""
    faint = _sgr("2")
    """What matters less."""
    good = _sgr("32")
    """What was found or added."""
    alarm = _sgr("33")
    """A problem."""
    removed = _sgr("31")
    place = _sgr("36")
    """An element and its attribute."""
    target = _sgr("34")
    """A target URI."""


PLAIN = Style(colors=False)
COLORED = Style(colors=True)
