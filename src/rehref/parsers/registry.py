"""The parser cores there are: the entry points of the group `rehref.parsers`, loaded when they are asked for.

1. A core is known by its entry point's name. Loading one does not load the others.
2. A name that nobody registered, or a core that does not load, is a `ParserError` that says what there is.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from rehref.parsers.contract import Core

GROUP = "rehref.parsers"
DEFAULT = "source"


class ParserError(LookupError):
    """No such parser core, or it cannot be loaded."""


@cache
def _registered() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def names() -> list[str]:
    """The names of all registered cores, the default first."""
    return sorted(_registered(), key=lambda name: (name != DEFAULT, name))


@cache
def core(name: str = DEFAULT) -> Core:
    """The core of that name. Raises `ParserError`."""
    if name == DEFAULT:
        # known without asking the installed packages, which takes longer than reading a page
        from rehref.parsers.source import CORE

        return CORE
    point = _registered().get(name)
    if point is None:
        raise ParserError(f"there is no parser {name!r}; there are {', '.join(names())}")
    try:
        loaded: Core = point.load()
    except Exception as error:
        raise ParserError(f"the parser {name!r} ({point.value}) cannot be loaded: {error}") from error
    return loaded
