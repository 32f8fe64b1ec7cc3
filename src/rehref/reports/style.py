"""Colours, where there are any: what a text is, as terminals show it (ECMA-48, SGR).

1. A style is a value; the one without colours gives texts back as they are, so no code asks whether there are any.
2. Colours are those a terminal's owner has chosen for the eight names; none is said by number.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Style:
    """Ways to mark a text by its role."""

    colors: bool

    def _sgr(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colors and text else text

    def strong(self, text: str) -> str:
        """A name that heads what follows."""
        return self._sgr("1", text)

    def faint(self, text: str) -> str:
        """What matters less."""
        return self._sgr("2", text)

    def good(self, text: str) -> str:
        """What was found or added."""
        return self._sgr("32", text)

    def alarm(self, text: str) -> str:
        """A problem."""
        return self._sgr("33", text)

    def removed(self, text: str) -> str:
        """What was removed."""
        return self._sgr("31", text)

    def place(self, text: str) -> str:
        """An element and its attribute."""
        return self._sgr("36", text)

    def target(self, text: str) -> str:
        """A target URI."""
        return self._sgr("34", text)


PLAIN = Style(colors=False)
COLORED = Style(colors=True)
