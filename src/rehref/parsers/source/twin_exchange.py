"""What Python passes to the scanner's compiled twin, and what it gets back (`rehref.parsers.source.twin`).

The twin knows places by their numbers. Those that it leaves to Python are called odd.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from rehref.uri.ordinary_references import Prefixes

NO_SCOPE: Final = -1
ANY_SCOPE: Final = -2


class Given(NamedTuple):
    """The references that Python has found in a source without markup (`_native/given.c`)."""

    triples: bytes
    """For each, as 32-bit numbers: from, to (bytes of the text in UTF-8), the number of a code."""
    codes: bytes
    """What each carries."""


Find: TypeAlias = "Callable[[int, str], list[Any] | Given | None]"
"""Returns the references in a value, as `rehref.carriers.syntaxes.Occurrence`, by the number of its micro-syntax.

Of a source without markup, they are `Given`, or None if Python must read it.
"""


class How(NamedTuple):
    """How the twin reads references."""

    before: Prefixes
    """The texts that precede their targets."""
    own: str | None
    """The document's own URI."""
    base_is_own: bool
    """Whether the base is the document's own URI, and nothing in the document can change it."""
    table: bytes
    """What each attribute carries, from `Plan.table`."""
    kinds: tuple[str, ...]
    ask: Callable[[int], int]
    """What a place carries if other attributes decide it."""
    find: Find
    """Finds references in micro-syntaxes that the twin does not read."""
    metadata: bool
    """Whether it is asked for metadata, too."""
    decided: dict[bytes, int]
    said: Callable[[int], int] | None = None
    """In XML, instead of the table: what the names of a place say of it, by its number."""
    inner: tuple[object, bytes] | None = None
    """The plan for HTML in the text of an element in XML, and its table; None: Python must read it."""
    scope: int = ANY_SCOPE
    """In XML, the place of the `xml:base` that applies to the references, or `NO_SCOPE`. Places with another are left
    to Python, unless it is `ANY_SCOPE`."""


class Held(NamedTuple):
    """What the places of a page hold (`rehref.checking.pages.inventory`), as far as it is plain."""

    names: dict[str, bool]
    """What fragments can name, and whether each is an id."""
    doubles: list[int]
    """The numbers of places with an id that an earlier place has."""
    values: dict[str, int]
    """Values that are references as a whole, and their numbers."""
    targets: list[str | None]
    """For each the path of a folder and the rest of it; "" for a fragment that one of the names is; None for others."""
    odd: list[int]
    """The numbers of all other places that may hold something."""
    counts: bytes
    """How often each value occurs, as 32-bit numbers."""
    placed: bytes
    """Where they are, as pairs of 32-bit numbers: a value's, a place's."""


ByteSplice: TypeAlias = tuple[int, int, bytes]
"""What to replace in the bytes of a source: from, to, by what."""
